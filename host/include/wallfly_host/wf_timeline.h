// SPDX-License-Identifier: MIT
// The time line as it is drawn: the changes of the model (wf_model.h) become rows of slices, kept
// so that any stretch of time can be asked for at any detail, in time that depends on what is seen
// and not on how long the trace is. Items of a session go in; answers are pieces, things and
// arrows. docs/timeline.md describes each row.
//
//   wf_timeline_take(t, &item) ...; wf_timeline_end(t); wf_timeline_range(t, track, ...) at any
//   time
//
// A timeline is for its session's thread. Slices are in pages of 256; full ones go to the caller's
// store (a file, as a rule), of which memory keeps a summary of about 100 bytes, and summaries of
// summaries. docs/timeline.md has the figures.
#ifndef WF_TIMELINE_H
#define WF_TIMELINE_H

#include "wf_model.h"
#include "wf_sinks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_timeline;

// Where full pages go, many at a time (64 KiB, as a rule). Addresses grow from 0 on; with
// `store_limit` they wrap there, and the oldest pages are written over. Both return false on an
// error: WF_ERR_WRITE from then on, nothing more is written, and what cannot be read is `coarse`.
struct wf_timeline_store {
    void *ctx;
    bool (*write)(void *ctx, uint64_t at, const void *bytes, size_t len);
    bool (*read)(void *ctx, uint64_t at, void *bytes, size_t len);
};

struct wf_timeline_options {
    struct wf_timeline_store store;
    uint64_t store_limit;   // bytes, from 16384 on (else nothing is stored); 0: none
    uint64_t memory_limit;  // bytes of summaries; when there are more, the oldest are forgotten but
                            // for the coarser ones above them. 0: none
    struct wf_sinks *sinks; // the group to join (wf_sinks.h); null: one of its own
};

// Null when out of memory. The session must outlive it.
struct wf_timeline *wf_timeline_open(struct wf_session *s, const struct wf_timeline_options *o);
void wf_timeline_close(struct wf_timeline *t);
// Takes an item, in the order wf_next returns items, before the next wf_next. Without
// options.sinks; else wf_sinks_item passes the item to all sinks.
void wf_timeline_take(struct wf_timeline *t, const struct wf_item *item);
// Filters of the target are set: a command GLB_FILTER (or an own one that does the same) with this
// bitmap (16 bytes, bit n: record n) is in force from the last tick on.
void wf_timeline_filters(struct wf_timeline *t, const uint8_t bitmap[16]);
// The trace ends, for all of its sinks (wf_sinks_end): what is open is cut.
void wf_timeline_end(struct wf_timeline *t);
int wf_timeline_error(const struct wf_timeline *t); // WF_OK, WF_ERR_NOMEM, WF_ERR_WRITE

// ---- rows and tracks

enum wf_row_kind {
    WF_ROW_CORE,    // the task that runs on it; its interrupts lie in rows of their own
    WF_ROW_IRQ,     // an interrupt of a core
    WF_ROW_TASK,    // a task of an RTOS or of QNX, or a priority of QP's kernels
    WF_ROW_MACHINE, // a state machine or active object of QP
    WF_ROW_OBJECT,  // mutex, semaphore, queue, heap, ... : its contents and holder
    WF_ROW_COUNTER,
    WF_ROW_RECORDS, // users' records and log texts
    WF_ROW_LINK,    // losses, filters
    WF_ROW_KINDS
};
extern const char *const wf_row_kind_names[WF_ROW_KINDS]; // "core", "irq", "task", ...

