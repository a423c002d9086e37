// SPDX-License-Identifier: MIT
// Chrome trace events: what each kind of event becomes; files that end early or are damaged.

#include "wf_test_lines.h"

static void events_of_a_thread(void **state) {
    (void)state;
    expect_lines("[\n"
                 "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,\"args\":{\"name\":"
                 "\"worker\"}},\n"
                 "{\"ph\":\"X\",\"name\":\"outer\",\"pid\":1,\"tid\":2,\"ts\":10.5,\"dur\":20},\n"
                 "{\"ph\":\"B\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":12},{\"ph\":\"E\","
                 "\"pid\":1,\"tid\":2,\"ts\":13.25},\n"
                 "{\"ph\":\"i\",\"name\":\"mark\",\"pid\":1,\"tid\":2,\"ts\":14,\"s\":\"t\","
                 "\"args\":{\"n\":3,\"f\":1.5,\"s\":\"a\",\"t\":true,\"l\":[1,{\"x\":2}]}}\n"
                 "]\n",
                 "10500 NOTE span_begin worker begins outer\n"
                 "12000 NOTE span_begin worker begins b\n"
                 "13250 NOTE span_end worker ends b\n"
                 "14000 USER mark thread worker n 3 f 1.500e+00 s a t true l [1,{\"x\":2}]\n"
                 "30500 NOTE span_end worker ends outer\n");
}

static void the_order_is_that_of_time(void **state) {
    (void)state;
    expect_lines("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[{\"ph\":\"i\",\"name\":\"z\",\"ts\":"
                 "3},{\"ph\":\"X\",\"name\":\"inner\",\"ts\":1,\"dur\":1},{\"ph\":\"X\",\"name\":"
                 "\"outer\",\"ts\":1,\"dur\":2},{\"ph\":\"X\",\"name\":\"next\",\"ts\":3,\"dur\":0}"
                 ",{\"ph\":\"X\",\"name\":\"after\",\"ts\":2,\"dur\":1},{\"ph\":\"i\",\"name\":"
                 "\"y\",\"ts\":3}],\"other\":{}}",
                 "1000 NOTE span_begin no thread begins outer\n"
                 "1000 NOTE span_begin no thread begins inner\n"
                 "2000 NOTE span_end no thread ends inner\n"
                 "2000 NOTE span_begin no thread begins after\n"
                 "3000 NOTE span_end no thread ends after\n"
                 "3000 NOTE span_end no thread ends outer\n"
                 "3000 USER z thread no thread\n"
                 "3000 USER y thread no thread\n"
                 "3000 NOTE span_begin no thread begins next\n"
                 "3000 NOTE span_end no thread ends next\n");
}

static void names_may_come_last(void **state) {
    (void)state;
    expect_lines(
        "[{\"ph\":\"i\",\"name\":\"a\",\"pid\":1,\"tid\":7,\"ts\":1},{\"ph\":\"i\",\"name\":\"b\","
        "\"pid\":\"x\",\"tid\":\"main\",\"ts\":2},{\"ph\":\"i\",\"name\":\"c\",\"pid\":1,\"ts\":3},"
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":7,\"args\":{\"name\":\"w\"}},{"
        "\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"app\"}}]",
        "1000 USER a thread app/w\n"
        "2000 USER b thread pid x/tid main\n"
        "3000 USER c thread app/no thread\n");
}

static void counters(void **state) {
    (void)state;
    expect_lines(
        "[{\"ph\":\"C\",\"name\":\"mem\",\"ts\":1,\"args\":{\"value\":4,\"free\":-2,\"load\":0.5}},"
        "{\"ph\":\"C\",\"name\":\"big\",\"ts\":2,\"args\":{\"value\":99999999999}}]",
        "1000 NOTE counter mem is 4\n"
        "1000 NOTE counter mem.free is -2\n"
        "1000 USER mem.load value 5.000e-01\n"
        "2000 USER big 99999999999\n");
}

