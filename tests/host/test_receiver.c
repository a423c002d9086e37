// SPDX-License-Identifier: MIT
// The receiver's rules, one test for each rule, in QSPY's dialect, whose
// messages are the rule, and also in ours where it does better. Every stream is fed in pieces of
// many sizes.

#include "wf_test.h"

static struct stream s;

#define ERR "   <COMMS> ERROR    "

static void fresh(void) { memset(&s, 0, sizeof s); }

static void the_worked_example(void **state) {
    static const uint8_t wire[] = {0x7D, 0x5E, 0x7D, 0x5D, 0x7D, 0x5D,
                                   0x08, 0x01, 0x7D, 0x5E, 0x7E};
    static const uint8_t payload[] = {0x7D, 0x08, 0x01};
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    (void)state;
    struct wf_session *session = wf_session_open(&options, NULL);
    struct guarded g = guard(wire, sizeof wire);
    wf_session_feed(session, g.bytes, sizeof wire);
    assert_true(wf_session_next(session, &item));
    assert_int_equal(item.kind, WF_ITEM_RECORD);
    assert_int_equal(item.record.seq, 0x7E);
    assert_int_equal(item.record.id, 0x7D);
    assert_int_equal(item.record.len, 3);
    assert_memory_equal(item.record.payload, payload, 3);
    assert_int_equal(item.record.payload[3], 0x7E);
    assert_false(wf_session_next(session, &item));
    unguard(&g);
    wf_session_close(session);
}

static void good_records_in_order_say_nothing_else(void **state) {
    (void)state;
    fresh();
    for (unsigned i = 0; i < 300; ++i) put_frame(&s, 70, "", 0);
    char *got = convert(&s, "qspy", NULL, 0, 11);
    for (const char *p = got; *p; p += 18) assert_memory_equal(p, "           QF_RUN\n", 18);
    assert_int_equal(strlen(got), 300 * 18);
    free(got);
}

static void a_bad_checksum_is_told_but_not_before_the_first_good_record(void **state) {
    (void)state;
    fresh();
    memcpy(s.bytes, "\x01\x02\x03\x7E", 4);
    s.len = 4;
    put_frame_seq(&s, 9, 70, "", 0);
    memcpy(s.bytes + s.len, "\x0A\x0E\x03\x7E", 4);
    s.len += 4;
    put_frame_seq(&s, 10, 70, "", 0);
    expect_text(&s, "qspy",
                "           QF_RUN\n" ERR "Bad checksum in Rec=QS_QF_ACTIVE_POST(?),Seq=9\n"
                "           QF_RUN\n");
}

static void a_short_bad_frame_shows_the_record_of_an_earlier_one(void **state) {
    (void)state;
    fresh();
    put_frame(&s, 31, "\1\0\0\0\0", 5);
    put_raw(&s, 0x55);
    put_raw(&s, 0x7E);
    expect_text(&s, "qspy",
                "           Tick<0>  Ctr=0000000001\n" ERR
                "Bad checksum in Rec=QS_QF_TICK(?),Seq=1\n");
}

static void user_records_show_their_number_in_errors(void **state) {
    (void)state;
    fresh();
    put_frame(&s, 70, "", 0);
    memcpy(s.bytes + s.len, "\x02\x69\x03\x7E", 4);
    s.len += 4;
    expect_text(&s, "qspy", "           QF_RUN\n" ERR "Bad checksum in Rec=USER+5(?),Seq=1\n");
}

static void one_or_two_bytes_with_a_right_sum_are_too_short(void **state) {
    (void)state;
    fresh();
    put_frame(&s, 70, "", 0);
    memcpy(s.bytes + s.len, "\xFF\x7E\x05\xFA\x7E", 5);
    s.len += 5;
    char *got = convert(&s, "qspy", NULL, 0, 3);
    assert_non_null(strstr(got, ERR "Record too short at Seq=1(?),Rec=QS_QF_RUN\n"));
    free(got);
}

static void a_gap_is_a_discontinuity(void **state) {
    (void)state;
    fresh();
    put_frame_seq(&s, 5, 70, "", 0);
    put_frame_seq(&s, 9, 70, "", 0);
    put_frame_seq(&s, 1, 0, "", 0); // QS_EMPTY is not reported
    put_frame_seq(&s, 255, 70, "", 0);
    put_frame_seq(&s, 7, 70, "", 0);
    expect_text(&s, "qspy",
                "           QF_RUN\n" ERR "Discontinuity Seq=5->9\n           QF_RUN\n" ERR
                "Discontinuity Seq=1->255\n           QF_RUN\n" ERR
                "Discontinuity Seq=4294967295->7\n           QF_RUN\n");
}

