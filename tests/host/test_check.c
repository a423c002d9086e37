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
    expect_verdict(0, WF_CHECK_PASSED, "max is 35 ms of 3, 35 ms are allowed");
    expect_verdict(1, WF_CHECK_FAILED, "response of a took 35 ms, 34.9 ms are allowed");
    expect_verdict(2, WF_CHECK_FAILED, "response of b took");
    expect_verdict(3, WF_CHECK_FAILED, "execution of a took 30 ms");
    expect_verdict(4, WF_CHECK_PASSED, "max is 5 ms");
    expect_verdict(5, WF_CHECK_FAILED, "start of a took 5 ms, 4 ms are allowed");
    expect_verdict(6, WF_CHECK_PASSED, "min is 100 ms of 2");
    expect_verdict(7, WF_CHECK_FAILED, "at least 100.5 ms are required");
    expect_verdict(8, WF_CHECK_PASSED, "max is 20 ms");
    expect_verdict(9, WF_CHECK_FAILED, "jitter of a took 20 ms");
    expect_verdict(10, WF_CHECK_UNDECIDED, "no name 'c' in the trace; there is a, b");
    expect_verdict(11, WF_CHECK_UNDECIDED, "nothing was measured");
    expect_verdict(12, WF_CHECK_PASSED, "mean is 23.3333 ms");
    expect_verdict(13, WF_CHECK_FAILED, "");
    expect_verdict(14, WF_CHECK_PASSED, "p50 is 20 ms");
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(jobs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
