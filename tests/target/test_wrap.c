// SPDX-License-Identifier: MIT
// The clock wraps, or seems to, between the stamp of a record and its critical section: number and
// stamp of the frame, and the recorder's counts.

#include "wf_test.h"
#include "wfi_core.h"

int fake_preempt_in;
void (*fake_preempt)(void);

static uint8_t ring[4096];

static void begin(void) {
    start(ring, sizeof ring);
    wf_filter(WF_GRP_ALL);
}

static wf_stamp stamp_of(const uint8_t *frame) { return (wf_stamp)le(frame + 3, WF_CFG_TIME_SIZE); }

static void check_sum(const uint8_t *frame) {
    uint8_t sum = 0;
    for (unsigned i = 1; i <= frame[0]; ++i) sum = (uint8_t)(sum + frame[i]);
    assert_int_equal(sum, 0xFF);
}

// The number after `count`: multiples of 256 are skipped, and the wrap takes another number.
static uint64_t number_behind(uint64_t count) {
    uint64_t number = count + 1;
    if (number % 256 == 0) ++number;
    ++number;
    return number % 256 ? number : number + 1;
}

static void numbers_follow(void **state) {
    (void)state;
    for (uint64_t count = UINT64_C(0xFFFFFB00); count < UINT64_C(0x100000400); ++count) {
        begin();
        wfi.count_low = (uint32_t)count;
        wfi.count_high = (uint32_t)(count >> 32);
        wfi.last = 1000;
        fake_clock = 7;
        const uint8_t *const frame = wfi.next;
        const uint32_t wraps = wfi.wraps;
        WF_REC(sched_next, 1, 2, 3);
        assert_int_equal((uint64_t)wfi.count_high << 32 | wfi.count_low, number_behind(count));
        assert_int_equal(frame[1], (uint8_t)number_behind(count));
        assert_int_equal(stamp_of(frame), 7);
        assert_int_equal(wfi.last, 7);
        assert_int_equal(wfi.wraps, wraps + 1);
        check_sum(frame);
    }
}

// The state after another core's record; this core has seen its count but not its time.
static wf_stamp last_of_other;
static uint64_t clock_by_then;

static void other_core(void) {
    wfi.last = last_of_other;
    fake_clock = clock_by_then;
}

// Returns the frame of a record whose stamp is taken at `taken`.
static const uint8_t *record_late(uint64_t taken, wf_stamp last, uint64_t by_then) {
    begin();
    const uint8_t *const frame = wfi.next;
    last_of_other = last;
    clock_by_then = by_then;
    fake_clock = taken;
    fake_preempt = other_core;
    fake_preempt_in = 1;
    WF_REC(sched_next, 1, 2, 3);
    assert_int_equal(fake_preempt_in, 0);
    check_sum(frame);
    return frame;
}

static void early_stamp_is_no_wrap(void **state) {
    (void)state;
    const uint8_t *frame = record_late(150, 200, 201);
    assert_int_equal(stamp_of(frame), 201);
    assert_int_equal(wfi.wraps, 0);
}

static void early_stamp_before_a_wrap(void **state) {
    (void)state;
    const wf_stamp end = (wf_stamp)-1;
    const uint8_t *frame = record_late(end - 20, end - 10, (uint64_t)end + 6);
    assert_int_equal(stamp_of(frame), 5);
    assert_int_equal(wfi.wraps, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_follow),
        cmocka_unit_test(early_stamp_is_no_wrap),
        cmocka_unit_test(early_stamp_before_a_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
