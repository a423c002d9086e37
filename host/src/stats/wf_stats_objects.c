// SPDX-License-Identifier: MIT
// Waits, holds and contents of objects. A wait for a mutex is split by its holders. A priority
// inversion is a wait during which a task runs whose priority lies between those of the waiter and
// the holder. Only one order of priorities applies, but it may not be known yet: both are searched,
// and the rows show the right one.

#include "util/wfi_hash.h"
#include "wfi_stats.h"

#include <stdlib.h>

struct wfi_stat_object *wfi_stat_object(struct wf_stats *st, struct wf_object *o) {
    static struct wfi_stat_object spare;
    struct wfi_stat_object *own = wfi_stat_of_object(st, o);
    if (own) return own;
    own = wfi_per_add(&st->objects, o->index, sizeof *own);
    if (!own) {
        st->err = WF_ERR_NOMEM;
        own = &spare;
    }
    wfi_own_spreads(st, &own->owner, WF_STATS_OBJECT, own->spread, WFI_OBJECT_SPREADS);
    own->o = o;
    if (own == &spare) return own;
    own->born = o->created ? st->hole_count : 0;
    own->died = UINT64_MAX;
    return own;
}

// ---- the table of entries

static bool same_key(const struct wfi_key *x, const struct wfi_key *y) {
    return x->kind == y->kind && x->a == y->a && x->b == y->b && x->c == y->c && x->d == y->d;
}

static struct wfi_entry **slot_of(struct wf_stats *st, const struct wfi_key *k) {
    uint64_t h = wfi_hash(k->a, (uint64_t)k->b ^ (uint64_t)k->kind << 56, st->slots);
    for (size_t i = (size_t)wfi_hash(h ^ (uint64_t)k->d, (uint64_t)k->c, st->slots);; ++i) {
        struct wfi_entry **slot = &st->slots[i & (st->slot_count - 1)];
        if (!*slot || same_key(&(*slot)->key, k)) return slot;
    }
}

static bool grow_table(struct wf_stats *st) {
    if (2 * st->entry_count < st->slot_count) return true;
    size_t count = st->slot_count ? 2 * st->slot_count : 64;
    struct wfi_entry **slots = calloc(count, sizeof *slots);
    struct wfi_entry **entries = realloc(st->entries, count / 2 * sizeof *entries);
    if (entries) st->entries = entries;
    if (!slots || !entries) {
        free(slots);
        return false;
    }
    free(st->slots);
    st->slots = slots;
    st->slot_count = count;
    for (size_t i = 0; i < st->entry_count; ++i) *slot_of(st, &entries[i]->key) = entries[i];
    return true;
}

static struct wfi_entry *spare_entry(struct wf_stats *st, enum wf_stats_kind kind) {
    static struct wfi_entry spare;
    st->err = WF_ERR_NOMEM;
    wfi_own_spreads(st, &spare.owner, kind, spare.spread, 3);
    return &spare;
}

struct wfi_entry *wfi_stat_entry(struct wf_stats *st, struct wfi_key key) {
    if (!grow_table(st)) return spare_entry(st, key.kind);
    struct wfi_entry **slot = slot_of(st, &key);
    if (*slot) return *slot;
    *slot = calloc(1, sizeof **slot);
    if (!*slot) return spare_entry(st, key.kind);
    wfi_own_spreads(st, &(*slot)->owner, key.kind, (*slot)->spread, 3);
    (*slot)->key = key;
    st->entries[st->entry_count++] = *slot;
    return *slot;
}

struct wfi_entry *wfi_stat_pair(struct wf_stats *st, enum wf_stats_kind kind, struct wf_task *task,
                                struct wf_object *object, struct wf_task *by,
                                struct wf_task *over) {
    struct wfi_key key = {kind, (uint64_t)task->index + 1, object->index + 1,
                          by ? by->index + 1 : 0, over ? over->index + 1 : 0};
    struct wfi_entry *e = wfi_stat_entry(st, key);
    e->task = task;
    e->object = object;
    e->by = by;
    e->over = over;
    return e;
}

// Gets the entry of a waiter and its holder. Above WFI_PAIRS_MOST entries the holder is null: it
// stands for several.
static struct wfi_entry *holder_pair(struct wf_stats *st, enum wf_stats_kind kind,
                                     const struct wfi_stat_task *w, struct wf_task *over) {
    bool few = st->pairs < WFI_PAIRS_MOST;
    size_t before = st->entry_count;
    struct wfi_entry *e =
        wfi_stat_pair(st, kind, w->t, w->mutex, few ? w->holder : NULL, few ? over : NULL);
    st->pairs += st->entry_count - before;
    return e;
}

// ---- inversions

