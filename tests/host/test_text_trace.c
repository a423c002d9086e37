// SPDX-License-Identifier: MIT
// Transmission text through a session: the items of valid lines, and the reports on invalid ones.

#include "wallfly_host/wf_text_trace.h"
#include "wf_test.h"

struct got {
    char *text;
    struct wf_ledger ledger;
};

// As our own text, in ticks, fed in pieces.
static struct got convert_lines(const char *lines, size_t len, size_t piece) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    const struct wf_writer_options writer = {.size = sizeof writer, .time = WF_TIME_TICKS};
    struct text text = {NULL, 0};
    struct wf_item item;
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_writer *w =
        wf_writer_open(wf_format_find("text"), s, &writer, keep_text, &text, NULL);
    assert_int_equal(wf_session_take_text(s), WF_OK);
    assert_true(wf_session_takes_text(s));
    for (size_t at = 0; at < len; at += piece) {
        struct guarded g = guard((const uint8_t *)lines + at, len - at < piece ? len - at : piece);
        wf_session_feed(s, g.bytes, len - at < piece ? len - at : piece);
        while (wf_session_next(s, &item)) wf_writer_item(w, &item);
        unguard(&g);
    }
    wf_session_end(s);
    while (wf_session_next(s, &item)) wf_writer_item(w, &item);
    assert_int_equal(wf_writer_close(w), WF_OK);
    struct got got = {text.bytes ? text.bytes : calloc(1, 1), *wf_session_ledger(s)};
    const struct wf_ledger *l = &got.ledger;
    assert_int_equal(l->bytes, len);
    assert_int_equal(l->bytes, l->bytes_good + l->bytes_idle + l->bytes_bad);
    wf_session_close(s);
    return got;
}

// Replaces several spaces by one, as in the expected text.
static void squeeze(char *text) {
    char *to = text;
    for (char *p = text; *p; ++p) {
        bool blank = *p == ' ' && (to == text || to[-1] == ' ' || to[-1] == '\n');
        if (!blank) *to++ = *p;
    }
    *to = 0;
}

static void expect(const char *lines, const char *want) {
    for (size_t piece = 1; piece < 1000; piece = piece * 5 + 2) {
        struct got got = convert_lines(lines, strlen(lines), piece);
        squeeze(got.text);
        assert_string_equal(got.text, want);
        free(got.text);
    }
}

static struct wf_ledger ledger_of(const char *lines) {
    struct got got = convert_lines(lines, strlen(lines), 7);
    free(got.text);
    return got.ledger;
}

static const char announced[] = "nT 330 -p 19\nnT 87c -p 18\nnM 20e3\n";
static const char announced_text[] = "TASK task_create 0x00000330 is created, priority 19\n"
                                     "TASK task_create 0x0000087C is created, priority 18\n"
                                     "MUT mutex_create mutex 0x000020E3 is created\n";

static void expect_after(const char *lines, const char *want) {
    char all[4096], wanted[4096];
    snprintf(all, sizeof all, "%s%s", announced, lines);
    snprintf(wanted, sizeof wanted, "%s%s", announced_text, want);
    expect(all, wanted);
}

static void the_published_example_becomes_records(void **state) {
    (void)state;
    expect_after("p 120 JA 330\np 140 JA 87c\np 150 JR 330\np 400 AM 20e3 330\n"
                 "p 900 RM 20e3 330\np 1000 JP 330 -t 87c\np 1000 JR 87c\n",
                 "120 TASK task_ready 0x00000330 is ready\n"
                 "140 TASK task_ready 0x0000087C is ready\n"
                 "150 TASK task_switch 0x00000330 runs on core 0, the one before left\n"
                 "400 MUT mutex_take 0x00000330 takes 0x000020E3, depth 1\n"
                 "900 MUT mutex_give 0x00000330 gives 0x000020E3, depth 0\n"
                 "1000 TASK task_switch 0x0000087C runs on core 0, the one before was preempted\n");
}

