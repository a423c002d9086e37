// SPDX-License-Identifier: MIT
// Takes items: hands changes, records and intervals to the rules, and keeps account of the holes.

#include "wfi_check_events.h"
#include "wfi_check_load.h"

#include <stdlib.h>
#include <string.h>

#include "core/wfi_session.h"
#include "util/wfi_options.h"
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
        if (r->r.kind == WF_CHECK_LOSS) wfi_places_add(&r->broken, &p);
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
    unsigned effect = r->row ? r->row->effect : WF_EFFECT_END;
    return effect >= WF_EFFECT_NAME_SIGNAL && effect <= WF_EFFECT_NAME_ENUM;
}

static bool is_malformed(const struct wf_record *r) {
    return r->row && r->row != &wf_user_row && (r->left || r->missing);
}

static void set_clock(struct wf_check *c, uint64_t hz, uint64_t zero) {
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

static void before_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_check *c = (struct wf_check *)sink;
    uint64_t hz = c->s->target.hz, zero = wfi_time_zero(c->s, c->o.target_clock);
    if (c->err != WF_OK) return;
    if (hz != c->hz || zero != c->zero) set_clock(c, hz, zero);
    c->record += item->kind != WF_ITEM_DAMAGE;
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

static void take_record(struct wf_check *c, const struct wf_record *r) {
    char text[512];
    bool log = c->has_logs && r->row->effect == WF_EFFECT_LOG, user = r->row == &wf_user_row;
    size_t row = user ? r->id : (size_t)(r->row - wf_rows);
    uint8_t *unwanted = row < 256 ? &c->unwanted[user][row] : NULL;
    if (c->record_names != c->names) memset(c->unwanted, 0, sizeof c->unwanted);
    c->record_names = c->names;
    if (unwanted && *unwanted && !log) return;
    if (log && !wf_record_log_text(c->s, r, text, sizeof text)) c->err = WF_ERR_NOMEM;
    bool any = false;
    for (const struct wfi_listener *l = c->recorders; l; l = l->next)
        any |= wfi_events_record(l->rule, r, log ? text : NULL);
    if (unwanted) *unwanted = !any && !log;
}

static void take_changes(struct wf_check *c) {
    size_t count;
    const struct wf_change *changes = wf_model_changes(c->m, &count);
    for (size_t i = 0; i < count; ++i) {
        const struct wf_change *ch = &changes[i];
        if (ch->kind == WF_CHANGE_LOSS) end_hole(c, ch->from);
        if (ch->kind == WF_CHANGE_UNPAIRED) take_unpaired(c, ch);
        const struct wfi_listener *l = c->by_change[ch->kind];
        if (l && ch->kind == WF_CHANGE_CREATE && !c->ended) {
            flush_create(c);
            c->create = *ch;
            c->created = true;
            continue;
        }
        for (; l; l = l->next) take_change(l->rule, ch);
    }
}

static void take_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_check *c = (struct wf_check *)sink;
    const struct wf_record *r = item->kind == WF_ITEM_RECORD ? &item->record : NULL;
    if (c->err != WF_OK) return;
    if (c->created && !(r && is_name(r))) flush_create(c);
    uint64_t now = wf_model_tick(c->m);
    bool later = now != c->now;
    c->now = now;
    if (later) {
        for (const struct wfi_listener *l = c->afters; l; l = l->next) wfi_events_time(l->rule);
    }
    if (item->kind == WF_ITEM_LOSS) note_loss(c, &item->loss);
    bool damage = item->kind == WF_ITEM_DAMAGE && item->damage.kind != WF_DAMAGE_IDLE;
    if (damage || (r && is_malformed(r))) begin_hole(c);
    if (r && is_malformed(r)) {
        ++c->missing;
        ++c->pending;
    }
    take_changes(c);
    if (!r || !r->row || is_malformed(r)) return;
    if (is_name(r)) ++c->names;
    if (c->recorders) take_record(c, r);
    if (r->row->effect == WF_EFFECT_SYNC) note_sync(c);
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

// ---- the statistics

static void on_interval(void *ctx, const struct wf_stats_interval *i) {
    struct wf_check *c = ctx;
    for (struct wfi_listener *l = c->listeners[i->spread]; l; l = l->next)
        wfi_figure_take(l->rule, i);
}

static void on_run(void *ctx, const struct wf_stats_run *run) {
    struct wf_check *c = ctx;
    for (const struct wfi_listener *l = c->loads; l; l = l->next) wfi_load_take(l->rule, run);
}

static bool open_stats(struct wf_check *c, struct wf_error *error) {
    struct wf_stats_options o = {.size = sizeof o,
                                 .has_from = c->o.has_from,
                                 .has_until = c->o.has_until,
                                 .from_s = c->o.from_s,
                                 .until_s = c->o.until_s,
                                 .target_clock = c->o.target_clock,
                                 .priorities = c->o.priorities,
                                 .single = true,
                                 .sinks = c->sinks,
                                 .ctx = c};
    for (unsigned i = 0; i < WF_SPREADS; ++i)
        if (c->listeners[i]) o.spreads |= UINT32_C(1) << i;
    if (o.spreads) o.on_interval = on_interval;
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r)
        if (r->load) o.on_run = on_run;
    c->stats = wf_stats_open(c->s, &o, error);
    return c->stats != NULL;
}

// ---- open and close

enum { NODES = WF_CHANGES + 4 }; // of a rule, at most

static void listen(struct wf_check *c, struct wfi_listener **list, struct wfi_rule *r) {
    struct wfi_listener *node = c->next_node++;
    while (*list) list = &(*list)->next;
    *list = node;
    node->rule = r;
}

