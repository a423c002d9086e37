// SPDX-License-Identifier: MIT
// Sequence diagrams of the messages between tasks and objects: lanes, and arrows and notes between
// them. The output depends on the language (wf_sequence_text.c); the content is the same in each.
#ifndef WFI_SEQUENCE_H
#define WFI_SEQUENCE_H

#include "util/wfi_index.h"
#include "writers/wfi_writer.h"

enum {
    WFI_SEQUENCE_MOST = 1000,  // default limit of arrows and notes
    WFI_SEQUENCE_LISTED = 64,  // lanes of a list
    WFI_SEQUENCE_TEXT_MAX = 80 // characters of a name or text that are shown
};

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
    unsigned from, to, lanes; // lanes: the number so far, at least 1
    int64_t time;             // ticks since the option's zero
    const char *text;         // quoted
};

// A language of diagrams. Lanes are l1, l2 ...
struct wfi_sequence_language {
    size_t bytes; // limit of a diagram's bytes, if the caller sets no limit of arrows; 0: none
    const char *between; // between a text and its time; null: the arrow has the time
    const char *next;    // between arrows
    bool data;           // for programs: only arrows and notes of the trace
    void (*begin)(struct wfi_strbuf *t, unsigned lanes);
    void (*lane)(struct wfi_strbuf *t, unsigned lane, bool last, const char *name);
    void (*arrow)(struct wfi_strbuf *t, const struct wfi_sequence_arrow *a);
    void (*end)(struct wfi_strbuf *t, uint64_t left); // left: the number left out
    void (*character)(struct wfi_strbuf *t, uint32_t c);
    bool guards_end; // the word "end" is a keyword
};
extern const struct wfi_sequence_language wfi_mscgen, wfi_mermaid, wfi_sequence_json;

// Appends a text in the language's form: bytes that are not UTF-8 become ?, characters that are not
// shown (wf_utf8_shown) a blank; a text that is too long ends with three points.
void wfi_sequence_quote(const struct wfi_sequence_language *l, struct wfi_strbuf *t,
                        const char *text, size_t len);

// The participant at an end of an arrow.
struct wfi_sequence_who {
    enum { WFI_WHO_TASK, WFI_WHO_OBJECT, WFI_WHO_ADDRESS, WFI_WHO_IRQ, WFI_WHO_START } kind;
    uint64_t key; // index, address, core
};

struct wfi_seq {
    const struct wfi_sequence_language *language;
    struct wfi_sequence_who *lanes; // in order, if there is no list
    size_t lane_count, lane_cap;
    struct wfi_index index;          // of them: index + 1
    char *list[WFI_SEQUENCE_LISTED]; // names
    int other;                       // index in the list of the lane of all others, or -1
    unsigned most;
    uint64_t drawn, left; // arrows and notes; left: those beyond the limit
    size_t bytes;         // so far, of arrows and lanes
    struct wfi_strbuf text, quoted;
};

static inline struct wfi_seq *wfi_seq(const struct wf_writer *w) { return w->own; }

// Returns the lane, from 0, which may be a new one; -1 when it is not drawn.
int wfi_sequence_lane(struct wf_writer *w, struct wfi_sequence_who who);
int wfi_sequence_list(struct wf_writer *w); // uses the option's list; returns WF_OK or an error
// Appends the name of a lane.
void wfi_sequence_name(struct wf_writer *w, struct wfi_sequence_who who, struct wfi_strbuf *t);
void wfi_sequence_put_lanes(struct wf_writer *w, struct wfi_strbuf *t);

#endif
