// SPDX-License-Identifier: MIT
// Takes items: hands changes, records and intervals to the rules, and keeps account of the holes.

#include "wfi_check_events.h"
#include "wfi_check_load.h"

#include <stdlib.h>
#include <string.h>

#include "util/wfi_options.h"
#include "wallfly_host/wf_time.h"
#include "wallfly_host/wf_writer.h"

#define EACH_RULE(r, c) (struct wfi_rule *r = (c)->rules; r < (c)->rules + (c)->count; ++r)

// ---- holes

// A loss before `from` that was not seen: what was found since the last SYNC may be wrong.
static void retract(struct wf_check *c, uint64_t since) {
    for
        EACH_RULE(r, c) {
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
    for
        EACH_RULE(r, c) {
            if (r->r.kind == WF_CHECK_LOSS) wfi_places_add(&r->broken, &p);
            if (r->r.kind == WF_CHECK_AFTER) wfi_events_hole(r, from);
        }
}

static void begin_hole(struct wf_check *c) {
    for
        EACH_RULE(r, c) {
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
    for
        EACH_RULE(r, c) {
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
    for
        EACH_RULE(r, c) {
            if (r->load && rate) wfi_load_rate(r);
        }
}

static void before_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_check *c = (struct wf_check *)sink;
    uint64_t hz = wf_session_target(c->s)->hz, zero = wf_time_zero(c->s, c->o.target_clock);
    if (c->err != WF_OK) return;
    if (hz != c->hz || zero != c->zero) set_clock(c, hz, zero);
    c->record += item->kind != WF_ITEM_DAMAGE;
}

static void take_change(struct wf_check *c, const struct wf_change *ch) {
    bool unpaired = ch->kind == WF_CHANGE_UNPAIRED;
    if (ch->kind == WF_CHANGE_LOSS) end_hole(c, ch->from);
    for
        EACH_RULE(r, c) {
            if (unpaired && r->load && ch->got) wfi_load_doubt(r, ch->from_known ? ch->from : 0);
            enum wf_stats_spread spread = unpaired ? wfi_rule_spread(&r->r) : WF_SPREADS;
            bool irqs = spread == WF_SPREAD_IRQ_DURATION || spread == WF_SPREAD_IRQ_PERIOD;
            bool fits = irqs && (ch->irq == WF_IRQ_UNKNOWN || wfi_irq_fits(c, r->r.irq, ch->irq));
            if (fits && !ch->got && wfi_check_in_window(c, ch->tick, ch->tick))
                r->unpaired += (uint64_t)ch->value;
            if (r->events) wfi_events_change(r, ch);
            if (r->r.kind == WF_CHECK_NO_INVERSION && !c->ended) wfi_inversion_take(r, ch);
            if (r->r.kind >= WF_CHECK_QUEUE && r->r.kind <= WF_CHECK_HEAP) wfi_level_take(r, ch);
        }
}

// A task's name follows its create record: the event waits for the next record that is no name.
static void flush_create(struct wf_check *c) {
    uint64_t now = c->now;
    if (!c->created) return;
    c->created = false;
    c->now = c->create.tick;
    for
        EACH_RULE(r, c) {
            if (r->events) wfi_events_change(r, &c->create);
        }
    c->now = now;
}

static void take_record(struct wf_check *c, const struct wf_record *r) {
    char text[512];
    bool log = c->has_logs && r->row->effect == WF_EFFECT_LOG;
    if (log && !wf_record_log_text(c->s, r, text, sizeof text)) c->err = WF_ERR_NOMEM;
    for
        EACH_RULE(rule, c) {
            if (rule->events) wfi_events_record(rule, r, log ? text : NULL);
        }
}

static void take_time(struct wf_check *c) {
    for
        EACH_RULE(r, c) {
            if (r->r.kind == WF_CHECK_AFTER) wfi_events_time(r);
        }
}

static void take_changes(struct wf_check *c) {
    size_t count;
    const struct wf_change *changes = wf_model_changes(c->m, &count);
    for (size_t i = 0; i < count; ++i) {
        if (!(c->changes >> changes[i].kind & 1)) continue;
        if (changes[i].kind == WF_CHANGE_CREATE && !c->ended) {
            flush_create(c);
            c->create = changes[i];
            c->created = true;
        } else {
            take_change(c, &changes[i]);
        }
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
    if (later && c->has_events) take_time(c);
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
    if (c->records) take_record(c, r);
    if (r->row->effect == WF_EFFECT_SYNC) note_sync(c);
}

static void before_end(struct wfi_sink *sink) {
    struct wf_check *c = (struct wf_check *)sink;
    flush_create(c);
    for
        EACH_RULE(r, c) {
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
    for
        EACH_RULE(r, c) {
            if (r->load) wfi_load_take(r, run);
        }
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
    for
        EACH_RULE(r, c)
    if (r->load) o.on_run = on_run;
    c->stats = wf_stats_open(c->s, &o, error);
    return c->stats != NULL;
}

// ---- open and close

static void listen(struct wf_check *c, struct wfi_listener *node, struct wfi_rule *r,
                   enum wf_stats_spread spread) {
    *node = (struct wfi_listener){r, c->listeners[spread]};
    c->listeners[spread] = node;
}

// What the rule must be given.
static void connect(struct wf_check *c, struct wfi_rule *r, struct wfi_listener *nodes) {
    enum wf_stats_spread spread = wfi_rule_spread(&r->r);
    if (spread < WF_SPREADS) listen(c, &nodes[0], r, spread);
    if (r->r.kind == WF_CHECK_NO_INVERSION) listen(c, &nodes[1], r, WF_SPREAD_BLOCKED);
    c->changes |= UINT64_C(1) << WF_CHANGE_LOSS | UINT64_C(1) << WF_CHANGE_UNPAIRED;
    if (r->r.kind >= WF_CHECK_QUEUE && r->r.kind <= WF_CHECK_HEAP)
        c->changes |= UINT64_C(1) << WF_CHANGE_COUNT | UINT64_C(1) << WF_CHANGE_COUNTER |
                      UINT64_C(1) << WF_CHANGE_LOW;
    if (r->r.kind == WF_CHECK_NO_INVERSION)
        c->changes |= UINT64_C(1) << WF_CHANGE_TASK | UINT64_C(1) << WF_CHANGE_WAIT |
                      UINT64_C(1) << WF_CHANGE_HOLD;
    if (!r->events) return;
    c->changes |=
        r->events->changes | UINT64_C(1) << WF_CHANGE_TASK | UINT64_C(1) << WF_CHANGE_HOLDER;
    c->has_events = true;
    c->records |= r->events->records || r->events->logs;
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
    if (good) connect(c, r, &c->nodes[2 * number]);
    wfi_rule_set_limits(r, wf_session_target(c->s)->hz);
    return good ? WF_OK : wf_error_code(error, WF_ERR_NOMEM);
}

static int open_rules(struct wf_check *c, const struct wf_check_rule *rules, unsigned count,
                      struct wf_error *error) {
    const char *from = (const char *)rules;
    c->rules = calloc(count ? count : 1, sizeof *c->rules);
    c->nodes = calloc(2 * (count ? count : 1), sizeof *c->nodes);
    if (!c->rules || !c->nodes) return wf_error_code(error, WF_ERR_NOMEM);
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
    for
        EACH_RULE(r, c) {
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
    for
        EACH_RULE(r, c) {
            if (r->load) wfi_load_end(r);
            if (r->events) wfi_events_end(r);
            wfi_level_end(r);
        }
    for
        EACH_RULE(r, c) wfi_verdict(r);
}

int wf_check_error(const struct wf_check *c) {
    int err = wf_stats_error(c->stats);
    return c->err != WF_OK ? c->err : err;
}

void wf_check_result(const struct wf_check *c, unsigned rule, struct wf_check_result *result) {
    *result = c->rules[rule].result;
}
