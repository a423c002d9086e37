// SPDX-License-Identifier: MIT
// Blocks of time. The trace's length is not known before its end: blocks begin short, and when
// there are too many they become twice as long and are merged pairwise. At the end of a block each
// histogram, count and sum is compared with its blocks so far; what it has more belongs to this
// one. That is a few hundred times for a trace of any length, so values need no second counting.

#include "wfi_stats.h"

#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"

enum { SHORTEST = 64 }; // ticks of a block at first

bool wfi_timing_open(struct wf_stats *st) {
    st->timing.next = UINT64_MAX;
    if (!st->o.blocks) return true;
    st->timing.scratch = calloc(WFI_CLASSES, sizeof *st->timing.scratch);
    st->timing.next = 0;
    return st->timing.scratch != NULL;
}

void wfi_timing_close(struct wf_stats *st) {
    struct wfi_timing *t = &st->timing;
    for (size_t i = 0; i < t->used; ++i) wfi_blocks_close(&t->series[i].blocks);
    free(t->series);
    free(t->scratch);
    wfi_index_close(&t->index);
}

// ---- series

static struct wfi_series *find_series(const struct wfi_timing *t, const void *source) {
    uint64_t hash = wfi_hash((uint64_t)(uintptr_t)source, 0, t->scratch);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&t->index, hash, &step)) != 0;) {
        if (t->series[n - 1].source == source) return &t->series[n - 1];
    }
    return NULL;
}

static struct wfi_series *get_series(struct wf_stats *st, const void *source) {
    struct wfi_timing *t = &st->timing;
    struct wfi_series *s = find_series(t, source);
    if (s) return s;
    uint64_t hash = wfi_hash((uint64_t)(uintptr_t)source, 0, t->scratch);
    if (t->used >= UINT32_MAX - 1 || !WFI_GROW(t->series, &t->cap, t->used + 1) ||
        !wfi_index_add(&t->index, hash, (uint32_t)t->used + 1)) {
        st->err = WF_ERR_NOMEM;
        return NULL;
    }
    s = &t->series[t->used++];
    s->source = source;
    return s;
}

const struct wf_blocks *wfi_timing_blocks(const struct wf_stats *st, const void *source) {
    const struct wfi_series *s = st->timing.scratch ? find_series(&st->timing, source) : NULL;
    return s ? &s->blocks : NULL;
}

void wfi_timing_join(struct wf_stats *st, const void *to, const void *from) {
    const struct wfi_series *added = st->timing.scratch ? find_series(&st->timing, from) : NULL;
    if (!added) return;
    size_t n = (size_t)(added - st->timing.series);
    struct wfi_series *s = get_series(st, to); // may move the series
    if (s && !wfi_blocks_add(&s->blocks, &st->timing.series[n].blocks, 0)) st->err = WF_ERR_NOMEM;
}

// ---- the end of a block

static void cut_histogram(struct wf_stats *st, const struct wf_histogram *h) {
    struct wfi_series *s = h->count ? get_series(st, h) : NULL;
    if (!s || (s->blocks.used && s->last_total == (double)h->count)) return;
    double sum = (double)(h->sum[0] - s->last);
    s->last = h->sum[0];
    s->last_total = (double)h->count;
    if (!wfi_blocks_take(&s->blocks, st->timing.open, h, sum, st->timing.scratch))
        st->err = WF_ERR_NOMEM;
}

// Time that turns out to be unknown is subtracted from a count.
static void cut_count(struct wf_stats *st, const uint64_t *count) {
    struct wfi_series *s = *count ? get_series(st, count) : NULL;
    if (!s) return;
    s->blocks.sum[st->timing.open] += (double)(int64_t)(*count - s->last);
    s->last = *count;
}

static void cut_total(struct wf_stats *st, const double *total) {
    struct wfi_series *s = *total < 0 || *total > 0 ? get_series(st, total) : NULL;
    if (!s) return;
    s->blocks.sum[st->timing.open] += *total - s->last_total;
    s->last_total = *total;
}

