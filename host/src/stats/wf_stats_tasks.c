// SPDX-License-Identifier: MIT
// Figures of tasks: their jobs (core/wfi_jobs.h) and runs. A job whose begin, end or wait may be in
// a hole is not counted.

#include "wfi_stats.h"

#include <stdlib.h>

struct wfi_stat_task *wfi_stat_new_task(struct wf_stats *st, struct wf_task *t) {
    static struct wfi_stat_task spare;
    struct wfi_stat_task *own = wfi_per_add(&st->tasks, t->index, sizeof *own);
    if (!own) {
        st->err = WF_ERR_NOMEM;
        own = &spare;
    }
    wfi_own_spreads(st, &own->owner, WF_STATS_TASK, own->spread, WFI_TASK_SPREADS);
    own->t = t;
    if (own == &spare) return own;
    own->born = t->created ? st->hole_count : 0;
    own->died = UINT64_MAX;
    wfi_note_priority(st, t);
    return own;
}

void wfi_note_priority(struct wf_stats *st, struct wf_task *t) {
    struct wfi_stat_task *own = wfi_stat_task(st, t);
    if (!t->prio_known) return;
    own->prio_known = own->prio_seen = true;
    own->prio = t->prio;
    if (own->last.known && st->now > st->end) return;
    own->last.known = true;
    own->last.prio = t->prio;
    own->last.raised = t->raised;
    own->last.base_known = t->base_known;
    own->last.base = t->base_prio;
    own->last.by = t->raised_by;
    own->last.mutex = t->raised_for;
}

// Measures an inherited priority, from when it takes effect until the next change.
static void change_inheritance(struct wf_stats *st, struct wfi_stat_task *own,
                               const struct wf_change *c) {
    struct wf_task *t = c->task;
    if (own->raised)
        wfi_add_interval(st, &own->raised->spread[0], own->raised_at, true,
                         own->raised_epoch == st->epoch);
    own->raised = NULL;
    if (!c->by || !c->object) return;
    own->raised = wfi_stat_pair(st, WF_STATS_RAISED, t, c->object, c->by, NULL);
    own->raised->most = t->prio;
    own->raised->least = t->base_prio;
    own->raised->last_known = t->base_known;
    own->raised_at = st->now;
    own->raised_epoch = st->epoch;
}

// ---- jobs

// A job arrives.
static void begin_job(struct wf_stats *st, struct wfi_stat_task *t) {
    if (t->arrival.known)
        wfi_add_interval(st, &t->spread[WFI_PERIOD], t->arrival.value, true, true);
    else if (t->arrival_lost && (st->lossy || st->vague))
        wfi_report_uncounted(st, &t->spread[WFI_PERIOD], st->now, false, false);
    t->arrival = (struct wfi_last){true, st->now};
    t->arrival_lost = false;
    t->exec_known = true;
    t->exec = 0;
}

static inline void add_jitter(struct wf_stats *st, struct wfi_stat_task *t, unsigned n,
                              uint64_t from, struct wfi_last *last, uint64_t value) {
    if (last->known)
        wfi_add_value(st, &t->spread[n], from,
                      value > last->value ? value - last->value : last->value - value);
    else if (t->lost && (st->lossy || st->vague))
        wfi_report_uncounted(st, &t->spread[n], from, true, false);
    *last = (struct wfi_last){true, value};
}

static void start_job(struct wf_stats *st, struct wfi_stat_task *t) {
    const struct wfi_job_span *job = &t->job.now;
    if (job->visible) wfi_add_interval(st, &t->spread[WFI_START], job->from, job->from_known, true);
    if (job->from_known && wfi_in_window(st, job->from, st->now))
        add_jitter(st, t, WFI_START_JITTER, job->from, &t->start, st->now - job->from);
    else
        t->start.known = false;
}

