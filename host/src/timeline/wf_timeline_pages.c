// SPDX-License-Identifier: MIT
// Slices of a track, in pages of 256. The last page is in memory; a full one is encoded, goes to
// the store, and leaves a summary. Each block of 16 summaries has one summary on the level above:
// the levels are a tree that grows only at its right edge. Above the memory limit, the oldest
// blocks of the level that exceeds its share are freed; the summary above them stays.

#include <stdlib.h>
#include <string.h>

#include "wfi_timeline.h"

// ---- memory

static bool fifo_put(struct wf_timeline *t, struct wfi_tl_fifo *f, struct wfi_series *se,
                     size_t block) {
    if (f->count == f->cap) {
        size_t cap = f->cap ? 2 * f->cap : 64;
        struct wfi_tl_block *more = malloc(cap * sizeof *more);
        if (!more) {
            t->err = WF_ERR_NOMEM;
            return false;
        }
        for (size_t i = 0; i < f->count; ++i) more[i] = f->at[(f->first + i) % f->cap];
        free(f->at);
        f->at = more;
        f->cap = cap;
        f->first = 0;
    }
    f->at[(f->first + f->count++) % f->cap] = (struct wfi_tl_block){se, block};
    return true;
}

enum { BLOCK_BYTES = WFI_TL_WAYS * (int)sizeof(struct wfi_sum) };

// Frees the oldest block; removes freed blocks from the level's array if they are half of it.
static void drop_oldest_block(struct wf_timeline *t, unsigned level) {
    struct wfi_tl_fifo *f = &t->fifos[level];
    struct wfi_tl_block b = f->at[f->first];
    struct wfi_tl_level *l = &b.series->levels[level];
    f->first = (f->first + 1) % f->cap;
    --f->count;
    struct wfi_sum **block = &l->blocks[b.block - l->gone];
    uint64_t end = (*block)[WFI_TL_WAYS - 1].end;
    if (end > t->kept) t->kept = end;
    free(*block);
    *block = NULL;
    t->memory -= BLOCK_BYTES;
    size_t gone = b.block + 1 - l->gone;
    if (2 * gone < l->cap) return;
    memmove(l->blocks, l->blocks + gone, (l->cap - gone) * sizeof *l->blocks);
    l->gone += gone;
}

// Half of the limit is for the finest level, a quarter for the next ...
static void keep_limit(struct wf_timeline *t) {
    uint64_t limit = t->memory_limit;
    while (limit && t->memory > limit) {
        unsigned level = 0;
        while (
            level < WFI_TL_LEVELS - 1 &&
            (!t->fifos[level].count || t->fifos[level].count * BLOCK_BYTES <= limit >> (level + 1)))
            ++level;
        for (unsigned i = 0; !t->fifos[level].count && i < WFI_TL_LEVELS; ++i) level = i;
        if (!t->fifos[level].count) return; // the rest is not full
        drop_oldest_block(t, level);
    }
}

static struct wfi_tl_level *level_at(struct wf_timeline *t, struct wfi_series *se, unsigned level) {
    if (level < se->level_count) return &se->levels[level];
    struct wfi_tl_level *more = realloc(se->levels, (level + 1) * sizeof *more);
    if (!more) {
        t->err = WF_ERR_NOMEM;
        return NULL;
    }
    se->levels = more;
    se->levels[level] = (struct wfi_tl_level){.count = 0};
    se->level_count = level + 1;
    return &se->levels[level];
}

static struct wfi_sum *next_sum(struct wf_timeline *t, struct wfi_tl_level *l) {
    size_t block = l->count / WFI_TL_WAYS - l->gone, at = l->count % WFI_TL_WAYS;
    if (at) return &l->blocks[block][at];
    if (block == l->cap) {
        size_t cap = l->cap ? 2 * l->cap : 1;
        struct wfi_sum **more = realloc(l->blocks, cap * sizeof *more);
        if (!more) {
            t->err = WF_ERR_NOMEM;
            return NULL;
        }
        l->blocks = more;
        l->cap = cap;
    }
    l->blocks[block] = malloc(BLOCK_BYTES);
    if (!l->blocks[block]) {
        t->err = WF_ERR_NOMEM;
        return NULL;
    }
    t->memory += BLOCK_BYTES;
    return l->blocks[block];
}

static void add_sum(struct wf_timeline *t, struct wfi_series *se, const struct wfi_sum *s) {
    struct wfi_sum sum = *s;
    for (unsigned level = 0; level < WFI_TL_LEVELS; ++level) {
        struct wfi_tl_level *l = level_at(t, se, level);
        struct wfi_sum *place = l ? next_sum(t, l) : NULL;
        if (!place) return;
        *place = sum;
        if (++l->count % WFI_TL_WAYS || level == WFI_TL_LEVELS - 1) break;
        size_t block = l->count / WFI_TL_WAYS - 1;
        wfi_sum_up(se, wfi_series_block(se, level, block), WFI_TL_WAYS, &sum);
        if (t->memory_limit && !fifo_put(t, &t->fifos[level], se, block)) return;
    }
    keep_limit(t);
}

// ---- pages

