// SPDX-License-Identifier: MIT
// TraceRecorder's layouts, time, losses and damage, by streams and rings that the test writes.

#include "wf_test_tracerecorder.h"

// ---- layouts

static void put_some_events(void) {
    head(2);
    entry(0xA0, 5, 0, 0, 0, "A");
    entry(0x700, 0, -9, 9, 0x04000000, "n");
    EVENT(0x01, 1010, 2);
    EVENT(0x37, 1020, 0xA0, 5);
    EVENT(0xF4, 1030, 0x700, (uint64_t)-4);
    EVENT(0xF5, 1040, 0x700);
    TEXT_EVENT(0x93, 1050, "%d %u", 0xA1, (uint64_t)-2, 7);
    EVENT(0x50, 1060, 0x100, 3);
}

static void all_layouts_are_the_same(void **state) {
    static const unsigned versions[] = {0x0A, 0x0C, 0x0D, 0x0E};
    (void)state;
    for (unsigned i = 0; i < 16; ++i) {
        begin();
        how.version = versions[i / 4];
        how.big = i & 1;
        how.word = i & 2 ? 8 : 4;
        put_some_events();
        read_all();
        assert_int_equal(error.code, WF_OK);
        SHOWS("0.000000 s  TASK task_switch      A runs");
        SHOWS("n is -4");
        SHOWS("counter n low -9 high 9");
        SHOWS("-2 7");
        SHOWS("A sends to");
        assert_int_equal(last_tick, 1060);
    }
}

static void other_versions_are_refused_with_what_to_do(void **state) {
    (void)state;
    begin();
    how.version = 9;
    put_some_events();
    read_pieces(len);
    assert_int_equal(error.code, WF_ERR_BAD_IMPORT);
    assert_non_null(strstr(error.text, "version 0x0009 is of TraceRecorder before 4.6"));
    assert_non_null(strstr(error.text, "build the target with"));
    assert_int_equal(error.at, 4);
    begin();
    how.version = 15;
    put_some_events();
    read_pieces(len);
    assert_non_null(strstr(error.text, "version 0x000F is newer"));
}

static void codes_of_46_are_not_those_of_later_ones(void **state) {
    (void)state;
    begin();
    how.version = 0x0A;
    head(0);
    EVENT(0x01, 10, 2);
    EVENT(0xF0, 11, 0x700, 0x710);
    read_all();
    SHOWS("interval state");
    HIDES("begins");
}

static void expect_refusal(size_t at, uint64_t value, unsigned size, const char *why) {
    begin();
    put_some_events();
    size_t end = len;
    len = at;
    put(value, size);
    len = end;
    read_pieces(len);
    assert_int_equal(error.code, WF_ERR_BAD_IMPORT);
    if (!strstr(error.text, why)) fail_msg("\"%s\" is not in: %s", why, error.text);
}

static void hostile_headers_are_refused(void **state) {
    (void)state;
    expect_refusal(6, 0x1234, 2, "platform 0x1234");
    expect_refusal(12, 0, 4, "0 cores");
    expect_refusal(12, 17, 4, "17 cores");
    expect_refusal(60, UINT32_MAX, 4, "a table of 4294967295 entries");
    expect_refusal(64, 4097, 4, "names of 4097 bytes");
    expect_refusal(68, 65, 4, "65 states");
    expect_refusal(60, 1000, 4, "ends in the table of entries");
    begin();
    put_some_events();
    len = 50;
    read_pieces(len);
    assert_non_null(strstr(error.text, "the header has 72 bytes"));
}

// ---- time

static void expect_time(uint32_t stamp, uint64_t tick) {
    EVENT(0xF4, stamp, 0x700, 1);
    read_all();
    assert_int_equal(last_tick, tick);
}

static void begin_time(unsigned type, unsigned period) {
    begin();
    how.type = type;
    how.period = period;
}

static void stamps_wrap_up_and_down(void **state) {
    (void)state;
    begin_time(1, 0);
    head(0);
    EVENT(0x01, 4294967290u, 2);
    expect_time(4, 4294967300);
    expect_time(3, 8589934595); // a turn
    begin_time(2, 0);
    head(0);
    EVENT(0x01, 5, 2); // 4294967290 up
    expect_time(4294967291u, 4294967300);
    begin_time(5, 1000); // wraps at its period
    head(0);
    EVENT(0x01, 990, 2);
    expect_time(10, 1010);
    begin_time(6, 1000);
    head(0);
    EVENT(0x01, 9, 2); // 990
    expect_time(989, 1010);
    begin_time(1, 1000); // the period is not its turn
    head(0);
    EVENT(0x01, 2000, 2);
    expect_time(10, 4294967306);
}

