// SPDX-License-Identifier: MIT
// Spreads against exact figures of the same values, sorted: counts, sums, minimum and maximum
// exactly, percentiles within the bound stated in the header, for distributions of many shapes.

#include <stdlib.h>

#include "wallfly_host/wf_stats.h"
#include "wf_test.h"

enum { COUNT = 20000 };

static uint64_t state = 88172645463325252u;

static uint64_t any(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static uint64_t even(void) { return any() % 1000000; }
static uint64_t small(void) { return any() % 100; }
static uint64_t wide(void) { return any() >> any() % 64; }
static uint64_t one(void) { return 123456789; }
static uint64_t two_heaps(void) { return any() % 10 ? 5000 + any() % 50 : 9000000 + any() % 999; }
static uint64_t steep(void) { return 1000000 / (1 + any() % 100000); }
static uint64_t powers(void) { return (UINT64_C(1) << any() % 60) - any() % 2; }

static uint64_t (*const shapes[])(void) = {even, small, wide, one, two_heaps, steep, powers};

static int by_value(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static uint64_t values[COUNT];

static void check_quantiles(const struct wf_histogram *s, size_t count) {
    for (unsigned q = 0; q <= 1000; ++q) {
        size_t rank = (count * q + 999) / 1000;
        uint64_t exact = values[rank ? rank - 1 : 0], is = wf_histogram_quantile(s, q);
        uint64_t off = is > exact ? is - exact : exact - is;
        if (off > exact / WF_HISTOGRAM_PARTS + (exact % WF_HISTOGRAM_PARTS != 0))
            fail_msg("quantile %u of %zu: %llu, not %llu", q, count, (unsigned long long)is,
                     (unsigned long long)exact);
        if (exact < WF_HISTOGRAM_PARTS) assert_int_equal(is, exact);
    }
}

static void check_shape(uint64_t (*shape)(void), size_t count) {
    struct wf_histogram s = {0};
    uint64_t low = 0, high = 0;
    for (size_t i = 0; i < count; ++i) {
        values[i] = shape();
        low += values[i];
        high += low < values[i];
        assert_true(wf_histogram_add(&s, values[i]));
    }
    qsort(values, count, sizeof *values, by_value);
    assert_int_equal(s.count, count);
    assert_int_equal(s.min, values[0]);
    assert_int_equal(s.max, values[count - 1]);
    assert_int_equal(s.sum[0], low);
    assert_int_equal(s.sum[1], high);
    check_quantiles(&s, count);
    wf_histogram_close(&s);
}

static void percentiles_are_within_the_bound(void **unused) {
    (void)unused;
    static const size_t counts[] = {1, 2, 3, 19, 20, 21, 100, 101, 999, 1000, 1001, COUNT};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        for (unsigned n = 0; n < sizeof counts / sizeof *counts; ++n)
            check_shape(shapes[i], counts[n]);
    }
}

static void the_ends_of_64_bits(void **unused) {
    (void)unused;
    struct wf_histogram s = {0};
    assert_true(wf_histogram_quantile(&s, 500) == 0 && wf_histogram_mean(&s) == 0);
    for (unsigned i = 0; i < 3; ++i) assert_true(wf_histogram_add(&s, UINT64_MAX));
    assert_true(wf_histogram_add(&s, 0));
    assert_int_equal(s.sum[1], 2);
    assert_int_equal(s.sum[0], UINT64_MAX - 2);
    assert_true(wf_histogram_quantile(&s, 990) == UINT64_MAX);
    assert_int_equal(wf_histogram_quantile(&s, 250), 0);
    double mean = wf_histogram_mean(&s), is = 0.75 * 18446744073709551615.0;
    assert_true(mean > is * (1 - 1e-15) && mean < is * (1 + 1e-15));
    wf_histogram_close(&s);
}

// Parts of any size, many of one value, some empty: joined they equal the whole.
static void parts_join_to_the_whole(void **unused) {
    (void)unused;
    static const size_t sizes[] = {1, 2, 7, 300};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        for (unsigned n = 0; n < sizeof sizes / sizeof *sizes; ++n) {
            struct wf_histogram whole = {0}, joined = {0}, part = {0};
            for (size_t k = 0; k < 1500; ++k) {
                uint64_t value = shapes[i]();
                assert_true(wf_histogram_add(&whole, value) && wf_histogram_add(&part, value));
                if ((k + 1) % sizes[n]) continue;
                assert_true(wf_histogram_join(&joined, &part));
                wf_histogram_close(&part);
                part = (struct wf_histogram){0};
                assert_true(wf_histogram_join(&joined, &part)); // an empty part
            }
            assert_true(wf_histogram_join(&joined, &part));
            assert_int_equal(joined.count, whole.count);
            assert_int_equal(joined.min, whole.min);
            assert_int_equal(joined.max, whole.max);
            assert_memory_equal(joined.sum, whole.sum, sizeof whole.sum);
            for (unsigned mille = 1; mille <= 1000; ++mille)
                assert_int_equal(wf_histogram_quantile(&joined, mille),
                                 wf_histogram_quantile(&whole, mille));
            wf_histogram_close(&part);
            wf_histogram_close(&whole);
            wf_histogram_close(&joined);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_are_within_the_bound),
        cmocka_unit_test(parts_join_to_the_whole),
        cmocka_unit_test(the_ends_of_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