static void asynchronous_spans_and_flows_are_events(void **state) {
    (void)state;
    expect_lines("[{\"ph\":\"b\",\"name\":\"op\",\"id\":\"0x12\",\"tid\":3,\"pid\":1,\"ts\":1},{"
                 "\"ph\":\"n\",\"name\":\"op\",\"id\":\"0x12\",\"tid\":3,\"pid\":1,\"ts\":2},{"
                 "\"ph\":\"e\",\"name\":\"op\",\"id\":\"0x12\",\"tid\":4,\"pid\":1,\"ts\":3},{"
                 "\"ph\":\"s\",\"name\":\"flow\",\"id\":9,\"tid\":3,\"pid\":1,\"ts\":4},{\"ph\":"
                 "\"f\",\"name\":\"flow\",\"id\":9,\"tid\":4,\"pid\":1,\"ts\":5}]",
                 "1000 USER op thread tid 3 ph b id 0x12\n"
                 "2000 USER op thread tid 3 id 0x12\n"
                 "3000 USER op thread tid 4 ph e id 0x12\n"
                 "4000 USER flow thread tid 3 ph s id 9\n"
                 "5000 USER flow thread tid 4 ph f id 9\n");
}

static void the_array_may_end_anywhere(void **state) {
    (void)state;
    expect_lines("[{\"ph\":\"i\",\"name\":\"a\",\"ts\":1},\n", "1000 USER a thread no thread\n");
}

static void an_event_may_be_cut(void **state) {
    (void)state;
    expect_lines("[{\"ph\":\"i\",\"name\":\"a\",\"ts\":1},{\"ph\":\"i\",\"na",
                 "1000 USER a thread no thread\n"
                 "1000 ---- 13 damaged bytes: no event of JSON [byte 30]\n");
}

static void damage_is_left_out(void **state) {
    (void)state;
    expect_lines("[{\"ph\":\"i\",\"name\":\"a\",\"ts\":1},{\"ph\":\"i\",\"name\":\"b,\"ts\":2},{"
                 "\"ph\":\"i\",\"name\":\"c\",\"ts\":3},7,{\"ts\":1},{\"ph\":\"i\",\"name\":\"d\","
                 "\"ts\":4}{\"ph\":\"i\",\"name\":\"e\",\"ts\":5,}]",
                 "---- 28 damaged bytes: no event of JSON [byte 30]\n"
                 "---- 1 damaged byte: no event of JSON [byte 87]\n"
                 "---- 8 damaged bytes: no event of JSON [byte 89]\n"
                 "1000 USER a thread no thread\n"
                 "3000 USER c thread no thread\n"
                 "4000 USER d thread no thread\n"
                 "5000 USER e thread no thread\n");
}

static void escapes(void **state) {
    (void)state;
    expect_lines("[{\"ph\":\"i\",\"name\":\"a\\u00e9\\ud83d\\ude00\\ud83d\\n\\\"\\/"
                 "\\u0000\",\"ts\":1,\"args\":{\"k\\u0065y\":\"x\\ty\"}}]",
                 "1000 USER aé😀�\\x0a\"/� thread no thread key x\\x09y\n");
}

static void times_are_exact(void **state) {
    (void)state;
    expect_lines("[{\"ph\":\"i\",\"name\":\"a\",\"ts\":1700000000000000.123},{\"ph\":\"i\","
                 "\"name\":\"b\",\"ts\":\"12\"},{\"ph\":\"i\",\"name\":\"c\",\"ts\":1.5e3},{\"ph\":"
                 "\"i\",\"name\":\"d\",\"ts\":0.0019}]",
                 "1 USER d thread no thread\n"
                 "12000 USER b thread no thread\n"
                 "1500000 USER c thread no thread\n"
                 "1700000000000000123 USER a thread no thread\n");
}

static void times_may_be_negative(void **state) {
    (void)state;
    expect_lines(
        "[{\"ph\":\"i\",\"name\":\"a\",\"ts\":-1.5},{\"ph\":\"i\",\"name\":\"b\",\"ts\":0}]",
        "0 USER a thread no thread\n"
        "1500 USER b thread no thread\n");
}

static void an_end_may_have_no_begin(void **state) {
    (void)state;
    expect_lines("[{\"ph\":\"E\",\"name\":\"a\",\"ts\":1},{\"ph\":\"E\",\"ts\":2},{\"ph\":\"X\","
                 "\"name\":\"open\",\"ts\":3}]",
                 "1000 NOTE span_end no thread ends a\n"
                 "3000 NOTE span_begin no thread begins open\n");
}