static void the_header_has_the_turns_before(void **state) {
    (void)state;
    begin_time(1, 0);
    how.wraps = 2;
    how.latest = 100;
    head(0);
    EVENT(0x01, 200, 2);
    expect_time(300, 8589934892);
    begin_time(1, 0);
    how.wraps = 2;
    how.latest = 300;
    head(0);
    EVENT(0x01, 200, 2);
    expect_time(250, 12884902138);
}

static void the_timer_of_the_rtos_counts_in_a_tick(void **state) {
    (void)state;
    begin_time(3, 1000);
    head(0);
    EVENT(0x01, 5u << 24 | 100, 2);
    expect_time(6u << 24 | 50, 6050);
    expect_time(6u << 24 | 40, 7040); // the tick is not yet counted
    expect_time(7u << 24 | 60, 7060);
    EVENT(0x31, 7u << 24 | 70, 7 + 512); // the tick: two turns of 256 in a silence
    expect_time(8u << 24, 520000);
    begin_time(4, 1000);
    head(0);
    EVENT(0x01, 5u << 24 | 899, 2);
    expect_time(6u << 24 | 949, 6050);
}

static void a_tick_shows_turns_of_the_timer(void **state) {
    (void)state;
    begin_time(1, 0);
    head(0);
    EVENT(0x01, 1000, 2);
    EVENT(0x31, 2000, 10);
    EVENT(0x31, 3000, 10 + 4294968); // 4294.968 s later: a turn, and 704 ticks
    expect_time(4000, 4294971296);
}

// ---- losses

static void begin_counting(void) {
    begin_tasks();
    for (unsigned i = 0; i < 32; ++i) EVENT(0xF4, 100 + 10 * i, 0x700, i);
}

static void missing_events_are_counted(void **state) {
    (void)state;
    begin_counting();
    count[0] += 5;
    for (unsigned i = 0; i < 8; ++i) EVENT(0x50, 500 + 10 * i, 0x100, i);
    count[0] += 70000; // more than a turn
    for (unsigned i = 0; i < 8; ++i) EVENT(0xF4, 900000 + 10 * i, 0x700, i);
    read_all();
    SHOWS("---- 5 events missing: the recorder's buffer was full");
    SHOWS("---- at least 4464 events missing");
    SHOWS("queue_send       obj 0x00000100 count 0"); // by a task that is not known
    assert_int_equal(ledger.missing, 5 + 4464);
    assert_int_equal(ledger.holes, 2);
}

static void the_counter_wraps(void **state) {
    (void)state;
    begin_tasks();
    for (unsigned i = 0; i < 9000; ++i) EVENT(0xF4, 100 + i, 0x700, i);
    count[0] = 65530;
    for (unsigned i = 0; i < 20; ++i) EVENT(0xF4, 9200 + i, 0x700, i);
    read_pieces(len);
    assert_int_equal(ledger.missing, 65530 - 9009);
    assert_int_equal(ledger.holes, 1);
}

static void missing_events_at_the_start_are_counted_by_the_header(void **state) {
    (void)state;
    begin();
    head(0);
    count[0] += 3;
    for (unsigned i = 0; i < 8; ++i) EVENT(0xF4, 100 + i, 0x700, i);
    read_all();
    assert_int_equal(ledger.missing, 3);
}

static void cores_have_counters_of_their_own(void **state) {
    (void)state;
    begin();
    how.cores = 2;
    head(0);
    EVENT(0x01, 10, 0xA0, 0xB0);
    for (unsigned i = 0; i < 5000; ++i) {
        EVENT_ON(0, 0xF4, 100 + 20 * i, 0x700, 1);
        EVENT_ON(1, 0xF4, 110 + 20 * i, 0x710, 2);
    }
    count[1] += 9;
    EVENT_ON(1, 0x37, 100109, 0xC0, 1); // its stamp was taken first
    for (unsigned i = 0; i < 8; ++i) EVENT_ON(i & 1, 0xF4, 100200 + i, 0x700, i);
    read_pieces(len);
    SHOWS("0x000000A0 runs on core 0");
    SHOWS("0x000000B0 runs on core 1");
    SHOWS("core 1: 9 events missing");
    SHOWS("0x000000C0 runs on core 1");
    HIDES("back");
    assert_int_equal(ledger.missing, 9);
    assert_int_equal(ledger.back, 0);
}

// ---- damage

static void events_are_found_after_damage(void **state) {
    (void)state;
    for (unsigned junk = 1; junk < 40; ++junk) {
        begin_counting();
        memset(bytes + len, 0x3C, junk);
        len += junk;
        for (unsigned i = 0; i < 8; ++i) EVENT(0x50, 500 + 10 * i, 0x100, i);
        read_all();
        assert_int_equal(ledger.bytes_bad, junk);
        assert_int_equal(ledger.missing, 0);
        SHOWS("not the one that follows");
        SHOWS("count 7");
    }
}

