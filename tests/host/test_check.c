// SPDX-License-Identifier: MIT
// Rules of figures, loss, levels and loads: each passes, fails and cannot be decided on small
// traces whose figures are calculated by hand.

#include "wf_test_check.h"

enum { M = 0x100, N = 0x180, Q = 0x200, T = 0x300, H = 0x400 };

// Two jobs of a: arrival at 10 and 110, response 20 and 35, execution 20 and 30, start 0 and 5.
static void put_jobs(bool hole) {
    create(1, A, "a", 1);
    create(2, B, "b", 2);
    AT(3, "task_ready", B, 0);
    AT(4, "task_switch", B, LEFT, 0);
    AT(6, "task_suspend", A);
    AT(10, "task_ready", A, 0);
    AT(10, "task_switch", A, PREEMPTED, 0);
    AT(30, "task_switch", B, DELAYED, 0);
    if (hole) lose_records(b, 3);
    AT(110, "task_ready", A, 0);
    AT(115, "task_switch", A, PREEMPTED, 0);
    AT(145, "task_switch", B, DELAYED, 0);
    AT(210, "task_ready", A, 0);
    AT(212, "task_switch", A, PREEMPTED, 0);
    AT(225, "task_switch", B, DELAYED, 0);
    AT(300, "counter", T, 1);
}

static void jobs(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {
        RULE(RESPONSE, .task = "a", .max = MS(35)),  RULE(RESPONSE, .task = "a", .max = MS(34.9)),
        RULE(DEADLINE, .task = "?", .max = MS(35)),  RULE(EXECUTION, .max = MS(29)),
        RULE(START, .task = "a", .max = MS(5)),      RULE(START, .task = "a", .max = MS(4)),
        RULE(PERIOD, .task = "a", .min = MS(100)),   RULE(PERIOD, .task = "a", .min = MS(100.5)),
        RULE(JITTER, .task = "a", .max = MS(20)),    RULE(JITTER, .task = "a", .max = MS(19)),
        RULE(RESPONSE, .task = "c", .max = MS(35)),  RULE(HOLD, .max = MS(1)),
        RULE(RESPONSE, .task = "a", .mean = MS(24)), RULE(RESPONSE, .task = "a", .mean = MS(23)),
        RULE(RESPONSE, .task = "a", .p50 = MS(20)),  RULE(RESPONSE, .task = "a", .p50 = MS(19)),
        RULE(RESPONSE, .task = "a", .p99 = MS(34)),  RULE(RESPONSE, .task = "b", .max = MS(200)),
        RULE(RESPONSE, .task = "b", .max = MS(400)),
    };
    begin();
    put_jobs(false);
    run_check(rules, sizeof rules / sizeof *rules);
    expect_verdict(0, WF_CHECK_PASSED, "max of 3 is 35 ms, 35 ms are allowed");
    expect_verdict(1, WF_CHECK_FAILED, "response of a took 35 ms, 34.9 ms are allowed");
    expect_verdict(2, WF_CHECK_FAILED, "response of b took");
    expect_verdict(3, WF_CHECK_FAILED, "execution of a took 30 ms");
    expect_verdict(4, WF_CHECK_PASSED, "max of 3 is 5 ms");
    expect_verdict(5, WF_CHECK_FAILED, "start of a took 5 ms, 4 ms are allowed");
    expect_verdict(6, WF_CHECK_PASSED, "min of 2 is 100 ms");
    expect_verdict(7, WF_CHECK_FAILED, "at least 100.5 ms are required");
    expect_verdict(8, WF_CHECK_PASSED, "max of 2 is 20 ms");
    expect_verdict(9, WF_CHECK_FAILED, "jitter of a took 20 ms");
    expect_verdict(10, WF_CHECK_UNDECIDED, "no name 'c' in the trace; there is a, b");
    expect_verdict(11, WF_CHECK_UNDECIDED, "nothing was measured");
    expect_verdict(12, WF_CHECK_PASSED, "mean of 3 is 23.3333 ms");
    expect_verdict(13, WF_CHECK_FAILED, "");
    expect_verdict(14, WF_CHECK_PASSED, "p50 of 3 is 20 ms");
    expect_verdict(15, WF_CHECK_FAILED, "p50 is 20 ms, 19 ms are allowed");
    expect_verdict(16, WF_CHECK_FAILED, "p99 is 35 ms");
    expect_verdict(17, WF_CHECK_FAILED, "response of b took 297 ms or more"); // open at the end
    expect_verdict(18, WF_CHECK_UNDECIDED, "nothing was measured");
    struct wf_check_result r = result_of(1);
    assert_int_equal(r.failure_count, 1);
    assert_int_equal(r.kept, 1);
    assert_int_equal(r.failures[0].from, 110);
    assert_int_equal(r.failures[0].to, 145);
    assert_string_equal(r.failures[0].task, "a");
    assert_true(r.failures[0].value > 0.0349 && r.failures[0].value < 0.0351);
    assert_int_equal(r.failures[0].record, 13);
    assert_true(r.margin > -0.29 && r.margin < -0.28);
    done();
}

