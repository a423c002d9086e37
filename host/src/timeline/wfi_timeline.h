// SPDX-License-Identifier: MIT
// Internals of the timeline: wf_timeline.c takes items; wf_timeline_tasks.c, _objects.c and
// _notes.c make slices from the model's changes; wf_timeline_entities.c keeps rows, tracks and
// entities; wf_timeline_pages.c keeps slices in pages; wf_timeline_load.c the load of cores;
// wf_timeline_range.c and _arrows.c answer queries.
#ifndef WFI_TIMELINE_H
#define WFI_TIMELINE_H

#include "wallfly_host/wf_timeline.h"

#include "wallfly_host/wf_model.h"
#include "core/wfi_jobs.h"
#include "util/wfi_sinks.h"

enum { WFI_TL_PAGE = 256, WFI_TL_WAYS = 16, WFI_TL_LEVELS = 12, WFI_TL_CACHE = 64 };
enum { WFI_TL_GROUPS = WFI_TL_PAGE / WFI_TL_WAYS };
enum { WFI_TL_PAGE_MOST = WFI_TL_PAGE * 4 * 10 + WFI_TL_GROUPS * 10 * 10 }; // bytes, encoded
enum { WFI_TL_CUTS = WF_PIECE_BEGIN_CUT | WF_PIECE_END_CUT };
#define WFI_TL_NOWHERE UINT64_MAX
#define WFI_TL_NO_BASE UINT64_MAX // key of a RAISE: the base priority is not known

// An ended slice. Arrows, too: sorted by end, value has kind and rows, more the entity.
struct wfi_slice {
    uint64_t begin, end;
    int64_t value;
    uint32_t more, flags; // WFI_TL_CUTS
};

// Summary of consecutive slices: of a page, of 16 pages, of 16 of those ...
struct wfi_sum {
    uint64_t begin, end, busy, count;
    uint64_t longest; // longest slice or pause
    uint64_t share;   // total length of the slices with `value`; marks: their number
    uint64_t mask;    // bit value % 64 of each value
    int64_t value;    // of LEVEL: the last one
    int64_t min, max;
    uint64_t at;        // of a page: its address in all that was ever stored
    uint32_t more, len; // len: of a page
};

// A level of summaries, in blocks of 16. Summary n of the level above summarizes block n. The
// oldest are dropped first.
struct wfi_tl_level {
    struct wfi_sum **blocks; // from `gone` on; earlier ones were dropped
    size_t count, gone, cap; // summaries so far; dropped blocks; capacity in blocks
};

// Which slices count as busy.
enum wfi_tl_busy { WFI_TL_BUSY_ALL, WFI_TL_BUSY_RUNNING, WFI_TL_BUSY_NOT_IDLE, WFI_TL_BUSY_KNOWN };

struct wfi_series {
    struct wfi_slice *page; // the last slices
    unsigned fill, cap;
    bool last_counts; // LEVEL: a summary has the last value
    bool marks;       // slices have no length
    enum wfi_tl_busy busy_is;
    unsigned level_count;
    struct wfi_tl_level *levels;
    uint64_t last_end, slices;
};

struct wfi_track {
    unsigned number, level;
    uint32_t row, next;
    enum wf_track_kind kind;
    struct wfi_track *above; // the next level of its row; of a counter: the next one in the list
    bool listed;             // in the list of counters that may be open
    struct wfi_series data;
    bool open; // `now` has not ended
    bool held; // `now` ended at held_end, but the next slice may extend it
    uint64_t held_end;
    struct wfi_slice now;
};

struct wfi_tl_row {
    enum wf_row_kind kind;
    uint32_t entity;
    int core;
    uint32_t first_track, last_track;
};

struct wfi_tl_entity {
    enum wf_entity_kind kind;
    uint64_t key, with;
    const void *of; // its task or object of the model, or a constant text
    uint32_t row;   // of an irq or counter; WF_NO_TRACK: none
    struct wfi_track *track;
    unsigned nest; // of an irq
    int prio;
    bool prio_known;
};

