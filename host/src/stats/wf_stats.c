// SPDX-License-Identifier: MIT
// Takes items: charges the time up to an item to the cores, hands each change of the model to the
// file that counts it, and keeps the holes.

#include "wfi_stats.h"

#include <stdlib.h>

#include "util/wfi_grow.h"
#include "util/wfi_options.h"
#include "core/wfi_session.h"
#include "wallfly_host/wf_time.h"

// ---- holes

// In slots each core has a hole of its own, as in the model; frames have one.
static unsigned hole_index(const struct wf_stats *st, unsigned core) {
    return wf_session_has_slots(st->s) && core < WF_MODEL_CORES ? core : 0;
}

// any: the core of the loss is unknown.
static void open_hole(struct wf_stats *st, unsigned core, bool any,
                      const struct wf_stats_hole *part) {
    unsigned at = hole_index(st, core);
    struct wf_stats_hole *h = &st->hole[at];
    uint64_t bit = UINT64_C(1) << at;
    if (!(st->holes_open & bit)) *h = (struct wf_stats_hole){.offset = part->offset, .exact = true};
    st->lossy = true;
    st->holes_open |= bit;
    if (any) st->holes_any |= bit;
    h->records += part->records;
    h->exact = h->exact && part->exact;
    h->bytes += part->bytes;
    ++st->epoch;
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) st->cores[i].epoch += any || i == core;
}

static void keep_hole(struct wf_stats *st, unsigned at, uint64_t from, uint64_t to) {
    uint64_t bit = UINT64_C(1) << at;
    bool all = !wf_session_has_slots(st->s) || (st->holes_any & bit);
    st->holes_open &= ~bit;
    st->holes_any &= ~bit;
    st->hole[at].from = from;
    st->hole[at].to = to;
    if (from > st->end || to < st->begin) return;
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) st->cores[i].marks += all || i == at;
    if (st->hole_count++ >= WF_STATS_HOLES) return;
    void *holes = st->holes;
    if (!wfi_grow(&holes, &st->hole_cap, sizeof *st->holes, st->hole_count)) {
        --st->hole_count;
        st->err = WF_ERR_NOMEM;
        return;
    }
    st->holes = holes;
    st->holes[st->hole_count - 1] = st->hole[at];
}

static void note_loss(struct wf_stats *st, const struct wf_loss *l) {
    struct wf_stats_hole part = {l->offset, 0, 0, l->records, l->exact, l->bytes};
    bool copy = l->kind == WF_LOSS_REPEATED;
    if (l->kind == WF_LOSS_BEGINNING) return; // no hole
    if (l->kind == WF_LOSS_LATE || copy) {
        part.records = 0;
        part.exact = true;
        if (l->bytes + l->lost == 0 || copy) return;
    }
    if (wfi_in_window(st, st->now, st->now)) st->lost += part.records;
    open_hole(st, l->core, l->any_core, &part);
}

static void take_hole(struct wf_stats *st, const struct wf_change *c) {
    unsigned at = hole_index(st, c->core);
    // An unreadable or late record, without a loss item.
    struct wf_stats_hole part = {.offset = c->record ? c->record->offset : 0, .exact = true};
    if (!(st->holes_open >> at & 1)) open_hole(st, c->core, false, &part);
    keep_hole(st, at, c->from, c->tick);
}

// ---- changes

// Minimum of free bytes of a stack or heap.
static void take_low(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_low *to =
        c->task ? &wfi_stat_task(st, c->task)->stack : &wfi_stat_object(st, c->object)->low;
    if (!wfi_in_window(st, st->now, st->now)) return;
    *to =
        (struct wfi_low){true, (uint64_t)c->value, c->task ? c->task->stack_size : c->object->room};
}

