// SPDX-License-Identifier: MIT
// Decides: a rule is broken only by what is known, and kept only if no hole could hide what breaks
// it.

#include "wfi_check_events.h"
#include "wfi_check_load.h"
#include "wfi_check_total.h"

#include <math.h>

// ---- sums

static bool is_selected(struct wfi_rule *r, struct wfi_sum *s, enum wf_priorities order) {
    bool low = order == WF_PRIORITIES_LOW;
    if (r->r.kind == WF_CHECK_NO_INVERSION &&
        (order == WF_PRIORITIES_UNKNOWN || s->low_is_first != low))
        return false;
    return wfi_sum_selected(r, s);
}

static void add_sum(struct wfi_rule *r, struct wfi_total *t, const struct wfi_sum *s) {
    ++t->selected;
    t->count += s->count;
    t->open += s->open;
    t->in_hole += s->in_hole;
    t->lost += s->lost;
    t->failures += s->failures;
    t->sum += s->total;
    t->min = fmin(t->min, s->min);
    t->max = fmax(t->max, s->max);
    t->stale |= s->holes < r->c->all_holes;
    for (unsigned i = 0; i < WFI_LIMITS; ++i) t->over[i] += s->over[i];
    if (s->histogram && !wf_histogram_join(&t->histogram, s->histogram)) r->c->err = WF_ERR_NOMEM;
    if (s->failures && (!t->worst || s->worst.badness > t->worst->badness)) t->worst = &s->worst;
}

static struct wfi_total sum_up(struct wfi_rule *r, enum wf_priorities order) {
    struct wfi_total t = {.min = INFINITY, .max = -INFINITY};
    for (size_t i = 0; i < r->sums.count; ++i) {
        struct wfi_sum *s = r->sums.at[i];
        if (s && is_selected(r, s, order))
            add_sum(r, &t, s);
        else if (s && s->unnamed && r->c->all_holes)
            t.unnamed += 1 + s->count;
    }
    return t;
}

double wfi_total_value(const struct wfi_total *t, unsigned limit) {
    switch (limit) {
    case WFI_MAX: return t->max;
    case WFI_MIN: return t->min;
    case WFI_MEAN: return t->sum / (double)t->count;
    default:
        return (double)wf_histogram_quantile(&t->histogram,
                                             (unsigned)lround(1000 * wfi_limit_shares[limit]));
    }
}

// The bound that is closest, or exceeded the most.
static void set_margin(struct wfi_rule *r, const struct wfi_total *t) {
    struct wf_check_result *to = &r->result;
    for (unsigned i = 0; i < WFI_LIMITS; ++i) {
        const struct wf_check_bound *b = wfi_rule_bound(&r->r, i);
        double value =
            b->set && (t->count || t->max > -INFINITY) ? wfi_total_value(t, i) : INFINITY;
        if (!isfinite(value)) continue;
        double is = wfi_value_unit(r, value);
        double over = i == WFI_MIN ? is - b->value : b->value - is;
        double margin = b->value != 0 ? 100 * over / fabs(b->value) : over < 0 ? -100 : 0;
        if (to->measured && margin >= to->margin) continue;
        to->measured = true;
        to->figure = wfi_limit_names[i];
        to->value = is;
        to->bound = b->value;
        to->margin = margin;
    }
}

// ---- what holes may hide

static bool is_exact(const struct wf_check *c) { return !c->inexact && !c->unsettled; }

// The most intervals that holes hide. A record that is missing begins at most one; in addition an
// interval that a hole cuts is not counted, nor are the first ones of a task after it while its
// state is not known. In the other figures several values depend on one record; in formats that
// have no depth of interrupts, these are not known after a hole.
static double most_hidden(const struct wfi_rule *r, const struct wfi_total *t) {
    const struct wf_check *c = r->c;
    enum wf_stats_spread spread = wfi_rule_spread(&r->r);
    bool several = r->r.kind == WF_CHECK_JITTER || r->r.kind == WF_CHECK_BLOCKED;
    bool irqs = spread == WF_SPREAD_IRQ_DURATION || spread == WF_SPREAD_IRQ_PERIOD;
    bool jobs = spread <= WF_SPREAD_RUN;
    if (!is_exact(c) || several || r->unknown || (irqs && wf_session_is_imported(c->s)))
        return INFINITY;
    double first = jobs ? 2 * (double)c->all_holes * (double)(t->selected + 1) : 0;
    return (double)c->missing + (double)t->unnamed + 2 * (double)t->in_hole + first;
}

// More than these of n values may not be above the limit of a percentile.
static double most_above(unsigned limit, double n) {
    return floor(n * (1 - wfi_limit_shares[limit]) + 1e-9);
}

