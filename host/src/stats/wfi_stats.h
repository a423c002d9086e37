// SPDX-License-Identifier: MIT
// Internals of the statistics: wf_stats.c takes items, wf_stats_count.c counts intervals,
// wf_stats_cores.c measures cores and interrupts, wf_stats_tasks.c jobs, wf_stats_objects.c waits,
// holds and inversions, wf_stats_notes.c spans, counters and state machines, wf_stats_blocks.c
// keeps blocks of time, wf_stats_rows.c makes the rows.
#ifndef WFI_STATS_H
#define WFI_STATS_H

#include "wallfly_host/wf_stats.h"
#include "core/wfi_jobs.h"
#include "util/wfi_blocks.h"
#include "util/wfi_index.h"
#include "util/wfi_sinks.h"

// The key of an entry of the table. Pairs of tasks and objects use their indexes plus 1.
enum { WFI_FOLLOWED_MOST = 64, WFI_PAIRS_MOST = 1 << 16 };

struct wfi_key {
    enum wf_stats_kind kind;
    uint64_t a;
    unsigned b, c, d;
};

// Where the minimum and the maximum of a figure were first measured.
struct wfi_extremes {
    struct wf_stats_place min, max;
};

// The first member of a task, an object or an entry: of all that has spreads.
struct wfi_owner {
    enum wf_stats_kind kind;
    uint32_t row; // its number among all rows
};
struct wfi_spread {
    struct wf_histogram histogram;
    struct wfi_extremes at;
    const struct wfi_owner *owner;
    enum wf_stats_spread which;
};

// Interrupts, state machines, pairs, spans, counters.
struct wfi_entry {
    struct wfi_owner owner;
    struct wfi_key key;
    struct wf_task *task, *by, *over;
    struct wf_object *object;
    uint64_t epoch; // of `last`
    struct wfi_spread spread[3];
    uint64_t n[3];
    uint64_t cpu;
    uint64_t last, wait;           // tick of the last begin; number of the wait
    uint64_t sum;                  // inversions: ticks in this wait so far
    struct wfi_entry *next;        // inversions of the same wait
    bool last_known, low;          // inversions: low priorities are more urgent
    bool joined;                   // its figures were added to another entry
    int64_t least, most, latest;   // counters
    struct wfi_extremes at;        // of a counter
    struct wf_stats_place gave_up; // the first wait that was given up
    double total;
};
enum { WFI_IRQ_DURATION, WFI_IRQ_EXECUTION, WFI_IRQ_PERIOD };
enum { WFI_IRQ_BEGINS, WFI_IRQ_ENTERS_ALONE, WFI_IRQ_EXITS_ALONE };
enum { WFI_WAIT_WAITS, WFI_WAIT_GOT, WFI_WAIT_GAVE_UP };

enum {
    WFI_RESPONSE,
    WFI_EXECUTION,
    WFI_START,
    WFI_PERIOD,
    WFI_JITTER,
    WFI_START_JITTER,
    WFI_RUN,
    WFI_TASK_SPREADS
};
enum { WFI_RUNS, WFI_PREEMPTED, WFI_SLICED, WFI_YIELDED, WFI_ABANDONED, WFI_TASK_COUNTS };

