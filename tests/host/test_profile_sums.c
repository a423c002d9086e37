// SPDX-License-Identifier: MIT
// Profiles from sums against a count of each value: the same counts and means, percentiles within
// their class; sums that do not fit each other are refused.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet.h"
#include "wallfly_host/wf_profile.h"

enum { BLOCKS = 20, VALUES = 500, CLASSES = 4096 };

static uint64_t seed = 11;
static uint64_t chance(uint64_t below) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

// The classes of some values.
struct classes {
    uint64_t number[CLASSES], count[CLASSES];
    struct wf_profile_sums sums;
};

static void count(struct classes *c, const uint64_t *values, size_t n) {
    static uint64_t all[CLASSES];
    memset(all, 0, sizeof all);
    c->sums = (struct wf_profile_sums){.kind = WF_STATS_TASK,
                                       .spread = WF_SPREAD_RESPONSE,
                                       .name = "control",
                                       .count = n,
                                       .least = UINT64_MAX};
    for (size_t i = 0; i < n; ++i) {
        ++all[wf_fleet_class_of(values[i])];
        c->sums.sum += values[i];
        if (values[i] < c->sums.least) c->sums.least = values[i];
        if (values[i] > c->sums.most) c->sums.most = values[i];
    }
    for (unsigned i = 0; i < CLASSES; ++i) {
        if (!all[i]) continue;
        c->number[c->sums.class_count] = i;
        c->count[c->sums.class_count++] = all[i];
    }
    c->sums.classes = c->number;
    c->sums.class_counts = c->count;
}

static struct wf_profile *open_profile(void) {
    struct wf_profile_block blocks[BLOCKS];
    struct wf_profile *p = wf_profile_open(NULL);
    for (unsigned b = 0; b < BLOCKS; ++b)
        blocks[b] = (struct wf_profile_block){1000000000 + b, 1000, b};
    assert_int_equal(wf_profile_put_lane(p, blocks, BLOCKS, NULL), WF_OK);
    return p;
}

static const struct wf_figure *only_figure(const struct wf_profile *p, struct wf_stats_row *row) {
    uint64_t at = 0;
    unsigned lane;
    assert_true(wf_profile_next(p, &at, &lane, row));
    assert_int_equal(row->kind, WF_STATS_TASK);
    assert_string_equal(row->name, "control");
    assert_int_equal(row->count, 1);
    assert_string_equal(row->figures[0].name, "response");
    return &row->figures[0];
}

static void expect_near(double got, double want) {
    if (fabs(got - want) > want / 64 + 1) fail_msg("%f is not near %f", got, want);
}

static void counts_are_those_of_the_values(void **state) {
    (void)state;
    struct wf_profile *p = open_profile();
    struct wf_histogram exact = {0};
    static uint64_t values[VALUES];
    static struct classes c;
    struct wf_stats_row row;
    struct wf_profile_lane lane;
    for (unsigned b = 0; b < BLOCKS; ++b) {
        const uint64_t scale = UINT64_C(1) << (b + 3);
        for (unsigned i = 0; i < VALUES; ++i) {
            values[i] = chance(scale) + b;
            assert_true(wf_histogram_add(&exact, values[i]));
        }
        count(&c, values, VALUES);
        c.sums.block = b;
        c.sums.open = 1;
        assert_int_equal(wf_profile_put_sums(p, &c.sums, NULL), WF_OK);
    }
    const struct wf_figure *f = only_figure(p, &row);
    assert_true(f->known && !row.marked && f->open == BLOCKS && f->count == BLOCKS * VALUES);
    assert_true(f->min == (double)exact.min && f->max == (double)exact.max);
    assert_true(f->mean == wf_histogram_mean(&exact));
    expect_near(f->p50, (double)wf_histogram_quantile(&exact, 500));
    expect_near(f->p95, (double)wf_histogram_quantile(&exact, 950));
    expect_near(f->p99, (double)wf_histogram_quantile(&exact, 990));
    assert_true(wf_profile_lane(p, 0, &lane) && lane.hz == 1000000000);
    assert_int_equal(lane.records, BLOCKS * 1000);
    assert_int_equal(lane.lost, BLOCKS * (BLOCKS - 1) / 2);
    wf_histogram_close(&exact);
    wf_profile_close(p);
}

// Saved and read again, it is the same.
static void they_are_saved_as_others(void **state) {
    (void)state;
    struct wf_profile *p = open_profile();
    static uint64_t values[] = {0, 5, 63, 64, 1000, 1001, UINT64_C(1) << 40};
    static struct classes c;
    struct wf_stats_row row, again;
    size_t len;
    count(&c, values, sizeof values / sizeof *values);
    c.sums.marked = true;
    assert_int_equal(wf_profile_put_sums(p, &c.sums, NULL), WF_OK);
    uint8_t *bytes = wf_profile_write(p, &len, NULL);
    struct wf_profile *read = wf_profile_read(bytes, len, NULL);
    assert_non_null(read);
    const struct wf_figure *a = only_figure(p, &row), *b = only_figure(read, &again);
    assert_true(row.marked && again.marked);
    assert_true(a->count == b->count && a->mean == b->mean && a->p50 == b->p50 && a->max == b->max);
    free(bytes);
    wf_profile_close(read);
    wf_profile_close(p);
}

static void expect_refused(struct wf_profile *p, const struct wf_profile_sums *sums) {
    struct wf_error error;
    assert_int_equal(wf_profile_put_sums(p, sums, &error), WF_ERR_USAGE);
    assert_string_equal(error.text, "sums of 'control' that do not fit each other");
}

static void sums_that_do_not_fit_are_refused(void **state) {
    (void)state;
    struct wf_profile *p = open_profile();
    static const uint64_t values[] = {100, 200, 30000}, order[] = {1, 1};
    static struct classes c;
    struct wf_profile_sums bad;
    count(&c, values, 3);
    bad = c.sums, bad.block = BLOCKS, expect_refused(p, &bad);
    bad = c.sums, bad.count = 4, expect_refused(p, &bad);
    bad = c.sums, bad.least = 300, expect_refused(p, &bad);
    bad = c.sums, bad.most = 1, expect_refused(p, &bad);
    bad = c.sums, bad.class_count = 2, bad.classes = order, expect_refused(p, &bad);
    bad = c.sums, bad.kind = WF_STATS_KINDS, expect_refused(p, &bad);
    c.number[2] = CLASSES, expect_refused(p, &c.sums);
    struct wf_profile_block none = {0};
    assert_int_equal(wf_profile_put_lane(p, &none, 1, NULL), WF_ERR_USAGE); // it has one
    wf_profile_close(p);
    p = wf_profile_open(NULL);
    expect_refused(p, &c.sums); // without a lane
    assert_int_equal(wf_profile_put_lane(p, &none, WF_PROFILE_BLOCKS + 1, NULL), WF_ERR_USAGE);
    wf_profile_close(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_values),
        cmocka_unit_test(they_are_saved_as_others),
        cmocka_unit_test(sums_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
