// SPDX-License-Identifier: MIT
// Selects the facts that have changed, and orders them.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_options.h"
#include "wfi_compare.h"

#define ALARMS 0.002

enum { NEST_LEAST = 20, STUCK_GAPS = 4 };

const char *const wf_behaviour_kind_names[WF_BEHAVIOUR_KINDS] = {
#define WF_X(kind, name, first) name,
    WF_BEHAVIOUR_CHANGES(WF_X)
#undef WF_X
};
const char *const wf_behaviour_certainty_names[WF_BEHAVIOUR_CERTAINTIES] = {"changed", "suspected",
                                                                            "marked"};

bool wf_behaviour_kind_is_cause(enum wf_behaviour_kind kind) {
    static const bool first[WF_BEHAVIOUR_KINDS] = {
#define WF_X(kind, name, first) first,
        WF_BEHAVIOUR_CHANGES(WF_X)
#undef WF_X
    };
    return first[kind];
}

// ---- places

struct wf_behaviour_place wfi_place(const struct wf_behaviour_diff *d, uint32_t trace,
                                    uint64_t tick, uint64_t record, uint64_t run) {
    const struct wfi_trace_info *t = &d->b->traces[trace - 1];
    double ticks = tick >= t->zero ? (double)(tick - t->zero) : -(double)(t->zero - tick);
    return (struct wf_behaviour_place){.known = true,
                                       .source = wfi_behaviour_text_at(d->b, t->source),
                                       .lane = t->lane,
                                       .tick = tick,
                                       .at_s = t->hz ? ticks / (double)t->hz : ticks,
                                       .seconds = t->hz != 0,
                                       .record = record,
                                       .run = run};
}

// The first trace of the side in which it was seen. Null: none.
static const struct wfi_seen *first_seen(const struct wf_behaviour_diff *d, uint32_t fact,
                                         unsigned side) {
    const struct wfi_seen *first = NULL;
    for (uint32_t n = wfi_fact(d->b, fact)->seen; n; n = d->b->seen[n - 1].next) {
        const struct wfi_seen *s = &d->b->seen[n - 1];
        if (wfi_side(d, s->trace) == side && (!first || s->trace < first->trace)) first = s;
    }
    return first;
}

struct wf_behaviour_place wfi_place_first(const struct wf_behaviour_diff *d, uint32_t fact,
                                          unsigned side) {
    const struct wfi_seen *s = fact ? first_seen(d, fact, side) : NULL;
    if (!s) return (struct wf_behaviour_place){.known = false};
    return wfi_place(d, s->trace, s->tick, s->record, s->run);
}

// ---- candidates

struct wfi_change *wfi_change_add(struct wf_behaviour_diff *d, enum wf_behaviour_kind kind,
                                  uint32_t fact, bool vanished) {
    static struct wfi_change spare;
    if (!WFI_GROW(d->changes, &d->change_cap, d->change_count + 1)) {
        d->err = WF_ERR_NOMEM;
        return &spare;
    }
    struct wfi_change *c = &d->changes[d->change_count++];
    uint32_t actor = wfi_fact(d->b, fact)->actor;
    *c = (struct wfi_change){.fact = fact, .number = d->change_count};
    c->pub.kind = kind;
    c->pub.vanished = vanished;
    c->pub.lane = wfi_actor_lane(d->b, actor);
    c->pub.p = d->cases[fact].p;
    uint32_t text = wfi_actor_text(d->b, actor);
    c->pub.actor = text ? wfi_behaviour_text_at(d->b, text) : NULL;
    const struct wfi_seen *s = first_seen(d, fact, vanished ? WFI_GOOD : WFI_NEW);
    c->since = s ? s->tick : 0;
    return c;
}

