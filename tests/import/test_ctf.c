// SPDX-License-Identifier: MIT
// The importer of streams of events: what a mapping makes of them, and what it does with damage.

#include "wf_test_events.h"

// ---- events without a mapping

static void events_keep_their_name_and_fields(void **state) {
    const double half = 0.5;
    (void)state;
    begin_stream();
    put_env("tracer_name", "own");
    put_env("hostname", "board");
    put_class("app:door", "u s h f t e d none @ctx %packet_number");
    begin_event(0, 1000000000, 0);
    value_number(UINT64_C(1) << 40);
    put_byte(WF_EVENTS_VALUE_SIGNED);
    put_signed(-7);
    put_byte(WF_EVENTS_VALUE_HEX);
    put_varint(0xBEEF);
    put_byte(WF_EVENTS_VALUE_FLOAT);
    for (unsigned i = 0; i < 8; ++i) {
        uint64_t bits;
        memcpy(&bits, &half, sizeof bits);
        put_byte(bits >> 8 * i & 0xFF);
    }
    value_text("two words");
    put_byte(WF_EVENTS_VALUE_ENUM);
    put_varint(3);
    put_text("open");
    put_byte(WF_EVENTS_VALUE_SIGNED_ENUM);
    put_signed(-1);
    put_text("");
    put_byte(WF_EVENTS_VALUE_NONE);
    value_number(5);
    value_number(99);
    end_record();
    put_end("");
    read_stream(NULL, stream.len);
    assert_int_equal(trace_error.code, WF_OK);
    SHOWS("USER environment      tracer_name own hostname board");
    SHOWS(
        "USER app:door         u 1099511627776 s -7 h 0x0000BEEF f   5.000e-01 t two words e open "
        "d -1 ctx 5\n");
    SHOWS_NOT("packet_number");
    SHOWS_NOT("none");
    assert_int_equal(ledger.holes, 0);
}

static void tasks_of_contexts_act_and_are_named_once(void **state) {
    static const char mapping[] = "[event work_begin]\nrole = span_begin\nname = \"work {n}\"\n"
                                  "[event work_end]\nrole = span_end\nname = \"work {n}\"\n";
    (void)state;
    begin_stream();
    put_class("work_begin", "n @vtid @procname");
    put_class("work_end", "n @vtid @procname");
    for (unsigned i = 0; i < 4; ++i) {
        begin_event(i % 2, 5, 2);
        value_number(i / 2);
        value_number(4711);
        value_text(i < 3 ? "worker" : "renamed");
        end_record();
    }
    put_end("");
    read_stream(mapping, stream.len);
    SHOWS("is worker");
    assert_null(strstr(strstr(text, "is worker") + 1, "is worker"));
    SHOWS("is renamed");
    SHOWS("worker begins work 0");
    SHOWS("worker ends work 0");
    SHOWS("renamed ends work 1");
}

// ---- roles

static const char rtos[] = "[trace]\n"
                           "cpu = where\n"
                           "# a comment\n"
                           "[event new]\nrole=task_create\nkey=id\nname=name\nprio=prio\n"
                           "[event in]\nrole=run\nkey=id\nreason=why\n"
                           "reasons = 0:preempted, 1:blocked, gone : ended\n"
                           "[event up]\nrole=ready\nkey=id\n"
                           "[event sleep]\nrole=block\nreason=delayed\n"
                           "[event none]\nrole=idle\n"
                           "[event enter]\nrole=irq_enter\nirq=n\nbase=16\nname=\"IRQ {n}\"\n"
                           "[event exit]\nrole=irq_exit\n"
                           "[event lock]\nrole=mutex_take\nobject=m\nnest=1\nwhen=ok:1\n"
                           "[event lock]\nrole=mutex_refused\nobject=m\nwhen=ok:0\n"
                           "[event unlock]\nrole=mutex_give\nobject=m\nnest=0\n"
                           "[event pend]\nrole=sema_wait\nobject=m\n"
                           "[event send]\nrole=queue_send\nobject=m\ncount=fill\nname=\"in\"\n"
                           "[event level]\nrole=counter\nname=\"level {n}\"\nvalue=v\n"
                           "[event say]\nrole=message\ntext=\"{n} of {m}\"\nfields=v\n"
                           "[event end]\nrole=task_delete\nkey=id\n"
                           "[event tick]\nrole=ignore\n";
