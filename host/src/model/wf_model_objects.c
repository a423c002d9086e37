// SPDX-License-Identifier: MIT
// Objects: their waiters, holders and contents. A wait lasts from its record until the task gets
// the object, gives up, or does something else: longer than the task is BLOCKED.

#include "wfi_model.h"

// ---- waits

static void wait_begin(struct wf_model *m, struct wf_task *t, struct wf_object *o, bool to_give) {
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
static void waits_for_nothing(struct wf_model *m, struct wf_task *t, bool got) {
    wfi_wait_end(m, t, got, false);
    t->waits_known = true;
    wfi_task_inform(m, t);
}

// t got what it asked for, or was refused. If it had not begun to wait, it runs and has it at once;
// otherwise the record may be made by the task that handed it over.
static void settle(struct wf_model *m, struct wf_task *t, const struct wf_object *o, bool got) {
    struct wfi_task *own = wfi_task(t);
    bool at_once = t->waits_known && !t->waits;
    waits_for_nothing(m, t, got && t->waits == o);
    if (at_once)
        wfi_task_acts(m, t);
    else
        own->settled = own->on_since_wait;
}

// ---- mutexes

static void release(struct wf_model *m, struct wf_object *o, bool cut) {
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

// The holder, or that there is none, is known from now on, or no longer.
static void know_holder(struct wf_model *m, struct wf_object *o, bool known) {
    if (o->holder_known == known) return;
    o->holder_known = known;
    struct wf_change *c = wfi_change(m, WF_CHANGE_HOLDER);
    c->object = o;
    c->got = known;
}

// t is known to hold it from now on. since: it took it now.
static void hold(struct wf_model *m, struct wf_object *o, struct wf_task *t, unsigned nest,
                 bool since) {
    know_holder(m, o, true);
    o->nest = nest;
    wfi_object_inform(m, o);
    if (o->holder == t) return;
    release(m, o, true);
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
        wfi_odd(m, NULL, o, "taken by an interrupt");
        wfi_object_forget(m, o);
        return;
    }
    unsigned before = o->holder == t ? o->nest : 0;
    if (o->holder && o->holder != t)
        wfi_odd(m, t, o, "taken while another task holds it");
    else if (nest == 0 || (o->holder_known && (before || !o->holder) && nest != before + 1))
        wfi_odd(m, t, o, "the depth jumps");
    hold(m, o, t, nest, nest == 1);
}

// A kernel may give the mutexes of a task that it has ended.
static bool frees_of_ended(const struct wf_object *o, const struct wf_task *t) {
    return !t && o->holder && (o->holder->state == WF_TASK_ENDED || wfi_task(o->holder)->doomed);
}

static void give_mutex(struct wf_model *m, struct wf_object *o, struct wf_task *t, unsigned nest) {
    bool by_holder = o->holder == t || (nest == 0 && frees_of_ended(o, t));
    if (o->holder_known && !by_holder)
        wfi_odd(m, t, o, "given by one that does not hold it");
    else if (o->holder_known && t && o->nest && nest != o->nest - 1)
        wfi_odd(m, t, o, "the depth jumps");
    if (nest == 0) {
        release(m, o, !by_holder);
        know_holder(m, o, true);
        wfi_object_inform(m, o);
    } else if (t) {
        hold(m, o, t, nest, false);
    } else {
        wfi_object_forget(m, o);
    }
}

void wfi_hold_told(struct wf_model *m, struct wf_object *o, struct wf_task *t, unsigned nest) {
    if (t && !o->holder_known) hold(m, o, t, nest, false);
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

static struct wf_change *did(struct wf_model *m, enum wf_change_kind kind, struct wf_task *t,
                             struct wf_object *o, uint64_t value) {
    struct wf_change *c = wfi_change(m, kind);
    c->task = t;
    c->object = o;
    c->value = (int64_t)value;
    return c;
}

void wfi_object_takes(struct wf_model *m, struct wf_object *o, struct wf_task *t, uint64_t n) {
    if (t) settle(m, t, o, true);
    if (o->kind == WF_OBJECT_MUTEX) {
        take_mutex(m, o, t, (unsigned)n);
        return;
    }
    struct wf_change *c = did(m, WF_CHANGE_TAKE, t, o, n);
    if (o->kind == WF_OBJECT_QUEUE) {
        uint64_t flow = wfi_flow_out(m, o);
        c->flow = wfi_flows_are(m, o, n) ? flow : 0;
    }
    set_count(m, o, n);
}

// t gives a mutex. A condition's wait does this, too, before or after its own record: that does not
// end the wait, nor show that there is none.
static void gives_mutex(struct wf_model *m, struct wf_task *t) {
    struct wfi_task *own = wfi_task(t);
    if (!t->waits_known) {
        wfi_task_acts(m, t);
        own->readied = WFI_PERHAPS_READIED;
    } else if (own->waits_anew && t->waits && t->waits->kind == WF_OBJECT_EVENTS) {
        own->waits_anew = false;
    } else {
        wfi_task_does(m, t);
    }
}

void wfi_object_gives(struct wf_model *m, struct wf_object *o, struct wf_task *t, uint64_t n) {
    if (t && o->kind == WF_OBJECT_QUEUE)
        settle(m, t, o, t->waits_to_give);
    else if (t && o->kind == WF_OBJECT_MUTEX)
        gives_mutex(m, t);
    else
        wfi_task_does(m, t);
    if (o->kind == WF_OBJECT_MUTEX) {
        give_mutex(m, o, t, (unsigned)n);
        return;
    }
    struct wf_change *c = did(m, WF_CHANGE_GIVE, t, o, n);
    if (o->kind == WF_OBJECT_QUEUE) {
        uint64_t flow = wfi_flow_in(m, o, false);
        c->flow = wfi_flows_are(m, o, n) ? flow : 0;
    }
    set_count(m, o, n);
}

void wfi_object_waits(struct wf_model *m, struct wf_object *o, struct wf_task *t, bool to_give) {
    if (!t) {
        wfi_odd(m, NULL, o, "an interrupt waits");
        return;
    }
    wfi_task_acts(m, t);
    wait_begin(m, t, o, to_give);
}

void wfi_object_refuses(struct wf_model *m, struct wf_object *o, struct wf_task *t) {
    bool waited = t && t->waits == o;
    if (t) settle(m, t, o, false);
    if (!waited) did(m, WF_CHANGE_REFUSED, t, o, 0);
}

// ---- create, delete, losses

void wfi_object_forget(struct wf_model *m, struct wf_object *o) {
    release(m, o, true);
    wfi_machine_forget(m, o, true);
    know_holder(m, o, false);
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
    release(m, o, cut);
    wfi_machine_forget(m, o, cut);
    wfi_flows_close(o);
    o->ended = true;
    o->holder_known = o->count_known = o->waiters_known = false;
    wfi_object_uninform(m, o);
    struct wf_change *c = wfi_change(m, WF_CHANGE_OBJECT);
    c->object = o;
    c->cut = cut;
}

static void create(struct wf_model *m, struct wf_object *o) {
    uint64_t count = wfi_value(m, WF_KIND_DEPTH);
    o->waiters_known = true;
    know_holder(m, o, o->kind == WF_OBJECT_MUTEX);
    if (o->kind == WF_OBJECT_QUEUE || o->kind == WF_OBJECT_HEAP) o->room = count;
    wfi_object_inform(m, o);
    if (o->kind == WF_OBJECT_QUEUE) wfi_flows_empty(m, o);
    did(m, WF_CHANGE_OBJECT, NULL, o, count)->got = true;
    set_count(m, o, o->kind == WF_OBJECT_QUEUE ? 0 : count);
}

static void take_life(struct wf_model *m, uint64_t key) {
    struct wf_object *o = wfi_object_known(m, key);
    if (m->record->row->effect == WF_EFFECT_OBJECT_DELETE) {
        o = wfi_object_of(m, key, true);
        if (o && !o->ended) wfi_object_end(m, o, false);
        return;
    }
    if (o && !o->ended) { // its end is lost
        bool odd = wfi_object(o)->epoch == m->epoch;
        if (odd) wfi_odd(m, NULL, o, "an object is created that is there");
        wfi_object_end(m, o, true);
    }
    o = wfi_object_new(m, key, true);
    if (!o) return;
    o->kind = wfi_object_kind(m->record->row);
    create(m, o);
}

// ---- records of an RTOS

// Depth, bits or ticks, whichever field the record has.
static uint64_t number(const struct wf_model *m) {
    static const enum wf_kind kinds[] = {WF_KIND_DEPTH, WF_KIND_NESTING, WF_KIND_FLAGS,
                                         WF_KIND_TICKS, WF_KIND_BYTES};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        if (wfi_has(m, kinds[i])) return wfi_value(m, kinds[i]);
    }
    return 0;
}

static void take_memory(struct wf_model *m, struct wf_object *o, struct wf_task *t, bool got) {
    if (t && got) settle(m, t, o, true);
    struct wf_change *c = did(m, WF_CHANGE_MEMORY, t, o, number(m));
    c->text = wfi_value(m, WF_KIND_ADDRESS);
    c->got = got;
}

static void mark_low(struct wf_model *m, struct wf_object *o) {
    const uint64_t low = wfi_value(m, WF_KIND_LOW);
    did(m, WF_CHANGE_LOW, NULL, o, low)->got = !o->low_known || o->low != low;
    o->low_known = true;
    o->low = low;
}

void wfi_task_does(struct wf_model *m, struct wf_task *t) {
    if (!t) return;
    waits_for_nothing(m, t, false);
    wfi_task_acts(m, t);
}

void wfi_take_object(struct wf_model *m) {
    enum wf_effect effect = m->record->row->effect;
    uint64_t key = wfi_value(m, WF_KIND_OBJECT), n = number(m);
    if (effect == WF_EFFECT_OBJECT_CREATE || effect == WF_EFFECT_OBJECT_DELETE) {
        take_life(m, key);
        return;
    }
    bool after = effect == WF_EFFECT_TIMEOUT || effect == WF_EFFECT_REFUSED;
    struct wf_object *o = wfi_object_of(m, key, after);
    struct wf_task *t = wfi_actor(m);
    if (!o || m->err != WF_OK) return;
    switch (effect) {
    case WF_EFFECT_TAKE: wfi_object_takes(m, o, t, n); break;
    case WF_EFFECT_WAIT: wfi_object_waits(m, o, t, false); break;
    case WF_EFFECT_GIVE_WAIT: wfi_object_waits(m, o, t, true); break;
    case WF_EFFECT_TIMEOUT:
        if (t && (t->waits || !t->waits_known)) settle(m, t, o, false);
        break;
    case WF_EFFECT_REFUSED:
    case WF_EFFECT_GIVE_REFUSED:
    case WF_EFFECT_ALLOC_FAIL: wfi_object_refuses(m, o, t); break;
    case WF_EFFECT_GIVE: wfi_object_gives(m, o, t, n); break;
    case WF_EFFECT_FLAGS_CLEAR: wfi_task_does(m, t); break;
    case WF_EFFECT_ALARM_START:
    case WF_EFFECT_ALARM_STOP:
        wfi_task_does(m, t);
        did(m, WF_CHANGE_ALARM_SET, t, o, n)->got = effect == WF_EFFECT_ALARM_START;
        break;
    case WF_EFFECT_ALARM: did(m, WF_CHANGE_ALARM, NULL, o, 0); break;
    case WF_EFFECT_ALLOC: take_memory(m, o, t, true); break;
    case WF_EFFECT_HEAP_LOW: mark_low(m, o); break;
    default: // FREE
        wfi_task_does(m, t);
        take_memory(m, o, t, false);
    }
}
