// SPDX-License-Identifier: MIT
// Text commands: every wrong argument has its message; filters, signals, parameters and completion
// follow the rules. test_command_golden.c compares the bytes of valid ones with those of a real
// host.

#include "wf_test_command.h"

static void gives(const char *line, const char *hex) {
    char got[2200] = "";
    if (make(line) != WF_MADE) fail_msg("%s: %s", line, request.problem);
    for (unsigned f = 0; f < request.count; ++f) {
        size_t n = strlen(got);
        n += (size_t)snprintf(got + n, sizeof got - n, "%s%02x:", f ? " " : "",
                              request.frame[f].record);
        for (size_t i = 0; i < request.frame[f].len; ++i)
            n += (size_t)snprintf(got + n, sizeof got - n, "%02x", request.frame[f].payload[i]);
    }
    if (strcmp(got, hex) != 0) fail_msg("%s: %s, expected %s", line, got, hex);
}

static void fails_as(enum wf_made made, const char *line, const char *problem) {
    enum wf_made got = make(line);
    if (got != made || strcmp(request.problem, problem) != 0)
        fail_msg("%s: %d '%s', expected '%s'", line, got, request.problem, problem);
    assert_int_equal(request.count, 0);
    assert_null(strchr(request.problem, '\n'));
}

static void fails(const char *line, const char *problem) { fails_as(WF_MADE_WRONG, line, problem); }

