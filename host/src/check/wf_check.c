// SPDX-License-Identifier: MIT
// Takes items: hands changes, records and intervals to the rules, and keeps account of the holes.

#include "wfi_check_events.h"
#include "wfi_check_load.h"

#include <stdlib.h>
#include <string.h>

#include "core/wfi_session.h"
#include "util/wfi_grow.h"
#include "wallfly_host/wf_time.h"
#include "wallfly_host/wf_writer.h"

// ---- holes

// A loss before `from` that was not seen: what was found since the last SYNC may be wrong.
static void retract(struct wf_check *c, uint64_t since) {
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) {
        if (r->load) wfi_load_doubt(r, since);
        if (!r->load && !r->events) wfi_sums_retract(r, since);
        if (r->events && r->r.kind != WF_CHECK_NEVER) wfi_events_retract(r, since);
    }
}

static void end_hole(struct wf_check *c, uint64_t from) {
    uint64_t records = c->pending;
    if (c->unseen && c->unseen_from < from) from = c->unseen_from;
    c->unseen = false;
    c->pending = 0;
    ++c->all_holes;
    c->holes += c->now >= c->begin && from <= c->end;
    struct wfi_place p = {.from = from,
                          .to = c->now,
                          .record = c->record,
                          .value = (double)records,
                          .badness = (double)records,
                          .core = -1,
                          .irq = -1};
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) {
        if (r->r.kind == WF_CHECK_LOSS) {
            wfi_places_add(&r->broken, &p);
            if ((double)c->missing > r->limit[WFI_MAX]) wfi_failure_report(r, &p);
        }
        if (r->r.kind == WF_CHECK_AFTER) wfi_events_hole(r, from);
    }
}

static void begin_hole(struct wf_check *c) {
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) {
        if (r->events) wfi_events_loss(r);
    }
}

static void note_loss(struct wf_check *c, const struct wf_loss *l) {
    bool again = l->kind == WF_LOSS_LATE || l->kind == WF_LOSS_REPEATED;
    bool copy = l->kind == WF_LOSS_REPEATED || l->kind == WF_LOSS_BEGINNING;
    if (copy || (again && l->bytes + l->lost == 0)) return;
    uint64_t records = again ? 0 : l->records;
    c->missing += records;
    c->pending += records;
    if (l->kind == WF_LOSS_RESTART) c->inexact = true;
    if (!l->exact) c->unsettled = true;
    bool frames = !wf_session_has_slots(c->s);
    // The sequence does not show a multiple of 256 records: the place of these is not known.
    if (l->kind == WF_LOSS_UNSEEN || (frames && l->exact && records >= 256)) {
        c->unseen = true;
        c->unseen_from = c->sync_tick;
        retract(c, c->sync_tick);
    }
    begin_hole(c);
}

// A SYNC has counted the records since the one before.
static void note_sync(struct wf_check *c) {
    bool exact = c->synced && wf_session_ledger(c->s)->exact;
    if (c->unsettled && !exact) c->inexact = true;
    c->unsettled = false;
    c->synced = true;
    c->sync_tick = c->now;
    ++c->syncs;
}

// ---- items

static bool is_name(const struct wf_record *r) {
    return r->row && wf_effect_is_name(r->row->effect);
}

static bool is_malformed(const struct wf_record *r) {
    return r->row && r->row != &wf_user_row && (r->left || r->missing);
}

void wfi_check_set_clock(struct wf_check *c, uint64_t hz, uint64_t zero) {
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) {
        bool time = wf_check_kinds[r->r.kind].unit == WF_CHECK_TIME;
        bool measured = r->sums.count || (r->events && r->events->checked);
        if (hz != c->hz && time && measured) r->unrated = true;
        if (hz != c->hz || !c->zero) wfi_rule_set_limits(r, hz);
    }
    bool rate = hz != c->hz;
    c->hz = hz;
    c->zero = zero;
    if (c->o.has_from) c->begin = wf_time_tick_at(c->o.from_s, hz, zero);
    c->end = c->o.has_until ? wf_time_tick_at(c->o.until_s, hz, zero) : UINT64_MAX;
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) {
        if (r->load && rate) wfi_load_rate(r);
    }
}

