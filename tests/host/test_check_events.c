// SPDX-License-Identifier: MIT
// Rules of events and orders: each passes, fails and cannot be decided; and the phrases.

#include "wf_test_check.h"

enum { M = 0x100, T = 0x300, TEXT = 0x500, S = 0x600, ONE = 0x1000, TWO = 0x2000, END = 0x3000 };

static const char *const *one(const char *text) {
    static const char *texts[64];
    static unsigned next;
    texts[next % 64] = text;
    return &texts[next++ % 64];
}
#define NEVER(text) RULE(NEVER, .events = one(text), .event_count = 1)
#define AFTER(text, then, ms)                                                                      \
    RULE(AFTER, .events = one(text), .event_count = 1, .expect = (then), .max = MS(ms))

// ---- phrases

static void phrases(void **unused) {
    (void)unused;
    static const char *const good[] = {"uart_rx",
                                       "'my task' runs",
                                       "\"a b\" stops",
                                       " a  ready ",
                                       "a blocks",
                                       "a delays",
                                       "a ends",
                                       "a created",
                                       "20 begins",
                                       "a takes 'lock 1'",
                                       "a gives *",
                                       "a waits q",
                                       "m enters idle",
                                       "record PHILO_STAT",
                                       "log 'battery low*'",
                                       "'record' runs",
                                       "record"};
    static const struct {
        const char *text, *why;
    } bad[] = {{"", "an event without a name"},
               {"  ", "an event without a name"},
               {"'' runs", "an empty name"},
               {"'a runs", "an event has a quote without end"},
               {"a jumps", "'jumps' is no event of one name: runs, stops, ready"},
               {"a 'runs'", "'runs' is no event of one name"},
               {"a runs b", "'runs' is no event of two names: takes, gives, waits, enters"},
               {"a takes", "'takes' is no event of one name"},
               {"a takes b c", "an event has at most three words"}};
    struct wf_error error;
    for (unsigned i = 0; i < sizeof good / sizeof *good; ++i) {
        if (!wf_check_event(good[i], &error)) fail_msg("%s: %s", good[i], error.text);
    }
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_false(wf_check_event(bad[i].text, &error));
        assert_int_equal(error.code, WF_ERR_USAGE);
        if (strncmp(error.text, bad[i].why, strlen(bad[i].why)) != 0)
            fail_msg("%s: %s", bad[i].text, error.text);
    }
    assert_false(wf_check_event(NULL, &error));
    char longest[200];
    memset(longest, 'x', sizeof longest);
    longest[127] = 0;
    assert_true(wf_check_event(longest, &error));
    longest[127] = 'x';
    longest[128] = 0;
    assert_false(wf_check_event(longest, &error));
}

// ---- occurrences

static void put_log(const char *text) {
    uint8_t payload[64] = {0};
    size_t len = strlen(text) + 1;
    payload[0] = (uint8_t)b->clock++;
    payload[4] = WF_ELEMENT_str;
    memcpy(payload + 5, text, len);
    put_frame(&b->stream, row_called("log")->id, payload, 5 + len);
}

// One of each event.
static void put_all(bool hole) {
    create(1, A, "my task", 1);
    AT(2, "task_switch", 0, LEFT, 0);
    AT(3, "task_ready", A, 0);
    AT(4, "task_switch", A, PREEMPTED, 0);
    AT(5, "mutex_create", M);
    put_name(&b->stream, M, "lock");
    AT(6, "mutex_take", M, A, 1);
    AT(7, "mutex_give", M, A, 0);
    AT(8, "irq_enter", 20, 1, 0);
    AT(9, "irq_exit", 20, 1, 0);
    put_name(&b->stream, TEXT, "parse");
    AT(10, "span_begin", A, TEXT);
    AT(11, "span_end", A, TEXT);
    AT(12, "timer_create", T, 5);
    put_name(&b->stream, T, "tick");
    AT(13, "timer_expire", T);
    b->clock = 14;
    put_log("battery low: 3 V");
    AT(15, "counter", TEXT, 5);
    AT(16, "mutex_wait", M, A);
    AT(16, "task_switch", 0, BLOCKED, 0);
    AT(17, "mutex_timeout", M, A);
    AT(17, "task_ready", A, 0);
    AT(18, "task_switch", A, PREEMPTED, 0);
    if (hole) lose_records(b, 1);
    AT(19, "counter", TEXT, 6);
}