// State for each task and object of the model, by its index.
struct wfi_tl_task {
    uint32_t entity, row;
    struct wfi_track *states, *spans, *holds;
    unsigned span_count;
    struct wfi_track *priority; // null: unchanged since prio_tick
    struct wfi_track *stack;    // null: no mark recorded
    struct wfi_track *jobs;     // null: it had none
    struct wfi_job job;
    uint64_t prio_tick;
    uint64_t wake, wake_tick; // flow of the last wake; 0: none
    uint32_t wake_row;
};

struct wfi_tl_object {
    uint32_t entity, row;
    struct wfi_track *holder, *waiters, *level, *used, *machine, *steps;
    struct wfi_track *held; // of the holder
    unsigned waiting;
    bool given; // the mutex is free, or the semaphore above 0, since a give at given_tick
    uint64_t given_tick;
    uint32_t given_row; // row of the giver; WF_NO_TRACK: not known
};

// Who has a core now; see wf_timeline_load.c.
struct wfi_load_owner {
    enum { WFI_LOAD_UNKNOWN, WFI_LOAD_TASK, WFI_LOAD_IRQ } kind;
    uint16_t irq;
    const struct wf_task *task; // null: idle
};

struct wfi_load_core {
    struct wf_load_run *runs;
    size_t count, cap;
    struct wfi_load_owner owner;
    uint64_t since;                   // that it has had the core and is not in a run
    bool has_irqs, irqs_known, shown; // shown: it has a row
};

struct wfi_load {
    uint64_t step, base; // step: 0: no run yet
    size_t count;        // runs of all cores
    uint64_t changed_at; // tick of the last item with changes
    uint64_t *sums;      // by entity, all 0
    size_t sum_cap;
};

struct wfi_tl_core {
    bool known, seen; // seen: it has a row
    uint32_t row, entity;
    const struct wf_task *task;
    uint64_t since;
    struct wfi_track *runs, *spans;
    unsigned span_count, irq_count;
    uint32_t irqs[WF_IRQ_DEPTH]; // entities
    struct wfi_track *loss;
    uint64_t lost; // records
    bool lost_any, exact, counted;
    struct wfi_load_core load;
};

enum { WFI_TL_FLOWS = 32768 };
struct wfi_tl_flow {
    uint64_t flow, tick;
    uint32_t row;
};

struct wfi_tl_fifo { // blocks of summaries in the order of their completion
    struct wfi_tl_block {
        struct wfi_series *series;
        size_t block;
    } * at;
    size_t first, count, cap;
};

// A page read from the store: its groups of 16, and the slices decoded so far.
struct wfi_page {
    uint64_t at;      // WFI_TL_NOWHERE: none
    unsigned decoded; // bit n: group n is decoded
    uint8_t *bytes;
    size_t cap;
    struct wfi_sum groups[WFI_TL_GROUPS]; // `at`: offset in bytes, `len`: length
    struct wfi_slice slices[WFI_TL_PAGE];
};

struct wfi_store {
    struct wf_timeline_store to;
    bool limited;
    size_t chunk, fill;
    uint64_t limit, base; // base: store address of the chunk in memory
    uint64_t lost_from;   // addresses from here on are lost; WFI_TL_NOWHERE: none
    uint8_t *bytes;
    uint64_t *ticks; // of each chunk, when it was written
};

struct wf_timeline {
    struct wfi_sink sink; // the first member
    struct wf_sinks *sinks, *own_sinks;
    struct wf_session *s;
    struct wf_model *m;                   // shared with other sinks
    struct wfi_per_entity tasks, objects; // wfi_tl_task, wfi_tl_object
    unsigned losses;                      // of the model before the item
    uint64_t memory_limit;
    int err;
    bool known, ended;
    uint64_t first, last, records, revision, kept;

    struct wfi_track **tracks;
    struct wfi_tl_row *rows;
    struct wfi_tl_entity *entities;
    unsigned track_count, track_cap, row_count, row_cap, entity_count, entity_cap;
    uint32_t *slots; // hash: entity
    size_t slot_mask;
    char name[224];