// Whether the limit is broken (1), kept (0) or undecided (-1) if `hidden` more values may exist.
static int judge_limit(const struct wfi_rule *r, const struct wfi_total *t, unsigned limit,
                       double hidden) {
    double n = (double)t->count, over = (double)t->over[limit];
    if (limit == WFI_MEAN) {
        if (t->count && t->sum > r->limit[limit] * (n + hidden)) return 1;
        return hidden > 0 ? -1 : 0;
    }
    if (limit < WFI_P50) return hidden > 0 ? -1 : 0;
    if (!isfinite(hidden)) return -1;
    if (over > most_above(limit, n + hidden)) return 1;
    return over + hidden > most_above(limit, n + hidden) ? -1 : 0;
}

static enum wfi_reason judge_sums(struct wfi_rule *r, const struct wfi_total *t, bool *broken) {
    const struct wf_check *c = r->c;
    bool holes = c->o.loss != WF_CHECK_LOSS_IGNORED &&
                 (c->holes || t->in_hole || r->unknown || t->unnamed),
         undecided = false;
    double hidden = holes ? most_hidden(r, t) : 0;
    *broken = t->failures > 0;
    for (unsigned i = 0; i < WFI_LIMITS; ++i) {
        if (!wfi_rule_bound(&r->r, i)->set) continue;
        int is = judge_limit(r, t, i, holes && hidden == 0 ? 1 : hidden);
        *broken |= is > 0;
        undecided |= is < 0;
    }
    bool lows = r->r.kind == WF_CHECK_STACK || r->r.kind == WF_CHECK_HEAP;
    if (lows && !t->stale) undecided = false;
    if (*broken) return WFI_REASON_NONE;
    if (!t->selected) return WFI_REASON_NAME;
    if (undecided) return WFI_REASON_HOLE;
    if (t->lost || r->unpaired) return WFI_REASON_ODD;
    return t->count ? WFI_REASON_NONE : WFI_REASON_NOTHING;
}

// ---- rules that are not bounds of a figure

static enum wfi_reason judge_loss(struct wfi_rule *r, struct wfi_total *t, bool *broken) {
    const struct wf_check *c = r->c;
    const struct wf_ledger *l = wf_session_ledger(c->s);
    t->count = 1;
    t->max = (double)(l->missing + l->malformed);
    *broken = t->max > r->limit[WFI_MAX];
    t->failures = *broken ? c->all_holes : 0;
    return !*broken && c->all_holes && !is_exact(c) ? WFI_REASON_HOLE : WFI_REASON_NONE;
}

static double share_of(const struct wfi_load *l, double ticks) {
    double window = (double)(l->window ? l->window : l->last - l->first);
    return window > 0 ? 100 * fmin(window, ticks) / window : 0;
}

static enum wfi_reason judge_load(struct wfi_rule *r, const struct wfi_total *t, bool *broken) {
    const struct wfi_load *l = r->load;
    double doubt = (double)l->doubt, most = l->most_unknown, least = INFINITY;
    *broken = t->failures > 0;
    if (*broken) return WFI_REASON_NONE;
    if (!t->selected) return WFI_REASON_NAME;
    if (r->doubt) return WFI_REASON_WORDS;
    for (size_t i = 0; i < l->count; ++i) {
        const struct wfi_load_series *s = l->series[i];
        if (!s || !wfi_sum_selected(r, r->sums.at[s->number])) continue;
        most = fmax(most, s->most);
        least = fmin(least, s->sure.least);
    }
    bool ignored = r->c->o.loss == WF_CHECK_LOSS_IGNORED;
    if (!t->count) return WFI_REASON_NOTHING;
    if (ignored) return WFI_REASON_NONE;
    bool above = share_of(l, most + doubt) > r->limit[WFI_MAX];
    bool below = share_of(l, fmax(0, least - doubt)) < r->limit[WFI_MIN];
    return above || below ? WFI_REASON_HOLE : WFI_REASON_NONE;
}

static enum wfi_reason judge_inversions(struct wfi_rule *r, struct wfi_total *t,
                                        enum wf_priorities order, bool *broken) {
    struct wf_check *c = r->c;
    *broken = t->failures > 0;
    if (*broken) return WFI_REASON_NONE;
    if (c->holes && c->o.loss != WF_CHECK_LOSS_IGNORED) return WFI_REASON_HOLE;
    if (r->waits && order == WF_PRIORITIES_UNKNOWN)
        r->doubt = "it is not known whether high or low priorities are more urgent (--priorities)";
    t->count = r->waits;
    if (r->doubt) return WFI_REASON_WORDS;
    return r->waits ? WFI_REASON_NONE : WFI_REASON_NOTHING;
}

