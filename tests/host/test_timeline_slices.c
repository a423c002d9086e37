// SPDX-License-Identifier: MIT
// Queries about random slices and arrows, against the slices themselves: every level of detail,
// both directions; within limits, and with a store that fails.

#include "model/wfi_model.h"
#include "wf_test_timeline.h"

enum { SLICES = 40000, CAP = 1 << 17 };

static struct wfi_slice all[SLICES + 1];
static struct wf_piece pieces[CAP];
static uint32_t seed_now;

static uint64_t rnd(uint64_t below) {
    seed_now = seed_now * 1664525u + 1013904223u;
    uint64_t high = seed_now;
    seed_now = seed_now * 1664525u + 1013904223u;
    return below ? (high << 24 ^ seed_now >> 4) % below : 0;
}

// A length of any order of magnitude.
static uint64_t any_length(void) { return rnd(4) ? rnd((uint64_t)1 << rnd(14)) : 0; }

static void make(struct line *l, struct wfi_track *track, unsigned count, bool marks) {
    uint64_t tick = rnd(1000);
    for (unsigned i = 0; i < count; ++i) {
        struct wfi_slice *s = &all[i];
        tick += any_length();
        *s = (struct wfi_slice){.begin = tick, .value = (int64_t)rnd(rnd(2) ? 4 : 400) - 2};
        if (rnd(100) == 0) s->value = (int64_t)(rnd(UINT64_MAX) << 8);
        s->end = tick += marks ? 0 : any_length();
        s->more = (uint32_t)rnd(rnd(9) ? 5 : UINT32_MAX);
        s->flags = rnd(9) ? 0 : (uint32_t)rnd(4) << 1;
        wfi_tl_slice(l->t, track, s);
    }
    l->t->m->now = tick + 50;
}

static struct wfi_track *track_of(struct line *l, enum wf_track_kind kind) {
    uint32_t row = wfi_tl_row(l->t, WF_ROW_COUNTER, WF_ENTITY_NONE, -1);
    struct wfi_track *track = wfi_tl_track(l->t, row, kind, 0);
    assert_non_null(track);
    return track;
}

// The busy time of a slice: of STATES running, of RUNS all but idle, of HOLDER all known.
static uint64_t busy_of(const struct wfi_track *track, const struct wfi_slice *s) {
    if (track->kind == WF_TRACK_STATES && s->value != WF_TASK_RUNNING) return 0;
    if (track->kind == WF_TRACK_RUNS && s->value == WF_ENTITY_IDLE) return 0;
    if (track->kind == WF_TRACK_HOLDER && s->value == WF_ENTITY_NONE) return 0;
    return s->end - s->begin;
}

static bool touches(const struct wfi_slice *s, uint64_t from, uint64_t until) {
    return s->begin < until && (s->end > from || s->begin >= from);
}

// ---- one query

// Checks a piece that covers slices first..first + count - 1.
static void check_piece(const struct wfi_track *track, const struct wf_piece *p, unsigned first,
                        uint64_t bucket) {
    const struct wfi_slice *s = &all[first], *last = &s[p->count - 1];
    uint64_t all_time = 0, busy = 0, share = 0, marks = 0;
    int64_t min = s->value, max = s->value;
    assert_true(p->begin == s->begin && p->end == last->end);
    for (unsigned i = 0; i < p->count; ++i) {
        all_time += s[i].end - s[i].begin;
        busy += busy_of(track, &s[i]);
        min = s[i].value < min ? s[i].value : min;
        max = s[i].value > max ? s[i].value : max;
        if (s[i].value != p->value) continue;
        share += s[i].end - s[i].begin;
        marks += 1;
        if (p->count == 1) assert_int_equal(p->more, s->more);
    }
    assert_true(p->busy == busy && p->min == min && p->max == max);
    assert_true(marks > 0); // it is the value of one of them
    if (track->kind == WF_TRACK_LEVEL)
        assert_true(p->value == last->value && p->more == last->more);
    if (p->count == 1) {
        assert_int_equal(p->flags, s->flags);
        return;
    }
    assert_int_equal(p->flags, 0);
    assert_true(bucket > 1 && p->end - p->begin <= 2 * bucket);
    for (unsigned i = 0; i < p->count; ++i) {
        assert_true(s[i].end - s[i].begin <= bucket);
        if (i) assert_true(s[i].begin - s[i - 1].end <= bucket);
    }
    // With two slices, the value is that of the longer one.
    if (p->count == 2 && track->kind == WF_TRACK_STATES) assert_true(2 * share >= all_time);
}