static void jobs_and_a_hole(void **unused) {
    (void)unused;
    static const struct {
        enum wf_check_loss loss;
        enum wf_check_verdict verdict;
    } of[] = {{WF_CHECK_LOSS_UNDECIDED, WF_CHECK_UNDECIDED},
              {WF_CHECK_LOSS_FAILS, WF_CHECK_FAILED},
              {WF_CHECK_LOSS_IGNORED, WF_CHECK_PASSED}};
    const struct wf_check_rule rules[] = {
        RULE(RESPONSE, .task = "a", .max = MS(35)),  RULE(RESPONSE, .task = "a", .max = MS(14)),
        RULE(EXECUTION, .task = "a", .max = MS(90)), RULE(START, .task = "a", .max = MS(90)),
        RULE(PERIOD, .task = "a", .min = MS(1)),     RULE(JITTER, .task = "a", .max = MS(90)),
        RULE(DEADLINE, .task = "a", .max = MS(35)),  RULE(RESPONSE, .task = "a", .p50 = MS(50))};
    for (unsigned i = 0; i < 3; ++i) {
        begin();
        put_jobs(true);
        how.loss = of[i].loss;
        run_check(rules, sizeof rules / sizeof *rules);
        for (unsigned n = 0; n < 8; ++n) {
            bool measured = n != 4 && n != 5;
            if (n != 1)
                expect_verdict(n, measured || i == 1 ? of[i].verdict : WF_CHECK_UNDECIDED, "");
        }
        expect_verdict(1, WF_CHECK_FAILED, "response of a took 30 ms or more, 14 ms are allowed");
        if (i == 0) expect_verdict(0, WF_CHECK_UNDECIDED, "1 hole in the data");
        assert_int_equal(result_of(0).holes, 1);
        done();
    }
}

// A range after the hole is not touched by it, if the state of a is known again when it begins.
static void a_range_after_the_hole(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(RESPONSE, .task = "a", .max = MS(15)),
                                          RULE(RESPONSE, .task = "b", .max = MS(150)),
                                          RULE(PERIOD, .task = "a", .max = MS(110))};
    for (unsigned early = 0; early < 2; ++early) {
        begin();
        put_jobs(true);
        how.has_from = true;
        how.from_s = early ? 0.1 : 0.2; // the state of a is known from 0.115 on
        run_check(rules, 3);
        expect_verdict(0, early ? WF_CHECK_UNDECIDED : WF_CHECK_PASSED,
                       early ? "" : "max is 15 ms");
        expect_verdict(2, WF_CHECK_UNDECIDED, "hole");
        done();
    }
}

// 20 short jobs and one lost: at most that many can be above.
static void percentiles_with_a_hole(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(IRQ, .p50 = MS(2)),  RULE(IRQ, .p50 = MS(1)),
                                          RULE(IRQ, .p95 = MS(2)),  RULE(IRQ, .mean = MS(0.5)),
                                          RULE(IRQ, .mean = MS(2)), RULE(IRQ, .min = MS(1))};
    for (unsigned exact = 0; exact < 2; ++exact) {
        begin();
        put_sync(0);
        for (unsigned i = 0; i < 40; ++i) {
            AT(10 + 10 * i, "irq_enter", 5, 1, 0);
            AT(12 + 10 * i, "irq_exit", 5, 1, 0);
            if (i == 20) lose_records(b, 2);
        }
        if (exact) put_sync(0);
        AT(500, "counter", T, 1);
        run_check(rules, 6);
        expect_verdict(0, exact ? WF_CHECK_PASSED : WF_CHECK_UNDECIDED, "");
        expect_verdict(1, exact ? WF_CHECK_FAILED : WF_CHECK_UNDECIDED, "");
        expect_verdict(2, exact ? WF_CHECK_PASSED : WF_CHECK_UNDECIDED, "");
        expect_verdict(3, exact ? WF_CHECK_FAILED : WF_CHECK_UNDECIDED, "");
        expect_verdict(4, WF_CHECK_UNDECIDED, "");
        expect_verdict(5, WF_CHECK_UNDECIDED, "");
        done();
    }
}

