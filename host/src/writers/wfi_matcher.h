// SPDX-License-Identifier: MIT
// Tests records for texts: what the type of a record and its values decide without its sentence.
#ifndef WFI_MATCHER_H
#define WFI_MATCHER_H

#include "wallfly_host/wf_matcher.h"
#include "wfi_writer.h"

enum { WFI_MATCH_CACHE = 4096 };

// Whether a part of a record decides a term.
enum wfi_found {
    WFI_ABSENT,    // no place of the term touches this part
    WFI_PRESENT,   // the part contains the term
    WFI_UNDECIDED, // the term may be here: the sentence must be made
};

struct wfi_term {
    char *text; // lower case
    size_t len;
    bool absent;
    bool number; // has a character that decimal numbers have
};

// What was found for a value at a place of a sentence, for all terms.
struct wfi_match_entry {
    uint64_t value, with;
    uint32_t stamp; // of the names then; 0: empty
    uint16_t piece; // index in all pieces
    bool startup;
    uint8_t found[WF_MATCH_TERMS_MAX]; // enum wfi_found
};

// The values of a type's sentence that are tested.
struct wfi_match_row_values {
    uint8_t count, at[WF_FIELDS_MAX]; // indices of pieces
    bool special;                     // the sentence must be made in any case
};

struct wf_matcher {
    struct wfi_term terms[WF_MATCH_TERMS_MAX];
    unsigned count;
    bool group, failed;
    struct wf_writer w; // only what descriptions need: session, sentences, lines of slot events
    struct wfi_strbuf words, value;
    struct wfi_record_name name;
    uint8_t row[WFI_ROWS_MAX];                        // of the whole query, by row
    uint8_t of_row[WF_MATCH_TERMS_MAX][WFI_ROWS_MAX]; // of each term, by row
    struct wfi_match_row_values values[WFI_ROWS_MAX];
    uint32_t stamp; // changes with the names
    struct wfi_match_entry cache[WFI_MATCH_CACHE];
};

static inline char wfi_lower(char c) { return (unsigned)c - 'A' < 26 ? (char)(c | 0x20) : c; }
bool wfi_term_in(const struct wfi_term *t, const char *text, size_t len);
// Decides what the types of records decide, after the sentences were opened.
void wfi_match_rows(struct wf_matcher *m);
// Decides a whole record that its type leaves undecided, by its values.
enum wfi_found wfi_match_values(struct wf_matcher *m, const struct wf_record *r);
// Combines the terms of the query.
enum wfi_found wfi_match_all(const struct wf_matcher *m, const uint8_t found[WF_MATCH_TERMS_MAX]);

#endif
