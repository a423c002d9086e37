// SPDX-License-Identifier: MIT
// TraceRecorder's events, each by a stream that the test writes.

#include "wf_test_tracerecorder.h"

// ---- tasks

static void a_switch_has_the_reason_of_the_last_call(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0x37, 20, 0xB0, 2);
    EVENT(0x7A, 21, 5); // B sleeps
    EVENT(0x37, 22, 0xA0, 3);
    EVENT(0x66, 23, 0x100, 10, 0); // A waits
    EVENT(0x37, 24, 0xB0, 2);
    EVENT(0x60, 25, 0x100, 10, 0);
    EVENT(0x7B, 26, 0xB0);
    EVENT(0x37, 27, 0xA0, 3);
    EVENT(0x20, 28, 0xA0, 3);
    EVENT(0x37, 29, 0xC0, 0);
    read_all();
    SHOWS("A runs on core 0, the one before left");
    SHOWS("B runs on core 0, the one before was preempted");
    SHOWS("A runs on core 0, the one before sleeps");
    SHOWS("A waits for something in");
    SHOWS("B runs on core 0, the one before waits");
    SHOWS("A runs on core 0, the one before is suspended");
    SHOWS("A is deleted");
    SHOWS("0x000000C0 runs on core 0, the one before ended");
    assert_int_equal(ledger.missing, 0);
}

static void the_same_task_again_is_no_switch(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0x37, 20, 0xA0, 3);
    EVENT(0x37, 21, 0xA0, 3);
    read_all();
    assert_int_equal(ledger.by_id[WF_RECORD_task_switch], 1);
}

static void a_task_that_did_not_leave_after_it_began_to_wait_is_preempted(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0x66, 20, 0x100, 10, 0);
    EVENT(0x60, 21, 0x100, 10, 0);
    EVENT(0x37, 22, 0xB0, 2);
    read_all();
    SHOWS("B runs on core 0, the one before was preempted");
}

static void names_of_deleted_tasks_are_not_those_of_new_ones(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0x20, 20, 0xB0, 2);
    EVENT(0x10, 21, 0xB0, 4);
    EVENT(0x30, 22, 0xB0);
    TEXT_EVENT(0x03, 23, "C", 0xB0);
    EVENT(0x37, 24, 0xB0, 4);
    read_all();
    SHOWS("0x000000B0 is ready");
    SHOWS("C runs on core 0");
}

static void priorities_are_those_of_table_and_events(void **state) {
    (void)state;
    begin();
    head(1);
    entry(0xA0, 7, 0, 0, 0, "A");
    EVENT(0x01, 10, 2);
    EVENT(0x30, 11, 0xA0);
    EVENT(0x37, 12, 0xA0, 7);
    EVENT(0x05, 13, 0xA0, 9);
    EVENT(0x37, 14, 0xA0, 9);
    read_all();
    SHOWS("A has priority 7 now");
    SHOWS("A has priority 9 now");
    assert_int_equal(ledger.by_id[WF_RECORD_task_priority], 2);
}

// ---- interrupts

static void interrupts_nest_and_end_with_the_next_activation(void **state) {
    (void)state;
    begin_tasks();
    TEXT_EVENT(0x07, 16, "Uart", 0x50, 3);
    TEXT_EVENT(0x07, 17, "Dma", 0x60, 2);
    EVENT(0x33, 20, 0x50);
    EVENT(0x33, 21, 0x60);
    EVENT(0x34, 22, 0x50);
    EVENT(0x37, 23, 0xA0);
    EVENT(0x33, 24, 0x60);
    EVENT(0x37, 25, 0xB0, 2);
    read_all();
    SHOWS("interrupt 0 is Uart");
    SHOWS("interrupt Dma begins on core 0, depth 2");
    SHOWS("interrupt Dma ends on core 0, depth 2");
    SHOWS("interrupt Uart ends on core 0, depth 1");
    assert_int_equal(ledger.by_id[WF_RECORD_task_switch], 2);
    assert_int_equal(ledger.by_id[WF_RECORD_irq_enter], 6);
}

