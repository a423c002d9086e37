// SPDX-License-Identifier: MIT
// The importer of Zephyr's CTF: threads, interrupts, objects, times, losses.

#include "wf_test_zephyr.h"

enum { A = 0x20001000, B = 0x20002000, IDLE = 0x20003000, M = 0x20000100, S = 0x20000200 };

static int begin(void **state) {
    (void)state;
    begin_stream();
    return 0;
}

// Thread A runs, and a switch from it and back has shown that switches come in pairs.
static void begin_with_pairs(void) {
    thread(0x11, A, "alpha");
    switch_to(A, "alpha", B, "beta");
    switch_to(B, "beta", A, "alpha");
}

// ---- threads

static void threads_are_named_and_switch(void **state) {
    (void)state;
    thread(0x13, A, "unknown");
    thread(0x1A, A, "alpha");
    thread(0x11, A, "alpha");
    thread(0x18, A, "alpha");
    switch_to(A, "alpha", B, "beta");
    thread(0x14, B, "beta");
    thread(0x17, A, "alpha");
    switch_to(B, "beta", A, "alpha");
    thread(0x15, A, "alpha");
    switch_to(A, "alpha", B, "a name that is cut off");
    READ();
    SHOWS("is created");
    SHOWS("beta runs on core 0, the one before waits");
    SHOWS("beta is deleted");
    SHOWS("alpha runs on core 0, the one before ended");
    SHOWS("alpha is suspended");
    SHOWS("a name that is cut  runs on core 0, the one before is suspended");
    HIDES("unknown");
    assert_int_equal(ledger.holes, 0);
}

static void a_switch_to_the_same_thread_is_none(void **state) {
    (void)state;
    thread(0x11, A, "alpha");
    switch_to(A, "alpha", A, "alpha");
    READ();
    assert_int_equal(count_of("alpha runs"), 1);
}

static void a_reason_is_known_if_sleeps_are_recorded(void **state) {
    (void)state;
    thread(0x11, A, "alpha");
    switch_to(A, "alpha", B, "beta");
    READ();
    SHOWS("beta runs on core 0, the one before left");
    event(0x7F, 1, 100, 0, 0);
    switch_to(B, "beta", A, "alpha");
    switch_to(A, "alpha", B, "beta");
    event(0x80, 2, 100, 0, 0);
    switch_to(B, "beta", A, "alpha");
    READ();
    SHOWS("alpha runs on core 0, the one before sleeps");
    SHOWS("beta runs on core 0, the one before was preempted");
    SHOWS("alpha runs on core 0, the one before was preempted");
}

static void idle_has_no_thread(void **state) {
    (void)state;
    thread(0x11, IDLE, "idle");
    event(0x1E, 0, 0, 0, 0);
    event(0x1B, 0, 0, 0, 0);
    event(0x1C, 0, 0, 0, 0);
    event(0x1E, 0, 0, 0, 0);
    switch_to(IDLE, "idle", A, "alpha");
    READ();
    assert_int_equal(count_of("runs on core"), 3);
    SHOWS("alpha runs on core 0, the one before left");
    assert_int_equal(ledger.holes, 0);
}

static void put_priority(bool swapped, int prio) {
    put_head(0x12);
    put(A, 4);
    if (!swapped) put((unsigned)prio, 1);
    put_name("alpha");
    if (swapped) put((unsigned)prio, 1);
}

// The metadata of 2.5 has priority, then name.
static void priority_and_name_may_be_swapped(void **state) {
    static const char old[] =
        TYPES FLAT EVENT("thread_priority_set", "0x12",
                         "uint32_t thread_id; int8_t prio; ctf_bounded_string_t name[20];")
            EVENT("thread_name_set", "0x1A", THREAD(""));
    (void)state;
    for (int swapped = 0; swapped < 2; ++swapped) {
        for (int named = 0; named < 2; ++named) {
            begin_stream();
            if (named) thread(0x1A, A, "alpha");
            put_priority(swapped, -3);
            put_priority(swapped, 7);
            assert_int_equal(read_stream(old, false), WF_OK);
            SHOWS("alpha has priority -3 now");
            SHOWS("alpha has priority 7 now");
            HIDES("is lpha");
        }
    }
}

// ---- interrupts