static void each_wrong_argument_has_its_message(void **state) {
    (void)state;
    open_version(740);
    fails("pek 0 1 1", "no command 'pek'; is it peek or poke?");
    fails("xyzzy", "no command 'xyzzy'");
    fails("info now", "info: what is 'now'?; usage: info");
    fails("tick 256", "RATE: '256' is not a number from 0 to 255");
    fails("tick -1", "RATE: '-1' is not a number from 0 to 255");
    fails("tick 0 0", "tick: what is '0'?; usage: tick [RATE]");
    fails("peek 0 1", "peek: NUM is missing; usage: peek OFFSET SIZE NUM");
    fails("peek 65536 1 1", "OFFSET: '65536' is not a number from 0 to 65535");
    fails("peek 0 3 1", "SIZE: '3' is not 1, 2 or 4");
    fails("peek 0 1 0", "NUM: '0' is not a number from 1 to 255");
    fails("peek 0 1 -1", "NUM: '-1' is not a number from 1 to 255");
    fails("peek 0 1 0x100", "NUM: '0x100' is not a number from 1 to 255");
    fails("peek 0 1 12z", "NUM: '12z' is not a number from 1 to 255");
    fails("poke 0 1", "poke: VALUE is missing; usage: poke OFFSET SIZE VALUE...");
    fails("poke 0 1 256", "VALUE: '256' is not a number from -128 to 255");
    fails("poke 0 2 -32769", "VALUE: '-32769' is not a number from -32768 to 65535");
    fails("poke 0 4 0x100000000",
          "VALUE: '0x100000000' is not a number from -2147483648 to 4294967295");
    fails("fill 0 4 0 1", "NUM: '0' is not a number from 1 to 255");
    fails("fill 0 1 1", "fill: VALUE is missing; usage: fill OFFSET SIZE NUM VALUE");
    fails("filter", "filter: WORD is missing; usage: filter WORD...");
    fails("filter +SM",
          "filter: what is on in the target is not known, as nothing was set from here; "
          "begin with all, none or only:NAME");
    fails("filter all SM", "filter: 'SM' stands without a sign: +SM, -SM or only:SM");
    fails("filter all -125", "record: '125' is not a number from 0 to 124");
    fails("filter all -20-10", "record: '10' is not a number from 20 to 124");
    fails("filter all -1--104", "record: '-104' is not a number from 1 to 124");
    fails("filter all -sig_dict", "record sig_dict cannot be switched off");
    fails("filter all -,SM", "filter: ',SM' has a name that is empty");
    fails("filter all -mutex_lock", "record mutex_lock is not sent by QS 7.4.0");
    fails_as(WF_MADE_NO_NAME, "filter all -trn",
             "no record or group is called 'trn'; is it tran or TE?");
    fails_as(WF_MADE_NO_NAME, "filter only:philo_sta",
             "no record or group is called 'philo_sta'; is it PHILO_STAT?");
    fails("local +ao",
          "local: what is on in the target is not known, as nothing was set from here; "
          "begin with all, none or only:NAME");
    fails("local all -128", "id: '128' is not a number from 0 to 127");
    fails("local only:table",
          "no group of ids is called 'table'; there are ao, ep, eq and ap (for one "
          "active object there is ao-filter)");
    fails("ao-filter table", "ao-filter: say +table or -table");
    fails("ao-filter +0", "ao-filter: 0 is no active object");
    fails_as(WF_MADE_NO_NAME, "ao-filter +tabel", "no object is called 'tabel'; is it table?");
    fails("current xx table", "KIND: 'xx' is not sm, ao, mp, eq, te, ap or sm-ao");
    fails("current ep table", "KIND: 'ep' is not sm, ao, mp, eq, te, ap or sm-ao");
    fails("current sm", "current: OBJECT is missing; usage: current KIND OBJECT");
    fails("current sm 0x100000000", "object: '0x100000000' is not a number from 0 to 4294967295");
    fails_as(WF_MADE_NO_NAME, "current sm philo",
             "no object is called 'philo'; is it philo[0] or philo[1]?");
    fails("query sm-ao", "KIND: 'sm-ao' is not sm, ao, mp, eq, te or ap");
    fails("post", "post: SIGNAL is missing; usage: post SIGNAL [PARAMETER...]");
    fails("post 65536", "signal: '65536' is not a number from 0 to 65535");
    fails_as(WF_MADE_NO_NAME, "post EAT_SGI", "no signal is called 'EAT_SGI'; is it EAT_SIG?");
    fails("post OWN_SIG",
          "signal OWN_SIG is 6 for table, 7 for philo[0]; give the number, or set the "
          "current state machine: current sm NAME");
    fails("post EAT_SIG to:65", "priority: '65' is not a number from 1 to 64");
    fails("post EAT_SIG to:none", "post: to: needs an object");
    fails("publish EAT_SIG to:table", "publish goes to all that subscribe; drop 'to:table'");
    fails("post EAT_SIG u8:256", "u8: '256' is not a number from 0 to 255");
    fails("post EAT_SIG i8:-129", "i8: '-129' is not a number from -128 to 127");
    fails("post EAT_SIG i64:9223372036854775808", "i64: '9223372036854775808' is not a number from "
                                                  "-9223372036854775808 to 9223372036854775807");
    fails("post EAT_SIG u64:18446744073709551616",
          "u64: '18446744073709551616' is not a number from 0 to 18446744073709551615");
    fails("post EAT_SIG f32:1e39", "f32: '1e39' is not a number it can hold");
    fails("post EAT_SIG f64:one", "f64: 'one' is not a number it can hold");
    fails("post EAT_SIG mem:0a0",
          "mem: '0a0' is not bytes of two hexadecimal digits each, as in mem:0a0b");
    fails("post EAT_SIG mem:zz",
          "mem: 'zz' is not bytes of two hexadecimal digits each, as in mem:0a0b");
    fails("post EAT_SIG 4294967296",
          "parameter: '4294967296' is not a number from -2147483648 to 4294967295");
    fails("post EAT_SIG x:1",
          "'x:1' is no parameter: a number (32 bits) or one of u8: u16: u32: u64: i8: "
          "i16: i32: i64: f32: f64: str: mem:, or to: an object");
    fails("command 256", "command of the application: '256' is not a number from 0 to 255");
    fails("command 1 2 3 4 5", "command: what is '5'?; usage: command NAME [P1] [P2] [P3]");
    fails("command 1 0x1ffffffff",
          "P1: '0x1ffffffff' is not a number from -2147483648 to 4294967295");
    fails_as(WF_MADE_NO_NAME, "command pause",
             "no command of the application is called 'pause'; is it CMD_PAUSE?");
    fails("test-probe on_eating", "test-probe: DATA is missing; usage: test-probe FUNCTION DATA");
    fails("test-probe 0 1", "test-probe: 0 is no function");
    fails_as(WF_MADE_NO_NAME, "test-probe on_eatin 1",
             "no function is called 'on_eatin'; is it on_eating?");
    close_all();
}

