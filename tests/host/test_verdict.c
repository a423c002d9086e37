// SPDX-License-Identifier: MIT
// The verdict on traces of each kind: what is wrong, what would fit, what is missing.

#include "wallfly_host/wf_recording.h"
#include "wallfly_host/wf_trace.h"

#include "wf_test.h"

static struct stream s;

static void fresh(void) { s.len = s.seq = 0; }

// Reads all bytes on lane 0, and checks the verdict of the lane and of the trace.
static struct wf_verdict judge(const void *bytes, size_t len) {
    const struct wf_trace_options options = {.size = sizeof options};
    struct wf_item item;
    struct wf_trace *t = wf_trace_open(&options, NULL);
    assert_non_null(t);
    assert_int_equal(wf_trace_feed(t, 0, bytes, len), WF_OK);
    wf_trace_end(t);
    while (wf_trace_next(t, &item)) {
    }
    struct wf_verdict v = *wf_lane_verdict(wf_trace_lane(t, 0, NULL));
    const struct wf_verdict *all = wf_trace_verdict(t);
    assert_int_equal(all->kind, v.kind);
    assert_int_equal(all->lossy, v.lossy);
    assert_string_equal(all->text, v.text);
    assert_string_equal(all->loss, v.loss);
    wf_trace_close(t);
    return v;
}

static void whole_trace(void **state) {
    (void)state;
    fresh();
    for (unsigned i = 0; i < 10; ++i) put_name(&s, 0x1000 + i, "name");
    struct wf_verdict v = judge(s.bytes, s.len);
    assert_int_equal(v.kind, WF_VERDICT_GOOD);
    assert_false(v.lossy);
    assert_string_equal(v.text, "");
    assert_string_equal(v.loss, "");
}

static void lossy_trace(void **state) {
    (void)state;
    fresh();
    for (unsigned i = 0; i < 10; ++i) {
        if (i == 5) s.seq += 3;
        put_name(&s, 0x1000 + i, "name");
    }
    struct wf_verdict v = judge(s.bytes, s.len);
    assert_int_equal(v.kind, WF_VERDICT_GOOD);
    assert_true(v.lossy);
    assert_string_equal(v.loss, "3 records missing, 0 bytes damaged, 0 records malformed");
}

static void no_trace(void **state) {
    (void)state;
    uint8_t noise[1000];
    memset(noise, 0x55, sizeof noise);
    struct wf_verdict v = judge(noise, sizeof noise);
    assert_int_equal(v.kind, WF_VERDICT_NO_TRACE);
    assert_string_equal(v.text, "not a QP/Spy trace: no good record in 1000 bytes");
    static const char head[] = "TRACE_HEADER_BEGIN::";
    v = judge(head, sizeof head - 1);
    assert_int_equal(v.kind, WF_VERDICT_NO_TRACE);
    assert_string_equal(v.text, "not a kernel-event log: no slot in 20 bytes");
    assert_int_equal(judge(noise, 0).kind, WF_VERDICT_GOOD); // nothing is wrong with nothing
}

// Records of a target with objects and functions of 8 bytes, before it reports its sizes.
static void put_wide(unsigned times) {
    static const uint8_t zeros[64] = {0};
    for (unsigned i = 0; i < times; ++i) put_frame(&s, 24, zeros, 4 + 8 + 4);
}

static void wrong_sizes(void **state) {
    (void)state;
    static const uint8_t zeros[64] = {0};
    fresh();
    put_frame(&s, 1, zeros, 16); // O8 F8
    put_frame(&s, 14, zeros, 4 + 8 + 2 + 8 + 4);
    put_wide(1);
    struct wf_verdict v = judge(s.bytes, s.len);
    assert_int_equal(v.kind, WF_VERDICT_WRONG_SIZES);
    assert_string_equal(v.sizes, "O8F8");
    assert_string_equal(
        v.text, "3 of 3 records do not have the length that the field sizes give: "
                "object pointer looks like 8 bytes, not 4, function pointer looks like 8 bytes, "
                "not 4");
    assert_true(v.lossy);
}

