// SPDX-License-Identifier: MIT
// Traces of other formats as whole segments: however their bytes come, they are one segment, whose
// counts and rows are those of the trace that is read without segments.

#include "wf_test.h"

#include "wallfly_host/wf_fleet.h"
#include "wallfly_host/wf_trace.h"

enum { MOST = 1 << 17 };

static const struct capture {
    const char *file, *format;
} captures[] = {
    {"systemview/full.rtt.bin", "systemview"},
    {"systemview/overflow.rtt.bin", "systemview"},
    {"ftrace/trace.txt", "ftrace"},
    {"ftrace/kernel.txt", "ftrace"},
    {"chrome/mixed.chrome", "chrome"},
    {"tracerecorder/ring.bin", "tracerecorder"},
    {"threadx/wrapped.trx", "threadx"},
    {"tonbandgeraet/overflow.tband", "tonbandgeraet"},
};
enum { CAPTURES = sizeof captures / sizeof *captures };

static uint8_t bytes[MOST];
static size_t len;

static void read_capture(const struct capture *c) {
    char name[512];
    snprintf(name, sizeof name, WF_TEST_DATA "/import/%s", c->file);
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    len = fread(bytes, 1, MOST, f);
    fclose(f);
    assert_true(len > 1000 && len < MOST);
}

static uint8_t *state_of(const char *format, size_t *state_len) {
    const struct wf_segment_whole whole = {.format = {.name = format}};
    uint8_t *state = wf_segment_put_whole(&whole, state_len);
    assert_non_null(state);
    return state;
}

static struct wf_segments *open_cutter(const char *format) {
    size_t state_len;
    struct wf_error error;
    uint8_t *state = state_of(format, &state_len);
    const struct wf_segments_options o = {.size = sizeof o, .state = state, .state_len = state_len};
    struct wf_segments *s = wf_segments_open(&o, &error);
    free(state);
    assert_non_null(s);
    return s;
}

// Feeds the bytes in pieces of at most `step`, with a new connection before the byte `relink`, if
// that is not 0, and returns a copy of the segment.
static struct wf_segment cut(const char *format, size_t step, size_t relink) {
    struct wf_segments *s = open_cutter(format);
    struct wf_segment segment, copy, more;
    for (size_t at = 0; at < len;) {
        const size_t rest = (at < relink ? relink : len) - at;
        size_t n = 1 + (size_t)rand() % step;
        if (n > rest) n = rest;
        if (relink && at == relink) assert_int_equal(wf_segments_relink(s), WF_OK);
        assert_int_equal(wf_segments_feed(s, bytes + at, n), WF_OK);
        assert_false(wf_segments_next(s, &segment));
        assert_false(wf_segments_growing(s, &segment));
        at += n;
    }
    wf_segments_end(s);
    assert_true(wf_segments_next(s, &segment));
    assert_true(wf_segment_copy(&copy, &segment));
    assert_false(wf_segments_next(s, &more));
    assert_int_equal(wf_segments_error(s, NULL), WF_OK);
    wf_segments_close(s);
    return copy;
}

// ---- the trace without segments

struct expected {
    uint64_t rows, begin, end;
    bool timed;
    struct wf_ledger ledger;
    uint64_t hz;
};

static void take_items(struct wf_trace *t, struct expected *e) {
    struct wf_item item;
    while (wf_trace_next(t, &item)) {
        e->rows += item.kind == WF_ITEM_RECORD || item.kind == WF_ITEM_LOSS;
        if (item.kind != WF_ITEM_RECORD || !item.record.stamped) continue;
        if (!e->timed || item.record.tick < e->begin) e->begin = item.record.tick;
        if (!e->timed || item.record.tick > e->end) e->end = item.record.tick;
        e->timed = true;
    }
    assert_int_equal(wf_trace_error(t, NULL), WF_OK);
}

