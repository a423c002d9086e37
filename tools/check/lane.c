// SPDX-License-Identifier: MIT
// The rules on one lane. Those of the library and the database of queries share one model.

#include <stdlib.h>
#include <string.h>

#include "rules.h"
#include "wallfly_host/wf_time.h"

static bool is_for(const struct check_rule *rule, unsigned lane) {
    return rule->lane < 0 || rule->lane == (int)lane;
}

// Makes the list of results, and that of the library's rules.
static struct wf_check_rule *select_rules(struct check_lane *c) {
    const struct check_rules *r = c->rules;
    unsigned functions = 0, queries = 0;
    c->of = calloc(r->count + 1, sizeof *c->of);
    c->within = calloc(r->count + 1, sizeof *c->within);
    struct wf_check_rule *rules = calloc(r->count + 1, sizeof *rules);
    if (!c->of || !c->within || !rules) {
        free(rules);
        return NULL;
    }
    for (unsigned i = 0; i < r->count; ++i) {
        const struct check_rule *rule = r->list[i];
        unsigned n = rule->form == CHECK_FUNCTION ? functions++
                     : rule->form == CHECK_SQL    ? queries++
                                                  : c->checked;
        if (!is_for(rule, c->number)) continue;
        if (rule->form == CHECK_KIND) rules[c->checked++] = rule->of;
        c->of[c->count] = i;
        c->within[c->count++] = n;
    }
    return rules;
}

// Passes a failure on, with the index of its rule on this lane.
static void on_failure(void *ctx, unsigned rule, const struct wf_check_failure *failure) {
    struct check_lane *c = ctx;
    unsigned i = 0;
    while (check_lane_rule(c, i)->form != CHECK_KIND || c->within[i] != rule) ++i;
    c->on_failure(c->ctx, i, failure);
}

static int open_parts(struct check_lane *c, const struct wf_check_rule *rules,
                      struct wf_error *error) {
    int err = WF_OK;
    c->options.sinks = c->sinks;
    c->on_failure = c->options.on_failure;
    c->ctx = c->options.ctx;
    c->options.ctx = c;
    if (c->on_failure) c->options.on_failure = on_failure;
    if (c->checked) {
        c->check = wf_check_open(c->session, rules, c->checked, &c->options, error);
        if (!c->check) return error->code;
    }
    if (c->on_failure) return WF_OK;
    if (c->rules->queries) err = queries_open(c, error);
    if (err == WF_OK && c->rules->functions) err = functions_open(c, error);
    return err;
}

struct check_lane *check_lane_open(struct check_rules *r, struct wf_session *s, unsigned lane,
                                   const struct wf_check_options *options, struct wf_error *error) {
    struct check_lane *c = calloc(1, sizeof *c);
    wf_error_code(error, WF_ERR_NOMEM);
    if (!c) return NULL;
    *c = (struct check_lane){.rules = r, .session = s, .number = lane, .options = *options};
    if (!c->options.failures) c->options.failures = WF_CHECK_FAILURES;
    c->sinks = wf_sinks_open(s);
    struct wf_check_rule *rules = c->sinks ? select_rules(c) : NULL;
    bool good = rules && open_parts(c, rules, error) == WF_OK;
    free(rules);
    if (good) return c;
    check_lane_close(c);
    return NULL;
}

void check_lane_close(struct check_lane *c) {
    if (!c) return;
    functions_close(c);
    queries_close(c);
    wf_check_close(c->check);
    wf_sinks_close(c->sinks);
    free(c->of);
    free(c->within);
    free(c);
}

bool lane_tick(const struct check_lane *c, const struct wf_item *item, uint64_t *tick) {
    const struct wf_check_options *o = &c->options;
    *tick = item->kind == WF_ITEM_RECORD ? item->record.tick
            : item->kind == WF_ITEM_LOSS ? item->loss.tick_before
                                         : item->event->tick;
    if (!o->has_from && !o->has_until) return true;
    uint64_t hz = wf_session_target(c->session)->hz;
    uint64_t zero = wf_time_zero(c->session, o->target_clock);
    return (!o->has_from || *tick >= wf_time_tick_at(o->from_s, hz, zero)) &&
           (!o->has_until || *tick <= wf_time_tick_at(o->until_s, hz, zero));
}

static bool is_hole(const struct wf_item *item) {
    if (item->kind == WF_ITEM_RECORD) return item->record.left || item->record.missing;
    if (item->kind != WF_ITEM_LOSS) return false;
    return item->loss.kind == WF_LOSS_HOLE || item->loss.kind == WF_LOSS_UNSEEN ||
           item->loss.kind == WF_LOSS_RESTART;
}

void check_lane_take(struct check_lane *c, const struct wf_item *item) {
    uint64_t tick;
    if (c->error.code != WF_OK) return;
    wf_sinks_item(c->sinks, item);
    if (item->kind != WF_ITEM_RECORD && item->kind != WF_ITEM_LOSS && item->kind != WF_ITEM_EVENT)
        return;
    ++c->items;
    if (!c->functions && !c->queries) return;
    bool within = lane_tick(c, item, &tick);
    c->in_window += within;
    c->holes += within && is_hole(item);
    if (c->functions) functions_take(c, item, &c->error);
}

bool check_lane_failed(const struct check_lane *c) { return c->error.code != WF_OK; }

int check_lane_end(struct check_lane *c, struct wf_error *error) {
    if (c->error.code == WF_OK && !c->ended) {
        c->ended = true;
        if (c->check) {
            wf_check_end(c->check);
            int err = wf_check_error(c->check);
            if (err != WF_OK) wf_error_code(&c->error, err);
        }
        wf_sinks_end(c->sinks);
        if (c->functions && c->error.code == WF_OK) functions_end(c, &c->error);
        if (c->queries && c->error.code == WF_OK) queries_end(c, &c->error);
    }
    if (error) *error = c->error;
    return c->error.code;
}

const struct check_rule *check_lane_rule(const struct check_lane *c, unsigned index) {
    return c->rules->list[c->of[index]];
}

unsigned check_lane_results(const struct check_lane *c) { return c->count; }

void check_lane_result(const struct check_lane *c, unsigned index, struct check_result *result) {
    const struct check_rule *rule = check_lane_rule(c, index);
    unsigned n = c->within[index];
    *result = (struct check_result){.rule = rule};
    if (rule->form == CHECK_KIND)
        wf_check_result(c->check, n, &result->of);
    else if (!c->on_failure)
        result->of = rule->form == CHECK_SQL ? *queries_result(c, n) : *functions_result(c, n);
}

static int by_time(const void *a, const void *b) {
    const struct check_failure *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

struct check_failure *check_lane_failures(const struct check_lane *c, unsigned *count) {
    struct check_result r;
    unsigned total = 0, n = 0;
    for (unsigned i = 0; i < c->count; ++i) {
        check_lane_result(c, i, &r);
        total += r.of.kept;
    }
    struct check_failure *list = calloc(total + 1, sizeof *list);
    *count = list ? total : 0;
    for (unsigned i = 0; i < c->count && list; ++i) {
        check_lane_result(c, i, &r);
        for (unsigned k = 0; k < r.of.kept; ++k) {
            const struct wf_check_failure *f = &r.of.failures[k];
            list[n++] = (struct check_failure){.lane = c->number,
                                               .title = r.rule->title,
                                               .from = f->from,
                                               .to = f->to,
                                               .text = f->text,
                                               .rule = c->of[i]};
        }
    }
    if (list) qsort(list, n, sizeof *list, by_time);
    return list;
}
