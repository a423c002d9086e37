// SPDX-License-Identifier: MIT
// What the writers share. A format is a row in wf_writer.c and a few functions; what it keeps of
// its own is its `own`.
#ifndef WFI_WRITER_H
#define WFI_WRITER_H

#include "wallfly_host/wf_model.h"
#include "wallfly_host/wf_sat.h"
#include "wallfly_host/wf_time.h"
#include "wallfly_host/wf_writer.h"
#include "wfi_sentence.h"
#include "wfi_sinks.h"

enum { WFI_LANES_MAX = 10, WFI_LANE_TEXT = 64 };

struct wfi_lane {
    char name[WFI_LANE_TEXT];
    uint64_t obj;
    bool known; // obj is set
};

// Each may be null but open and item.
struct wfi_ops {
    int (*open)(struct wf_writer *w); // the header
    // Before the first item within the window: the model, if there is one, stands where it begins.
    void (*begin)(struct wf_writer *w, uint64_t tick);
    // What the model makes of an item, before the item itself; cut at the window's ends. Null: the
    // format needs no model, there is none.
    void (*change)(struct wf_writer *w, const struct wf_change *c);
    void (*item)(struct wf_writer *w, const struct wf_item *item); // within the window
    void (*end)(struct wf_writer *w);                              // the footer
    void (*close)(struct wf_writer *w);                            // frees `own`
};

struct wf_writer {
    struct wfi_sink sink; // the first member
    struct wf_sinks *sinks, *own_sinks;
    const struct wf_format *format;
    const struct wfi_ops *ops;
    struct wf_session *s;
    struct wf_writer_options options;
    struct wf_filter filter;
    bool filtered;
    struct wfi_scope {
        bool begun;
        uint64_t hz;
        uint64_t zero;            // the tick that times of the filter and of text count from
        uint64_t from, until;     // ticks
        bool group[WF_GROUP_END]; // a record of the group is shown
        bool timed;               // the trace has times, shown or not:
        uint64_t first, last;
    } scope;
    struct wf_model *model; // shared with other sinks; null if the format needs none
    bool ending;            // changes are those that the end of the trace, or of the window, makes
    bool shown;             // the present item is
    struct wf_scale scale;  // of the item's time and those before
    void *own;
    wf_write_fn write;
    void *ctx;
    bool failed;  // nothing is written any more: memory is out, or
    bool refused; // ... the caller did not take the bytes
    bool cut;     // a diagram is
    struct wfi_text text;
    struct wfi_sentences sentences;
    struct wf_sat *sat; // text: of events that are no records; null until there is one
    size_t line;        // where the present line starts in text
    enum wf_line_class line_class;
    uint8_t stale_id; // qspy: byte 1 of QSPY's record buffer
    struct wfi_lane lanes[WFI_LANES_MAX];
    unsigned lane_count, lines; // seq
    int other;                  // seq: the lane of all others, or -1
    char *objects;              // seq: the list as given
    char *source;               // the option's
};

// ---- what is shown (wf_shown.c)
bool wfi_shown(const struct wf_writer *w, const struct wf_item *item);
// Is the change, cut at the window's ends? May change it.
bool wfi_change_shown(const struct wf_writer *w, struct wf_change *c);
void wfi_scope_clock(struct wf_writer *w); // the session's rate or first time may be new
void wfi_scope_open(struct wf_writer *w);
// What of the trace's time, first to last, lies in the window, whatever is shown of it. False:
// none.
bool wfi_scope_span(const struct wf_writer *w, uint64_t *first, uint64_t *last);
void wfi_scope_time(struct wf_writer *w, const struct wf_item *item);

// ---- words (wf_words.c)
bool wfi_is_whole(const struct wf_record *r); // in the table, and of the right length
struct wfi_record_name {
    const char *text; // terminated; valid until the next item
    size_t len;
    char number[24];
};
void wfi_record_name(struct wf_session *s, const struct wf_record *r, struct wfi_record_name *name);
// The sentence of a whole record, or its elements. The writer's sentences must be open.
void wfi_put_words(struct wf_writer *w, const struct wf_record *r, struct wfi_text *t);
void wfi_put_odd(const struct wf_record *r, struct wfi_text *t); // what is wrong with another one
void wfi_put_loss(struct wf_session *s, const struct wf_loss *l, struct wfi_text *t);
// format: how it begins (wf_sat.h), the same at each call of a writer. No end of line.
void wfi_put_event(struct wf_writer *w, const struct wf_slot_event *e, const char *format,
                   struct wfi_text *t);

// Things by index: room for so many, of size bytes each; new ones are zero. *things may move.
// False when out of memory: all is as it was.
bool wfi_grow(void **things, size_t *cap, size_t size, size_t count);

// ---- bytes out
// All bytes of a part; an error shows when the writer is closed.
void wfi_put_part(struct wf_writer *w, unsigned part, const char *name, const char *bytes,
                  size_t len);

#endif