// The longest trace of a side, in seconds (ticks).
static double longest(const struct wf_behaviour_diff *d, unsigned lane, unsigned side) {
    const struct wfi_lane_blocks *l = wfi_lane_blocks(d, lane);
    double most = 0;
    for (uint32_t i = 1; i <= d->b->trace_count; ++i) {
        const struct wfi_trace_info *t = &d->b->traces[i - 1];
        double length = (double)(t->last - t->first) / (l->timed ? (double)t->hz : 1);
        if (wfi_side(d, i) == side && t->lane == lane && length > most) most = length;
    }
    return most;
}

// It began later than the other side's traces last, so these show nothing about it.
static bool begins_too_late(const struct wf_behaviour_diff *d, uint32_t fact, unsigned side) {
    const struct wfi_seen *s = first_seen(d, fact, side);
    unsigned lane = wfi_actor_lane(d->b, wfi_fact(d->b, fact)->actor);
    const struct wfi_lane_blocks *l = wfi_lane_blocks(d, lane);
    if (!s || !l) return true;
    const struct wfi_trace_info *t = &d->b->traces[s->trace - 1];
    double at = (double)(s->tick - t->first) / (l->timed ? (double)t->hz : 1);
    return at > longest(d, lane, side == WFI_GOOD ? WFI_NEW : WFI_GOOD);
}

// Returns false if the fact has not changed. suspects: a single occurrence is reported, too.
static bool judge(const struct wf_behaviour_diff *d, uint32_t fact, bool suspects, bool *vanished,
                  enum wf_behaviour_certainty *certainty) {
    const struct wfi_case *c = &d->cases[fact];
    const struct wfi_share *g = &c->sides[WFI_GOOD], *n = &c->sides[WFI_NEW];
    if (!g->all_of || !n->all_of || (!g->count && !n->count)) return false;
    *vanished = (double)g->count / g->all_of > (double)n->count / n->all_of;
    const struct wfi_share *few = *vanished ? n : g, *many = *vanished ? g : n;
    if (!wfi_rare(few->count, few->all_of, many->count, many->all_of)) return false;
    if (begins_too_late(d, fact, *vanished ? WFI_GOOD : WFI_NEW)) return false;
    *certainty = WF_BEHAVIOUR_CHANGED;
    if (c->p <= d->limit) return true;
    *certainty = WF_BEHAVIOUR_MARKED;
    if (c->p_all <= d->limit) return true;
    *certainty = WF_BEHAVIOUR_SUSPECTED;
    return suspects && !*vanished && !few->count && few->all_of >= many->all_of;
}

// ---- kinds of changes

static void select_by_test(struct wf_behaviour_diff *d, uint32_t fact, enum wf_behaviour_kind kind,
                           bool suspects) {
    enum wf_behaviour_certainty certainty;
    bool vanished;
    if (judge(d, fact, suspects, &vanished, &certainty))
        wfi_change_add(d, kind, fact, vanished)->pub.certainty = certainty;
}

static void select_action(struct wf_behaviour_diff *d, uint32_t fact) {
    enum wfi_verb verb = wfi_action_verb(d->b, wfi_fact(d->b, fact)->part[0]);
    bool more = d->cases[fact].sides[WFI_GOOD].count == 0;
    bool gives_up = verb == WFI_VERB_GIVES_UP && more;
    if (verb == WFI_VERB_ENTERS) return; // is a STATE
    select_by_test(d, fact, gives_up ? WF_BEHAVIOUR_WAKE_UP : WF_BEHAVIOUR_ACTION, true);
}

// Returns whether the good side takes some two locks in both orders, one within the other.
static bool good_nests_both_ways(const struct wf_behaviour_diff *d) {
    for (uint32_t i = 1; i <= d->b->fact_count; ++i) {
        const struct wfi_fact *t = wfi_fact(d->b, i);
        if (t->kind != WFI_FACT_NESTS || !d->cases[i].sides[WFI_GOOD].count) continue;
        uint32_t r = wfi_behaviour_find(d->b, WFI_FACT_NESTS, t->actor, t->part[1], t->part[0], 0);
        if (r && d->cases[r].sides[WFI_GOOD].count) return true;
    }
    return false;
}