// What began before the range does not count. But what a hole has made unknown may begin in it
// without being seen.
static void enter_range(struct wf_check *c, const struct wf_item *item) {
    bool record = item->kind == WF_ITEM_RECORD, event = item->kind == WF_ITEM_EVENT;
    uint64_t tick = record ? item->record.tick : event ? item->event->tick : 0;
    if (tick < c->begin || !(record || event)) return;
    c->entered = true;
    c->tasks = c->objects = UINT32_MAX;
    if (!c->all_holes && !c->pending) return;
    c->tasks = wf_model_tasks(c->m);
    c->objects = wf_model_objects(c->m);
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r)
        r->unknown = wfi_rule_is_unknown(r);
}

// Only for a range: its ends depend on the first time.
static void before_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_check *c = (struct wf_check *)sink;
    uint64_t hz = c->s->target.hz, zero = wfi_time_zero(c->s, c->o.target_clock);
    if (c->err != WF_OK) return;
    if (hz != c->hz || zero != c->zero) wfi_check_set_clock(c, hz, zero);
    if (c->o.has_from && !c->entered) enter_range(c, item);
}

static void take_change(struct wfi_rule *r, const struct wf_change *ch) {
    if (r->events)
        wfi_events_change(r, ch);
    else if (r->r.kind == WF_CHECK_NO_INVERSION)
        wfi_inversion_take(r, ch);
    else
        wfi_level_take(r, ch);
}

// The other half of an interrupt is missing: no interval is counted for an exit alone.
static void take_unpaired(struct wf_check *c, const struct wf_change *ch) {
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) {
        if (r->load && ch->got) wfi_load_doubt(r, ch->from_known ? ch->from : 0);
        enum wf_stats_spread spread = wfi_rule_spread(&r->r);
        bool irqs = spread == WF_SPREAD_IRQ_DURATION || spread == WF_SPREAD_IRQ_PERIOD;
        bool fits = irqs && (ch->irq == WF_IRQ_UNKNOWN || wfi_irq_fits(c, r->r.irq, ch->irq));
        if (fits && !ch->got && wfi_check_in_window(c, ch->tick, ch->tick))
            r->unpaired += (uint64_t)ch->value;
    }
}

// A task's name follows its create record: the event waits for the next record that is no name.
static void flush_create(struct wf_check *c) {
    uint64_t now = c->now;
    if (!c->created) return;
    c->created = false;
    c->now = c->create.tick;
    for (const struct wfi_listener *l = c->by_change[WF_CHANGE_CREATE]; l; l = l->next)
        take_change(l->rule, &c->create);
    c->now = now;
}

// ---- what no event has

__attribute__((noinline)) static void clear_cache(struct wf_check *c) {
    memset(c->unwanted, 0, sizeof c->unwanted);
    if (c->unwanted_tasks) memset(c->unwanted_tasks, 0, c->task_cap);
}

static inline const struct wf_row **cache_place(struct wf_check *c, const struct wf_row *row) {
    return &c->unwanted[row->id][row->select & 7];
}

__attribute__((noinline)) static void take_record(struct wf_check *c, const struct wf_record *r) {
    char text[512];
    bool log = c->has_logs && r->row->effect == WF_EFFECT_LOG, any = log;
    if (log && !wf_record_log_text(c->s, r, text, sizeof text)) c->err = WF_ERR_NOMEM;
    for (const struct wfi_listener *l = c->recorders; l; l = l->next)
        any |= wfi_events_record(l->rule, r, log ? text : NULL);
    if (!any && r->row != &wf_user_row) *cache_place(c, r->row) = r->row;
}

static void take_task(struct wf_check *c, const struct wf_change *ch) {
    bool wanted = false;
    for (const struct wfi_listener *l = c->by_change[WF_CHANGE_TASK]; l; l = l->next) {
        take_change(l->rule, ch);
        wanted |= !l->rule->events || wfi_events_want_task(l->rule, ch->task);
    }
    size_t index = ch->task->index;
    if (wanted || !WFI_GROW(c->unwanted_tasks, &c->task_cap, index + 1)) return;
    c->unwanted_tasks[index] = 1;
}

