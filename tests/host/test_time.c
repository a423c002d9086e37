// SPDX-License-Identifier: MIT
// Ticks to nanoseconds: exact for any rate, also far from the start, and across changes of the
// rate; seconds to ticks.

#include <float.h>
#include <math.h>

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
    wf_scale_set(&s, 1000, 77); // the rate was valid from the start, but reported late
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
    wf_scale_set(&s, 1000000, 9000); // the same rate again
    assert_int_equal(wf_scale_ns(&s, 9000), 5004000000);
    assert_int_equal(wf_scale_ns(&s, UINT64_MAX), INT64_MAX);
    wf_scale_set(&s, 2000000, UINT64_MAX);
    assert_int_equal(wf_scale_ns(&s, UINT64_MAX), INT64_MAX);
}

static void the_next_tick(void **state) {
    (void)state;
    static const struct {
        double seconds;
        uint64_t hz, tick;
    } rows[] = {
        {0, 1000, 0},
        {1.5, 1000, 1500},
        {0.00049, 1000, 0},
        {0.0005, 1000, 1},
        {77.4, 0, 77}, // ticks
        {2.0e9, 3000000000u, 6000000000000000000u},
        {1e30, 1, UINT64_MAX},
        {INFINITY, 1000, UINT64_MAX},
        {-1, 1000, 0},
        {-INFINITY, 0, 0},
        {NAN, 1000, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i)
        assert_int_equal(wf_time_to_ticks(rows[i].seconds, rows[i].hz), rows[i].tick);
    if (LDBL_MANT_DIG >= 64) // more bits than a double has
        assert_int_equal(wf_time_to_ticks(9007199254740991.0, 2047),
                         UINT64_C(18437736874454808577));
    // A tick's time converts back to the same tick.
    for (uint64_t tick = 1; tick < UINT64_C(1) << 50; tick = 3 * tick + 1)
        assert_int_equal(wf_time_to_ticks((double)tick / 48e6, 48000000), tick);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates),
        cmocka_unit_test(without_a_rate_a_tick_is_a_nanosecond),
        cmocka_unit_test(a_new_rate_goes_on),
        cmocka_unit_test(the_next_tick),
    };
    return cmocka_run_group_tests_name("time", tests, NULL, NULL);
}
