// SPDX-License-Identifier: MIT
// Sequence diagrams of who sends what to whom: lanes, and arrows and notes between them. What they
// look like is a language's (wf_sequence_text.c); what is drawn is the same in each.
#ifndef WFI_SEQUENCE_H
#define WFI_SEQUENCE_H

#include "wfi_index.h"
#include "wfi_writer.h"

enum {
    WFI_SEQUENCE_MOST = 1000,  // arrows and notes, unless told otherwise
    WFI_SEQUENCE_LISTED = 64,  // lanes of a list
    WFI_SEQUENCE_TEXT_MAX = 80 // characters of a name or text that are shown
};

enum wfi_arrow {
    WFI_ARROW_SEND,
    WFI_ARROW_GET, // what was sent comes out
    WFI_ARROW_WAIT,
    WFI_ARROW_LOST, // it does not arrive
    WFI_ARROW_ALL,  // to whoever wants it
    WFI_ARROW_NOTE, // no arrow: at one lane
    WFI_ARROW_BREAK // no arrow: across all lanes
};

struct wfi_sequence_arrow {
    enum wfi_arrow kind;
    unsigned from, to, lanes; // lanes: how many there are so far, at least 1
    int64_t time;             // ticks since the option's zero
    const char *text;         // quoted
};

// A language of diagrams. Lanes are l1, l2 ...
struct wfi_sequence_language {
    size_t bytes;        // a diagram may have, unless the caller says how many arrows; 0: any
    const char *between; // a text and its time; null: times are for the arrow
    const char *next;    // between arrows
    bool data;           // for programs: what is no arrow or note of the trace is not drawn
    void (*begin)(struct wfi_text *t, unsigned lanes);
    void (*lane)(struct wfi_text *t, unsigned lane, bool last, const char *name);
    void (*arrow)(struct wfi_text *t, const struct wfi_sequence_arrow *a);
    void (*end)(struct wfi_text *t, uint64_t left); // how many are left out
    void (*character)(struct wfi_text *t, uint32_t c);
    bool guards_end; // the word "end" means something
};
extern const struct wfi_sequence_language wfi_mscgen, wfi_mermaid, wfi_sequence_json;

// Appends a text as the language wants it: what is no UTF-8 or no letter becomes ? or a blank, what
// is too long ends with three points.
void wfi_sequence_quote(const struct wfi_sequence_language *l, struct wfi_text *t, const char *text,
                        size_t len);

// Who is at an arrow's end.
struct wfi_sequence_who {
    enum { WFI_WHO_TASK, WFI_WHO_OBJECT, WFI_WHO_ADDRESS, WFI_WHO_IRQ, WFI_WHO_START } kind;
    uint64_t key; // index, address, core
};

struct wfi_seq {
    const struct wfi_sequence_language *language;
    struct wfi_sequence_who *lanes; // in their order, if there is no list
    size_t lane_count, lane_cap;
    struct wfi_index index;          // of them: index + 1
    char *list[WFI_SEQUENCE_LISTED]; // names
    int other;                       // in the list: the lane of all others, or -1
    unsigned most;
    uint64_t drawn, left; // arrows and notes; left out as there are too many
    size_t bytes;         // so far, of arrows and lanes
    struct wfi_text text, quoted;
};

static inline struct wfi_seq *wfi_seq(const struct wf_writer *w) { return w->own; }

// The lane, from 0; -1: it is not to be drawn. May be a new one.
int wfi_sequence_lane(struct wf_writer *w, struct wfi_sequence_who who);
int wfi_sequence_list(struct wf_writer *w); // takes the option's list; WF_OK or an error
// Appends the name of a lane's.
void wfi_sequence_name(struct wf_writer *w, struct wfi_sequence_who who, struct wfi_text *t);
void wfi_sequence_put_lanes(struct wf_writer *w, struct wfi_text *t);

#endif