// A row is drawn with its tracks on top of each other. What a slice's value is:
enum wf_track_kind {
    WF_TRACK_RUNS,     // core: thing that runs; WF_THING_IDLE: no task, or one that is not traced
    WF_TRACK_IRQS,     // irq: 1, or 2 if its exit is missing: it ended at some time in the slice;
                       // `more`: how many more interrupts lie below it
    WF_TRACK_STATES,   // task: enum wf_task_state; `more`: RUNNING: number of the core; else the
                       // thing it waits for, or what the trace calls the state (a TEXT), or 0
    WF_TRACK_HOLDS,    // task: mutex (thing) it holds; level 0, 1, ... for several at a time
    WF_TRACK_SPANS,    // task, core (its interrupts): text (thing); level as above
    WF_TRACK_MACHINE,  // machine: state (thing), 0: unknown
    WF_TRACK_STEPS,    // machine: signal (thing) of the step; `more`: 1 with a transition
    WF_TRACK_HOLDER,   // mutex: its holder (thing); WF_THING_NONE: unknown. Between slices it is
                       // free
    WF_TRACK_LEVEL,    // numbers: a counter, a count, what is free; of a mutex how many wait; of a
                       // heap the bytes that were never used. Each lasts to the next one
    WF_TRACK_MARKS,    // begin == end: number of the record, or WF_MARK_EVENT and that of a user's
                       // event of QNX; `more`: thing it concerns, or 0
    WF_TRACK_LOSS,     // hole: records missing (0: not known how many); `more`: 1 if exact
    WF_TRACK_FILTERS,  // groups that are off, all records of them, as bits by enum wf_group
    WF_TRACK_PRIORITY, // task of which a priority has changed: the one in force; `more`: a RAISE if
                       // it inherits it
    WF_TRACK_UNPAIRED, // irq, begin == end: 1: an enter without an exit, 2: an exit without an
                       // enter; `more`: how many at once
    WF_TRACK_KINDS
};
enum { WF_MARK_EVENT = 256 };
extern const char *const wf_track_kind_names[WF_TRACK_KINDS]; // "runs", "irqs", "states", ...

struct wf_track {
    uint32_t row;
    enum wf_track_kind kind;
    unsigned level;  // of HOLDS, SPANS: from 0
    uint64_t slices; // ended ones so far
};

struct wf_timeline_row {
    enum wf_row_kind kind;
    uint32_t thing; // what it is about; its name is the row's. WF_THING_NONE: only the
                    // kind is known. A later life of the same name goes on in the row, and is its
                    // thing then
    int core;       // CORE, IRQ, LINK; -1: any
    uint32_t first_track; // its tracks, linked by wf_timeline_next_track
};

#define WF_NO_TRACK UINT32_MAX
unsigned wf_timeline_rows(const struct wf_timeline *t); // only grows; numbers are never reused
void wf_timeline_row(const struct wf_timeline *t, unsigned row, struct wf_timeline_row *out);
unsigned wf_timeline_tracks(const struct wf_timeline *t); // only grows
void wf_timeline_track(const struct wf_timeline *t, unsigned track, struct wf_track *out);
uint32_t wf_timeline_next_track(const struct wf_timeline *t, unsigned track); // of its row

// ---- things: what slices speak of

enum wf_thing_kind {
    WF_THING_SPECIAL, // WF_THING_NONE, WF_THING_IDLE
    WF_THING_TASK,
    WF_THING_OBJECT, // sub: enum wf_model_kind
    WF_THING_IRQ,
    WF_THING_TEXT,   // name of a span, a counter; what a state is called (key 0)
    WF_THING_SIGNAL, // of QP
    WF_THING_STATE,  // of a state machine: handler
    WF_THING_CORE,
    WF_THING_RAISE, // a priority that is inherited: "1, raised by high for printer", own one first
    WF_THING_KINDS
};
extern const char *const wf_thing_kind_names[WF_THING_KINDS];

enum { WF_THING_NONE, WF_THING_IDLE, WF_THINGS_FIRST };

