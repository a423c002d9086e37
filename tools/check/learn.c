// SPDX-License-Identifier: MIT
// Makes rules of the figures of a trace: bounds are a quarter more than the worst value, rounded to
// two digits.

#include "learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum selector { BY_TASK, BY_IRQ, BY_OBJECT, BY_MACHINE, BY_NAME };
enum { LEAST = 1, MOST = 2, P99 = 4 };
enum { P99_VALUES = 100 }; // fewer have no meaningful p99

// Figures of docs/stats.md, in the order of the script.
static const struct source {
    enum wf_stats_kind of;
    const char *figure;
    enum wf_check_kind kind;
    enum selector selector;
    unsigned bounds;
} sources[] = {
    {WF_STATS_TASK, "share", WF_CHECK_CPU, BY_TASK, MOST},
    {WF_STATS_TASK, "response", WF_CHECK_RESPONSE, BY_TASK, MOST | P99},
    {WF_STATS_TASK, "execution", WF_CHECK_EXECUTION, BY_TASK, MOST},
    {WF_STATS_TASK, "period", WF_CHECK_PERIOD, BY_TASK, LEAST | MOST},
    {WF_STATS_IRQ, "period", WF_CHECK_PERIOD, BY_IRQ, LEAST | MOST},
    {WF_STATS_OBJECT, "period", WF_CHECK_PERIOD, BY_OBJECT, LEAST | MOST},
    {WF_STATS_IRQ, "duration", WF_CHECK_IRQ, BY_IRQ, MOST | P99},
    {WF_STATS_OBJECT, "hold", WF_CHECK_HOLD, BY_OBJECT, MOST},
    {WF_STATS_OBJECT, "wait", WF_CHECK_WAIT, BY_OBJECT, MOST},
    {WF_STATS_OBJECT, "depth", WF_CHECK_QUEUE, BY_OBJECT, MOST},
    {WF_STATS_MACHINE, "step", WF_CHECK_STEP, BY_MACHINE, MOST},
    {WF_STATS_SPAN, "span", WF_CHECK_SPAN, BY_NAME, MOST},
    {WF_STATS_COUNTER, "counter", WF_CHECK_COUNTER, BY_NAME, LEAST | MOST},
    {WF_STATS_TASK, "stack free", WF_CHECK_STACK, BY_TASK, LEAST},
    {WF_STATS_OBJECT, "least free", WF_CHECK_HEAP, BY_OBJECT, LEAST},
};
enum { SOURCES = sizeof sources / sizeof *sources };

static const char **text_of(struct wf_check_rule *rule, enum selector selector) {
    switch (selector) {
    case BY_TASK: return &rule->task;
    case BY_IRQ: return &rule->irq;
    case BY_OBJECT: return &rule->object;
    case BY_MACHINE: return &rule->machine;
    default: return &rule->name;
    }
}

// Rounds to two digits, up or down.
static double friendly(double value, bool up) {
    if (fabs(value) < 1e-12) return 0;
    double scale = pow(10, floor(log10(fabs(value))) - 1), digits = value / scale;
    double whole = nearbyint(digits);
    if (fabs(whole - digits) < 1e-6) return whole * scale; // 12.000000001 is 12
    return (up ? ceil(digits) : floor(digits)) * scale;
}

// Counts and bytes are whole numbers.
static bool is_whole(const struct learned *r) {
    enum wf_check_unit unit = wf_check_kinds[r->rule.kind].unit;
    return unit == WF_CHECK_NUMBER || unit == WF_CHECK_BYTES;
}

static struct wf_check_bound above(const struct learned *r, double value) {
    double bound = friendly(value + fabs(value) / 4, true);
    return (struct wf_check_bound){true, is_whole(r) ? ceil(bound) : bound};
}

static struct wf_check_bound below(const struct learned *r, double value) {
    double bound = friendly(value - fabs(value) / 4, false);
    return (struct wf_check_bound){true, is_whole(r) ? floor(bound) : bound};
}

// ---- rows

static const struct wf_figure *find_figure(const struct wf_stats_row *row, const char *name) {
    for (unsigned i = 0; i < row->count; ++i) {
        if (row->figures[i].known && strcmp(row->figures[i].name, name) == 0)
            return &row->figures[i];
    }
    return NULL;
}