static void ask(struct line *l, const struct wfi_track *track, unsigned count, uint64_t from,
                uint64_t until, uint64_t bucket) {
    size_t n = wf_timeline_range(l->t, track->number, from, until, bucket, pieces, CAP);
    unsigned at = 0;
    assert_true(n <= CAP);
    while (at < count && !touches(&all[at], from, until)) ++at;
    for (size_t i = 0; i < n; ++i) {
        assert_true(at + pieces[i].count <= count);
        check_piece(track, &pieces[i], at, bucket);
        at += (unsigned)pieces[i].count;
        assert_true(touches(&all[at - 1], from, until));
    }
    assert_true(at == count || all[at].begin >= until);
    // Not more pieces than the buckets require: two neighbours together are longer than one bucket.
    for (size_t i = 1; bucket > 1 && i < n; ++i)
        assert_true(pieces[i].end - pieces[i - 1].begin > bucket);
    // With less space: the same number, and the first pieces.
    if (n < 2) return;
    struct wf_piece first = pieces[0], second = pieces[1];
    assert_int_equal(wf_timeline_range(l->t, track->number, from, until, bucket, pieces, 1), n);
    assert_memory_equal(&pieces[0], &first, sizeof first);
    assert_memory_equal(&pieces[1], &second, sizeof second);
}

static void ranges(enum wf_track_kind kind, unsigned count, uint32_t seed) {
    struct line l;
    open_line(&l, 0, 0);
    seed_now = seed;
    struct wfi_track *track = track_of(&l, kind);
    make(&l, track, count, kind == WF_TRACK_MARKS);
    uint64_t last = count ? all[count - 1].end : 1;
    for (unsigned i = 0; i < 300; ++i) {
        uint64_t from = rnd(last + 100), bucket = (uint64_t)1 << rnd(24);
        uint64_t until = rnd(4) ? from + bucket * 512 : from + rnd(last);
        if (count && rnd(8) == 0) from = all[rnd(count)].begin; // an edge
        if (count && rnd(8) == 0) until = all[rnd(count)].end;
        if (rnd(8) == 0) bucket += rnd(bucket);
        if (until < from) until = from;
        ask(&l, track, count, from, until, bucket);
    }
    ask(&l, track, count, 0, UINT64_MAX, UINT64_MAX);
    ask(&l, track, count, 0, UINT64_MAX, 1);
    ask(&l, track, count, 0, UINT64_MAX, 0);
    assert_int_equal(wf_timeline_error(l.t), WF_OK);
    close_line(&l);
}

static void ranges_have_every_slice_once(void **state) {
    (void)state;
    static const unsigned counts[] = {0, 1, 7, 255, 256, 257, 4096, 5000, SLICES};
    static const enum wf_track_kind kinds[] = {WF_TRACK_STATES, WF_TRACK_LEVEL, WF_TRACK_MARKS,
                                               WF_TRACK_RUNS, WF_TRACK_HOLDER};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; ++i) {
        for (unsigned k = 0; k < KINDS; ++k) ranges(kinds[k], counts[i], 100 * i + k + 1);
    }
}

// ---- the open slice