enum {
    NEW,
    IN,
    UP,
    SLEEP,
    NONE,
    ENTER,
    EXIT,
    LOCK,
    UNLOCK,
    PEND,
    SEND,
    LEVEL,
    SAY,
    END,
    TICK,
    OTHER
};

static void put_rtos_classes(void) {
    begin_stream();
    put_class("new", "where id prio name");
    put_class("in", "where id why");
    put_class("up", "where id");
    put_class("sleep", "where");
    put_class("none", "where");
    put_class("enter", "where n");
    put_class("exit", "where");
    put_class("lock", "where m ok");
    put_class("unlock", "where m");
    put_class("pend", "where m");
    put_class("send", "where m fill");
    put_class("level", "where n v");
    put_class("say", "where n m v");
    put_class("end", "where id");
    put_class("tick", "where n");
    put_class("other", "where n");
}

static void put_new(unsigned id, unsigned prio, const char *name) {
    begin_event(NEW, 10, 0);
    value_number(0);
    value_number(id);
    value_number(prio);
    value_text(name);
    end_record();
}

static void roles_make_records(void **state) {
    (void)state;
    put_rtos_classes();
    put_new(0x20000100, 3, "pump");
    put_new(0x20000200, 5, "valve");
    put_event(IN, 3, 0, 0x20000100, 0);
    put_event(LOCK, 3, 0, 7, 1);
    put_event(LOCK, 3, 0, 0x20000900, 0);
    put_event(UP, 2, 0, 0x20000200);
    put_event(IN, 3, 0, 0x20000200, 0); // preempted
    put_event(UNLOCK, 2, 0, 7);
    put_event(SEND, 3, 0, 0x20000A00, 4);
    put_event(PEND, 2, 0, 9);
    put_event(IN, 3, 0, 0x20000100, 5); // the reason is not listed: it had begun to wait
    put_event(SLEEP, 1, 0);
    put_event(NONE, 1, 0);
    put_event(ENTER, 2, 0, 4);
    put_event(EXIT, 1, 0);
    put_event(LEVEL, 3, 0, 2, 1234);
    put_event(SAY, 4, 0, 1, 2, 3);
    put_event(END, 2, 0, 0x20000200);
    put_event(TICK, 2, 0, 1);
    put_event(OTHER, 2, 0, 1);
    put_end("");
    read_stream(rtos, stream.len);
    assert_int_equal(trace_error.code, WF_OK);
    SHOWS("task_create      0x0000000020000100 is created, priority 3");
    SHOWS("pump runs on core 0");
    SHOWS("pump takes mutex 7, depth 1");
    SHOWS("mutex_refused");
    SHOWS("valve is ready");
    SHOWS("valve runs on core 0, the one before was preempted");
    SHOWS("valve gives mutex 7");
    SHOWS("valve sends to in, 4 in it");
    SHOWS("valve waits for sema 9");
    SHOWS("pump runs on core 0, the one before waits");
    SHOWS("idle runs on core 0, the one before sleeps");
    SHOWS("interrupt IRQ 4 begins on core 0, depth 1");
    SHOWS("interrupt IRQ 4 ends");
    SHOWS("level 2 is 1234");
    SHOWS("1 of 2 v=3");
    SHOWS("task_delete      valve");
    SHOWS("USER other            n 1"); // the core is no field
    SHOWS_NOT("tick ");
}