// ---- interrupts, objects, notes

static void put_irqs(unsigned missing) {
    AT(10, "irq_enter", 5, 1, 0);
    AT(14, "irq_exit", 5, 1, 0);
    if (missing == 1) AT(15, "irq_exit", 5, 1, 0); // without an enter
    AT(20, "irq_enter", 5, 1, 0);
    if (missing == 2) AT(22, "irq_enter", 5, 1, 0); // without an exit
    AT(23, "irq_exit", 5, 1, 0);
    if (missing == 3) lose_records(b, 1);
    AT(50, "irq_enter", 6, 1, 0);
    AT(60, "irq_exit", 6, 1, 0);
    AT(70, "counter", T, 1);
}

static void interrupts(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(IRQ, .irq = "5", .max = MS(4)),
                                          RULE(IRQ, .irq = "5", .max = MS(3)),
                                          RULE(IRQ, .max = MS(10)),
                                          RULE(PERIOD, .irq = "5", .min = MS(10)),
                                          RULE(PERIOD, .irq = "5", .max = MS(40)),
                                          RULE(IRQ, .irq = "7", .max = MS(4))};
    for (unsigned missing = 0; missing < 4; ++missing) {
        begin();
        put_irqs(missing);
        run_check(rules, 6);
        enum wf_check_verdict good = missing ? WF_CHECK_UNDECIDED : WF_CHECK_PASSED;
        expect_verdict(0, good,
                       missing == 0   ? "max of 2 is 4 ms"
                       : missing == 3 ? "hole"
                                      : "begin or end");
        expect_verdict(1, WF_CHECK_FAILED, "irq of 5 took 4 ms, 3 ms are allowed");
        expect_verdict(2, good, "");
        if (missing != 2) expect_verdict(3, good, "");
        // It does not begin again for 50 ms before the end.
        if (missing != 3) expect_verdict(4, WF_CHECK_FAILED, "period of 5 took");
        expect_verdict(5, WF_CHECK_UNDECIDED, "no name '7' in the trace; there is 5, 6");
        done();
    }
}

static void put_objects(bool hole) {
    create(1, A, "a", 1);
    create(2, B, "b", 2);
    AT(3, "task_ready", A, 0);
    AT(3, "task_ready", B, 0);
    AT(4, "task_switch", B, LEFT, 0);
    AT(5, "mutex_create", M);
    put_name(&b->stream, M, "lock");
    AT(10, "mutex_take", M, B, 1);
    AT(12, "task_switch", A, PREEMPTED, 0);
    AT(15, "mutex_wait", M, A);
    AT(15, "task_switch", B, BLOCKED, 0);
    AT(20, "mutex_give", M, B, 0);
    AT(20, "mutex_take", M, A, 1);
    AT(20, "task_ready", A, 0);
    AT(21, "task_switch", A, PREEMPTED, 0);
    AT(24, "mutex_give", M, A, 0);
    if (hole) lose_records(b, 1);
    AT(30, "timer_create", T, 10);
    AT(31, "timer_expire", T);
    AT(41, "timer_expire", T);
    AT(50, "queue_create", Q, 4);
    put_name(&b->stream, Q, "queue");
    AT(51, "queue_send", Q, A, 1);
    AT(52, "queue_send", Q, A, 2);
    AT(55, "span_begin", A, N);
    AT(58, "span_end", A, N);
    AT(60, "counter", H, 7);
    AT(61, "counter", H, (uint64_t)-3);
}