static struct expected read_trace(const char *format, size_t relink) {
    struct expected e = {0};
    struct wf_trace_options o = {.size = sizeof o};
    assert_true(wf_lane_find_format(format, &o.format));
    struct wf_trace *t = wf_trace_open(&o, NULL);
    const struct wf_merge_span span = {bytes, len};
    const struct wf_merge_source source = {.read_at = wf_merge_span_at, .ctx = (void *)&span};
    if (relink) {
        assert_int_equal(wf_trace_feed(t, 0, bytes, relink), WF_OK);
        take_items(t, &e);
        wf_trace_relink(t, 0);
        take_items(t, &e);
        assert_int_equal(wf_trace_feed(t, 0, bytes + relink, len - relink), WF_OK);
        take_items(t, &e);
        wf_trace_end(t);
    } else {
        assert_int_equal(wf_trace_read(t, 0, &source, NULL), WF_OK);
    }
    take_items(t, &e);
    struct wf_session *session = wf_lane_session(wf_trace_lane(t, 0, NULL));
    e.ledger = *wf_session_ledger(session);
    e.hz = wf_session_target(session)->hz;
    wf_trace_close(t);
    return e;
}

static void expect(const struct wf_segment *s, const struct expected *e) {
    assert_int_equal(s->offset, 0);
    assert_int_equal(s->number, 0);
    assert_int_equal(s->len, len);
    assert_memory_equal(s->bytes, bytes, len);
    assert_true(s->last && wf_segment_get_whole(s, NULL));
    assert_int_equal(s->rows, e->rows);
    assert_int_equal(s->records, e->ledger.records);
    assert_int_equal(s->missing, (int64_t)e->ledger.missing);
    assert_int_equal(s->damaged, e->ledger.bytes_bad);
    assert_int_equal(s->exact, e->ledger.exact);
    assert_int_equal(s->timed, e->timed);
    assert_int_equal(s->begin, e->begin);
    assert_int_equal(s->end, e->end);
    assert_int_equal(s->hz, e->hz);
}

// ---- tests

static void however_the_bytes_come_it_is_one_segment(void **state) {
    (void)state;
    for (unsigned i = 0; i < CAPTURES; ++i) {
        read_capture(&captures[i]);
        const struct expected e = read_trace(captures[i].format, 0);
        assert_true(e.ledger.records > 30);
        for (unsigned turn = 0; turn < 10; ++turn) {
            struct wf_segment s = cut(captures[i].format, 1u << (8 + turn), 0);
            expect(&s, &e);
            assert_int_equal(s.break_count, 0);
            wf_segment_free(&s);
        }
    }
}

static void a_new_connection_is_a_break(void **state) {
    (void)state;
    for (unsigned turn = 0; turn < 20; ++turn) {
        read_capture(&captures[turn % 3]);
        const size_t at = 4096 + (size_t)rand() % (len - 8192);
        const struct expected e = read_trace(captures[turn % 3].format, at);
        struct wf_segment s = cut(captures[turn % 3].format, 5000, at);
        expect(&s, &e);
        assert_int_equal(s.break_count, 1);
        assert_int_equal(s.breaks[0].at, at);
        wf_segment_free(&s);
    }
}

static uint64_t hash_rows(const struct wf_segment *segment) {
    static const struct wf_fleet_stream stream = {.device = "d", .stream = 7};
    struct wf_fleet_options o = {.size = sizeof o};
    memset(o.records, true, sizeof o.records);
    struct wf_fleet *f = wf_fleet_open(&o, NULL);
    uint64_t h = 0;
    assert_int_equal(wf_fleet_add(f, &stream, NULL, segment), WF_OK);
    assert_int_equal(wf_fleet_rows(f, WF_FLEET_TABLE_SEGMENT), 1);
    assert_int_equal(wf_fleet_rows(f, WF_FLEET_TABLE_RECORD), segment->records);
    assert_true(wf_fleet_rows(f, WF_FLEET_TABLE_FIGURE) > 0);
    for (unsigned t = 0; t < WF_FLEET_TABLE_END; ++t) {
        size_t n;
        const uint8_t *block = wf_fleet_block(f, (enum wf_fleet_table_number)t, &n);
        h = h * 31 + wf_fleet_hash(block, n);
    }
    wf_fleet_close(f);
    return h;
}

