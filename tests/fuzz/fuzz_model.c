// SPDX-License-Identifier: MIT
// The model on any input: its state must always be consistent. Explanations of jobs: their parts
// must add up.

#include "fuzz_script.h"
#include "wallfly_host/wf_explain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_task(const struct wf_model *m, const struct wf_task *t) {
    unsigned holds = 0;
    require(wf_task_name(m, t)[0] != 0);
    require(t->waits == NULL || t->waits_known);
    if (t->state == WF_TASK_RUNNING) require(wf_model_core(m, t->core)->task == t);
    for (const struct wf_object *o = t->holds; o; o = o->next_held, ++holds) {
        require(o->holder == t && o->holder_known && holds < wf_model_objects(m));
    }
}

static void check_object(const struct wf_model *m, const struct wf_object *o) {
    unsigned waiting = 0;
    require(wf_object_name(m, o)[0] != 0);
    require(!o->ended || (!o->holder && !o->waiters));
    for (const struct wf_task *t = o->waiters; t; t = t->next_waiting, ++waiting) {
        require(t->waits == o && waiting < wf_model_tasks(m));
    }
}

static void check(const struct wf_model *m) {
    for (unsigned i = 0; i < wf_model_tasks(m); ++i) check_task(m, wf_model_task(m, i));
    for (unsigned i = 0; i < wf_model_objects(m); ++i) check_object(m, wf_model_object(m, i));
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        const struct wf_core *c = wf_model_core(m, i);
        require(c->known || !c->task);
        if (c->task) require(c->task->state == WF_TASK_RUNNING && c->task->core == i);
    }
}

static void drain(struct wf_model *m) {
    struct wf_change c;
    uint64_t last = 0;
    while (wf_model_next(m, &c)) {
        require(c.kind < WF_CHANGES && c.tick >= last && c.from <= c.tick);
        if (c.kind == WF_CHANGE_TASK) {
            require(c.task && (c.was != c.is || c.was_called != c.is_called));
        }
        if (c.kind == WF_CHANGE_INCONSISTENT) require(c.why != NULL);
        last = c.tick;
    }
}

static void check_job(void *ctx, const struct wf_explained *job) {
    uint64_t at = job->from, sum = 0;
    (void)ctx;
    for (size_t i = 0; i < job->part_count; ++i) {
        const struct wf_explain_part *p = &job->parts[i];
        require(p->from == at && p->to > at && p->path->block_count <= WF_EXPLAIN_BLOCKS);
        at = p->to;
    }
    for (size_t i = 0; i < job->sum_count; ++i) sum += job->sums[i].ticks;
    require(at == job->parts_until && sum == job->to - job->from);
}

struct taker {
    struct wf_model *m;
    struct wf_explain *e;
};

static void take(void *ctx, const struct wf_item *item) {
    struct taker *t = ctx;
    wf_model_take(t->m, item);
    drain(t->m);
    check(t->m);
    wf_explain_take(t->e, item);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    const struct wf_explain_options explain = {.size = sizeof explain, .on_job = check_job};
    struct wf_session *s = wf_session_open(&options, NULL);
    struct taker t = {wf_model_open(s), wf_explain_open(s, &explain, NULL)};
    require(t.m && t.e);
    struct script script = {.s = s, .ctx = &t, .take = take};
    take_any(&script, data, size, 1);
    wf_model_end(t.m);
    drain(t.m);
    check(t.m);
    wf_explain_end(t.e);
    for (unsigned i = 0; i < wf_model_tasks(t.m); ++i) {
        const struct wf_model *m = wf_explain_model(t.e);
        const struct wf_explained *job = wf_explain_job(t.e, wf_model_task(m, i));
        if (job) check_job(NULL, job);
    }
    wf_explain_close(t.e);
    wf_model_close(t.m);
    wf_session_close(s);
    return 0;
}
