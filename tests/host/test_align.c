// SPDX-License-Identifier: MIT
// Alignment of clocks: two targets whose clocks differ by 50 ppm and 3 s, received by one computer
// with random delays. In all runs the true time lies within the error, and no order is claimed
// wrongly. RUNS is the number of runs.

#include <math.h>

#include "wallfly_host/wf_align.h"
#include "wf_test.h"

enum { LANES = 2, SECONDS = 60, BLOCK_US = 10000, KINDS = 5 };
#define MS 1e6
#define S  1e9

static uint64_t state;

static double random_part(void) { // 0 to 1
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static double spread(double least, double most) { return least + (most - least) * random_part(); }

// ---- a simulated target: its clock, and the delays of its link

enum kind { UNIFORM, USB, TCP, SLOW_START, SLOW_LINK };
static const char *const kind_names[KINDS] = {"uniform", "USB frames", "TCP bursts", "slow start",
                                              "slow link"};

struct target {
    enum kind kind;
    double drift, offset; // true time of the computer: offset + (1 + drift) * x
    struct wf_align *align;
    struct wf_align_result result;
};

static double true_time(const struct target *t, double x) { return t->offset + x + t->drift * x; }

static double delay_of(enum kind kind, double at, double done) {
    switch (kind) {
    case UNIFORM: return spread(0.2 * MS, 1.2 * MS);
    case USB: return MS - fmod(at, MS) + spread(0.05 * MS, 0.2 * MS);
    case TCP: return spread(0.1 * MS, 0.5 * MS) + (random_part() < 0.3 ? spread(0, 40 * MS) : 0);
    case SLOW_START:
        return spread(0.3 * MS, 1.5 * MS) + (done < 0.15 ? spread(150 * MS, 400 * MS) : 0);
    case SLOW_LINK: return spread(3 * MS, 15 * MS);
    }
    return 0;
}

// Blocks arrive in their order.
static void receive(struct target *t) {
    double last = 0;
    for (double x = 0; x < SECONDS * S; x += spread(0.2, 1.8) * BLOCK_US * 1000) {
        double at = true_time(t, x), arrival = at + delay_of(t->kind, at, x / (SECONDS * S));
        if (arrival < last) arrival = last;
        last = arrival;
        wf_align_after(t->align, (int64_t)x, (int64_t)arrival);
    }
}

static void begin_run(struct target t[LANES], unsigned run) {
    state = 0x9E3779B97F4A7C15u * (run + 1);
    for (unsigned i = 0; i < LANES; ++i) {
        t[i] = (struct target){.kind = (run + i * (run / KINDS)) % KINDS};
        t[i].align = wf_align_open();
        assert_non_null(t[i].align);
        t[i].offset = spread(0, 10 * S);
        t[i].drift = spread(-100e-6, 100e-6);
    }
    t[1].offset = t[0].offset + 3 * S;
    t[1].drift = t[0].drift + 50e-6;
}

static void end_run(struct target t[LANES]) {
    for (unsigned i = 0; i < LANES; ++i) wf_align_close(t[i].align);
}

static unsigned runs(void) {
    const char *text = getenv("RUNS");
    return text ? (unsigned)strtoul(text, NULL, 10) : 100;
}

// ---- arrivals

struct figures {
    double error[KINDS], worst[KINDS];
    unsigned count[KINDS];
};

static void expect_true_time_within(struct target *t, double x, struct figures *f) {
    double truth = true_time(t, x);
    struct wf_align_time y = wf_align_to_y(t->align, (int64_t)x);
    assert_true(y.known && y.bounded);
    if (fabs((double)y.ns - truth) > (double)y.error_ns) {
        printf("%s: at %.3f s: %.0f ns off, stated %llu\n", kind_names[t->kind], x / S,
               (double)y.ns - truth, (unsigned long long)y.error_ns);
        fail();
    }
    struct wf_align_time back = wf_align_to_x(t->align, (int64_t)truth);
    assert_true(back.known && back.bounded);
    assert_true(fabs((double)back.ns - x) <= (double)back.error_ns + 1);
    if (x < 0 || x > SECONDS * S) return;
    f->error[t->kind] += (double)y.error_ns;
    f->worst[t->kind] = fmax(f->worst[t->kind], (double)y.error_ns);
    ++f->count[t->kind];
}

// Events of both targets at random moments, some of them close together.
static unsigned expect_no_wrong_order(struct target t[LANES]) {
    unsigned claims = 0;
    for (unsigned i = 0; i < 1000; ++i) {
        double y0 = t[1].offset + spread(0, (SECONDS - 10) * S);
        double y1 = y0 + spread(-1, 1) * (i % 2 ? 2 * MS : 200 * MS);
        struct wf_align_time a, b;
        a = wf_align_to_y(t[0].align, (int64_t)((y0 - t[0].offset) / (1 + t[0].drift)));
        b = wf_align_to_y(t[1].align, (int64_t)((y1 - t[1].offset) / (1 + t[1].drift)));
        int order = wf_align_order(&a, &b);
        if (order) assert_true((order < 0) == (y0 < y1));
        claims += order != 0;
    }
    return claims;
}

static void arrivals_bound_the_error(void **unused) {
    (void)unused;
    struct target t[LANES];
    struct figures f = {{0}, {0}, {0}};
    unsigned claims = 0;
    for (unsigned run = 0; run < runs(); ++run) {
        begin_run(t, run);
        for (unsigned i = 0; i < LANES; ++i) {
            receive(&t[i]);
            assert_int_equal(wf_align_solve(t[i].align, NULL, &t[i].result), WF_OK);
            assert_int_equal(t[i].result.basis, WF_ALIGN_ONE_WAY);
            assert_true(t[i].result.drift_min_ppm <= t[i].drift * 1e6);
            assert_true(t[i].result.drift_max_ppm >= t[i].drift * 1e6);
            for (double x = -0.5; x <= 1.5; x += 0.01)
                expect_true_time_within(&t[i], x * SECONDS * S, &f);
        }
        claims += expect_no_wrong_order(t);
        end_run(t);
    }
    for (unsigned i = 0; i < KINDS; ++i) {
        printf("%-10s error %.3f ms, at most %.3f ms\n", kind_names[i],
               f.error[i] / f.count[i] / MS, f.worst[i] / MS);
        assert_true(f.worst[i] < (i == SLOW_LINK ? 10 : i == TCP ? 12 : 2) * MS);
    }
    printf("%.0f %% of orders claimed\n", claims / 10.0 / runs());
    assert_true(claims > 300 * runs());
}

// A link whose shortest delay is far above the spread of its delays: this is not in the data.
static void a_stated_shortest_delay_counts(void **unused) {
    (void)unused;
    struct wf_align_options o = {.size = sizeof o, .shortest_ns = 50000000};
    struct wf_align_result r;
    struct wf_align *a = wf_align_open();
    state = 1;
    for (int i = 0; i < 5000; ++i) {
        int64_t x = i * INT64_C(10000000);
        wf_align_after(a, x, x + (int64_t)spread(45 * MS, 46 * MS));
    }
    assert_int_equal(wf_align_solve(a, &o, &r), WF_OK);
    assert_int_equal(r.basis, WF_ALIGN_STATED);
    for (int64_t x = 0; x < 50 * (int64_t)S; x += 100000000) {
        struct wf_align_time y = wf_align_to_y(a, x);
        assert_true(llabs(y.ns - x) <= (long long)y.error_ns);
    }
    wf_align_close(a);
}

// ---- both directions

static void both_directions_bound_without_an_assumption(void **unused) {
    (void)unused;
    double sum = 0;
    for (unsigned run = 0; run < runs(); ++run) {
        state = 77 + run;
        struct wf_align *a = wf_align_open();
        struct wf_align_result r;
        double drift = spread(-100e-6, 100e-6), offset = 3 * S, far = spread(5 * MS, 50 * MS);
        unsigned commands = run % 3 ? 400 : 3; // 3: all at the beginning
        for (int i = 0; i < 6000; ++i) {
            double x = i * 10 * MS, y = offset + x + drift * x;
            wf_align_after(a, (int64_t)x, (int64_t)(y + far + spread(0, 2 * MS)));
            if (run % 3 ? i % 15 == 0 : i < 3)
                wf_align_before(a, (int64_t)x, (int64_t)(y - far / 2 - spread(0, 3 * MS)));
        }
        assert_int_equal(wf_align_solve(a, NULL, &r), WF_OK);
        assert_int_equal(r.basis, WF_ALIGN_BOTH_WAYS);
        assert_int_equal(r.events, 6000 + commands);
        for (double x = -10 * S; x < 80 * S; x += S) {
            struct wf_align_time y = wf_align_to_y(a, (int64_t)x);
            assert_true(y.bounded);
            assert_true(fabs((double)y.ns - (offset + x + drift * x)) <= (double)y.error_ns);
        }
        sum += (double)wf_align_to_y(a, (int64_t)(30 * S)).error_ns / far;
        wf_align_close(a);
    }
    printf("error: %.2f of the shortest delay\n", sum / runs());
    assert_true(sum / runs() < 1);
}

static void contrary_events_give_no_result(void **unused) {
    (void)unused;
    struct wf_align *a = wf_align_open();
    struct wf_align_result r;
    for (int i = 0; i < 100; ++i) {
        wf_align_after(a, i * 1000, i * 1000);
        wf_align_before(a, i * 1000, i * 1000 + 10);
    }
    assert_int_equal(wf_align_solve(a, NULL, &r), WF_OK);
    assert_int_equal(r.basis, WF_ALIGN_CONTRARY);
    assert_false(wf_align_to_y(a, 5000).known);
    wf_align_close(a);
}

// ---- common moments

static void common_moments_bound_by_their_deviations(void **unused) {
    (void)unused;
    for (unsigned run = 0; run < runs(); ++run) {
        state = 1000 + run;
        struct wf_align *a = wf_align_open();
        struct wf_align_result r;
        double drift = spread(-200e-6, 200e-6), least = run % 2 ? -MS : 0;
        unsigned count = WF_ALIGN_SAME_MIN + run % 50;
        for (unsigned i = 0; i < count; ++i) {
            double x = spread(0, 60 * S);
            wf_align_same(a, (int64_t)x, (int64_t)(x - 3 * S + drift * x + spread(least, MS)));
        }
        assert_int_equal(wf_align_solve(a, NULL, &r), WF_OK);
        assert_int_equal(r.basis, WF_ALIGN_SAME);
        for (int64_t x = r.from; x < r.until; x += (int64_t)S) {
            struct wf_align_time y = wf_align_to_y(a, x);
            double truth = (double)x - 3 * S + drift * (double)x;
            assert_true(fabs((double)y.ns - truth) <= (double)y.error_ns);
            assert_true(y.error_ns < 5 * MS);
        }
        wf_align_close(a);
    }
}

static void few_common_moments_have_no_known_error(void **unused) {
    (void)unused;
    struct wf_align *a = wf_align_open();
    struct wf_align_result r;
    assert_int_equal(wf_align_solve(a, NULL, &r), WF_OK);
    assert_int_equal(r.basis, WF_ALIGN_NOTHING);
    wf_align_same(a, 1000, 5000);
    assert_int_equal(wf_align_solve(a, NULL, &r), WF_OK);
    assert_int_equal(r.basis, WF_ALIGN_ONE);
    struct wf_align_time y = wf_align_to_y(a, 1500), other = {true, true, 99999, 1};
    assert_true(y.known && !y.bounded);
    assert_int_equal(y.ns, 5500);
    assert_int_equal(wf_align_to_x(a, 5500).ns, 1500);
    assert_int_equal(wf_align_order(&y, &other), 0);
    wf_align_same(a, 1001000, 1005100);
    assert_int_equal(wf_align_solve(a, NULL, &r), WF_OK);
    assert_int_equal(r.basis, WF_ALIGN_FEW);
    assert_int_equal(wf_align_to_y(a, 501000).ns, 505050);
    assert_true(fabs(r.drift_ppm - 100) < 1);
    wf_align_close(a);
}

static void too_few_blocks_and_wild_times_give_no_result(void **unused) {
    (void)unused;
    struct wf_align *a = wf_align_open();
    struct wf_align_result r;
    for (int i = 0; i < 20; ++i) wf_align_after(a, i, i);
    wf_align_after(a, INT64_MAX, 5);
    wf_align_before(a, 5, INT64_MIN);
    assert_int_equal(wf_align_solve(a, NULL, &r), WF_OK);
    assert_int_equal(r.basis, WF_ALIGN_NOTHING);
    assert_int_equal(r.events, 20);
    assert_false(wf_align_to_y(a, INT64_MAX).known);
    wf_align_close(a);
}

static void many_blocks_do_not_change_the_result(void **unused) {
    (void)unused;
    struct wf_align *a = wf_align_open();
    struct wf_align_result r;
    state = 5;
    for (int i = 0; i < 1000000; ++i) {
        int64_t x = i * INT64_C(1000000);
        wf_align_after(a, x, x + x / 20000 + (int64_t)spread(0.1 * MS, MS));
    }
    assert_int_equal(wf_align_solve(a, NULL, &r), WF_OK);
    struct wf_align_time y = wf_align_to_y(a, INT64_C(500000000000));
    assert_true(llabs(y.ns - INT64_C(500025000000)) <= (long long)y.error_ns);
    assert_true(y.error_ns < MS);
    assert_true(r.drift_max_ppm - r.drift_min_ppm < 2);
    wf_align_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrivals_bound_the_error),
        cmocka_unit_test(a_stated_shortest_delay_counts),
        cmocka_unit_test(both_directions_bound_without_an_assumption),
        cmocka_unit_test(contrary_events_give_no_result),
        cmocka_unit_test(common_moments_bound_by_their_deviations),
        cmocka_unit_test(few_common_moments_have_no_known_error),
        cmocka_unit_test(too_few_blocks_and_wild_times_give_no_result),
        cmocka_unit_test(many_blocks_do_not_change_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
