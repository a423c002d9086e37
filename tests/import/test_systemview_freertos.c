// SPDX-License-Identifier: MIT
// What the calls of FreeRTOS V11 show: reasons, holders, fill levels.

#include "wf_test_sysview.h"

#define FOR_EVER 0xFFFFFFFFu
#define MEMORY   0xE0000000u // the id of address 0

enum {
    CREATE = 152,
    CREATE_MUTEX = 153,
    GIVE_RECURSIVE = 157,
    TAKE_RECURSIVE = 158,
    CREATE_COUNTING = 160,
    SEND = 161,
    GIVE_ISR = 163,
    RECEIVE = 164,
    TAKE = 165,
    RECEIVE_ISR = 167,
    DELETE_QUEUE = 172,
    DELETE_TASK = 195,
    DELAY = 197,
    PRIORITY = 201,
    SUSPEND_ALL = 207,
    RESUME_ALL = 208,
    PLACE = 225,
    PLACE_RESTRICTED = 227,
    WAKE = 228,
    INHERIT = 246,
    DISINHERIT = 247,
    HELD = 254,
    NOTIFY_TAKE = 255,
    LIST_REMOVE = 285
};

static void returns(unsigned call, uint32_t value) { EVENT(28, 1, call, value); }
static void returns_nothing(unsigned call) { EVENT(28, 1, call); }

// A runs, and calls are known to return.
static void begin_v11(void) {
    begin_tasks("O=FreeRTOS");
    EVENT0(SUSPEND_ALL, 1);
    returns_nothing(SUSPEND_ALL);
    EVENT0(RESUME_ALL, 1);
    returns(RESUME_ALL, 0);
}

// The running task is placed on the list of Q.
static void place(uint32_t ticks) {
    EVENT0(SUSPEND_ALL, 1);
    returns_nothing(SUSPEND_ALL);
    EVENT(PLACE, 1, Q + 0x24, ticks);
    EVENT(LIST_REMOVE, 1, A + 4);
    returns(LIST_REMOVE, 0);
    returns_nothing(PLACE);
    EVENT0(RESUME_ALL, 1);
    returns(RESUME_ALL, 0);
}

// ---- reasons

static void a_task_without_a_wait_is_preempted(void **state) {
    (void)state;
    begin_v11();
    EVENT(LIST_REMOVE, 1, 0x999);
    EVENT(4, 1, B);
    read_all();
    SHOWS("B runs on core 0, the one before was preempted");
}

static void a_wait_for_ever_has_no_event_of_its_own(void **state) {
    (void)state;
    begin_v11();
    EVENT(RECEIVE, 1, Q, 0, FOR_EVER);
    place(FOR_EVER);
    EVENT(4, 1, B);
    EVENT(SEND, 1, Q, 0x500, 0, 0);
    EVENT(WAKE, 1, Q + 0x24);
    EVENT(6, 1, A);
    returns(WAKE, 1);
    EVENT(4, 1, A);
    returns(RECEIVE, 1);
    EVENT(4, 1, B);
    returns(SEND, 1);
    read_all();
    SHOWS("A waits for something in 0x20001000");
    SHOWS("B runs on core 0, the one before waits");
    SHOWS("B sends to 0x20001000, 1 in it");
    SHOWS("A receives from 0x20001000, 0 left");
    assert_true(strstr(text, "B sends to") < strstr(text, "A is ready"));
    assert_int_equal(count_of("B sends to"), 1);
}

static void a_task_that_is_preempted_in_a_call_does_not_wait(void **state) {
    (void)state;
    begin_v11();
    EVENT(LIST_REMOVE, 1, 0x999);
    EVENT(RECEIVE, 1, Q, 0, FOR_EVER);
    EVENT(2, 1, 20);
    EVENT0(18, 1);
    EVENT(4, 1, B);
    read_all();
    SHOWS("B runs on core 0, the one before was preempted");
    HIDES("waits");
}

static void without_calls_of_lists_an_open_wait_is_one(void **state) {
    (void)state;
    begin_v11();
    EVENT(RECEIVE, 1, Q, 0, FOR_EVER);
    EVENT(4, 1, B);
    read_all();
    SHOWS("A waits for something in 0x20001000");
    SHOWS("B runs on core 0, the one before waits");
}

static void a_wait_for_a_notification_removes_the_task_from_the_ready_ones(void **state) {
    (void)state;
    begin_v11();
    EVENT(NOTIFY_TAKE, 1, 0, 1, FOR_EVER);
    EVENT(LIST_REMOVE, 1, A + 4);
    returns(LIST_REMOVE, 0);
    EVENT(4, 1, B);
    read_all();
    SHOWS("B runs on core 0, the one before waits");
}

static void a_delay_sleeps(void **state) {
    (void)state;
    begin_v11();
    EVENT(DELAY, 1, 5);
    EVENT(7, 1, A, 4);
    EVENT(4, 1, B);
    read_all();
    SHOWS("B runs on core 0, the one before sleeps");
}

