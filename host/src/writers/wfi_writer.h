// SPDX-License-Identifier: MIT
// Shared by the writers. A format is a row in wf_writer.c and a few functions.
#ifndef WFI_WRITER_H
#define WFI_WRITER_H

#include "wallfly_host/wf_model.h"
#include "wallfly_host/wf_sat.h"
#include "wallfly_host/wf_time.h"
#include "wallfly_host/wf_writer.h"
#include "wfi_sentence.h"
#include "core/wfi_record.h"
#include "util/wfi_grow.h"
#include "util/wfi_sinks.h"

// All may be null.
struct wfi_ops {
    size_t own_bytes;     // size of the format's state, allocated as zeros before `open`; 0: none
    enum wfi_style style; // of its sentences, which are opened before `open`
    int (*open)(struct wf_writer *w); // writes the header; returns WF_OK or an error
    // Called before the first item in the window. The model is in the state at the window's start.
    void (*begin)(struct wf_writer *w, uint64_t tick);
    // Called for each change of the model that an item causes, before `item`. Changes are cut at
    // the ends of the window. Null: the format needs no model.
    void (*change)(struct wf_writer *w, const struct wf_change *c);
    void (*item)(struct wf_writer *w, const struct wf_item *item); // within the window
    void (*end)(struct wf_writer *w);                              // writes the footer
    void (*close)(struct wf_writer *w);                            // frees what the state points to
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
        uint64_t zero;            // tick of time 0 in the filter and in text
        uint64_t from, until;     // ticks
        bool group[WF_GROUP_END]; // a record of the group is shown
        bool timed;               // first and last are known, of all records, shown or not
        uint64_t first, last;
    } scope;
    struct wf_model *model; // shared with other sinks; null if the format needs none
    bool ending;            // the end of the trace, or of the window, causes the changes
    bool shown;             // the current item is shown
    bool fresh;             // set before each item; formats clear it at the first call
    struct wf_scale scale;  // converts ticks up to that of the current item
    bool ns_known;          // ns is the time of ns_tick
    uint64_t ns_tick, ns;
    void *own;
    wf_write_fn write;
    void *ctx;
    bool failed;  // nothing more is written: out of memory, or `refused`
    bool refused; // the caller could not write the bytes
    bool cut;     // a diagram is incomplete
    struct wfi_strbuf text;
    struct wfi_sentences sentences;
    struct wf_sat *sat; // text: for events that are no records; null until the first one
    size_t line;        // offset of the current line in text
    enum wf_line_class line_class;
    uint8_t stale_id;       // qspy: byte 1 of QSPY's record buffer
    char *objects, *source; // the options' texts
};

// ---- what is shown (wf_select.c)
bool wfi_selected(const struct wf_writer *w, const struct wf_item *item); // by the filter
static inline bool wfi_shown(const struct wf_writer *w, const struct wf_item *item) {
    return !w->filtered || wfi_selected(w, item);
}
// Cuts a change at the ends of the window. Returns false if it is not shown.
bool wfi_change_shown(const struct wf_writer *w, struct wf_change *c);
void wfi_scope_clock(struct wf_writer *w); // updates the window after a change of rate or start
void wfi_scope_open(struct wf_writer *w);
// Gets the first and the last time of the trace within the window, of records shown or not. Returns
// false if there is none.
bool wfi_scope_span(const struct wf_writer *w, uint64_t *first, uint64_t *last);

// Converts a tick to nanoseconds, and keeps the last result.
static inline uint64_t wfi_ns(struct wf_writer *w, uint64_t tick) {
    if (w->ns_known && tick == w->ns_tick) return w->ns;
    w->ns_known = true;
    w->ns_tick = tick;
    w->ns = wf_scale_ns(&w->scale, tick);
    return w->ns;
}

// ---- descriptions (wf_describe.c)
// Appends the sentence of a whole record, or its elements. The writer's sentences must be open.
void wfi_put_words(struct wf_writer *w, const struct wf_record *r, struct wfi_strbuf *t);
void wfi_put_odd(const struct wf_record *r, struct wfi_strbuf *t); // for a record that is not whole
void wfi_put_loss(struct wf_session *s, const struct wf_loss *l, struct wfi_strbuf *t);
extern const char *const wfi_loss_kinds[]; // by enum wf_loss_kind: the kind in a word
// The format of a line as class, event and the rest, separated by tabs.
#define WFI_EVENT_PARTS "%Z\t%z\t"
// Appends a line without its end. format: of the line's beginning (wf_sat.h); a writer always
// passes the same one.
void wfi_put_event(struct wf_writer *w, const struct wf_slot_event *e, const char *format,
                   struct wfi_strbuf *t);

// ---- output
// Writes bytes of a part. wf_writer_close reports an error.
void wfi_put_part(struct wf_writer *w, unsigned part, const char *name, const char *bytes,
                  size_t len);
// Writes a text and clears it, if it has at least `least` bytes.
void wfi_flush_part(struct wf_writer *w, unsigned part, const char *name, struct wfi_strbuf *t,
                    size_t least);

#endif