static void a_stream_may_begin_in_the_middle(void **state) {
    (void)state;
    begin_tasks();
    size_t n = len;
    put_some_events();
    memmove(bytes, bytes + 30 + 72, len -= 102); // without the first header
    assert_true(n > 102);
    assert_int_equal(wfi_import_tracerecorder.sniff(bytes, len, true), WFI_SNIFF_YES);
    read_all();
    SHOWS("---- the trace begins here");
    SHOWS("n is -4");
    HIDES("task_create");
    assert_int_equal(ledger.bytes_bad, 0);
}

static void a_stream_without_a_header_is_detected_and_refused(void **state) {
    (void)state;
    begin_counting();
    memmove(bytes, bytes + 75, len -= 75);
    assert_int_equal(wfi_import_tracerecorder.sniff(bytes, len, true), WFI_SNIFF_YES);
    assert_int_equal(wfi_import_tracerecorder.sniff(bytes, len, false), WFI_SNIFF_PERHAPS);
    memset(bytes, 0, 1000);
    assert_int_equal(wfi_import_tracerecorder.sniff(bytes, 1000, true), WFI_SNIFF_NO);
    begin_counting();
    memmove(bytes, bytes + 75, len -= 75);
    read_pieces(len);
    assert_non_null(strstr(error.text, "no header"));
    assert_non_null(strstr(error.text, "start tracing again"));
}

static void a_second_header_is_a_new_start(void **state) {
    (void)state;
    begin();
    put_some_events();
    memset(count, 0, sizeof count);
    put_some_events(); // the target started again: its time is less
    read_all();
    SHOWS("the recorder was started again");
    assert_int_equal(last_tick, 1060 + 1 + 50);
    assert_int_equal(ledger.by_id[WF_RECORD_counter], 2);
    assert_int_equal(ledger.missing, 0);
}

static void an_event_cut_at_the_end_is_damage(void **state) {
    (void)state;
    begin_counting();
    len -= 3;
    read_all();
    assert_int_equal(ledger.bytes_bad, 13);
    SHOWS("the input ends inside an event");
}

// ---- rings

enum { RING = 400 };

// A ring of a core: events in two pieces of which the first one ends before the slack.
static void put_ring(unsigned slots, const uint8_t *events, size_t n, size_t from, unsigned options,
                     unsigned dropped) {
    (void)slots;
    put(n ? (uint64_t)(n - from) : 0, 4);    // head
    put(n && from ? RING - 8 - from : 0, 4); // tail
    put(RING, 4);
    put(options, 4);
    put(dropped, 4);
    put(0, 4);
    put(8, 4); // slack
    put(0, 4);
    put(0, 4);
    put(0, 4);
    put(0x20000000, 4);
    memset(bytes + len, 0xEE, RING);
    memcpy(bytes + len, events + from, n - from);
    if (from) memcpy(bytes + len + RING - 8 - from, events, from);
    len += RING;
}

static void put_marker(void) {
    static const uint8_t marker[] = {5, 6, 7, 8, 0x75, 0x76, 0x77, 0x78, 0xF5, 0xF6, 0xF7, 0xF8};
    memcpy(bytes + len, marker, sizeof marker);
    len += sizeof marker;
}

// Events of a core, written to `to`. Returns their length.
static size_t make_events(uint8_t *to, unsigned core, unsigned n, unsigned first, uint32_t stamp) {
    size_t at = len;
    count[core] = first - 1;
    for (unsigned i = 0; i < n; ++i) EVENT_ON(core, 0xF4, stamp + 10 * i, 0x700, core * 100 + i);
    memcpy(to, bytes + at, len - at);
    size_t size = len - at;
    len = at;
    return size;
}

static void begin_ring(unsigned cores) {
    begin();
    how.cores = cores;
    how.latest = 1000;
    memset(bytes, 0x11, 37); // other memory
    len = 37;
    put_marker();
    head(2);
    entry(0x700, 0, 0, 0, 0x04000000, "n");
    entry(0, 0, 0, 0, 0, "");
    put(cores * (44 + RING), 4);
}

static void a_ring_is_read_from_its_oldest_event(void **state) {
    uint8_t events[RING];
    (void)state;
    begin_ring(1);
    size_t n = make_events(events, 0, 10, 90, 900);
    put_ring(2, events, n, 48, 1, 0);
    memset(bytes + len, 0x22, 100);
    len += 100;
    assert_int_equal(wfi_import_tracerecorder.sniff(bytes, len, true), WFI_SNIFF_YES);
    read_all();
    SHOWS("the trace begins here: 89 older events were overwritten");
    SHOWS("0.000000 s  NOTE counter          n is 0");
    SHOWS("0.000090 s  NOTE counter          n is 9");
    assert_int_equal(last_tick, 990);
    assert_int_equal(ledger.missing, 0);
    assert_int_equal(ledger.by_id[WF_RECORD_counter], 10);
    assert_int_equal(ledger.bytes_bad, 0);
}