static void objects(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(HOLD, .object = "lock", .max = MS(10)),
                                          RULE(HOLD, .task = "b", .max = MS(9)),
                                          RULE(WAIT, .object = "lo*", .max = MS(5)),
                                          RULE(WAIT, .max = MS(4)),
                                          RULE(BLOCKED, .by = "b", .max = MS(5)),
                                          RULE(BLOCKED, .task = "a", .max = MS(4)),
                                          RULE(PERIOD, .object = "*", .max = MS(20)),
                                          RULE(PERIOD, .object = "*", .min = MS(11)),
                                          RULE(QUEUE, .object = "queue", .max = {true, 2}),
                                          RULE(QUEUE, .max = {true, 1}),
                                          RULE(SPAN, .task = "a", .max = MS(3)),
                                          RULE(SPAN, .name = "*", .max = MS(2)),
                                          RULE(COUNTER, .max = {true, 7}),
                                          RULE(COUNTER, .min = {true, -2}),
                                          RULE(HOLD, .object = "look", .max = MS(9)),
                                          RULE(SPAN, .name = "s", .max = MS(2))};
    for (unsigned hole = 0; hole < 2; ++hole) {
        begin();
        put_objects(hole);
        run_check(rules, sizeof rules / sizeof *rules);
        for (unsigned i = 0; i < 14; i += 2)
            expect_verdict(i, hole ? WF_CHECK_UNDECIDED : WF_CHECK_PASSED, "");
        expect_verdict(1, WF_CHECK_FAILED, "hold of b, lock took 10 ms, 9 ms are allowed");
        expect_verdict(3, WF_CHECK_FAILED, "wait of a, lock took 5 ms");
        expect_verdict(5, WF_CHECK_FAILED, "blocked of a, lock by b took 5 ms");
        expect_verdict(7, WF_CHECK_FAILED, "took 10 ms, at least 11 ms are required");
        expect_verdict(9, WF_CHECK_FAILED, "queue of queue was 2, 1 are allowed");
        expect_verdict(11, WF_CHECK_FAILED, "took 3 ms, 2 ms are allowed");
        expect_verdict(13, WF_CHECK_FAILED, "was -3, at least -2 are required");
        expect_verdict(14, WF_CHECK_UNDECIDED, "no name 'look' in the trace; there is lock, queue");
        expect_verdict(15, WF_CHECK_UNDECIDED, "no name 's' in the trace");
        done();
    }
}

static void rests(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {
        RULE(STACK, .task = "a", .min = {true, 100}), RULE(STACK, .min = {true, 101}),
        RULE(HEAP, .min = {true, 512}), RULE(HEAP, .object = "*400", .min = {true, 513})};
    for (unsigned hole = 0; hole < 3; ++hole) { // 1: behind the records, 2: before them
        begin();
        create(1, A, "a", 1);
        AT(2, "heap_create", H, 4096);
        if (hole == 2) lose_records(b, 1);
        AT(10, "task_stack", A, 100, 1024);
        AT(11, "heap_low", H, 512);
        if (hole == 1) lose_records(b, 1);
        AT(20, "counter", T, 1);
        run_check(rules, 4);
        expect_verdict(0, hole == 1 ? WF_CHECK_UNDECIDED : WF_CHECK_PASSED, "");
        expect_verdict(1, WF_CHECK_FAILED,
                       "stack of a had a rest of 100 bytes, at least 101 bytes");
        expect_verdict(2, hole == 1 ? WF_CHECK_UNDECIDED : WF_CHECK_PASSED, "");
        expect_verdict(3, WF_CHECK_FAILED, "512 bytes");
        done();
    }
}

// ---- loads

// a runs 10 of each 100 ticks, but 30 in 200..300; an interrupt takes 5 at 400.
static void put_load(bool hole) {
    create(1, A, "a", 1);
    AT(1, "task_switch", 0, LEFT, 0);
    for (unsigned i = 1; i < 8; ++i) {
        AT(100 * i, "task_ready", A, 0);
        AT(100 * i, "task_switch", A, PREEMPTED, 0);
        if (i == 4) AT(402, "irq_enter", 5, 1, 0);
        if (i == 4) AT(407, "irq_exit", 5, 1, 0);
        AT(100 * i + (i == 2 ? 30 : 10), "task_switch", 0, DELAYED, 0);
        if (hole && i == 6) lose_records(b, 2);
    }
    AT(801, "counter", T, 1);
}

