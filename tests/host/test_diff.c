// SPDX-License-Identifier: MIT
// Comparisons of profiles: verdicts, their order, losses, rows that come and go, and conditions.

#include "wallfly_host/wf_diff.h"
#include "wf_test_profile.h"

static const struct schedule usual = {.seed = 1, .ticks = 4000000};

static struct wf_profile *good, *now;
static struct wf_diff *d;

static void compare(const struct schedule *a, const struct schedule *b) {
    good = profile_of(a);
    now = profile_of(b);
    d = wf_diff_open(good, now, NULL, NULL);
    assert_non_null(d);
}

static void done(void) {
    wf_diff_close(d);
    wf_profile_close(good);
    wf_profile_close(now);
}

static struct wf_diff_figure first_figure(void) {
    struct wf_diff_figure f;
    size_t at = 0;
    assert_true(wf_diff_next(d, &at, &f));
    return f;
}

static bool same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

static struct wf_diff_figure figure_of(const char *name, const char *figure) {
    struct wf_diff_figure f;
    for (size_t at = 0; wf_diff_next(d, &at, &f);) {
        if (same(f.name, name) && same(f.figure, figure)) return f;
    }
    fail_msg("no figure %s of %s", figure, name);
    return f;
}

static struct wf_diff_about about(void) {
    struct wf_diff_about a;
    wf_diff_report(d, &a);
    return a;
}

// ---- verdicts

static void the_same_profile_has_no_changes(void **unused) {
    (void)unused;
    struct wf_diff_figure f;
    compare(&usual, &usual);
    assert_true(about().figures > 100 && about().measures > 300);
    assert_int_equal(about().verdicts[WF_DIFF_CHANGED] + about().verdicts[WF_DIFF_SMALL], 0);
    for (size_t at = 0; wf_diff_next(d, &at, &f);) {
        for (unsigned m = 0; m < WF_DIFF_MEASURES; ++m) {
            if (f.measures[m].known) assert_true(f.measures[m].effect == 0 && f.measures[m].p == 1);
        }
    }
    done();
}

static void a_slower_task_comes_first(void **unused) {
    (void)unused;
    struct schedule b = usual;
    b.seed = 2;
    b.execution[3] = 1.1;
    compare(&usual, &b);
    struct wf_diff_figure f = first_figure();
    assert_string_equal(f.name, "t3");
    assert_string_equal(f.figure, "execution");
    const struct wf_diff_change *c = &f.measures[f.leading];
    assert_true(f.verdict == WF_DIFF_CHANGED && f.leading == WF_DIFF_MEAN && c->p_all < 0.001);
    assert_true(c->effect > 8 && c->effect < 12 && c->good > 290e-6 && c->good < 312e-6);
    assert_true(f.moved > 0.5 && f.moved < 0.7); // 30 us each 5 ms
    assert_true(figure_of("t3", "cpu").verdict == WF_DIFF_CHANGED);
    done();
}

static void times_that_do_not_vary_show_any_change(void **unused) {
    (void)unused;
    struct schedule a = usual, b = usual;
    a.constant = b.constant = true;
    b.execution[6] = 1.02;
    compare(&a, &b);
    struct wf_diff_figure f = first_figure();
    assert_string_equal(f.name, "t6");
    assert_string_equal(f.figure, "execution");
    assert_true(isinf(f.measures[WF_DIFF_MEAN].noise) && f.measures[WF_DIFF_MEAN].p < 1e-9);
    done();
    b.execution[6] = 1.005; // below 1 %
    compare(&a, &b);
    assert_int_equal(figure_of("t6", "execution").verdict, WF_DIFF_SMALL);
    done();
}

static void a_longer_period_is_named(void **unused) {
    (void)unused;
    struct schedule b = usual;
    b.seed = 2;
    b.period[1] = 1.25;
    compare(&usual, &b);
    struct wf_diff_figure f = first_figure();
    assert_string_equal(f.name, "t1");
    assert_string_equal(f.figure, "period");
    assert_true(f.moved < -1.2 && f.moved > -1.7); // 150 us each 2 ms, a fifth less often
    f = figure_of("t1", "runs");
    assert_true(f.measures[WF_DIFF_RATE].effect < -15);
    done();
}

static void few_blocks_are_no_verdict(void **unused) {
    (void)unused;
    struct schedule a = usual, b = usual;
    a.ticks = b.ticks = 300;
    b.execution[0] = 2;
    compare(&a, &b);
    assert_int_equal(about().verdicts[WF_DIFF_CHANGED], 0);
    assert_int_equal(figure_of("t0", "execution").verdict, WF_DIFF_FEW);
    done();
}

static void traces_of_different_lengths_are_compared(void **unused) {
    (void)unused;
    struct schedule b = usual;
    b.seed = 2;
    b.ticks = 1000000;
    compare(&usual, &b);
    assert_int_equal(about().verdicts[WF_DIFF_CHANGED], 0);
    done();
    b.execution[1] = 1.2;
    compare(&usual, &b);
    assert_string_equal(first_figure().name, "t1");
    done();
}