// ---- the form of the input

static void it_is_detected(void **state) {
    (void)state;
    assert_int_equal(detect_lines("\xEF\xBB\xBF [ {\"name\":\"a\", \"ph\" : \"i\"}"),
                     WF_LANE_CHROME);
    assert_int_equal(detect_lines("{\"traceEvents\":[]}"), WF_LANE_CHROME);
    assert_int_equal(detect_lines("{\"a\":1}"), WF_LANE_FRAMES);
    assert_int_equal(detect_lines("[]"), WF_LANE_FRAMES);
    assert_int_equal(detect_lines("{\"ph\":1}"), WF_LANE_FRAMES);
    assert_int_equal(detect_lines("x[{\"ph\":\"i\"}]"), WF_LANE_FRAMES);
}

static void what_has_no_events_is_refused(void **state) {
    static const char *const inputs[] = {"",       "{",        "{}",        "7",  "{\"a\":1}",
                                         "{\"a\"", "{\"a\":}", "{\"a\":[}", "\"x"};
    (void)state;
    lane_format = WF_LANE_CHROME;
    for (unsigned i = 1; i < sizeof inputs / sizeof *inputs; ++i)
        expect_failure(inputs[i], "no array of events");
    lane_format = WF_LANE_UNKNOWN;
}

// Lists in lists, brackets and quotes that are never closed: as long as the input, and no longer.
static void hostile_files_are_read_in_one_pass(void **state) {
    enum { LEN = 1 << 21 };
    static const char *const parts[] = {"{",        "[",         "{\"a\":",     "{\"a\":[", "\"",
                                        "{\"ph\":", "{\"a\":\"", "{\"a\":\"\\", "{}",       "7,"};
    char *input = malloc(LEN + 100);
    (void)state;
    lane_format = WF_LANE_CHROME;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; ++i) {
        struct wf_error error;
        size_t n = (size_t)sprintf(input, "[{\"ph\":\"i\",\"ts\":1},");
        for (size_t part = strlen(parts[i]); n < LEN; n += part) memcpy(input + n, parts[i], part);
        char *text = read_lines(input, n, 0, &error);
        assert_int_equal(error.code, WF_OK);
        assert_non_null(strstr(text, "USER event"));
        assert_true(strlen(text) < 100000);
        free(text);
    }
    free(input);
    lane_format = WF_LANE_UNKNOWN;
}

static void there_are_limits(void **state) {
    enum { THREADS = 66000, DEEP = 100 };
    char *input = malloc(THREADS * 60 + 10000);
    struct wf_error error;
    (void)state;
    size_t n = (size_t)sprintf(input, "[");
    for (unsigned i = 0; i < THREADS; ++i)
        n += (size_t)sprintf(input + n, "{\"ph\":\"i\",\"pid\":%u,\"tid\":%u,\"ts\":%u},", i, i, i);
    for (unsigned i = 0; i < DEEP; ++i)
        n += (size_t)sprintf(input + n, "{\"ph\":\"B\",\"name\":\"n\",\"ts\":%u},", THREADS + i);
    for (unsigned i = 0; i < DEEP + 5; ++i)
        n += (size_t)sprintf(input + n, "{\"ph\":\"E\",\"ts\":%u},", THREADS + DEEP + i);
    char *text = read_lines(input, n, 0, &error);
    assert_int_equal(error.code, WF_OK);
    free(text);
    free(input);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_a_thread),
        cmocka_unit_test(the_order_is_that_of_time),
        cmocka_unit_test(names_may_come_last),
        cmocka_unit_test(counters),
        cmocka_unit_test(asynchronous_spans_and_flows_are_events),
        cmocka_unit_test(the_array_may_end_anywhere),
        cmocka_unit_test(an_event_may_be_cut),
        cmocka_unit_test(damage_is_left_out),
        cmocka_unit_test(escapes),
        cmocka_unit_test(times_are_exact),
        cmocka_unit_test(times_may_be_negative),
        cmocka_unit_test(an_end_may_have_no_begin),
        cmocka_unit_test(it_is_detected),
        cmocka_unit_test(what_has_no_events_is_refused),
        cmocka_unit_test(hostile_files_are_read_in_one_pass),
        cmocka_unit_test(there_are_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
