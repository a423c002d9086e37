// SPDX-License-Identifier: MIT
// Slices of a track, in pages of 256. The last page is in memory as it is; a full one goes to the
// store, encoded, and leaves a summary. Sixteen summaries in a block have one above them, and so
// on: a tree that grows at its right edge only. When memory is short the oldest blocks of the level
// that has more than its part are freed; the summary above them stays.
//
// A page in the store: for each slice its end, counted from the end of the one before, its length,
// its value as the difference to that of the one before, and more and flags; all as numbers of 7
// bits a byte.

#include <stdlib.h>
#include <string.h>

#include "wfi_timeline.h"

enum { FLAG_BITS = 4 };

// ---- numbers of 7 bits a byte

static uint8_t *put(uint8_t *p, uint64_t v) {
    for (; v > 127; v >>= 7) *p++ = (uint8_t)(v | 128);
    *p++ = (uint8_t)v;
    return p;
}

static const uint8_t *get(const uint8_t *p, const uint8_t *end, uint64_t *v) {
    *v = 0;
    for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
        uint8_t byte = *p++;
        *v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return p;
    }
    return NULL;
}

static uint64_t zigzag(uint64_t v) { return v << 1 ^ (0 - (v >> 63)); }
static uint64_t unzigzag(uint64_t v) { return v >> 1 ^ (0 - (v & 1)); }

static size_t encode(const struct wfi_slice *s, unsigned count, uint8_t *out) {
    uint8_t *p = out;
    uint64_t end = 0, value = 0;
    for (unsigned i = 0; i < count; ++i, ++s) {
        p = put(p, s->end - end);
        p = put(p, s->end - s->begin);
        p = put(p, zigzag((uint64_t)s->value - value));
        p = put(p, (uint64_t)s->more << FLAG_BITS | s->flags);
        end = s->end;
        value = (uint64_t)s->value;
    }
    return (size_t)(p - out);
}

static bool decode(const uint8_t *p, size_t len, struct wfi_slice *s, unsigned count) {
    const uint8_t *stop = p + len;
    uint64_t end = 0, value = 0, length, rest;
    for (unsigned i = 0; i < count; ++i, ++s) {
        uint64_t step;
        if (!(p = get(p, stop, &step)) || !(p = get(p, stop, &length))) return false;
        end += step;
        if (!(p = get(p, stop, &step)) || !(p = get(p, stop, &rest))) return false;
        value += unzigzag(step);
        *s = (struct wfi_slice){.begin = end - length,
                                .end = end,
                                .value = (int64_t)value,
                                .more = (uint32_t)(rest >> FLAG_BITS),
                                .flags = (uint32_t)rest & WFI_TL_CUTS};
    }
    return p == stop;
}

// ---- summaries

void wfi_sum_slice(const struct wfi_series *se, const struct wfi_slice *s, struct wfi_sum *out) {
    uint64_t length = wfi_tl_length(s);
    *out = (struct wfi_sum){.begin = s->begin,
                            .end = s->end,
                            .busy = length,
                            .count = 1,
                            .longest = length,
                            .share = se->marks ? 1 : length,
                            .mask = (uint64_t)1 << (s->value & 63),
                            .value = s->value,
                            .min = s->value,
                            .max = s->value,
                            .at = WFI_TL_NOWHERE,
                            .more = s->more};
}

// The value that has most of it.
static void find_share(const struct wfi_sum *parts, unsigned count, struct wfi_sum *out) {
    out->share = 0;
    for (unsigned i = 0; i < count; ++i) {
        uint64_t share = 0;
        bool first = true;
        for (unsigned k = 0; k < i && first; ++k) first = parts[k].value != parts[i].value;
        for (unsigned k = i; k < count && first; ++k) {
            if (parts[k].value == parts[i].value) share += parts[k].share;
        }
        if (!first || (i && share <= out->share)) continue;
        out->share = share;
        out->value = parts[i].value;
        out->more = parts[i].more;
    }
}

void wfi_sum_up(const struct wfi_series *se, const struct wfi_sum *parts, unsigned count,
                struct wfi_sum *out) {
    const struct wfi_sum *last = &parts[count - 1];
    *out = parts[0];
    out->at = WFI_TL_NOWHERE;
    out->len = 0;
    for (unsigned i = 1; i < count; ++i) {
        const struct wfi_sum *p = &parts[i];
        uint64_t pause = p->begin > out->end ? p->begin - out->end : 0;
        if (p->begin < out->begin) out->begin = p->begin; // arrows
        out->end = p->end;
        out->busy += p->busy;
        out->count += p->count;
        out->mask |= p->mask;
        if (pause > out->longest) out->longest = pause;
        if (p->longest > out->longest) out->longest = p->longest;
        if (p->min < out->min) out->min = p->min;
        if (p->max > out->max) out->max = p->max;
    }
    if (se->last_counts) {
        out->value = last->value;
        out->more = last->more;
    } else {
        find_share(parts, count, out);
    }
}

