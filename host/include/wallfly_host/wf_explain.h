// SPDX-License-Identifier: MIT
// Why a job took as long as it did: its response time (docs/stats.md) in parts, each with its
// cause: the task executed, an interrupt or another task ran instead, or it waited for a mutex, and
// then what its holder did, and so on from holder to holder. The parts follow one another without
// gaps and add up to the response exactly. Time of which the trace does not show the cause is of
// the cause UNKNOWN.
//
//   e = wf_explain_open(session, &options, &error); for each item wf_explain_take(e, &item);
//   wf_explain_end(e); wf_explain_job(e, task)
//
// An explanation is for its session's thread. Ticks are those of wf_model.h. A task that is ready
// is delayed by what runs on the core where it ran last (core 0 before its first run): which core
// it would have got is not recorded. QP's kernels record no jobs.
#ifndef WF_EXPLAIN_H
#define WF_EXPLAIN_H

#include "wf_model.h"
#include "wf_sinks.h"
#include "wf_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_EXPLAIN_BLOCKS = 16,     // most blocks of a path
    WF_EXPLAIN_PARTS = 1 << 16, // most parts of a job, and most of its waits
};

// Causes. With blocks, they are of the holder of the last mutex instead of the job's task.
enum wf_explain_cause {
    WF_CAUSE_UNKNOWN,
    WF_CAUSE_EXECUTION, // `task` executes
    WF_CAUSE_IRQ,       // interrupt `irq` runs on `core`
    WF_CAUSE_TASK,      // ready, but `task` runs on `core`
    WF_CAUSE_IDLE,      // ready, but `core` is idle or runs a task that is not traced
    WF_CAUSE_WAIT,      // waits for `object` (null: not known), which is no mutex
    WF_CAUSE_SLEEP,     // sleeps
    WF_CAUSE_SUSPENDED, // is suspended
    WF_CAUSE_FREE,      // the last mutex is free; the task that waits for it is not ready yet
    WF_CAUSE_DEADLOCK,  // waits, through the blocks, for itself
    WF_CAUSES
};
extern const char *const wf_cause_names[WF_CAUSES]; // "unknown", "execution", ...

// A task waits for a mutex that another one holds.
struct wf_explain_block {
    const struct wf_object *mutex; // null: not known
    const struct wf_task *holder;  // null: not known, or none
};

struct wf_explain_path {
    enum wf_explain_cause cause;
    unsigned block_count;                  // 0: the job's task itself does not wait
    const struct wf_explain_block *blocks; // first the mutex that the job's task waits for
    const struct wf_task *task;            // EXECUTION, TASK; null otherwise
    const struct wf_object *object;        // WAIT
    unsigned core;                         // IRQ, TASK, IDLE
    uint16_t irq;                          // IRQ
};

struct wf_explain_part {
    uint64_t from, to; // ticks; `to` is the next part's `from`
    const struct wf_explain_path *path;
};

// All parts with one path.
struct wf_explain_sum {
    const struct wf_explain_path *path;
    uint64_t ticks, count;
    uint64_t longest_from, longest_to; // the longest one, the first of equal ones
};

enum wf_wait_end { WF_WAIT_UNKNOWN, WF_WAIT_ACQUIRED, WF_WAIT_GAVE_UP };

// A wait for a mutex within the job.
struct wf_explain_wait {
    const struct wf_object *mutex;
    const struct wf_task *holder; // when the wait began; null: not known, or none
    uint64_t from, to;
    enum wf_wait_end end;
};

struct wf_explained {
    const struct wf_task *task;
    uint64_t number; // of the task's jobs that are known, from 1
    uint64_t from, to;
    bool from_known;                     // its arrival is at `from`; else it was found to run there
    enum wf_job_end end;                 // OPEN: cut at `to` by a hole or the end of the trace
    const struct wf_explain_part *parts; // in order of time
    size_t part_count;
    uint64_t parts_until; // parts up to here are listed, of at most WF_EXPLAIN_PARTS; the sums have
                          // all
    const struct wf_explain_sum *sums; // the largest first
    size_t sum_count;
    const struct wf_explain_wait *waits; // in the order of their begins, the first WF_EXPLAIN_PARTS
    size_t wait_count;
};

enum wf_explain_which {
    WF_EXPLAIN_LONGEST, // response, of those that statistics count; the first of equal ones
    WF_EXPLAIN_SHORTEST,
    WF_EXPLAIN_AT,    // the job at tick `value`, or the next one
    WF_EXPLAIN_NUMBER // wf_explained.number is `value`
};

struct wf_explain_options {
    size_t size;            // sizeof(struct wf_explain_options)
    struct wf_sinks *sinks; // null: a group of its own
    enum wf_explain_which which;
    uint64_t value;
    void *ctx;
    // Returns true if the jobs of a task are explained. May be null: all are.
    bool (*wants)(void *ctx, const struct wf_task *task);
    // Called with each job when it has ended. May be null. Later records may show that an interrupt
    // within it had already ended: wf_explain_job has that.
    void (*on_job)(void *ctx, const struct wf_explained *job);
};

struct wf_explain;

// Returns null after an error: out of memory, or options without their size.
struct wf_explain *wf_explain_open(struct wf_session *s, const struct wf_explain_options *options,
                                   struct wf_error *error);
void wf_explain_close(struct wf_explain *e);
void wf_explain_take(struct wf_explain *e, const struct wf_item *item); // as wf_sinks_item
void wf_explain_end(struct wf_explain *e);                              // as wf_sinks_end
// WF_OK, or WF_ERR_NOMEM: takes no more items.
int wf_explain_error(const struct wf_explain *e);
const struct wf_model *wf_explain_model(const struct wf_explain *e);
// The chosen job of a task, of those that have ended; null: none. Valid until the next call.
const struct wf_explained *wf_explain_job(struct wf_explain *e, const struct wf_task *task);
// Writes a path as words: "executes", "waits for printer of low: low is ready, medium runs".
// Zero-terminated, cut to `cap` bytes. Returns text.
const char *wf_explain_words(const struct wf_explain *e, const struct wf_explain_path *path,
                             char *text, size_t cap);
// The name of an interrupt; null: not known. Valid until the next wf_session_next.
const char *wf_explain_irq_name(const struct wf_explain *e, uint16_t irq);

#ifdef __cplusplus
}
#endif
#endif
