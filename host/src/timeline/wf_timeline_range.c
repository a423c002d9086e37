// SPDX-License-Identifier: MIT
// Queries: the tree of summaries is walked from its coarsest level down, and no deeper than a
// bucket needs. A summary is used as it is if it lies in the range, is at most two buckets long and
// has no slice or pause longer than one. Adjacent ones are joined up to the length of a bucket. So
// a range of n buckets has at most 2 n + 4 pieces, plus the long slices at its ends.

#include "wfi_timeline.h"

struct query {
    struct wf_timeline *t;
    const struct wfi_track *track;
    uint64_t from, until, bucket;
    struct wf_piece *pieces;
    size_t cap, count;
    bool open; // `now` may be extended
    struct wfi_sum now;
    uint32_t flags; // of `now`, if it is one slice
};

// ---- pieces

static void put_piece(struct query *q, const struct wf_piece *p) {
    if (q->count < q->cap) q->pieces[q->count] = *p;
    ++q->count;
}

// Records from before the first time are stored at tick 0.
static struct wf_piece piece_of(const struct wf_timeline *t, const struct wfi_sum *s,
                                uint32_t flags) {
    return (struct wf_piece){.begin = s->begin < t->first ? t->first : s->begin,
                             .end = s->end < t->first ? t->first : s->end,
                             .busy = s->busy,
                             .count = s->count,
                             .value = s->value,
                             .min = s->min,
                             .max = s->max,
                             .more = s->more,
                             .flags = flags};
}

static void put_open_piece(struct query *q) {
    if (!q->open) return;
    struct wf_piece p = piece_of(q->t, &q->now, q->now.count == 1 ? q->flags : 0);
    put_piece(q, &p);
    q->open = false;
}

// Adds a summary that may be joined with others.
static void join_sum(struct query *q, const struct wfi_sum *s, uint32_t flags) {
    if (q->open && s->end - q->now.begin <= q->bucket) {
        wfi_sum_join(&q->track->data, &q->now, s);
        return;
    }
    put_open_piece(q);
    q->now = *s;
    q->flags = flags;
    q->open = true;
}

static void put_coarse(struct query *q, const struct wfi_sum *s) {
    struct wf_piece p = piece_of(q->t, s, WF_PIECE_COARSE);
    put_open_piece(q);
    put_piece(q, &p);
}

static bool touches(const struct query *q, uint64_t begin, uint64_t end) {
    return begin < q->until && (end > q->from || begin >= q->from);
}

static void add_slice(struct query *q, const struct wfi_slice *s, uint32_t flags) {
    struct wfi_sum sum;
    if (!touches(q, s->begin, s->end)) return;
    wfi_sum_slice(&q->track->data, s, &sum);
    if (q->bucket > 1 && sum.longest <= q->bucket && !(flags & WF_PIECE_OPEN)) {
        join_sum(q, &sum, s->flags | flags);
        return;
    }
    struct wf_piece p = piece_of(q->t, &sum, s->flags | flags);
    put_open_piece(q);
    put_piece(q, &p);
}

// ---- the walk

static bool is_fine(const struct query *q, const struct wfi_sum *s) {
    if (q->bucket <= 1 || s->begin < q->from || s->end >= q->until) return false;
    return s->longest <= q->bucket && s->end - s->begin <= 2 * q->bucket;
}

static bool is_outside(const struct query *q, const struct wfi_sum *s) {
    return s->begin >= q->until || s->end < q->from;
}

static bool visit_page(struct query *q, const struct wfi_sum *sum) {
    struct wfi_page *page = wfi_page_open(q->t, sum);
    for (unsigned g = 0; page && g < WFI_TL_GROUPS; ++g) {
        const struct wfi_sum *s = &page->groups[g];
        if (is_outside(q, s)) continue;
        if (is_fine(q, s)) {
            join_sum(q, s, 0);
            continue;
        }
        const struct wfi_slice *slices = wfi_page_group(page, g);
        for (unsigned k = 0; slices && k < WFI_TL_WAYS; ++k) add_slice(q, &slices[k], 0);
        if (!slices) put_coarse(q, s);
    }
    return page != NULL;
}

// s is summary i of its level.
static void visit_sum(struct query *q, unsigned level, size_t i, const struct wfi_sum *s) {
    if (is_outside(q, s)) return;
    if (is_fine(q, s)) {
        join_sum(q, s, 0);
        return;
    }
    const struct wfi_sum *below = level ? wfi_series_block(&q->track->data, level - 1, i) : NULL;
    for (unsigned k = 0; below && k < WFI_TL_WAYS; ++k)
        visit_sum(q, level - 1, i * WFI_TL_WAYS + k, &below[k]);
    bool fine = level ? below != NULL : visit_page(q, s);
    if (!fine && touches(q, s->begin, s->end)) put_coarse(q, s);
}

static struct wfi_slice open_slice(const struct wf_timeline *t, const struct wfi_track *track) {
    struct wfi_slice s = track->now;
    s.end = track->held ? track->held_end : wf_model_tick(t->m);
    if (s.begin < t->first) s.begin = t->first;
    if (s.end < s.begin) s.end = s.begin;
    return s;
}

static uint32_t open_flags(const struct wfi_track *track) {
    return track->held ? 0 : WF_PIECE_OPEN;
}