static void finish_job(struct wf_stats *st, struct wfi_stat_task *t) {
    const struct wfi_job_span *job = &t->job.last;
    bool known = job->from_known, in = wfi_in_window(st, job->from, st->now);
    if (job->visible) wfi_add_interval(st, &t->spread[WFI_RESPONSE], job->from, known, true);
    if (known && in)
        add_jitter(st, t, WFI_JITTER, job->from, &t->response, st->now - job->from);
    else
        t->response.known = false;
    if (t->exec_known && in)
        wfi_add_value(st, &t->spread[WFI_EXECUTION], job->from, t->exec);
    else
        wfi_add_interval(st, &t->spread[WFI_EXECUTION], job->from, t->exec_known, true);
}

// The job is no longer tracked: one interval of each kind is left out.
static void lose_job(struct wf_stats *st, struct wfi_stat_task *t) {
    const struct wfi_job_span *job = &t->job.last;
    bool begins = job->from_known;
    if (job->visible) wfi_add_interval(st, &t->spread[WFI_RESPONSE], job->from, begins, false);
    wfi_add_interval(st, &t->spread[WFI_EXECUTION], job->from, begins, false);
    if (!job->started && job->visible)
        wfi_add_interval(st, &t->spread[WFI_START], job->from, begins, false);
}

static void lose_task(struct wf_stats *st, struct wfi_stat_task *t, const struct wf_change *c,
                      unsigned steps) {
    if (steps & WFI_JOB_LOST) lose_job(st, t);
    if (c->was == WF_TASK_RUNNING)
        wfi_add_interval(st, &t->spread[WFI_RUN], c->from, c->from_known, false);
    if (t->arrival.known && !st->ending)
        wfi_add_interval(st, &t->spread[WFI_PERIOD], t->arrival.value, true, false);
    else if (t->arrival.known)
        wfi_report_uncounted(st, &t->spread[WFI_PERIOD], t->arrival.value, true, false);
    t->arrival_lost = t->lost = true;
    t->arrival.known = t->response.known = t->start.known = t->prio_known = false;
}

// Reports the job and its period, of which nothing shows whether they go on.
static void drop_job(struct wf_stats *st, struct wfi_stat_task *t, unsigned steps) {
    static const unsigned spreads[] = {WFI_RESPONSE, WFI_EXECUTION, WFI_JITTER};
    const struct wfi_job_span *job = &t->job.last;
    bool open = steps & WFI_JOB_DROPPED;
    for (unsigned i = 0; open && i < sizeof spreads / sizeof *spreads; ++i)
        wfi_report_uncounted(st, &t->spread[spreads[i]], job->from, job->from_known, false);
    if (t->arrival.known)
        wfi_report_uncounted(st, &t->spread[WFI_PERIOD], t->arrival.value, true, false);
    t->arrival_lost = t->lost = true;
    t->arrival.known = t->response.known = t->start.known = false;
    st->vague = true;
}

// The arrival of the job is not known.
static void find_job(struct wfi_stat_task *t) {
    t->exec_known = t->job.now.begins;
    t->exec = 0;
    t->arrival.known = false;
    t->arrival_lost = t->lost = true;
}

// An abandoned job is in no figure, but may have been too late already.
static void abandon_job(struct wf_stats *st, struct wfi_stat_task *t) {
    const struct wfi_job_span *job = &t->job.last;
    bool begins = job->from_known;
    if (st->o.on_interval && job->visible) {
        wfi_report_uncounted(st, &t->spread[WFI_RESPONSE], job->from, begins, true);
        if (!job->started) wfi_report_uncounted(st, &t->spread[WFI_START], job->from, begins, true);
    }
    if (wfi_in_window(st, st->now, st->now)) ++t->n[WFI_ABANDONED];
}

// The task becomes ready, but a hole hides whether its job continues or a new one begins.
static void report_doubtful(struct wf_stats *st, const struct wfi_stat_task *t) {
    if (!st->lossy && !st->vague) return;
    for (unsigned i = 0; st->o.on_interval && i < WFI_START_JITTER; ++i)
        wfi_report_uncounted(st, &t->spread[i], st->now, false, false);
}