static void without_info_names_and_sizes_may_still_come(void **state) {
    (void)state;
    open_version(0);
    fails_as(WF_MADE_NO_INFO, "current sm 0x1000", "the target has not reported its sizes");
    fails_as(WF_MADE_NO_INFO, "post 5", "the target has not reported its sizes");
    gives("peek 0 4 1", "04:00000401");
    wf_commander_assume(commander);
    gives("current sm 0x1000", "0d:0000100000");
    fails_as(WF_MADE_NO_NAME, "current sm table",
             "no object 'table': no names of this kind are known");
    close_all();
}

static void numbers_may_be_written_in_two_ways_and_with_a_sign(void **state) {
    (void)state;
    open_version(740);
    gives("peek 0x10 2 0xff", "04:100002ff");
    gives("poke 1 1 -1 255 0x7E", "05:01000103ffff7e");
    gives("poke 1 4 -2", "05:01000401feffffff");
    gives("fill 0xFFFF 2 1 -32768", "06:ffff02010080");
    gives("tick", "03:00");
    gives("command CMD_PAUSE", "01:01000000000000000000000000");
    gives("command CMD_PAUSE 1 -1", "01:0101000000ffffffff00000000");
    gives("test-probe on_eating -2", "09:feffffff40300000");
    close_all();
}

static void a_filter_starts_where_the_last_one_ended(void **state) {
    (void)state;
    open_version(740);
    gives("filter all", "0a:10ffffffffffffffffffffffffffffff1f");
    gives("filter none", "0a:10010000000000"
                         "40fc7f00000000000000");
    sends("filter none +UA");
    gives("filter +tran", "0a:10410000000000"
                          "40fc7f000000f0ffff1f");
    gives("filter +tran", "0a:10410000000000"
                          "40fc7f000000f0ffff1f"); // the previous one was not sent
    sends("filter +qs_qep_tran");
    gives("filter -100-104 +U0,EQ -PHILO_STAT", "0a:1041007800004040fc7f000000e0ffff1f");
    gives("filter only:sched_lock +9-10", "0a:100106000000"
                                          "0044fc7f00000000000000");
    gives("filter all -0-124", "0a:10010000000000"
                               "40fc7f00000000000000");
    sends("local none");
    gives("local +ep", "0b:10010000000000000"
                       "0feff000000000000");
    gives("local +ao -3", "0b:10f7ffffffffffffff01"
                          "00000000000000");
    gives("local only:ap,5,80-81", "0b:102100000000000000000003"
                                   "00ffffffff");
    gives("local all -0-127", "0b:1001000000000000000000000000000000");
    wf_command_reset(commander, true);
    assert_int_equal(make("filter +SM"), WF_MADE);
    wf_command_reset(commander, false);
    assert_int_equal(make("filter +SM"), WF_MADE_WRONG);
    assert_int_equal(make("local +ao"), WF_MADE_WRONG);
    close_all();
}

static void groups_are_those_of_the_targets_version(void **state) {
    (void)state;
    open_version(700); // in this version 48 and 49 are mutex records; 54 is a scheduler record, not
                       // a dictionary
    gives("filter only:SC", "0a:10010000000000"
                            "7ffc7f00000000000000");
    gives("filter none", "0a:10010000000000"
                         "00fc7f00000000000000");
    gives("filter only:mutex_lock", "0a:10010000000000"
                                    "01fc7f00000000000000");
    close_all();
    open_version(740);
    gives("filter only:SC", "0a:10010000000000"
                            "7ffc7f00000000000000");
    gives("filter only:AO", "0a:1001fc0700002040fc7f00000000000000");
    close_all();
    open_version(660);
    fails("local all", "local: a target of QS 6.6 has no filter by QS-ID");
    fails("ao-filter +table", "ao-filter: a target of QS 6.6 has no filter by QS-ID");
    gives("command OLD_CMD", "01:03000000000000000000000000");
    close_all();
}

