// SPDX-License-Identifier: MIT
// Statistics of a session: how often, how long and how regularly tasks, interrupts, objects and
// spans were active, from the changes of the model. Items of the session go in, rows of figures
// come out; docs/stats.md defines every figure. Counts, sums, minimum and maximum are exact,
// percentiles are within 1/128 of the true value. Only whole intervals count: one whose begin or
// end is not known is counted as left out.
//
//   wf_stats_take(st, &item) ...; wf_stats_end(st); while (wf_stats_next(st, &at, &row)) ...
//
// A statistics object is for its session's thread. Memory depends on the number of tasks, objects
// and pairs of them (about 1 to 30 KB for each figure that has values), not on the length of the
// trace.
#ifndef WF_STATS_H
#define WF_STATS_H

#include "wf_error.h"
#include "wf_model.h"
#include "wf_session.h"
#include "wf_sinks.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- histogram, in little memory for any number of values

enum { WF_HISTOGRAM_PAGES = 59, WF_HISTOGRAM_PAGE = 64, WF_HISTOGRAM_PARTS = 128 };

// The values of a class: their number, minimum and maximum, relative to the begin of the class and
// in units of its width / 2^32 if that is more than one tick.
struct wf_histogram_class {
    uint64_t count;
    uint32_t low, high;
};

// All 0 at the start. Values below 128 have a class each; above, there are 64 classes between a
// power of two and the next.
struct wf_histogram {
    uint64_t count, min, max;
    uint64_t sum[2];   // low, high
    uint64_t open;     // intervals left out: they cross the begin or end of the range
    uint64_t in_holes; // ... a hole in the data
    struct wf_histogram_class **pages;
};

// Returns false when out of memory; then nothing is changed.
bool wf_histogram_add(struct wf_histogram *s, uint64_t value);
// Adds `count` values, at least 1, from `low` to `high`, which are of one class; the caller adds
// their sum to `sum`. Returns false when out of memory: then `s` can only be closed.
bool wf_histogram_add_class(struct wf_histogram *s, uint64_t low, uint64_t high, uint64_t count);
double wf_histogram_mean(const struct wf_histogram *s); // 0 without values
// Returns the smallest value v such that per_mille thousandths of the values are <= v; 0 without
// values. Exact if all values of its class are equal, or it is the minimum or maximum of the class;
// otherwise with a relative error of at most 1 / WF_HISTOGRAM_PARTS.
uint64_t wf_histogram_quantile(const struct wf_histogram *s, unsigned per_mille);
// Adds all of `from`. Returns false when out of memory; then some may be added.
bool wf_histogram_join(struct wf_histogram *s, const struct wf_histogram *from);
void wf_histogram_close(struct wf_histogram *s);

// ---- statistics

enum wf_priorities {
    WF_PRIORITIES_UNKNOWN,
    WF_PRIORITIES_LOW,
    WF_PRIORITIES_HIGH
}; // which numbers are more urgent

enum wf_stats_kind {
    WF_STATS_CORE,
    WF_STATS_TASK,
    WF_STATS_IRQ,
    WF_STATS_MACHINE,   // state machine of QP: object
    WF_STATS_OBJECT,    // of an RTOS
    WF_STATS_HOLD,      // task, object
    WF_STATS_WAIT,      // task, object
    WF_STATS_BLOCKED,   // task, object, by
    WF_STATS_INVERSION, // task, object, by, over
    WF_STATS_RAISED,    // task, object, by: priority inherited as holder of object from waiter by
    WF_STATS_SPAN,
    WF_STATS_COUNTER,
    WF_STATS_KINDS
};
extern const char *const wf_stats_kind_names[WF_STATS_KINDS]; // "core", "task", ...

// ---- observer: each interval when it is counted

// The spreads of the rows.
#define WF_STATS_SPREADS(S)                                                                        \
    S(RESPONSE, "response") /* of tasks */                                                         \
    S(EXECUTION, "execution")                                                                      \
    S(START, "start")                                                                              \
    S(PERIOD, "period")                                                                            \
    S(JITTER, "jitter")                                                                            \
    S(START_JITTER, "start jitter")                                                                \
    S(RUN, "run")                                                                                  \
    S(HELD, "hold") /* of objects */                                                               \
    S(WAITED, "wait")                                                                              \
    S(ALARMS, "period")                                                                            \
    S(BYTES, "bytes")                                                                              \
    S(IRQ_DURATION, "duration") /* of interrupts */                                                \
    S(IRQ_EXECUTION, "execution")                                                                  \
    S(IRQ_PERIOD, "period")                                                                        \
    S(STEP, "step") /* of a row each */                                                            \
    S(HOLD, "hold")                                                                                \
    S(WAIT, "wait")                                                                                \
    S(BLOCKED, "blocked")                                                                          \
    S(INVERSION, "inversion")                                                                      \
    S(RAISED, "raised")                                                                            \
    S(SPAN, "span")

