// SPDX-License-Identifier: MIT
// Slot traces through a session, made by hand: records with and without stamps, records that may be
// empty, sizes, other classes, losses and damage.

#include "wf_test_slots.h"
#include "wallfly_host/wf_slot_record.h"
#include "wallfly_host/wf_writer.h"

#define HEADER(order, cpus, sizes)                                                                 \
    "TRACE_HEADER_BEGIN::TRACE_" order "_ENDIAN::TRUETRACE_CYCLES_PER_SEC::1000000000TRACE_CPU_"   \
    "NUM::" cpus "TRACE_WALLFLY::" sizes "TRACE_BUILD_ID::77TRACE_HEADER_END::"

// A record's slots: the bytes, four in a word, in memory order.
static void put_record(struct trace *t, unsigned core, unsigned id, uint32_t time,
                       const void *bytes, size_t len) {
    const size_t slots = len > 8 ? (len + 7) / 8 : 1;
    for (size_t i = 0; i < slots; ++i) {
        uint8_t pair[8] = {0};
        size_t n = len - 8 * i < 8 ? len - 8 * i : 8;
        memcpy(pair, (const uint8_t *)bytes + 8 * i, n);
        uint32_t head = HEAD(core, 24, id);
        if (i + 1 == slots) head |= (uint32_t)(-len & 7) << 15;
        if (slots > 1) head = i + 1 == slots ? LAST(head) : i ? MIDDLE(head) : FIRST(head);
        put_word(t, head);
        put_word(t, time);
        memcpy(t->bytes + t->len, pair, 8);
        t->len += 8;
    }
}

static bool keep(void *ctx, const char *bytes, size_t len) {
    keep_text(ctx, bytes, len);
    return true;
}

// The trace in a format; the session stays open.
static struct wf_session *print(const struct trace *t, const char *format, struct text *text) {
    static const struct wf_slots_options none = {.size = sizeof none, .with_control = true};
    const struct wf_format *f = wf_format_find(format);
    const struct wf_session_options options = {.size = sizeof options, .dialect = f->dialect};
    const struct wf_writer_options how = {.size = sizeof how, .time = WF_TIME_TICKS};
    struct wf_slots_item from;
    struct wf_item item;
    struct wf_slots *slots = wf_slots_open(&none, NULL);
    struct wf_session *s = wf_session_open(&options, NULL);
    *text = (struct text){calloc(1, 1), 0};
    struct wf_writer *w = wf_writer_open(f, s, &how, keep, text, NULL);
    wf_slots_feed(slots, t->bytes, t->len);
    wf_slots_end(slots);
    while (wf_slots_next(slots, &from)) {
        if (wf_session_take_slot(s, slots, &from, &item)) wf_writer_item(w, &item);
    }
    assert_int_equal(wf_writer_close(w), WF_OK);
    wf_slots_close(slots);
    return s;
}

static struct wf_ledger expect_lines(const struct trace *t, const char *format, const char *want) {
    struct text got;
    struct wf_session *s = print(t, format, &got);
    assert_string_equal(got.bytes, want);
    struct wf_ledger ledger = *wf_session_ledger(s);
    assert_int_equal(ledger.bytes, ledger.bytes_good + ledger.bytes_bad);
    wf_session_close(s);
    free(got.bytes);
    return ledger;
}

static const uint8_t entry[] = {0x11, 0, 0, 0, 0x22, 0, 0, 0};
static const uint8_t lock[] = {5, 6};
static const uint8_t user[] = {0x01, 9, 0x08, 'h', 'i', 0};

// Records with a stamp field get the stamp; all records have a time.
static void test_records(void **state) {
    (void)state;
    struct trace *t = calloc(1, sizeof *t);
    put_text(t, HEADER("LITTLE", "1", "T4O4F4"));
    put_time(t, 0, 0x500000000);
    put_record(t, 0, 1, 7, entry, sizeof entry); // no stamp
    put_record(t, 0, 50, 8, lock, sizeof lock);  // scheduler locked: has one
    put_record(t, 0, 101, 9, user, sizeof user);
    put_record(t, 0, 101, 10, "", 1); // no elements: one zero byte
    put_record(t, 0, 101, 10, "\0\0\0\0\0\0\0", 8);
    put_record(t, 0, 70, 11, "", 0);
    put_record(t, 0, 66, 12, "\x05", 1); // two rows, one of them with a stamp
    struct wf_ledger l = expect_lines(t, "qspy",
                                      "===RTC===> St-Entry Obj=0x00000011,State=0x00000022\n"
                                      "21474836488 Sch-Lock Ceil=5->6\n"
                                      "21474836489 USER+001 9 hi\n"
                                      "21474836490 USER+001\n"
                                      "21474836490 USER+001 0 0 0 0\n"
                                      "           QF_RUN\n"
                                      "           Trg-Ack  QS_RX_POKE\n");
    assert_int_equal(l.records, 7);
    assert_int_equal(l.malformed, 0);
    assert_int_equal(l.bytes, 7 * 16);
    assert_true(l.exact);
    struct text text;
    struct wf_session *s = print(t, "text", &text);
    assert_non_null(strstr(text.bytes, "21474836487    SM   state_entry"));
    assert_non_null(strstr(text.bytes, "21474836491    INFO qf_run"));
    const struct wf_target *target = wf_session_target(s);
    assert_int_equal(target->bytes[WF_TYPE_OBJ], 4);
    assert_int_equal(target->bytes[WF_TYPE_TIME], 8);
    assert_int_equal(target->build_id, 77);
    assert_int_equal(target->hz, 1000000000);
    assert_int_equal(target->cores, 1);
    wf_session_close(s);
    free(text.bytes);
    free(t);
}