static void every_event(void **unused) {
    (void)unused;
    static const char *const events[] = {"'my task' created",
                                         "'my task' ready",
                                         "'my *' runs",
                                         "'my task' stops",
                                         "'my task' blocks",
                                         "'my task' takes lock",
                                         "* gives lock",
                                         "'my task' waits lock",
                                         "20 begins",
                                         "20 ends",
                                         "parse begins",
                                         "parse ends",
                                         "tick",
                                         "20",
                                         "parse",
                                         "log battery*",
                                         "battery*",
                                         "record counter",
                                         "timer_expire"};
    static const unsigned times[] = {1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1};
    enum { ALL = sizeof events / sizeof *events };
    struct wf_check_rule rules[ALL];
    for (unsigned i = 0; i < ALL; ++i) rules[i] = NEVER(events[i]);
    begin();
    put_all(false);
    run_check(rules, ALL);
    for (unsigned i = 0; i < ALL; ++i) {
        struct wf_check_result r = result_of(i);
        if (r.verdict != WF_CHECK_FAILED || r.failure_count != times[i])
            fail_msg("%s: %lu times", events[i], (unsigned long)r.failure_count);
    }
    expect_verdict(2, WF_CHECK_FAILED, "2 failures; ''my *' runs' occurred");
    done();
}

static void never(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {NEVER("'my task' delays"), NEVER("21"), NEVER("20"),
                                          NEVER("log battery"), NEVER("nothing")};
    for (unsigned hole = 0; hole < 2; ++hole) {
        enum wf_check_verdict good = hole ? WF_CHECK_UNDECIDED : WF_CHECK_PASSED;
        begin();
        put_all(hole);
        run_check(rules, 5);
        for (unsigned i = 0; i < 5; ++i) expect_verdict(i, i == 2 ? WF_CHECK_FAILED : good, "");
        if (!hole) expect_verdict(0, WF_CHECK_PASSED, "''my task' delays' did not occur");
        done();
    }
}

// ---- after

static void put_pairs(unsigned hole) {
    for (unsigned i = 0; i < 4; ++i) {
        AT(100 * i + 10, "irq_enter", 5, 1, 0);
        AT(100 * i + 11, "irq_exit", 5, 1, 0);
        if (hole == i + 1) lose_records(b, 1);
        AT(100 * i + 12 + i, "irq_enter", 6, 1, 0);
        AT(100 * i + 16, "irq_exit", 6, 1, 0);
    }
    AT(405, "irq_enter", 5, 1, 0);
    AT(406, "irq_exit", 5, 1, 0);
    AT(408, "counter", TEXT, 6);
}

static void after(void **unused) {
    (void)unused;
    // 2, 3, 4, 5 ms; the last one is open after 3 ms.
    const struct wf_check_rule rules[] = {AFTER("5", "6", 5),        AFTER("5", "6", 4),
                                          AFTER("5", "'6' ends", 6), AFTER("5", "7", 5),
                                          AFTER("8", "6", 5),        AFTER("5", "6", 2)};
    begin();
    put_pairs(0);
    run_check(rules, 6);
    expect_verdict(0, WF_CHECK_PASSED, "max of 5 is 5 ms, 5 ms are allowed");
    expect_verdict(1, WF_CHECK_FAILED, "'6' did not come within 4 ms after '5', but after 5 ms");
    expect_verdict(2, WF_CHECK_PASSED, "");
    expect_verdict(3, WF_CHECK_UNDECIDED, "no event '7' in the trace; there is 5, 6");
    expect_verdict(4, WF_CHECK_UNDECIDED, "no event '8' in the trace");
    expect_verdict(5, WF_CHECK_FAILED, "4 failures");
    assert_int_equal(result_of(1).failures[0].from, 310);
    assert_int_equal(result_of(1).failures[0].to, 315);
    done();
    // Whatever the hole hides is followed in time: by the interrupt 6, at most 2 ms after its
    // begin.
    begin();
    put_pairs(1);
    run_check(rules, 3);
    expect_verdict(0, WF_CHECK_PASSED, "");
    expect_verdict(1, WF_CHECK_FAILED, "");
    done();
}

// What never comes is reported when it is late, as the trace has something with its name.
static void after_that_never_comes(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {AFTER("5", "high runs", 2), AFTER("5", "high blocks", 2),
                                          AFTER("5", "nobody runs", 2)};
    begin();
    create(1, 0x30, "high", 3);
    for (unsigned i = 0; i < 4; ++i) {
        AT(10 + 10 * i, "irq_enter", 5, 1, 0);
        AT(11 + 10 * i, "irq_exit", 5, 1, 0);
    }
    run_check(rules, 3);
    for (unsigned i = 0; i < 2; ++i) {
        expect_verdict(i, WF_CHECK_FAILED, "3 failures");
        assert_non_null(report_of(i, 10));
        assert_non_null(report_of(i, 30));
    }
    expect_verdict(2, WF_CHECK_UNDECIDED, "no event 'nobody runs' in the trace");
    done();
}

