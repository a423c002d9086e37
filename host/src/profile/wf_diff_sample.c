// SPDX-License-Identifier: MIT
// The quantities that are compared, by blocks: means are sums over numbers of values, rates numbers
// over time, shares times over time. A percentile is compared at a value between both sides' own:
// which part of the values is above it. The greatest and least value are compared by the ranks of
// those of each block, for which the blocks of both sides must be equally long.

#include "wfi_diff.h"

#include <math.h>
#include <string.h>

// ---- values

static double per_mille(enum wf_diff_measure measure) {
    return measure == WF_DIFF_MEDIAN ? 500 : measure == WF_DIFF_P95 ? 950 : 990;
}

static double spread_value(const struct wfi_side *s, enum wf_diff_measure measure) {
    const struct wf_histogram *h = &s->figure->histogram;
    switch (measure) {
    case WF_DIFF_MEAN: return wf_histogram_mean(h) * s->tick;
    case WF_DIFF_MAX: return (double)h->max * s->tick;
    case WF_DIFF_MIN: return (double)h->min * s->tick;
    default: return (double)wf_histogram_quantile(h, (unsigned)per_mille(measure)) * s->tick;
    }
}

static double level_value(const struct wfi_side *s, enum wf_diff_measure measure) {
    const struct wfi_profile_figure *f = s->figure;
    return measure == WF_DIFF_MEAN ? f->mean : measure == WF_DIFF_MAX ? f->max : f->min;
}

static double number_of(const struct wfi_profile_figure *f) {
    return f->form == WF_FIGURE_SPREAD  ? (double)f->histogram.count
           : f->form == WF_FIGURE_LEVEL ? f->count
                                        : f->value;
}

double wfi_diff_value(const struct wfi_side *s, enum wf_diff_measure measure, bool *known) {
    double seconds = s->lane ? (double)s->lane->is.ticks * s->scale : 0;
    bool of_time = measure == WF_DIFF_RATE || measure == WF_DIFF_SHARE;
    *known = of_time ? seconds > 0 : s->figure && s->figure->known;
    if (!*known || !s->figure) return 0;
    if (measure == WF_DIFF_RATE) return number_of(s->figure) / seconds;
    if (measure == WF_DIFF_SHARE) return 100 * s->figure->value * s->scale / seconds;
    if (s->figure->form == WF_FIGURE_SPREAD) return spread_value(s, measure);
    return s->figure->form == WF_FIGURE_LEVEL ? level_value(s, measure) : s->figure->value;
}

// ---- samples

// The values of each block.
static void count_blocks(const struct wf_blocks *b, double counts[WFI_BLOCKS]) {
    memset(counts, 0, WFI_BLOCKS * sizeof *counts);
    for (size_t i = 0; b && i < b->used; ++i)
        counts[b->entries[i].block] += (double)b->entries[i].count;
}

static bool sample_mean(const struct wfi_side *s, struct wfi_sample *x) {
    const struct wfi_profile_figure *f = s->figure;
    if (!f || !f->blocks || (f->form == WF_FIGURE_LEVEL && !f->weights)) return false;
    if (f->form == WF_FIGURE_LEVEL)
        memcpy(x->weight, f->weights->sum, sizeof x->weight);
    else
        count_blocks(f->blocks, x->weight);
    for (unsigned i = 0; i < x->count; ++i) x->value[i] = f->blocks->sum[i] * s->tick;
    return true;
}

// A figure that a side does not have is 0 in all of its blocks.
static bool sample_rate(const struct wfi_side *s, struct wfi_sample *x, bool share) {
    const struct wfi_profile_figure *f = s->figure;
    for (unsigned i = 0; i < x->count; ++i) {
        x->weight[i] = (double)s->lane->ticks[i] * s->scale;
        x->value[i] = 0;
    }
    if (!f || !f->blocks) return !f || !f->known || number_of(f) == 0;
    if (f->form == WF_FIGURE_SPREAD)
        count_blocks(f->blocks, x->value);
    else
        memcpy(x->value,
               f->form == WF_FIGURE_LEVEL && f->weights ? f->weights->sum : f->blocks->sum,
               sizeof x->value);
    for (unsigned i = 0; share && i < x->count; ++i) x->value[i] *= 100 * s->scale;
    return true;
}

// The part of a class that is at least `limit`.
static double part_above(double from, double to, double limit) {
    if (limit <= from) return 1;
    return limit >= to ? 0 : (to - limit) / (to - from);
}

static bool sample_above(const struct wfi_side *s, double limit, struct wfi_sample *x) {
    const struct wf_blocks *b = s->figure->blocks;
    memset(x->value, 0, sizeof x->value);
    count_blocks(b, x->weight);
    for (size_t i = 0; i < b->used; ++i) {
        const struct wfi_block_entry *e = &b->entries[i];
        double from = (double)wfi_class_begin((unsigned)e->class << b->shift) * s->tick;
        double to = (double)wfi_class_begin(((unsigned)e->class + 1) << b->shift) * s->tick;
        x->value[e->block] += (double)e->count * part_above(from, to, limit);
    }
    return true;
}

static unsigned class_at(double ticks) {
    return ticks < 0x1p63 ? wfi_class_of((uint64_t)(ticks + 0.5)) : WFI_CLASSES - 1;
}