static void loads(void **unused) {
    (void)unused;
    struct wf_check_rule rules[] = {RULE(CPU, .task = "a", .window_s = 0.1, .max = {true, 30}),
                                    RULE(CPU, .task = "a", .window_s = 0.1, .max = {true, 29}),
                                    RULE(CPU, .task = "a", .window_s = 0.2, .max = {true, 20}),
                                    RULE(CPU, .task = "a", .window_s = 0.2, .max = {true, 19.9}),
                                    RULE(CPU, .task = "a", .max = {true, 99}),
                                    RULE(CPU, .task = "a", .max = {true, 10}),
                                    RULE(CPU, .irq = "5", .window_s = 0.01, .max = {true, 50}),
                                    RULE(CPU, .irq = "5", .window_s = 0.01, .max = {true, 49}),
                                    RULE(CPU, .window_s = 0.1, .max = {true, 30}),
                                    RULE(CPU, .window_s = 0.1, .max = {true, 29}),
                                    RULE(CPU, .task = "a", .window_s = 0.5, .min = {true, 8}),
                                    RULE(CPU, .task = "a", .window_s = 0.1, .min = {true, 6}),
                                    RULE(CPU, .task = "a", .window_s = 5, .max = {true, 50}),
                                    RULE(CPU, .task = "z", .window_s = 0.1, .max = {true, 50})};
    rules[8].core = 0;
    begin();
    put_load(false);
    run_check(rules, sizeof rules / sizeof *rules);
    expect_verdict(0, WF_CHECK_PASSED, "max of 33 is 30 %");
    expect_verdict(1, WF_CHECK_FAILED,
                   "cpu of a used 30 % in a window of 100 ms, 29 % are allowed");
    expect_verdict(2, WF_CHECK_PASSED, "max of 29 is 20 %");
    expect_verdict(3, WF_CHECK_FAILED, "20 % in a window of 200 ms");
    expect_verdict(4, WF_CHECK_PASSED, "");
    expect_verdict(5, WF_CHECK_FAILED, "");
    expect_verdict(6, WF_CHECK_PASSED, "max of 7 is 50 %");
    expect_verdict(7, WF_CHECK_FAILED, "cpu of 5 used 50 %");
    expect_verdict(8, WF_CHECK_PASSED, "max of 31 is 30 %");
    expect_verdict(9, WF_CHECK_FAILED, "cpu of core 0 used 30 %");
    expect_verdict(10, WF_CHECK_PASSED, "min of 13 is");
    expect_verdict(11, WF_CHECK_FAILED, "at least 6 % are required");
    expect_verdict(12, WF_CHECK_UNDECIDED, "shorter than the window");
    expect_verdict(13, WF_CHECK_UNDECIDED, "no name 'z'");
    const struct wf_check_failure *f = result_of(1).failures;
    assert_true(f->to - f->from == 100 && f->from <= 200 && f->to >= 230);
    assert_int_equal(result_of(1).failure_count, 1);
    done();
    // The hole lasts from 610 to 700: 90 ticks of each window may be busy.
    begin();
    put_load(true);
    run_check(rules, sizeof rules / sizeof *rules);
    expect_verdict(0, WF_CHECK_UNDECIDED, "it is not known what a core did");
    expect_verdict(1, WF_CHECK_FAILED, "");
    expect_verdict(4, WF_CHECK_PASSED, "");
    expect_verdict(7, WF_CHECK_FAILED, "");
    expect_verdict(10, WF_CHECK_UNDECIDED, ""); // interrupts are not known after it
    done();
}

// ---- losses

static void losses(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {
        RULE(LOSS, .max = {true, 0}), RULE(LOSS, .max = {true, 2}), RULE(LOSS, .max = {true, 3})};
    static const enum wf_check_verdict want[3][3] = {
        {WF_CHECK_PASSED, WF_CHECK_PASSED, WF_CHECK_PASSED},
        {WF_CHECK_FAILED, WF_CHECK_FAILED, WF_CHECK_UNDECIDED},
        {WF_CHECK_FAILED, WF_CHECK_FAILED, WF_CHECK_PASSED}};
    for (unsigned how_lost = 0; how_lost < 3; ++how_lost) { // 2: a SYNC confirms the number
        begin();
        put_sync(0);
        AT(10, "counter", T, 1);
        if (how_lost) lose_records(b, 3);
        AT(20, "counter", T, 2);
        if (how_lost == 2) put_sync(0);
        run_check(rules, 3);
        for (unsigned i = 0; i < 3; ++i) expect_verdict(i, want[how_lost][i], "");
        if (how_lost) expect_verdict(0, WF_CHECK_FAILED, "max is 3, 0 are allowed");
        if (how_lost)
            assert_string_equal(result_of(0).failures[0].text, "3 records are missing here");
        done();
    }
}

