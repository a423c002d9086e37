// SPDX-License-Identifier: MIT
// Whether chance explains a difference. The variance of a quantity is estimated from what remains
// of each block when the quantity is subtracted, and Welch's test compares both sides. Values that
// follow each other are alike, and so are blocks: so the same is done for blocks merged in twos and
// fours, and with the correlation of neighbours taken off their number; the largest probability
// counts. Nothing is
// assumed of the distribution, but few blocks cannot prove much: no probability is smaller than
// that of the same blocks, in any order, falling apart into the two sides.

#include "wfi_diff.h"

#include <math.h>
#include <string.h>

enum { BATCHES_LEAST = 8, BLOCKS_LEAST = 4, FRACTION_STEPS = 300 };

// ---- Student's distribution

// The continued fraction of the incomplete beta function, by Lentz's method.
static double beta_fraction(double a, double b, double x) {
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    if (fabs(d) < tiny) d = tiny;
    d = 1 / d;
    double h = d;
    for (int m = 1; m < FRACTION_STEPS; ++m) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        for (int half = 0; half < 2; ++half) {
            double k = half ? odd : even;
            d = 1 + k * d;
            c = 1 + k / c;
            if (fabs(d) < tiny) d = tiny;
            if (fabs(c) < tiny) c = tiny;
            d = 1 / d;
            h *= d * c;
        }
        if (fabs(d * c - 1) < 1e-12) break;
    }
    return h;
}

static double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

// The probability of |t| or more.
static double student(double t, double freedom) {
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

// ---- one side

struct estimate {
    double ratio, weight;
    double rest[WFI_BLOCKS]; // of blocks
    const struct wfi_sample *sample;
};

static bool estimate(const struct wfi_sample *s, struct estimate *e) {
    double value = 0;
    *e = (struct estimate){.sample = s};
    for (unsigned i = 0; i < s->count; ++i) {
        value += s->value[i];
        e->weight += s->weight[i];
    }
    if (!(e->weight > 0)) return false;
    e->ratio = value / e->weight;
    for (unsigned i = 0; i < s->count; ++i) {
        double rest = s->value[i] - e->ratio * s->weight[i];
        e->rest[i] = fabs(rest) > 1e-12 * fabs(s->value[i]) ? rest : 0; // not a rounding error
    }
    return true;
}

// Batches of `size` blocks; the last may be larger.
struct spread {
    double variance;  // of the ratio
    double effective; // number of batches, if all had the same weight
};

static struct spread spread_of(const struct estimate *e, unsigned size) {
    unsigned batches = e->sample->count / size;
    double squares = 0, weights = 0;
    for (unsigned i = 0; i < batches; ++i) {
        unsigned end = i + 1 == batches ? e->sample->count : (i + 1) * size;
        double rest = 0, weight = 0;
        for (unsigned k = i * size; k < end; ++k) {
            rest += e->rest[k];
            weight += e->sample->weight[k];
        }
        squares += rest * rest;
        weights += weight * weight;
    }
    struct spread s = {0, e->weight * e->weight / weights};
    if (s.effective > 1.5)
        s.variance = s.effective / (s.effective - 1) * squares / (e->weight * e->weight);
    return s;
}

// The correlation of neighbouring blocks, corrected for the bias of short series; 0 unless it is
// more than chance gives.
static double correlation(const struct estimate *e) {
    double squares = 0, products = 0, n = e->sample->count;
    for (unsigned i = 0; i < e->sample->count; ++i) {
        squares += e->rest[i] * e->rest[i];
        if (i) products += e->rest[i] * e->rest[i - 1];
    }
    double r = squares > 0 ? products / squares : 0;
    if (r < 2 / sqrt(n)) return 0;
    return fmin(0.99, r + (1 + 4 * r) / n);
}

// As if there were as many fewer blocks as this correlation makes them worth.
static struct spread spread_correlated(const struct estimate *e) {
    struct spread s = spread_of(e, 1);
    double r = correlation(e), more = (1 + r) / (1 - r);
    s.variance *= more;
    s.effective = fmax(1, s.effective / more);
    return s;
}

// ---- both sides

// With variances that are rounding errors, any difference is certain.
static double probability(double difference, struct spread a, struct spread b, double size,
                          double *noise) {
    double sum = a.variance + b.variance, error = sqrt(sum);
    if (a.effective <= 1.5 || b.effective <= 1.5) return 1;
    if (!isfinite(sum) || !isfinite(difference)) return 1; // too large to compute with
    if (error <= 1e-12 * size) {
        *noise = fabs(difference) > 1e-12 * size ? copysign(INFINITY, difference) : 0;
        return fabs(difference) > 1e-12 * size ? 0 : 1;
    }
    double t = difference / error;
    double part_a = a.variance * a.variance / (a.effective - 1);
    double part_b = b.variance * b.variance / (b.effective - 1);
    if (fabs(t) < fabs(*noise)) *noise = t;
    return student(t, sum * sum / (part_a + part_b));
}

// Both sides' blocks in any order: how many of all orders part them like this, twice.
static double least_probability(double a, double b) {
    a = floor(a + 0.5);
    b = floor(b + 0.5);
    double p = 2 * exp(lgamma(a + 1) + lgamma(b + 1) - lgamma(a + b + 1));
    return p < 1 ? p : 1;
}

void wfi_diff_test(const struct wfi_sample *a, const struct wfi_sample *b, struct wfi_chance *c) {
    struct estimate x, y;
    *c = (struct wfi_chance){1, 1, 0};
    if (!estimate(a, &x) || !estimate(b, &y)) return;
    double difference = y.ratio - x.ratio, size = fmax(fabs(x.ratio), fabs(y.ratio));
    double blocks_a = spread_of(&x, 1).effective, blocks_b = spread_of(&y, 1).effective;
    if (fmin(blocks_a, blocks_b) < BLOCKS_LEAST - 0.5) return;
    c->least = least_probability(blocks_a, blocks_b);
    double noise = INFINITY;
    double p = probability(difference, spread_correlated(&x), spread_correlated(&y), size, &noise);
    unsigned size_a = 1, size_b = 1;
    for (bool last = false; !last;) {
        bool more_a = a->count >= 2 * size_a * BATCHES_LEAST;
        bool more_b = b->count >= 2 * size_b * BATCHES_LEAST;
        last = !more_a && !more_b;
        p = fmax(
            p, probability(difference, spread_of(&x, size_a), spread_of(&y, size_b), size, &noise));
        size_a *= 1 + more_a;
        size_b *= 1 + more_b;
    }
    c->noise = isinf(noise) ? copysign(INFINITY, difference) : noise;
    if (p >= 1) c->noise = fabs(difference) > 0 && isfinite(noise) ? noise : 0;
    c->p = fmin(1, fmax(p, c->least));
}
