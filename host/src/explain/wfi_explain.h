// SPDX-License-Identifier: MIT
// Internals of explanations. A span of a job is a list of points at which the path changes; a path
// is a number in a table of all paths that occurred.
#ifndef WFI_EXPLAIN_H
#define WFI_EXPLAIN_H

#include "core/wfi_jobs.h"
#include "util/wfi_index.h"
#include "util/wfi_sinks.h"
#include "wallfly_host/wf_explain.h"

enum {
    WFI_PATH_UNKNOWN = 0, // the number of the path without blocks and with an unknown cause
    WFI_JOBS_OPEN = 256   // jobs that are followed at a time
};

// The key of a path in the table: all bytes count.
struct wfi_path_key {
    const struct wf_task *task;
    const struct wf_object *object;
    uint32_t cause, core, irq, block_count;
    struct wf_explain_block blocks[WF_EXPLAIN_BLOCKS];
};

struct wfi_path {
    struct wf_explain_path shown; // its blocks are those of the key
    struct wfi_path_key key;
};

struct wfi_point {
    uint64_t from;
    uint32_t path;
};

// Ticks beyond the parts that are listed.
struct wfi_rest {
    uint32_t path;
    uint64_t ticks, count, longest_from, longest_to;
};

// A job. Open: its last point is the present path, `to` is UINT64_MAX.
struct wfi_span {
    const struct wf_task *task;
    uint64_t number, from, to;
    bool from_known, counted; // counted: statistics have its response
    enum wf_job_end end;
    struct wfi_point *points;
    size_t count, cap;
    struct wfi_rest *rest;
    size_t rest_count, rest_cap;
    uint64_t rest_from; // the listed parts end here; valid if rest_count is not 0
    struct wf_explain_wait *waits;
    size_t wait_count, wait_cap;
};

struct wfi_explain_task {
    const struct wf_task *task;
    struct wfi_job job;
    bool asked, wanted; // wants was called; its answer
    bool open, has_best;
    unsigned at; // open: its place in e->open; WFI_JOBS_OPEN: it is not followed
    uint64_t jobs;
    struct wfi_span now, best;
};

struct wf_explain {
    struct wfi_sink sink; // the first member
    struct wf_session *s;
    struct wf_sinks *sinks, *own_sinks;
    struct wf_model *m;
    struct wf_explain_options o;
    int err;
    bool has_irqs[WF_MODEL_CORES];
    struct wfi_per_entity tasks;                  // struct wfi_explain_task
    struct wfi_explain_task *open[WFI_JOBS_OPEN]; // those whose job is open and followed
    unsigned open_count;
    // Tasks whose best job ended while an interrupt was active on the core, in the order of these
    // ends: its exit may turn out to be missing.
    struct wfi_explain_late {
        struct wfi_explain_task **tasks;
        size_t count, cap;
    } late[WF_MODEL_CORES];
    struct wfi_path **paths;
    size_t path_count, path_cap;
    struct wfi_index index;
    // Of the explanation returned last.
    struct wf_explained view;
    struct wf_explain_part *parts;
    struct wf_explain_sum *sums;
    uint32_t *sum_of; // by path: its place in sums, plus 1
    size_t part_cap, sum_cap, sum_of_cap;
};

// ---- paths (wf_explain_paths.c)

// Adds the path WFI_PATH_UNKNOWN. Returns false when out of memory.
bool wfi_explain_paths_open(struct wf_explain *e);
// These return WFI_PATH_UNKNOWN after setting e->err.

// The present path of a job; most often it is the last one.
uint32_t wfi_explain_path(struct wf_explain *e, const struct wfi_span *span);
// The same blocks with an unknown cause.
uint32_t wfi_explain_unknown(struct wf_explain *e, uint32_t path);
void wfi_explain_paths_close(struct wf_explain *e);

// ---- jobs (wf_explain_spans.c)

// Continues an open job with a path, from a tick on.
void wfi_span_go(struct wf_explain *e, struct wfi_span *span, uint64_t tick, uint32_t path);
void wfi_span_end(struct wf_explain *e, struct wfi_span *span, uint64_t tick, enum wf_job_end end);
// Makes the time of an interrupt on a core unknown, from a tick on; irq -1: of any.
void wfi_span_doubt(struct wf_explain *e, struct wfi_span *span, unsigned core, int irq,
                    uint64_t from);
void wfi_span_wait(struct wf_explain *e, struct wfi_span *span, const struct wf_change *c);
void wfi_span_wait_end(struct wfi_span *span, const struct wf_change *c);
void wfi_span_clear(struct wfi_span *span); // keeps its memory
void wfi_span_free(struct wfi_span *span);
// Returns null when out of memory.
const struct wf_explained *wfi_explain_view(struct wf_explain *e, const struct wfi_span *span);

#endif
