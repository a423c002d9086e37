// SPDX-License-Identifier: MIT
// The timeline on any input: slices are in order, do not overlap and do not lie in the future; all
// levels of detail have the same ones; a step goes to the next one. The first two bytes choose
// limits, repetitions of a script and when the store fails; the rest is as for the model.

#include "fuzz_script.h"

#include "wallfly_host/wf_timeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STORE = 1 << 22, PIECES = 1 << 16, STEPS = 50 };

static uint8_t store[STORE];
static unsigned fails_in; // after this number of calls; 0: never
static struct wf_piece pieces[PIECES];

static bool may(uint64_t at, size_t len) {
    return at + len <= STORE && (fails_in == 0 || --fails_in > 0);
}
static bool write_at(void *ctx, uint64_t at, const void *bytes, size_t len) {
    (void)ctx;
    if (!may(at, len)) return false;
    memcpy(store + at, bytes, len);
    return true;
}
static bool read_at(void *ctx, uint64_t at, void *bytes, size_t len) {
    (void)ctx;
    if (!may(at, len)) return false;
    memcpy(bytes, store + at, len);
    return true;
}

static void take(void *ctx, const struct wf_item *item) { wf_timeline_take(ctx, item); }

static void check_rows(struct wf_timeline *t) {
    unsigned tracks = 0;
    for (unsigned i = 0; i < wf_timeline_rows(t); ++i) {
        struct wf_timeline_row row;
        struct wf_entity entity;
        wf_timeline_row(t, i, &row);
        require(row.kind < WF_ROW_KINDS && row.entity < wf_timeline_entities(t));
        wf_timeline_entity(t, row.entity, &entity);
        for (uint32_t k = row.first_track; k != WF_NO_TRACK; k = wf_timeline_next_track(t, k)) {
            struct wf_track track;
            wf_timeline_track(t, k, &track);
            require(track.row == i && ++tracks <= wf_timeline_tracks(t));
        }
    }
    require(tracks == wf_timeline_tracks(t));
    for (unsigned i = 0; i < wf_timeline_entities(t); ++i) {
        struct wf_entity entity;
        wf_timeline_entity(t, i, &entity);
        require(entity.kind < WF_ENTITY_KINDS && entity.name && strlen(entity.name) < 1000);
    }
}

// The number and total length of slices.
struct sum {
    uint64_t count, busy;
    bool coarse;
    size_t pieces;
};

static struct sum check_range(struct wf_timeline *t, unsigned track, uint64_t last,
                              uint64_t bucket) {
    struct sum sum = {.pieces = wf_timeline_range(t, track, 0, UINT64_MAX, bucket, pieces, PIECES)};
    for (size_t i = 0; i < sum.pieces && i < PIECES; ++i) {
        const struct wf_piece *p = &pieces[i];
        require(p->begin <= p->end && p->end <= last && (i == 0 || p->begin >= p[-1].end));
        require(p->count > 0 && p->busy <= p->end - p->begin);
        require(p->min <= p->value && p->value <= p->max);
        bool coarse = p->flags & WF_PIECE_COARSE;
        if (!coarse && p->count > 1) require(bucket > 1 && p->end - p->begin <= 2 * bucket);
        sum.count += p->count;
        sum.busy += p->busy;
        sum.coarse |= coarse;
    }
    return sum;
}

static void check_steps(struct wf_timeline *t, unsigned track, size_t count) {
    struct wf_piece p = {.begin = 0};
    uint64_t at = pieces[0].begin;
    for (size_t i = 1; i < count && i < STEPS; ++i) {
        if (pieces[i].begin == at) continue; // at the same time
        require(wf_timeline_step(t, track, at + 1, 1, true, 0, &p) && p.begin == pieces[i].begin);
        require(wf_timeline_step(t, track, p.begin, -1, true, 0, &p) && p.begin == at);
        at = pieces[i].begin;
    }
}

static void check_track(struct wf_timeline *t, unsigned track, bool whole) {
    struct wf_timeline_span span;
    struct wf_track of;
    wf_timeline_extent(t, &span);
    wf_timeline_track(t, track, &of);
    struct sum coarse = check_range(t, track, span.last, 64);
    struct sum fine = check_range(t, track, span.last, 1);
    if (fine.pieces > PIECES || coarse.pieces > PIECES) return;
    require(fine.count - of.slices <= 1); // the open slice
    if (fails_in == 0) require(fine.count == coarse.count && fine.busy == coarse.busy);
    if (whole) require(!fine.coarse);
    if (!fine.coarse && fine.pieces) check_steps(t, track, fine.pieces);
}

static void check(struct wf_timeline *t, bool whole) {
    static struct wf_arrow arrows[4096];
    check_rows(t);
    for (unsigned i = 0; i < wf_timeline_tracks(t); ++i) check_track(t, i, whole);
    uint64_t n = wf_timeline_arrows(t, 0, UINT64_MAX, arrows, 4096);
    for (uint64_t i = 0; n <= 4096 && i < n; ++i) {
        require(arrows[i].begin <= arrows[i].end && arrows[i].kind < WF_ARROW_KINDS);
        require(i == 0 || arrows[i].end >= arrows[i - 1].end);
        require(arrows[i].from_row < wf_timeline_rows(t) && arrows[i].to_row < wf_timeline_rows(t));
        require(arrows[i].entity < wf_timeline_entities(t));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4) return 0;
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_timeline_options with = {.size = sizeof with, .store = {NULL, write_at, read_at}};
    with.store_limit = (data[0] & 3) * (uint64_t)40000;
    with.memory_limit = (data[0] >> 2 & 3) * (uint64_t)3000;
    fails_in = data[0] & 128 ? 1 + (data[0] >> 4 & 7) : 0;
    bool whole = !with.store_limit && !with.memory_limit && !fails_in;
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_timeline *t = wf_timeline_open(s, &with, NULL);
    require(t != NULL);
    struct script script = {.s = s, .ctx = t, .take = take};
    size_t most = 20000 / size, times = data[1] % 32u * 8;
    take_any(&script, data + 2, size - 2, 1 + (unsigned)(times < most ? times : most));
    wf_timeline_filters(t, data[1] & 128 ? store : (const uint8_t[16]){0});
    check(t, whole && fails_in == 0);
    wf_timeline_end(t);
    check(t, whole && fails_in == 0);
    wf_timeline_close(t);
    wf_session_close(s);
    return 0;
}
