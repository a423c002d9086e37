// SPDX-License-Identifier: MIT
// The model, record by record: what each makes known, what cannot be, and what a hole takes away.

#include "wf_test_model.h"

enum { A = 0xA0, B = 0xB0, C = 0xC0, M = 0x100, N = 0x200, S = 0x300, Q = 0x400 };
enum { LEFT, PREEMPTED, YIELDED, SLICED, BLOCKED, DELAYED, SUSPENDED, ENDED };

// A runs on core 0; B is there and ready.
static struct bench *two_tasks(void) {
    struct bench *b = open_bench();
    PUT(b, "task_create", A, 1);
    put_name(&b->stream, A, "a");
    PUT(b, "task_create", B, 2);
    put_name(&b->stream, B, "b");
    PUT(b, "task_ready", A, 0);
    PUT(b, "task_ready", B, 0);
    PUT(b, "task_switch", A, LEFT, 0);
    b->quiet = true;
    run(b);
    b->quiet = false;
    b->clock = 10;
    return b;
}

static void starts(void **state) {
    (void)state;
    struct bench *b = open_bench();
    PUT(b, "task_create", A, 0xFFFF);
    put_name(&b->stream, A, "a");
    PUT(b, "task_ready", A, 0);
    PUT(b, "task_switch", A, LEFT, 0);
    changes(b, "1 create 0x000000A0\n"
               "2 task a unknown>ready\n"
               "2 wake a by -\n"
               "3 task a ready>running since 2\n");
    assert_int_equal(task(b, A)->prio, -1);
    assert_ptr_equal(wf_model_core(b->m, 0)->task, task(b, A));
    close_bench(b);
}

static void switches(void **state) {
    (void)state;
    struct bench *b = two_tasks();
    PUT(b, "task_switch", B, PREEMPTED, 0);
    changes(b, "10 task a running>ready c0 preempted since 5\n"
               "10 task b ready>running since 4\n");
    PUT(b, "mutex_wait", M, B);
    PUT(b, "task_switch", A, BLOCKED, 0);
    changes(b, "11 wait b 0x00000100\n"
               "12 task b running>blocked c0 blocked since 10\n"
               "12 task a ready>running since 10\n");
    PUT(b, "task_ready", B, 0);
    PUT(b, "task_switch", B, DELAYED, 0);
    PUT(b, "mutex_take", M, B, 1);
    changes(b, "13 task b blocked>ready since 12\n"
               "13 wake b by -\n"
               "14 task a running>delayed c0 delayed since 12\n"
               "14 task b ready>running since 13\n"
               "15 wait-end b 0x00000100 + since 11\n"
               "15 hold b 0x00000100 since 15\n");
    PUT(b, "task_switch", 0, SUSPENDED, 0);
    changes(b, "16 task b running>suspended c0 suspended since 14\n");
    assert_null(wf_model_core(b->m, 0)->task);
    assert_true(wf_model_core(b->m, 0)->known);
    close_bench(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(starts), cmocka_unit_test(switches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