static void after_a_hole(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {AFTER("5", "6", 5), AFTER("5", "6", 60),
                                          AFTER("5", "6", 39)};
    for (unsigned followed = 0; followed < 2; ++followed) {
        begin();
        AT(1, "irq_enter", 6, 1, 0);
        AT(2, "irq_exit", 6, 1, 0);
        AT(10, "irq_enter", 5, 1, 0);
        AT(11, "irq_exit", 5, 1, 0);
        if (followed) AT(12, "irq_enter", 6, 1, 0);
        if (followed) AT(13, "irq_exit", 6, 1, 0);
        lose_records(b, 1);
        AT(50, "irq_enter", 6, 1, 0);
        AT(51, "irq_exit", 6, 1, 0);
        AT(200, "counter", TEXT, 6);
        run_check(rules, 3);
        expect_verdict(0, WF_CHECK_UNDECIDED, "1 hole");
        expect_verdict(1, WF_CHECK_PASSED, "");
        // What the hole hides may have begun at 11, or at 13.
        expect_verdict(2, followed ? WF_CHECK_PASSED : WF_CHECK_UNDECIDED, "");
        done();
    }
}

// ---- order

static void put_steps(const char *steps) {
    for (unsigned i = 0; steps[i]; ++i) {
        if (steps[i] == '-') {
            lose_records(b, 1);
            continue;
        }
        AT(10 * i + 1, "irq_enter", (uint64_t)steps[i], 1, 0);
        AT(10 * i + 2, "irq_exit", (uint64_t)steps[i], 1, 0);
    }
    AT(1000, "counter", TEXT, 6);
}

static void order(void **unused) {
    (void)unused;
    static const char *const three[] = {"97", "98", "99"}, *const again[] = {"97", "98", "97",
                                                                             "99"};
    static const struct {
        const char *steps;
        enum wf_check_verdict three, again;
        const char *text;
    } of[] = {{"abcabc", WF_CHECK_PASSED, WF_CHECK_FAILED, "6, all as required"},
              {"bcab", WF_CHECK_PASSED, WF_CHECK_FAILED, ""},
              {"abacabac", WF_CHECK_FAILED, WF_CHECK_PASSED, "'97' came, where '99' is next"},
              {"acab", WF_CHECK_FAILED, WF_CHECK_PASSED, "'99' came, where '98' is next"},
              {"abc-abc", WF_CHECK_UNDECIDED, WF_CHECK_FAILED, "1 hole"},
              {"abc-cab", WF_CHECK_UNDECIDED, WF_CHECK_FAILED, "1 hole"},
              {"aab", WF_CHECK_UNDECIDED, WF_CHECK_UNDECIDED, "no event '99' in the trace"}};
    const struct wf_check_rule rules[] = {RULE(ORDER, .events = three, .event_count = 3),
                                          RULE(ORDER, .events = again, .event_count = 4)};
    for (unsigned i = 0; i < sizeof of / sizeof *of; ++i) {
        begin();
        put_steps(of[i].steps);
        late_names = true; // an event that has not occurred yet has no name
        run_check(rules, 2);
        late_names = false;
        if (i == 2) assert_string_equal(report_of(0, UINT64_MAX), "'99' came, where '98' is next");
        expect_verdict(0, of[i].three, of[i].text);
        expect_verdict(1, of[i].again, "");
        done();
    }
}

// ---- states

static void put_function(uint32_t key, const char *name) {
    uint8_t p[64] = {(uint8_t)key, (uint8_t)(key >> 8), (uint8_t)(key >> 16)};
    memcpy(p + 4, name, strlen(name) + 1);
    put_frame(&b->stream, row_called("fun_dict")->id, p, 4 + strlen(name) + 1);
}

static void put_machine(bool hole) {
    put_name(&b->stream, S, "machine");
    put_function(ONE, "one");
    put_function(TWO, "two");
    put_function(END, "end");
    AT(1, "init_tran", S, ONE);
    AT(10, "dispatch", 5, S, ONE);
    AT(13, "tran", 5, S, ONE, TWO);
    if (hole) lose_records(b, 1);
    AT(20, "dispatch", 5, S, TWO);
    AT(21, "tran", 5, S, TWO, END);
}