static void cut_all(struct wf_stats *st, const uint64_t *counts, unsigned count,
                    const struct wfi_spread *spreads, unsigned spread_count) {
    for (unsigned i = 0; i < count; ++i) cut_count(st, &counts[i]);
    for (unsigned i = 0; i < spread_count; ++i) cut_histogram(st, &spreads[i].histogram);
}

static void cut_objects(struct wf_stats *st) {
    for (unsigned i = 0; i < st->objects.cap; ++i) {
        struct wfi_stat_object *o = st->objects.at[i];
        if (!o) continue;
        cut_all(st, o->n, WFI_OBJECT_COUNTS, o->spread, WFI_OBJECT_SPREADS);
        cut_count(st, &o->known);
        cut_total(st, &o->depth_ticks);
    }
}

// Adds to the open block what all figures have more than before it.
static void cut_block(struct wf_stats *st) {
    for (unsigned i = 0; i < st->tasks.cap; ++i) {
        struct wfi_stat_task *t = st->tasks.at[i];
        if (!t) continue;
        cut_count(st, &t->cpu);
        cut_all(st, t->n, WFI_TASK_COUNTS, t->spread, WFI_TASK_SPREADS);
    }
    cut_objects(st);
    for (size_t i = 0; i < st->entry_count; ++i) {
        struct wfi_entry *e = st->entries[i];
        cut_count(st, &e->cpu);
        cut_total(st, &e->total);
        cut_all(st, e->n, 3, e->spread, 3);
    }
    for (unsigned i = 0; i < st->core_count; ++i) cut_all(st, st->cores[i].ticks, 4, NULL, 0);
    cut_count(st, &st->records);
    cut_count(st, &st->lost);
}

static void begin_blocks(struct wf_stats *st) {
    struct wfi_timing *t = &st->timing;
    uint64_t begin = st->first > st->begin ? st->first : st->begin;
    t->next = begin; // until then nothing is counted
    if (!st->begun || st->now < begin) return;
    t->begun = true;
    t->begin = begin;
    t->length = SHORTEST;
    t->next = begin + SHORTEST;
}

void wfi_timing_cut(struct wf_stats *st) {
    struct wfi_timing *t = &st->timing;
    if (!t->begun) begin_blocks(st);
    if (!t->begun || st->now < t->next) return;
    cut_block(st);
    while ((st->now - t->begin) / t->length >= WFI_BLOCKS) {
        for (size_t i = 0; i < t->used; ++i) wfi_blocks_halve(&t->series[i].blocks);
        t->length *= 2;
    }
    t->open = (unsigned)((st->now - t->begin) / t->length);
    t->next = t->begin + (t->open + 1) * t->length;
    if (t->next < t->begin || st->now > st->end) t->next = UINT64_MAX;
}

// The last block is shorter than the others; if it is less than half of one, it is merged.
void wfi_timing_end(struct wf_stats *st) {
    struct wfi_timing *t = &st->timing;
    uint64_t end = st->now < st->end ? st->now : st->end;
    if (!t->begun) return;
    uint64_t rest = end > t->begin ? end - t->begin : 0;
    if (rest / t->length < t->open) t->open = (unsigned)(rest / t->length);
    cut_block(st);
    for (unsigned i = 0; i < t->open; ++i) t->ticks[i] = t->length;
    t->ticks[t->open] = rest - t->open * t->length;
    t->count = t->open + 1;
    if (t->open && t->ticks[t->open] < t->length / 2) {
        for (size_t i = 0; i < t->used; ++i) wfi_blocks_merge(&t->series[i].blocks, t->open);
        t->ticks[t->open - 1] += t->ticks[t->open];
        t->ticks[t->open--] = 0;
        --t->count;
    }
    for (size_t i = 0; i < t->used; ++i) wfi_blocks_fit(&t->series[i].blocks);
}