static void take_change(struct wf_stats *st, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_TASK:
    case WF_CHANGE_CREATE:
    case WF_CHANGE_PRIORITY: wfi_task_change(st, c); break;
    case WF_CHANGE_IRQ_BEGIN:
    case WF_CHANGE_IRQ_END: wfi_irq_change(st, c); break;
    case WF_CHANGE_SPAN:
    case WF_CHANGE_SPAN_END:
    case WF_CHANGE_COUNTER: wfi_note_change(st, c); break;
    case WF_CHANGE_LOSS: take_hole(st, c); break;
    case WF_CHANGE_INCONSISTENT: ++st->inconsistent; break;
    case WF_CHANGE_UNPAIRED: wfi_irq_unpaired(st, c); break;
    case WF_CHANGE_LOW: take_low(st, c); break;
    case WF_CHANGE_WAKE:
    case WF_CHANGE_USED:
    case WF_CHANGE_LOG: break;
    default: wfi_object_change(st, c);
    }
}

// Changes of state machines, which do not affect tasks and cores.
static bool take_machine(struct wf_stats *st, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_STEP_END: wfi_machine_change(st, c); return true;
    case WF_CHANGE_STEP:
    case WF_CHANGE_STATE:
    case WF_CHANGE_POST:
    case WF_CHANGE_GET:
    case WF_CHANGE_FREE: return true;
    default: return false;
    }
}

static void take_changes(struct wf_stats *st, const struct wf_change *changes, size_t count) {
    bool first = true;
    st->preempted = NULL;
    for (size_t i = 0; i < count; ++i) {
        const struct wf_change *c = &changes[i];
        if (take_machine(st, c)) continue;
        wfi_stat_core_add(st, c->core);
        if (first) {
            wfi_irq_doubt(st, c);
            wfi_stat_cores_charge(st);
        }
        first = false;
        take_change(st, c);
    }
}

static void note_error(struct wf_stats *st) {
    if (wf_model_error(st->m) != WF_OK) st->err = wf_model_error(st->m);
}

static void set_window(struct wf_stats *st) {
    uint64_t hz = wf_session_target(st->s)->hz;
    st->hz = hz;
    st->zero = wf_time_zero(st->s, st->o.target_clock);
    st->end = UINT64_MAX;
    if (st->o.has_from)
        st->begin = st->o.has_ticks ? st->o.from_tick : wf_time_tick_at(st->o.from_s, hz, st->zero);
    if (st->o.has_until)
        st->end = st->o.has_ticks ? st->o.until_tick : wf_time_tick_at(st->o.until_s, hz, st->zero);
}

static void begin_trace(struct wf_stats *st) {
    st->begun = true;
    st->first = st->now;
    for (unsigned i = 0; i < st->core_count; ++i) st->cores[i].since = st->now;
}

// The rate or the zero of the times may be known from this item on.
static inline void update_window(struct wf_stats *st) {
    uint64_t hz = st->s->target.hz, zero = wfi_time_zero(st->s, st->o.target_clock);
    if (hz != st->hz || zero != st->zero) set_window(st);
}

static void take_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_stats *st = (struct wf_stats *)sink;
    if (st->err != WF_OK) return;
    update_window(st);
    if (item->kind == WF_ITEM_LOSS) note_loss(st, &item->loss); // at the tick before
    st->item = item;
    bool moved = item->kind == WF_ITEM_EVENT && wf_model_tick(st->m) != st->now;
    st->now = wf_model_tick(st->m);
    const struct wf_record *r = item->kind == WF_ITEM_RECORD ? &item->record : NULL;
    bool timed = r && !r->back && (r->stamped || wf_session_has_slots(st->s));
    if (!st->begun && (timed || moved)) begin_trace(st);
    wfi_timing_move(st);
    if (item->kind == WF_ITEM_RECORD || item->kind == WF_ITEM_EVENT)
        st->records += wfi_in_window(st, st->now, st->now);
    st->changed = false;
    size_t count;
    const struct wf_change *changes = wf_model_changes(st->m, &count);
    if (count) take_changes(st, changes, count);
    note_error(st);
    wfi_stat_cores_read(st, item);
}

void wf_stats_take(struct wf_stats *st, const struct wf_item *item) {
    wf_sinks_item(st->sinks, item);
}

static void end_tasks(struct wf_stats *st) {
    for (unsigned i = 0; i < st->tasks.cap; ++i) {
        struct wfi_stat_task *t = st->tasks.at[i];
        if (t && t->raised) wfi_add_interval(st, &t->raised->spread[0], t->raised_at, true, false);
        if (t) t->raised = NULL;
    }
}