    struct wfi_tl_core *cores[WF_MODEL_CORES];
    uint64_t dirty; // cores to be checked
    struct wfi_load load;
    struct wfi_track *records_track, *filters, *counters; // counters: that may be open
    struct {
        struct wf_task *task; // preempted in this item
    } left[WF_MODEL_CORES];
    struct wfi_tl_flow *flows;
    struct wfi_series arrows;

    struct wfi_store store;
    struct wfi_tl_fifo fifos[WFI_TL_LEVELS];
    uint64_t memory; // bytes in blocks
    struct wfi_page *cache;
    uint8_t *scratch;
};

static inline uint64_t wfi_tl_length(const struct wfi_slice *s) { return s->end - s->begin; }

// ---- entities, rows, tracks: null or WF_ENTITY_NONE when out of memory
uint32_t wfi_tl_entity(struct wf_timeline *t, enum wf_entity_kind kind, uint64_t key, uint64_t with,
                       const void *of);
uint32_t wfi_tl_row(struct wf_timeline *t, enum wf_row_kind kind, uint32_t entity, int core);
struct wfi_track *wfi_tl_track(struct wf_timeline *t, uint32_t row, enum wf_track_kind kind,
                               unsigned level);
struct wfi_tl_task *wfi_tl_task(struct wf_timeline *t, struct wf_task *task);
static inline struct wfi_tl_task *wfi_tl_known_task(const struct wf_timeline *t,
                                                    const struct wf_task *task) {
    return task ? wfi_per_get(&t->tasks, task->index) : NULL; // null also if not created yet
}
uint32_t wfi_tl_task_row(struct wf_timeline *t, struct wf_task *task);
uint32_t wfi_tl_task_entity(struct wf_timeline *t, const struct wf_task *task);
struct wfi_tl_object *wfi_tl_object(struct wf_timeline *t, struct wf_object *o);
static inline struct wfi_tl_object *wfi_tl_known_object(const struct wf_timeline *t,
                                                        const struct wf_object *o) {
    return o ? wfi_per_get(&t->objects, o->index) : NULL; // as above
}
uint32_t wfi_tl_object_row(struct wf_timeline *t, struct wf_object *o);
struct wfi_tl_core *wfi_tl_core(struct wf_timeline *t, unsigned core);
void wfi_tl_core_row(struct wf_timeline *t, unsigned core);
void wfi_tl_entities_close(struct wf_timeline *t);

// ---- slices; track may be null
void wfi_tl_begin(struct wfi_track *track, uint64_t tick, int64_t value, uint32_t more, bool cut);
void wfi_tl_end(struct wf_timeline *t, struct wfi_track *track, uint64_t tick, bool cut);
// Ends the slice, but keeps it open: begin_hole may continue it.
void wfi_tl_hold(struct wfi_track *track, uint64_t tick);
// Adds a slice; its begin is moved to the last end of the track if that is later.
void wfi_tl_slice(struct wf_timeline *t, struct wfi_track *track, const struct wfi_slice *s);
// Sets a new value from this tick on.
void wfi_tl_level(struct wf_timeline *t, struct wfi_track *track, uint64_t tick, int64_t value);

// ---- pages
void wfi_series_add(struct wf_timeline *t, struct wfi_series *se, uint64_t begin, uint64_t end,
                    int64_t value, uint32_t more, uint32_t flags);
void wfi_series_close(struct wfi_series *se);
// Reads the page of a summary. Null when it can no longer be read. Valid until the next call.
struct wfi_page *wfi_page_open(struct wf_timeline *t, const struct wfi_sum *sum);
// Decodes a group's slices. Null when they are damaged.
const struct wfi_slice *wfi_page_group(struct wfi_page *p, unsigned group);

// ---- store: addresses of pages; WFI_TL_NOWHERE: lost
bool wfi_store_open(struct wfi_store *s, const struct wf_timeline_options *o);
void wfi_store_close(struct wfi_store *s);
uint64_t wfi_store_put(struct wf_timeline *t, const uint8_t *bytes, size_t len);
bool wfi_store_has(const struct wfi_store *s, uint64_t at);
bool wfi_store_get(struct wf_timeline *t, uint64_t at, uint8_t *bytes, size_t len);

