// SPDX-License-Identifier: MIT
// Losses on the timeline: what becomes unknown, and that every missing record is drawn.

#include "wf_test_drawn.h"

static void a_hole_makes_unknown(void **state) {
    (void)state;
    two_tasks();
    PUT(b, "mutex_take", M, A, 1); // 10
    PUT(b, "counter", TEXT, 7);
    lose(3);
    b->clock = 20;
    PUT(b, "counter", TEXT, 8); // 20
    PUT(b, "task_switch", B, PREEMPTED, 0);
    drawn("task a [states: 3-5 ready 5-11> running@0] [holds: 10-11> 0x00000100]\n"
          "task b [states: 4-11> ready 21-21~ running@0]\n"
          "core core 0 [runs: 5-11> a 21-21~ b]\n"
          "object 0x00000100 [holder: <1-10 ? 10-11> a <11-21~ ?]\n"
          "counter 0x00000500 [level: 11-11> 7 20-21~ 8]\n"
          "link [loss: 11-20 3?]\n");
    wf_timeline_end(t);
    wf_timeline_end(t); // a second end has no effect
    drawn("task a [states: 3-5 ready 5-11> running@0] [holds: 10-11> 0x00000100]\n"
          "task b [states: 4-11> ready 21-21> running@0]\n"
          "core core 0 [runs: 5-11> a 21-21> b]\n"
          "object 0x00000100 [holder: <1-10 ? 10-11> a <11-21> ?]\n"
          "counter 0x00000500 [level: 11-11> 7 20-21> 8]\n"
          "link [loss: 11-20 3?]\n");
    stop();
}

static void a_hole_lasts_until_something_has_a_time(void **state) {
    (void)state;
    start();
    PUT(b, "counter", TEXT, 7); // 1
    lose(3);
    PUT(b, "tick", 1, 0); // no time
    lose(2);
    PUT(b, "tick", 2, 0);
    b->clock = 20;
    drawn("counter 0x00000500 [level: 1-1> 7]\n"
          "link [loss: 1-1~ 5?]\n");
    PUT(b, "counter", TEXT, 8); // 20
    drawn("counter 0x00000500 [level: 1-1> 7 20-20~ 8]\n"
          "link [loss: 1-20 5?]\n");
    stop();
}

// The sum of losses on all tracks, by ranges and by steps.
static uint64_t missing(void) {
    static struct wf_piece pieces[64];
    struct wf_timeline_span span;
    uint64_t sum = 0, stepped = 0;
    wf_timeline_extent(t, &span);
    for (unsigned i = 0; i < wf_timeline_tracks(t); ++i) {
        struct wf_track of;
        struct wf_piece p;
        uint64_t at = span.first;
        wf_timeline_track(t, i, &of);
        if (of.kind != WF_TRACK_LOSS) continue;
        size_t n = wf_timeline_range(t, i, span.first, UINT64_MAX, 1, pieces, 64);
        assert_true(n == of.slices && n <= 64);
        for (size_t k = 0; k < n; ++k) {
            assert_true(pieces[k].begin >= span.first && pieces[k].end <= span.last);
            assert_true(wf_timeline_step(t, i, at, 1, true, 0, &p));
            assert_memory_equal(&p, &pieces[k], sizeof p);
            sum += (uint64_t)pieces[k].value;
            at = p.begin + 1;
        }
        assert_false(wf_timeline_step(t, i, at, 1, true, 0, &p));
        for (p.begin = UINT64_MAX; wf_timeline_step(t, i, p.begin, -1, true, 0, &p);)
            stepped += (uint64_t)p.value;
    }
    assert_int_equal(sum, stepped);
    return sum;
}

static void holes_before_the_first_time(void **state) {
    (void)state;
    start();
    put_name(&b->stream, A, "a");
    for (unsigned n = 3; n < 6; ++n) {
        lose(n);
        put_name(&b->stream, B, "b");
    }
    take_all();
    lose(2);
    b->clock = 1000;
    PUT(b, "counter", TEXT, 1); // 1000
    drawn("link [loss: 1000-1000 14?]\ncounter 0x00000500 [level: 1000-1000~ 1]\n");
    lose(1);
    b->clock = 1000;
    PUT(b, "counter", TEXT, 2); // at the same tick
    lose(1);
    b->clock = 1000;
    PUT(b, "counter", TEXT, 2); // at the same tick again
    assert_int_equal(b->clock, 1001);
    lose(4);
    PUT(b, "counter", TEXT, 3); // 1001
    lose(1);
    b->clock = 1001;
    PUT(b, "counter", TEXT, 4);
    lose(7);
    PUT(b, "counter", TEXT, 5); // 1002
    take_all();
    wf_timeline_end(t);
    drawn("link [loss: 1000-1001 20? 1001-1002 8?]\n"
          "counter 0x00000500 [level: 1000-1000> 1 1000-1000> 2 1000-1000> 2 1001-1001> 3 "
          "1001-1001> 4 1002-1002> 5]\n");
    assert_int_equal(wf_session_ledger(b->s)->missing, 28);
    assert_int_equal(missing(), 28);
    stop();
}

// Random losses everywhere, many of them at the same tick.
static void all_that_is_missing_is_drawn(void **state) {
    (void)state;
    for (unsigned seed = 0; seed < 100; ++seed) {
        start();
        srand(seed);
        unsigned nameless = (unsigned)rand() % 20;
        put_name(&b->stream, A, "a");
        for (unsigned i = 0; i < 60; ++i) {
            if (rand() % 4 == 0) lose((unsigned)rand() % 9);
            if (i < nameless || rand() % 4 == 0)
                put_name(&b->stream, B, "b");
            else
                PUT(b, "counter", TEXT, i);
            if (rand() % 2 && b->clock) --b->clock;
        }
        PUT(b, "counter", TEXT, 1);
        take_all();
        assert_int_equal(missing(), wf_session_ledger(b->s)->missing);
        wf_timeline_end(t);
        assert_int_equal(missing(), wf_session_ledger(b->s)->missing);
        stop();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hole_makes_unknown),
        cmocka_unit_test(a_hole_lasts_until_something_has_a_time),
        cmocka_unit_test(holes_before_the_first_time),
        cmocka_unit_test(all_that_is_missing_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