// Up to a quarter of malformed records is damage; under three is not reported.
static void malformed_records(void **state) {
    (void)state;
    static const enum wf_verdict_kind kinds[] = {WF_VERDICT_GOOD,      WF_VERDICT_GOOD,
                                                 WF_VERDICT_GOOD,      WF_VERDICT_MALFORMED,
                                                 WF_VERDICT_MALFORMED, WF_VERDICT_WRONG_SIZES};
    for (unsigned bad = 0; bad < sizeof kinds / sizeof *kinds; ++bad) {
        fresh();
        for (unsigned i = 0; i < 16 - bad; ++i) put_name(&s, 0x1000 + i, "name");
        put_wide(bad);
        struct wf_verdict v = judge(s.bytes, s.len);
        assert_int_equal(v.kind, kinds[bad]);
        assert_int_equal(v.lossy, bad > 0);
    }
}

// Lane 0 has no record but no damage, or it has losses; lane 1 is good, or the other way round.
static void worst_lane(void **state) {
    (void)state;
    const struct wf_trace_options options = {.size = sizeof options};
    fresh();
    for (unsigned i = 0; i < 10; ++i) put_name(&s, 0x1000 + i, "name");
    static struct stream lossy;
    lossy.len = lossy.seq = 0;
    put_name(&lossy, 0x1000, "name");
    lossy.seq += 3;
    put_name(&lossy, 0x1001, "name");
    for (unsigned first = 0; first < 2; ++first) {
        struct wf_item item;
        struct wf_trace *t = wf_trace_open(&options, NULL);
        wf_trace_feed(t, first, (const uint8_t *)"\x7E\x7E\x7E", 3);
        wf_trace_end_lane(t, first);
        while (wf_trace_next(t, &item)) {
        }
        wf_trace_feed(t, !first, s.bytes, s.len);
        while (wf_trace_next(t, &item)) {
        }
        assert_int_equal(wf_trace_verdict(t)->kind, WF_VERDICT_NO_TRACE);
        assert_false(wf_trace_verdict(t)->lossy);
        wf_trace_feed(t, 2, lossy.bytes, lossy.len);
        while (wf_trace_next(t, &item)) {
        }
        const struct wf_verdict *v = wf_trace_verdict(t);
        assert_int_equal(v->kind, WF_VERDICT_NO_TRACE);
        assert_true(v->lossy);
        assert_string_equal(v->loss, "3 records missing, 0 bytes damaged, 0 records malformed");
        wf_trace_close(t);
    }
}

// Without its last bytes a recording has no index; all lanes are judged.
static void recordings(void **state) {
    (void)state;
    static const struct wf_recording_head head = {.part = 1};
    const struct wf_trace_options options = {.size = sizeof options};
    for (unsigned cut = 0; cut < 2; ++cut) {
        for (unsigned noise = 0; noise < 2; ++noise) {
            struct text file = {NULL, 0};
            struct wf_item item;
            struct wf_chunk up = {.kind = WF_CHUNK_UP, .bytes = (const uint8_t *)"a", .len = 1};
            struct wf_recording_writer *w = wf_recording_create(&head, keep_text, &file, NULL);
            fresh();
            put_name(&s, 0x1000, "name");
            for (unsigned lane = 0; lane < 2; ++lane) {
                struct wf_chunk c = {
                    .kind = WF_CHUNK_BYTES, .lane = lane, .bytes = s.bytes, .len = s.len};
                up.lane = lane;
                if (noise && lane == 1) c.bytes = (const uint8_t *)"\x55\x55\x55\x55", c.len = 4;
                assert_int_equal(wf_recording_put(w, &up), WF_OK);
                assert_int_equal(wf_recording_put(w, &c), WF_OK);
            }
            assert_int_equal(wf_recording_finish(w), WF_OK);
            struct wf_trace *t = wf_trace_open(&options, NULL);
            wf_trace_feed_file(t, (const uint8_t *)file.bytes, file.len - cut);
            while (wf_trace_next(t, &item)) {
            }
            assert_string_not_equal(wf_trace_verdict(t)->loss, "the recording is not whole");
            wf_trace_end(t);
            while (wf_trace_next(t, &item)) {
            }
            const struct wf_verdict *v = wf_trace_verdict(t);
            assert_int_equal(v->kind, noise ? WF_VERDICT_NO_TRACE : WF_VERDICT_GOOD);
            assert_int_equal(v->lossy, cut || noise);
            if (cut && !noise) assert_string_equal(v->loss, "the recording is not whole");
            wf_trace_close(t);
            free(file.bytes);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_trace),       cmocka_unit_test(lossy_trace),
        cmocka_unit_test(no_trace),          cmocka_unit_test(wrong_sizes),
        cmocka_unit_test(malformed_records), cmocka_unit_test(worst_lane),
        cmocka_unit_test(recordings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