static void interrupts_without_exit_end_at_a_switch(void **state) {
    (void)state;
    thread(0x11, A, "alpha");
    event(0x1B, 0, 0, 0, 0);
    switch_to(A, "alpha", B, "beta");
    event(0x1B, 0, 0, 0, 0);
    event(0x1B, 0, 0, 0, 0);
    event(0x1D, 0, 0, 0, 0);
    event(0x25, 2, S, 5, 0); // an interrupt does not wait
    for (int i = 0; i < 40; ++i) event(0x1B, 0, 0, 0, 0);
    READ();
    assert_int_equal(count_of("ends on core 0, depth 1\n"), 4);
    SHOWS("begins on core 0, depth 2");
    SHOWS("beta waits for");
    HIDES("depth 17");
}

// ---- objects

static void mutexes_have_holders_and_depths(void **state) {
    (void)state;
    thread(0x11, A, "alpha");
    event(0x2B, 3, M, 0, 0);
    event(0x2B, 3, M, 0, 0);
    event(0x2C, 1, M, 0, 0);
    event(0x2D, 1, M, 0, 0);
    switch_to(A, "alpha", B, "beta");
    event(0x2A, 2, M, 9, 0);
    thread(0x18, B, "beta");
    switch_to(B, "beta", A, "alpha");
    event(0x2C, 1, M, 0, 0);
    thread(0x17, B, "beta");
    switch_to(A, "alpha", B, "beta");
    event(0x2B, 3, M, 9, 0);
    switch_to(B, "beta", A, "alpha");
    event(0x2D, 1, M, 0, 0); // only now the call ends, B holds the mutex
    event(0x2A, 2, M, 9, 0);
    event(0x2B, 3, M, 9, (uint32_t)-11);
    event(0x2B, 3, M, 0, (uint32_t)-16);
    READ();
    SHOWS("alpha takes 0x20000100, depth 1");
    SHOWS("alpha takes 0x20000100, depth 2");
    SHOWS("alpha gives 0x20000100, depth 1");
    SHOWS("beta waits for 0x20000100");
    SHOWS("alpha gives 0x20000100, depth 0");
    SHOWS("beta takes 0x20000100, depth 1");
    SHOWS("alpha no longer waits for 0x20000100");
    SHOWS("alpha does not get 0x20000100");
    assert_int_equal(count_of("gives"), 2);
    HIDES("probable");
}

static void an_unknown_depth_is_not_made_up(void **state) {
    (void)state;
    switch_to(B, "beta", A, "alpha"); // the trace begins while threads run
    event(0x2B, 3, M, 0, 0);
    event(0x2D, 1, M, 0, 0);
    READ();
    SHOWS("mutex_lock_exit");
    SHOWS("mutex_unlock_exit");
    HIDES("takes");
    event(0x28, 2, M, 0, 0);
    event(0x2B, 3, M, 0, 0);
    READ();
    SHOWS("alpha takes 0x20000100, depth 1");
}

static void counts_of_semaphores_are_known_around_waits(void **state) {
    (void)state;
    thread(0x11, A, "alpha");
    event(0x26, 3, S, 0, 0); // of an unknown count
    event(0x25, 2, S, 9, 0);
    thread(0x18, A, "alpha");
    switch_to(A, "alpha", B, "beta");
    event(0x22, 1, S, 0, 0);
    thread(0x17, A, "alpha");
    event(0x23, 1, S, 0, 0);
    event(0x22, 1, S, 0, 0); // no waiter is left
    event(0x23, 1, S, 0, 0);
    switch_to(B, "beta", A, "alpha");
    event(0x26, 3, S, 9, 0);
    event(0x26, 3, S, 9, 0);
    event(0x26, 3, S, 0, (uint32_t)-16);
    event(0x23, 1, S, 0, 0);
    event(0x23, 1, S, 0, 0); // perhaps it is at its limit
    READ();
    SHOWS("semaphore_take_exit");
    SHOWS("alpha waits for 0x20000200");
    SHOWS("beta gives 0x20000200, count 0");
    SHOWS("beta gives 0x20000200, count 1");
    SHOWS("alpha takes 0x20000200, count 1");
    SHOWS("alpha takes 0x20000200, count 0");
    SHOWS("alpha does not get 0x20000200");
    SHOWS("alpha gives 0x20000200, count 1");
    SHOWS("semaphore_give_exit");
    HIDES("count 2");
}

static void user_events_are_messages(void **state) {
    (void)state;
    put_head(0x62);
    put_name("100%s done");
    put(7, 4);
    put(8, 4);
    READ();
    SHOWS("100%s done 7 8");
}