struct wfi_stat_task {
    struct wfi_owner owner;
    struct wf_task *t;
    struct wf_task *joined_to;  // null: it has a row of its own
    uint64_t tasks;             // number of further tasks in that row
    bool marked;                // a hole was in the lifetime of one of them
    uint64_t born, died;        // number of holes before; died: UINT64_MAX while it lives
    bool prio_known, prio_seen; // now; at any time
    int prio;
    uint64_t cpu, n[WFI_TASK_COUNTS];
    struct wfi_job job;
    uint64_t exec, run; // of the job and the run
    bool exec_known, run_known;
    struct wfi_last {
        bool known;
        uint64_t value;
    } arrival, response, start;
    bool arrival_lost; // the last one is not known: the next period is not counted
    bool lost;         // it was not known at some time
    struct wfi_spread spread[WFI_TASK_SPREADS];
    // Its wait for a mutex. The holder has held it since `since`, if since_known.
    struct wf_object *mutex;
    struct wf_task *holder;
    uint64_t since, wait;
    bool since_known;
    struct wfi_entry *inversions; // in this wait
    // The inherited priority, since raised_at; raised_epoch: epoch at that time.
    struct wfi_entry *raised;
    uint64_t raised_at, raised_epoch;
    struct wfi_low {
        bool known;
        uint64_t free, size; // size 0: unknown
    } stack;                 // last mark in the window
    struct {                 // at the end of the window
        bool known, raised, base_known;
        int prio, base;
        struct wf_task *by;
        struct wf_object *mutex;
    } last;
};

enum {
    WFI_WAITS,
    WFI_GOT,
    WFI_GAVE_UP,
    WFI_REFUSED,
    WFI_TAKEN,
    WFI_GIVEN,
    WFI_EXPIRED,
    WFI_STARTED,
    WFI_ALLOCATED,
    WFI_FREED,
    WFI_OBJECT_COUNTS
};
enum { WFI_HELD, WFI_WAITED, WFI_ALARMS, WFI_BYTES, WFI_OBJECT_SPREADS };

struct wfi_stat_object {
    struct wfi_owner owner;
    struct wf_object *o;
    uint64_t born, died;
    uint64_t n[WFI_OBJECT_COUNTS];
    struct wfi_spread spread[WFI_OBJECT_SPREADS];
    struct wfi_last alarm;
    uint64_t epoch;               // of alarm
    bool depth_known, depth_seen; // now; in the window
    uint64_t depth, since, known; // known: ticks
    uint64_t depth_count, depth_min, depth_max;
    struct wfi_extremes depth_at;
    struct wf_stats_place gave_up; // as of an entry
    double depth_ticks;
    struct wfi_low low; // as of a stack
};

struct wfi_stat_core {
    bool used, has_irqs, irqs_known;
    enum wf_stats_activity activity;
    struct wf_task *task;
    unsigned depth;
    uint16_t irq;
    uint64_t since, ticks[4], switches;
    uint64_t self[WF_IRQ_DEPTH];    // own execution of the nested interrupts
    uint64_t counted[WF_IRQ_DEPTH]; // the part of `self` in the window
    struct wfi_entry *last_irq;     // of the interrupt used last
    uint64_t epoch, marks;          // number of holes; number of holes in the window
};

// The blocks of one histogram, count or sum, found by its address.
struct wfi_series {
    const void *source;
    uint64_t last;     // its value, or sum of values, at the end of the last block
    double last_total; // the same of a sum
    struct wf_blocks blocks;
};

// The blocks of all figures: block i covers the ticks from begin + i * length.
struct wfi_timing {
    bool begun;
    uint64_t begin, length, next; // next: where the open block ends
    unsigned open;                // number of the open block
    uint64_t ticks[WFI_BLOCKS];   // at the end: of each block
    unsigned count;
    struct wfi_series *series;
    size_t used, cap;
    struct wfi_index index;
    uint64_t *scratch; // for wfi_blocks_take; null: blocks are not kept
};