static void what_is_open_is_the_last_piece(void **state) {
    (void)state;
    struct line l;
    open_line(&l, 0, 0);
    seed_now = 5;
    struct wfi_track *track = track_of(&l, WF_TRACK_STATES);
    make(&l, track, 300, false);
    uint64_t end = all[299].end, now = l.t->m->now;
    wfi_tl_begin(track, end + 10, 77, 3, true);
    size_t n = wf_timeline_range(l.t, track->number, 0, UINT64_MAX, 1 << 20, pieces, CAP);
    const struct wf_piece *p = &pieces[n - 1];
    assert_true(p->begin == end + 10 && p->end == now && p->value == 77 && p->more == 3);
    assert_int_equal(p->flags, WF_PIECE_OPEN | WF_PIECE_BEGIN_CUT);
    assert_int_equal(wf_timeline_range(l.t, track->number, now, now + 9, 1, pieces, CAP), 0);
    assert_int_equal(wf_timeline_range(l.t, track->number, now - 1, now, 1, pieces, CAP), 1);
    struct wf_piece found;
    assert_true(wf_timeline_step(l.t, track->number, end + 10, 1, true, 0, &found));
    assert_int_equal(found.value, 77);
    assert_false(wf_timeline_step(l.t, track->number, end + 11, 1, true, 0, &found));
    assert_true(wf_timeline_step(l.t, track->number, UINT64_MAX, -1, true, 0, &found));
    assert_int_equal(found.flags, WF_PIECE_OPEN | WF_PIECE_BEGIN_CUT);
    wf_timeline_end(l.t);
    n = wf_timeline_range(l.t, track->number, 0, UINT64_MAX, 1, pieces, CAP);
    assert_int_equal(pieces[n - 1].flags, WFI_TL_CUTS);
    close_line(&l);
}

// ---- steps

static bool is_next(const struct wfi_slice *s, uint64_t at, int way, bool any, int64_t value) {
    return (way > 0 ? s->begin >= at : s->begin < at) && (any || s->value == value);
}

static void steps_find_the_next(void **state) {
    (void)state;
    struct line l;
    struct wf_piece p;
    open_line(&l, 0, 0);
    seed_now = 9;
    struct wfi_track *track = track_of(&l, WF_TRACK_STATES);
    unsigned count = 9000;
    make(&l, track, count, false);
    for (unsigned i = 0; i < 20000; ++i) {
        uint64_t at = rnd(3) ? rnd(all[count - 1].end + 9) : all[rnd(count)].begin;
        int way = rnd(2) ? 1 : -1;
        bool any = rnd(3) == 0;
        int64_t value = rnd(9) ? all[rnd(count)].value : (int64_t)rnd(500);
        int from = way > 0 ? 0 : (int)count - 1;
        while (from >= 0 && from < (int)count && !is_next(&all[from], at, way, any, value))
            from += way;
        bool there = from >= 0 && from < (int)count;
        assert_int_equal(wf_timeline_step(l.t, track->number, at, way, any, value, &p), there);
        if (!there) continue;
        const struct wfi_slice *s = &all[from];
        assert_true(p.begin == s->begin && p.end == s->end && p.value == s->value);
        assert_true(p.more == s->more && p.flags == s->flags && p.count == 1);
    }
    close_line(&l);
}

// ---- arrows

enum { ARROWS = 20000 };
static struct wf_arrow arrows[ARROWS], found[ARROWS];

static void make_arrows(struct line *l) {
    uint64_t tick = 5000000;
    for (unsigned i = 0; i < ARROWS; ++i) {
        uint64_t length = rnd(200) ? rnd(300) : rnd(3000000);
        tick += rnd(20);
        arrows[i] = (struct wf_arrow){.kind = (enum wf_arrow_kind)rnd(WF_ARROW_KINDS),
                                      .begin = tick - length,
                                      .end = tick,
                                      .from_row = (uint32_t)rnd(rnd(2) ? 9 : INT32_MAX),
                                      .to_row = (uint32_t)rnd(rnd(2) ? 9 : INT32_MAX),
                                      .entity = (uint32_t)rnd(UINT32_MAX)};
        wfi_tl_arrow(l->t, &arrows[i]);
    }
}

