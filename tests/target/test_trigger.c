// SPDX-License-Identifier: MIT
// Triggers: the records before and after the condition, and repetition.

#include "wf_test.h"

static uint8_t ring[1 << 13];

static void fresh(void) {
    start(ring, sizeof ring);
    drain_all();
    wf_filter(WF_GRP_ALL);
}

// Records five times: two with id 1, two with id 2, one of the application; returns the recorded
// ones, a letter for each.
static const char *round_of_five(void) {
    static char text[600];
    size_t n = strlen(text);
    struct receiver r = {.len = 0};
    struct frame f;
    WF_REC(crit_entry, 1, 1);
    WF_REC_HELD(isr_entry, 1, 1, 1);
    WF_REC(crit_entry, 2, 2);
    WF_BEGIN(WF_USER, 2);
    wf_u8(0, 1);
    WF_END();
    WF_RECORD(WF_USER + 1, 3, WF_U8(0, 1));
    n = 0;
    for (int b; (b = wf_get_byte()) >= 0;) {
        if (!receive(&r, (uint8_t)b, &f)) continue;
        switch (f.bytes[1]) {
        case WF_ID_crit_entry: text[n++] = f.bytes[2 + WF_CFG_TIME_SIZE] == 1 ? 'c' : 'C'; break;
        case WF_ID_isr_entry: text[n++] = 'i'; break;
        case WF_USER: text[n++] = 'u'; break;
        case WF_USER + 1: text[n++] = 'v'; break;
        case WF_ID_sync: break;
        default: text[n++] = '?';
        }
    }
    text[n] = 0;
    return text;
}

static void starts(void **state) {
    (void)state;
    fresh();
    assert_string_equal(round_of_five(), "ciCuv");
    wf_trigger_start(&(struct wf_condition){WF_USER, WF_ANY});
    assert_string_equal(round_of_five(), "uv");
    assert_string_equal(round_of_five(), "ciCuv");
    wf_trigger_start(&(struct wf_condition){WF_ID_crit_entry, 2});
    assert_string_equal(round_of_five(), "Cuv");
    wf_trigger_start(&(struct wf_condition){WF_ANY, 3});
    assert_string_equal(round_of_five(), "v");
    wf_trigger_start(&(struct wf_condition){WF_NEVER, WF_ANY});
    assert_string_equal(round_of_five(), "");
    wf_trigger_fire();
    assert_string_equal(round_of_five(), "ciCuv");
    assert_false(wf_trigger_is_stopped());
    // A record that is filtered out does not fire.
    wf_filter(-WF_ID_isr_entry);
    wf_trigger_start(&(struct wf_condition){WF_ID_isr_entry, WF_ANY});
    assert_string_equal(round_of_five(), "");
    wf_trigger_off();
    assert_string_equal(round_of_five(), "cCuv");
}

static void stops(void **state) {
    (void)state;
    for (unsigned after = 0; after < 12; ++after) {
        fresh();
        wf_trigger_stop(&(struct wf_condition){WF_ID_isr_entry, 1}, after);
        char want[40] = "ciCuvciCuvciCuvciCuv";
        want[2 + after] = 0;
        char got[40] = "";
        for (unsigned i = 0; i < 4; ++i) strcat(got, round_of_five());
        assert_string_equal(got, want);
        assert_true(wf_trigger_is_stopped());
        wf_target_info(0); // records that no filter controls are still made
        assert_string_equal(round_of_five(), "?");
        wf_trigger_off();
        assert_false(wf_trigger_is_stopped());
        assert_string_equal(round_of_five(), "ciCuv");
    }
}

// The ring keeps the records before the condition, regardless of later ones.
static void the_ring_keeps_what_matters(void **state) {
    (void)state;
    fresh();
    wf_trigger_stop(&(struct wf_condition){WF_NEVER, WF_ANY}, 3);
    for (unsigned i = 0; i < 5000; ++i) {
        fake_clock = i;
        if (i == 3000) wf_trigger_fire();
        WF_RECORD(WF_USER, 0, WF_U16(0, i));
    }
    assert_true(wf_trigger_is_stopped());
    struct receiver r = {.len = 0};
    struct frame f;
    uint64_t first = 0, last = 0;
    for (int b; (b = wf_get_byte()) >= 0;) {
        if (!receive(&r, (uint8_t)b, &f) || f.bytes[1] != WF_USER) continue;
        last = le(f.bytes + 3 + WF_CFG_TIME_SIZE, 2);
        if (!first) first = last;
    }
    assert_int_equal(last, 3002);
    assert_true(first < 2700);
}

// The example of the header.
static void an_assertion_fires(void **state) {
    (void)state;
    fresh();
    wf_trigger_stop(&(struct wf_condition){.record = WF_ID_assert_fail, .id = WF_ANY}, 3);
    assert_string_equal(round_of_five(), "ciCuv");
    wf_assert_fail("module", 7);
    assert_string_equal(round_of_five(), "?ciC");
    assert_true(wf_trigger_is_stopped());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts),
        cmocka_unit_test(stops),
        cmocka_unit_test(the_ring_keeps_what_matters),
        cmocka_unit_test(an_assertion_fires),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
