// SPDX-License-Identifier: MIT
// The order: changes that may be causes before those that may follow from them. What a task or
// interrupt does itself is not changed by others, so its execution time comes before how often and
// how long it ran, and these before responses and waits, which depend on all others.

#include "wfi_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum tier { TIER_PRESENCE, TIER_OWN, TIER_RATE, TIER_RUN, TIER_DELAY, TIER_TOTAL };

static enum tier tier_of_figure(const char *figure) {
    static const struct {
        const char *figure;
        enum tier tier;
    } rows[] = {
        {"execution", TIER_OWN}, {"step", TIER_OWN},      {"bytes", TIER_OWN},
        {"period", TIER_RATE},   {"begins", TIER_RATE},   {"runs", TIER_RUN},
        {"expired", TIER_RATE},  {"started", TIER_RATE},  {"allocated", TIER_RATE},
        {"freed", TIER_RATE},    {"cpu", TIER_RUN},       {"run", TIER_RUN},
        {"hold", TIER_RUN},      {"span", TIER_RUN},      {"counter", TIER_RUN},
        {"given", TIER_RUN},     {"taken", TIER_RUN},     {"stack free", TIER_RUN},
        {"tasks", TIER_TOTAL},   {"idle", TIER_TOTAL},    {"interrupts", TIER_TOTAL},
        {"known", TIER_TOTAL},   {"unknown", TIER_TOTAL}, {"lost", TIER_PRESENCE},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (strcmp(figure, rows[i].figure) == 0) return rows[i].tier;
    }
    return TIER_DELAY;
}

// Pairs of tasks and objects come and go with how tasks happen to meet.
static bool is_pair(enum wf_stats_kind kind) {
    return kind >= WF_STATS_HOLD && kind <= WF_STATS_RAISED;
}

static enum tier tier_of(const struct wf_diff_figure *f) {
    if (f->presence == WF_DIFF_BOTH) return tier_of_figure(f->figure);
    return is_pair(f->kind) ? TIER_DELAY : TIER_PRESENCE;
}

// ---- processor time

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static bool same_row(const struct wf_diff_figure *a, const struct wf_diff_figure *b) {
    return a->lane == b->lane && a->kind == b->kind && a->core == b->core &&
           same_text(a->name, b->name) && same_text(a->task, b->task) &&
           same_text(a->object, b->object) && same_text(a->by, b->by) &&
           same_text(a->over, b->over);
}

// Figures of a row follow each other. Returns one of the row of item i.
static const struct wf_diff_figure *figure_near(const struct wf_diff *d, size_t i,
                                                const char *figure) {
    const struct wf_diff_figure *own = &d->items[i].figure;
    size_t from = i;
    while (from > 0 && same_row(&d->items[from - 1].figure, own)) --from;
    for (; from < d->count && same_row(&d->items[from].figure, own); ++from) {
        if (strcmp(d->items[from].figure.figure, figure) == 0) return &d->items[from].figure;
    }
    return NULL;
}

// In per cent of a core: execution times what it takes more each time; how often, times what one
// takes; shares themselves.
static double moved_of(const struct wf_diff *d, size_t i) {
    const struct wf_diff_figure *f = &d->items[i].figure;
    const struct wf_diff_change *mean = &f->measures[WF_DIFF_MEAN];
    const struct wf_diff_change *share = &f->measures[WF_DIFF_SHARE];
    if (f->unit == WF_UNIT_TICKS && share->known) return share->now - share->good;
    const struct wf_diff_figure *cpu = figure_near(d, i, "cpu");
    double used = cpu ? cpu->measures[WF_DIFF_SHARE].good : 0;
    if (strcmp(f->figure, "execution") == 0 && mean->known && isfinite(mean->effect))
        return used * mean->effect / 100;
    const struct wf_diff_change *rate = &f->measures[WF_DIFF_RATE];
    if ((strcmp(f->figure, "runs") == 0 || strcmp(f->figure, "begins") == 0) && rate->known &&
        isfinite(rate->effect))
        return used * rate->effect / 100;
    if (strcmp(f->figure, "period") == 0 && mean->known && mean->now > 0)
        return used * (mean->good / mean->now - 1);
    return 0;
}

// ---- sorting

static double score_of(const struct wf_diff_figure *f) {
    const struct wf_diff_change *c = &f->measures[f->leading];
    double noise = fmin(fabs(c->noise), 1e6);
    return noise * sqrt(fabs(f->moved) + 0.01);
}

static const unsigned verdict_rank[WF_DIFF_VERDICTS] = {[WF_DIFF_CHANGED] = 0,
                                                        [WF_DIFF_MARKED] = 1,
                                                        [WF_DIFF_FEW] = 2,
                                                        [WF_DIFF_SMALL] = 3,
                                                        [WF_DIFF_CHANCE] = 4};

static int compare_items(const void *x, const void *y) {
    const struct wfi_diff_item *a = x, *b = y;
    unsigned va = verdict_rank[a->figure.verdict], vb = verdict_rank[b->figure.verdict];
    if (va != vb) return va < vb ? -1 : 1;
    if (a->tier != b->tier) return a->tier < b->tier ? -1 : 1;
    if (a->score > b->score || a->score < b->score) return a->score > b->score ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

void wfi_diff_order(struct wf_diff *d) {
    for (size_t i = 0; i < d->count; ++i) {
        struct wfi_diff_item *item = &d->items[i];
        item->figure.moved = moved_of(d, i);
        item->tier = tier_of(&item->figure);
        item->score = score_of(&item->figure);
        item->place = i;
    }
    if (d->count) qsort(d->items, d->count, sizeof *d->items, compare_items);
}
