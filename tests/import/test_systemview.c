// SPDX-License-Identifier: MIT
// SystemView's packets, each by a stream that the test writes.

#include "wf_test_sysview.h"

// ---- tasks

static void ids_are_restored_to_addresses(void **state) {
    (void)state;
    begin();
    start(10, 0x20000000, 2, NULL);
    EVENT(8, 1, 0x40);
    EVENT(8, 1, 0xF0000000 >> 2); // below RAM, modulo 2^32
    read_all();
    SHOWS("0x20000100 is created");
    SHOWS("0x10000000 is created");
    assert_int_equal(target.hz, 1000000);
}

static void tasks_have_names_and_priorities(void **state) {
    (void)state;
    begin_tasks("O=embOS");
    TEXT_EVENT(9, 1, "B", B, 2); // sent again
    TEXT_EVENT(9, 1, "B", B, 4);
    EVENT(29, 1, B);
    read_all();
    SHOWS("A has priority 3 now");
    SHOWS("B has priority 2 now");
    SHOWS("B has priority 4 now");
    SHOWS("A runs on core 0");
    SHOWS("B is deleted");
    assert_int_equal(count_of("B has priority 2 now"), 1);
}

static void the_same_task_again_is_no_switch(void **state) {
    (void)state;
    begin_tasks(NULL);
    EVENT(4, 1, A);
    EVENT0(17, 1);
    EVENT0(17, 1);
    read_all();
    assert_int_equal(ledger.by_id[WF_RECORD_task_switch], 2);
}

static void causes_of_other_systems_are_shown_as_numbers(void **state) {
    (void)state;
    begin_tasks("O=embOS");
    EVENT(7, 1, A, 9);
    EVENT(4, 1, B);
    EVENT(6, 1, A);
    EVENT(4, 1, A); // B has been preempted, or waits: not recorded
    read_all();
    SHOWS("task A cause 9");
    SHOWS("B runs on core 0, the one before waits");
    SHOWS("A runs on core 0, the one before left");
}

static void causes_have_names_by_the_users_file(void **state) {
    (void)state;
    begin_tasks("O=embOS");
    describe = "TaskState 0xFF 0=Ready, 9=Waiting for mail, 10=x\n";
    EVENT(7, 1, A, 0x109);
    read_all();
    SHOWS("task A cause Waiting for mail");
}

static void causes_of_freertos_have_a_meaning(void **state) {
    (void)state;
    begin_tasks("N=a,O=FreeRTOS");
    EVENT(7, 1, A, 27);
    EVENT(4, 1, B);
    EVENT(7, 1, B, 4);
    EVENT0(17, 1);
    read_all();
    SHOWS("A is suspended");
    SHOWS("B runs on core 0, the one before is suspended");
    SHOWS("idle runs on core 0, the one before waits");
    HIDES("stops being ready");
}

static void a_stack_is_used_or_has_a_size(void **state) {
    (void)state;
    begin_tasks(NULL);
    EVENT(21, 1, A, 0x20001000, 1024, 0);
    EVENT(21, 1, B, 0x20002000, 1024, 1000);
    read_all();
    SHOWS("task A base 0x20001000 size 1024");
    SHOWS("24 of 1024 bytes of the stack of B");
}

// ---- interrupts

static void interrupts_nest_and_have_names(void **state) {
    (void)state;
    begin_tasks("O=x,I#15=SysTick,I#x=no,I#99999=no");
    EVENT(2, 1, 15);
    EVENT(2, 1, 16);
    EVENT0(3, 1);
    EVENT0(18, 1);
    EVENT0(3, 1); // of none
    read_all();
    SHOWS("interrupt SysTick begins on core 0, depth 1");
    SHOWS("interrupt 16 begins on core 0, depth 2");
    SHOWS("interrupt SysTick ends on core 0, depth 1");
    assert_int_equal(ledger.by_id[WF_RECORD_irq_enter], 4);
}

static void an_interrupt_whose_end_is_missing_ends_at_the_second_switch(void **state) {
    (void)state;
    begin_tasks(NULL);
    EVENT(2, 1, 15);
    EVENT(4, 1, B);
    EVENT0(3, 1);
    EVENT(2, 1, 15);
    EVENT(4, 1, A);
    EVENT(4, 1, B);
    read_all();
    assert_int_equal(count_of("interrupt 15 ends"), 2);
}