static void more_than_512_bytes_are_too_long_again_and_again(void **state) {
    (void)state;
    fresh();
    put_frame(&s, 70, "", 0);
    put_raw(&s, 2);
    put_raw(&s, 14);
    for (int i = 0; i < 1100; ++i) put_raw(&s, 0x11);
    put_raw(&s, 0x7E);
    put_frame_seq(&s, 2, 70, "", 0);
    char *got = convert(&s, "qspy", NULL, 0, 100);
    assert_non_null(strstr(got, ERR "Record too long at Seq=  1,Rec=QS_QF_ACTIVE_POST\n"));
    unsigned told = 0;
    for (const char *p = got; (p = strstr(p, "too long")) != NULL; ++p) ++told;
    assert_int_equal(told, 2);
    free(got);
}

static void an_escape_swallows_the_flag_for_qspy_but_not_for_us(void **state) {
    (void)state;
    fresh();
    put_frame(&s, 70, "", 0);
    memcpy(s.bytes + s.len, "\x02\x46\x7D\x7E", 4);
    s.len += 4;
    put_frame_seq(&s, 3, 70, "", 0);
    put_frame_seq(&s, 4, 70, "", 0);
    char *qspy = convert(&s, "qspy", NULL, 0, 4096), *ours = convert(&s, "text", NULL, 0, 4096);
    unsigned runs = 0;
    for (const char *p = qspy; (p = strstr(p, "    QF_RUN")) != NULL; ++p) ++runs;
    assert_int_equal(runs, 2);
    runs = 0;
    for (const char *p = ours; (p = strstr(p, "the framework runs")) != NULL; ++p) ++runs;
    assert_int_equal(runs, 3);
    free(qspy);
    free(ours);
}

static void missing_and_surplus_bytes_are_told_field_by_field(void **state) {
    (void)state;
    fresh();
    put_frame(&s, 1, "\1\0\0\0\2", 5);
    put_frame(&s, 70, "x", 1);
    put_frame(&s, 61, "\1\0\0\0abc", 7); // no terminating zero
    expect_text(&s, "qspy",
                ERR "3 more bytes needed for uint32_t \n" ERR
                    "1 bytes needed in Rec=QS_QEP_STATE_ENTRY\n" ERR
                    "1 bytes unused in Rec=QS_QF_RUN\n" ERR "3 more bytes needed for string\n" ERR
                    "1 bytes needed in Rec=QS_OBJ_DICT\n");
}

static void an_unfinished_frame_at_the_end_is_dropped(void **state) {
    (void)state;
    fresh();
    put_frame(&s, 70, "", 0);
    put_raw(&s, 2);
    put_raw(&s, 70);
    expect_text(&s, "qspy", "           QF_RUN\n");
}

static void unknown_numbers_are_shown_with_their_length(void **state) {
    (void)state;
    fresh();
    put_frame(&s, 99, "abc", 3);
    put_frame(&s, 43, "", 0);
    expect_text(&s, "qspy", "           Unknown Rec=99,Len=3\n           Unknown Rec=43,Len=0\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(good_records_in_order_say_nothing_else),
        cmocka_unit_test(a_bad_checksum_is_told_but_not_before_the_first_good_record),
        cmocka_unit_test(a_short_bad_frame_shows_the_record_of_an_earlier_one),
        cmocka_unit_test(user_records_show_their_number_in_errors),
        cmocka_unit_test(one_or_two_bytes_with_a_right_sum_are_too_short),
        cmocka_unit_test(a_gap_is_a_discontinuity),
        cmocka_unit_test(more_than_512_bytes_are_too_long_again_and_again),
        cmocka_unit_test(an_escape_swallows_the_flag_for_qspy_but_not_for_us),
        cmocka_unit_test(missing_and_surplus_bytes_are_told_field_by_field),
        cmocka_unit_test(an_unfinished_frame_at_the_end_is_dropped),
        cmocka_unit_test(unknown_numbers_are_shown_with_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