enum wf_stats_spread {
#define WF_X(spread, name) WF_SPREAD_##spread,
    WF_STATS_SPREADS(WF_X)
#undef WF_X
        WF_SPREADS
};
extern const char *const wf_stats_spread_names[WF_SPREADS]; // as wf_figure.name

enum wf_stats_part {
    WF_PART_WHOLE,     // counted
    WF_PART_OPEN,      // left out: it crosses the begin or end of the trace or window (`open`)
    WF_PART_IN_HOLE,   // left out: a hole cuts it (`in_holes`)
    WF_PART_UNCOUNTED, // in no count of the row: an abandoned job, a period that is open at the end
                       // of the task or trace, or (`lost`) an interval of which nothing shows when
                       // it began or ended
};

struct wf_stats_interval {
    enum wf_stats_kind kind; // of its row
    enum wf_stats_spread spread;
    enum wf_stats_part part;
    bool from_known;   // `from` is its begin; else it was first seen then
    uint64_t from, to; // ticks
    uint64_t value;    // WHOLE: as in the figure. Else the least that it can be: the time up to
                       // its end, the hole or the end of the trace or window; 0: not known, or it
                       // may have begun before the window (has_from)
    bool lost;         // neither a hole nor an end of trace or window explains that it is not
                       // whole: its other end is missing or contradicted
    const struct wf_task *task, *by, *over; // null: none; as in wf_stats_row
    const struct wf_object *object;
    uint32_t row;      // number of the row that counts it, from 0; of ended tasks with one name
                       // before they are joined
    unsigned core;     // of interrupts
    uint16_t irq;      // WF_IRQ_UNKNOWN: not known
    uint64_t text;     // of spans: address
    bool low_is_first; // INVERSION: counts if low priorities are more urgent; else if high ones are
};

enum wf_stats_activity { WF_CPU_UNKNOWN, WF_CPU_IDLE, WF_CPU_TASK, WF_CPU_IRQ };

// What a core did from `from` to `to`, all in the window.
struct wf_stats_run {
    unsigned core;
    enum wf_stats_activity activity;
    const struct wf_task *task; // that runs, with or without an interrupt on top; null: none, or
                                // not known
    uint16_t irq;
    uint64_t from, to;
};

struct wf_stats_options {
    size_t size; // sizeof(struct wf_stats_options)
    bool has_from, has_until;
    double from_s, until_s; // seconds since the trace's first time; only whole intervals count
    bool target_clock;      // seconds of the target's clock; without a rate its ticks
    enum wf_priorities priorities; // UNKNOWN: derived from preemptions
    bool single;            // a row for each task; else ended tasks with the same name share one
    struct wf_sinks *sinks; // the group to join (wf_sinks.h); null: one of its own
    // Called for each interval or value of a spread when it is counted or left out, and for each
    // run of a core; may be null. The structs are valid during the call. Each core's runs follow
    // each other without gaps, except at a new core.
    void (*on_interval)(void *ctx, const struct wf_stats_interval *interval);
    void (*on_run)(void *ctx, const struct wf_stats_run *run);
    void *ctx;
    uint32_t spreads; // those that on_interval gets, 1 << enum wf_stats_spread; 0: all
    bool blocks;      // keep the values by blocks of time, too, for a profile (wf_profile.h)
    bool no_spreads;  // only the observer is needed: the rows' spreads stay empty
    bool has_ticks;   // from_tick and until_tick, of the target's clock, in place of seconds
    uint64_t from_tick, until_tick;
};

struct wf_stats;
struct wf_blocks; // for wf_profile_add

// Returns null when out of memory, or if the size of the options is 0 (WF_ERR_USAGE). `error` may
// be null. The session must outlive the statistics.
struct wf_stats *wf_stats_open(struct wf_session *s, const struct wf_stats_options *options,
                               struct wf_error *error);
void wf_stats_close(struct wf_stats *st);
// Takes an item, in the order wf_session_next returns items, before the next wf_session_next. For
// use without options.sinks; with a group, wf_sinks_item passes the item to all sinks.
void wf_stats_take(struct wf_stats *st, const struct wf_item *item);
// Ends the trace for all sinks of the group (wf_sinks_end). Call once, before the rows are read.
void wf_stats_end(struct wf_stats *st);
int wf_stats_error(const struct wf_stats *st); // WF_OK or WF_ERR_NOMEM
// The model of its group: names of the tasks and objects of an interval.
const struct wf_model *wf_stats_model(const struct wf_stats *st);

