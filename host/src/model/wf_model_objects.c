// SPDX-License-Identifier: MIT
// Objects: their waiters, holders and contents. A wait lasts from its record until the task gets
// the object, gives up, or makes another record. It may last longer than the state BLOCKED.

#include "wfi_model.h"

// ---- waits

static void begin_wait(struct wf_model *m, struct wf_task *t, struct wf_object *o, bool to_give) {
    struct wfi_task *own = wfi_task(t);
    struct wfi_object *of = wfi_object(o);
    wfi_wait_end(m, t, false, false);
    t->waits = o;
    t->waits_known = own->waits_anew = true;
    t->waits_to_give = to_give;
    t->waits_since = m->now;
    own->readied = WFI_NOT_READIED;
    own->settled = false;
    own->on_since_wait = t->state == WF_TASK_RUNNING;
    own->prev_waiting = of->last_waiter;
    if (of->last_waiter)
        of->last_waiter->pub.next_waiting = t;
    else
        o->waiters = t;
    of->last_waiter = own;
    wfi_task_inform(m, t);
    struct wf_change *c = wfi_change(m, WF_CHANGE_WAIT);
    c->task = t;
    c->object = o;
    wfi_priority_wait(m, t);
}

void wfi_wait_end(struct wf_model *m, struct wf_task *t, bool got, bool cut) {
    struct wfi_task *own = wfi_task(t);
    struct wf_object *o = t->waits;
    if (!o) return;
    if (own->prev_waiting)
        own->prev_waiting->pub.next_waiting = t->next_waiting;
    else
        o->waiters = t->next_waiting;
    if (t->next_waiting)
        wfi_task(t->next_waiting)->prev_waiting = own->prev_waiting;
    else
        wfi_object(o)->last_waiter = own->prev_waiting;
    own->prev_waiting = NULL;
    t->next_waiting = NULL;
    t->waits = NULL;
    struct wf_change *c = wfi_change(m, WF_CHANGE_WAIT_END);
    c->task = t;
    c->object = o;
    c->from = t->waits_since;
    c->from_known = true;
    c->got = got;
    c->cut = cut;
}

// Ends any wait of the task.
static void end_any_wait(struct wf_model *m, struct wf_task *t, bool got) {
    wfi_wait_end(m, t, got, false);
    t->waits_known = true;
    wfi_task_inform(m, t);
}

// Ends the wait of t, which got the object or was refused. If t had not begun to wait, t made the
// record and runs; otherwise the task that handed over the object may have made it.
static void settle_wait(struct wf_model *m, struct wf_task *t, const struct wf_object *o,
                        bool got) {
    struct wfi_task *own = wfi_task(t);
    bool at_once = t->waits_known && !t->waits;
    end_any_wait(m, t, got && t->waits == o);
    if (at_once)
        wfi_task_infer_running(m, t);
    else
        own->settled = own->on_since_wait;
}

// ---- mutexes

static void release_mutex(struct wf_model *m, struct wf_object *o, bool cut) {
    struct wf_task *t = o->holder;
    if (!t) return;
    struct wfi_object *own = wfi_object(o);
    if (own->prev_held)
        own->prev_held->pub.next_held = o->next_held;
    else
        t->holds = o->next_held;
    if (o->next_held) wfi_object(o->next_held)->prev_held = own->prev_held;
    own->prev_held = NULL;
    o->next_held = NULL;
    o->holder = NULL;
    o->nest = 0;
    struct wf_change *c = wfi_change(m, WF_CHANGE_HOLD_END);
    c->task = t;
    c->object = o;
    c->from = o->held_since;
    c->from_known = o->held_since_known;
    c->cut = cut;
}

// Sets whether the holder is known, or that there is none.
static void set_holder_known(struct wf_model *m, struct wf_object *o, bool known) {
    if (o->holder_known == known) return;
    o->holder_known = known;
    struct wf_change *c = wfi_change(m, WF_CHANGE_HOLDER);
    c->object = o;
    c->got = known;
}

