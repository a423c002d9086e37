// SPDX-License-Identifier: MIT
// Opens and ends a check: connects the rules with the statistics, the changes and the records.

#include "wfi_check_events.h"
#include "wfi_check_load.h"

#include <stdlib.h>

#include "util/wfi_options.h"

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
                                 .no_spreads = true,
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
    c->sink = wfi_check_sink(c->o.has_from || c->o.has_until);
    c->sinks = wfi_sink_join(&c->sink, s, c->o.sinks, &c->own_sinks);
    if (c->sinks) c->m = wfi_sinks_model(c->sinks);
    if (!c->m) err = wf_error_code(error, WF_ERR_NOMEM);
    if (err == WF_OK) err = open_rules(c, rules, count, error);
    if (err == WF_OK && open_stats(c, error)) {
        wfi_check_set_clock(c, wf_session_target(s)->hz, wf_time_zero(s, c->o.target_clock));
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
    free(c->unwanted_tasks);
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
        if (c->entered && c->tasks != UINT32_MAX) r->unknown |= wfi_rule_has_strangers(r);
    }
    for (struct wfi_rule *r = c->rules; r < c->rules + c->count; ++r) wfi_verdict(r);
}

void wf_check_result(const struct wf_check *c, unsigned rule, struct wf_check_result *result) {
    *result = c->rules[rule].result;
}