size_t wf_timeline_range(struct wf_timeline *t, unsigned track, uint64_t from, uint64_t until,
                         uint64_t bucket, struct wf_piece *pieces, size_t cap) {
    if (track >= t->track_count) return 0;
    struct query q = {.t = t, .track = t->tracks[track], .until = until};
    q.from = from <= t->first ? 0 : from;
    const struct wfi_series *se = &q.track->data;
    q.bucket = bucket > UINT64_MAX / 2 ? UINT64_MAX / 2 : bucket;
    q.pieces = pieces;
    q.cap = cap;
    for (unsigned level = se->level_count; level-- > 0;) {
        for (size_t i = wfi_series_tail(se, level); i < se->levels[level].count; ++i)
            visit_sum(&q, level, i, wfi_series_sum(se, level, i));
    }
    for (unsigned i = 0; i < se->fill; ++i) add_slice(&q, &se->page[i], 0);
    if (q.track->open) {
        struct wfi_slice s = open_slice(t, q.track);
        add_slice(&q, &s, open_flags(q.track));
    }
    put_open_piece(&q);
    return q.count;
}

// ---- steps

struct step {
    struct wf_timeline *t;
    const struct wfi_track *track;
    uint64_t at;
    int way;
    bool any;
    int64_t value;
    struct wf_piece *piece;
};

static bool may_contain(const struct step *q, const struct wfi_sum *s) {
    if (q->way > 0 ? s->end < q->at : s->begin >= q->at) return false;
    if (q->any) return true;
    return q->value >= s->min && q->value <= s->max && s->mask >> (q->value & 63) & 1;
}

static bool try_slice(const struct step *q, const struct wfi_slice *s, uint32_t flags) {
    struct wfi_sum sum;
    if (q->way > 0 ? s->begin < q->at : s->begin >= q->at) return false;
    if (!q->any && s->value != q->value) return false;
    wfi_sum_slice(&q->track->data, s, &sum);
    *q->piece = piece_of(q->t, &sum, s->flags | flags);
    return true;
}

static bool try_slices(const struct step *q, const struct wfi_slice *s, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        if (try_slice(q, &s[q->way > 0 ? i : count - 1 - i], 0)) return true;
    }
    return false;
}

static bool try_coarse(const struct step *q, const struct wfi_sum *s) {
    if (q->way > 0 ? s->begin < q->at : s->begin >= q->at) return false;
    *q->piece = piece_of(q->t, s, WF_PIECE_COARSE);
    return true;
}

static bool try_page(const struct step *q, const struct wfi_sum *sum) {
    struct wfi_page *page = wfi_page_open(q->t, sum);
    if (!page) return try_coarse(q, sum);
    for (unsigned k = 0; k < WFI_TL_GROUPS; ++k) {
        unsigned g = q->way > 0 ? k : WFI_TL_GROUPS - 1 - k;
        const struct wfi_slice *slices = NULL;
        if (may_contain(q, &page->groups[g])) slices = wfi_page_group(page, g);
        if (slices && try_slices(q, slices, WFI_TL_WAYS)) return true;
    }
    return false;
}

static bool try_sum(const struct step *q, unsigned level, size_t i, const struct wfi_sum *s) {
    if (!may_contain(q, s)) return false;
    if (!level) return try_page(q, s);
    const struct wfi_sum *below = wfi_series_block(&q->track->data, level - 1, i);
    if (!below) return try_coarse(q, s);
    for (unsigned k = 0; k < WFI_TL_WAYS; ++k) {
        size_t at = q->way > 0 ? k : WFI_TL_WAYS - 1 - k;
        if (try_sum(q, level - 1, i * WFI_TL_WAYS + at, &below[at])) return true;
    }
    return false;
}

static bool try_level(const struct step *q, unsigned level) {
    const struct wfi_series *se = &q->track->data;
    size_t first = wfi_series_tail(se, level), count = se->levels[level].count - first;
    for (size_t i = 0; i < count; ++i) {
        size_t at = first + (q->way > 0 ? i : count - 1 - i);
        if (try_sum(q, level, at, wfi_series_sum(se, level, at))) return true;
    }
    return false;
}

static bool try_tail(const struct step *q) {
    const struct wfi_series *se = &q->track->data;
    struct wfi_slice open = open_slice(q->t, q->track);
    uint32_t flags = open_flags(q->track);
    if (q->way < 0 && q->track->open && try_slice(q, &open, flags)) return true;
    if (try_slices(q, se->page, se->fill)) return true;
    return q->way > 0 && q->track->open && try_slice(q, &open, flags);
}

bool wf_timeline_step(struct wf_timeline *t, unsigned track, uint64_t at, int way, bool any,
                      int64_t value, struct wf_piece *piece) {
    if (track >= t->track_count || (way < 0 && at <= t->first)) return false;
    struct step q = {.t = t, .track = t->tracks[track], .at = at, .way = way, .any = any};
    if (at <= t->first) q.at = 0;
    q.value = value;
    q.piece = piece;
    if (way < 0 && try_tail(&q)) return true;
    unsigned levels = q.track->data.level_count;
    for (unsigned i = 0; i < levels; ++i) {
        if (try_level(&q, way > 0 ? levels - 1 - i : i)) return true;
    }
    return way > 0 && try_tail(&q);
}