// ---- rows and losses

static void new_and_vanished_tasks_come_first(void **unused) {
    (void)unused;
    struct schedule fewer = usual;
    fewer.tasks = 7;
    compare(&fewer, &usual);
    struct wf_diff_figure f = first_figure();
    assert_true(f.presence == WF_DIFF_NEW && f.verdict == WF_DIFF_CHANGED && same(f.name, "t7"));
    assert_true(isinf(f.measures[f.leading].effect) && f.measures[f.leading].good == 0);
    assert_true(about().new_rows > 0 && about().vanished_rows == 0);
    done();
    compare(&usual, &fewer);
    f = first_figure();
    assert_true(f.presence == WF_DIFF_VANISHED && f.verdict == WF_DIFF_CHANGED);
    assert_string_equal(f.name, "t7");
    assert_true(f.measures[f.leading].now == 0 && f.measures[f.leading].effect == -100);
    done();
}

static void losses_are_compared_and_mark_the_rest(void **unused) {
    (void)unused;
    struct schedule a = usual, b = usual;
    a.lost = 10;
    b.lost = 50;
    b.seed = 2;
    b.execution[3] = 1.5;
    compare(&a, &b);
    struct wf_diff_figure f = first_figure();
    assert_true(f.kind == WF_STATS_KINDS && same(f.figure, "lost"));
    assert_true(f.verdict == WF_DIFF_CHANGED && !f.marked && f.leading == WF_DIFF_SHARE);
    const struct wf_diff_change *c = &f.measures[WF_DIFF_SHARE];
    assert_true(c->good > 0.05 && c->good < 0.15 && c->now > 0.4 && c->now < 0.6);
    assert_int_equal(about().verdicts[WF_DIFF_CHANGED], 1);
    assert_int_equal(figure_of("t3", "execution").verdict, WF_DIFF_MARKED);
    done();
}

static void rates_must_be_known_on_both_sides(void **unused) {
    (void)unused;
    struct wf_error error;
    const struct wf_session_options none = {.size = sizeof none, .dialect = WF_DIALECT_WALLFLY};
    const struct wf_session_options twice = {
        .size = sizeof twice, .dialect = WF_DIALECT_WALLFLY, .hz = 2000000};
    const struct wf_stats_options stats = {.size = sizeof stats, .blocks = true};
    good = profile_of(&usual);
    now = profile_with(&usual, 0, &none, &stats);
    assert_null(wf_diff_open(good, now, NULL, &error));
    assert_true(error.code == WF_ERR_USAGE && strstr(error.text, "of the new trace is not known"));
    wf_profile_close(now);
    now = profile_with(&usual, 0, &twice, &stats);
    d = wf_diff_open(good, now, NULL, &error); // all times are half as long
    assert_non_null(d);
    struct wf_diff_figure f = figure_of("t0", "execution");
    assert_true(fabs(f.measures[WF_DIFF_MEAN].effect + 50) < 1e-6);
    assert_true(fabs(figure_of("t0", "cpu").measures[WF_DIFF_SHARE].effect) < 1e-6);
    const struct wf_diff_options bad = {.size = sizeof bad, .alarms = 2};
    assert_null(wf_diff_open(good, now, &bad, &error));
    done();
}

// ---- conditions

static void conditions_are_parsed(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *figure, *pattern;
        enum wf_diff_measure measure;
        bool relative;
        double limit;
    } rows[] = {
        {"response p99 +10 %", "response", "", WF_DIFF_P99, true, 10},
        {"response[control] p99 +10%", "response", "control", WF_DIFF_P99, true, 10},
        {" start_jitter[a b*]  max  +2.5 ms ", "start jitter", "a b*", WF_DIFF_MAX, false, 0.0025},
        {"execution +5 us", "execution", "", WF_DIFF_MEAN, false, 5e-6},
        {"cpu[comm] +1 pp", "cpu", "comm", WF_DIFF_SHARE, false, 1},
        {"lost +0.1 pp", "lost", "", WF_DIFF_SHARE, false, 0.1},
        {"runs[a] count -5 /s", "runs", "a", WF_DIFF_RATE, false, -5},
        {"stack_free -64 B", "stack free", "", WF_DIFF_VALUE, false, -64},
        {"depth max +3", "depth", "", WF_DIFF_MAX, false, 3},
        {"response p50 -20 %", "response", "", WF_DIFF_MEDIAN, true, -20},
        {"wait rate +2 %", "wait", "", WF_DIFF_RATE, true, 2},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct wf_diff_condition c;
        struct wf_error error;
        if (wf_diff_condition_parse(rows[i].text, &c, &error) != WF_OK) fail_msg("%s", error.text);
        assert_string_equal(c.figure, rows[i].figure);
        assert_string_equal(c.pattern, rows[i].pattern);
        assert_int_equal(c.measure, rows[i].measure);
        assert_int_equal(c.relative, rows[i].relative);
        assert_true(fabs(c.limit - rows[i].limit) < 1e-12);
    }
}

