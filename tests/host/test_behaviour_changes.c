// SPDX-License-Identifier: MIT
// What changes between two small traces, and what is no change.

#include "wf_test_behaviour.h"

// One trace of a: in each of `times` rounds it takes q, and m and n in one order or the other.
// swapped: rounds with the other order begin here. lost: a hole in each round from here on.
static struct wf_behaviour *locks(unsigned times, unsigned swapped, unsigned until, unsigned lost) {
    struct wf_behaviour *before = all;
    begin();
    objects();
    create(2, A, "a");
    AT(3, "task_switch", A, LEFT, 0);
    for (unsigned i = 0; i < times; ++i) {
        bool other = i >= swapped && i < until;
        uint64_t t = 10 + 20 * i;
        AT(t, "queue_receive", Q, A, 1);
        AT(t + 1, "mutex_take", other ? N : M, A, 1);
        AT(t + 2, "mutex_take", other ? M : N, A, 1);
        AT(t + 3, "mutex_give", other ? M : N, A, 0);
        AT(t + 4, "mutex_give", other ? N : M, A, 0);
        AT(t + 5, "queue_receive_wait", Q, A);
        AT(t + 6, "task_switch", 0, BLOCKED, 0);
        if (i >= lost) ++b->stream.seq;
        AT(t + 9, "task_ready", A, 0);
        AT(t + 10, "task_switch", A, LEFT, 0);
        if (b->stream.len > sizeof b->stream.bytes - 4096) feed_all();
    }
    end();
    struct wf_behaviour *made = all;
    all = before;
    return made;
}

static struct wf_behaviour_diff *compare(struct wf_behaviour *good, struct wf_behaviour *now) {
    const struct wf_behaviour_compare_options options = {.size = sizeof options};
    struct wf_behaviour_diff *d = wf_behaviour_compare(good, now, &options, NULL);
    assert_non_null(d);
    wf_behaviour_close(good);
    wf_behaviour_close(now);
    return d;
}

static void an_order_of_locks_changes(void **unused) {
    (void)unused;
    struct wf_behaviour_difference c;
    size_t at = 0;
    struct wf_behaviour_diff *d = compare(locks(400, 400, 400, 400), locks(400, 100, 400, 400));
    assert_true(wf_behaviour_diff_next(d, &at, &c));
    assert_int_equal(c.kind, WF_BEHAVIOUR_LOCK_ORDER);
    assert_int_equal(c.certainty, WF_BEHAVIOUR_CHANGED);
    // Run 1 lasts from the creation to the first take; 100 good ones follow.
    assert_string_equal(c.text,
                        "`a` takes `n` before `m`, first in run 102; before, always after it");
    assert_int_equal(c.sides[0].count, 0);
    assert_int_equal(c.sides[1].count, 300);
    assert_int_equal(c.sides[1].first.tick, 10 + 20 * 100);
    // The new order stands opposite to the good one.
    bool good = false, now = false;
    for (unsigned i = 0; i < c.sides[0].line_count; ++i)
        good |= strstr(c.sides[0].lines[i].text, "takes `m`, takes `n`") != NULL;
    for (unsigned i = 0; i < c.sides[1].line_count; ++i) {
        bool other = strstr(c.sides[1].lines[i].text, "takes `n`, takes `m`") != NULL;
        assert_true(other == c.sides[1].lines[i].changed);
        now |= other;
    }
    assert_true(good && now);
    while (wf_behaviour_diff_next(d, &at, &c)) assert_int_equal(c.because_of, 0);
    wf_behaviour_diff_close(d);
}

static void a_single_reversed_nest_is_a_change(void **unused) {
    (void)unused;
    struct wf_behaviour_difference c;
    size_t at = 0;
    struct wf_behaviour_diff *d = compare(locks(400, 400, 400, 400), locks(400, 7, 8, 400));
    assert_true(wf_behaviour_diff_next(d, &at, &c));
    assert_int_equal(c.kind, WF_BEHAVIOUR_LOCK_ORDER);
    assert_int_equal(c.certainty, WF_BEHAVIOUR_CHANGED);
    wf_behaviour_diff_close(d);
    // Few cases of the good order prove nothing.
    at = 0;
    d = compare(locks(15, 15, 15, 15), locks(15, 7, 8, 15));
    assert_true(wf_behaviour_diff_next(d, &at, &c));
    assert_int_equal(c.certainty, WF_BEHAVIOUR_SUSPECTED);
    assert_int_equal(wf_behaviour_diff_count(d, WF_BEHAVIOUR_CHANGED), 0);
    wf_behaviour_diff_close(d);
    // Nor does the good order, if the good side has both.
    at = 0;
    d = compare(locks(400, 50, 51, 400), locks(400, 7, 8, 400));
    assert_int_equal(wf_behaviour_diff_count(d, WF_BEHAVIOUR_CHANGED), 0);
    wf_behaviour_diff_close(d);
}

static void equal_traces_have_no_difference(void **unused) {
    (void)unused;
    struct wf_behaviour_diff *d = compare(locks(400, 400, 400, 400), locks(300, 300, 300, 300));
    struct wf_behaviour_difference c;
    size_t at = 0;
    assert_false(wf_behaviour_diff_next(d, &at, &c));
    wf_behaviour_diff_close(d);
}

// A trace in which `a` takes n as well until a round, from which on holes are everywhere.
static void nothing_is_claimed_behind_holes(void **unused) {
    (void)unused;
    struct wf_behaviour_difference c;
    size_t at = 0, marked = 0;
    // All blocks of the new trace have holes, and the old order is never seen there.
    struct wf_behaviour_diff *d = compare(locks(400, 400, 400, 400), locks(400, 0, 400, 0));
    while (wf_behaviour_diff_next(d, &at, &c)) {
        if (!c.vanished) continue;
        assert_int_not_equal(c.certainty, WF_BEHAVIOUR_CHANGED);
        marked += c.certainty == WF_BEHAVIOUR_MARKED;
    }
    assert_true(marked > 0);
    wf_behaviour_diff_close(d);
}

static void joined_traces_count_together(void **unused) {
    (void)unused;
    struct wf_behaviour *good = locks(40, 40, 40, 40), *more = locks(40, 40, 40, 40);
    size_t facts = good->fact_count;
    assert_int_equal(wf_behaviour_join(good, more, NULL), WF_OK);
    wf_behaviour_close(more);
    assert_int_equal(good->fact_count, facts);
    assert_int_equal(good->trace_count, 2);
    all = good;
    RUNS("a", 80, "takes `q`, takes `m`, takes `n`, gives `n`, gives `m`; then waits for `q`");
    done();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_of_locks_changes),
        cmocka_unit_test(a_single_reversed_nest_is_a_change),
        cmocka_unit_test(equal_traces_have_no_difference),
        cmocka_unit_test(nothing_is_claimed_behind_holes),
        cmocka_unit_test(joined_traces_count_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
