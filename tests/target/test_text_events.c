// SPDX-License-Identifier: MIT
// The text sender: its lines byte for byte, the place of a loss report, time without wraps and
// drift, and events of all kinds in order while the array fills and empties.

#include "wf_test.h"

#include "wallfly/wf_rtos.h"

static const void *task(unsigned n) { return (const void *)(uintptr_t)(0x330 + n); }
static const void *const lcd = (const void *)(uintptr_t)0x20e3;

static uint8_t ring[1000]; // of the recorder, which may run too
static char out[1 << 16];
static unsigned out_len;

// Appends the pending text, at most cap bytes.
static void send(unsigned cap) {
    for (int b; cap && (b = wf_text_get_byte()) >= 0; --cap) out[out_len++] = (char)b;
    out[out_len] = 0;
}

// Empties the array. The clock is 0, and the sender's time too, but only in the first test.
static void fresh(void) {
#if WF_CFG_PART
    memset(&wfi_part, 0, sizeof wfi_part);
#endif
    fake_clock_step = 0;
    start(ring, sizeof ring);
    wf_text_start(1000000);
    send(sizeof out - 1);
    out_len = 0;
}

#define AT(us, ...)                                                                                \
    do {                                                                                           \
        fake_clock = (us);                                                                         \
        __VA_ARGS__;                                                                               \
    } while (0)

static void expect(const char *want) {
    send(sizeof out - 1);
    assert_string_equal(out, want);
    assert_int_equal(fake_lock_errors, 0);
    out_len = 0;
}

// The example of the reference.
static void lines(void **state) {
    (void)state;
    start(ring, sizeof ring);
    WF_TASK_CREATE(task(0), 19, NULL);
    assert_int_equal(wf_text_get_byte(), -1); // not started
    fresh();
    WF_TASK_CREATE(task(0), 19, "clock display");
    WF_TASK_CREATE(task(0x54c), -18, "");
    WF_OBJECT(mutex_create, lcd);
    AT(120, WF_TASK_READY(task(0)));
    AT(140, WF_TASK_READY(task(0x54c)));
    AT(150, WF_TASK_SWITCH(NULL, task(0), WF_SWITCH_unknown));
    AT(400, WF_BY_N(mutex_take, lcd, task(0), 1));
    AT(900, WF_BY_N(mutex_give, lcd, task(0), 0));
    AT(1000, WF_TASK_SWITCH(task(0), task(0x54c), WF_SWITCH_preempted));
    AT(2000000, WF_TASK_SWITCH(task(0x54c), task(0), WF_SWITCH_blocked));
    AT(2000001, WF_TASK_SWITCH(task(0), NULL, WF_SWITCH_sliced));
    wf_text_event("my event", 42);
    expect("nT 330 -p 19 -n clock_display\nnT 87c -p -18\nnM 20e3\n"
           "p 120 JA 330\np 140 JA 87c\np 150 JR 330\n"
#if WF_CFG_TEXT_TASK_FIRST
           "p 400 AM 330 20e3\np 900 RM 330 20e3\n"
#else
           "p 400 AM 20e3 330\np 900 RM 20e3 330\n"
#endif
           "p 1000 JP 330 -t 87c\np 1000 JR 87c\np 2000000 JC 87c\np 2000000 JR 330\n"
           "p 2000001 JP 330\np 2000001 my_event 42\n");
    assert_int_equal(wf_text_lost(), 0);
}

// Only records of ownership; not those of refusals and waits.
static void mutexes_that_nest(void **state) {
    (void)state;
    fresh();
    fake_clock = 3000000;
    WF_BY(mutex_wait, lcd, task(1));
    WF_BY(mutex_refused, lcd, task(1));
    WF_BY_N(mutex_take, lcd, task(0), 2);
    WF_BY_N(mutex_give, lcd, task(0), 1);
    WF_BY(mutex_timeout, lcd, task(1));
    WF_BY_N(sema_take, lcd, task(1), 1u);
    WF_BY_N(sema_give, lcd, task(1), 0u);
    WF_TASK_PRIORITY(task(0), 3);
    expect("");
}

static void names_that_come_later(void **state) {
    (void)state;
    fresh();
    WF_OBJECT(mutex_create, lcd);
    WF_TASK_CREATE(task(0), 1, NULL);
    WF_NAME(lcd, "lcd");
    WF_NAME(task(0), "a\nb\x80");
    expect("nM 20e3 -n lcd\nnT 330 -p 1 -n a_b_\n");
    WF_NAME(lcd, "too late");
    expect("");
}

#define N WF_CFG_TEXT_EVENTS

// The new event is lost, pending ones stay; the number lost is reported between the events before
// and after.
static void a_full_array(void **state) {
    char want[4000] = "", *p = want;
    (void)state;
    fresh();
    for (unsigned i = 0; i < N + 5; ++i) AT(4000000 + i, WF_TASK_READY(task(i)));
    assert_int_equal(wf_text_lost(), 5);
    out_len = 0;
    send(17); // a line is out, so one place is free, too few for the loss and an event
    AT(5000000, WF_TASK_READY(task(100)));
    assert_int_equal(wf_text_lost(), 6);
    send(34);
    AT(5000001, WF_TASK_READY(task(101)));
    assert_int_equal(wf_text_lost(), 6);
    for (unsigned i = 0; i < N; ++i) p += sprintf(p, "p %u JA %x\n", 4000000 + i, 0x330 + i);
    p += sprintf(p, "p %u lost 6\np 5000001 JA 395\n", 4000000 + N);
    send(sizeof out - 1);
    assert_string_equal(out, want);
    // At the end, without an event after it.
    out_len = 0;
    for (unsigned i = 0; i < N + 3; ++i) AT(6000000, WF_TASK_READY(task(0)));
    send(sizeof out - 1);
    assert_string_equal(out + out_len - strlen("p 6000000 lost 3\n"), "p 6000000 lost 3\n");
    assert_int_equal(wf_text_lost(), 9);
    out_len = 0;
}

