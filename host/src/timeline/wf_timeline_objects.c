// SPDX-License-Identifier: MIT
// Objects: holders and waiters of mutexes, contents of semaphores, queues and pools, low-water
// marks and use of heaps; state machines with their steps; arrows through queues.

#include "wfi_timeline.h"

enum { HOLDS_MOST = 64 }; // simultaneous bars of a task

// ---- mutexes

// Returns null if the task has no free bar; the mutex's own row still shows its holder.
static struct wfi_track *free_hold_track(struct wf_timeline *t, struct wf_task *task) {
    struct wfi_tl_task *own = wfi_tl_task(t, task);
    if (!own) return NULL;
    struct wfi_track **at = &own->holds;
    unsigned level = 0;
    for (; *at && (*at)->open; at = &(*at)->above) ++level;
    if (level == HOLDS_MOST) return NULL;
    if (!*at) *at = wfi_tl_track(t, wfi_tl_task_row(t, task), WF_TRACK_HOLDS, level);
    return *at;
}

// The holder is not known from this tick on.
static void begin_unknown_holder(struct wf_timeline *t, struct wf_object *o,
                                 struct wfi_tl_object *own, uint64_t tick) {
    if (!own->holder) own->holder = wfi_tl_track(t, wfi_tl_object_row(t, o), WF_TRACK_HOLDER, 0);
    wfi_tl_begin(own->holder, tick, WF_ENTITY_NONE, WF_ENTITY_NONE, true);
}

// A mutex created before the trace: its holder is unknown until the first record of it.
static void check_holder(struct wf_timeline *t, const struct wf_change *c,
                         struct wfi_tl_object *own) {
    const struct wf_object *o = c->object;
    if (o->kind != WF_OBJECT_MUTEX || own->holder || o->created || o->ended || t->ended) return;
    begin_unknown_holder(t, c->object, own, t->first);
}

static void take_holder(struct wf_timeline *t, const struct wf_change *c,
                        struct wfi_tl_object *own) {
    if (c->got)
        wfi_tl_end(t, own->holder, c->tick, false);
    else if (!t->ended)
        begin_unknown_holder(t, c->object, own, c->tick);
}

static void begin_hold(struct wf_timeline *t, const struct wf_change *c,
                       struct wfi_tl_object *own) {
    if (!own->holder)
        own->holder = wfi_tl_track(t, wfi_tl_object_row(t, c->object), WF_TRACK_HOLDER, 0);
    own->held = free_hold_track(t, c->task);
    own->given = false;
    uint32_t task = wfi_tl_task_entity(t, c->task);
    wfi_tl_begin(own->holder, c->tick, task, WF_ENTITY_NONE, !c->from_known);
    wfi_tl_begin(own->held, c->tick, own->entity, WF_ENTITY_NONE, !c->from_known);
}

static void set_given(struct wfi_tl_object *own, uint64_t tick, uint32_t row) {
    own->given = true;
    own->given_tick = tick;
    own->given_row = row;
}

static void end_hold(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_object *own) {
    wfi_tl_end(t, own->holder, c->tick, c->cut);
    wfi_tl_end(t, own->held, c->tick, c->cut);
    own->held = NULL;
    if (!c->cut) set_given(own, c->tick, wfi_tl_task_row(t, c->task));
}

// ---- waits

// The last give of a mutex ended the wait; so did that of a semaphore if there was no other waiter.
static void add_give_arrow(struct wf_timeline *t, const struct wf_change *c,
                           const struct wfi_tl_object *own) {
    bool mutex = c->object->kind == WF_OBJECT_MUTEX;
    bool sure = mutex || (c->object->kind == WF_OBJECT_SEMAPHORE && own->waiting == 1);
    if (!sure || !own->given || own->given_tick < c->from) return;
    struct wf_arrow a = {.kind = WF_ARROW_GIVE, .begin = own->given_tick, .end = c->tick};
    a.from_row = own->given_row;
    a.to_row = wfi_tl_task_row(t, c->task);
    a.entity = own->entity;
    wfi_tl_arrow(t, &a);
}

// Counts the waiters that are known; in a hole others may have come or gone.
static void count_waiter(struct wf_timeline *t, const struct wf_change *c,
                         struct wfi_tl_object *own, bool more) {
    if (!more && !own->waiting) return;
    if (!more && c->got && !c->cut) add_give_arrow(t, c, own);
    own->waiting += more ? 1u : -1u;
    if (c->object->kind != WF_OBJECT_MUTEX) return;
    if (!own->waiters)
        own->waiters = wfi_tl_track(t, wfi_tl_object_row(t, c->object), WF_TRACK_LEVEL, 0);
    if (own->waiting)
        wfi_tl_level(t, own->waiters, c->tick, own->waiting);
    else
        wfi_tl_end(t, own->waiters, c->tick, c->cut);
}

static void begin_wait(struct wf_timeline *t, const struct wf_change *c,
                       struct wfi_tl_object *own) {
    struct wfi_tl_task *task = wfi_tl_task(t, c->task);
    if (task) wfi_job_change(&task->job, c);
    count_waiter(t, c, own, true);
}

// ---- contents

static void set_level(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_object *own) {
    if (!own->level)
        own->level = wfi_tl_track(t, wfi_tl_object_row(t, c->object), WF_TRACK_LEVEL, 0);
    wfi_tl_level(t, own->level, c->tick, c->value);
}

static void take_count(struct wf_timeline *t, const struct wf_change *c,
                       struct wfi_tl_object *own) {
    if (c->got)
        set_level(t, c, own);
    else
        wfi_tl_end(t, own->level, c->tick, true);
}