// ---- time

static void times_are_sums_of_deltas(void **state) {
    (void)state;
    begin();
    start(0xFFFFFF00u, 0, 0, NULL); // the raw counter
    EVENT0(17, 0x7FFFFFFF);
    EVENT0(17, 0xFFFFFFF0u); // the clock stepped back
    EVENT(4, 5, A);
    read_all();
    assert_true(last_tick == UINT64_C(0xFFFFFF00) + 1 + 0x7FFFFFFF - 16 + 5);
}

static void numbers_beyond_32_bits_are_cut(void **state) {
    static const uint8_t packet[] = {4, 0x80, 0x84, 0x80, 0x80, 0x70, 1}; // garbage above bit 31
    (void)state;
    begin_tasks(NULL);
    memcpy(bytes + len, packet, sizeof packet);
    len += sizeof packet;
    read_all();
    SHOWS("B runs on");
    assert_int_equal(ledger.bytes_bad, 0);
}

// ---- losses

static void losses_are_counted_from_the_cumulative_count(void **state) {
    (void)state;
    begin_tasks(NULL);
    EVENT(1, 1, 5); // 5, and the first of the episode
    EVENT(4, 1, B);
    EVENT(1, 1, 5); // one more
    EVENT(1, 1, 7);
    read_all();
    assert_int_equal(ledger.missing, 6 + 1 + 3);
    assert_int_equal(ledger.holes, 3);
    SHOWS("the recorder's buffer was full");
}

static void a_lower_count_is_that_of_a_target_that_was_reset(void **state) {
    (void)state;
    begin_tasks(NULL);
    EVENT(1, 1, 100);
    start(1, 0, 0, NULL);
    EVENT(1, 1, 3);
    read_all();
    assert_int_equal(ledger.missing, 101 + 4);
}

static void the_running_task_is_unknown_after_a_loss(void **state) {
    (void)state;
    begin_tasks("O=FreeRTOS");
    EVENT(1, 1, 1);
    EVENT(4, 1, B);
    read_all();
    SHOWS("B runs on core 0, the one before left");
}

static void a_stop_and_a_start_make_a_hole_of_no_events(void **state) {
    (void)state;
    begin_tasks(NULL);
    EVENT0(11, 1);
    start(1, 0x20000000, 0, NULL);
    EVENT(4, 1, A);
    read_all();
    SHOWS("the recording was stopped");
    assert_int_equal(ledger.missing, 0);
}

// ---- notes

static void messages_are_formatted(void **state) {
    (void)state;
    begin_tasks(NULL);
    MESSAGE(1, "plain\n", 0, 0);
    MESSAGE(1, "a %u b %d c 0x%x", 0, 3, 7, (uint32_t)-7, 0xAB);
    MESSAGE(1, "100%% of %u", 1, 3, 111, 222, 55); // "%%" has two arguments
    MESSAGE(1, "text %s", 2, 1, 0x20001234);
    MESSAGE(1, "cut %u", 0, 0);
    read_all();
    SHOWS("plain\n");
    SHOWS("a 7 b -7 c 0xab");
    SHOWS("warning: 100% of 55");
    SHOWS("error: text (0x20001234)");
    SHOWS("cut ");
}

static void long_strings_have_a_count_of_two_bytes(void **state) {
    char s[301];
    (void)state;
    memset(s, 'x', 300);
    s[300] = 0;
    begin_tasks(NULL);
    MESSAGE(1, s, 0, 0);
    TEXT_EVENT(9, 1, s, A, 3);
    read_all();
    SHOWS(s);
    assert_int_equal(ledger.bytes_bad, 0);
}

static void markers_are_spans_and_marks(void **state) {
    (void)state;
    begin_tasks(NULL);
    EVENT(15, 1, 7);
    EVENT(16, 1, 7);
    TEXT_EVENT(31, 1, "phase", 1, 7);
    EVENT(15, 1, 7);
    EVENT(16, 1, 7);
    EVENT(31, 1, 0, 7);
    read_all();
    SHOWS("A begins marker 7");
    SHOWS("A begins phase");
    SHOWS("A ends phase");
    SHOWS("marker phase");
}

