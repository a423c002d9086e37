// SPDX-License-Identifier: MIT
// Lines and parts of lines, for importers of text formats.
#ifndef WFI_IMPORT_TEXT_H
#define WFI_IMPORT_TEXT_H

#include <string.h>

#include "core/wfi_import.h"

enum { WFI_IMPORT_LINE_MAX = 16384 }; // longer lines are damage

// Characters of a line; no zero ends them.
struct wfi_part {
    const char *at;
    size_t len;
};

// Splits the input into lines; zeros: at its beginning.
struct wfi_lines {
    bool skips; // in a line that is too long
    uint64_t skipped_at, skipped;
};

// The decode function of an importer: calls take for each line, without its end (LF or CR LF), with
// im->offset set.
size_t wfi_lines_decode(struct wfi_import *im, struct wfi_lines *lines, const uint8_t *bytes,
                        size_t len, bool last,
                        void (*take)(struct wfi_import *im, struct wfi_part line));

// Checks whether these may be the first bytes of a text.
bool wfi_import_is_text(const uint8_t *bytes, size_t len);
// Calls `check` for each line of the bytes until it returns true; an unfinished last line counts if
// whole.
bool wfi_lines_any(const uint8_t *bytes, size_t len, bool whole,
                   bool (*check)(struct wfi_part line));

#define WFI_PART(text) ((struct wfi_part){(text), sizeof(text) - 1})

static inline struct wfi_part wfi_part_of(const char *text) {
    return (struct wfi_part){text, strlen(text)};
}

static inline bool wfi_part_same(struct wfi_part a, struct wfi_part b) {
    return a.len == b.len && (!a.len || memcmp(a.at, b.at, a.len) == 0);
}

static inline bool wfi_part_is(struct wfi_part p, const char *text) {
    return wfi_part_same(p, wfi_part_of(text));
}

// Removes the first n characters; n is at most p->len.
static inline void wfi_part_drop(struct wfi_part *p, size_t n) {
    if (n) p->at += n; // a part without characters may have no address
    p->len -= n;
}

static inline bool wfi_is_digit(char c) { return c >= '0' && c <= '9'; }

// Removes blanks at both ends.
struct wfi_part wfi_part_trim(struct wfi_part p);
// Removes `text` from the front. Returns false if p does not begin with it.
bool wfi_part_skip(struct wfi_part *p, const char *text);
// Takes the characters before the first `end`, and removes it; all if there is none.
struct wfi_part wfi_part_cut(struct wfi_part *p, char end);
// Finds a text, the first or the last one. Returns false if there is none; before and after may be
// null.
bool wfi_part_find(struct wfi_part p, const char *text, struct wfi_part *before,
                   struct wfi_part *after);
bool wfi_part_find_last(struct wfi_part p, const char *text, struct wfi_part *before,
                        struct wfi_part *after);
// Numbers: all characters must belong to them, and they must fit.
bool wfi_part_number(struct wfi_part p, uint64_t *value);
bool wfi_part_hex(struct wfi_part p, uint64_t *value); // with 0x
bool wfi_part_signed(struct wfi_part p, int64_t *value);
bool wfi_part_double(struct wfi_part p, double *value);
// The first number in the text after its first `key`, as in "pid=12 prio=3".
bool wfi_part_value(struct wfi_part p, const char *key, uint64_t *value);

// A field of an event whose type is that of its text: a number, a hexadecimal number, a text. The
// text must stay valid.
struct wfi_import_field wfi_part_field(const char *name, struct wfi_part p);
// Adds the fields of "key=value key=value" to an event. Returns their number; 0: the text has
// another form. Names are copied to `names`.
enum { WFI_PART_NAME = 32 };
unsigned wfi_part_fields(struct wfi_part p, struct wfi_import_field *fields, unsigned most,
                         char (*names)[WFI_PART_NAME]);

#endif