static inline bool is_unwanted_task(const struct wf_check *c, const struct wf_task *t) {
    return t->index < c->task_cap && c->unwanted_tasks[t->index];
}

static void take_time(struct wf_check *c, uint64_t now) {
    c->now = now;
    for (const struct wfi_listener *l = c->afters; l; l = l->next) {
        const struct wfi_events *e = l->rule->events;
        if (e->overdue < e->waiting_count) wfi_events_time(l->rule);
    }
}

static void take_changes(struct wf_check *c) {
    size_t count;
    const struct wf_change *changes = wf_model_changes(c->m, &count);
    for (size_t i = 0; i < count; ++i) {
        const struct wf_change *ch = &changes[i];
        if (ch->kind == WF_CHANGE_LOSS) end_hole(c, ch->from);
        if (ch->kind == WF_CHANGE_UNPAIRED) take_unpaired(c, ch);
        const struct wfi_listener *l = c->by_change[ch->kind];
        if (l && ch->kind == WF_CHANGE_TASK) {
            if (!is_unwanted_task(c, ch->task)) take_task(c, ch);
            continue;
        }
        if (l && ch->kind == WF_CHANGE_CREATE && !c->ended) {
            flush_create(c);
            c->create = *ch;
            c->created = true;
            continue;
        }
        for (; l; l = l->next) take_change(l->rule, ch);
    }
}

// Items that may begin a hole.
__attribute__((noinline)) static void take_hole(struct wf_check *c, const struct wf_item *item) {
    if (item->kind == WF_ITEM_LOSS) note_loss(c, &item->loss);
    if (item->kind == WF_ITEM_DAMAGE && item->damage.kind != WF_DAMAGE_IDLE) begin_hole(c);
    if (item->kind != WF_ITEM_RECORD || !is_malformed(&item->record)) return;
    begin_hole(c);
    ++c->missing;
    ++c->pending;
}

__attribute__((noinline)) static void take_effect(struct wf_check *c, const struct wf_record *r) {
    if (is_name(r)) {
        ++c->names;
        clear_cache(c);
    } else {
        note_sync(c);
    }
}

static void take_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_check *c = (struct wf_check *)sink;
    const struct wf_record *r = &item->record;
    bool record = item->kind == WF_ITEM_RECORD;
    uint64_t now = wf_model_tick(c->m);
    if (c->err != WF_OK) return;
    c->record += item->kind != WF_ITEM_DAMAGE;
    if (c->s->target.hz != c->hz) wfi_check_set_clock(c, c->s->target.hz, c->zero);
    if (c->created && !(record && is_name(r))) flush_create(c);
    if (now != c->now && c->afters) take_time(c, now);
    c->now = now;
    bool whole = record && r->row && !is_malformed(r);
    if (!whole) take_hole(c, item);
    take_changes(c);
    if (!whole) return;
    if (r->row->effect == WF_EFFECT_SYNC || is_name(r)) take_effect(c, r);
    if (c->recorders && *cache_place(c, r->row) != r->row) take_record(c, r);
}

static void before_end(struct wfi_sink *sink) {
    struct wf_check *c = (struct wf_check *)sink;
    flush_create(c);
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) {
        if (r->events) wfi_events_before_end(r);
    }
}

static void take_end(struct wfi_sink *sink) {
    struct wf_check *c = (struct wf_check *)sink;
    if (c->err != WF_OK) return;
    c->ended = true;
    take_changes(c);
    ++c->names; // names may have been learned by other means
}

struct wfi_sink wfi_check_sink(bool ranged) {
    return (struct wfi_sink){.before = ranged ? before_item : NULL,
                             .before_end = before_end,
                             .item = take_item,
                             .end = take_end};
}

int wf_check_error(const struct wf_check *c) {
    int err = wf_stats_error(c->stats);
    return c->err != WF_OK ? c->err : err;
}