// 256 records are missing without a gap in the sequence: what was found since the last SYNC may be
// wrong.
static void a_loss_that_only_a_sync_shows(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(IRQ, .max = MS(3)), RULE(IRQ, .max = MS(9))};
    for (unsigned before = 0; before < 2; ++before) {
        begin();
        if (before) {
            AT(1, "irq_enter", 5, 1, 0);
            AT(6, "irq_exit", 5, 1, 0);
        }
        b->clock = 10;
        put_sync(0);
        AT(11, "irq_enter", 5, 1, 0);
        AT(16, "irq_exit", 5, 1, 0);
        put_sync(256);
        AT(20, "counter", T, 2);
        taken_back = true;
        run_check(rules, 2);
        taken_back = false;
        expect_verdict(0, before ? WF_CHECK_FAILED : WF_CHECK_UNDECIDED, "");
        expect_verdict(1, WF_CHECK_UNDECIDED, "hole");
        done();
    }
}

static void malformed_records(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(IRQ, .max = MS(5)), RULE(LOSS, .max = {true, 0})};
    begin();
    AT(1, "irq_enter", 5, 1, 0);
    AT(6, "irq_exit", 5, 1, 0);
    put_frame(&b->stream, row_called("irq_enter")->id, "\1\2", 2);
    AT(11, "irq_enter", 5, 1, 0);
    AT(16, "irq_exit", 5, 1, 0);
    run_check(rules, 2);
    expect_verdict(0, WF_CHECK_UNDECIDED, "1 hole");
    expect_verdict(1, WF_CHECK_FAILED, "max is 1, 0 are allowed");
    done();
}

// The older records of a ring were overwritten: the trace begins there, and nothing is missing.
static void the_beginning_of_a_ring(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(IRQ, .max = MS(5)), RULE(LOSS, .max = {true, 0})};
    struct wf_item item = {.kind = WF_ITEM_LOSS, .loss = {.kind = WF_LOSS_BEGINNING}};
    begin();
    how.size = sizeof how;
    check = wf_check_open(b->s, rules, 2, &how, NULL);
    wf_check_take(check, &item);
    AT(1, "irq_enter", 5, 1, 0);
    AT(6, "irq_exit", 5, 1, 0);
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    while (wf_session_next(b->s, &item)) wf_check_take(check, &item);
    wf_check_end(check);
    expect_verdict(0, WF_CHECK_PASSED, "max is 5 ms");
    expect_verdict(1, WF_CHECK_PASSED, "");
    done();
}

static void without_a_rate(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(IRQ, .max = MS(5)), RULE(COUNTER, .max = {true, 1})};
    b = open_bench();
    AT(1, "irq_enter", 5, 1, 0);
    AT(6, "irq_exit", 5, 1, 0);
    AT(7, "counter", T, 1);
    run_check(rules, 2);
    expect_verdict(0, WF_CHECK_UNDECIDED, "the rate of the clock is not known (--rate)");
    expect_verdict(1, WF_CHECK_PASSED, "");
    done();
}

// The worst are kept, and all are counted.
static void many_failures(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(IRQ, .max = MS(1))};
    begin();
    for (unsigned i = 0; i < 50; ++i) {
        AT(100 * i + 10, "irq_enter", 5, 1, 0);
        AT(100 * i + 10 + (i * 7) % 50, "irq_exit", 5, 1, 0);
    }
    how.failures = 3;
    run_check(rules, 1);
    struct wf_check_result r = result_of(0);
    assert_int_equal(r.verdict, WF_CHECK_FAILED);
    assert_int_equal(r.failure_count, 48);
    assert_int_equal(r.kept, 3);
    for (unsigned i = 0; i < 3; ++i)
        assert_int_equal(r.failures[i].to - r.failures[i].from, 49 - i);
    done();
}