static void words_of_enumerations_are_reasons_and_names(void **state) {
    static const char mapping[] = "[event in]\nrole=run\nkey=task\nreason=why\n";
    static const char *const words[] = {"blocked", "nonsense", "ended"};
    (void)state;
    begin_stream();
    put_class("in", "task why");
    for (unsigned i = 0; i < 3; ++i) {
        begin_event(0, 10, 0);
        put_byte(WF_EVENTS_VALUE_ENUM);
        put_varint(0x100 + i);
        put_text(i ? "second" : "first");
        put_byte(WF_EVENTS_VALUE_ENUM);
        put_varint(i);
        put_text(words[i]);
        end_record();
    }
    put_end("");
    read_stream(mapping, stream.len);
    SHOWS("first runs on core 0, the one before waits");
    SHOWS("second runs on core 0, the one before left");
    SHOWS("second runs on core 0, the one before ended");
}

static void tasks_may_be_told_apart_by_name(void **state) {
    static const char mapping[] = "[event in]\nrole=run\nkey=task\n";
    (void)state;
    begin_stream();
    put_class("in", "task");
    for (unsigned i = 0; i < 3; ++i) {
        begin_event(0, 10, 0);
        value_text(i == 2 ? "" : i ? "b" : "a");
        end_record();
    }
    put_end("");
    read_stream(mapping, stream.len);
    SHOWS("a runs on core 0");
    SHOWS("b runs on core 0");
    SHOWS("idle runs on core 0");
}

static void a_value_of_another_type_leaves_the_event(void **state) {
    static const char mapping[] = "[event in]\nrole=run\nkey=task\n"
                                  "[event level]\nrole=counter\nname=\"x\"\nvalue=v\n";
    (void)state;
    begin_stream();
    put_class("in", "task");
    put_class("level", "v");
    begin_event(0, 1, 0);
    put_byte(WF_EVENTS_VALUE_NONE);
    end_record();
    begin_event(1, 1, 0);
    value_text("high");
    end_record();
    put_end("");
    read_stream(mapping, stream.len);
    SHOWS("USER in");
    SHOWS("USER level            v high");
    SHOWS_NOT("runs on core");
}

// ---- cores

static void cores_come_from_packets_and_fields(void **state) {
    static const char mapping[] = "[event in]\nrole=run\nkey=id\n";
    (void)state;
    begin_stream();
    put_class("in", "id");
    put_class("in", "id @cpu");
    begin_event(0, 1, 3);
    value_number(70000);
    end_record();
    begin_event(1, 1, 3);
    value_number(70001);
    value_number(5);
    end_record();
    for (unsigned i = 0; i < 3; ++i) { // cores that have no number here
        begin_event(0, 1, 65 + i);
        value_number(70002);
        end_record();
    }
    put_end("");
    read_stream(mapping, stream.len);
    SHOWS("runs on core 2");
    SHOWS("runs on core 5");
    SHOWS_NOT("70002");
    SHOWS("3 events missing: events of cores above 63");
    assert_int_equal(ledger.missing, 3);
}

// ---- losses

static void put_lossy(const char *tracer) {
    begin_stream();
    put_env("tracer_name", tracer);
    put_class("e", "n");
    put_event(0, 1, 1);
    put_loss(WF_EVENTS_LOST_EVENTS, 8, 0, 100); // 7, up to 100 ns later
    put_event(0, 1, 2);
    put_event(0, 1, 3);
    begin_event(0, 200, 0);
    value_number(4);
    end_record();
    put_end("");
}

// Checks the order of parts of the text.
static void check_order(const char *const *parts) {
    const char *at = text;
    for (; *parts; ++parts) {
        at = strstr(at, *parts);
        if (!at) fail_msg("\"%s\" is not there, in order, in:\n%s", *parts, text);
        ++at;
    }
}

static void losses_lie_where_the_tracer_counts_them(void **state) {
    (void)state;
    put_lossy("barectf");
    read_stream(NULL, stream.len);
    check_order((const char *[]){"n 1\n", "7 events missing", "n 2\n", "n 3\n", "n 4\n", NULL});
    assert_int_equal(ledger.holes, 1);
    put_lossy("lttng-ust");
    read_stream(NULL, stream.len);
    check_order((const char *[]){"n 1\n", "n 2\n", "n 3\n", "7 events missing", "n 4\n", NULL});
    assert_int_equal(ledger.holes, 1);
    // Of an unknown tracer the state is unknown at both ends.
    put_lossy("own");
    read_stream(NULL, stream.len);
    check_order((const char *[]){"n 1\n", "7 events missing", "n 3\n", "----", "n 4\n", NULL});
    assert_int_equal(ledger.holes, 2);
    assert_int_equal(ledger.missing, 7);
    read_stream("[trace]\nlosses = after\n", stream.len);
    assert_int_equal(ledger.holes, 1);
}