// t holds the mutex. since: it took it now; else it may have held it before.
static void hold_mutex(struct wf_model *m, struct wf_object *o, struct wf_task *t, unsigned nest,
                       bool since) {
    set_holder_known(m, o, true);
    o->nest = nest;
    wfi_object_inform(m, o);
    if (o->holder == t) return;
    release_mutex(m, o, true);
    o->holder = t;
    o->nest = nest;
    o->held_since = m->now;
    o->held_since_known = since;
    o->next_held = t->holds;
    if (t->holds) wfi_object(t->holds)->prev_held = wfi_object(o);
    t->holds = o;
    struct wf_change *c = wfi_change(m, WF_CHANGE_HOLD);
    c->task = t;
    c->object = o;
    c->from = m->now;
    c->from_known = since;
}

static void take_mutex(struct wf_model *m, struct wf_object *o, struct wf_task *t, unsigned nest) {
    if (!t) {
        wfi_inconsistent(m, NULL, o, "taken by an interrupt");
        wfi_object_forget(m, o);
        return;
    }
    unsigned before = o->holder == t ? o->nest : 0;
    if (o->holder && o->holder != t)
        wfi_inconsistent(m, t, o, "taken while another task holds it");
    else if (nest == 0 || (o->holder_known && (before || !o->holder) && nest != before + 1))
        wfi_inconsistent(m, t, o, "the depth jumps");
    hold_mutex(m, o, t, nest, nest == 1);
}

// A kernel may release the mutexes of a task that it has ended.
static bool is_freed_for_ended(const struct wf_object *o, const struct wf_task *t) {
    return !t && o->holder && (o->holder->state == WF_TASK_ENDED || wfi_task(o->holder)->doomed);
}

static void give_mutex(struct wf_model *m, struct wf_object *o, struct wf_task *t, unsigned nest) {
    bool by_holder = o->holder == t || (nest == 0 && is_freed_for_ended(o, t));
    if (o->holder_known && !by_holder)
        wfi_inconsistent(m, t, o, "given by one that does not hold it");
    else if (o->holder_known && t && o->nest && nest != o->nest - 1)
        wfi_inconsistent(m, t, o, "the depth jumps");
    if (nest == 0) {
        release_mutex(m, o, !by_holder);
        set_holder_known(m, o, true);
        wfi_object_inform(m, o);
    } else if (t) {
        hold_mutex(m, o, t, nest, false);
    } else {
        wfi_object_forget(m, o);
    }
}

void wfi_object_set_holder(struct wf_model *m, struct wf_object *o, struct wf_task *t,
                           unsigned nest) {
    if (t && !o->holder_known) hold_mutex(m, o, t, nest, false);
}

// ---- contents

void wfi_object_count(struct wf_model *m, struct wf_object *o, enum wf_change_kind kind,
                      uint64_t count) {
    bool *known = kind == WF_CHANGE_FREE ? &o->free_known : &o->count_known;
    uint64_t *is = kind == WF_CHANGE_FREE ? &o->free : &o->count;
    if (*known && *is == count) return;
    *known = true;
    *is = count;
    wfi_object_inform(m, o);
    struct wf_change *c = wfi_change(m, kind);
    c->object = o;
    c->value = (int64_t)count;
    c->got = true;
}

static void set_count(struct wf_model *m, struct wf_object *o, uint64_t count) {
    bool counts = o->kind == WF_OBJECT_SEMAPHORE || o->kind == WF_OBJECT_QUEUE;
    if (counts) wfi_object_count(m, o, WF_CHANGE_COUNT, count);
}

static struct wf_change *report_action(struct wf_model *m, enum wf_change_kind kind,
                                       struct wf_task *t, struct wf_object *o, uint64_t value) {
    struct wf_change *c = wfi_change(m, kind);
    c->task = t;
    c->object = o;
    c->value = (int64_t)value;
    return c;
}

void wfi_object_take(struct wf_model *m, struct wf_object *o, struct wf_task *t, uint64_t n) {
    if (t) settle_wait(m, t, o, true);
    if (o->kind == WF_OBJECT_MUTEX) {
        take_mutex(m, o, t, (unsigned)n);
        return;
    }
    struct wf_change *c = report_action(m, WF_CHANGE_TAKE, t, o, n);
    if (o->kind == WF_OBJECT_QUEUE) {
        uint64_t flow = wfi_flow_out(m, o);
        c->flow = wfi_flows_check(m, o, n) ? flow : 0;
    }
    set_count(m, o, n);
}