// Locks within each other have one order, or the program can come to a deadlock. So a single
// reversal is a change, if there were enough cases of the good order and no such pair.
static bool is_reversed_nest(const struct wf_behaviour_diff *d, const struct wfi_fact *t,
                             double *p) {
    uint32_t lane = wfi_behaviour_actor(d->b, WFI_ACTOR_LANE, wfi_actor_lane(d->b, t->actor), 0);
    uint32_t nest = wfi_behaviour_find(d->b, WFI_FACT_NESTS, lane, t->part[0], t->part[1], 0),
             good = wfi_behaviour_find(d->b, WFI_FACT_NESTS, lane, t->part[1], t->part[0], 0);
    if (!nest || !good || d->cases[nest].sides[WFI_GOOD].count) return false;
    uint64_t count = d->cases[good].sides[WFI_GOOD].count;
    *p = 1 / (double)(count + 1);
    return count >= NEST_LEAST && !good_nests_both_ways(d);
}

static void select_locks(struct wf_behaviour_diff *d, uint32_t fact) {
    const struct wfi_fact *t = wfi_fact(d->b, fact);
    uint32_t r = wfi_behaviour_find(d->b, WFI_FACT_LOCKS, t->actor, t->part[1], t->part[0], 0);
    uint64_t before = r ? d->cases[r].sides[WFI_GOOD].count : 0;
    enum wf_behaviour_certainty certainty;
    bool vanished;
    double p;
    if (!judge(d, fact, true, &vanished, &certainty) || vanished) return;
    if (10 * d->cases[fact].sides[WFI_GOOD].count > before || !before) return;
    struct wfi_change *c = wfi_change_add(d, WF_BEHAVIOUR_LOCK_ORDER, fact, false);
    c->pub.certainty = certainty;
    c->reverse = r;
    if (certainty == WF_BEHAVIOUR_CHANGED || !is_reversed_nest(d, wfi_fact(d->b, fact), &p)) return;
    c->pub.certainty = WF_BEHAVIOUR_CHANGED;
    c->pub.p = p;
}

// Returns whether all traces of the side begin with the creation of tasks.
static bool shows_start(const struct wf_behaviour_diff *d, unsigned lane, unsigned side) {
    bool any = false;
    for (uint32_t trace = 1; trace <= d->b->trace_count; ++trace) {
        bool starts = false;
        if (wfi_side(d, trace) != side || d->b->traces[trace - 1].lane != lane) continue;
        for (uint32_t i = 1; i <= d->b->fact_count && !starts; ++i) {
            const struct wfi_fact *t = wfi_fact(d->b, i);
            if (t->kind != WFI_FACT_CREATED || wfi_actor_kind(d->b, t->actor) != WFI_ACTOR_TASK)
                continue;
            for (uint32_t n = t->seen; n && !starts; n = d->b->seen[n - 1].next)
                starts = d->b->seen[n - 1].trace == trace && d->b->seen[n - 1].bits & 1;
        }
        if (!starts) return false;
        any = true;
    }
    return any;
}

// What the program creates when it starts is new or has vanished, even if it is never used.
static void select_created(struct wf_behaviour_diff *d, uint32_t fact,
                           enum wf_behaviour_kind kind) {
    const struct wfi_fact *t = wfi_fact(d->b, fact);
    uint64_t good = d->cases[fact].sides[WFI_GOOD].count, now = d->cases[fact].sides[WFI_NEW].count;
    unsigned lane = wfi_actor_lane(d->b, t->actor), side = good ? WFI_GOOD : WFI_NEW;
    uint32_t created =
        wfi_behaviour_find(d->b, WFI_FACT_CREATED, t->actor, t->part[0], t->part[1], 0);
    const struct wfi_seen *s = created ? first_seen(d, created, side) : NULL;
    if (!good == !now) return;
    if (!s || !(s->bits & 1) || !shows_start(d, lane, side == WFI_GOOD ? WFI_NEW : WFI_GOOD)) {
        select_by_test(d, fact, kind, true);
        return;
    }
    struct wfi_change *c = wfi_change_add(d, kind, fact, side == WFI_GOOD);
    c->pub.certainty = WF_BEHAVIOUR_CHANGED;
    c->pub.p = 0;
}