static void calls_from_interrupts_are_not_by_the_running_task(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0x5A, 20, 0x200, 1); // from an interrupt that is not recorded
    EVENT(0x59, 21, 0x100, 2);
    EVENT(0x5C, 22, 0x100, 2);
    EVENT(0xCD, 23, 0xB0);
    EVENT(0x50, 24, 0x100, 3);
    read_all();
    SHOWS("interrupt gives 0x00000200, count 1");
    SHOWS("interrupt sends to 0x00000100, 2 in it");
    SHOWS("interrupt finds 0x00000100 full");
    SHOWS("interrupt signals B");
    SHOWS("A sends to 0x00000100, 3 in it");
}

// ---- objects

static void a_failed_call_is_a_timeout_if_the_task_waited(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0x63, 20, 0x100, 0, 0);
    EVENT(0x66, 21, 0x100, 9, 0);
    EVENT(0x63, 22, 0x100, 9, 0);
    EVENT(0x53, 23, 0x100, 4);
    EVENT(0x68, 24, 0x300, 9);
    EVENT(0x65, 25, 0x300, 0);
    EVENT(0x65, 26, 0x300, 0);
    read_all();
    SHOWS("A finds 0x00000100 empty");
    SHOWS("A no longer waits for 0x00000100");
    SHOWS("A finds 0x00000100 full");
    SHOWS("A no longer waits for 0x00000300");
    SHOWS("A does not get 0x00000300");
}

static void a_new_mutex_is_given_once_by_the_kernel(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0x13, 20, 0x300, 0);
    EVENT(0x52, 21, 0x300);
    EVENT(0x62, 22, 0x300, 9);
    EVENT(0x52, 23, 0x300);
    read_all();
    SHOWS("A takes 0x00000300, depth 1");
    SHOWS("A gives 0x00000300, depth 0");
    assert_int_equal(ledger.by_id[WF_RECORD_mutex_take], 3); // create, take, give
}

static void the_depth_of_a_recursive_mutex_is_known_between_take_and_give(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0x17, 20, 0x300, 0);
    EVENT(0xC7, 21, 0x300); // a call
    EVENT(0x62, 22, 0x300, 9);
    EVENT(0xC7, 23, 0x300);
    EVENT(0xC5, 24, 0x300);
    EVENT(0xC5, 25, 0x300);
    EVENT(0x52, 26, 0x300);
    read_all();
    SHOWS("recursive mutex take");
    SHOWS("A takes 0x00000300, depth 1");
    SHOWS("A takes 0x00000300, depth 2");
    SHOWS("A gives 0x00000300, depth 1");
    SHOWS("A gives 0x00000300, depth 0");
}

static void objects_are_created_named_and_deleted(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0x11, 20, 0x100, 4);
    TEXT_EVENT(0x03, 21, "items", 0x100);
    EVENT(0x16, 22, 0x200, 2);
    EVENT(0x14, 23, 0x400, 7);
    EVENT(0xA0, 24, 0x400);
    EVENT(0xD2, 25, 0x400, 0x9000);
    EVENT(0xA2, 26, 0x400);
    EVENT(0x15, 27, 0x500, 0);
    EVENT(0xB7, 28, 0x500, 0x30);
    EVENT(0x21, 29, 0x100, 0);
    EVENT(0x22, 30, 0x200, 0);
    read_all();
    SHOWS("is created, room for 4");
    SHOWS("semaphore 0x00000200 is created, count 2");
    SHOWS("A starts 0x00000400, 7 ticks");
    SHOWS("0x00000400 expires");
    SHOWS("A stops 0x00000400");
    SHOWS("A waits for 00000030 of 0x00000500");
    SHOWS("items is deleted");
    SHOWS("0x00000200 is deleted");
}

static void notifications_are_signals_to_the_task(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0xCB, 20, 0xA0, 9);
    EVENT(0x37, 21, 0xB0, 2);
    EVENT(0xC9, 22, 0xA0);
    EVENT(0x37, 23, 0xA0, 3);
    EVENT(0xCA, 24, 0xA0, 9);
    read_all();
    SHOWS("A waits for A");
    SHOWS("B runs on core 0, the one before waits");
    SHOWS("B signals A, to wake 1");
    SHOWS("A is woken by A");
}

