// SPDX-License-Identifier: MIT
// The timeline for drawing: the changes of the model (wf_model.h) become rows of slices. Any range
// of time can be queried at any level of detail; the cost depends on the number of results, not on
// the length of the trace. Items of a session go in; answers are pieces, entities (struct
// wf_entity) and arrows. docs/timeline.md describes each row.
//
//   wf_timeline_take(t, &item) ...; wf_timeline_end(t); wf_timeline_range(t, track, ...) at any
//   time
//
// A timeline is for its session's thread. Slices are stored in pages of 256. Full pages go to the
// caller's store (usually a file); for each one memory keeps a summary of about 100 bytes, and
// summaries of summaries. docs/timeline.md has the figures.
#ifndef WF_TIMELINE_H
#define WF_TIMELINE_H

#include "wf_error.h"
#include "wf_model.h"
#include "wf_sinks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_timeline;

// Store of full pages, written many at a time (usually 64 KiB). Addresses grow from 0; with
// `store_limit` they wrap there, and the oldest pages are overwritten. Both functions return false
// on an error: then WF_ERR_WRITE is set, nothing more is written, and pages that cannot be read are
// `coarse`.
struct wf_timeline_store {
    void *ctx;
    bool (*write)(void *ctx, uint64_t at, const void *bytes, size_t len);
    bool (*read)(void *ctx, uint64_t at, void *bytes, size_t len);
};

struct wf_timeline_options {
    size_t size; // sizeof(struct wf_timeline_options)
    struct wf_timeline_store store;
    uint64_t store_limit;   // bytes, at least 16384 (else nothing is stored); 0: none
    uint64_t memory_limit;  // bytes of summaries; above it the oldest are dropped, except the
                            // coarser ones above them. 0: none
    struct wf_sinks *sinks; // the group to join (wf_sinks.h); null: one of its own
};

// Returns null when out of memory, or if the size of the options is 0 (WF_ERR_USAGE). `error` may
// be null. The session must outlive the timeline.
struct wf_timeline *wf_timeline_open(struct wf_session *s,
                                     const struct wf_timeline_options *options,
                                     struct wf_error *error);
void wf_timeline_close(struct wf_timeline *t);
// Takes an item, in the order wf_session_next returns items, before the next wf_session_next. For
// use without options.sinks; with a group, wf_sinks_item passes the item to all sinks.
void wf_timeline_take(struct wf_timeline *t, const struct wf_item *item);
// Reports new filters of the target: a command GLB_FILTER (or one of wallfly's own that does
// the same) with this bitmap (16 bytes, bit n: record n) is in force from the last tick on.
void wf_timeline_filters(struct wf_timeline *t, const uint8_t bitmap[16]);
// Ends the trace for all sinks of the group (wf_sinks_end): open slices are cut.
void wf_timeline_end(struct wf_timeline *t);
int wf_timeline_error(const struct wf_timeline *t); // WF_OK, WF_ERR_NOMEM, WF_ERR_WRITE

// ---- rows and tracks

enum wf_row_kind {
    WF_ROW_CORE,    // the task that runs on it; its interrupts have rows of their own
    WF_ROW_IRQ,     // an interrupt of a core
    WF_ROW_TASK,    // a task of an RTOS or of QNX, or a priority of QP's kernels
    WF_ROW_MACHINE, // a state machine or active object of QP
    WF_ROW_OBJECT,  // mutex, semaphore, queue, heap, ...: its contents and holder
    WF_ROW_COUNTER,
    WF_ROW_RECORDS, // user records and log texts
    WF_ROW_LINK,    // losses and filters
    WF_ROW_LOAD,    // of a core, or of all if there are several; its figures are wf_timeline_load's
    WF_ROW_KINDS
};
extern const char *const wf_row_kind_names[WF_ROW_KINDS]; // "core", "irq", "task", ...