enum wf_unit { WF_UNIT_COUNT, WF_UNIT_TICKS, WF_UNIT_PERCENT, WF_UNIT_VALUE };
extern const char *const wf_unit_names[4]; // "count", "ticks", "percent", "value"

enum wf_figure_form {
    WF_FIGURE_ONE,    // value
    WF_FIGURE_SPREAD, // count, min, mean, percentiles, max; open, in_holes
    WF_FIGURE_LEVEL   // count, min, mean, max; value: the last one
};

// Where a value was measured: the interval with it, or the moment from == to.
struct wf_stats_place {
    bool known;
    uint64_t from, to; // ticks
};

struct wf_figure {
    const char *name;
    enum wf_unit unit;
    enum wf_figure_form form;
    bool known; // else there is no value
    double value;
    double count, min, mean, p50, p95, p99, max, open, in_holes;
    struct wf_stats_place min_at, max_at; // SPREAD, LEVEL: the first of those with that value
    struct wf_stats_place first_at;       // "gave up": the first wait that it counts
    const struct wf_histogram *histogram; // SPREAD: its values, until the statistics are closed
    const struct wf_blocks *blocks;       // null: not kept
    const struct wf_blocks *weights;      // LEVEL: ticks or values that the mean is over
};

enum { WF_FIGURES_MAX = 20 };

// Texts are valid until the next call of wf_stats_next and until the session takes input.
struct wf_stats_row {
    enum wf_stats_kind kind;
    const char *name;          // of the entity; null: only the other members identify it
    const char *what;          // objects: their kind
    const char *task, *object; // null: none
    const char *by, *over;     // the holder; the task that runs in an inversion
    uint64_t tasks, by_tasks,
        over_tasks;  // number of tasks with that name in the row, if it has one
    uint64_t key;    // address or priority of a task or object, or an IRQ's number
    int core;        // -1: none
    bool marked;     // a hole in the data may have changed its figures
    bool prio_known; // tasks: the last known
    int prio;
    bool raised;     // tasks: prio is inherited, from `raised_by` for `raised_for`
    bool base_known; // raised: base_prio, its base priority, is known
    int base_prio;
    const char *raised_by, *raised_for;
    struct wf_figure figures[WF_FIGURES_MAX];
    unsigned count;
    uint32_t number; // of the row, as wf_stats_interval.row; cores: 0
};
// Starts with *at = 0. Returns false when there are no more rows.
bool wf_stats_next(struct wf_stats *st, uint64_t *at, struct wf_stats_row *row);
// Gets the numbers of the rows whose intervals a row has: its own and, of ended tasks with one
// name, those of the others. Returns how many there are; at most `most` are set.
size_t wf_stats_joined(const struct wf_stats *st, const struct wf_stats_row *row, uint32_t *numbers,
                       size_t most);

struct wf_stats_hole {
    uint64_t offset;   // in the stream
    uint64_t from, to; // ticks it lies between
    uint64_t records;  // missing
    bool exact;        // else more may be missing
    uint64_t bytes;    // damaged
};
enum { WF_STATS_HOLES = 1024 }; // number kept, the first ones

// Enters or exits of an interrupt without the other half.
struct wf_stats_unpaired {
    uint64_t offset; // in the stream
    uint64_t tick;
    uint64_t count;
    unsigned core;
    uint16_t irq; // WF_IRQ_UNKNOWN: not known
    bool enter;   // enters; else exits
};
enum { WF_STATS_UNPAIRED = 1024 }; // number kept, the first ones

struct wf_stats_about {
    uint64_t from, until;          // range of ticks that is evaluated
    bool known;                    // the range is not empty
    uint64_t hz;                   // 0: unknown
    uint64_t zero;                 // the tick that displayed times count from
    enum wf_priorities priorities; // which end is more urgent
    bool given;                    // set by the options; else derived from preemptions
    uint64_t for_low, for_high;    // preemptions that indicate each order
    uint64_t inconsistent;         // records that contradict the known state
    const struct wf_stats_unpaired *unpaired;
    size_t unpaired_kept;
    uint64_t unpaired_count; // enters and exits of interrupts without their other half
    const struct wf_stats_hole *holes;
    size_t holes_kept;
    uint64_t hole_count;
    uint64_t records, lost; // taken; missing
    const uint64_t *blocks; // options.blocks: the ticks that each covers
    unsigned block_count;
    const struct wf_blocks *record_blocks, *lost_blocks;
};
// Describes what the rows cover: range, order of priorities, holes, unpaired interrupts.
void wf_stats_report(struct wf_stats *st, struct wf_stats_about *about);

#ifdef __cplusplus
}
#endif
#endif