static void both_orders_of_a_mutex_and_its_task_are_read(void **state) {
    const char *want = "5 MUT mutex_take 0x00000330 takes 0x000020E3, depth 1\n"
                       "6 MUT mutex_take 0x00000330 takes 0x000020E3, depth 2\n"
                       "7 MUT mutex_give 0x00000330 gives 0x000020E3, depth 1\n"
                       "8 MUT mutex_give 0x00000330 gives 0x000020E3, depth 0\n"
                       "9 MUT mutex_take 0x0000087C takes 0x000020E3, depth 1\n";
    (void)state;
    expect_after("p 5 AM 20e3 330\np 6 AM 20e3 330\np 7 RM 20e3 330\np 8 RM 20e3 330\n"
                 "p 9 AM 20e3 87c\n",
                 want);
    expect_after("p 5 AM 330 20e3\np 6 AM 330 20e3\np 7 RM 330 20e3\np 8 RM 330 20e3\n"
                 "p 9 AM 87c 20e3\n",
                 want);
}

static void one_of_the_two_known_is_enough(void **state) {
    (void)state;
    expect("p 1 JA 330\np 2 AM 330 7\np 3 RM 7 330\np 4 AM 7 8\np 5 AM 9 7\n",
           "1 TASK task_ready 0x00000330 is ready\n"
           "2 MUT mutex_take 0x00000330 takes 0x00000007, depth 1\n"
           "3 MUT mutex_give 0x00000330 gives 0x00000007, depth 0\n"
           "4 MUT mutex_take 0x00000008 takes 0x00000007, depth 1\n"
           "5 MUT mutex_take 0x00000009 takes 0x00000007, depth 1\n");
}

static void a_mutex_that_nothing_tells_of_is_said(void **state) {
    (void)state;
    expect("p 1 JR 5\np 2 AM 7 8\n",
           "1 TASK task_switch 0x00000005 runs on core 0, the one before left\n"
           "2 ---- 11 bytes dropped: it is unknown which of the two is the mutex: neither was "
           "announced [byte 9]\n");
}

static void switches_take_one_or_two_lines(void **state) {
    (void)state;
    expect_after("p 1 JR 330\np 2 JP 330\np 2 JR 87c\np 3 JC 87c\np 3 JR 330\np 4 JC 330\n"
                 "p 9 JR 87c\np 10 JP 87c -t 330\np 11 JA 87c\np 12 JP 330 -t 87c\np 12 JA 330\n"
                 "p 12 JR 87c\n",
                 "1 TASK task_switch 0x00000330 runs on core 0, the one before left\n"
                 "2 TASK task_switch 0x0000087C runs on core 0, the one before was preempted\n"
                 "3 TASK task_switch 0x00000330 runs on core 0, the one before waits\n"
                 "4 TASK task_switch idle runs on core 0, the one before waits\n"
                 "9 TASK task_switch 0x0000087C runs on core 0, the one before left\n"
                 "10 TASK task_switch 0x00000330 runs on core 0, the one before was preempted\n"
                 "11 TASK task_ready 0x0000087C is ready\n"
                 "12 TASK task_ready 0x00000330 is ready\n"
                 "12 TASK task_switch 0x0000087C runs on core 0, the one before was preempted\n");
}

static void one_that_leaves_has_run(void **state) {
    (void)state;
    expect_after("p 7 JP 330 -t 87c\np 7 JR 87c\n",
                 "7 TASK task_switch 0x00000330 runs on core 0, the one before left\n"
                 "7 TASK task_switch 0x0000087C runs on core 0, the one before was preempted\n");
}

static void a_last_switch_comes_out_at_the_end(void **state) {
    (void)state;
    expect_after("p 1 JR 330\np 7 JP 330\n",
                 "1 TASK task_switch 0x00000330 runs on core 0, the one before left\n"
                 "7 TASK task_switch idle runs on core 0, the one before was preempted\n");
}

static void options_come_in_any_order(void **state) {
    (void)state;
    expect("nT 1 -n a b -p 3\nnT 2 -p -4 -n c\nnM 3 -c red -n  lcd  x -p lines_up\nnT 4\n"
           "nT 1 -p 3 -n a b\nnT 1 -p 5\n",
           "TASK task_create 0x00000001 is created, priority 3\n"
           "DICT obj_dict object 0x00000001 is a b\n"
           "TASK task_create 0x00000002 is created, priority -4\n"
           "DICT obj_dict object 0x00000002 is c\n"
           "MUT mutex_create mutex 0x00000003 is created\n"
           "DICT obj_dict object 0x00000003 is lcd x\n"
           "DICT usr_dict application record 100 is look\n"
           "USER look lcd x red lines_up\n"
           "TASK task_create 0x00000004 is created, priority ?\n"
           "DICT obj_dict object 0x00000001 is a b\n"
           "TASK task_priority a b has priority 5 now\n");
}

