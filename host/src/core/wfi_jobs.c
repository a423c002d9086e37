// SPDX-License-Identifier: MIT
// Jobs, from the changes of the state of their tasks. What a hole may hide is not guessed: a task
// that is BLOCKED without a known job may continue one afterwards.

#include "wfi_jobs.h"

static unsigned end_job(struct wfi_job *job, enum wfi_job_step step) {
    bool was = job->open;
    job->last = job->now;
    job->open = job->waits = false;
    return was ? (unsigned)step : 0;
}

static unsigned begin_job(struct wfi_job *job, const struct wf_change *c) {
    job->open = true;
    job->waits = false;
    job->now =
        (struct wfi_job_span){.from = c->tick, .from_known = true, .visible = true, .begins = true};
    return WFI_JOB_ARRIVED;
}

// The task runs, but the arrival of its job is not known: it was lost, or lies before the trace.
static unsigned find_job(struct wfi_job *job, const struct wf_change *c) {
    bool begins = job->fresh || (c->was != WF_TASK_UNKNOWN && c->was != WF_TASK_READY);
    job->open = true;
    job->now = (struct wfi_job_span){
        .from = c->tick, .visible = !begins, .begins = begins, .started = !c->task->since_known};
    return WFI_JOB_FOUND;
}

static unsigned run_job(struct wfi_job *job, const struct wf_change *c) {
    unsigned steps = 0;
    job->mutex = job->waits = job->doubt = false;
    if (c->task->by_priority) return 0; // QP's kernels have no records of jobs
    if (!job->open) steps |= find_job(job, c);
    if (!job->now.started) steps |= WFI_JOB_STARTED;
    job->now.started = true;
    return steps;
}

// The task becomes ready: its job continues after a wait for a mutex, or a new one begins.
static unsigned make_ready(struct wfi_job *job, const struct wf_change *c) {
    if (c->task->by_priority) return 0; // as above
    if (c->was == WF_TASK_RUNNING) {    // made ready before it left
        bool left = c->reason >= 4 && c->reason <= 6;
        if (!left || job->mutex || c->task->waits_mutex) return 0;
        unsigned steps = end_job(job, WFI_JOB_DONE);
        return steps | begin_job(job, c);
    }
    if ((c->was == WF_TASK_UNKNOWN && !job->fresh) || job->doubt) return WFI_JOB_DOUBTFUL;
    if (!job->open || !job->waits) return begin_job(job, c);
    job->waits = false;
    return 0;
}

// The task waits, sleeps, is suspended or ends.
static unsigned leave_job(struct wfi_job *job, const struct wf_change *c) {
    const struct wf_task *task = c->task;
    bool other = (task->waits || task->called) && !wfi_waits_for_mutex(task);
    job->doubt = c->is == WF_TASK_BLOCKED && !job->open && !other;
    if (c->was != WF_TASK_RUNNING) return end_job(job, WFI_JOB_ABANDONED);
    if (c->is != WF_TASK_BLOCKED || !wfi_waits_for_mutex(task)) return end_job(job, WFI_JOB_DONE);
    job->waits = job->open;
    return 0;
}

static unsigned change_state(struct wfi_job *job, const struct wf_change *c) {
    if (c->was == c->is) return 0; // only the trace's name of it changes
    if (c->cut) {
        job->fresh = job->mutex = job->doubt = false;
        return end_job(job, WFI_JOB_LOST);
    }
    unsigned steps;
    switch (c->is) {
    case WF_TASK_RUNNING: steps = run_job(job, c); break;
    case WF_TASK_READY: steps = make_ready(job, c); break;
    case WF_TASK_UNKNOWN: steps = end_job(job, WFI_JOB_DROPPED); break;
    default: steps = leave_job(job, c);
    }
    job->fresh = false;
    return steps;
}

unsigned wfi_job_change(struct wfi_job *job, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_TASK: return change_state(job, c);
    case WF_CHANGE_CREATE: job->fresh = true; return 0;
    case WF_CHANGE_WAIT: job->mutex = c->object->kind == WF_OBJECT_MUTEX; return 0;
    default: return 0;
    }
}