// A limit between two values, at which classes of the coarser side begin. Returns false if they are
// in one class.
static bool limit_between(const struct wfi_side *s, unsigned shift, double a, double b,
                          double *limit) {
    unsigned low = class_at(fmin(a, b) / s->tick) >> shift;
    unsigned high = class_at(fmax(a, b) / s->tick) >> shift;
    *limit = (double)wfi_class_begin(((low + high + 1) / 2) << shift) * s->tick;
    return low != high;
}

static bool has_classes(const struct wfi_side *s) {
    return s->figure && s->figure->form == WF_FIGURE_SPREAD && s->figure->blocks &&
           s->figure->histogram.count;
}

static bool sample_quantile(const struct wfi_side *a, const struct wfi_side *b,
                            enum wf_diff_measure measure, struct wfi_sample *x,
                            struct wfi_sample *y) {
    double limit;
    if (!has_classes(a) || !has_classes(b)) return false;
    const struct wfi_side *coarse = a->figure->blocks->shift >= b->figure->blocks->shift ? a : b;
    bool apart = limit_between(coarse, coarse->figure->blocks->shift, spread_value(a, measure),
                               spread_value(b, measure), &limit);
    if (!apart) limit = 0; // all are above: no difference
    return sample_above(a, limit, x) && sample_above(b, limit, y);
}

// ---- extremes

// The greatest or least class of each block, in units of the figure; negative: no value. Blocks
// are merged in groups.
static void extremes(const struct wfi_side *s, bool greatest, unsigned group, unsigned shift,
                     double of[WFI_BLOCKS]) {
    const struct wf_blocks *b = s->figure->blocks;
    for (unsigned i = 0; i < WFI_BLOCKS; ++i) of[i] = -1;
    for (size_t i = 0; i < b->used; ++i) {
        const struct wfi_block_entry *e = &b->entries[i];
        unsigned class = (unsigned)e->class >> (shift - b->shift) << shift;
        double value = (double)wfi_class_begin(class) * s->tick;
        double *to = &of[e->block / group];
        if (*to < 0 || (greatest ? value > *to : value < *to)) *to = value;
    }
}

static double longest_block(const struct wfi_side *s) {
    uint64_t most = 0;
    for (unsigned i = 0; i < s->lane->count; ++i)
        if (s->lane->ticks[i] > most) most = s->lane->ticks[i];
    return (double)most * s->scale;
}

// How many blocks of a side make one as long as those of the other.
static unsigned group_of(const struct wfi_side *s, const struct wfi_side *other) {
    double own = longest_block(s), wanted = longest_block(other);
    unsigned group = 1;
    while (group < WFI_BLOCKS && own * group * 1.5 < wanted) group *= 2;
    return group;
}

// Ranks of values from 0 to 1; equal ones have the same.
static double rank_of(double value, const double *a, unsigned na, const double *b, unsigned nb) {
    double below = 0, all = 0;
    for (unsigned i = 0; i < na + nb; ++i) {
        double other = i < na ? a[i] : b[i - na];
        if (other < 0) continue;
        below += other < value ? 1 : other > value ? 0 : 0.5;
        ++all;
    }
    return all > 0 ? below / all : 0;
}

static void rank_all(struct wfi_sample *x, const double *own, const double *a, unsigned na,
                     const double *b, unsigned nb) {
    for (unsigned i = 0; i < x->count; ++i) {
        x->weight[i] = own[i] >= 0;
        x->value[i] = own[i] >= 0 ? rank_of(own[i], a, na, b, nb) : 0;
    }
}

static bool sample_extreme(const struct wfi_side *a, const struct wfi_side *b, bool greatest,
                           struct wfi_sample *x, struct wfi_sample *y) {
    double of_a[WFI_BLOCKS], of_b[WFI_BLOCKS];
    if (!has_classes(a) || !has_classes(b)) return false;
    unsigned group_a = group_of(a, b), group_b = group_of(b, a);
    unsigned shift = a->figure->blocks->shift, other = b->figure->blocks->shift;
    if (other > shift) shift = other;
    x->count = (a->lane->count + group_a - 1) / group_a;
    y->count = (b->lane->count + group_b - 1) / group_b;
    extremes(a, greatest, group_a, shift, of_a);
    extremes(b, greatest, group_b, shift, of_b);
    rank_all(x, of_a, of_a, x->count, of_b, y->count);
    rank_all(y, of_b, of_a, x->count, of_b, y->count);
    return true;
}

bool wfi_diff_sample(const struct wfi_side *a, const struct wfi_side *b,
                     enum wf_diff_measure measure, struct wfi_sample *x, struct wfi_sample *y) {
    if (!a->lane || !b->lane) return false;
    x->count = a->lane->count;
    y->count = b->lane->count;
    switch (measure) {
    case WF_DIFF_MEAN: return sample_mean(a, x) && sample_mean(b, y);
    case WF_DIFF_MEDIAN:
    case WF_DIFF_P95:
    case WF_DIFF_P99: return sample_quantile(a, b, measure, x, y);
    case WF_DIFF_MAX:
    case WF_DIFF_MIN: return sample_extreme(a, b, measure == WF_DIFF_MAX, x, y);
    case WF_DIFF_RATE:
    case WF_DIFF_SHARE: {
        bool share = measure == WF_DIFF_SHARE;
        return sample_rate(a, x, share) && sample_rate(b, y, share);
    }
    default: return false;
    }
}