static void events_of_users_keep_their_words(void **state) {
    (void)state;
    expect("p 3 button 7 down\np 4 button\np 5 lost x\n",
           "DICT usr_dict application record 100 is button\n"
           "3 USER button 7 down\n4 USER button \n"
           "DICT usr_dict application record 101 is lost\n5 USER lost x\n");
}

static void more_names_than_numbers_stand_in_their_records(void **state) {
    char lines[2048] = "", *end = lines;
    (void)state;
    for (int i = 0; i < 40; ++i) end += sprintf(end, "p %d e%d %d\n", i, i, 2 * i);
    struct got got = convert_lines(lines, strlen(lines), 64);
    squeeze(got.text);
    assert_non_null(strstr(got.text, "23 USER e23 46\n"));
    assert_non_null(strstr(got.text, "24 USER user+24 e24 48\n"));
    assert_non_null(strstr(got.text, "39 USER user+24 e39 78\n"));
    free(got.text);
}

static void line_ends_blanks_and_empty_lines_do_not_matter(void **state) {
    const char *lines =
        "\r\nnT 330 -p 19\r\n  nT\t87c  -p 18 \n\nnM  20e3\r\n\r\np  5  JR  330\r\n";
    (void)state;
    char want[512];
    snprintf(want, sizeof want, "%s%s", announced_text,
             "5 TASK task_switch 0x00000330 runs on core 0, the one before left\n");
    expect(lines, want);
    assert_int_equal(ledger_of(lines).bytes_idle, 5);
    assert_int_equal(ledger_of(lines).bytes_bad, 0);
}

static void half_lines_and_garbage_are_dropped_and_said(void **state) {
    (void)state;
    expect("30 -p 19\np 5 JR 330\np 6 JP 33",
           "---- 9 bytes dropped: a line that begins with no nT, nM or p [byte 0]\n"
           "5 TASK task_switch 0x00000330 runs on core 0, the one before left\n"
           "5 ---- 9 bytes dropped: the last line is cut off, it has no end of line [byte 20]\n");
    expect("\x01\xff{\np 5 JR 330\n",
           "---- 4 bytes dropped: a line with bytes that are no text [byte 0]\n"
           "5 TASK task_switch 0x00000330 runs on core 0, the one before left\n");
    struct wf_ledger l = ledger_of("30 -p 19\np 5 JR 330\np 6 JP 33");
    assert_int_equal(l.bytes_good, 11);
    assert_int_equal(l.bytes_bad, 18);
    assert_int_equal(l.holes, 2);
    assert_int_equal(l.damage[WF_DAMAGE_CUT], 1);
    assert_int_equal(l.records, 1);
}