// t gives a mutex. The wait for a condition gives one, too, before or after its own record: that
// neither ends a wait nor shows that t does not wait.
static void note_mutex_giver(struct wf_model *m, struct wf_task *t) {
    struct wfi_task *own = wfi_task(t);
    if (!t->waits_known) {
        wfi_task_infer_running(m, t);
        own->readied = WFI_PERHAPS_READIED;
    } else if (own->waits_anew && t->waits && t->waits->kind == WF_OBJECT_EVENTS) {
        own->waits_anew = false;
    } else {
        wfi_task_infer_active(m, t);
    }
}

void wfi_object_give(struct wf_model *m, struct wf_object *o, struct wf_task *t, uint64_t n) {
    if (t && o->kind == WF_OBJECT_QUEUE)
        settle_wait(m, t, o, t->waits_to_give);
    else if (t && o->kind == WF_OBJECT_MUTEX)
        note_mutex_giver(m, t);
    else
        wfi_task_infer_active(m, t);
    if (o->kind == WF_OBJECT_MUTEX) {
        give_mutex(m, o, t, (unsigned)n);
        return;
    }
    struct wf_change *c = report_action(m, WF_CHANGE_GIVE, t, o, n);
    if (o->kind == WF_OBJECT_QUEUE) {
        uint64_t flow = wfi_flow_in(m, o, false);
        c->flow = wfi_flows_check(m, o, n) ? flow : 0;
    }
    set_count(m, o, n);
}

void wfi_object_wait(struct wf_model *m, struct wf_object *o, struct wf_task *t, bool to_give) {
    if (!t) {
        wfi_inconsistent(m, NULL, o, "an interrupt waits");
        return;
    }
    wfi_task_infer_running(m, t);
    begin_wait(m, t, o, to_give);
}

void wfi_object_refuse(struct wf_model *m, struct wf_object *o, struct wf_task *t) {
    bool waited = t && t->waits == o;
    if (t) settle_wait(m, t, o, false);
    if (!waited) report_action(m, WF_CHANGE_REFUSED, t, o, 0);
}

// ---- create, delete, losses

void wfi_object_forget(struct wf_model *m, struct wf_object *o) {
    release_mutex(m, o, true);
    wfi_machine_forget(m, o, true);
    wfi_heap_forget(m, o);
    set_holder_known(m, o, false);
    o->waiters_known = false;
    if (o->count_known) {
        o->count_known = false;
        wfi_change(m, WF_CHANGE_COUNT)->object = o;
    }
    wfi_object_uninform(m, o);
}

void wfi_object_end(struct wf_model *m, struct wf_object *o, bool cut) {
    if (!wfi_object(o)->name) wfi_object_keep_name(m, o);
    while (o->waiters) wfi_wait_end(m, o->waiters, false, cut);
    release_mutex(m, o, cut);
    wfi_machine_forget(m, o, cut);
    wfi_flows_close(o);
    wfi_heap_close(o);
    o->ended = true;
    o->holder_known = o->count_known = o->waiters_known = o->used_known = false;
    wfi_object_uninform(m, o);
    struct wf_change *c = wfi_change(m, WF_CHANGE_OBJECT);
    c->object = o;
    c->cut = cut;
}

static void create_object(struct wf_model *m, struct wf_object *o) {
    uint64_t count = wfi_value(m, WF_KIND_DEPTH);
    o->waiters_known = true;
    set_holder_known(m, o, o->kind == WF_OBJECT_MUTEX);
    if (o->kind == WF_OBJECT_QUEUE || o->kind == WF_OBJECT_HEAP) o->room = count;
    wfi_object_inform(m, o);
    if (o->kind == WF_OBJECT_QUEUE) wfi_flows_set_empty(m, o);
    report_action(m, WF_CHANGE_OBJECT, NULL, o, count)->got = true;
    set_count(m, o, o->kind == WF_OBJECT_QUEUE ? 0 : count);
    if (o->kind == WF_OBJECT_HEAP) wfi_heap_create(m, o);
}