// A target info with four-byte stamps does not change how later records are read.
static void test_target_info(void **state) {
    static const uint8_t info[] = {0, 0xE4, 2, 0x22, 0x41, 0x22, 0x44, 4, 0, 0, 1, 2, 3, 4, 5, 26};
    (void)state;
    struct trace *t = calloc(1, sizeof *t);
    put_text(t, HEADER("LITTLE", "1", "T4O4F4"));
    put_time(t, 0, 1);
    put_record(t, 0, 64, 2, info, sizeof info);
    put_record(t, 0, 52, 3, lock, sizeof lock);
    struct text text;
    struct wf_session *s = print(t, "mat", &text);
    assert_non_null(strstr(text.bytes, "52 3 5 6\n"));
    assert_true(wf_session_target(s)->known);
    assert_int_equal(wf_session_ledger(s)->malformed, 0);
    wf_session_close(s);
    free(text.bytes);
    free(t);
}

// Bytes are in memory order for any target byte order.
static void test_big_endian(void **state) {
    (void)state;
    struct trace *t = calloc(1, sizeof *t);
    t->big = true;
    put_text(t, HEADER("BIG", "1", "T4O4F4"));
    put_time(t, 0, 1);
    put_record(t, 0, 1, 7, entry, sizeof entry);
    expect_lines(t, "qspy", "===RTC===> St-Entry Obj=0x00000011,State=0x00000022\n");
    free(t);
}

static void test_others(void **state) {
    (void)state;
    struct trace *t = calloc(1, sizeof *t);
    put_text(t, HEADER("LITTLE", "2", "T4O4F4"));
    put_time(t, 1, 5);
    put_slot(t, HEAD(1, 4, 1), 6, 42, 3); // a running thread
    put_record(t, 1, 84, 7, entry, 3);    // not in the table
    put_record(t, 1, 300, 8, entry, 8);   // not a record number
    put_record(t, 1, 1, 9, entry, 7);     // too short
    struct wf_ledger l = expect_lines(
        t, "text",
        "             6    c1  THREAD THRUNNING        pid:42 tid:3 \n"
        "             7    ---- record 84 with 3 bytes is not in the table [byte 182]\n"
        "             8    c1  RECORD 300              d0:0x00000011 d1:0x00000022\n"
        "             9    ---- state_entry with 7 bytes is too short for the field sizes [byte "
        "214]\n");
    assert_int_equal(l.records, 2);
    assert_int_equal(l.unknown, 1);
    assert_int_equal(l.malformed, 1);
    free(t);
}

// MADE gives the number of missing events, REFUSED the number that did not fit; then bytes that are
// not a slot.
static void test_losses(void **state) {
    (void)state;
    struct trace *t = calloc(1, sizeof *t);
    put_text(t, HEADER("LITTLE", "2", "T4O4F4"));
    put_buffer(t, 1, 5, 0);
    put_time(t, 1, 5);
    put_own(t, 1, 1, 5, 0);
    put_own(t, 1, 2, 5, 0);
    put_record(t, 1, 52, 6, lock, sizeof lock);
    put_own(t, 1, 3, 7, 30); // GONE
    put_buffer(t, 1, 9, 3);
    put_time(t, 1, 9);
    put_own(t, 1, 1, 9, 21);
    put_own(t, 1, 2, 9, 4);
    put_record(t, 1, 52, 10, lock, sizeof lock);
    put_slot(t, LAST(HEAD(1, 24, 1)), 11, 0, 0);
    struct text text;
    struct wf_session *s = print(t, "text", &text);
    const struct wf_ledger *l = wf_session_ledger(s);
    assert_non_null(strstr(text.bytes, "             6    ---- core 1: 24 events missing: given up "
                                       "by the target, its ring was full"));
    assert_non_null(strstr(text.bytes, "---- core 1: 16 damaged bytes: "));
    assert_int_equal(l->records, 2);
    assert_int_equal(l->missing, 24);
    assert_int_equal(l->given_up, 24);
    assert_int_equal(l->bytes_bad, 16);
    assert_int_equal(l->holes, 2);
    assert_true(l->exact);
    wf_session_close(s);
    free(text.bytes);
    s = print(t, "qspy", &text);
    assert_non_null(strstr(text.bytes, "Discontinuity Seq=1->26"));
    wf_session_close(s);
    free(text.bytes);
    free(t);
}

// Events of QNX are not records, and the count of missing ones is not exact.
static void test_qnx(void **state) {
    (void)state;
    struct trace *t = calloc(1, sizeof *t);
    put_text(t, QNX_HEADER("LITTLE", "1", ""));
    put_time(t, 0, 5);
    put_record(t, 0, 1, 7, entry, sizeof entry);
    struct wf_ledger l = expect_lines(
        t, "text", "             7    RECORD 1                d0:0x00000011 d1:0x00000022\n");
    assert_int_equal(l.records, 0);
    assert_false(l.exact);
    free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),    cmocka_unit_test(test_target_info),
        cmocka_unit_test(test_big_endian), cmocka_unit_test(test_others),
        cmocka_unit_test(test_losses),     cmocka_unit_test(test_qnx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