static bool read_page(struct wf_timeline *t, const struct wfi_sum *sum, struct wfi_page *p) {
    if (p->cap < sum->len) {
        free(p->bytes);
        p->bytes = malloc(sum->len);
        p->cap = p->bytes ? sum->len : 0;
        if (!p->bytes) return false;
    }
    return wfi_store_get(t, sum->at, p->bytes, sum->len) &&
           wfi_page_decode_groups(p->bytes, sum->len, p->groups);
}

struct wfi_page *wfi_page_open(struct wf_timeline *t, const struct wfi_sum *sum) {
    struct wfi_page *p = &t->cache[sum->at / 512 % WFI_TL_CACHE];
    if (!wfi_store_has(&t->store, sum->at)) return NULL;
    if (p->at == sum->at) return p;
    p->at = WFI_TL_NOWHERE;
    p->decoded = 0;
    if (!read_page(t, sum, p)) return NULL;
    p->at = sum->at;
    return p;
}

const struct wfi_slice *wfi_page_group(struct wfi_page *p, unsigned group) {
    struct wfi_slice *slices = &p->slices[group * WFI_TL_WAYS];
    if (p->decoded >> group & 1) return slices;
    if (!wfi_page_decode_slices(p->bytes, &p->groups[group], slices)) return NULL;
    p->decoded |= 1u << group;
    return slices;
}

static void flush_page(struct wf_timeline *t, struct wfi_series *se) {
    struct wfi_sum groups[WFI_TL_GROUPS], s;
    for (unsigned g = 0; g < WFI_TL_GROUPS; ++g)
        wfi_sum_slices(se, &se->page[g * WFI_TL_WAYS], WFI_TL_WAYS, &groups[g]);
    wfi_sum_up(se, groups, WFI_TL_GROUPS, &s);
    s.len = (uint32_t)wfi_page_encode(se->page, groups, t->scratch);
    s.at = wfi_store_put(t, t->scratch, s.len);
    add_sum(t, se, &s);
    se->fill = 0;
}

static bool grow_page(struct wf_timeline *t, struct wfi_series *se) {
    unsigned cap = se->cap ? 2 * se->cap : 4;
    struct wfi_slice *more = realloc(se->page, cap * sizeof *more);
    if (!more) {
        t->err = WF_ERR_NOMEM;
        return false;
    }
    se->page = more;
    se->cap = cap;
    return true;
}

void wfi_series_add(struct wf_timeline *t, struct wfi_series *se, uint64_t begin, uint64_t end,
                    int64_t value, uint32_t more, uint32_t flags) {
    if (t->err == WF_ERR_NOMEM || (se->fill == se->cap && !grow_page(t, se))) return;
    struct wfi_slice *s = &se->page[se->fill++];
    s->begin = begin;
    s->end = end;
    s->value = value;
    s->more = more;
    s->flags = flags;
    se->last_end = end;
    ++se->slices;
    if (se->fill == WFI_TL_PAGE) flush_page(t, se);
}

void wfi_series_close(struct wfi_series *se) {
    for (unsigned i = 0; i < se->level_count; ++i) {
        struct wfi_tl_level *l = &se->levels[i];
        for (size_t k = 0; (k + l->gone) * WFI_TL_WAYS < l->count; ++k) free(l->blocks[k]);
        free(l->blocks);
    }
    free(se->levels);
    free(se->page);
}

// ---- slices of a track

static void add_slice(struct wf_timeline *t, struct wfi_track *track, const struct wfi_slice *s,
                      uint64_t end, uint32_t flags) {
    struct wfi_series *se = &track->data;
    uint64_t begin = s->begin < t->first ? t->first : s->begin;
    if (begin < se->last_end) begin = se->last_end;
    wfi_series_add(t, se, begin, end < begin ? begin : end, s->value, s->more, flags);
}

void wfi_tl_slice(struct wf_timeline *t, struct wfi_track *track, const struct wfi_slice *s) {
    if (track) add_slice(t, track, s, s->end, s->flags);
}

void wfi_tl_begin(struct wfi_track *track, uint64_t tick, int64_t value, uint32_t more, bool cut) {
    if (!track) return;
    track->open = true;
    track->now.begin = tick < track->data.last_end ? track->data.last_end : tick;
    track->now.value = value;
    track->now.more = more;
    track->now.flags = cut ? WF_PIECE_BEGIN_CUT : 0;
}

void wfi_tl_end(struct wf_timeline *t, struct wfi_track *track, uint64_t tick, bool cut) {
    if (!track || !track->open) return;
    if (track->held) {
        tick = track->held_end;
        cut = false;
    }
    track->open = track->held = false;
    add_slice(t, track, &track->now, tick, track->now.flags | (cut ? WF_PIECE_END_CUT : 0u));
}

void wfi_tl_hold(struct wfi_track *track, uint64_t tick) {
    if (!track) return;
    track->held = true;
    track->held_end = tick;
}

void wfi_tl_level(struct wf_timeline *t, struct wfi_track *track, uint64_t tick, int64_t value) {
    if (track && track->open && track->now.begin >= tick) { // it had no length
        track->now.value = value;
        return;
    }
    wfi_tl_end(t, track, tick, false);
    wfi_tl_begin(track, tick, value, 0, false);
}