static void memory_is_of_the_heap_of_the_table(void **state) {
    (void)state;
    begin();
    head(1);
    entry(0x900, 0, 0, 4096, 0x80000000, "Heap");
    EVENT(0x01, 10, 2);
    EVENT(0x38, 11, 0x1000, 64);
    EVENT(0x38, 12, 0, 99);
    EVENT(0x39, 13, 0x1000, 64);
    read_all();
    SHOWS("is created, 4096 bytes or blocks");
    SHOWS("takes 64 bytes at 0x0000000000001000 from Heap");
    SHOWS("gets no 99 bytes from Heap");
    SHOWS("gives 64 bytes at 0x0000000000001000 back to Heap");
}

static void codes_without_a_sure_meaning_keep_their_words(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0xB4, 20, 0x500, 3);
    EVENT(0xC3, 21, 0x100, 3);
    EVENT(0x37, 22, 0xB0, 2); // the call may have begun a wait
    EVENT(0x155, 23, 0x1234, 5);
    EVENT(0x31, 24, 1);
    EVENT(0x31, 25, 2);
    EVENT(0x31, 26, 3);
    read_all();
    SHOWS("event group");
    SHOWS("code 0x000000B4 object 0x00000500 value 0x00000003");
    SHOWS("queue send to front");
    SHOWS("B runs on core 0, the one before left");
    SHOWS("event 0x155");
    SHOWS("object 0x00001234 value 0x00000005");
}

// ---- notes

static void a_user_event_is_a_message_of_its_channel(void **state) {
    (void)state;
    begin_tasks();
    TEXT_EVENT(0x03, 20, "50%", 0x700);
    TEXT_EVENT(0x91, 21, "hello", 0x700);
    TEXT_EVENT(0x94, 22, "%d of %u %%, %x", 0x700, (uint32_t)-3, 4000000000u, 0xAB);
    TEXT_EVENT(0x93, 23, "%s %*d", 0x701, 0x1000, 5);
    TEXT_EVENT(0x92, 24, "more", 0x701, 7);
    TEXT_EVENT(0x93, 25, "100%", 0x701, 1, 2);
    EVENT(0x99, 26, 0x710, 0x720, 8);
    read_all();
    SHOWS("50%: hello");
    SHOWS("50%: -3 of 4000000000 %, ab");
    SHOWS("0x00001000");
    SHOWS("more");
    SHOWS("channel 0x00000710 format 0x00000720 arg1 8");
}

static void counters_have_names_and_limits(void **state) {
    (void)state;
    begin_tasks();
    TEXT_EVENT(0x03, 20, "speed", 0x700);
    EVENT(0xF3, 21, 0x700, 1, (uint32_t)-10, 90);
    EVENT(0xF4, 22, 0x700, (uint32_t)-7);
    EVENT(0xF5, 23, 0x700);
    read_all();
    SHOWS("counter speed value 1 low -10 high 90");
    SHOWS("speed is -7");
    SHOWS("counter limit exceeded");
    SHOWS("counter speed low -10 high 90");
}

static void state_machines_intervals_and_runnables_have_names(void **state) {
    (void)state;
    begin_tasks();
    TEXT_EVENT(0x03, 20, "load", 0x700);
    EVENT(0xED, 21, 0x700, 0);
    TEXT_EVENT(0x03, 22, "light", 0x710);
    EVENT(0xEC, 23, 0x710, 0x700);
    EVENT(0xEE, 24, 0x700, 0x710);
    EVENT(0xEE, 25, 0x700, 0x720);
    TEXT_EVENT(0x03, 26, "step", 0x730);
    EVENT(0xEF, 27, 0x730, 0x740);
    EVENT(0xF0, 28, 0x730, 1, 5);
    EVENT(0xF7, 29, 0x730, 1);
    TEXT_EVENT(0x03, 30, "job", 0x750);
    EVENT(0xF9, 31, 0x750);
    EVENT(0xFA, 32, 0x750);
    EVENT(0xFB, 33, 0x750);
    read_all();
    SHOWS("load is set up, in light");
    SHOWS("load is set up, in 0x00000720");
    SHOWS("A begins step");
    SHOWS("A ends step");
    SHOWS("A begins job");
    SHOWS("A ends job");
}

static void unused_stack_is_in_words(void **state) {
    (void)state;
    begin_tasks();
    EVENT(0xEB, 20, 0xA0, 25);
    read_all();
    SHOWS("100 of ? bytes of the stack of A were never used");
}