static void each_fault_has_its_words(void **state) {
    static const char *const faults[][2] = {
        {"p", "a p without a time and an event"},
        {"p 5", "a p without a time and an event"},
        {"p x JR 1", "a time that is no decimal number"},
        {"p 99999999999999999999 JR 1", "a time that is no decimal number"},
        {"p 5 JR", "an event without its identifiers"},
        {"p 5 JR 1 2", "more words than the event has"},
        {"p 5 JR xyz", "an identifier that is not hexadecimal"},
        {"p 5 JR 12345678123456781", "an identifier that is not hexadecimal"},
        {"p 5 AM 1", "an event without its identifiers"},
        {"p 5 JP 1 -t", "an option without its value"},
        {"nT", "an nT or nM without an identifier"},
        {"nM 0", "an nT or nM without an identifier"},
        {"nT 1 -p", "an option without its value"},
        {"nT 1 -p 40000", "a priority that is no number from -32767 to 32767"},
        {"nT 1 -p high", "a priority that is no number from -32767 to 32767"},
        {"nT 1 2", "a word where only an option can be"},
        {"nT 1 -x 2", "a word where only an option can be"},
        {"hello", "a line that begins with no nT, nM or p"},
        {"p\x1b 5 JR 1", "a line with bytes that are no text"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        char line[128], want[256];
        snprintf(line, sizeof line, "%s\n", faults[i][0]);
        snprintf(want, sizeof want, "---- %zu bytes dropped: %s [byte 0]\n", strlen(line),
                 faults[i][1]);
        expect(line, want);
    }
}

static void a_line_that_does_not_end_is_dropped_as_a_whole(void **state) {
    char lines[2048];
    (void)state;
    memset(lines, 'x', 1500);
    strcpy(lines + 1500, "\np 5 JR 330\n");
    expect(lines, "---- 1501 bytes dropped: a line longer than 512 bytes [byte 0]\n"
                  "5 TASK task_switch 0x00000330 runs on core 0, the one before left\n");
    lines[0] = 'p';
    memcpy(lines, "p 7 e ", 6); // the longest valid line
    strcpy(lines + 512, "\n");
    assert_int_equal(ledger_of(lines).bytes_good, 513);
    strcpy(lines + 512, "x\n");
    assert_int_equal(ledger_of(lines).bytes_bad, 514);
}

static void losses_that_the_sender_counted_are_exact(void **state) {
    const char *lines = "p 5 JR 330\np 9 lost 12\np 10 JP 87c -t 330\n";
    (void)state;
    expect(lines, "5 TASK task_switch 0x00000330 runs on core 0, the one before left\n"
                  "9 ---- 12 records missing: given up by the target, its buffer was full "
                  "[byte 11]\n"
                  "10 TASK task_switch 0x0000087C runs on core 0, the one before left\n"
                  "10 TASK task_switch 0x00000330 runs on core 0, the one before was preempted\n");
    struct wf_ledger l = ledger_of(lines);
    assert_int_equal(l.missing, 12);
    assert_int_equal(l.given_up, 12);
    assert_int_equal(l.holes, 1);
    assert_true(l.exact);
    assert_false(ledger_of("p 5 JR 330\n").exact);
}

static void a_hole_forgets_depths_of_mutexes(void **state) {
    (void)state;
    expect("nM 7\np 1 AM 7 8\np 2 lost 1\np 3 AM 7 8\n",
           "MUT mutex_create mutex 0x00000007 is created\n"
           "1 MUT mutex_take 0x00000008 takes 0x00000007, depth 1\n"
           "2 ---- 1 record missing: given up by the target, its buffer was full [byte 16]\n"
           "3 MUT mutex_take 0x00000008 takes 0x00000007, depth 1\n");
}

static void time_wraps_at_32_bits_and_may_go_back(void **state) {
    (void)state;
    expect("p 4294967290 JR 1\np 4 JR 2\np 2 JA 1\np 6 JA 3\n",
           "4294967290 TASK task_switch 0x00000001 runs on core 0, the one before left\n"
           "4294967300 TASK task_switch 0x00000002 runs on core 0, the one before left\n"
           "4294967298 TASK task_ready 0x00000001 is ready (its time stamp lies before the last "
           "one)\n"
           "4294967302 TASK task_ready 0x00000003 is ready\n");
    expect("p 4294967297 JR 1\np 8589934593 JR 2\n", // more than 32 bits
           "4294967297 TASK task_switch 0x00000001 runs on core 0, the one before left\n"
           "8589934593 TASK task_switch 0x00000002 runs on core 0, the one before left\n");
}

static void identifiers_may_have_64_bits(void **state) {
    (void)state;
    expect("nT 123456789abcdef0 -p 1\np 5 JR 0x123456789ABCDEF0\n",
           "TASK task_create 0x123456789ABCDEF0 is created, priority 1\n"
           "5 TASK task_switch 0x123456789ABCDEF0 runs on core 0, the one before left\n");
}

static void a_link_that_went_away_is_a_hole(void **state) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    (void)state;
    struct wf_session *s = wf_session_open(&options, NULL);
    wf_session_take_text(s);
    wf_session_feed(s, (const uint8_t *)"p 5 JR 3\np 6 J", 14);
    assert_true(wf_session_next(s, &item));
    assert_false(wf_session_next(s, &item));
    wf_session_relink(s);
    wf_session_feed(s, (const uint8_t *)"p 7 JR 4\n", 9);
    assert_true(wf_session_next(s, &item));
    assert_int_equal(item.kind, WF_ITEM_LOSS);
    assert_int_equal(item.loss.bytes, 5);
    assert_int_equal(item.loss.offset, 9);
    assert_false(item.loss.exact);
    assert_true(wf_session_next(s, &item));
    assert_int_equal(item.kind, WF_ITEM_RECORD);
    assert_int_equal(item.record.tick, 7);
    assert_int_equal(item.record.offset, 14);
    wf_session_lose(s, 100);
    wf_session_feed(s, (const uint8_t *)"p 8 JR 5\n", 9);
    assert_true(wf_session_next(s, &item));
    assert_int_equal(item.kind, WF_ITEM_LOSS);
    assert_int_equal(item.loss.lost, 100);
    assert_true(wf_session_next(s, &item));
    assert_int_equal(item.record.offset, 123);
    const struct wf_ledger *l = wf_session_ledger(s);
    assert_int_equal(l->bytes, l->bytes_good + l->bytes_idle + l->bytes_bad);
    assert_int_equal(l->bytes_lost, 100);
    // The sender's own count says nothing of what was lost meanwhile.
    wf_session_feed(s, (const uint8_t *)"p 9 lost 3\n", 11);
    while (wf_session_next(s, &item)) {
    }
    assert_int_equal(l->given_up, 3);
    assert_false(l->exact);
    wf_session_close(s);
}