// Several tasks or objects with one name have one rule.
static struct learned *find(struct learned_list *l, enum wf_check_kind kind, enum selector selector,
                            const char *name, unsigned lane) {
    for (unsigned i = 0; i < l->count; ++i) {
        struct learned *r = &l->list[i];
        const char *text = *text_of(&r->rule, selector);
        if (r->rule.kind == kind && r->lane == lane && text && strcmp(text, name) == 0) return r;
    }
    return NULL;
}

static struct learned *add(struct learned_list *l, enum wf_check_kind kind, enum selector selector,
                           const char *name, unsigned lane) {
    if (l->count == l->room) {
        unsigned room = l->room ? 2 * l->room : 64;
        struct learned *more = realloc(l->list, room * sizeof *more);
        if (!more) return NULL;
        l->list = more;
        l->room = room;
    }
    struct learned *r = &l->list[l->count];
    *r = (struct learned){.rule = {.size = sizeof r->rule, .kind = kind, .core = -1},
                          .lane = lane,
                          .name = name ? strdup(name) : NULL,
                          .low = INFINITY,
                          .high = -INFINITY,
                          .p99 = -INFINITY};
    if (name && !r->name) return NULL;
    if (name) *text_of(&r->rule, selector) = r->name;
    ++l->count;
    return r;
}

static void set_bounds(struct learned *r, const struct source *s) {
    const struct wf_check_bound none = {false, 0};
    r->rule.min = r->rule.max = r->rule.p99 = none;
    if (s->bounds & LEAST) r->rule.min = below(r, r->low);
    if (s->bounds & MOST) r->rule.max = above(r, r->high);
    if ((s->bounds & P99) && r->seen >= P99_VALUES) r->rule.p99 = above(r, r->p99);
}

// Ticks become seconds.
static void add_values(struct learned *r, const struct wf_figure *f, uint64_t hz) {
    double unit = f->unit == WF_UNIT_TICKS ? 1 / (double)hz : 1;
    bool one = f->form == WF_FIGURE_ONE;
    double low = (one ? f->value : f->min) * unit, high = (one ? f->value : f->max) * unit;
    r->seen += one ? 1 : (uint64_t)f->count;
    if (low < r->low) r->low = low;
    if (high > r->high) r->high = high;
    if (f->form == WF_FIGURE_SPREAD && f->p99 * unit > r->p99) r->p99 = f->p99 * unit;
}

static bool take_row(struct learned_list *l, const struct source *s, const struct wf_stats_row *row,
                     unsigned lane, uint64_t hz) {
    const struct wf_figure *f = row->kind == s->of ? find_figure(row, s->figure) : NULL;
    const char *name = s->selector == BY_TASK ? row->task : row->name;
    enum wf_check_kind kind = s->kind;
    if (!f || !name || (f->form != WF_FIGURE_ONE && f->count < 1)) return true;
    if (f->unit == WF_UNIT_TICKS && !hz) return true;
    struct learned *r = find(l, kind, s->selector, name, lane);
    if (!r) r = add(l, kind, s->selector, name, lane);
    if (!r) return false;
    add_values(r, f, hz);
    set_bounds(r, s);
    return true;
}

bool learn_lane(struct learned_list *l, struct wf_stats *figures, unsigned lane, uint64_t hz) {
    struct wf_stats_row row;
    struct learned *r = add(l, WF_CHECK_LOSS, BY_NAME, NULL, lane);
    if (!r) return false;
    r->rule.max = (struct wf_check_bound){true, 0};
    if (!add(l, WF_CHECK_NO_INVERSION, BY_NAME, NULL, lane)) return false;
    for (unsigned i = 0; i < SOURCES; ++i) {
        for (uint64_t at = 0; wf_stats_next(figures, &at, &row);) {
            if (!take_row(l, &sources[i], &row, lane, hz)) return false;
        }
    }
    return true;
}

void learn_free(struct learned_list *l) {
    for (unsigned i = 0; i < l->count; ++i) free(l->list[i].name);
    free(l->list);
}