// A row is drawn with its tracks on top of each other. The value of a slice is:
enum wf_track_kind {
    WF_TRACK_RUNS,     // core: entity that runs; WF_ENTITY_IDLE: no task, or an untraced one
    WF_TRACK_IRQS,     // irq: 1, or 2 if its exit is missing: it ended at some time in the slice;
                       // `more`: number of further interrupts below it
    WF_TRACK_STATES,   // task: enum wf_task_state; `more`: RUNNING: number of the core; else the
                       // entity it waits for, or the trace's name of the state (a TEXT), or 0
    WF_TRACK_HOLDS,    // task: mutex (entity) it holds; level 0, 1, ... for several at a time
    WF_TRACK_SPANS,    // task, core (its interrupts): text (entity); level as above
    WF_TRACK_MACHINE,  // machine: state (entity), 0: unknown
    WF_TRACK_STEPS,    // machine: signal (entity) of the step; `more`: 1 with a transition
    WF_TRACK_HOLDER,   // mutex: its holder (entity); WF_ENTITY_NONE: unknown. It is free between
                       // slices
    WF_TRACK_LEVEL,    // numbers: a counter, a count, free entries; mutex: number of waiters; heap,
                       // and a task's stack: bytes never used. Each lasts until the next one
    WF_TRACK_MARKS,    // begin == end: number of the record, or WF_MARK_EVENT plus that of a user
                       // event of QNX; `more`: entity it concerns, or 0
    WF_TRACK_LOSS,     // hole: number of missing records (0: not known); `more`: 1 if exact
    WF_TRACK_FILTERS,  // groups with all records filtered out, as bits by enum wf_group
    WF_TRACK_PRIORITY, // task with a changed priority: the effective one; `more`: a RAISE if it is
                       // inherited
    WF_TRACK_UNPAIRED, // irq, begin == end: 1: an enter without an exit, 2: an exit without an
                       // enter; `more`: their number
    WF_TRACK_LOAD,     // load: has no slices
    WF_TRACK_JOBS,     // task: enum wf_job_end; a job from its arrival (cut: not known) to its end
    WF_TRACK_USED,     // heap: bytes of the blocks in use; `more`: 1 if exact, else without blocks
                       // from before the trace or a hole. Each lasts until the next one
    WF_TRACK_KINDS
};
// How a job ended: not yet, or it is not known; its task waited, slept or was suspended; another
// task suspended or deleted it before.
enum wf_job_end { WF_JOB_OPEN, WF_JOB_DONE, WF_JOB_ABANDONED };
enum { WF_MARK_EVENT = 256 };
extern const char *const wf_track_kind_names[WF_TRACK_KINDS]; // "runs", "irqs", "states", ...

struct wf_track {
    uint32_t row;
    enum wf_track_kind kind;
    unsigned level;  // HOLDS, SPANS: from 0
    uint64_t slices; // number of ended ones so far
};

struct wf_timeline_row {
    enum wf_row_kind kind;
    uint32_t entity; // its entity, which gives the row its name. WF_ENTITY_NONE: only the kind is
                     // known. A later task or object of the same name continues the row and becomes
                     // its entity
    int core;        // CORE, IRQ, LINK, LOAD; -1: any
    uint32_t first_track; // first of its tracks, linked by wf_timeline_next_track
};

#define WF_NO_TRACK UINT32_MAX
unsigned wf_timeline_rows(const struct wf_timeline *t); // only grows; numbers are not reused
void wf_timeline_row(const struct wf_timeline *t, unsigned row, struct wf_timeline_row *out);
unsigned wf_timeline_tracks(const struct wf_timeline *t); // only grows
void wf_timeline_track(const struct wf_timeline *t, unsigned track, struct wf_track *out);
uint32_t wf_timeline_next_track(const struct wf_timeline *t, unsigned track); // of its row

// ---- entities: what slices refer to

enum wf_entity_kind {
    WF_ENTITY_SPECIAL, // WF_ENTITY_NONE, WF_ENTITY_IDLE
    WF_ENTITY_TASK,
    WF_ENTITY_OBJECT, // sub: enum wf_model_kind
    WF_ENTITY_IRQ,
    WF_ENTITY_TEXT,   // name of a span, a counter or a state of a task (key 0)
    WF_ENTITY_SIGNAL, // of QP
    WF_ENTITY_STATE,  // of a state machine: handler
    WF_ENTITY_CORE,
    WF_ENTITY_RAISE, // an inherited priority: "1, raised by high for printer", base priority first
    WF_ENTITY_KINDS
};
extern const char *const wf_entity_kind_names[WF_ENTITY_KINDS];

enum { WF_ENTITY_NONE, WF_ENTITY_IDLE, WF_ENTITY_FIRST };

struct wf_entity {
    enum wf_entity_kind kind;
    enum wf_model_kind sub; // OBJECT
    uint64_t key;           // address, priority, number
    uint64_t with;          // SIGNAL: the object; TASK: the process of QNX
    int prio;               // TASK, the last one known
    bool prio_known;
    bool low_known;     // TASK, OBJECT: `low`, minimum of free bytes of its stack or heap
    uint64_t low, size; // size: total bytes; 0: unknown
    const char *name;   // zero-terminated, valid until the next call
};
unsigned wf_timeline_entities(const struct wf_timeline *t); // only grows
void wf_timeline_entity(struct wf_timeline *t, uint32_t entity, struct wf_entity *out);
// Increases when a row, track or entity is new or a name, priority or mark may have changed.
uint64_t wf_timeline_revision(const struct wf_timeline *t);
// Call it when the session got names from outside the trace: a dictionary, a program's file.
void wf_timeline_names_changed(struct wf_timeline *t);

// ---- time