static void arrows_are_those_that_begin_or_end_there(void **state) {
    (void)state;
    struct line l;
    open_line(&l, 0, 0);
    seed_now = 11;
    make_arrows(&l);
    uint64_t first = 4000000, last = arrows[ARROWS - 1].end + 100;
    for (unsigned i = 0; i < 2000; ++i) {
        uint64_t from = first + rnd(last - first), until = from + rnd((uint64_t)1 << rnd(21));
        size_t cap = rnd(ARROWS), n = 0;
        uint64_t got = wf_timeline_arrows(l.t, from, until, found, cap);
        for (unsigned k = 0; k < ARROWS; ++k) {
            const struct wf_arrow *a = &arrows[k];
            bool begins = a->begin >= from && a->begin < until;
            bool ends = a->end >= from && a->end < until;
            if (!begins && !ends) continue;
            if (got <= cap) {
                assert_memory_equal(&found[n], a, sizeof *a);
            }
            ++n;
        }
        assert_true(got <= cap ? got == n : got >= n);
    }
    close_line(&l);
}

// ---- limits

// Counts of a coarse piece may include slices outside of the range; other pieces are exact, and
// nothing from `kept` on is missing.
static void check_bounded(struct line *l, const struct wfi_track *track, unsigned count) {
    struct wf_timeline_span span;
    wf_timeline_extent(l->t, &span);
    assert_true(l->t->kept > all[0].begin); // some slices are gone
    unsigned first = 0;
    while (first < count && all[first].begin < l->t->kept) ++first;
    assert_true(first < count - 200); // but not all
    for (unsigned i = 0; i < 200; ++i) {
        uint64_t bucket = (uint64_t)1 << rnd(16), from = rnd(all[count - 1].end);
        size_t n =
            wf_timeline_range(l->t, track->number, from, from + 512 * bucket, bucket, pieces, CAP);
        for (size_t k = 0; k < n; ++k) {
            if (k) assert_true(pieces[k].begin >= pieces[k - 1].end);
            if (pieces[k].begin >= l->t->kept) assert_false(pieces[k].flags & WF_PIECE_COARSE);
        }
    }
    uint64_t from = all[first].begin;
    size_t n = wf_timeline_range(l->t, track->number, from, UINT64_MAX, 1, pieces, CAP);
    unsigned at = first;
    while (all[at - 1].end > from || all[at - 1].begin == from) --at;
    for (size_t i = 0; i < n; ++i) check_piece(track, &pieces[i], at + (unsigned)i, 1);
    // The totals are right with coarse pieces too.
    n = wf_timeline_range(l->t, track->number, 0, UINT64_MAX, 1, pieces, CAP);
    uint64_t sum = 0, busy = 0, truth = 0;
    bool coarse = false;
    for (size_t i = 0; i < n; ++i) {
        sum += pieces[i].count;
        busy += pieces[i].busy;
        coarse |= pieces[i].flags & WF_PIECE_COARSE;
    }
    for (unsigned i = 0; i < count; ++i) truth += busy_of(track, &all[i]);
    assert_true(coarse && sum == count && busy == truth);
}

static void a_limit_of_the_store_forgets_the_oldest(void **state) {
    (void)state;
    struct line l;
    open_line(&l, 100000, 0);
    seed_now = 13;
    struct wfi_track *track = track_of(&l, WF_TRACK_STATES);
    l.t->m->now = 1;
    for (unsigned done = 0; done < SLICES; ++done) {
        // Time advances as when a trace is read.
        struct wfi_slice *s = &all[done];
        *s = (struct wfi_slice){.begin = l.t->m->now + rnd(60), .value = (int64_t)rnd(5)};
        l.t->m->now = s->end = s->begin + rnd(900);
        wfi_tl_slice(l.t, track, s);
    }
    assert_true(l.store.most <= 100000 && l.store.most > 80000);
    assert_int_equal(wf_timeline_error(l.t), WF_OK);
    check_bounded(&l, track, SLICES);
    close_line(&l);
}