static void losses_may_have_no_count(void **state) {
    (void)state;
    begin_stream();
    put_class("e", "n");
    put_event(0, 1, 1);
    put_loss(WF_EVENTS_LOST_EVENTS, 0, 0, 0);
    put_loss(WF_EVENTS_LOST_PACKETS, 3, 0, 5);
    put_end("");
    read_stream(NULL, stream.len);
    assert_int_equal(ledger.holes, 2);
    assert_int_equal(ledger.missing, 0);
    assert_false(ledger.exact);
    SHOWS("packets of the trace are missing");
}

// ---- times

static void times_since_1970_begin_at_a_second(void **state) {
    (void)state;
    begin_stream();
    begin_record(WF_EVENTS_CLOCK);
    put_byte(WF_EVENTS_CLOCK_EPOCH);
    end_record();
    put_env("hostname", "board");
    put_class("e", "n");
    begin_event(0, INT64_C(1795345896889534552), 0);
    value_number(1);
    end_record();
    begin_event(0, -INT64_C(1795345896889534552) - 5, 0); // a clock that is set back
    value_number(2);
    end_record();
    put_end("");
    read_stream(NULL, stream.len);
    SHOWS("time 0 2026-11-22 11:11:36 UTC");
    assert_int_equal(trace_error.code, WF_OK);
    assert_int_equal(ledger.back, 1);
}

// ---- mappings with faults

static void check_fault(const char *mapping, const char *message) {
    begin_stream();
    put_class("e", "n");
    put_event(0, 1, 1);
    put_end("");
    read_stream(mapping, stream.len);
    assert_int_equal(trace_error.code, WF_ERR_BAD_IMPORT);
    if (!strstr(trace_error.text, message)) fail_msg("%s: not %s", trace_error.text, message);
}

static void faults_of_a_mapping_have_their_line(void **state) {
    (void)state;
    check_fault("x = 1\n", "line 1 of the mapping: a section must come before 'x = 1'");
    check_fault("[event e\n", "line 1 of the mapping: the section has no end");
    check_fault("\n[thing]\n", "line 2 of the mapping: sections are [trace] and [event NAME]");
    check_fault("[event e]\nrole=walk\n", "line 2 of the mapping: there is no role 'walk'");
    check_fault("[event e]\nrole=task_switch\n", "there is no role 'task_switch'");
    check_fault("[event e]\nrole=log\n", "line 1 of the mapping: no event can be 'log'");
    check_fault("[event e]\nrole=run\n", "line 1 of the mapping: the event needs 'key'");
    check_fault("[event e]\nrole=sema_take\nobject=n\n", "the event needs 'count'");
    check_fault("[event e]\nrole=run\nkey=m\n", "event 'e' has no field 'm'");
    check_fault("[event e]\nwhen=m:1\n", "event 'e' has no field 'm'");
    check_fault("[event e]\nwhen=n\n", "line 2 of the mapping: not FIELD:NUMBER: 'n'");
    check_fault("[event e]\nname=\"a\n", "the text has no end");
    check_fault("[event e]\nkey\n", "not KEY = VALUE: 'key'");
    check_fault("[event e]\nkey=\n", "there is no value");
    check_fault("[event e]\ncolour=1\n", "there is no 'colour'");
    check_fault("[trace]\ncolour=1\n", "there is no 'colour'");
    check_fault("[trace]\nlosses=later\n", "losses are anywhere, before or after, not 'later'");
    check_fault("[event e]\nrole=run\nkey=n\nreasons=1\n", "not VALUE:REASON: '1'");
    check_fault("[event e]\nrole=run\nkey=n\nreasons=1:tired\n", "no reason as in '1:tired'");
}