static void timers_are_spans_with_the_resources_name(void **state) {
    (void)state;
    begin_tasks(NULL);
    TEXT_EVENT(25, 1, "blink", 0x50);
    EVENT(19, 1, 0x50);
    EVENT0(20, 1);
    EVENT0(20, 1);
    read_all();
    SHOWS("A begins blink");
    SHOWS("A ends blink");
    assert_int_equal(count_of("ends"), 1);
}

static void data_samples_have_the_registered_type(void **state) {
    static const float half = 0.5F;
    uint32_t bits;
    (void)state;
    memcpy(&bits, &half, sizeof bits);
    begin_tasks(NULL);
    EVENT(23, 1, 4, 9);
    packet(31, NUMBERS(6, 1), 2, "up", NUMBERS(0), 1, 1);
    packet(31, NUMBERS(6, 2), 2, "down", NUMBERS(1), 1, 1);
    packet(31, NUMBERS(6, 3), 2, "ratio", NUMBERS(2, 0, 0, 0, 0x3F800000), 5, 1);
    EVENT(23, 1, 1, 4000000000u);
    EVENT(23, 1, 2, (uint32_t)-5);
    EVENT(23, 1, 3, bits);
    read_all();
    SHOWS("data 4 is 9");
    SHOWS("up               4000000000");
    SHOWS("down is -5");
    SHOWS("5.000e-01");
}

static void heaps_have_blocks(void **state) {
    (void)state;
    begin_tasks(NULL);
    EVENT(31, 1, 2, 0x80, 0x900, 4096, 0);
    EVENT(31, 1, 3, 0x80, 0x910, 64);
    EVENT(31, 1, 4, 0x80, 0xA00, 32, 77);
    EVENT(31, 1, 5, 0x80, 0x910);
    EVENT(31, 1, 5, 0x80, 0xB00); // not allocated in the trace
    read_all();
    SHOWS("heap 0x20000080 is created, 4096");
    SHOWS("A takes 64 bytes at 0x0000000020000910");
    SHOWS("A takes 32 bytes at 0x0000000020000A00");
    SHOWS("A gives 64 bytes at 0x0000000020000910");
    SHOWS("heap 0x20000080 block 0x20000B00");
}

static void times_of_the_system_are_events(void **state) {
    (void)state;
    begin_tasks("N=app,D=dev");
    EVENT(12, 1, 12345);
    EVENT(13, 1, 1, 2);
    EVENT(31, 1, 99);
    read_all();
    SHOWS("system time      cycles 12345");
    SHOWS("us 8589934593");
    SHOWS("system description N=app");
    SHOWS("number 99");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_restored_to_addresses),
        cmocka_unit_test(tasks_have_names_and_priorities),
        cmocka_unit_test(the_same_task_again_is_no_switch),
        cmocka_unit_test(causes_of_other_systems_are_shown_as_numbers),
        cmocka_unit_test(causes_have_names_by_the_users_file),
        cmocka_unit_test(causes_of_freertos_have_a_meaning),
        cmocka_unit_test(a_stack_is_used_or_has_a_size),
        cmocka_unit_test(interrupts_nest_and_have_names),
        cmocka_unit_test(an_interrupt_whose_end_is_missing_ends_at_the_second_switch),
        cmocka_unit_test(times_are_sums_of_deltas),
        cmocka_unit_test(numbers_beyond_32_bits_are_cut),
        cmocka_unit_test(losses_are_counted_from_the_cumulative_count),
        cmocka_unit_test(a_lower_count_is_that_of_a_target_that_was_reset),
        cmocka_unit_test(the_running_task_is_unknown_after_a_loss),
        cmocka_unit_test(a_stop_and_a_start_make_a_hole_of_no_events),
        cmocka_unit_test(messages_are_formatted),
        cmocka_unit_test(long_strings_have_a_count_of_two_bytes),
        cmocka_unit_test(markers_are_spans_and_marks),
        cmocka_unit_test(timers_are_spans_with_the_resources_name),
        cmocka_unit_test(data_samples_have_the_registered_type),
        cmocka_unit_test(heaps_have_blocks),
        cmocka_unit_test(times_of_the_system_are_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