// A task waits when the new trace ends, and got the object regularly before.
static void select_stuck(struct wf_behaviour_diff *d, uint32_t fact, double limit) {
    const struct wfi_fact *t = wfi_fact(d->b, fact);
    const struct wfi_seen *stuck = first_seen(d, fact, WFI_NEW);
    uint32_t action = wfi_behaviour_find_action(d->b, WFI_VERB_TAKES, t->part[0]);
    uint32_t got = action ? wfi_behaviour_find(d->b, WFI_FACT_ACTION, t->actor, action, 0, 0) : 0;
    if (!stuck || !got) return;
    const struct wfi_share *g = &d->cases[got].sides[WFI_GOOD], *n = &d->cases[got].sides[WFI_NEW];
    const struct wfi_trace_info *trace = &d->b->traces[stuck->trace - 1];
    const struct wfi_lane_blocks *l = wfi_lane_blocks(d, trace->lane);
    double ticks = l->seconds * (l->timed ? (double)trace->hz : 1);
    double waits = (double)(trace->last - stuck->tick) / ticks;
    if ((double)n->blocks * g->of >= (double)g->blocks * n->of) return;
    if (waits < STUCK_GAPS * (g->gap + 1.0)) return;
    double p = wfi_chance(g->blocks, g->of, n->blocks, n->of),
           all = wfi_chance(g->all, g->all_of, n->all, n->all_of);
    if (p > limit && all > limit && p > 0.05) return;
    struct wfi_change *c = wfi_change_add(d, WF_BEHAVIOUR_WAKE_UP, fact, false);
    c->pub.p = p;
    c->reverse = got;
    c->pub.certainty = p <= limit     ? WF_BEHAVIOUR_CHANGED
                       : all <= limit ? WF_BEHAVIOUR_MARKED
                                      : WF_BEHAVIOUR_SUSPECTED;
}

static double stuck_limit(const struct wf_behaviour_diff *d) {
    unsigned count = 1;
    for (uint32_t i = 1; i <= d->b->fact_count; ++i) {
        bool stuck = wfi_fact(d->b, i)->kind == WFI_FACT_STUCK;
        count += stuck && d->cases[i].sides[WFI_NEW].count;
    }
    return d->alarms / count;
}

static void select_changes(struct wf_behaviour_diff *d) {
    double stuck = stuck_limit(d);
    for (uint32_t i = 1; i <= d->b->fact_count && d->err == WF_OK; ++i) {
        switch (wfi_fact(d->b, i)->kind) {
        case WFI_FACT_RUN: select_by_test(d, i, WF_BEHAVIOUR_RUN, false); break;
        case WFI_FACT_FOLLOWS: select_by_test(d, i, WF_BEHAVIOUR_FOLLOWS, false); break;
        case WFI_FACT_STATE: select_by_test(d, i, WF_BEHAVIOUR_STATE, true); break;
        case WFI_FACT_TRANSITION: select_by_test(d, i, WF_BEHAVIOUR_TRANSITION, true); break;
        case WFI_FACT_RECORD: select_by_test(d, i, WF_BEHAVIOUR_RECORD, true); break;
        case WFI_FACT_VARIETY: select_by_test(d, i, WF_BEHAVIOUR_VARIETY, false); break;
        case WFI_FACT_OBJECT: select_created(d, i, WF_BEHAVIOUR_OBJECT); break;
        case WFI_FACT_ACTION: select_action(d, i); break;
        case WFI_FACT_LOCKS: select_locks(d, i); break;
        case WFI_FACT_TASK: select_created(d, i, WF_BEHAVIOUR_TASK); break;
        case WFI_FACT_STUCK: select_stuck(d, i, stuck); break;
        default: break;
        }
    }
}