struct wf_stats {
    struct wfi_sink sink; // the first member
    struct wf_sinks *sinks, *own_sinks;
    struct wf_session *s;
    struct wf_model *m;                   // shared with other sinks
    struct wfi_per_entity tasks, objects; // wfi_stat_task, wfi_stat_object
    struct wf_stats_options o;
    int err;
    bool begun, ending, changed;
    const struct wf_item *item;    // a loss or damage: what it cuts lasted until now
    bool lasting;                  // what is cut now lasted until now, as its task has ended
    uint32_t rows;                 // number of owners
    uint64_t hz, zero, begin, end; // of the window; zero: the tick that displayed times count from
    uint64_t first, now;
    struct wfi_stat_core cores[WF_MODEL_CORES];
    unsigned core_count;
    struct wfi_entry **entries, **slots;
    size_t entry_count, entry_cap, slot_count;
    // Waiters for mutexes, tracked for every holder. Limited, as the pairs grow with the square of
    // the number of tasks in a hostile trace.
    struct wfi_stat_task *waiting[WFI_FOLLOWED_MOST];
    unsigned waiting_count;
    size_t pairs; // entries with a holder
    uint64_t waits;
    uint64_t low, high; // preemptions by which low or high numbers are more urgent
    struct wf_task *preempted;
    bool lossy; // a hole was found
    bool vague; // a task left without a reason: its job was dropped
    uint64_t epoch;
    // Holes not yet reported by the model, a bit for each core (frames: the first); holes_any:
    // those on an unknown core.
    uint64_t holes_open, holes_any;
    struct wf_stats_hole *holes, hole[WF_MODEL_CORES];
    size_t hole_cap;
    uint64_t hole_count, inconsistent;
    struct wf_stats_unpaired *unpaired; // the first ones
    size_t unpaired_kept, unpaired_cap;
    uint64_t unpaired_count;
    uint64_t records, lost;
    struct wfi_timing timing;
    char text[1][40];
};

// The entry of a task or object; null: not created yet, or `t` or `o` is null.
static inline struct wfi_stat_task *wfi_stat_of_task(const struct wf_stats *st,
                                                     const struct wf_task *t) {
    return t ? wfi_per_get(&st->tasks, t->index) : NULL;
}
static inline struct wfi_stat_object *wfi_stat_of_object(const struct wf_stats *st,
                                                         const struct wf_object *o) {
    return o ? wfi_per_get(&st->objects, o->index) : NULL;
}
// Gets or creates it. Never null: out of memory is recorded in `err`.
struct wfi_stat_task *wfi_stat_new_task(struct wf_stats *st, struct wf_task *t);
static inline struct wfi_stat_task *wfi_stat_task(struct wf_stats *st, struct wf_task *t) {
    struct wfi_stat_task *own = wfi_stat_of_task(st, t);
    return own ? own : wfi_stat_new_task(st, t);
}
struct wfi_stat_object *wfi_stat_object(struct wf_stats *st, struct wf_object *o);
struct wfi_entry *wfi_stat_entry(struct wf_stats *st, struct wfi_key key);
struct wfi_entry *wfi_stat_pair(struct wf_stats *st, enum wf_stats_kind kind, struct wf_task *task,
                                struct wf_object *object, struct wf_task *by, struct wf_task *over);

// Number of holes before now, including one that the model has not reported yet. In frames that one
// counts only if it cut the interval.
static inline uint64_t wfi_holes(const struct wf_stats *st, bool cut) {
    return st->hole_count + (st->holes_open && (cut || wf_session_target(st->s)->cores));
}

static inline bool wfi_in_window(const struct wf_stats *st, uint64_t from, uint64_t to) {
    return from >= st->begin && to <= st->end;
}
// Makes the owner of `count` spreads a row of its own.
void wfi_own_spreads(struct wf_stats *st, struct wfi_owner *w, enum wf_stats_kind kind,
                     struct wfi_spread *spreads, unsigned count);
// All counting of spreads. The observer sees what is counted here.
//
// Adds an interval from `from` to now, in full if both its begin and its end are known.
//   begins  `from` is its begin; else it was first seen then
//   ends    it ends now; else it is cut
void wfi_add_interval(struct wf_stats *st, struct wfi_spread *s, uint64_t from, bool begins,
                      bool ends);
// Adds the interval that a change ends.
void wfi_add_change(struct wf_stats *st, struct wfi_spread *s, const struct wf_change *c);
// Adds a value measured now, of an interval that began at `from`.
void wfi_add_value(struct wf_stats *st, struct wfi_spread *s, uint64_t from, uint64_t value);
// Reports an interval that is not counted.
void wfi_report_uncounted(struct wf_stats *st, const struct wfi_spread *s, uint64_t from,
                          bool begins, bool ends);
