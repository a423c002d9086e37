// SPDX-License-Identifier: MIT
// Profiles: their texts, and when a device sends.

#include "wallfly_host/wf_fleet_profile.h"
#include "wf_test.h"

static struct wf_fleet_profile parse(const char *text) {
    struct wf_fleet_profile p;
    struct wf_error error;
    char again[WF_FLEET_PROFILE_MAX];
    assert_int_equal(wf_fleet_profile_parse(text, strlen(text), &p, &error), WF_OK);
    wf_fleet_profile_print(&p, again);
    assert_string_equal(again, text);
    return p;
}

static void a_profile_has_one_text(void **state) {
    (void)state;
    assert_int_equal(parse("stream").kind, WF_FLEET_PROFILE_STREAM);
    assert_int_equal(parse("box").kind, WF_FLEET_PROFILE_BOX);
    const struct wf_fleet_profile p = parse("stats=10/3600"), most = parse("stats=86399/86400");
    assert_int_equal(p.kind, WF_FLEET_PROFILE_STATS);
    assert_true(p.seconds == 10 && p.period == 3600);
    assert_true(most.seconds == 86399 && most.period == WF_FLEET_PROFILE_PERIOD_MAX);
    parse("stats=1/2");
    const struct wf_fleet_profile zeros = {0}, stream = parse("stream");
    assert_true(wf_fleet_profile_is(&zeros, &stream) && !wf_fleet_profile_is(&p, &most));
}

static void other_texts_are_refused(void **state) {
    static const char *const texts[] = {"",
                                        "Stream",
                                        "stream ",
                                        " box",
                                        "box\n",
                                        "bo",
                                        "stats",
                                        "stats=",
                                        "stats=1",
                                        "stats=1/",
                                        "stats=/2",
                                        "stats=0/2",
                                        "stats=2/2",
                                        "stats=3/2",
                                        "stats=01/2",
                                        "stats=1/02",
                                        "stats=+1/2",
                                        "stats=-1/2",
                                        "stats=1/2 ",
                                        "stats=1/2/3",
                                        "stats=1.5/2",
                                        "stats=1/86401",
                                        "stats=1/4294967298",
                                        "stats=4294967297/86400",
                                        "'); drop table device"};
    (void)state;
    struct wf_fleet_profile p = {.kind = WF_FLEET_PROFILE_BOX};
    struct wf_error error;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
        assert_int_equal(wf_fleet_profile_parse(texts[i], strlen(texts[i]), &p, &error),
                         WF_ERR_USAGE);
        assert_true(p.kind == WF_FLEET_PROFILE_BOX && strstr(error.text, "stats=SECONDS/PERIOD"));
    }
    // An empty message, a zero byte, a long text.
    char text[1000];
    memset(text, 'x', sizeof text);
    assert_int_equal(wf_fleet_profile_parse(NULL, 0, &p, &error), WF_ERR_USAGE);
    assert_int_equal(wf_fleet_profile_parse("box\0", 4, &p, NULL), WF_ERR_USAGE);
    assert_int_equal(wf_fleet_profile_parse(text, sizeof text, &p, &error), WF_ERR_USAGE);
    assert_true(strstr(error.text, "stats=SECONDS/PERIOD"));
}

static void stream_is_always_open_and_box_never(void **state) {
    (void)state;
    const struct wf_fleet_profile stream = parse("stream"), box = parse("box");
    for (uint64_t now = 0; now < 100; ++now) {
        assert_true(wf_fleet_profile_is_open(&stream, now, now * 7));
        assert_false(wf_fleet_profile_is_open(&box, now, now * 7));
    }
}

// A period begins where the time and the shift are a multiple of it.
static void stats_has_the_first_seconds_of_each_period(void **state) {
    static const uint64_t shifts[] = {0, 1, 59, 60, 61, 1000003, UINT64_MAX};
    (void)state;
    const struct wf_fleet_profile p = parse("stats=7/60");
    for (unsigned i = 0; i < sizeof shifts / sizeof *shifts; ++i) {
        const uint64_t begin = 1700000040 + (60 - shifts[i] % 60); // 1700000040 is one of minutes
        for (uint64_t n = 0; n < 300; ++n)
            assert_int_equal(wf_fleet_profile_is_open(&p, begin + n, shifts[i]), n % 60 < 7);
    }
    assert_false(wf_fleet_profile_is_open(&p, UINT64_MAX, UINT64_MAX - 60)); // 15 + 15
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_has_one_text),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(stream_is_always_open_and_box_never),
        cmocka_unit_test(stats_has_the_first_seconds_of_each_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
