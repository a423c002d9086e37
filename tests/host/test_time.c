// SPDX-License-Identifier: MIT
// Ticks to nanoseconds: exact for any rate, far away too, and across changes of the rate.

#include "wf_test.h"
#include "wallfly_host/wf_time.h"

__extension__ typedef unsigned __int128 wide;

static void rates(void **state) {
    (void)state;
    static const uint64_t hz[] = {1,          3,          32768,          48000000,
                                  1000000000, 2995000000, 18446744073ull, 40000000000ull};
    for (unsigned i = 0; i < sizeof hz / sizeof *hz; ++i) {
        struct wf_scale s = {0};
        wf_scale_set(&s, hz[i], 1234);
        for (uint64_t n = 0; n < 200; ++n) {
            uint64_t tick = n * n * n * n * n * 7919;
            wide exact = (wide)tick * 1000000000 / hz[i];
            if (exact > INT64_MAX) break;
            assert_int_equal(wf_scale_ns(&s, tick), (uint64_t)exact);
        }
    }
}

static void without_a_rate_a_tick_is_a_nanosecond(void **state) {
    (void)state;
    struct wf_scale s = {0};
    assert_int_equal(wf_scale_ns(&s, 77), 77);
    assert_int_equal(wf_scale_ns(&s, UINT64_MAX), INT64_MAX);
    wf_scale_set(&s, 1000, 77); // the rate was there all the time, but told late
    assert_int_equal(wf_scale_ns(&s, 77), 77000000);
}

static void a_new_rate_goes_on(void **state) {
    (void)state;
    struct wf_scale s = {0};
    wf_scale_set(&s, 1000, 0);
    wf_scale_set(&s, 1000000, 5000);
    assert_int_equal(wf_scale_ns(&s, 5000), 5000000000);
    assert_int_equal(wf_scale_ns(&s, 5001), 5000001000);
    assert_int_equal(wf_scale_ns(&s, 4999), 4999999000); // a late record
    assert_int_equal(wf_scale_ns(&s, 0), 4995000000);
    wf_scale_set(&s, 1000000, 9000); // the same one again
    assert_int_equal(wf_scale_ns(&s, 9000), 5004000000);
    assert_int_equal(wf_scale_ns(&s, UINT64_MAX), INT64_MAX);
    wf_scale_set(&s, 2000000, UINT64_MAX);
    assert_int_equal(wf_scale_ns(&s, UINT64_MAX), INT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates),
        cmocka_unit_test(without_a_rate_a_tick_is_a_nanosecond),
        cmocka_unit_test(a_new_rate_goes_on),
    };
    return cmocka_run_group_tests_name("time", tests, NULL, NULL);
}