// A name may come after the first records of a task.
static void names_that_come_late(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(IRQ, .irq = "uart", .max = MS(4)),
                                          RULE(IRQ, .irq = "uart", .max = MS(5))};
    begin();
    AT(1, "irq_enter", 5, 1, 0);
    AT(6, "irq_exit", 5, 1, 0);
    put_frame(&b->stream, row_called("irq_dict")->id, "\5\0uart", 7);
    AT(11, "irq_enter", 5, 1, 0);
    AT(13, "irq_exit", 5, 1, 0);
    late_names = true;
    run_check(rules, 2);
    late_names = false;
    assert_int_equal(reports, 0);
    expect_verdict(0, WF_CHECK_FAILED, "irq of uart took 5 ms, 4 ms are allowed");
    expect_verdict(1, WF_CHECK_PASSED, "");
    done();
}

static void rules_that_cannot_be_used(void **unused) {
    (void)unused;
    static const char *const events[] = {"x", "y"}, *const wrong[] = {"x jumps"};
    const struct {
        struct wf_check_rule rule;
        const char *text;
    } of[] = {
        {RULE(IRQ, .max = MS(1), .task = "a"), "rule 1, irq: it has no key task"},
        {RULE(RESPONSE, .task = "a"), "rule 1, response: it needs a bound, as max"},
        {RULE(QUEUE, .p99 = {true, 1}), "rule 1, queue: it has no bound p99"},
        {RULE(DEADLINE, .min = MS(1)), "rule 1, deadline: it has no bound min"},
        {RULE(START, .max = MS(-1)), "rule 1, start: a bound that is not possible: max"},
        {RULE(PERIOD, .min = MS(2), .max = MS(1)), "rule 1, period: min is above max"},
        {RULE(PERIOD, .max = MS(2), .task = "a", .irq = "b"), "rule 1, period: it has one of"},
        {RULE(CPU, .max = {true, 5}, .window_s = -1), "rule 1, cpu: a window that is not possible"},
        {RULE(SPAN, .max = MS(2), .window_s = 1), "rule 1, span: it has no key window"},
        {RULE(NEVER, .task = NULL), "rule 1, never: it needs one event"},
        {RULE(NEVER, .events = wrong, .event_count = 1), "rule 1, never: 'jumps' is no event"},
        {RULE(AFTER, .events = events, .event_count = 1, .max = MS(1)),
         "rule 1, after: it needs expect"},
        {RULE(AFTER, .events = events, .event_count = 1, .expect = "y"),
         "rule 1, after: it needs a bound"},
        {RULE(ORDER, .events = events, .event_count = 1), "rule 1, order: it needs 2 to 64 events"},
        {RULE(STATE, .machine = "m"), "rule 1, state: it needs from"},
        {{.size = sizeof(struct wf_check_rule), .kind = WF_CHECK_KINDS}, "rule 1, ?: unknown"},
    };
    struct wf_error error;
    begin();
    for (unsigned i = 0; i < sizeof of / sizeof *of; ++i) {
        assert_null(wf_check_open(b->s, &of[i].rule, 1, NULL, &error));
        assert_int_equal(error.code, WF_ERR_USAGE);
        if (strncmp(error.text, of[i].text, strlen(of[i].text)) != 0)
            fail_msg("%s, expected %s", error.text, of[i].text);
    }
    struct wf_check_rule none = {.size = 0};
    assert_null(wf_check_open(b->s, &none, 1, NULL, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    close_bench(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs),
        cmocka_unit_test(jobs_and_a_hole),
        cmocka_unit_test(a_range_after_the_hole),
        cmocka_unit_test(percentiles_with_a_hole),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(objects),
        cmocka_unit_test(rests),
        cmocka_unit_test(loads),
        cmocka_unit_test(losses),
        cmocka_unit_test(a_loss_that_only_a_sync_shows),
        cmocka_unit_test(malformed_records),
        cmocka_unit_test(the_beginning_of_a_ring),
        cmocka_unit_test(without_a_rate),
        cmocka_unit_test(many_failures),
        cmocka_unit_test(names_that_come_late),
        cmocka_unit_test(rules_that_cannot_be_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
