// SPDX-License-Identifier: MIT
// A spread counts values in classes: page 0 has the values 0..63, page 1 64..127, and each further
// page the next power of two in 64 equal classes. The middle of a class is wrong by at most half
// of its width, which is a 128th of its least value. Pages come when they are needed: values that
// stay within a factor of 1000 take 5 KB.

#include "wallfly_host/wf_stats.h"

#include <stdlib.h>

static unsigned page_of(uint64_t value) {
    return value < WF_SPREAD_PAGE ? 0 : 58 - (unsigned)__builtin_clzll(value);
}

static uint64_t *find_page(struct wf_spread *s, unsigned page) {
    if (!s->pages) s->pages = calloc(WF_SPREAD_PAGES, sizeof *s->pages);
    if (!s->pages) return NULL;
    if (!s->pages[page]) s->pages[page] = calloc(WF_SPREAD_PAGE, sizeof **s->pages);
    return s->pages[page];
}

bool wf_spread_add(struct wf_spread *s, uint64_t value) {
    unsigned page = page_of(value);
    uint64_t *counts = find_page(s, page);
    if (!counts) return false;
    ++counts[(page ? value >> (page - 1) : value) % WF_SPREAD_PAGE];
    if (s->count == 0 || value < s->min) s->min = value;
    if (value > s->max) s->max = value;
    ++s->count;
    s->sum[0] += value;
    s->sum[1] += s->sum[0] < value;
    return true;
}

double wf_spread_mean(const struct wf_spread *s) {
    if (!s->count) return 0;
    return ((double)s->sum[1] * 18446744073709551616.0 + (double)s->sum[0]) / (double)s->count;
}

static uint64_t middle(unsigned page, unsigned place) {
    if (page < 2) return page * WF_SPREAD_PAGE + place;
    uint64_t width = UINT64_C(1) << (page - 1);
    return (WF_SPREAD_PAGE + place) * width + (width - 1) / 2;
}

uint64_t wf_spread_quantile(const struct wf_spread *s, unsigned per_mille) {
    // Rounded up, and without a product that could overflow.
    uint64_t rank = s->count / 1000 * per_mille + (s->count % 1000 * per_mille + 999) / 1000;
    uint64_t below = 0;
    if (rank <= 1) return s->min;
    if (rank >= s->count) return s->max;
    for (unsigned page = 0; page < WF_SPREAD_PAGES; ++page) {
        for (unsigned i = 0; s->pages[page] && i < WF_SPREAD_PAGE; ++i) {
            below += s->pages[page][i];
            if (below < rank) continue;
            uint64_t value = middle(page, i);
            if (value < s->min) return s->min;
            return value > s->max ? s->max : value;
        }
    }
    return s->max;
}

void wf_spread_close(struct wf_spread *s) {
    for (unsigned i = 0; s->pages && i < WF_SPREAD_PAGES; ++i) free(s->pages[i]);
    free(s->pages);
    s->pages = NULL;
}
