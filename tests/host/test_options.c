// SPDX-License-Identifier: MIT
// Options of the library begin with their size: callers compiled with an older, smaller struct, or
// a newer, larger one.

#include "wf_test.h"
#include "wallfly_host/wf_merge.h"
#include "wallfly_host/wf_sat.h"
#include "wallfly_host/wf_slot_memory.h"
#include "wallfly_host/wf_stats.h"
#include "wallfly_host/wf_timeline.h"
#include "wallfly_host/wf_trace.h"

static void older_and_newer(void **state) {
    (void)state;
    struct {
        struct wf_session_options known;
        uint64_t unknown;
    } newer = {.known = {.size = sizeof newer, .version = 710, .hz = 5}, .unknown = 1};
    struct wf_session_options *o = &newer.known;
    struct wf_session *s = wf_session_open(o, NULL);
    assert_int_equal(wf_session_target(s)->hz, 5);
    assert_int_equal(wf_session_target(s)->version, 710);
    wf_session_close(s);

    o->size = offsetof(struct wf_session_options, hz); // hz is not yet a member
    s = wf_session_open(o, NULL);
    assert_int_equal(wf_session_target(s)->hz, 0);
    assert_int_equal(wf_session_target(s)->version, 710);
    wf_session_close(s);
}

static void no_size(void **state) {
    (void)state;
    struct wf_session_options of_session = {.hz = 1};
    struct wf_slots_options of_slots = {.hz = 1};
    struct wf_merge_options of_merge = {.memory = 1};
    struct wf_slot_memory_options of_memory = {.live = false};
    struct wf_sat_options of_sat = {.hz = 1};
    struct wf_stats_options of_stats = {.single = true};
    struct wf_timeline_options of_timeline = {.store_limit = 1};
    struct wf_trace_options of_trace = {.lane = 1};
    struct wf_error error;
    assert_null(wf_session_open(&of_session, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    assert_null(wf_slots_open(&of_slots, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    assert_null(wf_merge_open(&of_merge, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    of_merge = (struct wf_merge_options){.size = sizeof of_merge, .slots = &of_slots};
    assert_null(wf_merge_open(&of_merge, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    assert_null(wf_slot_memory_open("", 0, &of_memory, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    assert_null(wf_sat_open(&of_sat, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    assert_null(wf_trace_open(&of_trace, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    of_trace = (struct wf_trace_options){.size = sizeof of_trace, .session = &of_session};
    assert_null(wf_trace_open(&of_trace, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    struct wf_session *s = wf_session_open(NULL, &error);
    assert_null(wf_stats_open(s, &of_stats, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    assert_null(wf_timeline_open(s, &of_timeline, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    wf_session_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(older_and_newer),
        cmocka_unit_test(no_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
