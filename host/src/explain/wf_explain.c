// SPDX-License-Identifier: MIT
// A sink that follows the jobs of tasks, and keeps the chosen one of each.

#include <stdlib.h>

#include "core/wfi_activity.h"
#include "util/wfi_grow.h"
#include "util/wfi_options.h"
#include "wfi_explain.h"

// ---- which job

static bool is_better(const struct wf_explain *e, const struct wfi_explain_task *own,
                      const struct wfi_span *span) {
    const struct wfi_span *best = own->has_best ? &own->best : NULL;
    const uint64_t value = e->o.value, response = span->to - span->from;
    switch (e->o.which) {
    case WF_EXPLAIN_LONGEST: return span->counted && (!best || response > best->to - best->from);
    case WF_EXPLAIN_SHORTEST: return span->counted && (!best || response < best->to - best->from);
    case WF_EXPLAIN_NUMBER: return span->number == value;
    default: return !best && (span->to > value || span->from == value);
    }
}

static void keep(struct wfi_explain_task *own) {
    struct wfi_span span = own->now;
    own->now = own->best;
    own->best = span;
    own->has_best = true;
}

// ---- jobs

static bool is_wanted(struct wf_explain *e, struct wfi_explain_task *own) {
    if (!e->o.wants) return true;
    if (!own->asked) own->wanted = e->o.wants(e->o.ctx, own->task);
    own->asked = true;
    return own->wanted;
}

// Of more jobs at a time than are followed, the causes are not known.
static void begin_span(struct wf_explain *e, struct wfi_explain_task *own) {
    const struct wfi_job_span *job = &own->job.now;
    ++own->jobs;
    if (!is_wanted(e, own)) return;
    own->open = true;
    own->at = e->open_count;
    wfi_span_clear(&own->now);
    own->now.task = own->task;
    own->now.number = own->jobs;
    own->now.from = job->from;
    own->now.from_known = job->from_known;
    own->now.to = UINT64_MAX; // while it is open
    if (own->at < WFI_JOBS_OPEN)
        e->open[e->open_count++] = own;
    else
        wfi_span_go(e, &own->now, job->from, WFI_PATH_UNKNOWN);
}

// An interrupt whose exit may be missing is on its core: what it took is not known.
static void doubt_core(struct wf_explain *e, struct wfi_span *span) {
    unsigned n = span->task->core;
    const struct wf_core *core = n < WF_MODEL_CORES ? wf_model_core(e->m, n) : NULL;
    if (core && core->irqs && core->irqs_doubtful)
        wfi_span_doubt(e, span, n, -1, core->irq_since[0]);
}

static void watch_irqs(struct wf_explain *e, struct wfi_explain_task *own) {
    for (unsigned i = 0; i < WF_MODEL_CORES && i < wf_model_cores(e->m); ++i) {
        struct wfi_explain_late *late = &e->late[i];
        if (!wf_model_core(e->m, i)->irqs) continue;
        if (WFI_GROW(late->tasks, &late->cap, late->count + 1))
            late->tasks[late->count++] = own;
        else
            e->err = WF_ERR_NOMEM;
    }
}

static void end_span(struct wf_explain *e, struct wfi_explain_task *own, const struct wf_change *c,
                     unsigned steps) {
    if (!own->open) return;
    own->open = false;
    if (own->at < WFI_JOBS_OPEN) {
        e->open[own->at] = e->open[--e->open_count];
        e->open[own->at]->at = own->at;
    }
    struct wfi_span *span = &own->now;
    const struct wfi_job_span *job = &own->job.last;
    span->counted = (steps & WFI_JOB_DONE) && job->visible && job->from_known;
    wfi_span_end(e, span, c->tick,
                 steps & WFI_JOB_DONE        ? WF_JOB_DONE
                 : steps & WFI_JOB_ABANDONED ? WF_JOB_ABANDONED
                                             : WF_JOB_OPEN);
    doubt_core(e, span);
    const struct wf_explained *view = e->o.on_job ? wfi_explain_view(e, span) : NULL;
    if (view) e->o.on_job(e->o.ctx, view);
    if (!is_better(e, own, span)) return;
    keep(own);
    watch_irqs(e, own);
}

static void follow_job(struct wf_explain *e, const struct wf_change *c) {
    struct wfi_explain_task *own = wfi_per_entry(&e->tasks, c->task->index, sizeof *own);
    if (!own) {
        e->err = WF_ERR_NOMEM;
        return;
    }
    own->task = c->task;
    unsigned steps = wfi_job_change(&own->job, c);
    const unsigned ends = WFI_JOB_LOST | WFI_JOB_DROPPED | WFI_JOB_DONE | WFI_JOB_ABANDONED;
    if (steps & ends) end_span(e, own, c, steps);
    if (steps & (WFI_JOB_ARRIVED | WFI_JOB_FOUND)) {
        end_span(e, own, c, WFI_JOB_LOST); // it is not known to have ended
        begin_span(e, own);
    }
}

// ---- other changes