// ---- summaries
void wfi_sum_slice(const struct wfi_series *se, const struct wfi_slice *s, struct wfi_sum *out);
void wfi_sum_slices(const struct wfi_series *se, const struct wfi_slice *s, unsigned count,
                    struct wfi_sum *out);
void wfi_sum_up(const struct wfi_series *se, const struct wfi_sum *parts, unsigned count,
                struct wfi_sum *out);
// Adds s, which follows the slices that `to` summarizes.
void wfi_sum_join(const struct wfi_series *se, struct wfi_sum *to, const struct wfi_sum *s);

// ---- encoding: returns the number of bytes, at most WFI_TL_PAGE_MOST; false if they are invalid
size_t wfi_page_encode(const struct wfi_slice *slices, const struct wfi_sum *groups, uint8_t *out);
bool wfi_page_decode_groups(const uint8_t *bytes, size_t len, struct wfi_sum *groups);
bool wfi_page_decode_slices(const uint8_t *bytes, const struct wfi_sum *group,
                            struct wfi_slice *slices);

// Null: it was dropped.
static inline const struct wfi_sum *wfi_series_block(const struct wfi_series *se, unsigned level,
                                                     size_t block) {
    const struct wfi_tl_level *l = &se->levels[level];
    return block < l->gone ? NULL : l->blocks[block - l->gone];
}
// Index of the first summary of a level that no higher level contains. From there on all are kept.
static inline size_t wfi_series_tail(const struct wfi_series *se, unsigned level) {
    return level + 1 < se->level_count ? se->levels[level + 1].count * WFI_TL_WAYS : 0;
}
// Summary i of a level; i is at least wfi_series_tail.
static inline const struct wfi_sum *wfi_series_sum(const struct wfi_series *se, unsigned level,
                                                   size_t i) {
    return &wfi_series_block(se, level, i / WFI_TL_WAYS)[i % WFI_TL_WAYS];
}

// ---- changes of the model
void wfi_tl_take_task(struct wf_timeline *t, const struct wf_change *c);
void wfi_tl_watch_cores(struct wf_timeline *t);
void wfi_tl_take_object(struct wf_timeline *t, const struct wf_change *c);
void wfi_tl_take_irq(struct wf_timeline *t, const struct wf_change *c);
void wfi_tl_take_unpaired(struct wf_timeline *t, const struct wf_change *c);
void wfi_tl_take_span(struct wf_timeline *t, const struct wf_change *c);
void wfi_tl_take_counter(struct wf_timeline *t, const struct wf_change *c);
void wfi_tl_mark_record(struct wf_timeline *t, const struct wf_record *r);
void wfi_tl_mark_event(struct wf_timeline *t, const struct wf_slot_event *e);
void wfi_tl_extend_hole(struct wf_timeline *t, const struct wf_item *item);
void wfi_tl_take_loss(struct wf_timeline *t, const struct wf_change *c);

// ---- load
void wfi_tl_load_watch(struct wf_timeline *t, unsigned core); // after each item that may change it
// first: of its item. Before the core is watched.
void wfi_tl_load_change(struct wf_timeline *t, const struct wf_change *change, bool first);
void wfi_tl_load_end(struct wf_timeline *t);
void wfi_tl_load_close(struct wf_timeline *t);

// ---- arrows
uint32_t wfi_tl_irq_row(struct wf_timeline *t, unsigned core); // WF_NO_TRACK: none is active
// Row of the actor: the task, an interrupt, else `other`.
uint32_t wfi_tl_actor_row(struct wf_timeline *t, struct wf_task *task, unsigned core,
                          uint32_t other);
void wfi_tl_arrow(struct wf_timeline *t, const struct wf_arrow *a);
void wfi_tl_flow_begin(struct wf_timeline *t, uint64_t flow, uint64_t tick, uint32_t row);
void wfi_tl_flow_end(struct wf_timeline *t, uint64_t flow, enum wf_arrow_kind kind, uint64_t tick,
                     uint32_t row, uint32_t entity);

#endif