static void the_task_that_ran_during_a_loss_leaves_for_an_unknown_reason(void **state) {
    (void)state;
    begin_v11();
    EVENT(PLACE_RESTRICTED, 1, Q, 0, 1);
    EVENT(4, 1, B);
    EVENT(1, 1, 1);
    EVENT(4, 1, A); // B: unknown
    EVENT(LIST_REMOVE, 1, 0x999);
    EVENT(4, 1, B); // A may be in a wait for a notification
    EVENT(4, 1, A);
    read_all();
    assert_int_equal(count_of("the one before left"), 3);
    SHOWS("B runs on core 0, the one before waits");
    SHOWS("A runs on core 0, the one before was preempted");
}

static void a_deleted_task_ends(void **state) {
    (void)state;
    begin_v11();
    EVENT(DELETE_TASK, 1, MEMORY);
    EVENT(29, 1, A); // reported once
    EVENT(4, 1, B);
    read_all();
    assert_int_equal(count_of("A is deleted"), 1);
    SHOWS("B runs on core 0, the one before ended");
}

// ---- mutexes

static void a_mutex_is_shown_by_its_holder(void **state) {
    (void)state;
    begin_v11();
    EVENT(TAKE, 1, Q, 10);
    EVENT0(HELD, 1);
    returns(HELD, A);
    returns(TAKE, 1);
    EVENT(SEND, 1, Q, MEMORY, 0, 0);
    EVENT(DISINHERIT, 1, A);
    returns(DISINHERIT, 0);
    returns(SEND, 1);
    read_all();
    SHOWS("A takes 0x20001000, depth 1");
    SHOWS("A gives 0x20001000, depth 0");
}

static void a_priority_is_inherited_and_returned(void **state) {
    (void)state;
    begin_v11();
    EVENT(4, 1, B);
    EVENT(TAKE, 1, Q, 10);
    EVENT0(HELD, 1);
    returns(HELD, B);
    returns(TAKE, 1);
    EVENT(4, 1, A);
    EVENT(TAKE, 1, Q, 10);
    EVENT(INHERIT, 1, B);
    returns(INHERIT, 1);
    place(10);
    EVENT(7, 1, A, 4);
    EVENT(4, 1, B);
    EVENT(SEND, 1, Q, MEMORY, 0, 0);
    EVENT(DISINHERIT, 1, B);
    returns(DISINHERIT, 1);
    EVENT(WAKE, 1, Q + 0x24);
    EVENT(6, 1, A);
    returns(WAKE, 1);
    EVENT(4, 1, A);
    returns(TAKE, 0);
    read_all();
    SHOWS("B has priority 3 now");
    SHOWS("A waits for 0x20001000");
    SHOWS("A no longer waits for 0x20001000");
    assert_int_equal(count_of("B has priority 2 now"), 2);
    assert_int_equal(count_of("B gives"), 1);
}

static void a_recursive_mutex_has_a_depth(void **state) {
    (void)state;
    begin_v11();
    EVENT(CREATE_MUTEX, 1, 4);
    EVENT(CREATE, 1, 1, 0, 4);
    returns(CREATE, Q);
    EVENT(SEND, 1, Q, MEMORY, 0, 0);
    EVENT(DISINHERIT, 1, MEMORY);
    returns(DISINHERIT, 0);
    returns(SEND, 1);
    returns(CREATE_MUTEX, Q);
    EVENT(TAKE_RECURSIVE, 1, Q, 0);
    EVENT(TAKE, 1, Q, 0);
    EVENT0(HELD, 1);
    returns(HELD, A);
    returns(TAKE, 1);
    returns(TAKE_RECURSIVE, 1);
    EVENT(TAKE_RECURSIVE, 1, Q, 0);
    returns(TAKE_RECURSIVE, 1);
    EVENT(GIVE_RECURSIVE, 1, Q);
    returns(GIVE_RECURSIVE, 1);
    EVENT(GIVE_RECURSIVE, 1, Q);
    EVENT(SEND, 1, Q, MEMORY, 0, 0);
    EVENT(DISINHERIT, 1, A);
    returns(DISINHERIT, 0);
    returns(SEND, 1);
    returns(GIVE_RECURSIVE, 1);
    EVENT(DELETE_QUEUE, 1, Q);
    read_all();
    SHOWS("mutex 0x20001000 is created");
    SHOWS("A takes 0x20001000, depth 1");
    SHOWS("A takes 0x20001000, depth 2");
    SHOWS("A gives 0x20001000, depth 1");
    SHOWS("A gives 0x20001000, depth 0");
    SHOWS("0x20001000 is deleted");
    assert_int_equal(count_of("A gives"), 2);
}

// ---- levels

static void a_level_that_is_not_known_is_not_shown(void **state) {
    (void)state;
    begin_v11();
    EVENT(SEND, 1, Q, 0x500, 0, 0);
    returns(SEND, 1);
    EVENT(RECEIVE, 1, Q, 0, 0);
    returns(RECEIVE, 1);
    EVENT(RECEIVE, 1, Q, 0, 0);
    returns(RECEIVE, 0); // now it is known to be empty
    EVENT(SEND, 1, Q, 0x500, 0, 0);
    returns(SEND, 1);
    EVENT(400, 1, Q); // may be a reset
    EVENT(SEND, 1, Q, 0x500, 0, 0);
    returns(SEND, 1);
    EVENT(SEND, 1, Q, 0x500, 0, 0);
    returns(SEND, 0);
    read_all();
    SHOWS("A finds 0x20001000 empty");
    SHOWS("A sends to 0x20001000, 1 in it");
    SHOWS("A finds 0x20001000 full");
    assert_int_equal(count_of("A sends to"), 1);
    HIDES("receives from");
}