static void add_inversion(struct wf_stats *st, struct wfi_stat_task *w, struct wfi_stat_task *over,
                          bool low, uint64_t ticks) {
    struct wfi_entry *e = holder_pair(st, WF_STATS_INVERSION, w, over->t);
    if (e->wait != w->wait) { // first inversion of this wait
        e->wait = w->wait;
        e->low = low;
        e->sum = 0;
        e->next = w->inversions;
        w->inversions = e;
    }
    e->sum += ticks;
}

// Ends the inversions of a wait that began at `from`. If the wait was cut, or crosses the begin or
// end of the window, they may have been longer.
static void end_inversions(struct wf_stats *st, struct wfi_stat_task *w, uint64_t from, bool cut) {
    for (struct wfi_entry *e = w->inversions; e; e = e->next) {
        if (cut || !wfi_in_window(st, from, st->now))
            wfi_add_interval(st, &e->spread[0], from, true, !cut);
        else
            wfi_add_value(st, &e->spread[0], from, e->sum);
    }
    w->inversions = NULL;
}

void wfi_add_inversions(struct wf_stats *st, struct wfi_stat_task *t, uint64_t from) {
    for (unsigned i = 0; i < st->waiting_count; ++i) {
        struct wfi_stat_task *w = st->waiting[i];
        const struct wfi_stat_task *h = w->holder ? wfi_stat_task(st, w->holder) : NULL;
        if (!h || h == t || w == t || !w->prio_known || !h->prio_known || !t->prio_known) continue;
        if (w->t->by_priority != t->t->by_priority || h->t->by_priority != t->t->by_priority)
            continue;
        bool low = w->prio < t->prio && t->prio < h->prio;
        bool high = w->prio > t->prio && t->prio > h->prio;
        uint64_t ticks = wfi_overlap(st, from, st->now);
        if ((low || high) && ticks) add_inversion(st, w, t, low, ticks);
    }
}

enum wf_priorities wfi_priority_order(const struct wf_stats *st) {
    if (st->o.priorities != WF_PRIORITIES_UNKNOWN) return st->o.priorities;
    if (st->low > 9 * st->high) return WF_PRIORITIES_LOW;
    return st->high > 9 * st->low ? WF_PRIORITIES_HIGH : WF_PRIORITIES_UNKNOWN;
}

// ---- waits

static void end_holder(struct wf_stats *st, struct wfi_stat_task *w, bool cut) {
    if (!w->holder) return;
    struct wfi_entry *e = holder_pair(st, WF_STATS_BLOCKED, w, NULL);
    wfi_add_interval(st, &e->spread[0], w->since, w->since_known, !cut);
    w->holder = NULL;
}

static void begin_holder(struct wf_stats *st, struct wfi_stat_task *w, struct wf_task *holder,
                         bool known) {
    w->holder = holder;
    w->since = st->now;
    w->since_known = known;
}

// Updates the waiters of a mutex when its holder changes.
static void hand_over(struct wf_stats *st, const struct wf_change *c) {
    for (unsigned i = 0; i < st->waiting_count; ++i) {
        struct wfi_stat_task *w = st->waiting[i];
        if (w->mutex != c->object) continue;
        end_holder(st, w, c->cut);
        if (c->kind == WF_CHANGE_HOLD && c->task != w->t)
            begin_holder(st, w, c->task, c->from_known);
    }
}

// Returns false if the wait was not tracked.
static bool stop_waiting(struct wf_stats *st, struct wfi_stat_task *w, uint64_t from, bool cut) {
    bool followed = false;
    for (unsigned i = 0; i < st->waiting_count; ++i) {
        if (st->waiting[i] != w) continue;
        end_holder(st, w, cut);
        end_inversions(st, w, from, cut);
        st->waiting[i] = st->waiting[--st->waiting_count];
        followed = true;
    }
    w->mutex = NULL;
    return followed;
}

static void wait_for_mutex(struct wf_stats *st, struct wfi_stat_task *w, struct wf_object *o) {
    w->holder = NULL;
    if (st->waiting_count == WFI_FOLLOWED_MOST) return;
    st->waiting[st->waiting_count++] = w;
    w->mutex = o;
    w->wait = ++st->waits;
    if (o->holder_known && o->holder) begin_holder(st, w, o->holder, true);
}

static void begin_wait(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_stat_task *w = wfi_stat_task(st, c->task);
    bool in = wfi_in_window(st, st->now, st->now);
    wfi_note_priority(st, c->task);
    stop_waiting(st, w, st->now, false);
    wfi_job_change(&w->job, c);
    if (in) ++wfi_stat_object(st, c->object)->n[WFI_WAITS];
    if (in) ++wfi_stat_pair(st, WF_STATS_WAIT, c->task, c->object, NULL, NULL)->n[WFI_WAIT_WAITS];
    if (c->object->kind == WF_OBJECT_MUTEX) wait_for_mutex(st, w, c->object);
}