static void take_lifetime(struct wf_model *m, uint64_t key) {
    struct wf_object *o = wfi_object_known(m, key);
    if (m->record->row->effect == WF_EFFECT_OBJECT_DELETE) {
        o = wfi_object_of(m, key, true);
        if (o && !o->ended) wfi_object_end(m, o, false);
        return;
    }
    if (o && !o->ended) { // its end is lost
        bool contradicts = wfi_object(o)->epoch == m->epoch;
        if (contradicts) wfi_inconsistent(m, NULL, o, "an object is created that is there");
        wfi_object_end(m, o, true);
    }
    o = wfi_object_new(m, key, true);
    if (!o) return;
    o->kind = wfi_object_kind(m->record->row);
    create_object(m, o);
}

// ---- records of an RTOS

// The record's depth, nesting, flags, ticks or bytes: it has one of them at most.
static uint64_t main_value(const struct wf_model *m) {
    static const enum wf_kind kinds[] = {WF_KIND_DEPTH, WF_KIND_NESTING, WF_KIND_FLAGS,
                                         WF_KIND_TICKS, WF_KIND_BYTES};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        if (wfi_has(m, kinds[i])) return wfi_value(m, kinds[i]);
    }
    return 0;
}

static void take_memory(struct wf_model *m, struct wf_object *o, struct wf_task *t, bool got) {
    if (t && got) settle_wait(m, t, o, true);
    struct wf_change *c = report_action(m, WF_CHANGE_MEMORY, t, o, main_value(m));
    c->text = wfi_value(m, WF_KIND_ADDRESS);
    c->got = got;
    if (o->kind == WF_OBJECT_HEAP)
        wfi_heap_block(m, o, wfi_value(m, WF_KIND_ADDRESS), main_value(m), got);
}

static void report_low(struct wf_model *m, struct wf_object *o) {
    const uint64_t low = wfi_value(m, WF_KIND_LOW);
    report_action(m, WF_CHANGE_LOW, NULL, o, low)->got = !o->low_known || o->low != low;
    o->low_known = true;
    o->low = low;
}

void wfi_task_infer_active(struct wf_model *m, struct wf_task *t) {
    if (!t) return;
    end_any_wait(m, t, false);
    wfi_task_infer_running(m, t);
}

void wfi_take_object(struct wf_model *m) {
    enum wf_effect effect = m->record->row->effect;
    uint64_t key = wfi_value(m, WF_KIND_OBJECT), n = main_value(m);
    if (effect == WF_EFFECT_OBJECT_CREATE || effect == WF_EFFECT_OBJECT_DELETE) {
        take_lifetime(m, key);
        return;
    }
    bool after = effect == WF_EFFECT_TIMEOUT || effect == WF_EFFECT_REFUSED;
    struct wf_object *o = wfi_object_of(m, key, after);
    struct wf_task *t = wfi_actor(m);
    if (!o || m->err != WF_OK) return;
    switch (effect) {
    case WF_EFFECT_TAKE: wfi_object_take(m, o, t, n); break;
    case WF_EFFECT_WAIT: wfi_object_wait(m, o, t, false); break;
    case WF_EFFECT_GIVE_WAIT: wfi_object_wait(m, o, t, true); break;
    case WF_EFFECT_TIMEOUT:
        if (t && (t->waits || !t->waits_known)) settle_wait(m, t, o, false);
        break;
    case WF_EFFECT_REFUSED:
    case WF_EFFECT_GIVE_REFUSED:
    case WF_EFFECT_ALLOC_FAIL: wfi_object_refuse(m, o, t); break;
    case WF_EFFECT_GIVE: wfi_object_give(m, o, t, n); break;
    case WF_EFFECT_FLAGS_CLEAR: wfi_task_infer_active(m, t); break;
    case WF_EFFECT_ALARM_START:
    case WF_EFFECT_ALARM_STOP:
        wfi_task_infer_active(m, t);
        report_action(m, WF_CHANGE_ALARM_SET, t, o, n)->got = effect == WF_EFFECT_ALARM_START;
        break;
    case WF_EFFECT_ALARM: report_action(m, WF_CHANGE_ALARM, NULL, o, 0); break;
    case WF_EFFECT_ALLOC: take_memory(m, o, t, true); break;
    case WF_EFFECT_HEAP_LOW: report_low(m, o); break;
    default: // FREE
        wfi_task_infer_active(m, t);
        take_memory(m, o, t, false);
    }
}
