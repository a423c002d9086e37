// SPDX-License-Identifier: MIT
// Does chance explain that a fact is seen on one side and not on the other? Single occurrences
// depend on each other: a task does in one run what it did in the one before. Blocks of time are
// less dependent, so what is compared is the share of blocks in which the fact was seen: if both
// sides are alike, all blocks are, and those that have it are distributed among the sides at random
// (Fisher's exact test). A fact seen once is on the new side as likely as on an equally long good
// one: it proves nothing (Good and Turing: what a sample shows once is as frequent as what it does
// not show). If blocks that have it follow each other, fewer of them count.
//
// The probabilities are corrected for the number of facts, of which only those count that could
// have been significant at all (Tarone).

#include <math.h>
#include <stdlib.h>

#include "wfi_compare.h"

// ---- Fisher's test

static double log_choose(unsigned n, unsigned k) {
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

// Probability of exactly x of n1 and k - x of n2.
static double log_table(unsigned x, unsigned k, unsigned n1, unsigned n2) {
    return log_choose(n1, x) + log_choose(n2, k - x) - log_choose(n1 + n2, k);
}

static double tail(unsigned from, unsigned to, unsigned k, unsigned n1, unsigned n2) {
    double sum = 0;
    for (unsigned x = from; x <= to; ++x) sum += exp(log_table(x, k, n1, n2));
    return sum < 1 ? sum : 1;
}

double wfi_chance(unsigned k1, unsigned n1, unsigned k2, unsigned n2) {
    unsigned k = k1 + k2, least = k > n2 ? k - n2 : 0, most = k < n1 ? k : n1;
    if (!n1 || !n2) return 1;
    bool more = (double)k1 * n2 >= (double)k2 * n1;
    double p = 2 * (more ? tail(k1, most, k, n1, n2) : tail(least, k1, k, n1, n2));
    return p < 1 ? p : 1;
}

// The lowest value that wfi_chance can have for this many in all.
static double least_chance(unsigned k, unsigned n1, unsigned n2) {
    unsigned least = k > n2 ? k - n2 : 0, most = k < n1 ? k : n1;
    if (!n1 || !n2) return 1;
    return 2 * exp(fmin(log_table(least, k, n1, n2), log_table(most, k, n1, n2)));
}

// ---- blocks of time

static struct wfi_lane_blocks *lane_of(struct wf_behaviour_diff *d, unsigned lane) {
    for (size_t i = 0; i < d->lane_count; ++i) {
        if (d->lanes[i].lane == lane) return &d->lanes[i];
    }
    if (!WFI_GROW(d->lanes, &d->lane_cap, d->lane_count + 1)) {
        d->err = WF_ERR_NOMEM;
        return NULL;
    }
    d->lanes[d->lane_count] = (struct wfi_lane_blocks){.lane = lane, .timed = true};
    return &d->lanes[d->lane_count++];
}

const struct wfi_lane_blocks *wfi_lane_blocks(const struct wf_behaviour_diff *d, unsigned lane) {
    for (size_t i = 0; i < d->lane_count; ++i) {
        if (d->lanes[i].lane == lane) return &d->lanes[i];
    }
    return NULL;
}

static double block_length(const struct wfi_trace_info *t, bool timed) {
    double ticks = ldexp(1, (int)t->block_bits);
    return timed ? ticks / (double)t->hz : ticks;
}

// Combines blocks of a trace, so that all traces of the lane have blocks of about equal length.
static unsigned combined(const struct wfi_lane_blocks *l, const struct wfi_trace_info *t) {
    double more = round(log2(l->seconds / block_length(t, l->timed)));
    return more < 1 ? 0 : more > 63 ? 63 : (unsigned)more;
}

static bool has_bit(uint64_t bits, unsigned block, unsigned shift) {
    if (shift >= 6) return block == 0 && bits;
    unsigned size = 1u << shift;
    uint64_t mask = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
    return bits >> block * size & mask;
}

static unsigned block_count(const struct wfi_trace_info *t, unsigned shift) {
    unsigned blocks = (unsigned)((t->last - t->first) >> t->block_bits) + 1;
    if (shift >= 6) return 1;
    return (blocks + (1u << shift) - 1) >> shift;
}

// Adds the blocks of a trace, with those that have the bits.
static void add_blocks(struct wfi_share *s, const struct wfi_lane_blocks *l,
                       const struct wfi_trace_info *t, uint64_t bits) {
    unsigned shift = combined(l, t), count = block_count(t, shift), gap = 0;
    bool before = false, before_known = false;
    for (unsigned i = 0; i < count; ++i) {
        bool has = has_bit(bits, i, shift), touched = has_bit(t->touched, i, shift);
        ++s->all_of;
        s->all += has;
        gap = has ? 0 : gap + 1;
        if (gap > s->gap && i + 1 < count) s->gap = gap;
        if (!touched) {
            ++s->of;
            s->blocks += has;
            s->pairs += before_known;
            s->both += before_known && before && has;
        }
        before = has;
        before_known = !touched;
    }
}

static const struct wfi_seen *find_seen(const struct wf_behaviour *b, uint32_t fact,
                                        uint32_t trace) {
    for (uint32_t n = wfi_fact(b, fact)->seen; n; n = b->seen[n - 1].next) {
        if (b->seen[n - 1].trace == trace) return &b->seen[n - 1];
    }
    return NULL;
}

void wfi_share_of(const struct wf_behaviour_diff *d, uint32_t fact, unsigned side,
                  struct wfi_share *share) {
    unsigned lane = wfi_actor_lane(d->b, wfi_fact(d->b, fact)->actor);
    const struct wfi_lane_blocks *l = wfi_lane_blocks(d, lane);
    *share = (struct wfi_share){.count = 0};
    for (uint32_t i = 1; i <= d->b->trace_count && l; ++i) {
        const struct wfi_trace_info *t = &d->b->traces[i - 1];
        if (wfi_side(d, i) != side || t->lane != lane) continue;
        const struct wfi_seen *seen = find_seen(d->b, fact, i);
        share->count += seen ? seen->count : 0;
        add_blocks(share, l, t, seen ? seen->bits : 0);
    }
}

static void measure_lanes(struct wf_behaviour_diff *d) {
    const struct wf_behaviour *b = d->b;
    for (size_t i = 0; i < b->trace_count; ++i) {
        struct wfi_lane_blocks *l = lane_of(d, b->traces[i].lane);
        if (l) l->timed &= b->traces[i].hz != 0;
    }
    for (size_t i = 0; i < b->trace_count && d->err == WF_OK; ++i) {
        struct wfi_lane_blocks *l = lane_of(d, b->traces[i].lane);
        double length = block_length(&b->traces[i], l->timed);
        if (length > l->seconds) l->seconds = length;
        l->ticks = l->seconds * (l->timed ? (double)b->traces[i].hz : 1);
    }
}

// ---- the test of a fact

// How much of its blocks count: less, the more the blocks that have it follow each other. That
// shows only if there are some blocks of both kinds.
static double weight(const struct wfi_share *s) {
    enum { FEW = 4 };
    if (s->blocks < FEW || s->of - s->blocks < FEW || !s->pairs) return 1;
    double p = (double)s->blocks / s->of, both = (double)s->both / s->pairs;
    double r = (both - p * p) / (p * (1 - p));
    if (r < 0) r = 0;
    if (r > 0.95) r = 0.95;
    return (1 - r) / (1 + r);
}

static unsigned weighed(unsigned n, double weight) {
    unsigned less = (unsigned)lround(n * weight);
    return n && !less ? 1 : less;
}

static void test_case(struct wfi_case *c) {
    const struct wfi_share *g = &c->sides[WFI_GOOD], *n = &c->sides[WFI_NEW];
    double wg = weight(g), wn = weight(n);
    c->p = wfi_chance(weighed(g->blocks, wg), weighed(g->of, wg), weighed(n->blocks, wn),
                      weighed(n->of, wn));
    c->p_all = wfi_chance(weighed(g->all, wg), weighed(g->all_of, wg), weighed(n->all, wn),
                          weighed(n->all_of, wn));
}

static double least_of(const struct wfi_case *c) {
    const struct wfi_share *g = &c->sides[WFI_GOOD], *n = &c->sides[WFI_NEW];
    return least_chance(g->all + n->all, g->all_of, n->all_of);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Tarone: the smallest m such that at most m facts can have a p below alarms / m.
static double limit_of(double *least, size_t count, double alarms) {
    size_t below = 0;
    qsort(least, count, sizeof *least, by_value);
    for (size_t m = 1; m <= count; ++m) {
        below = 0;
        while (below < count && least[below] <= alarms / (double)m) ++below;
        if (below <= m) return alarms / (double)m;
    }
    return count ? alarms / (double)count : alarms;
}

void wfi_chance_test(struct wf_behaviour_diff *d) {
    size_t count = d->b->fact_count, tested = 0;
    double *least = calloc(count + 1, sizeof *least);
    d->cases = calloc(count + 1, sizeof *d->cases);
    if (!least || !d->cases) d->err = WF_ERR_NOMEM;
    measure_lanes(d);
    for (uint32_t i = 1; i <= count && d->err == WF_OK; ++i) {
        struct wfi_case *c = &d->cases[i];
        for (unsigned side = 0; side < WFI_SIDES; ++side) wfi_share_of(d, i, side, &c->sides[side]);
        test_case(c);
        if (wfi_fact(d->b, i)->kind != WFI_FACT_STUCK) least[tested++] = least_of(c);
    }
    if (least) d->limit = limit_of(least, tested, d->alarms);
    free(least);
}