static void follow_wait(struct wf_explain *e, const struct wf_change *c) {
    struct wfi_explain_task *own = wfi_per_get(&e->tasks, c->task->index);
    if (!own || !own->open || c->object->kind != WF_OBJECT_MUTEX) return;
    if (c->kind == WF_CHANGE_WAIT)
        wfi_span_wait(e, &own->now, c);
    else
        wfi_span_wait_end(&own->now, c);
}

// The exit of an interrupt is missing: when it ended, and what ran then, is not known.
static void doubt_irq(struct wf_explain *e, const struct wf_change *c) {
    const struct wfi_explain_late *late = &e->late[c->core % WF_MODEL_CORES];
    for (unsigned i = 0; i < e->open_count; ++i)
        wfi_span_doubt(e, &e->open[i]->now, c->core, c->irq, c->from);
    for (size_t i = late->count; i-- > 0 && late->tasks[i]->best.to > c->from;)
        wfi_span_doubt(e, &late->tasks[i]->best, c->core, c->irq, c->from);
}

static void end_irq(struct wf_explain *e, const struct wf_change *c) {
    e->has_irqs[c->core % WF_MODEL_CORES] = true;
    if (c->why) doubt_irq(e, c);
    if (!wf_model_core(e->m, c->core)->irqs) e->late[c->core % WF_MODEL_CORES].count = 0;
}

static void take_change(struct wf_explain *e, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_TASK:
    case WF_CHANGE_CREATE: follow_job(e, c); break;
    case WF_CHANGE_WAIT:
        follow_job(e, c);
        follow_wait(e, c);
        break;
    case WF_CHANGE_WAIT_END: follow_wait(e, c); break;
    case WF_CHANGE_IRQ_END: end_irq(e, c); break;
    case WF_CHANGE_IRQ_BEGIN:
    case WF_CHANGE_UNPAIRED: e->has_irqs[c->core % WF_MODEL_CORES] = true; break;
    default: break;
    }
}

static void take_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_explain *e = (struct wf_explain *)sink;
    size_t count;
    const struct wf_change *changes = wf_model_changes(e->m, &count);
    for (size_t i = 0; i < count && e->err == WF_OK; ++i) take_change(e, &changes[i]);
    if (wf_model_error(e->m) != WF_OK) e->err = wf_model_error(e->m);
    if (!count && !wfi_changes_core(e->m, item)) return;
    for (unsigned i = 0; i < e->open_count && e->err == WF_OK; ++i) {
        struct wfi_span *span = &e->open[i]->now;
        wfi_span_go(e, span, wf_model_tick(e->m), wfi_explain_path(e, span));
    }
}

static void take_end(struct wfi_sink *sink) {
    struct wf_explain *e = (struct wf_explain *)sink;
    size_t count;
    const struct wf_change *changes = wf_model_changes(e->m, &count);
    for (size_t i = 0; i < count && e->err == WF_OK; ++i) take_change(e, &changes[i]);
}

// ---- open and close

struct wf_explain *wf_explain_open(struct wf_session *s, const struct wf_explain_options *options,
                                   struct wf_error *error) {
    struct wf_explain *e = calloc(1, sizeof *e);
    int err = e ? wfi_options_copy(&e->o, sizeof e->o, options) : WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err != WF_OK) {
        free(e);
        return NULL;
    }
    e->s = s;
    e->sink = (struct wfi_sink){.item = take_item, .end = take_end};
    e->sinks = wfi_sink_join(&e->sink, s, e->o.sinks, &e->own_sinks);
    if (e->sinks) e->m = wfi_sinks_model(e->sinks);
    if (e->m && wfi_explain_paths_open(e)) return e;
    wf_error_code(error, WF_ERR_NOMEM);
    wf_explain_close(e);
    return NULL;
}

void wf_explain_close(struct wf_explain *e) {
    if (!e) return;
    wfi_sink_leave(&e->sink, e->sinks, e->own_sinks);
    for (unsigned i = 0; i < e->tasks.cap; ++i) {
        struct wfi_explain_task *own = e->tasks.at[i];
        if (!own) continue;
        wfi_span_free(&own->now);
        wfi_span_free(&own->best);
    }
    wfi_per_close(&e->tasks);
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) free(e->late[i].tasks);
    wfi_explain_paths_close(e);
    free(e->parts);
    free(e->sums);
    free(e->sum_of);
    free(e);
}

void wf_explain_take(struct wf_explain *e, const struct wf_item *item) {
    wf_sinks_item(e->sinks, item);
}

void wf_explain_end(struct wf_explain *e) { wf_sinks_end(e->sinks); }
int wf_explain_error(const struct wf_explain *e) { return e->err; }
const struct wf_model *wf_explain_model(const struct wf_explain *e) { return e->m; }

const struct wf_explained *wf_explain_job(struct wf_explain *e, const struct wf_task *task) {
    const struct wfi_explain_task *own = wfi_per_get(&e->tasks, task->index);
    return own && own->has_best ? wfi_explain_view(e, &own->best) : NULL;
}