static void a_signal_is_that_of_the_object_it_goes_to(void **state) {
    (void)state;
    open_version(740);
    gives("post ONE_SIG", "10:fd08000000");
    gives("post OWN_SIG to:philo[0]", "0d:0100200000 10:fd07000000");
    gives("dispatch OWN_SIG to:table", "0d:0000100000 10:ff06000000");
    gives("post EAT_SIG to:3", "10:0305000000");
    gives("init", "10:fe00000000");
    gives("init to:table", "0d:0000100000 10:fe00000000");
    close_all();
}

static void the_current_state_machine_decides(void **state) {
    (void)state;
    open_version(740);
    sends("current sm philo[0]");
    gives("post OWN_SIG", "10:fd07000000");
    sends("current te 0x5000"); // an object of another kind has no effect
    gives("post OWN_SIG", "10:fd07000000");
    sends("current sm-ao table");
    gives("post OWN_SIG", "10:fd06000000");
    sends("current ao none");
    assert_int_equal(make("post OWN_SIG"), WF_MADE_WRONG);
    sends("current sm table");
    wf_command_reset(commander, true);
    assert_int_equal(make("post OWN_SIG"), WF_MADE_WRONG);
    close_all();
}

static void parameters_lie_as_in_the_targets_memory(void **state) {
    (void)state;
    open_version(740);
    gives("publish 5 u8:1 u16:300 i32:-5 f32:1.5 str:\"hi 1\" mem:0a0B 7", "10:000500"
                                                                           "1600"
                                                                           "01"
                                                                           "2c01"
                                                                           "fbffffff"
                                                                           "0000c03f"
                                                                           "6869203100"
                                                                           "0a0b"
                                                                           "07000000");
    gives("publish 5 u64:0x1122334455667788 i8:-1 i16:-2 i64:-3 f64:-2 u32:9", "10:000500"
                                                                               "1f00"
                                                                               "8877665544332211"
                                                                               "ff"
                                                                               "feff"
                                                                               "fdffffffffffffff"
                                                                               "00000000000000c0"
                                                                               "09000000");
    char line[2200] = "post 5 mem:";
    size_t n = strlen(line);
    for (int i = 0; i < 1024; ++i) memcpy(line + n + 2 * i, "7e", 3);
    assert_int_equal(make(line), WF_MADE);
    assert_int_equal(request.frame[0].len, 1 + 2 + 2 + 1024);
    memcpy(line + n + 2048, "7e", 3);
    fails(line, "parameters take more than 1024 bytes");
    close_all();
    open_version(0x8000 | 740);
    assert_true(wf_session_target(session)->big_endian);
    gives("publish 5 u16:300 i32:-2 f32:1.5 mem:0a0b", "10:0005000c00"
                                                       "012c"
                                                       "fffffffe"
                                                       "3fc00000"
                                                       "0a0b");
    gives("poke 1 2 0x1122", "05:010002012211"); // an item is a number of the protocol
    close_all();
}

// The command from values has the same frame as the command from text.
static void gives_same(const char *line, const struct wf_values *v) {
    struct wf_request other;
    sends(line);
    assert_int_equal(wf_command_from(commander, request.row, v, &other), WF_MADE);
    assert_ptr_equal(other.row, request.row);
    assert_int_equal(other.count, 1);
    assert_int_equal(request.count, 1);
    assert_int_equal(other.frame[0].record, request.frame[0].record);
    assert_int_equal(other.frame[0].len, request.frame[0].len);
    assert_memory_equal(other.frame[0].payload, request.frame[0].payload, request.frame[0].len);
}
#define SAME(line, ...) gives_same(line, &(struct wf_values){__VA_ARGS__})
#define MANY(b)         .bytes = (b), .len = sizeof(b) - 1