static void rows_follow_from_the_segment(void **state) {
    (void)state;
    for (unsigned i = 0; i < CAPTURES; ++i) {
        read_capture(&captures[i]);
        struct wf_segment a = cut(captures[i].format, 300, 0), b = cut(captures[i].format, MOST, 0);
        const uint64_t h = hash_rows(&a);
        assert_true(hash_rows(&a) == h && hash_rows(&b) == h);
        wf_segment_free(&a);
        wf_segment_free(&b);
    }
}

static void its_format_is_what_was_given(void **state) {
    static const struct wf_segment_whole given = {
        {"ftrace", (const uint8_t *)"names", 5}, (const uint8_t *)"\x01\x02", 2};
    struct wf_segment_whole got;
    size_t n;
    uint8_t *all = wf_segment_put_whole(&given, &n);
    struct wf_segment s = {.state = all, .state_len = n};
    (void)state;
    assert_true(wf_segment_get_whole(&s, &got));
    assert_string_equal(got.format.name, "ftrace");
    assert_int_equal(got.format.describe_len, 5);
    assert_memory_equal(got.format.describe, "names", 5);
    assert_int_equal(got.state_len, 2);
    assert_memory_equal(got.state, "\x01\x02", 2);
    for (size_t kept = 0; kept < n; ++kept) { // cut off
        uint8_t *copy = malloc(kept ? kept : 1);
        memcpy(copy, all, kept);
        s = (struct wf_segment){.state = copy, .state_len = kept};
        assert_int_equal(wf_segment_get_whole(&s, &got), kept >= n - given.state_len);
        free(copy);
    }
    free(all);
    struct wf_session *session = wf_session_open(NULL, NULL);
    all = wf_session_write_state(session, &n);
    s = (struct wf_segment){.state = all, .state_len = n};
    assert_false(wf_segment_get_whole(&s, NULL));
    assert_null(wf_segment_open(&s, NULL, NULL));
    free(all);
    wf_session_close(session);
}

static void what_cannot_be_read_is_refused(void **state) {
    struct wf_error error;
    struct wf_segment segment;
    (void)state;
    read_capture(&captures[5]);
    struct wf_segments *s = open_cutter("tracerecorder");
    assert_int_equal(wf_segments_feed(s, bytes, 60), WF_OK); // its header has 72
    wf_segments_end(s);
    assert_false(wf_segments_next(s, &segment));
    assert_int_equal(wf_segments_error(s, &error), WF_ERR_BAD_IMPORT);
    assert_int_equal(error.place, WF_AT_BYTE);
    wf_segments_close(s);

    s = open_cutter("systemview");
    assert_int_equal(wf_segments_feed(s, "no trace", 8), WF_OK);
    wf_segments_end(s);
    assert_false(wf_segments_next(s, &segment));
    assert_int_equal(wf_segments_error(s, &error), WF_ERR_BAD_IMPORT);
    wf_segments_close(s);

    s = open_cutter("systemview");
    wf_segments_end(s);
    assert_false(wf_segments_next(s, &segment)); // nothing
    assert_int_equal(wf_segments_error(s, NULL), WF_OK);
    wf_segments_close(s);
}

static void it_has_a_limit(void **state) {
    struct wf_segments *s = open_cutter("systemview");
    (void)state;
    for (size_t fed = 0; fed < WF_SEGMENT_WHOLE_MAX; fed += MOST)
        assert_int_equal(wf_segments_feed(s, bytes, MOST), WF_OK);
    assert_int_equal(wf_segments_feed(s, bytes, 1), WF_ERR_READ);
    wf_segments_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(however_the_bytes_come_it_is_one_segment),
        cmocka_unit_test(a_new_connection_is_a_break),
        cmocka_unit_test(rows_follow_from_the_segment),
        cmocka_unit_test(its_format_is_what_was_given),
        cmocka_unit_test(what_cannot_be_read_is_refused),
        cmocka_unit_test(it_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
