// SPDX-License-Identifier: MIT
// Answers of a target: which one ends a command, and its text.

#include "wf_test_command.h"

static struct wf_answer answer;

static void ask(const char *line) {
    sends(line);
    wf_answer_begin(&answer, session, request.row, &request.frame[0]);
}

static enum wf_answer_state answered(void) {
    struct wf_item item;
    wf_session_feed(session, s.bytes, s.len);
    while (wf_session_next(session, &item)) wf_answer_take(&answer, session, &item);
    s.len = 0;
    return answer.state;
}

static enum wf_answer_state status(uint8_t code) {
    put_frame(&s, 66, &code, 1);
    return answered();
}

static void answers_end_the_command_they_are_of(void **state) {
    (void)state;
    open_version(740);
    ask("filter all");
    assert_int_equal(status(11), WF_ANSWER_WAITING); // of another front end's command
    assert_int_equal(status(0x80 | 42), WF_ANSWER_WAITING);
    assert_int_equal(status(10), WF_ANSWER_GOOD);
    assert_true(answer.gap);
    ask("tick");
    assert_int_equal(status(3), WF_ANSWER_WAITING);
    put_frame(&s, 65, "\1\0\0\0\1", 5);
    assert_int_equal(answered(), WF_ANSWER_WAITING);
    assert_string_equal(answer.text, "acknowledged, but not done");
    put_frame(&s, 65, "\1\0\0\0\3", 5);
    assert_int_equal(answered(), WF_ANSWER_GOOD);
    ask("post 5");
    assert_int_equal(status(16), WF_ANSWER_WAITING);
    assert_int_equal(status(0x80 | 16), WF_ANSWER_REFUSED);
    assert_int_equal(answer.error, 16);
    assert_non_null(strstr(answer.text, "refused: no object or priority"));
    ask("info");
    put_info(740, 0);
    assert_int_equal(answered(), WF_ANSWER_GOOD);
    assert_string_equal(answer.text, "QS 7.4.0, little-endian, sizes T4 O4 F4 S2 E2 Q1 P2 B2 C4, "
                                     "built 2026-05-04 03:02:01");
    close_all();
}

static void errors_of_the_protocol_are_told_in_words(void **state) {
    static const struct {
        uint8_t code;
        const char *words;
    } rows[] = {{43, "the target does not know this command (error 43)"},
                {45, "the target's receiver lost its way (error 45)"},
                {47, "the command ended before all of its fields were there (error 47)"},
                {50, "the target dropped the command (error 50)"}};
    (void)state;
    open_version(740);
    for (unsigned i = 0; i < 4; ++i) {
        ask("tick");
        assert_int_equal(status(0x80 | rows[i].code), WF_ANSWER_REFUSED);
        assert_string_equal(answer.text, rows[i].words);
    }
    ask("tick");
    assert_int_equal(status(0x80 | 41), WF_ANSWER_WAITING); // 50 follows
    assert_string_equal(answer.text,
                        "the command arrived damaged: its checksum is wrong (error 41)");
    ask("tick");
    assert_string_equal(answer.text, "no answer");
    assert_int_equal(wf_answer_down(&answer), WF_ANSWER_REFUSED);
    close_all();
}

// Messages name hooks and options that the target program may lack.
static void missing_hooks_and_options_are_named(void **state) {
    static const struct {
        const char *line;
        uint8_t code;
        const char *words;
    } rows[] = {{"tick 1", 3, "or the program has no hook for ticks"},
                {"post 5 to:1", 16, "or the program has no hook for events"},
                {"publish 5", 16, "or the program has no hook for events"},
                {"ao-filter +0x20000000", 12, "or the program has no hook that knows its QS-ID"},
                {"query ao", 15, "or the program has no hook for queries"},
                {"peek 0 1 1", 43,
                 "(error 43): memory is out of reach unless it is built with WF_CFG_PEEK"},
                {"poke 0 1 1", 43,
                 "(error 43): memory is out of reach unless it is built with WF_CFG_PEEK"},
                {"fill 0 1 1 1", 43,
                 "(error 43): memory is out of reach unless it is built with WF_CFG_PEEK"},
                {"test-setup", 43, "(error 43): it is no test build"}};
    (void)state;
    open_version(740);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ask(rows[i].line);
        assert_int_equal(status((uint8_t)(0x80 | rows[i].code)), WF_ANSWER_REFUSED);
        assert_non_null(strstr(answer.text, rows[i].words));
    }
    close_all();
}

static void a_reset_is_answered_by_a_start(void **state) {
    (void)state;
    open_version(740);
    ask("reset");
    put_info(740, 0);
    assert_int_equal(answered(), WF_ANSWER_WAITING);
    put_info(740, 255);
    assert_int_equal(answered(), WF_ANSWER_GOOD);
    ask("reset");
    assert_int_equal(wf_answer_down(&answer), WF_ANSWER_GOOD);
    close_all();
}

static void data_comes_with_names(void **state) {
    char text[64];
    (void)state;
    open_version(740);
    ask("peek 8 2 3");
    put_frame(&s, 68, "\1\0\0\0\x08\0\2\3\x11\x22\x33\x44\x55\x66", 14);
    assert_int_equal(answered(), WF_ANSWER_GOOD);
    assert_string_equal(answer.text, "offset 8: 0x2211 0x4433 0x6655");
    assert_int_equal(answer.item_count, 3);
    assert_int_equal(answer.item[2], 0x6655);
    ask("query sm");
    put_frame(&s, 67, "\1\0\0\0\0\0\x10\0\0\x40\x30\0\0", 13);
    assert_int_equal(answered(), WF_ANSWER_GOOD);
    assert_string_equal(answer.text, "obj table, state on_eating");
    assert_true(wf_answer_field(&answer, session, 3, text, sizeof text));
    assert_string_equal(text, "on_eating");
    ask("query te");
    put_frame(&s, 67, "\1\0\0\0\4\x88\0\0\0\0\x10\0\0\5\0\0\0\6\0\0\0\5\0\x80", 24);
    assert_int_equal(answered(), WF_ANSWER_GOOD);
    assert_string_equal(answer.text,
                        "timer 0x00000088, obj table, ticks 5, interval 6, sig EAT_SIG, "
                        "flags 0x80");
    close_all();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_end_the_command_they_are_of),
        cmocka_unit_test(errors_of_the_protocol_are_told_in_words),
        cmocka_unit_test(missing_hooks_and_options_are_named),
        cmocka_unit_test(a_reset_is_answered_by_a_start),
        cmocka_unit_test(data_comes_with_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