static void values_make_the_frames_that_words_make(void **state) {
    (void)state;
    open_version(740);
    SAME("info", .off = false);
    SAME("tick 3", .value = {3});
    SAME("peek 0x102 2 4", .value = {0x102, 2, 4});
    SAME("poke 258 2 0x6261 0x6463", .value = {0x102, 2}, MANY("abcd"));
    SAME("fill 1 4 200 -2", .value = {1, 4, 200, 0 - UINT64_C(2)});
    SAME("current ao philo[1]", .value = {1, 0x2040});
    SAME("query te", .value = {4});
    SAME("ao-filter +table", .value = {0x1000});
    SAME("ao-filter -table", .off = true, .value = {0x1000});
    SAME("post EAT_SIG mem:616200", .value = {5}, MANY("ab\0"));
    SAME("publish 6", .value = {6});
    SAME("init", .value = {0});
    SAME("command CMD_PAUSE 21 -1", .value = {1, 21, UINT32_MAX});
    SAME("test-probe on_eating 99", .value = {0x3040, 99});
    SAME("filter all", MANY("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x1F"));
    SAME("local only:3", MANY("\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"));
    SAME("continue", .off = false);
    close_all();
}

static void from_fails(enum wf_made made, const char *name, const struct wf_values *v,
                       const char *problem) {
    assert_int_equal(wf_command_from(commander, wf_command_find(name), v, &request), made);
    assert_string_equal(request.problem, problem);
    assert_int_equal(request.count, 0);
}
#define FROM(made, name, problem, ...)                                                             \
    from_fails(made, name, &(struct wf_values){__VA_ARGS__}, problem)

static void values_that_fit_no_frame_are_refused(void **state) {
    static const char bytes[WF_PAYLOAD_MAX] = "";
    (void)state;
    open_version(740);
    assert_int_equal(wf_command_from(commander, wf_command_find("post"),
                                     &(struct wf_values){.bytes = bytes, .len = WF_PARAMETERS_MAX},
                                     &request),
                     WF_MADE);
    FROM(WF_MADE_WRONG, "post", "parameters take more than 1024 bytes", .bytes = bytes,
         .len = WF_PARAMETERS_MAX + 1);
    FROM(WF_MADE_WRONG, "post", "post: this is too long to be sent", .bytes = bytes,
         .len = sizeof bytes);
    FROM(WF_MADE_WRONG, "peek", "peek: the size of an item is 1, 2 or 4", .value = {0, 3, 1});
    FROM(WF_MADE_WRONG, "poke", "poke: 3 bytes are not values of 2 bytes each", .value = {0, 2},
         .bytes = bytes, .len = 3);
    FROM(WF_MADE_WRONG, "poke", "poke: 0 bytes are not values of 2 bytes each", .value = {0, 2});
    FROM(WF_MADE_WRONG, "poke", "poke: more than 255 values", .value = {0, 1}, .bytes = bytes,
         .len = 256);
    FROM(WF_MADE_WRONG, "filter", "filter: a filter has 16 bytes", .bytes = bytes, .len = 15);
    close_all();
    open_version(0);
    FROM(WF_MADE_NO_INFO, "ao-filter", "the target has not reported its sizes", .value = {1});
    close_all();
}

