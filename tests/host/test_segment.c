// SPDX-License-Identifier: MIT
// Segments of random streams with losses, damage, restarts and names: however the bytes come, they
// are the same, and each alone has the records, losses, times and names that the whole stream has
// there.

#include "wf_test_segment.h"

enum { ITEMS = 8000 };

// An item as one number for each property; `name`: that of object 3 then.
struct told {
    uint64_t kind, id, tick, offset, more, name;
};

static struct told all[ITEMS];
static size_t all_count;
static struct piece pieces[SEGMENTS], others[SEGMENTS];

static uint64_t hash(const void *bytes, size_t len) {
    const uint8_t *p = bytes;
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < len; ++i) h = (h ^ p[i]) * 1099511628211u;
    return h;
}

static struct told tell(struct wf_session *session, const struct wf_item *item) {
    const struct wf_record *r = &item->record;
    const struct wf_loss *l = &item->loss;
    const char *name = wf_session_name(session, WF_EFFECT_NAME_OBJECT, 3, 0);
    struct told t = {.kind = item->kind};
    if (item->kind == WF_ITEM_RECORD)
        t = (struct told){t.kind, r->id, r->tick, r->offset, r->seq + 256u * r->back, 0};
    if (item->kind == WF_ITEM_LOSS)
        t = (struct told){t.kind,     l->kind, l->tick_before, l->offset, l->records * 2 + l->exact,
                          l->given_up};
    if (item->kind == WF_ITEM_DAMAGE) t.offset = item->damage.offset;
    t.name = hash(name ? name : "", name ? strlen(name) : 0);
    return t;
}

static size_t next_items(struct wf_session *session, struct told *to, size_t count) {
    struct wf_item item;
    while (wf_session_next(session, &item)) {
        assert_true(count < ITEMS);
        to[count++] = tell(session, &item);
    }
    return count;
}

static size_t read_items(struct wf_session *session, const struct wf_segment *segment,
                         struct told *to) {
    size_t count = 0;
    for (size_t piece = 0; wf_segment_feed(segment, piece, session); ++piece)
        count = next_items(session, to, count);
    wf_session_end(session);
    return next_items(session, to, count);
}

static size_t read_stream(struct wf_session *session, struct told *to) {
    size_t count = 0;
    for (size_t piece = 0; feed_stream(session, piece); ++piece)
        count = next_items(session, to, count);
    wf_session_end(session);
    return next_items(session, to, count);
}

// ---- comparing

static void expect_same(const struct piece *a, const struct piece *b) {
    struct wf_segment x = a->of, y = b->of;
    x.bytes = y.bytes = x.state = y.state = NULL;
    x.breaks = y.breaks = NULL;
    assert_memory_equal(&x, &y, sizeof x);
    for (size_t i = 0; i < x.break_count; ++i)
        assert_true(a->of.breaks[i].at == b->of.breaks[i].at &&
                    a->of.breaks[i].lost == b->of.breaks[i].lost);
    assert_memory_equal(a->bytes, b->bytes, x.len);
    assert_memory_equal(a->state, b->state, x.state_len);
}

// ---- tests

// A session that reads the segment alone returns the items from `first` on. Returns how many.
static size_t expect_items(const struct piece *p, size_t first) {
    static struct told alone[ITEMS];
    const struct wf_segment *of = &p->of;
    struct wf_session *session = wf_session_open(NULL, NULL);
    if (of->state_len)
        assert_int_equal(wf_session_read_state(session, p->state, of->state_len), WF_OK);
    size_t count = read_items(session, of, alone);
    uint64_t rows = 0;
    for (size_t i = 0; i < count; ++i) {
        alone[i].offset += of->offset;
        assert_true(first + i < all_count);
        assert_memory_equal(&alone[i], &all[first + i], sizeof alone[i]);
        rows += alone[i].kind == WF_ITEM_RECORD || alone[i].kind == WF_ITEM_LOSS;
    }
    const struct wf_ledger *l = wf_session_ledger(session);
    assert_int_equal(of->rows, rows);
    assert_int_equal(of->records, l->records);
    assert_true(of->missing <= (int64_t)l->missing); // less if some were counted before it
    assert_int_equal(of->damaged, l->bytes_bad);
    wf_session_close(session);
    return count;
}

static void each_segment_alone_is_a_part_of_the_stream(void **state) {
    size_t segments = 0, all_breaks = 0;
    (void)state;
    for (unsigned seed = 1; seed <= 1000; ++seed) {
        make_stream(seed);
        if (seed % 2) make_breaks();
        const struct wf_segments_options o = {.size = sizeof o, .bytes = 60 + seed % 700};
        struct wf_session *session = wf_session_open(NULL, NULL);
        all_count = read_stream(session, all);
        size_t count = cut(&o, 0, pieces), first = 0;
        uint64_t offset = 0, number = 0, records = 0;
        int64_t missing = 0;
        for (size_t i = 0; i < count; ++i) {
            const struct wf_segment *of = &pieces[i].of;
            assert_int_equal(of->offset, offset);
            assert_int_equal(of->number, number);
            assert_true(!of->last || i + 1 == count);
            assert_true(i == 0 || of->state_len > 0);
            first += expect_items(&pieces[i], first);
            offset = wf_segment_end(of);
            all_breaks += of->break_count;
            number += of->rows;
            records += of->records;
            missing += of->missing;
        }
        const struct wf_ledger *l = wf_session_ledger(session);
        assert_int_equal(first, all_count);
        assert_int_equal(offset, offset_of(s.len + 1) - 1);
        assert_int_equal(records, l->records);
        assert_int_equal(missing, l->missing);
        assert_int_equal(pieces[count - 1].of.exact, l->exact);
        segments += count;
        drop(pieces, count);
        wf_session_close(session);
    }
    assert_true(segments > 10000 && all_breaks > 500);
}