// The number of holes so far, in slots of this core. An interval counts only if it is the same at
// both ends.
static inline uint64_t wfi_epoch(const struct wf_stats *st, unsigned core) {
    return wf_session_target(st->s)->cores ? st->cores[core].epoch : st->epoch;
}
// Notes where a value was measured if it is the first one, or less or more than all before.
static inline void wfi_note_place(struct wfi_extremes *at, bool less, bool more, uint64_t from,
                                  uint64_t to) {
    if (less) at->min = (struct wf_stats_place){true, from, to};
    if (more) at->max = (struct wf_stats_place){true, from, to};
}
// The ticks of it that are in the window.
static inline uint64_t wfi_overlap(const struct wf_stats *st, uint64_t from, uint64_t to) {
    if (from < st->begin) from = st->begin;
    if (to > st->end) to = st->end;
    return to > from ? to - from : 0;
}

// ---- cores and interrupts
// Adds this core and all with lower numbers; their time counts from the begin of the trace.
void wfi_stat_new_core(struct wf_stats *st, unsigned core);
static inline void wfi_stat_core_add(struct wf_stats *st, unsigned core) {
    if (core >= st->core_count) wfi_stat_new_core(st, core);
}
// Adds the time up to now to what each core was last known to do.
void wfi_stat_cores_charge(struct wf_stats *st);
// Reads what each core does now, if the item or its changes may have changed that.
void wfi_stat_cores_read(struct wf_stats *st, const struct wf_item *item);
void wfi_irq_change(struct wf_stats *st, const struct wf_change *c);
void wfi_irq_unpaired(struct wf_stats *st, const struct wf_change *c);
// Called before the cores are charged. The change ends an interrupt of unknown begin, which ran for
// part of the time: the core's activity becomes unknown.
static inline void wfi_irq_doubt(struct wf_stats *st, const struct wf_change *c) {
    bool unpaired = c->kind == WF_CHANGE_UNPAIRED && !c->got;
    bool ends = c->kind == WF_CHANGE_IRQ_END && !c->from_known && !c->cut;
    if (unpaired || (ends && !st->cores[c->core].irqs_known))
        st->cores[c->core].activity = WF_CPU_UNKNOWN;
}

// ---- blocks of time
bool wfi_timing_open(struct wf_stats *st); // false: out of memory
void wfi_timing_close(struct wf_stats *st);
void wfi_timing_cut(struct wf_stats *st);
// Ends the blocks that lie before now. Call before the changes of now are counted.
static inline void wfi_timing_move(struct wf_stats *st) {
    if (st->now >= st->timing.next) wfi_timing_cut(st);
}
void wfi_timing_end(struct wf_stats *st);
// Adds the blocks of a histogram or count to those of another.
void wfi_timing_join(struct wf_stats *st, const void *to, const void *from);
const struct wf_blocks *wfi_timing_blocks(const struct wf_stats *st, const void *source);

// ---- tasks, objects, notes
void wfi_task_change(struct wf_stats *st, const struct wf_change *c);
void wfi_object_change(struct wf_stats *st, const struct wf_change *c);
void wfi_note_change(struct wf_stats *st, const struct wf_change *c);
void wfi_machine_change(struct wf_stats *st, const struct wf_change *c);
// Adds the figures of ended tasks with the same name to the first of them.
void wfi_stat_group(struct wf_stats *st);
bool wfi_stat_marked(const struct wf_stats *st, uint64_t born, uint64_t died);
// Adds the inversions while task `t` ran, from `from` to now.
void wfi_add_inversions(struct wf_stats *st, struct wfi_stat_task *t, uint64_t from);
void wfi_charge_depth(struct wf_stats *st, struct wfi_stat_object *o); // adds the time up to now
void wfi_note_priority(struct wf_stats *st, struct wf_task *t);
enum wf_priorities wfi_priority_order(const struct wf_stats *st);

#endif
