// SPDX-License-Identifier: MIT
// The statistics of comparisons, on random schedules: runs of the same program with other seeds
// give an alarm in at most one of a hundred pairs; a task that is slower by 10 % is found and comes
// first. PAIRS and SEEDS are their numbers; `make test-long` takes 1000 pairs of each kind.

#include "wallfly_host/wf_diff.h"
#include "wf_test_profile.h"

static unsigned number_of(const char *name, unsigned otherwise) {
    const char *text = getenv(name);
    return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static struct wf_diff_figure leading_figure(const struct schedule *a, const struct schedule *b) {
    static char name[64];
    struct wf_profile *good = profile_of(a), *now = profile_of(b);
    struct wf_diff *d = wf_diff_open(good, now, NULL, NULL);
    struct wf_diff_figure f;
    size_t at = 0;
    assert_non_null(d);
    assert_true(wf_diff_next(d, &at, &f));
    snprintf(name, sizeof name, "%s", f.name ? f.name : "");
    f.name = name;
    snprintf(name + 32, 32, "%s", f.figure);
    f.figure = name + 32;
    wf_diff_close(d);
    wf_profile_close(good);
    wf_profile_close(now);
    return f;
}

// ---- false alarms

// At most one of a hundred; of few pairs, as many as such a chance gives with 99 % at most.
static void expect_few_alarms(const char *what, const struct schedule *like) {
    unsigned pairs = number_of("PAIRS", 60), alarms = 0;
    struct schedule a = *like, b = *like;
    for (unsigned i = 0; i < pairs; ++i) {
        a.seed = 2 * i + 1;
        b.seed = 2 * i + 2;
        struct wf_diff_figure f = leading_figure(&a, &b);
        if (f.verdict != WF_DIFF_CHANGED) continue;
        ++alarms;
        printf("%s: seed %u: %s of %s\n", what, a.seed, f.figure, f.name);
    }
    printf("%s: %u alarms of %u pairs\n", what, alarms, pairs);
    assert_true(alarms <= (pairs >= 1000 ? pairs / 100 : 3));
}

static void equal_runs_give_no_alarms(void **unused) {
    (void)unused;
    const struct schedule o = {.ticks = 1500000};
    expect_few_alarms("independent", &o);
}

static void phases_of_load_give_no_alarms(void **unused) {
    (void)unused;
    const struct schedule o = {.ticks = 1500000, .phases = 0.1};
    expect_few_alarms("phases of load", &o);
}

static void constant_times_give_no_alarms(void **unused) {
    (void)unused;
    struct schedule o = {.ticks = 1500000, .constant = true};
    expect_few_alarms("constant times", &o);
    o.sporadic_irq = true;
    expect_few_alarms("constant times and a random interrupt", &o);
}

// ---- changes that must be found

static void a_task_slower_by_a_tenth_comes_first(void **unused) {
    (void)unused;
    static const unsigned tasks[] = {0, 1, 3, 6};
    unsigned seeds = number_of("SEEDS", 50);
    for (unsigned i = 0; i < seeds; ++i) {
        unsigned task = tasks[i % 4];
        struct schedule a = {.seed = 1000 + 2 * i, .ticks = 4000000}, b = a;
        ++b.seed;
        b.execution[task] = 1.1;
        struct wf_diff_figure f = leading_figure(&a, &b);
        bool named = f.name[0] == 't' && f.name[1] == (char)('0' + task);
        if (f.verdict != WF_DIFF_CHANGED || !named || strcmp(f.figure, "execution") != 0)
            fail_msg("seed %u: %s of %s", a.seed, f.figure, f.name);
    }
}

static void losses_and_rows_come_first(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < number_of("SEEDS", 50) / 5; ++i) {
        struct schedule a = {.seed = 2 * i + 1, .ticks = 2000000, .lost = 10}, b = a;
        ++b.seed;
        b.lost = 50;
        assert_string_equal(leading_figure(&a, &b).figure, "lost");
        a.lost = b.lost = 0;
        b.tasks = 7;
        struct wf_diff_figure f = leading_figure(&a, &b);
        assert_true(f.presence == WF_DIFF_VANISHED && strcmp(f.name, "t7") == 0);
        f = leading_figure(&b, &a);
        assert_true(f.presence == WF_DIFF_NEW && strcmp(f.name, "t7") == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_runs_give_no_alarms),
        cmocka_unit_test(phases_of_load_give_no_alarms),
        cmocka_unit_test(constant_times_give_no_alarms),
        cmocka_unit_test(a_task_slower_by_a_tenth_comes_first),
        cmocka_unit_test(losses_and_rows_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