static void end_wait(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_stat_task *w = wfi_stat_task(st, c->task);
    struct wfi_stat_object *o = wfi_stat_object(st, c->object);
    struct wfi_entry *e = wfi_stat_pair(st, WF_STATS_WAIT, c->task, c->object, NULL, NULL);
    bool followed = stop_waiting(st, w, c->from, c->cut);
    if (!followed && c->object->kind == WF_OBJECT_MUTEX) {
        struct wfi_entry *blocked =
            wfi_stat_pair(st, WF_STATS_BLOCKED, c->task, c->object, NULL, NULL);
        wfi_add_change(st, &blocked->spread[0], c);
    }
    wfi_add_change(st, &e->spread[0], c);
    wfi_add_change(st, &o->spread[WFI_WAITED], c);
    if (c->cut || !wfi_in_window(st, st->now, st->now)) return;
    ++o->n[c->got ? WFI_GOT : WFI_GAVE_UP];
    ++e->n[c->got ? WFI_WAIT_GOT : WFI_WAIT_GAVE_UP];
    if (c->got) return;
    const struct wf_stats_place place = {true, c->from, st->now};
    if (!o->gave_up.known) o->gave_up = place;
    if (!e->gave_up.known) e->gave_up = place;
}

// ---- holds, depth, timers, memory

static void end_hold(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_stat_object *o = wfi_stat_object(st, c->object);
    struct wfi_entry *e = wfi_stat_pair(st, WF_STATS_HOLD, c->task, c->object, NULL, NULL);
    wfi_add_change(st, &o->spread[WFI_HELD], c);
    wfi_add_change(st, &e->spread[0], c);
    hand_over(st, c);
}

// Notes that the object had its depth at this time, from which on it has it in the window.
static void note_depth(struct wfi_stat_object *o, uint64_t at) {
    bool less = !o->depth_seen || o->depth < o->depth_min;
    bool more = !o->depth_seen || o->depth > o->depth_max;
    wfi_note_place(&o->depth_at, less, more, at, at);
    if (less) o->depth_min = o->depth;
    if (more) o->depth_max = o->depth;
    o->depth_seen = true;
}

void wfi_charge_depth(struct wf_stats *st, struct wfi_stat_object *o) {
    uint64_t ticks = o->depth_known ? wfi_overlap(st, o->since, st->now) : 0;
    o->known += ticks;
    o->depth_ticks += (double)ticks * (double)o->depth;
    if (ticks) note_depth(o, o->since > st->begin ? o->since : st->begin);
    o->since = st->now;
}

static void set_depth(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_stat_object *o = wfi_stat_object(st, c->object);
    wfi_charge_depth(st, o);
    o->depth_known = c->got;
    if (!c->got) return;
    o->depth = (uint64_t)c->value;
    if (!wfi_in_window(st, st->now, st->now)) return;
    note_depth(o, st->now);
    ++o->depth_count;
}

static void take_alarm(struct wf_stats *st, struct wfi_stat_object *o) {
    if (o->alarm.known)
        wfi_add_interval(st, &o->spread[WFI_ALARMS], o->alarm.value, true, o->epoch == st->epoch);
    o->alarm = (struct wfi_last){true, st->now};
    o->epoch = st->epoch;
}

static void count_action(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_stat_object *o = wfi_stat_object(st, c->object);
    int n;
    switch (c->kind) {
    case WF_CHANGE_TAKE: n = WFI_TAKEN; break;
    case WF_CHANGE_GIVE: n = WFI_GIVEN; break;
    case WF_CHANGE_REFUSED: n = WFI_REFUSED; break;
    case WF_CHANGE_ALARM: n = WFI_EXPIRED; break;
    case WF_CHANGE_ALARM_SET: n = c->got ? WFI_STARTED : -1; break;
    default: n = c->got ? WFI_ALLOCATED : WFI_FREED;
    }
    if (n >= 0 && wfi_in_window(st, st->now, st->now)) ++o->n[n];
    if (n == WFI_EXPIRED) take_alarm(st, o);
    if (c->kind == WF_CHANGE_ALARM_SET) o->alarm.known = false;
    if (n == WFI_ALLOCATED) wfi_add_value(st, &o->spread[WFI_BYTES], st->now, (uint64_t)c->value);
}

void wfi_object_change(struct wf_stats *st, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_WAIT: begin_wait(st, c); break;
    case WF_CHANGE_WAIT_END: end_wait(st, c); break;
    case WF_CHANGE_HOLD: hand_over(st, c); break;
    case WF_CHANGE_HOLD_END: end_hold(st, c); break;
    case WF_CHANGE_COUNT: set_depth(st, c); break;
    case WF_CHANGE_OBJECT: {
        struct wfi_stat_object *o = wfi_stat_object(st, c->object);
        if (c->got) break;
        wfi_charge_depth(st, o);
        o->depth_known = false;
        o->died = wfi_holes(st, c->cut);
        break;
    }
    case WF_CHANGE_HOLDER: break;
    default: count_action(st, c);
    }
}