static void wrong_conditions_say_what_is_wrong(void **unused) {
    (void)unused;
    static const char *const rows[][2] = {
        {"", "does not begin with a figure"},
        {"reply p99 +10 %", "'reply p99 +10 %' does not begin with a figure"},
        {"response[] p99 +10 %", "'[] p99 +10 %' is not a pattern"},
        {"response[a p99 +10 %", "is not a pattern"},
        {"response p98 +10 %", "'p98 +10 %' does not begin with mean, median"},
        {"cpu p99 +10 %", "the figure 'cpu' has no such measure"},
        {"depth p99 +10 %", "has no percentiles"},
        {"response p99", "'' is not a limit"},
        {"response p99 10 %", "'10 %' is not a limit"},
        {"response p99 +10", "'+10' is not a limit: +10 %, or a time such as +2 ms"},
        {"response p99 +0 %", "is not a limit"},
        {"response p99 +1e3 %", "is not a limit"},
        {"response p99 +10 pp", "is not a limit"},
        {"response p99 +10 % more", "is not a limit"},
        {"lost +1", "'+1' is not a limit: +10 % of the good value, or points"},
        {"runs +1 ms", "or +5 /s"},
        {"\x1b[31mred", "'?[31mred'"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct wf_diff_condition c;
        struct wf_error error;
        assert_int_equal(wf_diff_condition_parse(rows[i][0], &c, &error), WF_ERR_USAGE);
        if (!strstr(error.text, rows[i][1])) fail_msg("%s: %s", rows[i][0], error.text);
    }
}

static enum wf_diff_answer judge(const char *text, unsigned *hits) {
    struct wf_diff_condition c;
    struct wf_diff_figure f;
    enum wf_diff_answer answer;
    assert_int_equal(wf_diff_condition_parse(text, &c, NULL), WF_OK);
    *hits = 0;
    for (size_t at = 0; wf_diff_condition_next(d, &c, &at, &f, &answer);) ++*hits;
    return answer;
}

static void expect_answer(const char *text, enum wf_diff_answer answer, unsigned hits) {
    unsigned count;
    enum wf_diff_answer is = judge(text, &count);
    if (is != answer || count != hits) fail_msg("%s: answer %d, %u hits", text, is, count);
}

static void conditions_are_judged(void **unused) {
    (void)unused;
    struct schedule b = usual;
    b.seed = 2;
    b.execution[3] = 1.2;
    compare(&usual, &b);
    expect_answer("execution +10 %", WF_DIFF_FAILS, 1);
    expect_answer("execution +30 %", WF_DIFF_HOLDS, 0);
    expect_answer("execution -10 %", WF_DIFF_HOLDS, 0);
    expect_answer("execution[t3] mean +50 us", WF_DIFF_FAILS, 1);
    expect_answer("execution[t3] mean +70 us", WF_DIFF_HOLDS, 0);
    expect_answer("execution[t*] +10 %", WF_DIFF_FAILS, 1);
    expect_answer("execution[*3] p95 +10 %", WF_DIFF_FAILS, 1);
    expect_answer("execution[t2] +10 %", WF_DIFF_HOLDS, 0);
    expect_answer("execution[none] +10 %", WF_DIFF_NO_FIGURE, 0);
    expect_answer("cpu[t3] +1 pp", WF_DIFF_FAILS, 1);
    expect_answer("lost +1 pp", WF_DIFF_HOLDS, 0);
    expect_answer("response[t7] max +1 %", WF_DIFF_HOLDS, 0); // by chance
    done();
    b.lost = 50;
    compare(&usual, &b);
    expect_answer("execution[t3] +10 %", WF_DIFF_CANNOT_TELL, 1);
    expect_answer("execution[t2] +50 %", WF_DIFF_CANNOT_TELL, 1);
    expect_answer("lost +0.1 pp", WF_DIFF_FAILS, 1);
    done();
    b.lost = 0;
    b.ticks = 8000; // two values
    compare(&b, &usual);
    expect_answer("execution[t3] -1 %", WF_DIFF_CANNOT_TELL, 1);
    done();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_profile_has_no_changes),
        cmocka_unit_test(a_slower_task_comes_first),
        cmocka_unit_test(times_that_do_not_vary_show_any_change),
        cmocka_unit_test(a_longer_period_is_named),
        cmocka_unit_test(few_blocks_are_no_verdict),
        cmocka_unit_test(traces_of_different_lengths_are_compared),
        cmocka_unit_test(new_and_vanished_tasks_come_first),
        cmocka_unit_test(losses_are_compared_and_mark_the_rest),
        cmocka_unit_test(rates_must_be_known_on_both_sides),
        cmocka_unit_test(conditions_are_parsed),
        cmocka_unit_test(wrong_conditions_say_what_is_wrong),
        cmocka_unit_test(conditions_are_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