static void take_used(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_object *own) {
    if (c->cut) {
        wfi_tl_end(t, own->used, c->tick, true);
        return;
    }
    if (!own->used) own->used = wfi_tl_track(t, wfi_tl_object_row(t, c->object), WF_TRACK_USED, 0);
    if (!own->used) return;
    wfi_tl_level(t, own->used, c->tick, c->value);
    own->used->now.more = c->got;
}

static void take_lifetime(struct wf_timeline *t, const struct wf_change *c,
                          struct wfi_tl_object *own) {
    if (c->got) return;
    wfi_tl_end(t, own->used, c->tick, c->cut);
    wfi_tl_end(t, own->level, c->tick, c->cut); // without a change of their own
    wfi_tl_end(t, own->holder, c->tick, c->cut);
}

// ---- state machines

static void take_state(struct wf_timeline *t, const struct wf_change *c,
                       struct wfi_tl_object *own) {
    const struct wf_object *o = c->object;
    if (!own->machine)
        own->machine = wfi_tl_track(t, wfi_tl_object_row(t, c->object), WF_TRACK_MACHINE, 0);
    wfi_tl_end(t, own->machine, c->tick, c->cut);
    if (!c->value) return;
    uint64_t now = (uint64_t)c->value;
    bool cut = o->state_known && o->state == now && !o->state_since_known;
    uint32_t entity = wfi_tl_entity(t, WF_ENTITY_STATE, now, 0, NULL);
    wfi_tl_begin(own->machine, c->tick, entity, WF_ENTITY_NONE, cut);
}

static void take_step(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_object *own) {
    uint32_t signal = wfi_tl_entity(t, WF_ENTITY_SIGNAL, c->text, c->object->key, NULL);
    if (!own->steps)
        own->steps = wfi_tl_track(t, wfi_tl_object_row(t, c->object), WF_TRACK_STEPS, 0);
    if (!own->steps) return;
    if (c->kind == WF_CHANGE_STEP || !own->steps->open) // or it began in a hole
        wfi_tl_begin(own->steps, c->tick, signal, 0, c->kind != WF_CHANGE_STEP);
    if (c->kind == WF_CHANGE_STEP) return;
    own->steps->now.more = c->got;
    wfi_tl_end(t, own->steps, c->tick, c->cut);
}

// ---- queues

static void note_post(struct wf_timeline *t, const struct wf_change *c) {
    const struct wf_object *sender = c->sender ? wf_model_find_object(t->m, c->sender) : NULL;
    const struct wfi_tl_object *own = wfi_tl_known_object(t, sender);
    uint32_t row = own ? own->row : WF_NO_TRACK;
    const struct wf_core *core = wf_model_core(t->m, c->core);
    if (!c->flow) return;
    if (row == WF_NO_TRACK) row = wfi_tl_irq_row(t, c->core);
    if (row == WF_NO_TRACK && core->known && core->task) row = wfi_tl_task_row(t, core->task);
    if (row == WF_NO_TRACK) row = wfi_tl_object_row(t, c->object);
    wfi_tl_flow_begin(t, c->flow, c->tick, row);
}

static void note_get(struct wf_timeline *t, const struct wf_change *c) {
    if (!c->flow) return;
    uint32_t signal = wfi_tl_entity(t, WF_ENTITY_SIGNAL, c->text, c->object->key, NULL);
    wfi_tl_flow_end(t, c->flow, WF_ARROW_POST, c->tick, wfi_tl_object_row(t, c->object), signal);
}

static void note_give(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_object *own) {
    bool semaphore = c->object->kind == WF_OBJECT_SEMAPHORE;
    if (semaphore && !own->given)
        set_given(own, c->tick, wfi_tl_actor_row(t, c->task, c->core, WF_NO_TRACK));
    if (!c->flow) return;
    uint32_t other = wfi_tl_object_row(t, c->object);
    wfi_tl_flow_begin(t, c->flow, c->tick, wfi_tl_actor_row(t, c->task, c->core, other));
}

static void note_take(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_object *own) {
    own->given = false;
    if (!c->flow) return;
    uint32_t row = wfi_tl_actor_row(t, c->task, c->core, wfi_tl_object_row(t, c->object));
    wfi_tl_flow_end(t, c->flow, WF_ARROW_GIVE, c->tick, row, own->entity);
}

void wfi_tl_take_object(struct wf_timeline *t, const struct wf_change *c) {
    struct wfi_tl_object *own = c->object ? wfi_tl_object(t, c->object) : NULL;
    if (!own) return;
    check_holder(t, c, own);
    switch (c->kind) {
    case WF_CHANGE_HOLDER: take_holder(t, c, own); break;
    case WF_CHANGE_HOLD: begin_hold(t, c, own); break;
    case WF_CHANGE_HOLD_END: end_hold(t, c, own); break;
    case WF_CHANGE_WAIT: begin_wait(t, c, own); break;
    case WF_CHANGE_WAIT_END: count_waiter(t, c, own, false); break;
    case WF_CHANGE_COUNT:
    case WF_CHANGE_FREE: take_count(t, c, own); break;
    case WF_CHANGE_LOW: set_level(t, c, own); break;
    case WF_CHANGE_USED: take_used(t, c, own); break;
    case WF_CHANGE_OBJECT: take_lifetime(t, c, own); break;
    case WF_CHANGE_STATE: take_state(t, c, own); break;
    case WF_CHANGE_STEP:
    case WF_CHANGE_STEP_END: take_step(t, c, own); break;
    case WF_CHANGE_POST: note_post(t, c); break;
    case WF_CHANGE_GET: note_get(t, c); break;
    case WF_CHANGE_GIVE: note_give(t, c, own); break;
    case WF_CHANGE_TAKE: note_take(t, c, own); break;
    default: break; // not drawn; the table of records has it
    }
}
