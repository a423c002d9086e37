// SPDX-License-Identifier: MIT
// The intervals of a segment as histograms, a row for each kind and name.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "wfi_fleet.h"

static const struct {
    enum wf_stats_spread spread;
    const char *kind;
    enum wf_stats_kind rows;
} figures[WFI_FIGURES] = {
#define WF_X(spread, kind, rows) {WF_SPREAD_##spread, kind, WF_STATS_##rows},
    WF_FLEET_FIGURES(WF_X)
#undef WF_X
};

uint32_t wfi_fleet_spreads(void) {
    uint32_t spreads = 0;
    for (unsigned i = 0; i < WFI_FIGURES; ++i) spreads |= UINT32_C(1) << figures[i].spread;
    return spreads;
}

void wfi_fleet_interval(void *ctx, const struct wf_stats_interval *interval) {
    struct wf_fleet *f = ctx;
    unsigned i = 0;
    if (!f->counting || interval->part == WF_PART_UNCOUNTED) return;
    while (i < WFI_FIGURES && figures[i].spread != interval->spread) ++i;
    if (i == WFI_FIGURES) return;
    struct wfi_sums *s = &f->sums[i];
    if (!WFI_GROW(s->at, &s->cap, (size_t)interval->row + 1)) {
        f->failed = true;
        return;
    }
    struct wf_histogram *h = &s->at[interval->row];
    if (interval->part == WF_PART_OPEN)
        ++h->open;
    else if (interval->part == WF_PART_IN_HOLE)
        ++h->in_holes;
    else if (!wf_histogram_add(h, wfi_fleet_ns(f, interval->value)))
        f->failed = true;
}

void wfi_fleet_close_figures(struct wf_fleet *f) {
    for (unsigned i = 0; i < WFI_FIGURES; ++i) {
        struct wfi_sums *s = &f->sums[i];
        for (size_t row = 0; row < s->cap; ++row) wf_histogram_close(&s->at[row]);
        free(s->at);
        *s = (struct wfi_sums){0};
    }
}

// ---- rows

struct named {
    unsigned figure;
    struct wf_histogram *values;
    char name[64]; // longer ones are cut
};

struct all {
    struct named *at;
    size_t count, cap;
};

static void set_name(char to[64], const struct wf_stats_row *row) {
    const char *name = row->name ? row->name : row->object;
    if (name)
        snprintf(to, 64, "%s", name);
    else
        snprintf(to, 64, "%llu", (unsigned long long)row->key);
}

static bool is_empty(const struct wf_histogram *h) { return h->count + h->open + h->in_holes == 0; }

static void add_row(struct wf_fleet *f, struct all *all, const struct wf_stats_row *row) {
    for (unsigned i = 0; i < WFI_FIGURES; ++i) {
        struct wfi_sums *s = &f->sums[i];
        if (figures[i].rows != row->kind || row->number >= s->cap || is_empty(&s->at[row->number]))
            continue;
        if (!WFI_GROW(all->at, &all->cap, all->count + 1)) {
            f->failed = true;
            return;
        }
        struct named *n = &all->at[all->count++];
        *n = (struct named){.figure = i, .values = &s->at[row->number]};
        set_name(n->name, row);
    }
}

static int compare(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    if (x->figure != y->figure) return x->figure < y->figure ? -1 : 1;
    return strcmp(x->name, y->name);
}

// Tasks may have the same name, one after the other.
static void join_names(struct wf_fleet *f, struct all *all) {
    size_t left = 0;
    if (all->count) qsort(all->at, all->count, sizeof *all->at, compare);
    for (size_t i = 0; i < all->count; ++i) {
        if (left && compare(&all->at[left - 1], &all->at[i]) == 0) {
            if (!wf_histogram_join(all->at[left - 1].values, all->at[i].values)) f->failed = true;
        } else {
            all->at[left++] = all->at[i];
        }
    }
    all->count = left;
}

struct classes {
    uint64_t number[WF_HISTOGRAM_PAGES * WF_HISTOGRAM_PAGE];
    uint64_t count[WF_HISTOGRAM_PAGES * WF_HISTOGRAM_PAGE];
    size_t used;
};

static void list_classes(const struct wf_histogram *h, struct classes *to) {
    to->used = 0;
    if (!h->pages && h->count) { // all values are equal
        to->number[0] = wf_fleet_class_of(h->min);
        to->count[0] = h->count;
        to->used = 1;
    }
    for (unsigned page = 0; h->pages && page < WF_HISTOGRAM_PAGES; ++page) {
        for (unsigned i = 0; h->pages[page] && i < WF_HISTOGRAM_PAGE; ++i) {
            if (!h->pages[page][i].count) continue;
            to->number[to->used] = page * WF_HISTOGRAM_PAGE + i;
            to->count[to->used++] = h->pages[page][i].count;
        }
    }
}

static void put_figure(struct wf_fleet *f, const struct named *n, struct classes *classes) {
    struct wfi_columns *c = &f->tables[WF_FLEET_TABLE_FIGURE];
    const struct wf_histogram *h = n->values;
    list_classes(h, classes);
    wfi_columns_number(c, f->day);
    wfi_fleet_put_text(c, f->stream->version);
    wfi_fleet_put_text(c, figures[n->figure].kind);
    wfi_fleet_put_text(c, n->name);
    wfi_fleet_put_stream(f, c);
    wfi_columns_number(c, f->segment->offset);
    wfi_columns_number(c, h->count);
    wfi_columns_number(c, h->sum[1] ? UINT64_MAX : h->sum[0]);
    wfi_columns_number(c, h->count ? h->min : 0);
    wfi_columns_number(c, h->max);
    wfi_columns_number(c, h->open);
    wfi_columns_number(c, h->in_holes);
    wfi_columns_number(c, f->marked);
    wfi_columns_array(c, classes->number, classes->used);
    wfi_columns_array(c, classes->count, classes->used);
    wfi_columns_number(c, wf_fleet_revision(f->segment->len, f->stream->names));
    wfi_columns_end_row(c);
}

void wfi_fleet_put_figures(struct wf_fleet *f) {
    struct all all = {0};
    struct wf_stats_row row;
    struct classes *classes = malloc(sizeof *classes);
    if (!classes) f->failed = true;
    for (uint64_t at = 0; wf_stats_next(f->stats, &at, &row);) add_row(f, &all, &row);
    join_names(f, &all);
    for (size_t i = 0; classes && i < all.count; ++i) put_figure(f, &all.at[i], classes);
    free(all.at);
    free(classes);
    wfi_fleet_close_figures(f);
}