static void a_ring_that_stopped_has_lost_the_last_events(void **state) {
    uint8_t events[RING];
    (void)state;
    begin_ring(1);
    size_t n = make_events(events, 0, 10, 1, 900);
    put_ring(2, events, n, 0, 0, 12);
    read_all();
    HIDES("begins here");
    SHOWS("---- 12 events missing: the ring was full");
    assert_int_equal(ledger.by_id[WF_RECORD_counter], 10);
}

static void the_rings_of_cores_are_merged_by_time(void **state) {
    uint8_t first[RING], second[RING];
    (void)state;
    begin_ring(2);
    // The timer turns within the first one; the second one has newer events only.
    size_t n = make_events(first, 0, 10, 20, 4294967256u), k = make_events(second, 1, 3, 5, 15);
    put_ring(2, first, n, 32, 1, 0);
    put_ring(2, second, k, 16, 1, 0);
    read_all();
    const char *a = strstr(text, "n is 5"), *b = strstr(text, "n is 100"),
               *c = strstr(text, "n is 6");
    assert_true(a && b && c && a < b && b < c);
    assert_int_equal(ledger.by_id[WF_RECORD_counter], 13);
    assert_int_equal(ledger.back, 0);
}

static void a_hostile_ring_is_damage_or_refused(void **state) {
    uint8_t events[RING];
    (void)state;
    begin_ring(1);
    size_t at = len, n = make_events(events, 0, 10, 1, 900);
    put_ring(2, events, n, 48, 1, 0);
    size_t end = len;
    for (unsigned i = 0; i < 8; ++i) {
        len = at + 4 * i;
        put(UINT32_MAX, 4);
        len = end;
        read_all();
        assert_int_equal(error.code, WF_OK);
        begin_ring(1);
        put_ring(2, events, n, 48, 1, 0);
    }
    len = at - 4;
    put(UINT32_MAX, 4);
    len = end;
    read_pieces(len);
    assert_non_null(strstr(error.text, "a ring of 4294967295 bytes"));
    len = at - 4;
    put(44 + RING + 4, 4);
    len = end;
    read_pieces(len);
    assert_non_null(strstr(error.text, "ends in the ring"));
}

static void an_old_snapshot_is_refused(void **state) {
    static const uint8_t marker[] = {1, 2, 3, 4, 0x71, 0x72, 0x73, 0x74, 0xF1, 0xF2, 0xF3, 0xF4};
    (void)state;
    begin();
    memset(bytes, 0, 200);
    memcpy(bytes + 20, marker, sizeof marker);
    len = 200;
    assert_int_equal(wfi_import_tracerecorder.sniff(bytes, len, true), WFI_SNIFF_YES);
    read_pieces(len);
    assert_non_null(strstr(error.text, "snapshot of TraceRecorder 3"));
    assert_int_equal(error.at, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_layouts_are_the_same),
        cmocka_unit_test(other_versions_are_refused_with_what_to_do),
        cmocka_unit_test(codes_of_46_are_not_those_of_later_ones),
        cmocka_unit_test(hostile_headers_are_refused),
        cmocka_unit_test(stamps_wrap_up_and_down),
        cmocka_unit_test(the_header_has_the_turns_before),
        cmocka_unit_test(the_timer_of_the_rtos_counts_in_a_tick),
        cmocka_unit_test(a_tick_shows_turns_of_the_timer),
        cmocka_unit_test(missing_events_are_counted),
        cmocka_unit_test(the_counter_wraps),
        cmocka_unit_test(missing_events_at_the_start_are_counted_by_the_header),
        cmocka_unit_test(cores_have_counters_of_their_own),
        cmocka_unit_test(events_are_found_after_damage),
        cmocka_unit_test(a_stream_may_begin_in_the_middle),
        cmocka_unit_test(a_stream_without_a_header_is_detected_and_refused),
        cmocka_unit_test(a_second_header_is_a_new_start),
        cmocka_unit_test(an_event_cut_at_the_end_is_damage),
        cmocka_unit_test(a_ring_is_read_from_its_oldest_event),
        cmocka_unit_test(a_ring_that_stopped_has_lost_the_last_events),
        cmocka_unit_test(the_rings_of_cores_are_merged_by_time),
        cmocka_unit_test(a_hostile_ring_is_damage_or_refused),
        cmocka_unit_test(an_old_snapshot_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