static void states(void **unused) {
    (void)unused;
    static const char *const two[] = {"two"}, *const other[] = {"one", "end"};
    const struct wf_check_rule rules[] = {
        RULE(STATE, .machine = "machine", .from = "one", .to = "end"),
        RULE(STATE, .from = "one", .to = "two"),
        RULE(STATE, .from = "one", .only = two, .only_count = 1),
        RULE(STATE, .machine = "*", .from = "one", .only = other, .only_count = 2),
        RULE(STATE, .machine = "m", .from = "one", .to = "end"),
        RULE(STATE, .from = "won", .to = "two"),
        NEVER("machine enters two"),
        NEVER("machine enters one"),
        RULE(STEP, .machine = "machine", .max = MS(3)),
        RULE(STEP, .max = MS(2))};
    for (unsigned hole = 0; hole < 2; ++hole) {
        enum wf_check_verdict good = hole ? WF_CHECK_UNDECIDED : WF_CHECK_PASSED;
        begin();
        put_machine(hole);
        run_check(rules, 10);
        expect_verdict(0, good, "");
        expect_verdict(1, WF_CHECK_FAILED, "machine went from one to two");
        expect_verdict(2, good, "");
        expect_verdict(3, WF_CHECK_FAILED, "machine went from one to two");
        expect_verdict(4, WF_CHECK_UNDECIDED, "no name 'm' in the trace; there is machine");
        expect_verdict(5, WF_CHECK_UNDECIDED, "no state 'won' in the trace; there is one, two");
        expect_verdict(6, WF_CHECK_FAILED, "");
        expect_verdict(7, WF_CHECK_FAILED, "");
        expect_verdict(8, good, hole ? "" : "max of 2 is 3 ms");
        expect_verdict(9, WF_CHECK_FAILED, "step of machine took 3 ms, 2 ms are allowed");
        done();
    }
}

// ---- inversions

// a waits for the lock of b from 15 to 30; c, whose priority is between theirs, runs if `inverts`.
static void put_inversion(bool inverts, bool hole) {
    create(1, A, "a", 9);
    create(1, B, "b", 1);
    create(1, C, "c", inverts ? 5 : 0);
    AT(2, "mutex_create", M);
    put_name(&b->stream, M, "lock");
    AT(3, "task_ready", B, 0);
    AT(4, "task_switch", B, LEFT, 0);
    AT(5, "mutex_take", M, B, 1);
    AT(10, "task_ready", A, 0);
    AT(11, "task_switch", A, PREEMPTED, 0);
    AT(15, "mutex_wait", M, A);
    AT(15, "task_ready", C, 0);
    AT(16, "task_switch", C, BLOCKED, 0);
    AT(25, "task_switch", B, DELAYED, 0);
    AT(30, "mutex_give", M, B, 0);
    AT(30, "mutex_take", M, A, 1);
    AT(30, "task_ready", A, 0);
    AT(31, "task_switch", A, PREEMPTED, 0);
    if (hole) lose_records(b, 1);
    AT(40, "counter", TEXT, 6);
}

static void inversions(void **unused) {
    (void)unused;
    const struct wf_check_rule rules[] = {RULE(NO_INVERSION, .task = NULL),
                                          RULE(NO_INVERSION, .task = "c"),
                                          RULE(NO_INVERSION, .object = "loch")};
    for (unsigned i = 0; i < 4; ++i) {
        bool inverts = i & 1, hole = i & 2;
        begin();
        put_inversion(inverts, hole);
        how.priorities = WF_PRIORITIES_HIGH;
        run_check(rules, 3);
        expect_verdict(0,
                       inverts ? WF_CHECK_FAILED
                       : hole  ? WF_CHECK_UNDECIDED
                               : WF_CHECK_PASSED,
                       inverts ? "a, lock by b: a task of a priority in between ran" : "");
        expect_verdict(1, WF_CHECK_UNDECIDED, hole ? "hole" : "nothing was measured");
        done();
    }
    begin();
    put_inversion(true, false);
    how.priorities = WF_PRIORITIES_LOW; // then a is the least urgent one
    run_check(rules, 1);
    expect_verdict(0, WF_CHECK_PASSED, "");
    done();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(phrases),
                                       cmocka_unit_test(every_event),
                                       cmocka_unit_test(never),
                                       cmocka_unit_test(after),
                                       cmocka_unit_test(after_that_never_comes),
                                       cmocka_unit_test(after_a_hole),
                                       cmocka_unit_test(order),
                                       cmocka_unit_test(states),
                                       cmocka_unit_test(inversions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
