// SPDX-License-Identifier: MIT
// Behaviour of the simulated plant: runs with other seeds show no change, each fault is found and
// comes first. Usage: behaviour_seeds [PAIRS [SEEDS]]

#include "collected.h"

static unsigned pairs = 1000, seeds = 50;

static struct wf_behaviour_diff *compare_fault(uint32_t seed, enum plant_fault fault, uint64_t us) {
    struct plant_options good = {.seed = 2 * seed, .us = us}, now = good;
    now.seed += 1;
    now.fault = fault;
    now.shifted = true; // other addresses, another begin of the clock
    return compare_plants(&good, &now);
}

// The tail of rare choices makes many kinds of runs that one of the traces alone has.
static void equal_runs_have_no_difference(void **unused) {
    (void)unused;
    unsigned alarms = 0, suspects = 0;
    for (uint32_t seed = 0; seed < pairs; ++seed) {
        struct wf_behaviour_diff *d = compare_fault(seed, PLANT_GOOD, 1000000);
        alarms += wf_behaviour_diff_count(d, WF_BEHAVIOUR_CHANGED) > 0;
        suspects += wf_behaviour_diff_count(d, WF_BEHAVIOUR_SUSPECTED) > 0;
        wf_behaviour_diff_close(d);
    }
    printf("%u pairs: %u alarms, %u with suspects\n", pairs, alarms, suspects);
    assert_true(alarms * 250 <= pairs + 249); // 0.2 % are allowed, and expected at most
    assert_true(suspects > 0);                // there is a tail
}

static void expect_first(enum plant_fault fault, enum wf_behaviour_kind kind, const char *words) {
    for (uint32_t seed = 0; seed < seeds; ++seed) {
        struct wf_behaviour_difference c;
        size_t at = 0;
        struct wf_behaviour_diff *d = compare_fault(seed, fault, 2000000);
        if (!wf_behaviour_diff_next(d, &at, &c) || c.certainty != WF_BEHAVIOUR_CHANGED)
            fail_msg("%s, seed %u: not found", plant_faults[fault], seed);
        if (c.kind != kind || !strstr(c.text, words))
            fail_msg("%s, seed %u: %s", plant_faults[fault], seed, c.text);
        wf_behaviour_diff_close(d);
    }
}

static void faults_come_first(void **unused) {
    (void)unused;
    expect_first(PLANT_LOCKS, WF_BEHAVIOUR_LOCK_ORDER, "`comm` takes `lock_spi` before `lock_bus`");
    expect_first(PLANT_WAKE_UP, WF_BEHAVIOUR_WAKE_UP, "`client` waits for `reply`");
    expect_first(PLANT_STATE, WF_BEHAVIOUR_STATE, "`gate` is never in state `blocked`");
    expect_first(PLANT_TASK, WF_BEHAVIOUR_TASK, "task `logger` has vanished");
    expect_first(PLANT_SILENT, WF_BEHAVIOUR_ACTION, "`comm` no longer gives `done`");
    expect_first(PLANT_ORDER, WF_BEHAVIOUR_ORDER, "`server` logs `request %d` before it gives");
}

// A lost wake-up shows the run that lost it.
static void the_lost_reply_is_shown(void **unused) {
    (void)unused;
    unsigned shown = 0;
    for (uint32_t seed = 0; seed < seeds; ++seed) {
        struct wf_behaviour_difference c;
        size_t at = 0;
        struct wf_behaviour_diff *d = compare_fault(seed, PLANT_WAKE_UP, 2000000);
        assert_true(wf_behaviour_diff_next(d, &at, &c));
        shown += c.hint && strstr(c.hint, "`server`") && !strstr(c.hint, "`reply`");
        wf_behaviour_diff_close(d);
    }
    printf("%u of %u\n", shown, seeds);
    assert_true(shown * 10 >= seeds * 9);
}

// With losses on the link no change is claimed that is none.
static void losses_make_no_difference(void **unused) {
    (void)unused;
    static const unsigned losses[] = {5, 40, 300};
    unsigned alarms = 0;
    for (uint32_t seed = 0; seed < seeds; ++seed) {
        for (unsigned i = 0; i < sizeof losses / sizeof *losses; ++i) {
            struct plant_options good = {.seed = 2 * seed, .us = 2000000}, now = good;
            now.seed += 1;
            now.losses = losses[i];
            struct wf_behaviour_diff *d = compare_plants(&good, &now);
            alarms += wf_behaviour_diff_count(d, WF_BEHAVIOUR_CHANGED) > 0;
            wf_behaviour_diff_close(d);
        }
    }
    printf("%u alarms\n", alarms);
    assert_true(alarms * 50 <= seeds);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_runs_have_no_difference),
        cmocka_unit_test(faults_come_first),
        cmocka_unit_test(the_lost_reply_is_shown),
        cmocka_unit_test(losses_make_no_difference),
    };
    if (argc > 1) pairs = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2) seeds = (unsigned)strtoul(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