static void text_is_told_from_frames(void **state) {
    static struct stream frames;
    uint8_t binary[WF_TEXT_DETECT_BYTES];
    (void)state;
    put_name(&frames, 0x1234, "p 5 JR 3\nand more\np 6 JR 4\n");
    assert_int_equal(wf_text_trace_is(announced, 12), WF_TEXT_PERHAPS);
    assert_int_equal(wf_text_trace_is(announced, 13), WF_TEXT_YES);
    assert_int_equal(wf_text_trace_is("\xff\x7e\x01~~\nq 3\r\np 5 JR 330\r\n", 24), WF_TEXT_YES);
    assert_int_equal(wf_text_trace_is("", 0), WF_TEXT_PERHAPS);
    assert_int_equal(wf_text_trace_is("\n\n\n", 3), WF_TEXT_PERHAPS); // empty lines decide nothing
    for (size_t i = 0; i < sizeof binary; ++i) binary[i] = (uint8_t)(i * 7);
    assert_int_equal(wf_text_trace_is(binary, sizeof binary), WF_TEXT_NOT);
    memset(&frames, 0, sizeof frames);
    put_name(&frames, 0x1234, "table");
    put_name(&frames, 0x1234, "p 5 JR 3\np 6 JR 4\n");
    assert_int_equal(wf_text_trace_is(frames.bytes, frames.len), WF_TEXT_NOT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_example_becomes_records),
        cmocka_unit_test(both_orders_of_a_mutex_and_its_task_are_read),
        cmocka_unit_test(one_of_the_two_known_is_enough),
        cmocka_unit_test(a_mutex_that_nothing_tells_of_is_said),
        cmocka_unit_test(switches_take_one_or_two_lines),
        cmocka_unit_test(one_that_leaves_has_run),
        cmocka_unit_test(a_last_switch_comes_out_at_the_end),
        cmocka_unit_test(options_come_in_any_order),
        cmocka_unit_test(events_of_users_keep_their_words),
        cmocka_unit_test(more_names_than_numbers_stand_in_their_records),
        cmocka_unit_test(line_ends_blanks_and_empty_lines_do_not_matter),
        cmocka_unit_test(half_lines_and_garbage_are_dropped_and_said),
        cmocka_unit_test(each_fault_has_its_words),
        cmocka_unit_test(a_line_that_does_not_end_is_dropped_as_a_whole),
        cmocka_unit_test(losses_that_the_sender_counted_are_exact),
        cmocka_unit_test(a_hole_forgets_depths_of_mutexes),
        cmocka_unit_test(time_wraps_at_32_bits_and_may_go_back),
        cmocka_unit_test(identifiers_may_have_64_bits),
        cmocka_unit_test(a_link_that_went_away_is_a_hole),
        cmocka_unit_test(text_is_told_from_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