static void however_the_bytes_come_the_segments_are_the_same(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        make_stream(seed);
        make_breaks();
        const struct wf_segments_options o = {.size = sizeof o, .bytes = 60 + seed % 700};
        size_t count = cut(&o, 0, pieces), n = cut(&o, 1 + seed % 300, others);
        assert_int_equal(n, count);
        for (size_t i = 0; i < count; ++i) expect_same(&pieces[i], &others[i]);
        drop(pieces, count);
        drop(others, count);
    }
}

// A cutter that begins at a segment, with its state, cuts the rest as one does that has begun at
// the beginning of the stream.
static void cutting_can_begin_at_any_segment(void **state) {
    size_t begun = 0;
    (void)state;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        make_stream(seed);
        struct wf_segments_options o = {.size = sizeof o, .bytes = 60 + seed % 700};
        size_t count = cut(&o, 0, pieces), at = 0;
        for (size_t i = 0; i < count; at += pieces[i++].of.len) {
            const struct wf_segment *of = &pieces[i].of;
            struct wf_segment segment;
            size_t next = i;
            o.state = of->state;
            o.state_len = of->state_len;
            o.offset = of->offset;
            o.number = of->number;
            struct wf_segments *cutter = wf_segments_open(&o, NULL);
            assert_int_equal(wf_segments_feed(cutter, s.bytes + at, s.len - at), WF_OK);
            for (int turn = 0; turn < 2; ++turn) {
                while (wf_segments_next(cutter, &segment)) {
                    // Records that came late were counted as missing before.
                    struct piece p = {.of = segment};
                    p.of.missing = pieces[next].of.missing;
                    p.bytes = (uint8_t *)segment.bytes;
                    p.state = (uint8_t *)segment.state;
                    expect_same(&p, &pieces[next++]);
                }
                wf_segments_end(cutter);
            }
            assert_int_equal(next, count);
            wf_segments_close(cutter);
            ++begun;
        }
        drop(pieces, count);
    }
    assert_true(begun > 2000);
}

// Which one ends a segment: the bytes, or the time.
static void a_segment_ends_by_its_bytes_or_its_time(void **state) {
    (void)state;
    clear_stream();
    put_sync(0, 1);
    for (uint32_t i = 0; i < 500; ++i) {
        uint8_t p[8] = {0};
        for (int b = 0; b < 4; ++b) p[b] = (uint8_t)(i * 100 >> 8 * b);
        put_frame(&s, 34, p, sizeof p);
    }
    const struct wf_segments_options by_time = {.size = sizeof by_time, .seconds = 10}, // 1000 Hz
        by_bytes = {.size = sizeof by_bytes, .bytes = 1000};
    size_t count = cut(&by_time, 0, pieces);
    assert_int_equal(count, 5);
    for (size_t i = 0; i + 1 < count; ++i) {
        assert_int_equal(pieces[i].of.end - pieces[i].of.begin, 10000);
        assert_int_equal(pieces[i].of.hz, 1000);
        assert_int_equal(pieces[i].of.build_id, 77);
    }
    drop(pieces, count);
    count = cut(&by_bytes, 0, pieces);
    for (size_t i = 0; i + 1 < count; ++i)
        assert_in_range(pieces[i].of.len, 1000, 1000 + 2 * 8 + 4); // up to a frame more
    drop(pieces, count);
    count = cut(NULL, 0, pieces);
    assert_int_equal(count, 1);
    assert_true(pieces[0].of.last && pieces[0].of.timed);
    drop(pieces, count);
}

static void noise_is_one_segment(void **state) {
    (void)state;
    clear_stream();
    srand(5);
    for (int i = 0; i < 5000; ++i) put_raw(&s, (uint8_t)(rand() % 0x7D));
    const struct wf_segments_options o = {.size = sizeof o, .bytes = 100};
    size_t count = cut(&o, 77, pieces);
    assert_int_equal(count, 1);
    assert_int_equal(pieces[0].of.len, 5000);
    assert_int_equal(pieces[0].of.records, 0);
    assert_int_equal(pieces[0].of.damaged, 5000);
    drop(pieces, count);
    s.len = 0;
    assert_int_equal(cut(&o, 0, pieces), 0);
}

static void wrong_options_are_refused(void **state) {
    struct wf_error error;
    const struct wf_segments_options none = {0};
    (void)state;
    assert_null(wf_segments_open(&none, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    const struct wf_segments_options bad = {
        .size = sizeof bad, .state = (const uint8_t *)"none", .state_len = 4};
    assert_null(wf_segments_open(&bad, &error));
    assert_int_equal(error.code, WF_ERR_BAD_STATE);
    wf_segments_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_segment_alone_is_a_part_of_the_stream),
        cmocka_unit_test(however_the_bytes_come_the_segments_are_the_same),
        cmocka_unit_test(cutting_can_begin_at_any_segment),
        cmocka_unit_test(a_segment_ends_by_its_bytes_or_its_time),
        cmocka_unit_test(noise_is_one_segment),
        cmocka_unit_test(wrong_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