static void a_limit_of_memory_forgets_the_oldest(void **state) {
    (void)state;
    struct line l;
    open_line(&l, 0, 8000);
    seed_now = 17;
    struct wfi_track *track = track_of(&l, WF_TRACK_STATES);
    make(&l, track, SLICES, false);
    // Incomplete blocks of 16 stay in memory, one on each level.
    assert_true(l.t->memory <= 8000);
    check_bounded(&l, track, SLICES);
    close_line(&l);
}

// ---- errors

static void a_store_that_cannot_write_leaves_summaries(void **state) {
    (void)state;
    struct line l;
    open_line(&l, 0, 0);
    seed_now = 19;
    struct wfi_track *track = track_of(&l, WF_TRACK_STATES);
    l.store.fails = true;
    make(&l, track, SLICES, false);
    assert_int_equal(wf_timeline_error(l.t), WF_ERR_WRITE);
    assert_int_equal(l.store.writes, 1); // no further writes
    size_t n = wf_timeline_range(l.t, track->number, 0, UINT64_MAX, 1, pieces, CAP);
    assert_int_equal(n, SLICES / 256 + SLICES % 256);
    for (unsigned i = 0; i < SLICES / 256; ++i)
        assert_true(pieces[i].flags == WF_PIECE_COARSE && pieces[i].count == 256);
    close_line(&l);
}

static void a_store_that_cannot_read_says_so(void **state) {
    (void)state;
    struct line l;
    open_line(&l, 0, 0);
    seed_now = 23;
    struct wfi_track *track = track_of(&l, WF_TRACK_STATES);
    make(&l, track, SLICES, false);
    l.store.fails = true;
    size_t n = wf_timeline_range(l.t, track->number, 0, UINT64_MAX, 1, pieces, CAP);
    assert_true(n < SLICES / 2);
    assert_int_equal(pieces[0].flags, WF_PIECE_COARSE);
    assert_int_equal(pieces[n - 1].count, 1); // the last ones are in memory
    assert_int_equal(wf_timeline_error(l.t), WF_ERR_WRITE);
    unsigned writes = l.store.writes;
    make(&l, track, SLICES, false);
    assert_int_equal(l.store.writes, writes);
    close_line(&l);
}

// No data from the store causes a failure.
static void damaged_pages_are_coarse_or_wrong(void **state) {
    (void)state;
    struct line l;
    open_line(&l, 0, 0);
    seed_now = 29;
    struct wfi_track *track = track_of(&l, WF_TRACK_STATES);
    make(&l, track, SLICES, false);
    for (unsigned i = 0; i < 100; ++i) {
        for (unsigned k = 0; k < 200; ++k) l.store.bytes[rnd(l.store.most)] ^= (uint8_t)rnd(256);
        for (unsigned k = 0; k < WFI_TL_CACHE; ++k) l.t->cache[k].at = WFI_TL_NOWHERE;
        wf_timeline_range(l.t, track->number, 0, UINT64_MAX, rnd(100), pieces, CAP);
    }
    close_line(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_have_every_slice_once),
        cmocka_unit_test(what_is_open_is_the_last_piece),
        cmocka_unit_test(steps_find_the_next),
        cmocka_unit_test(arrows_are_those_that_begin_or_end_there),
        cmocka_unit_test(a_limit_of_the_store_forgets_the_oldest),
        cmocka_unit_test(a_limit_of_memory_forgets_the_oldest),
        cmocka_unit_test(a_store_that_cannot_write_leaves_summaries),
        cmocka_unit_test(a_store_that_cannot_read_says_so),
        cmocka_unit_test(damaged_pages_are_coarse_or_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