// ---- time

static void stamps_wrap_and_step_back_a_little(void **state) {
    (void)state;
    now = UINT32_MAX - 999;
    event(0x1B, 0, 0, 0, 0); // at -1000
    event(0x1C, 0, 0, 0, 0); // at 0 of the next turn
    now = 2000000;
    event(0x1B, 0, 0, 0, 0);
    now = 1500000; // 0.5 ms before: stored late
    event(0x1C, 0, 0, 0, 0);
    now = 3000000;
    event(0x1B, 0, 0, 0, 0);
    now = 1000000; // 2 ms before: another turn
    event(0x1C, 0, 0, 0, 0);
    READ();
    SHOWS("0.000001000 s"); // since the first stamp
    SHOWS("0.002001000 s");
    SHOWS("0.001501000 s");
    SHOWS("0.003001000 s");
    SHOWS("4.295968296 s"); // 2^32 + 1001000
    assert_int_equal(ledger.back, 1);
}

// ---- losses

static void impossible_switches_are_losses(void **state) {
    (void)state;
    begin_with_pairs();
    thread(0x11, B, "beta"); // the switch from A is missing
    READ();
    SHOWS("a thread runs, and the one before has not left");
    assert_int_equal(ledger.holes, 1);
    assert_int_equal(ledger.missing, 0);
    begin_stream();
    begin_with_pairs();
    thread(0x10, B, "beta");
    READ();
    SHOWS("a thread leaves that did not run");
    begin_stream();
    begin_with_pairs();
    thread(0x10, A, "alpha");
    thread(0x10, A, "alpha");
    READ();
    SHOWS("a thread leaves twice");
}

static void a_waiting_thread_that_runs_is_a_loss(void **state) {
    (void)state;
    begin_with_pairs();
    for (int lost = 0; lost < 2; ++lost) {
        thread(0x18, A, "alpha");
        switch_to(A, "alpha", B, "beta");
        if (!lost) thread(0x17, A, "alpha");
        switch_to(B, "beta", A, "alpha");
    }
    READ();
    assert_int_equal(count_of("was not made ready"), 1);
}

// The switch to B is lost: what B did is not reported as done by A.
static void nothing_is_told_of_a_doubtful_thread(void **state) {
    (void)state;
    begin_with_pairs();
    event(0x2B, 3, M, 0, 0);
    thread(0x10, B, "beta");
    READ();
    SHOWS("the next switch is not from the thread that runs");
    HIDES("takes");
    SHOWS("mutex_lock_exit");
}

static void an_exit_without_enter_is_a_loss(void **state) {
    (void)state;
    begin_with_pairs();
    event(0x1C, 0, 0, 0, 0); // some architectures do that
    for (int i = 0; i < 16; ++i) {
        event(0x1B, 0, 0, 0, 0);
        event(0x1C, 0, 0, 0, 0);
    }
    READ();
    HIDES("probable");
    event(0x23, 1, S, 0, 0); // the enter is missing: the interrupt has given, not A
    event(0x1C, 0, 0, 0, 0);
    READ();
    SHOWS("an interrupt ends that has not begun");
    HIDES("alpha gives");
}

static void a_mutex_of_another_is_a_loss(void **state) {
    (void)state;
    begin_with_pairs();
    event(0x2B, 3, M, 0, 0);
    switch_to(A, "alpha", B, "beta");
    event(0x2B, 3, M, 0, 0);
    READ();
    SHOWS("a mutex is taken, and the thread before has not given it");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, begin)
    const struct CMUnitTest tests[] = {
        TEST(threads_are_named_and_switch),
        TEST(a_switch_to_the_same_thread_is_none),
        TEST(a_reason_is_known_if_sleeps_are_recorded),
        TEST(idle_has_no_thread),
        TEST(priority_and_name_may_be_swapped),
        TEST(interrupts_without_exit_end_at_a_switch),
        TEST(mutexes_have_holders_and_depths),
        TEST(an_unknown_depth_is_not_made_up),
        TEST(counts_of_semaphores_are_known_around_waits),
        TEST(user_events_are_messages),
        TEST(stamps_wrap_and_step_back_a_little),
        TEST(impossible_switches_are_losses),
        TEST(a_waiting_thread_that_runs_is_a_loss),
        TEST(nothing_is_told_of_a_doubtful_thread),
        TEST(an_exit_without_enter_is_a_loss),
        TEST(a_mutex_of_another_is_a_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