static void end_objects(struct wf_stats *st) {
    for (unsigned i = 0; i < st->objects.cap; ++i) {
        struct wfi_stat_object *o = st->objects.at[i];
        if (o) wfi_charge_depth(st, o);
    }
}

// Periods of interrupts and timers that are open at the end are in no row.
static void end_periods(struct wf_stats *st) {
    for (size_t i = 0; st->o.on_interval && i < st->entry_count; ++i) {
        const struct wfi_entry *e = st->entries[i];
        if (e->key.kind == WF_STATS_IRQ && e->last_known && e->epoch == wfi_epoch(st, e->key.b))
            wfi_report_uncounted(st, &e->spread[WFI_IRQ_PERIOD], e->last, true, false);
    }
    for (unsigned i = 0; st->o.on_interval && i < st->objects.cap; ++i) {
        const struct wfi_stat_object *o = st->objects.at[i];
        if (o && o->alarm.known && o->epoch == st->epoch && !o->o->ended)
            wfi_report_uncounted(st, &o->spread[WFI_ALARMS], o->alarm.value, true, false);
    }
}

static void before_end(struct wfi_sink *sink) {
    struct wf_stats *st = (struct wf_stats *)sink;
    if (st->err != WF_OK) return;
    st->now = wf_model_tick(st->m);
    wfi_stat_cores_charge(st);
    end_objects(st);
    st->ending = true;
    end_tasks(st);
    end_periods(st);
}

static void take_end(struct wfi_sink *sink) {
    struct wf_stats *st = (struct wf_stats *)sink;
    if (st->err != WF_OK) return;
    size_t count;
    const struct wf_change *changes = wf_model_changes(st->m, &count);
    take_changes(st, changes, count);
    note_error(st);
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        if (st->holes_open >> i & 1) keep_hole(st, i, st->now, st->now);
    }
    wfi_timing_end(st);
    if (!st->o.single && st->err == WF_OK) wfi_stat_group(st);
}

void wf_stats_end(struct wf_stats *st) { wf_sinks_end(st->sinks); }

// ---- open and close

struct wf_stats *wf_stats_open(struct wf_session *s, const struct wf_stats_options *options,
                               struct wf_error *error) {
    struct wf_stats *st = calloc(1, sizeof *st);
    int err = st ? wfi_options_copy(&st->o, sizeof st->o, options) : WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err != WF_OK) {
        free(st);
        return NULL;
    }
    st->s = s;
    set_window(st);
    st->sink = (struct wfi_sink){.before_end = before_end, .item = take_item, .end = take_end};
    st->sinks = wfi_sink_join(&st->sink, s, st->o.sinks, &st->own_sinks);
    if (st->sinks) st->m = wfi_sinks_model(st->sinks);
    if (st->m && wfi_timing_open(st)) return st;
    wf_error_code(error, WF_ERR_NOMEM);
    wf_stats_close(st);
    return NULL;
}

static void close_spreads(struct wfi_spread *s, unsigned count) {
    for (unsigned i = 0; i < count; ++i) wf_histogram_close(&s[i].histogram);
}

void wf_stats_close(struct wf_stats *st) {
    if (!st) return;
    for (unsigned i = 0; i < st->tasks.cap; ++i) {
        struct wfi_stat_task *t = st->tasks.at[i];
        if (t) close_spreads(t->spread, WFI_TASK_SPREADS);
    }
    for (unsigned i = 0; i < st->objects.cap; ++i) {
        struct wfi_stat_object *o = st->objects.at[i];
        if (o) close_spreads(o->spread, WFI_OBJECT_SPREADS);
    }
    wfi_per_close(&st->tasks);
    wfi_per_close(&st->objects);
    for (size_t i = 0; i < st->entry_count; ++i) {
        close_spreads(st->entries[i]->spread, 3);
        free(st->entries[i]);
    }
    wfi_sink_leave(&st->sink, st->sinks, st->own_sinks);
    wfi_timing_close(st);
    free(st->entries);
    free(st->slots);
    free(st->holes);
    free(st->unpaired);
    free(st);
}

int wf_stats_error(const struct wf_stats *st) { return st->err; }
const struct wf_model *wf_stats_model(const struct wf_stats *st) { return st->m; }