static enum wfi_reason judge_events(struct wfi_rule *r, struct wfi_total *t, bool *broken) {
    const struct wfi_events *e = r->events;
    const struct wf_check *c = r->c;
    bool ignored = c->o.loss == WF_CHECK_LOSS_IGNORED, after = r->r.kind == WF_CHECK_AFTER;
    bool named = after || r->r.kind == WF_CHECK_ORDER, late = false, unknown = false,
         unnamed = false;
    t->count = e->checked;
    t->in_hole = e->undecided;
    t->open = e->open;
    t->failures = e->failures;
    if (after && e->longest > 0) t->max = e->longest;
    if (r->r.kind == WF_CHECK_STATE && !e->failures && !wfi_events_states_known(r))
        return WFI_REASON_NAME;
    for (unsigned i = 0; r->r.kind != WF_CHECK_STATE && i < e->count; ++i) {
        late |= e->events[i].late;
        unknown |= !e->events[i].known;
        unnamed |= e->events[i].unnamed;
    }
    if (named && unknown) return WFI_REASON_NAME;
    *broken = e->failures > 0;
    if (*broken) return WFI_REASON_NONE;
    if (late) {
        r->doubt = "the name of an event came after the event: give the names (--elf, --dict)";
        return WFI_REASON_WORDS;
    }
    if (!ignored && (e->undecided || (c->holes && !after))) return WFI_REASON_HOLE;
    if (!ignored && r->unknown) return WFI_REASON_HOLE;
    if (!ignored && (e->odd || (unnamed && c->all_holes)))
        return c->all_holes ? WFI_REASON_HOLE : WFI_REASON_ODD;
    return e->checked || r->r.kind == WF_CHECK_NEVER ? WFI_REASON_NONE : WFI_REASON_NOTHING;
}

// ---- verdict

static enum wfi_reason judge(struct wfi_rule *r, struct wfi_total *t, enum wf_priorities order,
                             bool *broken) {
    bool time = wf_check_kinds[r->r.kind].unit == WF_CHECK_TIME;
    bool window = r->r.window_s != 0;
    *broken = false;
    if ((time || window) && (!r->c->hz || r->unrated)) return WFI_REASON_RATE;
    if (r->r.kind == WF_CHECK_LOSS) return judge_loss(r, t, broken);
    if (r->load) return judge_load(r, t, broken);
    if (r->r.kind == WF_CHECK_NO_INVERSION) return judge_inversions(r, t, order, broken);
    return r->events ? judge_events(r, t, broken) : judge_sums(r, t, broken);
}

// Values above the lowest limit.
static uint64_t count_above(const struct wfi_total *t) {
    uint64_t most = 0;
    for (unsigned i = WFI_MIN + 1; i < WFI_LIMITS; ++i)
        if (t->over[i] > most) most = t->over[i];
    return most;
}

// Failures of names that came later than they, or with another order of priorities, are left out.
static void keep_failures(struct wfi_rule *r, const struct wfi_total *t, enum wf_priorities order) {
    struct wfi_places *p = &r->broken;
    unsigned left = 0;
    bool inversions = r->r.kind == WF_CHECK_NO_INVERSION;
    for (unsigned i = 0; i < p->count; ++i) {
        if (inversions && p->at[i].low_is_first != (order == WF_PRIORITIES_LOW)) continue;
        p->at[left++] = p->at[i];
    }
    p->count = left;
    if (!left && t->worst && p->cap) p->at[p->count++] = *t->worst;
    bool above = !t->failures && p->count == 0;
    struct wfi_places *places = above ? &r->above : p;
    wfi_places_sort(places);
    wfi_failures_write(r, places);
    r->result.failure_count = t->failures ? t->failures : above ? count_above(t) : p->count;
}

void wfi_verdict(struct wfi_rule *r) {
    struct wf_stats_about about;
    struct wf_check *c = r->c;
    bool broken;
    wf_stats_report(c->stats, &about);
    struct wfi_total t = sum_up(r, about.priorities);
    enum wfi_reason reason = judge(r, &t, about.priorities, &broken);
    struct wf_check_result *to = &r->result;
    bool fails = reason == WFI_REASON_HOLE && c->o.loss == WF_CHECK_LOSS_FAILS;
    to->rule = &r->r;
    to->verdict = broken || fails ? WF_CHECK_FAILED : reason ? WF_CHECK_UNDECIDED : WF_CHECK_PASSED;
    to->count = t.count;
    to->undecided = t.in_hole + t.lost + r->unpaired;
    to->holes = c->holes;
    if (reason != WFI_REASON_RATE) set_margin(r, &t);
    if (broken) keep_failures(r, &t, about.priorities);
    if (broken)
        wfi_text_of_fail(r);
    else if (reason)
        wfi_text_of_reason(r, reason);
    else
        wfi_text_of_pass(r);
    wf_histogram_close(&t.histogram);
}
