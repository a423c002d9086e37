// SPDX-License-Identifier: MIT
// The model on interrupts whose enters and exits do not pair.

#include "wf_test_model.h"

// Counts the changes of this kind and `got`.
static unsigned counted(struct bench *b, enum wf_change_kind kind, bool got) {
    struct wf_item item;
    struct wf_change c;
    unsigned n = 0;
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    b->stream.len = 0;
    while (wf_session_next(b->s, &item)) {
        wf_model_take(b->m, &item);
        while (wf_model_next(b->m, &c)) n += c.kind == kind && c.got == got ? (unsigned)c.value : 0;
        assert_true(wf_model_core(b->m, 0)->irqs <= WF_IRQ_DEPTH);
    }
    return n;
}

// A handler that records its exit twice; the target counts the depth in a byte.
static void exits_are_recorded_twice(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    uint8_t nest = 0;
    b->quiet = true;
    for (unsigned i = 0; i < 1000; ++i) {
        ++nest;
        PUT(b, "irq_enter", 15, nest, 0);
        PUT(b, "irq_exit", 15, nest, 0);
        --nest;
        PUT(b, "irq_exit", 15, nest, 0);
        --nest;
        assert_int_equal(counted(b, WF_CHANGE_UNPAIRED, false), 1);
        assert_int_equal(wf_model_core(b->m, 0)->irqs, 0);
        assert_true(wf_model_core(b->m, 0)->irqs_known);
    }
    close_bench(b);
}

// The same when reading starts later, and with a depth that stays at zero.
static void a_late_reader_sees_it_too(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    b->quiet = true;
    PUT(b, "irq_enter", 15, 200, 0);
    PUT(b, "irq_exit", 15, 200, 0);
    PUT(b, "irq_exit", 15, 199, 0);
    assert_int_equal(counted(b, WF_CHANGE_UNPAIRED, false), 1);
    PUT(b, "irq_enter", 15, 1, 0);
    PUT(b, "irq_exit", 15, 1, 0);
    PUT(b, "irq_exit", 15, 0, 0);
    assert_int_equal(counted(b, WF_CHANGE_UNPAIRED, false), 1);
    assert_int_equal(wf_model_core(b->m, 0)->irqs, 0);
    close_bench(b);
}

static void exits_are_missing(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    // The recorded depth shows that the first one has ended.
    PUT(b, "irq_enter", 15, 1, 0);
    PUT(b, "irq_enter", 15, 1, 0);
    PUT(b, "irq_exit", 15, 1, 0);
    changes(b, "10 irq c0 15\n"
               "11 irq-end c0 15 since 10 cut\n"
               "11 unpaired c0 15 enter 1 since 10\n"
               "11 irq c0 15\n"
               "12 irq-end c0 15 since 11\n");
    // The depth grows with each; but tasks have blocked in between.
    PUT(b, "irq_enter", 15, 1, 0);
    PUT(b, "task_switch", B, BLOCKED, 0);
    PUT(b, "task_switch", A, BLOCKED, 0);
    b->quiet = true;
    run(b);
    b->quiet = false;
    assert_true(wf_model_core(b->m, 0)->irqs_doubtful);
    PUT(b, "irq_enter", 15, 2, 0);
    changes(b, "16 irq-end c0 15 since 13 cut\n"
               "16 unpaired c0 15 enter 1 since 13\n"
               "16 irq c0 15\n");
    PUT(b, "irq_exit", 15, 2, 0);
    changes(b, "17 irq-end c0 15 since 16\n");
    assert_int_equal(wf_model_core(b->m, 0)->irqs, 0);
    assert_false(wf_model_core(b->m, 0)->irqs_doubtful);
    close_bench(b);
}

static void nesting_is_no_fault(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    b->quiet = true;
    for (unsigned core = 0; core < 2; ++core) { // also an interrupt nested in itself, on two cores
        for (unsigned i = 1; i <= 16; ++i) PUT(b, "irq_enter", 5 + i / 2, i, core);
        for (unsigned i = 16; i >= 1; --i) PUT(b, "irq_exit", 5 + i / 2, i, core);
    }
    // An interrupt makes the switch, away from a task that blocks.
    PUT(b, "irq_enter", 14, 1, 0);
    PUT(b, "task_switch", B, BLOCKED, 0);
    PUT(b, "irq_enter", 15, 2, 0);
    PUT(b, "irq_exit", 15, 2, 0);
    PUT(b, "irq_exit", 14, 1, 0);
    // The exit is lost.
    PUT(b, "irq_enter", 15, 1, 0);
    run(b);
    lose_records(b, 1);
    PUT(b, "irq_enter", 15, 1, 0);
    PUT(b, "irq_exit", 15, 1, 0);
    run(b);
    lose_records(b, 1);
    PUT(b, "irq_exit", 15, 2, 0);
    PUT(b, "irq_exit", 14, 1, 0);
    assert_int_equal(counted(b, WF_CHANGE_UNPAIRED, false) + counted(b, WF_CHANGE_UNPAIRED, true),
                     0);
    assert_int_equal(wf_model_core(b->m, 0)->irqs, 0);
    close_bench(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exits_are_recorded_twice),
        cmocka_unit_test(a_late_reader_sees_it_too),
        cmocka_unit_test(exits_are_missing),
        cmocka_unit_test(nesting_is_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