// The changes that a rule takes.
static uint64_t changes_of(const struct wfi_rule *r) {
    switch (r->r.kind) {
    case WF_CHECK_QUEUE: return UINT64_C(1) << WF_CHANGE_COUNT;
    case WF_CHECK_COUNTER: return UINT64_C(1) << WF_CHANGE_COUNTER;
    case WF_CHECK_STACK:
    case WF_CHECK_HEAP: return UINT64_C(1) << WF_CHANGE_LOW;
    case WF_CHECK_NO_INVERSION:
        return UINT64_C(1) << WF_CHANGE_TASK | UINT64_C(1) << WF_CHANGE_WAIT |
               UINT64_C(1) << WF_CHANGE_HOLD;
    default: return r->events ? r->events->changes : 0;
    }
}

// What the rule must be given.
static void connect(struct wf_check *c, struct wfi_rule *r) {
    enum wf_stats_spread spread = wfi_rule_spread(&r->r);
    uint64_t changes = changes_of(r);
    if (spread < WF_SPREADS) listen(c, &c->listeners[spread], r);
    if (r->r.kind == WF_CHECK_NO_INVERSION) listen(c, &c->listeners[WF_SPREAD_BLOCKED], r);
    for (unsigned i = 0; i < WF_CHANGES; ++i) {
        if (changes >> i & 1) listen(c, &c->by_change[i], r);
    }
    if (r->load) listen(c, &c->loads, r);
    if (r->r.kind == WF_CHECK_AFTER) listen(c, &c->afters, r);
    if (!r->events || !(r->events->records || r->events->logs)) return;
    listen(c, &c->recorders, r);
    c->has_logs |= r->events->logs;
}

static int open_rule(struct wf_check *c, struct wfi_rule *r, const struct wf_check_rule *from,
                     unsigned number, struct wf_error *error) {
    int err = wfi_options_copy(&r->r, sizeof r->r, from);
    r->c = c;
    if (err == WF_OK)
        err = wfi_rule_check(&r->r, number, error);
    else
        wf_error_code(error, err);
    if (err != WF_OK) return err;
    unsigned kept = c->o.failures ? c->o.failures : WF_CHECK_FAILURES;
    bool good = wfi_places_open(&r->broken, kept) && wfi_places_open(&r->above, kept);
    bool events = r->r.event_count || r->r.kind == WF_CHECK_STATE;
    if (good && events) good = wfi_events_open(r);
    if (good && r->r.kind == WF_CHECK_CPU) good = wfi_load_open(r);
    if (good) connect(c, r);
    wfi_rule_set_limits(r, wf_session_target(c->s)->hz);
    return good ? WF_OK : wf_error_code(error, WF_ERR_NOMEM);
}

static int open_rules(struct wf_check *c, const struct wf_check_rule *rules, unsigned count,
                      struct wf_error *error) {
    const char *from = (const char *)rules;
    c->rules = calloc(count ? count : 1, sizeof *c->rules);
    c->nodes = calloc(NODES * (count ? (size_t)count : 1), sizeof *c->nodes);
    if (!c->rules || !c->nodes) return wf_error_code(error, WF_ERR_NOMEM);
    c->next_node = c->nodes;
    for (c->count = 0; c->count < count;) {
        unsigned i = c->count++;
        int err = open_rule(c, &c->rules[i], (const void *)from, i, error);
        if (err != WF_OK) return err;
        from += rules->size;
    }
    return WF_OK;
}

struct wf_check *wf_check_open(struct wf_session *s, const struct wf_check_rule *rules,
                               unsigned count, const struct wf_check_options *options,
                               struct wf_error *error) {
    struct wf_check *c = calloc(1, sizeof *c);
    int err = c ? wfi_options_copy(&c->o, sizeof c->o, options) : WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err != WF_OK) {
        free(c);
        return NULL;
    }
    c->s = s;
    c->end = UINT64_MAX;
    c->sink = (struct wfi_sink){
        .before = before_item, .before_end = before_end, .item = take_item, .end = take_end};
    c->sinks = wfi_sink_join(&c->sink, s, c->o.sinks, &c->own_sinks);
    if (c->sinks) c->m = wfi_sinks_model(c->sinks);
    if (!c->m) err = wf_error_code(error, WF_ERR_NOMEM);
    if (err == WF_OK) err = open_rules(c, rules, count, error);
    if (err == WF_OK && open_stats(c, error)) {
        set_clock(c, wf_session_target(s)->hz, wf_time_zero(s, c->o.target_clock));
        return c;
    }
    wf_check_close(c);
    return NULL;
}

void wf_check_close(struct wf_check *c) {
    if (!c) return;
    wf_stats_close(c->stats);
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) {
        wfi_sums_close(r);
        wfi_places_close(&r->broken);
        wfi_places_close(&r->above);
        wfi_events_close(r);
        wfi_load_close(r);
        free(r->failures);
    }
    wfi_sink_leave(&c->sink, c->sinks, c->own_sinks);
    free(c->rules);
    free(c->nodes);
    free(c);
}

void wf_check_take(struct wf_check *c, const struct wf_item *item) {
    wf_sinks_item(c->sinks, item);
}

void wf_check_end(struct wf_check *c) {
    wf_sinks_end(c->sinks);
    if (c->decided) return;
    c->decided = true;
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) {
        if (r->load) wfi_load_end(r);
        if (r->events) wfi_events_end(r);
        wfi_level_end(r);
    }
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) wfi_verdict(r);
}

int wf_check_error(const struct wf_check *c) {
    int err = wf_stats_error(c->stats);
    return c->err != WF_OK ? c->err : err;
}

void wf_check_result(const struct wf_check *c, unsigned rule, struct wf_check_result *result) {
    *result = c->rules[rule].result;
}