// ---- other platforms

static void bare_metal_has_codes_of_its_own(void **state) {
    (void)state;
    begin();
    how.platform = BARE;
    how.word = 8;
    head(1);
    entry(0x555500000010, 1, 0, 0, 0, "main");
    EVENT(0x01, 10, 0x555500000010);
    TEXT_EVENT(0x05, 11, "irq", 0x20, 3);
    TEXT_EVENT(0x03, 12, "n", 0x30);
    EVENT(0x49, 13, 0x30, 0, (uint64_t)-5, 5);
    EVENT(0x21, 14, 0x20);
    EVENT(0x25, 15, 0x555500000010);
    EVENT(0x4A, 16, 0x30, (uint64_t)-4);
    EVENT(0x4A, 17, 0x30, UINT64_C(10000000000));
    TEXT_EVENT(0x53, 18, "%d and %ld", 0x40, 0x1FFFFFFFF, (uint64_t)-5000000000);
    read_all();
    SHOWS("main runs on core 0");
    SHOWS("interrupt irq begins on core 0, depth 1");
    SHOWS("interrupt irq ends on core 0, depth 1");
    SHOWS("n is -4");
    SHOWS("counter n value 10000000000");
    SHOWS("-1 and -5000000000");
}

static void zephyr_and_threadx_have_the_common_codes(void **state) {
    (void)state;
    begin();
    how.platform = ZEPHYR;
    head(0);
    TEXT_EVENT(0x03, 10, "A", 0xA0);
    EVENT(0x37, 11, 0xA0, 3);
    EVENT(0x52, 12, 0x10, 0x20); // another meaning than on FreeRTOS
    EVENT(0x37, 13, 0xB0, 3);
    EVENT(0x17A, 14, 0x30, 9);
    EVENT(0x31, 15, 0x30);
    read_all();
    SHOWS("A runs on core 0, the one before left");
    SHOWS("event 0x052");
    SHOWS("0x000000B0 runs on core 0, the one before left");
    SHOWS("0x00000030 is 9");
    begin();
    how.platform = THREADX;
    head(0);
    TEXT_EVENT(0x03, 10, "A", 0xA0);
    EVENT(0xFB0, 11, 0xA0, 3);
    EVENT(0xFAA, 12, 0x20);
    EVENT(0xFB0, 13, 0xA0);
    TEXT_EVENT(0xFBF, 14, "hi", 0x30);
    EVENT(0xFC6, 15, 0x30, 0x40);
    read_all();
    SHOWS("A runs on core 0");
    SHOWS("interrupt 0x00000020 ends on core 0");
    SHOWS("hi");
    SHOWS("channel 0x00000030 format 0x00000040");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_switch_has_the_reason_of_the_last_call),
        cmocka_unit_test(the_same_task_again_is_no_switch),
        cmocka_unit_test(a_task_that_did_not_leave_after_it_began_to_wait_is_preempted),
        cmocka_unit_test(names_of_deleted_tasks_are_not_those_of_new_ones),
        cmocka_unit_test(priorities_are_those_of_table_and_events),
        cmocka_unit_test(interrupts_nest_and_end_with_the_next_activation),
        cmocka_unit_test(calls_from_interrupts_are_not_by_the_running_task),
        cmocka_unit_test(a_failed_call_is_a_timeout_if_the_task_waited),
        cmocka_unit_test(a_new_mutex_is_given_once_by_the_kernel),
        cmocka_unit_test(the_depth_of_a_recursive_mutex_is_known_between_take_and_give),
        cmocka_unit_test(objects_are_created_named_and_deleted),
        cmocka_unit_test(notifications_are_signals_to_the_task),
        cmocka_unit_test(memory_is_of_the_heap_of_the_table),
        cmocka_unit_test(codes_without_a_sure_meaning_keep_their_words),
        cmocka_unit_test(a_user_event_is_a_message_of_its_channel),
        cmocka_unit_test(counters_have_names_and_limits),
        cmocka_unit_test(state_machines_intervals_and_runnables_have_names),
        cmocka_unit_test(unused_stack_is_in_words),
        cmocka_unit_test(bare_metal_has_codes_of_its_own),
        cmocka_unit_test(zephyr_and_threadx_have_the_common_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