static void count_job(struct wf_stats *st, struct wfi_stat_task *t, unsigned steps) {
    if (steps & WFI_JOB_DONE) finish_job(st, t);
    if (steps & WFI_JOB_ABANDONED) abandon_job(st, t);
    if (steps & WFI_JOB_ARRIVED) begin_job(st, t);
    if (steps & WFI_JOB_FOUND) find_job(t);
    if (steps & WFI_JOB_STARTED) start_job(st, t);
    if (steps & WFI_JOB_DOUBTFUL) report_doubtful(st, t);
}

// ---- states

static void add_run(struct wf_stats *st, struct wfi_stat_task *t, const struct wf_change *c) {
    static const int counts[] = {-1, WFI_PREEMPTED, WFI_YIELDED, WFI_SLICED, -1, -1, -1, -1};
    bool in = wfi_in_window(st, c->from, st->now);
    if (c->from_known && t->run_known && in)
        wfi_add_value(st, &t->spread[WFI_RUN], c->from, t->run);
    else
        wfi_add_interval(st, &t->spread[WFI_RUN], c->from, c->from_known && t->run_known, true);
    int count = c->reason < 8 ? counts[c->reason] : -1;
    if (count >= 0 && wfi_in_window(st, st->now, st->now)) ++t->n[count];
    if (c->reason == 1 && c->is == WF_TASK_READY) st->preempted = c->task;
}

// A preemption shows which order of priorities applies: the preempting task is more urgent.
static void count_vote(struct wf_stats *st, const struct wf_task *by) {
    const struct wf_task *of = st->preempted;
    if (!of || of->core != by->core || !of->prio_known || !by->prio_known) return;
    if (by->by_priority != of->by_priority || by->prio == of->prio) return;
    ++*(by->prio < of->prio ? &st->low : &st->high);
}

static void start_run(struct wf_stats *st, struct wfi_stat_task *t, const struct wf_change *c) {
    bool begins = c->task->since_known; // else it also ran before
    t->run = 0;
    t->run_known = begins;
    if (begins && wfi_in_window(st, st->now, st->now)) ++t->n[WFI_RUNS];
    if (begins) count_vote(st, c->task);
}

static void change_state(struct wf_stats *st, struct wfi_stat_task *t, const struct wf_change *c) {
    if (c->was == c->is) return; // only the trace's name of it changes
    unsigned steps = wfi_job_change(&t->job, c);
    if (c->cut) {
        lose_task(st, t, c, steps);
        return;
    }
    if (c->was == WF_TASK_RUNNING && wf_model_core(st->m, c->core)->irqs_doubtful)
        t->run_known = t->exec_known = false; // the time an interrupt took is not known
    if (c->was == WF_TASK_RUNNING) add_run(st, t, c);
    if (c->is == WF_TASK_RUNNING) start_run(st, t, c);
    // Without the reason it left, the end of its job is not known.
    if (c->is == WF_TASK_UNKNOWN) drop_job(st, t, steps);
    if (steps) count_job(st, t, steps);
}

void wfi_task_change(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_stat_task *t = wfi_stat_task(st, c->task);
    if (c->kind == WF_CHANGE_CREATE) wfi_job_change(&t->job, c);
    if (c->kind == WF_CHANGE_TASK) {
        change_state(st, t, c);
        if (c->is == WF_TASK_ENDED) {
            t->died = wfi_holes(st, c->cut);
            if (t->arrival.known)
                wfi_report_uncounted(st, &t->spread[WFI_PERIOD], t->arrival.value, true, true);
        }
    }
    wfi_note_priority(st, c->task);
    if (c->kind == WF_CHANGE_PRIORITY) change_inheritance(st, t, c);
}