// Over wraps of the 32-bit stamp, with and without events.
static void time_goes_on(void **state) {
    uint64_t us = UINT64_C(1) << 32;
    char want[80];
    (void)state;
    fresh();
    for (unsigned i = 0; i < 40; ++i) {
        us += i % 3 ? 3000000000 : 1;
        fake_clock = us;
        if (i % 4) WF_TASK_READY(task(0));
        snprintf(want, sizeof want, "p %llu JA 330\n", (unsigned long long)us);
        expect(i % 4 ? want : "");
    }
}

// Rates that do not divide a million: errors do not accumulate.
static void time_of_other_clocks(void **state) {
    static const uint32_t rates[] = {32768, 3, 999983, 72000000, 1000000000, 1999999999};
    (void)state;
    for (unsigned r = 0; r < sizeof rates / sizeof *rates; ++r) {
        fresh();
        wf_text_start(rates[r]);
        WF_TASK_READY(task(0));
        send(sizeof out - 1);
        uint64_t first = strtoull(out + 2, NULL, 10), ticks = 0;
        for (unsigned i = 0; i < 2000; ++i) {
            uint64_t step = 1 + (uint64_t)i * 7919 % (rates[r] * UINT64_C(2));
            ticks += step & UINT32_MAX;
            fake_clock += step & UINT32_MAX;
            WF_TASK_READY(task(0));
            out_len = 0;
            send(sizeof out - 1);
            double got = (double)(strtoull(out + 2, NULL, 10) - first);
            double is = 1e6 * (double)ticks / rates[r];
            if (got < is - 1.1 || got > is + 1.1) fail_msg("%u: %f, not %f", rates[r], got, is);
        }
    }
    wf_text_start(1000000);
}

// Every event comes out once and in order, or is counted.
static void nothing_is_lost_in_silence(void **state) {
    unsigned next = 0, seen = 0, lost = 0, before = wf_text_lost();
    uint32_t seed = 1;
    (void)state;
    fresh();
    before = wf_text_lost();
    out_len = 0;
    for (unsigned round = 0; round < 20000; ++round) {
        seed = seed * 1664525 + 1013904223;
        for (unsigned n = seed >> 29; n; --n) wf_text_event("n", next++);
        send((seed >> 20 & 0x7F) + 1);
        for (char *end; (end = strchr(out, '\n')) != NULL;) {
            unsigned n;
            *end = 0;
            if (sscanf(out, "p %*u lost %u", &n) == 1)
                lost += n, seen += n;
            else if (sscanf(out, "p %*u n %u", &n) == 1)
                assert_int_equal(n, seen++);
            else
                fail_msg("%s", out);
            out_len -= (unsigned)(end + 1 - out);
            memmove(out, end + 1, out_len + 1);
        }
    }
    assert_true(lost > 1000 && seen > lost);
    send(sizeof out - 1);
    for (char *p = out; (p = strstr(p, "lost ")) != NULL; ++p)
        lost += (unsigned)strtoul(p + 5, NULL, 10);
    assert_int_equal(lost, wf_text_lost() - before);
    out_len = 0;
}

// Hidden tasks are not in the text; a switch is from the task shown last.
#if WF_CFG_PART
static void parts(void **state) {
    (void)state;
    fresh();
    wf_part_task(task(9), false);
    fake_clock = fake_clock + 1000000000;
    fake_clock -= fake_clock % 1000000000;
    expect("");
    WF_TASK_CREATE(task(9), 1, "hidden");
    WF_TASK_READY(task(9));
    WF_BY_N(mutex_take, lcd, task(9), 1);
    WF_TASK_SWITCH(NULL, task(0), WF_SWITCH_unknown);
    WF_TASK_SWITCH(task(0), task(9), WF_SWITCH_delayed);
    WF_TASK_SWITCH(task(9), task(1), WF_SWITCH_preempted);
    WF_TASK_DELETE(task(1));
    WF_TASK_SWITCH(task(1), task(0), WF_SWITCH_ended);
    char want[200], *p = want;
    const char *const lines[] = {"JR 330", "JC 330", "JR 331", "JC 331", "JR 330"};
    send(sizeof out - 1);
    unsigned long long us = strtoull(out + 2, NULL, 10);
    for (unsigned i = 0; i < 5; ++i) p += sprintf(p, "p %llu %s\n", us, lines[i]);
    assert_string_equal(out, want);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),
        cmocka_unit_test(mutexes_that_nest),
        cmocka_unit_test(names_that_come_later),
        cmocka_unit_test(a_full_array),
        cmocka_unit_test(time_goes_on),
        cmocka_unit_test(nothing_is_lost_in_silence),
#if WF_CFG_PART
        cmocka_unit_test(parts),
#endif
        cmocka_unit_test(time_of_other_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