struct wf_timeline_span {
    bool known;           // there is a tick
    uint64_t first, last; // ticks; nothing lies before `first`: records without a known time are
                          // drawn there
    uint64_t hz;          // 0: unknown
    uint64_t records;     // records, and events of slot traces, taken
    uint64_t kept;        // before this tick slices may be `coarse`; `first`: none are
};
// Gets the range of time, the rate and the number of records taken so far.
void wf_timeline_extent(const struct wf_timeline *t, struct wf_timeline_span *span);

// ---- queries

enum {
    WF_PIECE_OPEN = 1,      // it has not ended yet
    WF_PIECE_BEGIN_CUT = 2, // it began before `begin`, in a hole or before the trace
    WF_PIECE_END_CUT = 4,   // a hole or the trace's end cuts it: it may have gone on
    WF_PIECE_COARSE = 8     // details are not kept (any length)
};

// One slice (count 1), or several consecutive slices with the pauses between them. Each of these is
// at most a bucket long; end - begin is then at most two buckets, unless COARSE.
struct wf_piece {
    uint64_t begin, end;
    uint64_t busy;  // sum of their lengths; STATES: of RUNNING only, RUNS: without idle
    uint64_t count; // number of slices
    int64_t value; // of count 1; else the value with the largest total time that summaries contain.
                   // LEVEL: the last one
    int64_t min, max; // of all values
    uint32_t more;    // of count 1; else of the slice that `value` is from
    uint32_t flags;   // of count 1; else COARSE only
};

// Gets the pieces of a track that touch from..until (ticks, without until), in order, including a
// mark at `from`. Two adjacent pieces together are longer than a bucket, so there are at most about
// two for each bucket of the range.
//   bucket   ticks: longer slices are returned as they are; 1: all are
//   returns  the number of pieces; if it is more than `cap`, the first `cap` are set
size_t wf_timeline_range(struct wf_timeline *t, unsigned track, uint64_t from, uint64_t until,
                         uint64_t bucket, struct wf_piece *pieces, size_t cap);

// Finds the next slice (way 1: begin >= at; way -1: begin < at) of a track, with this value unless
// `any`. Where details are not kept, sets a COARSE piece that may contain one.
bool wf_timeline_step(struct wf_timeline *t, unsigned track, uint64_t at, int way, bool any,
                      int64_t value, struct wf_piece *piece);

// ---- load: how long which task or interrupt had a core

struct wf_load {
    uint32_t entity; // task, without the interrupts on top of it; interrupt, without nested ones;
                     // WF_ENTITY_IDLE
    uint64_t ticks;
};

// Windows are exact if their edges are this number of ticks from the first tick of the trace, or a
// multiple: 1, or a power of two for a long trace.
uint64_t wf_timeline_load_step(const struct wf_timeline *t);
// Sums the time of a core (-1: of all) from..until by its owners. The rest of the window is
// unknown: so are the figures of statistics (wf_stats.h) of that window.
//   exact    may be null; false: what lies in a step that an edge cuts is divided evenly
//   returns  the number of owners; if it is more than `cap`, the first `cap` are set. 0 also when
//            out of memory
size_t wf_timeline_load(struct wf_timeline *t, int core, uint64_t from, uint64_t until,
                        struct wf_load *loads, size_t cap, bool *exact);

// What the sums are made of, in order of time up to the last change: `ticks` that are a step or
// more begin at `begin`; fewer lie anywhere in the step that begins there.
struct wf_load_run {
    uint64_t begin, ticks;
    uint32_t entity;
};
// Gets the runs of a core that touch from..until. Returns their number, as above.
size_t wf_timeline_load_runs(const struct wf_timeline *t, unsigned core, uint64_t from,
                             uint64_t until, struct wf_load_run *runs, size_t cap);

enum wf_arrow_kind {
    WF_ARROW_PREEMPT, // a core switches to a more urgent task
    WF_ARROW_POST,    // QP: post to get
    WF_ARROW_GIVE,    // queue: give to take; mutex, semaphore: give to the task that waited
    WF_ARROW_WAKE,    // from the waker, if it is certain, to the run of the task
    WF_ARROW_KINDS
};
extern const char *const wf_arrow_kind_names[WF_ARROW_KINDS]; // "preempt", "post", ...

struct wf_arrow {
    enum wf_arrow_kind kind;
    uint64_t begin, end; // ticks
    uint32_t from_row, to_row;
    uint32_t entity; // signal or object that is sent or used; WF_ENTITY_NONE: none
};

// Gets the arrows that begin or end in from..until, ordered by their ends.
//   returns  their number (if that is more than `cap`: an upper bound, and none is set)
uint64_t wf_timeline_arrows(struct wf_timeline *t, uint64_t from, uint64_t until,
                            struct wf_arrow *arrows, size_t cap);

#ifdef __cplusplus
}
#endif
#endif