struct wf_thing {
    enum wf_thing_kind kind;
    enum wf_model_kind sub; // OBJECT
    uint64_t key;           // address, priority, number
    uint64_t with;          // SIGNAL: the object; TASK: the process of QNX
    int prio;               // TASK, the last one known
    bool prio_known;
    bool low_known;     // TASK, OBJECT: the fewest bytes of its stack, of the heap, ever free
    uint64_t low, size; // size: bytes in all; 0: unknown
    const char *name;   // zero-terminated, valid until the next call
};
unsigned wf_timeline_things(const struct wf_timeline *t); // only grows
void wf_timeline_thing(struct wf_timeline *t, uint32_t thing, struct wf_thing *out);
// Grows whenever a row, track or entity is new or a name, priority or mark may have changed.
uint64_t wf_timeline_revision(const struct wf_timeline *t);

// ---- time

struct wf_timeline_span {
    bool known;           // a tick is
    uint64_t first, last; // ticks; nothing lies before `first`: records before any time are
                          // drawn there
    uint64_t hz;          // 0: unknown
    uint64_t records;     // and events of slot traces, taken
    uint64_t kept;        // before this tick slices may be `coarse`; first: none is
};
void wf_timeline_tell(const struct wf_timeline *t, struct wf_timeline_span *span);

// ---- asking

enum {
    WF_PIECE_OPEN = 1,      // it has not ended yet
    WF_PIECE_BEGIN_CUT = 2, // it began before `begin`, in a hole or before the trace
    WF_PIECE_END_CUT = 4,   // a hole or the trace's end cuts it: it may have gone on
    WF_PIECE_COARSE = 8     // details are not kept (any length)
};

// A slice as it is (count 1), or several slices in a row, the pauses between them included, of
// which none is longer than a bucket; end - begin is then at most two buckets, unless COARSE.
struct wf_piece {
    uint64_t begin, end;
    uint64_t busy;  // sum of their lengths; STATES: of those that run, RUNS: of those not idle
    uint64_t count; // how many
    int64_t value;  // of count 1; else that of the greatest share, as far as summaries show. LEVEL:
                    // the last one
    int64_t min, max; // of all values
    uint32_t more;    // of count 1; else of the slice that `value` is from
    uint32_t flags;   // of count 1; of several: COARSE only
};

// The pieces of a track that touch from..until (ticks, until not included), in order. A mark at
// `from` is one of them. Two neighbours together are longer than a bucket, so there are at most
// about two for each bucket of the range.
//   bucket   ticks: slices longer than that come as they are; 1: all do
//   returns  how many pieces there are; more than `cap`: the first `cap` are set
size_t wf_timeline_range(struct wf_timeline *t, unsigned track, uint64_t from, uint64_t until,
                         uint64_t bucket, struct wf_piece *pieces, size_t cap);

// The next slice (way 1: begin >= at; way -1: begin < at) of a track, with this value unless `any`.
// Where details are not kept: a piece that is COARSE and may have one.
bool wf_timeline_step(struct wf_timeline *t, unsigned track, uint64_t at, int way, bool any,
                      int64_t value, struct wf_piece *piece);

enum wf_arrow_kind {
    WF_ARROW_PREEMPT, // a core goes from one task to another, which is of better right
    WF_ARROW_POST,    // QP: post to get
    WF_ARROW_GIVE, // queue: give to take; mutex, semaphore: give to the task that had waited for it
    WF_ARROW_WAKE, // from what made a task ready, if that is sure, to its run
    WF_ARROW_KINDS
};
extern const char *const wf_arrow_kind_names[WF_ARROW_KINDS]; // "preempt", "post", ...

struct wf_arrow {
    enum wf_arrow_kind kind;
    uint64_t begin, end; // ticks
    uint32_t from_row, to_row;
    uint32_t thing; // signal, object: what is sent or through what; WF_THING_NONE: nothing
};

// The arrows that begin or end in from..until, by their ends' order.
//   returns  how many there are (an upper bound if that is more than `cap`, and none is set)
uint64_t wf_timeline_arrows(struct wf_timeline *t, uint64_t from, uint64_t until,
                            struct wf_arrow *arrows, size_t cap);

#ifdef __cplusplus
}
#endif
#endif
