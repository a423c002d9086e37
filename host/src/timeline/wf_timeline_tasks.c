// SPDX-License-Identifier: MIT
// Tasks, the cores they run on, and the arrows of preemptions and wake-ups.

#include "wfi_timeline.h"

static uint64_t core_bit(unsigned core) { return (uint64_t)1 << core % WF_MODEL_CORES; }

// ---- cores

void wfi_tl_core_row(struct wf_timeline *t, unsigned core) {
    struct wfi_tl_core *own = wfi_tl_core(t, core);
    if (!own || own->seen) return;
    own->entity = wfi_tl_entity(t, WF_ENTITY_CORE, core, 0, NULL);
    own->row = wfi_tl_row(t, WF_ROW_CORE, own->entity, (int)core);
    own->runs = wfi_tl_track(t, own->row, WF_TRACK_RUNS, 0);
    own->seen = true;
}

static void watch_core(struct wf_timeline *t, unsigned core) {
    const struct wf_core *now = wf_model_core(t->m, core);
    struct wfi_tl_core *own = t->cores[core];
    bool was = own && own->known;
    t->left[core].task = NULL;
    if (!was && !now->known) return;
    if (was && now->known && own->task == now->task && own->since == now->since) return;
    own = wfi_tl_core(t, core);
    if (!own) return;
    wfi_tl_core_row(t, core);
    if (was) wfi_tl_end(t, own->runs, wf_model_tick(t->m), !now->known);
    own->known = now->known;
    own->task = now->task;
    own->since = now->since;
    if (!now->known) return;
    int64_t entity = now->task ? wfi_tl_task_entity(t, now->task) : WF_ENTITY_IDLE;
    wfi_tl_begin(own->runs, now->since, entity, 0, !now->since_known);
}

void wfi_tl_watch_cores(struct wf_timeline *t) {
    uint64_t dirty = t->dirty;
    t->dirty = 0;
    for (; dirty; dirty &= dirty - 1) {
        wfi_tl_load_watch(t, (unsigned)__builtin_ctzll(dirty));
        watch_core(t, (unsigned)__builtin_ctzll(dirty));
    }
}

// ---- states

// The second value of a state: the core, or the object it waits for.
static uint32_t more_of(struct wf_timeline *t, const struct wf_change *c) {
    if (c->is == WF_TASK_RUNNING) return c->task->core;
    if (c->is_called) return wfi_tl_entity(t, WF_ENTITY_TEXT, 0, 0, c->is_called);
    if (c->is != WF_TASK_BLOCKED || !c->task->waits) return WF_ENTITY_NONE;
    const struct wfi_tl_object *o = wfi_tl_object(t, c->task->waits);
    return o ? o->entity : WF_ENTITY_NONE;
}

static void begin_state(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_task *own) {
    const struct wf_task *task = c->task;
    if (c->is == WF_TASK_UNKNOWN || c->is == WF_TASK_ENDED) return;
    if (!own->states)
        own->states = wfi_tl_track(t, wfi_tl_task_row(t, c->task), WF_TRACK_STATES, 0);
    bool cut = task->state == c->is && task->since == c->tick && !task->since_known;
    wfi_tl_begin(own->states, c->tick, c->is, more_of(t, c), cut);
}

// ---- arrows

static void add_preempt_arrow(struct wf_timeline *t, const struct wf_change *c) {
    unsigned core = c->task->core;
    struct wf_task *left = core < WF_MODEL_CORES ? t->left[core].task : NULL;
    if (!left || left == c->task) return;
    struct wf_arrow a = {.kind = WF_ARROW_PREEMPT, .begin = c->tick, .end = c->tick};
    a.from_row = wfi_tl_task_row(t, left);
    a.to_row = wfi_tl_task_row(t, c->task);
    wfi_tl_arrow(t, &a);
    t->left[core].task = NULL;
}

static void add_wake_arrow(struct wf_timeline *t, const struct wf_change *c,
                           struct wfi_tl_task *own) {
    if (!c->flow || c->flow != own->wake || own->wake_row == WF_NO_TRACK) return;
    struct wf_arrow a = {.kind = WF_ARROW_WAKE, .begin = own->wake_tick, .end = c->tick};
    a.from_row = own->wake_row;
    a.to_row = wfi_tl_task_row(t, c->task);
    wfi_tl_arrow(t, &a);
}

static void take_wake(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_task *own) {
    own->wake = c->flow;
    own->wake_tick = c->tick;
    own->wake_row = c->by ? wfi_tl_task_row(t, c->by) : wfi_tl_irq_row(t, c->core);
}