// ---- order

static int by_importance(const void *a, const void *b) {
    const struct wfi_change *x = a, *y = b;
    if (x->pub.certainty != y->pub.certainty) return x->pub.certainty < y->pub.certainty ? -1 : 1;
    if (x->pub.kind != y->pub.kind) return x->pub.kind < y->pub.kind ? -1 : 1;
    bool times = x->pub.kind == WF_BEHAVIOUR_WAKE_UP;
    if (times && x->since != y->since) return x->since < y->since ? -1 : 1;
    if (x->pub.p != y->pub.p) return x->pub.p < y->pub.p ? -1 : 1;
    if (x->since != y->since) return x->since < y->since ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static void sort_changes(struct wf_behaviour_diff *d) {
    if (d->change_count) qsort(d->changes, d->change_count, sizeof *d->changes, by_importance);
}

// ---- open and close

static int join_sides(struct wf_behaviour_diff *d, const struct wf_behaviour *good,
                      const struct wf_behaviour *now) {
    d->b = wf_behaviour_open(NULL);
    if (!d->b) return WF_ERR_NOMEM;
    d->b->whole = true;
    int err = wf_behaviour_join(d->b, good, NULL);
    d->good_traces = (uint32_t)d->b->trace_count;
    return err == WF_OK ? wf_behaviour_join(d->b, now, NULL) : err;
}

static int compare(struct wf_behaviour_diff *d, const struct wf_behaviour *good,
                   const struct wf_behaviour *now) {
    int err = join_sides(d, good, now);
    if (err != WF_OK) return err;
    wfi_facts_derive(d->b, d->good_traces);
    if (d->b->err != WF_OK) return d->b->err;
    wfi_chance_test(d);
    if (d->err == WF_OK) select_changes(d);
    sort_changes(d);
    if (d->err == WF_OK) wfi_changes_explain(d);
    return d->err;
}

struct wf_behaviour_diff *wf_behaviour_compare(const struct wf_behaviour *good,
                                               const struct wf_behaviour *now,
                                               const struct wf_behaviour_compare_options *options,
                                               struct wf_error *error) {
    struct wf_behaviour_compare_options o;
    int err = wfi_options_copy(&o, sizeof o, options);
    struct wf_behaviour_diff *d = err == WF_OK ? calloc(1, sizeof *d) : NULL;
    if (d) {
        d->alarms = o.alarms > 0 ? o.alarms : ALARMS;
        err = compare(d, good, now);
    } else if (err == WF_OK) {
        err = WF_ERR_NOMEM;
    }
    wf_error_code(error, err);
    if (err == WF_OK) return d;
    wf_behaviour_diff_close(d);
    return NULL;
}

void wf_behaviour_diff_close(struct wf_behaviour_diff *d) {
    if (!d) return;
    for (size_t i = 0; i < d->text_count; ++i) free(d->texts[i]);
    free(d->texts);
    free(d->cases);
    free(d->lanes);
    free(d->changes);
    wf_behaviour_close(d->b);
    free(d);
}

bool wf_behaviour_diff_next(struct wf_behaviour_diff *d, size_t *at,
                            struct wf_behaviour_difference *change) {
    if (*at >= d->change_count) return false;
    struct wfi_change *c = &d->changes[(*at)++];
    if (!c->pub.text) {
        wfi_change_show(d, c);
        c->pub.text = wfi_words_change(d, c);
    }
    *change = c->pub;
    return true;
}

size_t wf_behaviour_diff_count(const struct wf_behaviour_diff *d,
                               enum wf_behaviour_certainty certainty) {
    size_t count = 0;
    for (size_t i = 0; i < d->change_count; ++i) count += d->changes[i].pub.certainty == certainty;
    return count;
}