static void words_are_cut_at_blanks_and_held_by_quotes(void **state) {
    static struct wf_words w;
    const char *line = "  a\t\"b c\" d\"e f\"g;;h;# no\ni \"\\\"\\\\\\n\\x41\" ";
    (void)state;
    assert_true(wf_words_next(&line, &w));
    assert_int_equal(w.count, 3);
    assert_string_equal(w.word[1], "b c");
    assert_string_equal(w.word[2], "de fg");
    assert_true(wf_words_next(&line, &w));
    assert_string_equal(w.word[0], "h");
    assert_false(wf_words_next(&line, &w));
    assert_string_equal(w.problem, "");
    line = "\"\\\"\\\\\\n\\x41\"";
    assert_true(wf_words_next(&line, &w));
    assert_string_equal(w.word[0], "\"\\\nA");
    line = "";
    assert_false(wf_words_next(&line, &w));
    static const char *const bad[] = {"a \"b",     "\"\\q\"",      "\"\\x0\"",
                                      "\"\\x00\"", "\"\\x\0224\"", "\"\\"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; ++i) {
        line = bad[i];
        assert_false(wf_words_next(&line, &w));
        assert_true(*w.problem);
    }
    static char many[3 * WF_LINE_MAX];
    for (size_t i = 0; i + 1 < sizeof many; ++i) many[i] = i % 2 ? ' ' : 'a';
    line = many;
    assert_false(wf_words_next(&line, &w));
    assert_string_equal(w.problem, "a command has too many words");
    memset(many, 'a', sizeof many - 1);
    line = many;
    assert_false(wf_words_next(&line, &w));
    assert_string_equal(w.problem, "a command is too long");
}

static char offered[4096];

static void note(void *ctx, const char *word) {
    (void)ctx;
    size_t n = strlen(offered);
    snprintf(offered + n, sizeof offered - n, "%s%s", n ? " " : "", word);
}

static void completes(const char *line, const char *words) {
    offered[0] = 0;
    wf_command_complete(commander, line, note, NULL);
    if (strcmp(offered, words) != 0) fail_msg("%s: '%s', expected '%s'", line, offered, words);
}

static void completion_knows_what_stands_where(void **state) {
    (void)state;
    open_version(740);
    completes("p", "peek poke post publish");
    completes("info; te", "test-setup test-teardown test-probe");
    completes("current ", "sm ao mp eq te ap sm-ao");
    completes("current s", "sm sm-ao");
    completes("current sm ph", "philo[0] philo[1]");
    completes("current sm n", "none");
    completes("current sm table ", "");
    completes("query te", "te");
    completes("post O", "OWN_SIG OWN_SIG ONE_SIG");
    completes("post EAT_SIG t", "to:");
    completes("post EAT_SIG u8:1 u", "u8: u16: u32: u64:");
    completes("post EAT_SIG to:ta", "to:table");
    completes("command CMD", "CMD_PAUSE");
    completes("test-probe ", "on_eating");
    completes("filter a", "all");
    completes("filter all -ph", "-PHILO_STAT");
    completes("filter only:sm,sem_s", "only:sm,sem_signal");
    completes("filter +sig_", ""); // cannot be filtered
    completes("local -a", "-ao -ap");
    completes("ao-filter +t", "+table");
    completes("nothing ", "");
    completes("peek 0 ", "1 2 4");
    close_all();
}

static void every_row_has_its_help(void **state) {
    (void)state;
    for (unsigned i = 0; i < wf_command_row_count; ++i) {
        char usage[128];
        const struct wf_command_row *row = &wf_command_rows[i];
        wf_command_usage(row, usage, sizeof usage);
        assert_memory_equal(usage, row->name, strlen(row->name));
        assert_true(*row->sentence && row->refused);
        assert_ptr_equal(wf_command_find(row->name), row);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wrong_argument_has_its_message),
        cmocka_unit_test(without_info_names_and_sizes_may_still_come),
        cmocka_unit_test(numbers_may_be_written_in_two_ways_and_with_a_sign),
        cmocka_unit_test(a_filter_starts_where_the_last_one_ended),
        cmocka_unit_test(groups_are_those_of_the_targets_version),
        cmocka_unit_test(a_signal_is_that_of_the_object_it_goes_to),
        cmocka_unit_test(the_current_state_machine_decides),
        cmocka_unit_test(parameters_lie_as_in_the_targets_memory),
        cmocka_unit_test(values_make_the_frames_that_words_make),
        cmocka_unit_test(values_that_fit_no_frame_are_refused),
        cmocka_unit_test(words_are_cut_at_blanks_and_held_by_quotes),
        cmocka_unit_test(completion_knows_what_stands_where),
        cmocka_unit_test(every_row_has_its_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
