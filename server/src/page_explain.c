// SPDX-License-Identifier: MIT
// The query for why a job of a task took as long as it did. Reading begins LEAD rows before the
// job, to know which tasks run and which mutexes are held then, and ends some rows after it.

#include "page_parts.h"
#include "wallfly_server/explain_data.h"
#include "wallfly_server/page_query.h"

enum {
    LEAD = 16384,
    TRAIL = 1024, // rows after the job: they may show that the exit of an interrupt is missing
    PARTS = 4096  // of the answer
};

struct explaining {
    const struct page_query_context *a;
    uint64_t key; // of the task
    uint64_t tick, first;
    FILE *out;
    struct wf_explain *e;
    const struct wf_task *task; // whose job was found
    uint64_t end;               // number of the row at which the job ended
    uint64_t number;
    int err;
};

static bool wants(void *ctx, const struct wf_task *task) {
    const struct explaining *x = ctx;
    return task->key == x->key;
}

static void on_job(void *ctx, const struct wf_explained *job) {
    struct explaining *x = ctx;
    if (x->task || (job->to <= x->tick && job->from != x->tick)) return;
    x->task = job->task;
    x->end = x->number;
}

static bool take_item(void *ctx, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    struct explaining *x = ctx;
    struct wf_error error;
    const struct wf_explain_options o = {.size = sizeof o,
                                         .which = WF_EXPLAIN_AT,
                                         .value = x->tick,
                                         .ctx = x,
                                         .wants = wants,
                                         .on_job = on_job};
    x->number = number;
    if (!x->e) x->e = wf_explain_open(s, &o, &error);
    if (!x->e) x->err = error.code;
    if (!x->e) return false;
    if (x->first == UINT64_MAX && wf_session_has_time(s))
        x->first = wf_model_tick(wf_explain_model(x->e));
    wf_explain_take(x->e, item);
    return wf_explain_error(x->e) == WF_OK && (!x->task || number < x->end + TRAIL);
}

// A job that has not ended is cut where the reading ends.
static void end_items(void *ctx) {
    struct explaining *x = ctx;
    if (!x->e) return;
    wf_explain_end(x->e);
    const struct wf_explained *job = x->task ? wf_explain_job(x->e, x->task) : NULL;
    if (wf_explain_error(x->e) != WF_OK) x->err = wf_explain_error(x->e);
    const struct explain_out o = {.out = x->out, .zero = x->a->t0, .most = PARTS};
    if (job) explain_json(&o, x->e, job);
    if (job && x->first != UINT64_MAX)
        fprintf(x->out, ",\"read_from\":%.0f", page_query_time(x->a, x->first));
    wf_explain_close(x->e);
    x->e = NULL;
}

int page_query_explain(const struct page_query_context *a, const cJSON *ask, FILE *out,
                       struct wf_error *error) {
    const int64_t far = INT64_C(1) << 53;
    struct explaining x = {.a = a, .out = out, .first = UINT64_MAX};
    struct wf_entity task;
    int64_t thing, at;
    if (!page_query_number(ask, "thing", WF_ENTITY_FIRST,
                           (int64_t)wf_timeline_entities(a->timeline) - 1, &thing, error) ||
        !page_query_number(ask, "at", -far, far, &at, error))
        return WF_ERR_USAGE;
    wf_timeline_entity(a->timeline, (uint32_t)thing, &task);
    if (task.kind != WF_ENTITY_TASK)
        return wf_error_set(error, WF_ERR_USAGE, "'thing' %d is no task", (int)thing);
    x.key = task.key;
    x.tick = page_query_tick(a, at);
    const struct replay_reading on = {
        .ctx = &x, .item = take_item, .end = end_items, .progress = a->progress};
    uint64_t row = replay_near(a->replay, x.tick), least = replay_gone(a->replay) + 1;
    if (row >= least) row = row > least + LEAD ? row - LEAD : least; // else replay_run reports it
    int err = replay_run(a->replay, row, &on, error);
    if (err != WF_OK) return err;
    if (x.err != WF_OK) return wf_error_code(error, x.err);
    if (!x.task)
        return wf_error_set(error, WF_ERR_USAGE,
                            "the task has no job there: QP's kernels record none, "
                            "or its records are no longer kept");
    return WF_OK;
}