static void sum_page(const struct wfi_series *se, struct wfi_sum *out) {
    struct wfi_sum of[WFI_TL_WAYS], groups[WFI_TL_PAGE / WFI_TL_WAYS];
    for (unsigned g = 0; g < WFI_TL_PAGE / WFI_TL_WAYS; ++g) {
        for (unsigned i = 0; i < WFI_TL_WAYS; ++i)
            wfi_sum_slice(se, &se->page[g * WFI_TL_WAYS + i], &of[i]);
        wfi_sum_up(se, of, WFI_TL_WAYS, &groups[g]);
    }
    wfi_sum_up(se, groups, WFI_TL_PAGE / WFI_TL_WAYS, out);
}

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

static void forget_oldest(struct wf_timeline *t, unsigned level) {
    struct wfi_tl_fifo *f = &t->fifos[level];
    struct wfi_tl_block b = f->at[f->first];
    f->first = (f->first + 1) % f->cap;
    --f->count;
    struct wfi_sum **block = &b.series->levels[level].blocks[b.block];
    uint64_t end = (*block)[WFI_TL_WAYS - 1].end;
    if (end > t->kept) t->kept = end;
    free(*block);
    *block = NULL;
    t->memory -= BLOCK_BYTES;
}

// Half of it is for the finest level, a quarter for the next ...
static void keep_limit(struct wf_timeline *t) {
    uint64_t limit = t->options.memory_limit;
    while (limit && t->memory > limit) {
        unsigned level = 0;
        while (
            level < WFI_TL_LEVELS - 1 &&
            (!t->fifos[level].count || t->fifos[level].count * BLOCK_BYTES <= limit >> (level + 1)))
            ++level;
        for (unsigned i = 0; !t->fifos[level].count && i < WFI_TL_LEVELS; ++i) level = i;
        if (!t->fifos[level].count) return; // what is left is not full
        forget_oldest(t, level);
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

static struct wfi_sum *sum_place(struct wf_timeline *t, struct wfi_tl_level *l) {
    size_t block = l->count / WFI_TL_WAYS, at = l->count % WFI_TL_WAYS;
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

static void push(struct wf_timeline *t, struct wfi_series *se, const struct wfi_sum *s) {
    struct wfi_sum sum = *s;
    for (unsigned level = 0; level < WFI_TL_LEVELS; ++level) {
        struct wfi_tl_level *l = level_at(t, se, level);
        struct wfi_sum *place = l ? sum_place(t, l) : NULL;
        if (!place) return;
        *place = sum;
        if (++l->count % WFI_TL_WAYS || level == WFI_TL_LEVELS - 1) break;
        size_t block = l->count / WFI_TL_WAYS - 1;
        wfi_sum_up(se, l->blocks[block], WFI_TL_WAYS, &sum);
        if (!fifo_put(t, &t->fifos[level], se, block)) return;
    }
    keep_limit(t);
}

// ---- the store

// What was stored up to the limit ago is written over: `kept` is the tick at which that was new.
static void note_written(struct wf_timeline *t) {
    uint64_t limit = t->options.store_limit;
    if (!limit) return;
    struct wfi_tl_written *w = t->written;
    if (t->written_count == 0 ||
        t->stored - w[t->written_count - 1].at > limit / (WFI_TL_WRITTEN / 2))
        w[t->written_count++] = (struct wfi_tl_written){t->stored, wf_model_tick(t->m)};
    size_t gone = 0;
    while (gone < t->written_count && w[gone].at + limit < t->stored) ++gone;
    if (gone < t->written_count && gone == 0) return;
    // Up to the first that is still there things are gone.
    uint64_t tick = gone < t->written_count ? w[gone].tick : wf_model_tick(t->m);
    if (tick > t->kept) t->kept = tick;
    t->written_count -= gone;
    memmove(w, w + gone, t->written_count * sizeof *w);
}

static uint64_t store(struct wf_timeline *t, size_t len) {
    uint64_t limit = t->options.store_limit, at = t->stored;
    const struct wf_timeline_store *to = &t->options.store;
    if (t->broken || (limit && len > limit)) return WFI_TL_NOWHERE;
    if (limit && at % limit + len > limit) at += limit - at % limit;
    if (!to->write(to->ctx, limit ? at % limit : at, t->scratch, len)) {
        t->broken = true;
        if (t->err == WF_OK) t->err = WF_ERR_WRITE;
        return WFI_TL_NOWHERE;
    }
    t->stored = at + len;
    note_written(t);
    return at;
}

static bool is_stored(const struct wf_timeline *t, const struct wfi_sum *page) {
    uint64_t limit = t->options.store_limit;
    return page->at != WFI_TL_NOWHERE && (!limit || page->at + limit >= t->stored);
}

const struct wfi_slice *wfi_page_read(struct wf_timeline *t, const struct wfi_sum *page) {
    const struct wf_timeline_store *from = &t->options.store;
    uint64_t limit = t->options.store_limit;
    if (!is_stored(t, page) || page->len > WFI_TL_PAGE_MOST) return NULL;
    struct wfi_tl_cached *c = &t->cache[page->at / 512 % WFI_TL_CACHE];
    if (c->at == page->at) return c->slices;
    c->at = WFI_TL_NOWHERE;
    if (!from->read(from->ctx, limit ? page->at % limit : page->at, t->scratch, page->len)) {
        t->broken = true;
        if (t->err == WF_OK) t->err = WF_ERR_WRITE;
        return NULL;
    }
    if (!decode(t->scratch, page->len, c->slices, WFI_TL_PAGE)) return NULL;
    c->at = page->at;
    return c->slices;
}

static void flush(struct wf_timeline *t, struct wfi_series *se) {
    struct wfi_sum s;
    sum_page(se, &s);
    s.len = (uint32_t)encode(se->page, se->fill, t->scratch);
    s.at = store(t, s.len);
    if (s.at == WFI_TL_NOWHERE && s.end > t->kept) t->kept = s.end;
    push(t, se, &s);
    se->fill = 0;
}

void wfi_series_add(struct wf_timeline *t, struct wfi_series *se, const struct wfi_slice *s) {
    if (t->err == WF_ERR_NOMEM) return;
    if (se->fill == se->cap) {
        unsigned cap = se->cap ? 2 * se->cap : 4;
        struct wfi_slice *more = realloc(se->page, cap * sizeof *more);
        if (!more) {
            t->err = WF_ERR_NOMEM;
            return;
        }
        se->page = more;
        se->cap = cap;
    }
    se->page[se->fill++] = *s;
    se->last_end = s->end;
    ++se->slices;
    if (se->fill == WFI_TL_PAGE) flush(t, se);
}

void wfi_series_close(struct wfi_series *se) {
    for (unsigned i = 0; i < se->level_count; ++i) {
        struct wfi_tl_level *l = &se->levels[i];
        for (size_t k = 0; k * WFI_TL_WAYS < l->count; ++k) free(l->blocks[k]);
        free(l->blocks);
    }
    free(se->levels);
    free(se->page);
}

// ---- slices of a track

void wfi_tl_slice(struct wf_timeline *t, struct wfi_track *track, const struct wfi_slice *s) {
    struct wfi_slice of = *s;
    if (!track) return;
    if (of.begin < track->data.last_end) of.begin = track->data.last_end;
    if (of.end < of.begin) of.end = of.begin;
    wfi_series_add(t, &track->data, &of);
}

void wfi_tl_begin(struct wfi_track *track, uint64_t tick, int64_t value, uint32_t more, bool cut) {
    if (!track) return;
    track->open = true;
    if (tick < track->data.last_end) tick = track->data.last_end;
    track->now = (struct wfi_slice){
        .begin = tick, .value = value, .more = more, .flags = cut ? WF_PIECE_BEGIN_CUT : 0};
}

void wfi_tl_end(struct wf_timeline *t, struct wfi_track *track, uint64_t tick, bool cut) {
    if (!track || !track->open) return;
    track->open = false;
    track->now.end = tick;
    if (cut) track->now.flags |= WF_PIECE_END_CUT;
    wfi_tl_slice(t, track, &track->now);
}

void wfi_tl_level(struct wf_timeline *t, struct wfi_track *track, uint64_t tick, int64_t value) {
    if (track && track->open && track->now.begin >= tick) { // it lasted for no time
        track->now.value = value;
        return;
    }
    wfi_tl_end(t, track, tick, false);
    wfi_tl_begin(track, tick, value, 0, false);
}