static void levels_are_counted_from_the_create(void **state) {
    (void)state;
    begin_v11();
    EVENT(CREATE, 1, 5, 4, 0);
    returns(CREATE, Q);
    EVENT(CREATE_COUNTING, 1, 9, 2);
    EVENT(CREATE, 1, 9, 0, 2);
    returns(CREATE, Q + 0x100);
    returns(CREATE_COUNTING, Q + 0x100);
    EVENT(SEND, 1, Q, 0x500, 0, 0);
    returns(SEND, 1);
    EVENT(SEND, 1, Q, 0x500, 0, 0);
    returns(SEND, 1);
    EVENT(2, 1, 20);
    EVENT(RECEIVE_ISR, 1, Q, 0x500, 0);
    returns(RECEIVE_ISR, 1);
    EVENT(GIVE_ISR, 1, Q + 0x100, 0);
    returns(GIVE_ISR, 1);
    EVENT0(3, 1);
    EVENT(TAKE, 1, Q + 0x100, 0);
    returns(TAKE, 1);
    read_all();
    SHOWS("queue 0x20001000 is created, room for 5");
    SHOWS("A sends to 0x20001000, 2 in it");
    SHOWS("receives from 0x20001000, 1 left");
    SHOWS("semaphore 0x20001100 is created, count 2");
    SHOWS("gives 0x20001100, count 3");
    SHOWS("A takes 0x20001100, count 2");
    assert_int_equal(count_of("is created"), 4);
}

static void a_woken_task_while_the_scheduler_is_suspended_is_no_success(void **state) {
    (void)state;
    begin_v11();
    EVENT(RECEIVE, 1, Q, 0, 10);
    EVENT0(SUSPEND_ALL, 1);
    returns_nothing(SUSPEND_ALL);
    EVENT(WAKE, 1, Q + 0x24); // the queue is unlocked
    returns(WAKE, 0);
    EVENT0(RESUME_ALL, 1);
    returns(RESUME_ALL, 0);
    returns(RECEIVE, 0);
    read_all();
    SHOWS("A finds 0x20001000 empty");
    HIDES("receives from");
}

// ---- other releases

static void without_returns_a_call_shows_only_a_delay(void **state) {
    (void)state;
    begin_tasks("O=FreeRTOS");
    describe = "34 vTaskDelay ticks=%u\n49 xQueueGenericReceive queue=%I ticks=%u\n";
    EVENT(49, 1, Q, FOR_EVER);
    EVENT(4, 1, B);
    EVENT(34, 1, 5);
    EVENT(7, 1, B, 4);
    EVENT(4, 1, A);
    read_all();
    SHOWS("queue 0x20001000 ticks 4294967295");
    SHOWS("B runs on core 0, the one before left");
    SHOWS("A runs on core 0, the one before sleeps");
}

static void the_users_numbers_have_the_meaning_of_their_names(void **state) {
    (void)state;
    begin_v11();
    describe = "300 xQueueReceive queue=%I buffer=%p ticks=%u | Returns %u\n"
               "164 myCall a=%d b=%NoType\n";
    EVENT(164, 1, (uint32_t)-3, 7);
    EVENT(300, 1, Q, 0, 0);
    returns(300, 0);
    read_all();
    SHOWS("a -3 b 7");
    SHOWS("A finds 0x20001000 empty");
    SHOWS("of xQueueReceive value 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_without_a_wait_is_preempted),
        cmocka_unit_test(a_wait_for_ever_has_no_event_of_its_own),
        cmocka_unit_test(a_task_that_is_preempted_in_a_call_does_not_wait),
        cmocka_unit_test(without_calls_of_lists_an_open_wait_is_one),
        cmocka_unit_test(a_wait_for_a_notification_removes_the_task_from_the_ready_ones),
        cmocka_unit_test(a_delay_sleeps),
        cmocka_unit_test(the_task_that_ran_during_a_loss_leaves_for_an_unknown_reason),
        cmocka_unit_test(a_deleted_task_ends),
        cmocka_unit_test(a_mutex_is_shown_by_its_holder),
        cmocka_unit_test(a_priority_is_inherited_and_returned),
        cmocka_unit_test(a_recursive_mutex_has_a_depth),
        cmocka_unit_test(a_level_that_is_not_known_is_not_shown),
        cmocka_unit_test(levels_are_counted_from_the_create),
        cmocka_unit_test(a_woken_task_while_the_scheduler_is_suspended_is_no_success),
        cmocka_unit_test(without_returns_a_call_shows_only_a_delay),
        cmocka_unit_test(the_users_numbers_have_the_meaning_of_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
