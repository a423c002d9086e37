// SPDX-License-Identifier: MIT
// Sequence diagrams of messages between tasks and objects: lanes, arrows between them, and notes.
// All languages (wf_sequence_text.c) show the same contents.
#ifndef WFI_SEQUENCE_H
#define WFI_SEQUENCE_H

#include "writers/wfi_writer.h"

enum { WFI_SEQUENCE_TEXT_MAX = 80 }; // characters of a name or text that are shown

enum wfi_arrow {
    WFI_ARROW_SEND,
    WFI_ARROW_GET, // a received message
    WFI_ARROW_WAIT,
    WFI_ARROW_LOST, // the message does not arrive
    WFI_ARROW_ALL,  // to all receivers
    WFI_ARROW_NOTE, // no arrow: at one lane
    WFI_ARROW_BREAK // no arrow: across all lanes
};

struct wfi_sequence_arrow {
    enum wfi_arrow kind;
    unsigned from, to, lanes; // lanes: their number so far, at least 1
    int64_t time;             // ticks since wf_writer_options.zero
    const char *text;         // quoted
};

// A language of diagrams. Lanes are l1, l2 ...
struct wfi_sequence_language {
    const char *format;  // its name
    size_t bytes;        // limit of a diagram if the caller does not limit arrows; 0: none
    const char *between; // between a text and its time; null: the time is not part of the text
    const char *next;    // between arrows
    bool data;           // for programs: no notes about the diagram itself
    void (*begin)(struct wfi_strbuf *t, unsigned lanes);
    void (*lane)(struct wfi_strbuf *t, unsigned lane, bool last, const char *name);
    void (*arrow)(struct wfi_strbuf *t, const struct wfi_sequence_arrow *a);
    void (*end)(struct wfi_strbuf *t, uint64_t left); // left: arrows not drawn; may be null
    void (*character)(struct wfi_strbuf *t, uint32_t c);
    bool guards_end; // the word "end" is a keyword
};
const struct wfi_sequence_language *wfi_sequence_language(const char *format);

// Appends a text in the form of the language. Bytes that are not UTF-8 become question marks,
// characters that are not shown (wf_utf8_shown) become blanks. A text that is too long is cut and
// ends with three points.
void wfi_sequence_quote(const struct wfi_sequence_language *l, struct wfi_strbuf *t,
                        const char *text, size_t len);

#endif
