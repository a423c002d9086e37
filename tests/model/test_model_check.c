// SPDX-License-Identifier: MIT
// Random schedules of the simulated kernel, whole and with frames lost: a verdict never contradicts
// the truth, which is measured from the kernel's own events. Usage: model_check [SEEDS]

#include "truth.h"
#include "wallfly_host/wf_check.h"

enum { RULES = 24, LOST = 3, SHORT = 600 };

static unsigned from_tick; // begin of the range, since the first tick
static struct wf_check_rule rules[RULES];
static unsigned count;
static struct expected {
    bool broken, measured;
    const char *what;
} expected[RULES];
static char names[RULES][2][32];
static const char *events[RULES][2];
// By rule and verdict, whole and with losses.
static unsigned verdicts[2][RULES][3];

// ---- rules and their truth

static struct wf_check_rule *new_rule(enum wf_check_kind kind, const char *what) {
    struct wf_check_rule *r = &rules[count];
    assert_true(count < RULES);
    *r = (struct wf_check_rule){.size = sizeof *r, .kind = kind, .core = -1};
    expected[count++] = (struct expected){.what = what};
    return r;
}

static struct wf_check_bound bound_of(double ticks) {
    return (struct wf_check_bound){true, ticks / 1000000};
}

static int compare(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static const char *task_pattern(int task) {
    snprintf(names[count][0], sizeof names[count][0], "task%d.*", task);
    return names[count][0];
}

// A bound near the greatest values; of a percentile: between the median and them.
static uint64_t choose_limit(const uint64_t *values, unsigned n, bool percentile) {
    unsigned near = percentile ? n / 2 + rnd(n / 2 + 1) : n - 1 - rnd(3) % (n ? n : 1);
    if (!n) return 100;
    if (near >= n) near = n - 1;
    uint64_t limit = values[near] - (rnd(2) && values[near]);
    return rnd(3) ? limit : limit + rnd(300);
}

// allowed: the share of a percentile that may be above; 0: a maximum.
static void add_figure(enum wf_check_kind kind, enum truth_figure figure, bool of_task,
                       double allowed, const char *what) {
    static uint64_t values[TRUTH_MOST];
    unsigned n = 0, above = 0;
    int task = of_task ? (int)rnd(4) : -1;
    const char *pattern = of_task ? task_pattern(task) : NULL;
    uint64_t longest_open = 0;
    for (unsigned i = 0; i < truth.value_count; ++i) {
        const struct truth_value *v = &truth.values[i];
        if (v->figure != figure || (task >= 0 && v->task != task)) continue;
        if (v->from < truth.first + from_tick) continue;
        if (v->whole) values[n++] = v->value;
        if (!v->whole && v->value > longest_open) longest_open = v->value;
    }
    struct wf_check_rule *r = new_rule(kind, what);
    struct expected *e = &expected[count - 1];
    r->task = pattern;
    if (figure == TRUE_ALARMS) r->object = "*";
    qsort(values, n, sizeof *values, compare);
    uint64_t limit = choose_limit(values, n, allowed > 0);
    for (unsigned i = 0; i < n; ++i) above += values[i] > limit;
    struct wf_check_bound *b = allowed > 0.1 ? &r->p50 : allowed > 0 ? &r->p95 : &r->max;
    *b = kind == WF_CHECK_QUEUE ? (struct wf_check_bound){true, (double)limit}
                                : bound_of((double)limit);
    e->measured = n > 0;
    e->broken =
        allowed > 0 ? above > (unsigned)(allowed * n + 1e-9) : above || longest_open > limit;
}

static bool occurs(const struct truth_event *e, char verb, int task) {
    return e->verb == verb && e->task == task;
}

static const char *phrase(char *to, char verb, int task) {
    static const char *const words[256] = {['r'] = "runs",   ['s'] = "stops",  ['y'] = "ready",
                                           ['b'] = "blocks", ['d'] = "delays", ['t'] = "takes *"};
    if (verb == 'i')
        snprintf(to, 32, "%d begins", task);
    else
        snprintf(to, 32, "task%d.* %s", task, words[(unsigned char)verb]);
    return to;
}

static void set_events(struct wf_check_rule *r, char verb, int task, char next, int other) {
    unsigned i = (unsigned)(r - rules);
    events[i][0] = phrase(names[i][0], verb, task);
    events[i][1] = phrase(names[i][1], next, other);
    r->events = events[i];
    r->event_count = r->kind == WF_CHECK_ORDER ? 2 : 1;
    if (r->kind == WF_CHECK_AFTER) r->expect = events[i][1];
}

static unsigned times(char verb, int task) {
    unsigned n = 0;
    for (unsigned i = 0; i < truth.event_count; ++i) n += occurs(&truth.events[i], verb, task);
    return n;
}

static void add_never(char verb, int task) {
    struct wf_check_rule *r = new_rule(WF_CHECK_NEVER, "never");
    set_events(r, verb, task, verb, task);
    expected[count - 1].broken = times(verb, task) > 0;
    expected[count - 1].measured = true;
}

static void add_order(char verb, int task, char next, int other) {
    struct wf_check_rule *r = new_rule(WF_CHECK_ORDER, "order");
    struct expected *e = &expected[count - 1];
    int last = -1;
    set_events(r, verb, task, next, other);
    for (unsigned i = 0; i < truth.event_count; ++i) {
        int is = occurs(&truth.events[i], verb, task)    ? 0
                 : occurs(&truth.events[i], next, other) ? 1
                                                         : -1;
        if (is < 0) continue;
        e->broken |= is == last;
        last = is;
    }
    e->measured = times(verb, task) && times(next, other);
}

static uint64_t followed(unsigned from, char verb, int task) {
    for (unsigned i = from + 1; i < truth.event_count; ++i)
        if (occurs(&truth.events[i], verb, task)) return truth.events[i].tick;
    return UINT64_MAX;
}

static void add_after(char verb, int task, char next, int other) {
    struct wf_check_rule *r = new_rule(WF_CHECK_AFTER, "after");
    struct expected *e = &expected[count - 1];
    uint64_t longest = 1;
    set_events(r, verb, task, next, other);
    for (unsigned pass = 0, max = 0; pass < 2; ++pass) {
        for (unsigned i = 0; i < truth.event_count; ++i) {
            if (!occurs(&truth.events[i], verb, task)) continue;
            uint64_t from = truth.events[i].tick, to = followed(i, next, other);
            uint64_t took = (to == UINT64_MAX ? truth.last : to) - from;
            if (pass == 0 && to != UINT64_MAX && took > longest) longest = took;
            if (pass == 1 && took > max) e->broken = true;
        }
        max = (unsigned)longest - (rnd(2) ? rnd(20) % (unsigned)longest : 0);
        if (pass == 0) r->max = bound_of(max);
    }
    e->measured = times(verb, task) && times(next, other);
}

static void add_load(void) {
    struct wf_check_rule *r = new_rule(WF_CHECK_CPU, "cpu");
    struct expected *e = &expected[count - 1];
    int task = (int)rnd(4);
    unsigned window = 20 + rnd(200), ticks = (unsigned)(truth.last - truth.first), most;
    --count;
    r->task = task_pattern(task);
    ++count;
    most = truth_load(task, window);
    r->window_s = window / 1e6;
    r->max = (struct wf_check_bound){true, 100.0 * most / window - (rnd(2) ? 100.0 / window : 0)};
    if (r->max.value < 0) r->max.value = 0;
    if (rnd(3) == 0) r->max.value += 20;
    e->broken = 100.0 * most / window > r->max.value + 1e-9;
    // Until the first switch it is not recorded what runs: that may be too much.
    e->measured = e->broken && ticks > window && times('r', task);
}

static void add_inversion(void) {
    new_rule(WF_CHECK_NO_INVERSION, "no_inversion");
    for (unsigned i = 0; i < truth.value_count; ++i)
        expected[count - 1].broken |= truth.values[i].figure == TRUE_INVERSION;
    for (unsigned i = 0; i < truth.value_count; ++i)
        expected[count - 1].measured |= truth.values[i].figure == TRUE_INVERSION;
}

static void make_rules(void) {
    count = 0;
    add_figure(WF_CHECK_RESPONSE, TRUE_RESPONSE, rnd(2), 0, "response");
    add_figure(WF_CHECK_RESPONSE, TRUE_RESPONSE, rnd(2), 0.05, "response p95");
    add_figure(WF_CHECK_START, TRUE_START, rnd(2), 0, "start");
    add_figure(WF_CHECK_PERIOD, TRUE_PERIOD, rnd(2), 0, "period");
    add_figure(WF_CHECK_HOLD, TRUE_HOLD, rnd(2), 0, "hold");
    add_figure(WF_CHECK_HOLD, TRUE_HOLD, false, 0.5, "hold p50");
    add_figure(WF_CHECK_WAIT, TRUE_WAIT, rnd(2), 0, "wait");
    add_figure(WF_CHECK_WAIT, TRUE_WAIT, false, 0.5, "wait p50");
    add_figure(WF_CHECK_SPAN, TRUE_SPAN, rnd(2), 0, "span");
    add_figure(WF_CHECK_IRQ, TRUE_IRQ, false, 0, "irq");
    add_figure(WF_CHECK_IRQ, TRUE_IRQ, false, 0.5, "irq p50");
    add_figure(WF_CHECK_PERIOD, TRUE_ALARMS, false, 0, "period of timers");
    if (from_tick) return;
    add_figure(WF_CHECK_QUEUE, TRUE_COUNT, false, 0, "queue");
    add_never('i', 14 + (int)rnd(4));
    add_never('d', (int)rnd(K_TASKS));
    add_order('r', (int)rnd(6), 's', (int)rnd(6));
    int task = (int)rnd(6);
    add_order('r', task, 's', task);
    add_after('y', task, 'r', task);
    add_after('r', task, 's', task);
    add_after('i', 16, 'i', 17);
    add_after('r', task, 't', task);
    add_load();
    add_inversion();
}

// ---- checks

static void lose_frames(struct wf_session *s, struct wf_check *c, unsigned holes) {
    struct wf_item item;
    unsigned at[LOST], len[LOST];
    for (unsigned i = 0; i < holes; ++i) {
        at[i] = trace.first_safe + 1 + rnd(trace.frames - trace.first_safe - 60);
        len[i] = 1 + rnd(rnd(2) ? 3 : 40);
    }
    for (unsigned i = 0; i < trace.frames; ++i) {
        size_t end = i + 1 < trace.frames ? trace.frame[i + 1] : trace.len;
        bool lost = false;
        for (unsigned h = 0; h < holes; ++h) lost |= i >= at[h] && i < at[h] + len[h];
        if (lost) continue;
        wf_session_feed(s, trace.bytes + trace.frame[i], end - trace.frame[i]);
        while (wf_session_next(s, &item)) wf_check_take(c, &item);
    }
    wf_session_end(s);
    while (wf_session_next(s, &item)) wf_check_take(c, &item);
    wf_check_end(c);
}

static void show(const struct wf_check_result *is) {
    for (unsigned k = 0; k < is->kept; ++k)
        printf("  from %lu to %lu, record %lu: %s\n", (unsigned long)is->failures[k].from,
               (unsigned long)is->failures[k].to, (unsigned long)is->failures[k].record,
               is->failures[k].text);
}

static void compare_verdict(unsigned i, const struct wf_check_result *is, bool whole) {
    const struct expected *e = &expected[i];
    bool wrong = is->verdict == WF_CHECK_PASSED   ? e->broken
                 : is->verdict == WF_CHECK_FAILED ? !e->broken
                                                  : whole && e->measured;
    ++verdicts[whole][i][is->verdict];
    if (!wrong) return;
    show(is);
    fail_msg("seed %u, %s, rule %u %s (%s, %s; max %g): %s, %s: %s; %s", trace.kernel.options.seed,
             whole ? "whole" : "with losses", i, e->what, rules[i].task ? rules[i].task : "",
             rules[i].event_count ? rules[i].events[0] : "", rules[i].max.value * 1e6,
             e->broken ? "broken" : "kept", wf_check_verdicts[is->verdict], is->text,
             is->kept ? is->failures[0].text : "");
}

static void check_trace(unsigned holes) {
    struct wf_session_options options = {.size = sizeof options};
    struct wf_check_options o = {.size = sizeof o,
                                 .priorities = WF_PRIORITIES_HIGH,
                                 .has_from = from_tick > 0,
                                 .from_s = from_tick / 1e6};
    struct wf_error error;
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_check *c = wf_check_open(s, rules, count, &o, &error);
    if (!c) fail_msg("%s", error.text);
    lose_frames(s, c, holes);
    assert_int_equal(wf_check_error(c), WF_OK);
    for (unsigned i = 0; i < count; ++i) {
        struct wf_check_result result;
        wf_check_result(c, i, &result);
        compare_verdict(i, &result, holes == 0);
    }
    wf_check_close(c);
    wf_session_close(s);
}

static void no_verdict_is_wrong(void **state) {
    (void)state;
    unsigned decided = 0, all = 0;
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        truth_record(seed, seed % 2 ? EVENTS : SHORT);
        from_tick = seed % 4 == 0 ? 300 + rnd(300) : 0;
        make_rules();
        check_trace(0);
        for (unsigned i = 1; i <= LOST; ++i) check_trace(i);
    }
    from_tick = 0;
    make_rules(); // for their names
    for (unsigned i = 0; i < count; ++i) {
        unsigned(*v)[RULES][3] = verdicts;
        printf("%-18s whole: %3u pass, %3u fail, %3u cannot tell; with losses: %3u, %3u, %3u\n",
               expected[i].what, v[1][i][0], v[1][i][1], v[1][i][2], v[0][i][0], v[0][i][1],
               v[0][i][2]);
        decided += v[0][i][0] + v[0][i][1];
        all += v[0][i][0] + v[0][i][1] + v[0][i][2];
        assert_true(v[1][i][0] + v[1][i][1] > seeds / 4);
    }
    printf("decided with losses: %u of %u\n", decided, all);
    assert_true(decided * 10 > all * 3);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_verdict_is_wrong)};
    seeds = 200;
    read_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
