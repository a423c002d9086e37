// SPDX-License-Identifier: MIT
// External numbers and names of kernel events (section 5 of the reference).

#include "wf_test_sat.h"

static void numbers(void **state) {
    (void)state;
    static const struct {
        unsigned external, event, cls, internal;
    } rows[] = {
        {1, 2, 1, 2},   {3, 11, 2, 11},        {4, 11, 2, 139},       {5, 11, 2, 267},
        {9, 1, 4, 64},  {9, 4, 4, 192},        {9, 16, 4, 320},       {10, 1, 4, 0},
        {10, 2, 4, 1},  {11, 4, 4, 28},        {12, 1023, 6, 1023},   {13, 6, 5, 6},
        {14, 9, 7, 9},  {17, 700, 8, 700},     {18, 7, 9, 7},         {19, 7, 10, 7},
        {20, 1, 11, 1}, {10, 1u << 25, 4, 25}, {11, 1u << 25, 4, 51},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        uint8_t cls;
        uint16_t event;
        struct wf_sat_number number;
        assert_true(
            wf_sat_internal(WF_SAT_RELEASE_6, rows[i].external, rows[i].event, &cls, &event));
        assert_int_equal(cls, rows[i].cls);
        assert_int_equal(event, rows[i].internal);
        struct wf_slot_event e = make(cls, event, NULL, 0);
        assert_true(wf_sat_external(WF_SAT_RELEASE_6, &e, &number));
        assert_int_equal(number.cls, rows[i].external);
        assert_int_equal(number.event, rows[i].event);
        assert_false(number.wide);
    }
}

static void no_numbers(void **state) {
    (void)state;
    static const unsigned rows[][2] = {
        {2, 1},  {6, 1},   {21, 0},    {UINT32_MAX, 0}, {9, 3}, {9, 128},  {10, 0},
        {10, 3}, {3, 128}, {12, 1024}, {10, 1u << 26},  {9, 0}, {1, 1024}, {12, UINT32_MAX}};
    uint8_t cls;
    uint16_t event;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        assert_false(wf_sat_internal(WF_SAT_RELEASE_6, rows[i][0], rows[i][1], &cls, &event));
    }
    struct wf_sat_number number;
    static const unsigned events[][2] = {{2, 400}, {4, 60}, {4, 65}, {24, 1}, {25, 1}, {3, 9}};
    for (unsigned i = 0; i < sizeof events / sizeof *events; ++i) {
        struct wf_slot_event e = make(events[i][0], events[i][1], NULL, 0);
        assert_false(wf_sat_external(WF_SAT_RELEASE_6, &e, &number));
    }
}

static void special_numbers(void **state) {
    (void)state;
    uint32_t words[] = {12, 30, 5, 6};
    static const struct {
        unsigned event, cls, intr;
        bool wide;
    } rows[] = {{1, WF_SAT_INTENTER, 12, false},          {2, WF_SAT_INTEXIT, 12, false},
                {3, WF_SAT_INT_HANDLER_ENTER, 30, false}, {4, WF_SAT_INT_HANDLER_EXIT, 12, false},
                {5, WF_SAT_INTENTER, 12, true},           {6, WF_SAT_INT_HANDLER_ENTER, 30, true}};
    struct wf_sat_number number;
    struct wf_slot_event e;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        e = make(3, rows[i].event, words, 4);
        assert_true(wf_sat_external(WF_SAT_RELEASE_7, &e, &number));
        assert_int_equal(number.cls, rows[i].cls);
        assert_int_equal(number.event, rows[i].intr);
        assert_int_equal(number.wide, rows[i].wide);
    }
    uint8_t cls;
    uint16_t event;
    assert_true(wf_sat_internal(WF_SAT_RELEASE_6, WF_SAT_INTEXIT, 77, &cls, &event));
    assert_int_equal(cls * 1000 + event, 3002);
    e = make(5, 0x206, words, 4); // the 64-bit variant
    assert_true(wf_sat_external(WF_SAT_RELEASE_7, &e, &number));
    assert_int_equal(number.event, 6);
    assert_true(number.wide);
    e = make(6, 0x206, words, 4); // USER has no such variant
    assert_true(wf_sat_external(WF_SAT_RELEASE_7, &e, &number));
    assert_int_equal(number.event, 0x206);
    assert_false(number.wide);
    e = make(4, 28, words, 2); // states of 8.0 are plain numbers
    assert_true(wf_sat_external(WF_SAT_RELEASE_8, &e, &number));
    assert_int_equal(number.cls * 1000 + number.event, 10028);
    assert_true(wf_sat_internal(WF_SAT_RELEASE_8, WF_SAT_THREAD, 28, &cls, &event));
    assert_int_equal(cls * 1000 + event, 4028);
    assert_false(wf_sat_internal(WF_SAT_RELEASE_8, WF_SAT_VTHREAD, 1, &cls, &event));
}

static void names(void **state) {
    (void)state;
    assert_string_equal(wf_sat_class_name(15), "INT_HANDLER_ENTER");
    assert_null(wf_sat_class_name(21));
    assert_string_equal(wf_sat_event_name(WF_SAT_RELEASE_6, 7, 0), "SMSG");
    assert_string_equal(wf_sat_event_name(WF_SAT_RELEASE_6, 5, 0x202), "PATHMGR");
    assert_string_equal(wf_sat_event_name(WF_SAT_RELEASE_6, 2, 139), "MSG_SENDV");
    assert_string_equal(wf_sat_event_name(WF_SAT_RELEASE_6, 4, 28), "READY");
    assert_string_equal(wf_sat_event_name(WF_SAT_RELEASE_6, 4, 7), "STACK");
    assert_string_equal(wf_sat_event_name(WF_SAT_RELEASE_8, 4, 7), "MQ_SEND");
    assert_string_equal(wf_sat_event_name(WF_SAT_RELEASE_8, 4, 28), "INTR_ATTACH_EV");
    assert_null(wf_sat_event_name(WF_SAT_RELEASE_8, 2, 11));
    assert_null(wf_sat_event_name(WF_SAT_RELEASE_6, 4, 60));
    assert_null(wf_sat_event_name(WF_SAT_RELEASE_6, 6, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(no_numbers),
        cmocka_unit_test(special_numbers),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