static void patterns_match_the_begin_of_names(void **state) {
    (void)state;
    begin_stream();
    put_class("log:info", "msg");
    put_class("lo", "msg");
    for (unsigned i = 0; i < 2; ++i) {
        begin_event(i, 1, 0);
        value_text("hello");
        end_record();
    }
    put_end("");
    read_stream("[event log:*]\r\n  role = message\r\n\ttext = msg\r\n", stream.len);
    SHOWS("NOTE log              hello\n");
    SHOWS("USER lo               msg hello\n");
}

// ---- damage

static void pieces_of_any_size_give_the_same(void **state) {
    static char whole[sizeof text];
    (void)state;
    put_rtos_classes();
    put_new(0x20000100, 3, "pump");
    for (unsigned i = 0; i < 100; ++i) put_event(i % 15 ? i % 15 : 1, 4, 0, i, 1, 2);
    put_loss(WF_EVENTS_LOST_EVENTS, 3, 5, 20);
    put_end("");
    read_stream(rtos, stream.len);
    memcpy(whole, text, text_len + 1);
    for (size_t piece = 1; piece < 40; piece += piece < 4 ? 1 : 7) {
        read_stream(rtos, piece);
        assert_string_equal(text, whole);
    }
}

static void damaged_records_are_skipped(void **state) {
    (void)state;
    begin_stream();
    put_class("e", "n");
    put_event(0, 1, 1);
    put_event(7, 1, 1); // no such class
    begin_record(99);
    end_record();
    begin_event(0, 1, 0);
    put_byte(77); // no such type
    end_record();
    begin_event(0, 1, 0);
    put_byte(WF_EVENTS_VALUE_TEXT);
    put_varint(500); // longer than the record
    end_record();
    put_event(0, 1, 2);
    put_end("");
    read_stream(NULL, stream.len);
    assert_int_equal(trace_error.code, WF_OK);
    assert_int_equal(ledger.holes, 4);
    SHOWS("n 1\n");
    SHOWS("n 2\n");
}

static void a_length_that_cannot_be_right_is_an_error(void **state) {
    (void)state;
    begin_stream();
    memcpy(stream.bytes + stream.len, "\xFF\xFF\x7F", 3);
    stream.len += 3;
    read_stream(NULL, stream.len);
    assert_int_equal(trace_error.code, WF_ERR_BAD_IMPORT);
    assert_int_equal(trace_error.at, WF_EVENTS_MAGIC_LEN + 3);
    assert_string_equal(trace_error.text, "CTF: a record of 2097151 bytes");
}

static void an_end_too_early_is_reported(void **state) {
    (void)state;
    begin_stream();
    put_class("e", "n");
    put_event(0, 1, 1);
    size_t len = stream.len;
    read_stream(NULL, stream.len);
    SHOWS("the input ends before the end of the trace");
    put_end("babeltrace2: no event class 7");
    read_stream(NULL, stream.len);
    SHOWS("the trace could not be read further");
    assert_int_equal(ledger.holes, 1);
    assert_true(len < stream.len);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_keep_their_name_and_fields),
        cmocka_unit_test(tasks_of_contexts_act_and_are_named_once),
        cmocka_unit_test(roles_make_records),
        cmocka_unit_test(words_of_enumerations_are_reasons_and_names),
        cmocka_unit_test(tasks_may_be_told_apart_by_name),
        cmocka_unit_test(a_value_of_another_type_leaves_the_event),
        cmocka_unit_test(cores_come_from_packets_and_fields),
        cmocka_unit_test(losses_lie_where_the_tracer_counts_them),
        cmocka_unit_test(losses_may_have_no_count),
        cmocka_unit_test(times_since_1970_begin_at_a_second),
        cmocka_unit_test(faults_of_a_mapping_have_their_line),
        cmocka_unit_test(patterns_match_the_begin_of_names),
        cmocka_unit_test(pieces_of_any_size_give_the_same),
        cmocka_unit_test(damaged_records_are_skipped),
        cmocka_unit_test(a_length_that_cannot_be_right_is_an_error),
        cmocka_unit_test(an_end_too_early_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