static void take_state(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_task *own) {
    bool ran = c->was == WF_TASK_RUNNING, runs = c->is == WF_TASK_RUNNING;
    if (own->states) wfi_tl_end(t, own->states, c->tick, c->cut);
    if (ran || runs) t->dirty |= core_bit(c->core) | core_bit(c->task->core);
    begin_state(t, c, own);
    if (ran && c->is == WF_TASK_READY && c->reason == WF_REASON_preempted)
        t->left[c->core % WF_MODEL_CORES].task = c->task;
    if (!runs) return;
    add_preempt_arrow(t, c);
    add_wake_arrow(t, c, own);
}

// ---- jobs

// Of a job that ended, the value shows how; else it is not known.
static void end_job(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_task *own,
                    unsigned steps) {
    if (!own->jobs) return;
    own->jobs->now.value = steps & WFI_JOB_DONE        ? WF_JOB_DONE
                           : steps & WFI_JOB_ABANDONED ? WF_JOB_ABANDONED
                                                       : WF_JOB_OPEN;
    wfi_tl_end(t, own->jobs, c->tick, own->jobs->now.value == WF_JOB_OPEN);
}

static void track_job(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_task *own) {
    unsigned steps = wfi_job_change(&own->job, c);
    if (steps & (WFI_JOB_LOST | WFI_JOB_DROPPED | WFI_JOB_DONE | WFI_JOB_ABANDONED))
        end_job(t, c, own, steps);
    if (!(steps & (WFI_JOB_ARRIVED | WFI_JOB_FOUND))) return;
    if (!own->jobs) own->jobs = wfi_tl_track(t, wfi_tl_task_row(t, c->task), WF_TRACK_JOBS, 0);
    wfi_tl_end(t, own->jobs, c->tick, true); // as after a doubtful wait: it is not known to be done
    wfi_tl_begin(own->jobs, c->tick, WF_JOB_OPEN, 0, !own->job.now.from_known);
}

// ---- priority and stack

// Tracks the effective priority and the source of an inherited one. A task whose priority never
// changes has no track; its entity has the priority.
static void track_priority(struct wf_timeline *t, const struct wf_change *c,
                           struct wfi_tl_task *own) {
    if (!own->priority && c->kind == WF_CHANGE_PRIORITY && !c->cut) {
        own->priority = wfi_tl_track(t, wfi_tl_task_row(t, c->task), WF_TRACK_PRIORITY, 0);
        if (c->from_known) wfi_tl_begin(own->priority, own->prio_tick, c->value, 0, false);
    }
    own->prio_tick = c->tick;
    if (!own->priority) return;
    wfi_tl_end(t, own->priority, c->tick, c->cut);
    if (!c->task->prio_known) return;
    uint32_t raise = WF_ENTITY_NONE;
    if (c->task->raised) {
        const struct wfi_tl_object *o = wfi_tl_object(t, c->task->raised_for);
        uint64_t by = wfi_tl_task_entity(t, c->task->raised_by);
        uint64_t base = c->task->base_known ? (uint32_t)c->task->base_prio : WFI_TL_NO_BASE;
        if (o) raise = wfi_tl_entity(t, WF_ENTITY_RAISE, base, by << 32 | o->entity, NULL);
    }
    wfi_tl_begin(own->priority, c->tick, c->task->prio, raise, false);
}

static void take_priority(struct wf_timeline *t, const struct wf_change *c,
                          struct wfi_tl_task *own) {
    track_priority(t, c, own);
    struct wfi_tl_entity *n = &t->entities[own->entity];
    if (!c->task->prio_known || (n->prio_known && n->prio == c->task->prio)) return;
    n->prio = c->task->prio;
    n->prio_known = true;
    ++t->revision;
}

// Bytes of its stack that were never used, as recorded last. A hole does not end it.
static void take_stack(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_task *own) {
    if (!own->stack)
        own->stack = wfi_tl_track(t, wfi_tl_task_row(t, c->task), WF_TRACK_LEVEL, 0);
    else if (!c->got)
        return;
    wfi_tl_level(t, own->stack, c->tick, c->value);
}

void wfi_tl_take_task(struct wf_timeline *t, const struct wf_change *c) {
    struct wfi_tl_task *own = wfi_tl_task(t, c->task);
    if (!own) return;
    switch (c->kind) {
    case WF_CHANGE_TASK:
        take_state(t, c, own);
        track_job(t, c, own);
        break;
    case WF_CHANGE_CREATE:
        wfi_job_change(&own->job, c);
        take_priority(t, c, own);
        break;
    case WF_CHANGE_WAKE: take_wake(t, c, own); break;
    case WF_CHANGE_LOW: take_stack(t, c, own); break;
    default: take_priority(t, c, own);
    }
}
