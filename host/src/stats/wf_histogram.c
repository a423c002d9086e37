// SPDX-License-Identifier: MIT
// A histogram counts values in classes: page 0 has the values 0..63, page 1 64..127, and each
// further page the next power of two in 64 equal classes. A class has its minimum and maximum;
// their middle is wrong by at most half of its width, a 128th of its lowest value, and exact if
// they are equal. Pages are allocated on demand: one repeated value needs none, values within a
// factor of 1000 need 10 KB.

#include "wallfly_host/wf_stats.h"

#include <stdlib.h>

static unsigned page_of(uint64_t value) {
    return value < WF_HISTOGRAM_PAGE ? 0 : 58 - (unsigned)__builtin_clzll(value);
}

static inline struct wf_histogram_class *find_page(struct wf_histogram *s, unsigned page) {
    if (!s->pages) s->pages = calloc(WF_HISTOGRAM_PAGES, sizeof(struct wf_histogram_class *));
    if (!s->pages) return NULL;
    if (!s->pages[page]) s->pages[page] = calloc(WF_HISTOGRAM_PAGE, sizeof **s->pages);
    return s->pages[page];
}

// The width of the classes of a page is 1 << width_bits(page); offsets in them have 32 bits.
static unsigned width_bits(unsigned page) { return page ? page - 1 : 0; }
static unsigned unit_bits(unsigned page) {
    return width_bits(page) > 32 ? width_bits(page) - 32 : 0;
}

static bool count_in(struct wf_histogram *s, uint64_t value, uint64_t times) {
    unsigned page = page_of(value), wide = width_bits(page);
    struct wf_histogram_class *classes = find_page(s, page);
    if (!classes) return false;
    struct wf_histogram_class *c = &classes[(value >> wide) % WF_HISTOGRAM_PAGE];
    uint32_t at = (uint32_t)((value & ((UINT64_C(1) << wide) - 1)) >> unit_bits(page));
    if (c->count == 0 || at < c->low) c->low = at;
    if (at > c->high) c->high = at;
    c->count += times;
    return true;
}

// While all values are equal, the totals are enough: no page is needed.
bool wf_histogram_add(struct wf_histogram *s, uint64_t value) {
    bool one = !s->pages && (!s->count || (s->min == value && s->max == value));
    if (!one && !s->pages && !count_in(s, s->min, s->count)) return false;
    if (!one && !count_in(s, value, 1)) return false;
    if (s->count == 0 || value < s->min) s->min = value;
    if (value > s->max) s->max = value;
    ++s->count;
    s->sum[0] += value;
    s->sum[1] += s->sum[0] < value;
    return true;
}

bool wf_histogram_add_class(struct wf_histogram *s, uint64_t low, uint64_t high, uint64_t count) {
    bool good = s->pages || !s->count || count_in(s, s->min, s->count);
    if (!good || !count_in(s, low, count) || !count_in(s, high, 0)) return false;
    if (!s->count || low < s->min) s->min = low;
    if (high > s->max) s->max = high;
    s->count += count;
    return true;
}

double wf_histogram_mean(const struct wf_histogram *s) {
    if (!s->count) return 0;
    return ((double)s->sum[1] * 18446744073709551616.0 + (double)s->sum[0]) / (double)s->count;
}

// Returns the value with this rank in the class, from 1.
static uint64_t value_of_rank(const struct wf_histogram_class *c, unsigned page, unsigned place,
                              uint64_t rank) {
    uint64_t begin = (uint64_t)(place + (page ? WF_HISTOGRAM_PAGE : 0)) << width_bits(page);
    uint64_t low = (uint64_t)c->low << unit_bits(page), high = (uint64_t)c->high << unit_bits(page);
    if (rank == 1) return begin + low;
    return begin + (rank == c->count ? high : low + (high - low) / 2);
}

uint64_t wf_histogram_quantile(const struct wf_histogram *s, unsigned per_mille) {
    // Rounded up, without a product that could overflow.
    uint64_t rank = s->count / 1000 * per_mille + (s->count % 1000 * per_mille + 999) / 1000;
    uint64_t below = 0;
    if (rank <= 1) return s->min;
    if (rank >= s->count || !s->pages) return s->max;
    for (unsigned page = 0; page < WF_HISTOGRAM_PAGES; ++page) {
        for (unsigned i = 0; s->pages[page] && i < WF_HISTOGRAM_PAGE; ++i) {
            const struct wf_histogram_class *c = &s->pages[page][i];
            if (below + c->count < rank) {
                below += c->count;
                continue;
            }
            uint64_t value = value_of_rank(c, page, i, rank - below);
            if (value < s->min) return s->min;
            return value > s->max ? s->max : value;
        }
    }
    return s->max;
}

static void join_class(struct wf_histogram_class *c, const struct wf_histogram_class *from) {
    if (!from->count) return;
    if (!c->count || from->low < c->low) c->low = from->low;
    if (from->high > c->high) c->high = from->high;
    c->count += from->count;
}

bool wf_histogram_join(struct wf_histogram *s, const struct wf_histogram *from) {
    s->open += from->open;
    s->in_holes += from->in_holes;
    if (!from->count) return true;
    // As in wf_histogram_add: equal values need no page.
    bool one =
        !s->pages && !from->pages && (!s->count || (s->min == from->min && s->max == from->max));
    if (!one && !s->pages && s->count && !count_in(s, s->min, s->count)) return false;
    if (!one && !from->pages && !count_in(s, from->min, from->count)) return false;
    for (unsigned page = 0; from->pages && page < WF_HISTOGRAM_PAGES; ++page) {
        struct wf_histogram_class *classes = from->pages[page] ? find_page(s, page) : NULL;
        if (from->pages[page] && !classes) return false;
        for (unsigned i = 0; classes && i < WF_HISTOGRAM_PAGE; ++i)
            join_class(&classes[i], &from->pages[page][i]);
    }
    if (!s->count || from->min < s->min) s->min = from->min;
    if (from->max > s->max) s->max = from->max;
    s->count += from->count;
    s->sum[0] += from->sum[0];
    s->sum[1] += from->sum[1] + (s->sum[0] < from->sum[0]);
    return true;
}

void wf_histogram_close(struct wf_histogram *s) {
    for (unsigned i = 0; s->pages && i < WF_HISTOGRAM_PAGES; ++i) free(s->pages[i]);
    free(s->pages);
    s->pages = NULL;
}
