// SPDX-License-Identifier: MIT
// QP's kernels, whose records identify threads by priority and name the one that left; 0 is the
// idle loop. They record neither which thread becomes ready nor why one left. That is derived from
// events, which make an active object ready, and from the idle loop, which runs only when no thread
// is ready.

#include "wfi_model.h"

static struct wf_task *thread_at_field(struct wf_model *m, int at) {
    return at < 0 ? NULL : wfi_task_of_prio(m, m->record->value[at]);
}

// A thread that waits is not in the ready list, and when the idle loop runs, that list is empty.
static unsigned leave_reason(enum wf_effect effect, const struct wf_task *from) {
    if (effect == WF_EFFECT_PREEMPT) return WFI_LEFT_preempted;
    bool waits = effect == WF_EFFECT_SCHED_IDLE || (from && from->waits);
    return waits ? WFI_LEFT_blocked : WFI_LEFT_unknown;
}

// Only for one core: the priorities of other cores' threads are not recorded.
static const struct wf_core *single_core(const struct wf_model *m) {
    return m->core_count == 1 ? &m->cores[m->last_core] : NULL;
}

static void block_all(struct wf_model *m) {
    for (unsigned i = 0; i < m->prio_end; ++i) {
        struct wf_task *t = m->by_prio[i] ? &m->by_prio[i]->pub : NULL;
        if (!t || t->state == WF_TASK_RUNNING) continue;
        if (!t->waits) t->waits_known = false; // the object it waits for has no records
        wfi_task_set_state(m, t, WF_TASK_BLOCKED, false);
    }
}

// Only active objects handle events, in their own thread.
void wfi_qp_handle_event(struct wf_model *m, struct wf_object *o) {
    const struct wf_core *c = single_core(m);
    if (o->kind != WF_OBJECT_ACTIVE || !c || !c->known || !c->task || !c->task->by_priority) return;
    wfi_object(o)->thread = c->task;
    wfi_task(c->task)->machine = true;
}

// An event for an unknown thread: each blocked thread without a known object may be ready now.
static void doubt_waits(struct wf_model *m) {
    for (unsigned i = 0; i < m->prio_end; ++i) {
        struct wfi_task *t = m->by_prio[i];
        if (!t || t->machine || t->pub.state != WF_TASK_BLOCKED || t->pub.waits) continue;
        wfi_task_set_state(m, &t->pub, WF_TASK_UNKNOWN, true);
    }
}

// An active object with an event is ready, if it does not run.
void wfi_qp_post_event(struct wf_model *m, const struct wf_object *o) {
    const struct wf_core *c = single_core(m);
    struct wf_task *t = ((const struct wfi_object *)(const void *)o)->thread;
    if (o->kind != WF_OBJECT_ACTIVE) return;
    if (!t)
        doubt_waits(m);
    else if (c && c->known && c->task != t && !t->waits)
        wfi_task_set_state(m, t, WF_TASK_READY, false);
}

void wfi_take_prio(struct wf_model *m) {
    enum wf_effect effect = m->record->row->effect;
    bool idle = effect == WF_EFFECT_SCHED_IDLE; // its one field is the thread that left
    int first = m->role->at[WF_KIND_PRIO];
    struct wf_task *to = idle ? NULL : thread_at_field(m, first);
    struct wf_task *from = thread_at_field(m, idle ? first : m->role->second_prio);
    struct wf_core *c = wfi_core(m);
    unsigned reason = leave_reason(effect, from);
    if (!c || m->err != WF_OK) return;
    if (c->known && c->task != from) {
        wfi_inconsistent(m, from, NULL, "leaves, but does not run");
        wfi_core_set_unknown(m, c);
    }
    bool left = c->known;
    wfi_switch(m, to, reason);
    if (!left && from && from->state != WF_TASK_RUNNING) {
        wfi_task(from)->readied = WFI_NOT_READIED;
        wfi_task_leave_core(m, from, reason);
    }
    if (idle && single_core(m)) block_all(m);
}

void wfi_take_qp_object(struct wf_model *m) {
    int first = m->role->at[WF_KIND_PRIO];
    struct wf_object *o = wfi_object_of(m, wfi_value(m, WF_KIND_OBJECT), false);
    struct wf_task *t = thread_at_field(m, first),
                   *second = thread_at_field(m, m->role->second_prio);
    unsigned nest = (unsigned)wfi_value(m, WF_KIND_NESTING);
    uint64_t count = wfi_value(m, WF_KIND_LEVEL);
    if (!o || m->err != WF_OK) return;
    switch (m->record->row->effect) {
    case WF_EFFECT_SEM_TAKE: wfi_object_take(m, o, t, count); break;
    case WF_EFFECT_SEM_BLOCK: wfi_object_wait(m, o, t, false); break;
    case WF_EFFECT_SEM_SIGNAL: wfi_object_give(m, o, NULL, count); break; // thread not recorded
    case WF_EFFECT_SEM_BLOCK_FAIL: wfi_object_refuse(m, o, t); break;
    case WF_EFFECT_MTX_LOCK: wfi_object_take(m, o, t, nest); break;
    case WF_EFFECT_MTX_UNLOCK: wfi_object_give(m, o, t, nest); break;
    case WF_EFFECT_MTX_BLOCK: // its first thread is the holder
        wfi_object_set_holder(m, o, t, 0);
        wfi_object_wait(m, o, second, false);
        break;
    case WF_EFFECT_MTX_BLOCK_FAIL:
        wfi_object_set_holder(m, o, t, 0);
        wfi_object_refuse(m, o, second);
        break;
    default: // MTX_LOCK_FAIL does not record the caller
        wfi_object_set_holder(m, o, t, nest);
        wfi_object_refuse(m, o, NULL);
    }
}
