// SPDX-License-Identifier: MIT
// The slot reader on traces made by hand: header, byte orders, time, chains, loss and damage.

#include "wf_test_slots.h"

static const struct wf_slots_options bare = {
    .size = sizeof bare, .no_header = true, .order = WF_SLOTS_LITTLE};

// The head from the example in the reference: first slot, core 0, class 6, event 0x80.
static void test_worked_head(void **state) {
    (void)state;
    assert_int_equal(FIRST(HEAD(0, 6, 0x80)), 0x40001880);
}

static void test_header(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_text(&t, QNX_HEADER("LITTLE", "1", "TRACE_SYSPAGE_LEN::5TRACE_MINE::a b"));
    put_text(&t, "PQRST"); // the system page
    put_time(&t, 0, 0x37B000000000);
    put_slot(&t, HEAD(0, 6, 3), 0x4F81E320, 1, 2);
    struct wf_slots_ledger l = expect(&t, NULL, "header\nc0 6/3 37b04f81e320 1 2\n");
    assert_int_equal(l.events, 1);
    assert_int_equal(l.control, 1);
    assert_int_equal(l.slots, 2);
    assert_true(l.exact);

    struct wf_slots_item item;
    const char *key, *value;
    size_t len;
    struct wf_slots *s = wf_slots_open(NULL, NULL);
    wf_slots_feed(s, t.bytes, t.len);
    assert_true(wf_slots_next(s, &item));
    assert_int_equal(item.kind, WF_SLOTS_HEADER);
    assert_true(wf_slots_attribute(s, 0, &key, &value));
    assert_string_equal(key, "HEADER_BEGIN");
    assert_string_equal(value, "");
    assert_true(wf_slots_attribute(s, 1, &key, &value));
    assert_string_equal(value, "a.kev");
    assert_string_equal(wf_slots_find(s, "MINE"), "a b");
    assert_string_equal(wf_slots_find(s, "DATE"), "Wed Jun 24 10:52:58 2009");
    assert_null(wf_slots_find(s, "NOT_THERE"));
    assert_memory_equal(wf_slots_syspage(s, &len), "PQRST", 5);
    assert_int_equal(len, 5);
    assert_int_equal(wf_slots_hz(s), 736629000);
    assert_true(wf_slots_is(t.bytes, t.len));
    wf_slots_close(s);
}

static void test_big_endian(void **state) {
    (void)state;
    struct trace t = {.big = true};
    put_text(&t, QNX_HEADER("BIG", "2", ""));
    put_time(&t, 1, 0x100000000);
    put_slot(&t, FIRST(HEAD(1, 6, 9)), 5, 0x61626364, 1);
    put_slot(&t, LAST(HEAD(1, 6, 9)), 5, 2, 3);
    expect(&t, NULL, "header\nc1 6/9 100000005 61626364 1 2 3\n");

    struct wf_slots_item item;
    struct wf_slots *s = wf_slots_open(NULL, NULL);
    wf_slots_feed(s, t.bytes, t.len);
    while (wf_slots_next(s, &item) && item.kind != WF_SLOTS_EVENT) {
    }
    assert_memory_equal(item.event.bytes, "abcd\0\0\0\1", 8); // the text as stored
    assert_true(wf_slots_swapped(s));
    wf_slots_close(s);
}

static void test_order_is_told_by_slots(void **state) {
    (void)state;
    for (int big = 0; big < 2; ++big) {
        struct trace t = {.big = big};
        put_buffer(&t, 0, 100, 1);
        put_time(&t, 0, 100);
        for (uint32_t i = 0; i < 20; ++i) put_slot(&t, HEAD(0, 4, 1), 200 + i, 7, i);
        struct text got = read_trace(
            &t,
            &(struct wf_slots_options){.size = sizeof(struct wf_slots_options), .no_header = true},
            1000, NULL);
        assert_non_null(strstr(got.bytes, "c0 4/1 d1 7 9\n"));
        free(got.bytes);
    }
}

static void test_bad_headers(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_text(&t, "xxTRACE_HEADER_BEGIN::TRACE_VER_MAJOR::0TRACE_VER_MINOR::9"
                 "TRACE_LITTLE_ENDIAN::TRUETRACE_BIG_ENDIAN::TRUETRACE_ENCODING::8 byte events"
                 "TRACE_CPU_NUM::manyTRACE_CYCLES_PER_SEC::0TRACE_DATE::xTRACE_NONSENSE"
                 "TRACE_BOOT_DATE::yTRACE_SYSNAME::QNXTRACE_NODENAME::TRACE_SYS_RELEASE::"
                 "TRACE_SYS_VERSION::TRACE_HEADER_END::");
    size_t header = t.len;
    put_time(&t, 0, 100);
    for (uint32_t i = 0; i < 4; ++i) put_slot(&t, HEAD(0, 4, 1), 200 + i, 7, i);
    char want[2000];
    snprintf(want, sizeof want,
             "header\n"
             "header 0+2 bytes in front of the attributes\n"
             "header 189+14 TRACE_ without :: after it is no attribute\n"
             "header 0+0 TRACE_MACHINE is missing\n"
             "header 0+0 both byte orders are given: the slots show which it is\n"
             "header 0+0 version 0.09 is older than 1.01\n"
             "header 0+0 TRACE_ENCODING is '8 byte events', not '16 byte events'\n"
             "header 0+0 TRACE_CYCLES_PER_SEC is '0', no number from 1 to 1152921504606846975\n"
             "header 0+0 TRACE_CPU_NUM is 'many', no number from 1 to 64\n"
             "c0 4/1 c8 7 0\nc0 4/1 c9 7 1\nc0 4/1 ca 7 2\nc0 4/1 cb 7 3\n");
    assert_true(header > 100);
    expect(&t, NULL, want);

    struct trace none = {.len = 0};
    put_time(&none, 0, 100);
    put_slot(&none, HEAD(0, 4, 1), 200, 7, 8);
    expect(&none, NULL,
           "header\nheader 0+0 there is no TRACE_HEADER_BEGIN: read as slots from here on\n"
           "c0 4/1 c8 7 8\n");

    struct trace middle = {.len = 0};
    put_text(&middle, QNX_HEADER("MIDDLE", "1", ""));
    size_t at = middle.len;
    put_slot(&middle, HEAD(0, 4, 1), 200, 7, 8);
    snprintf(
        want, sizeof want,
        "header\nheader 0+0 TRACE_MIDDLE_ENDIAN: slots of such byte order cannot be read\n"
        "header 0+0 TRACE_LITTLE_ENDIAN and TRACE_BIG_ENDIAN are missing: taken from the slots\n"
        "no-slot %zu+16\n",
        at);
    expect(&middle, NULL, want);
}

static void test_header_without_end(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_text(&t, OWN_HEADER("1"));
    t.len -= strlen("TRACE_HEADER_END::");
    put_text(&t, "TRACE_X::y");
    put_buffer(&t, 0, 100, 1); // begins with 2, which is not text
    put_time(&t, 0, 100);
    put_slot(&t, HEAD(0, 4, 1), 200, 7, 8);
    expect(&t, NULL,
           "header\nheader 0+0 TRACE_HEADER_END is missing: slots are assumed to begin after the "
           "text\nc0 4/1 c8 7 8\n");
}

static void test_every_cut_of_a_file(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_text(&t, QNX_HEADER("LITTLE", "1", "TRACE_SYSPAGE_LEN::40"));
    size_t text = t.len;
    t.len += 40;
    put_buffer(&t, 0, 100, 1);
    put_time(&t, 0, 100);
    for (uint32_t i = 0; i < 8; ++i) {
        put_slot(&t, FIRST(HEAD(0, 6, 1)), 200 + i, 7, i);
        put_slot(&t, LAST(HEAD(0, 6, 1)), 200 + i, 8, i);
    }
    size_t len = t.len, slots = text + 40 + 32;
    for (t.len = 0; t.len <= len; ++t.len) {
        struct wf_slots_ledger l, l1;
        struct text got = read_trace(&t, NULL, 1 << 20, &l);
        struct text one = read_trace(&t, NULL, 3, &l1);
        assert_string_equal(got.bytes, one.bytes);
        size_t events = t.len < slots ? 0 : (t.len - slots) / 32;
        if (t.len < text) events = 0;
        assert_int_equal(l.events, events);
        if (t.len > slots) {
            assert_int_equal(l.damage[WF_SLOTS_CUT], (t.len - slots) % 16 != 0);
            assert_int_equal(l.damage[WF_SLOTS_NO_LAST], (t.len - slots) % 32 >= 16);
        }
        free(got.bytes);
        free(one.bytes);
    }
}

static void test_wraps(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_slot(&t, HEAD(0, 4, 1), 0xFFFFFFF0, 0,
             0); // before the first TIME, which applies to it too
    put_time(&t, 0, 0x500000010);
    put_slot(&t, HEAD(0, 4, 1), 0x20, 1, 0);
    put_slot(&t, HEAD(0, 4, 1), 0x18, 2, 0); // a small step back
    put_slot(&t, HEAD(0, 4, 1), 0x30, 4, 0);
    put_slot(&t, HEAD(0, 4, 1), 0xF0000000, 5, 0); // after a long sleep
    put_slot(&t, HEAD(0, 4, 1), 0x10, 6, 0);       // wraps without a TIME
    put_slot(&t, HEAD(0, 4, 1), 0x90000000, 7, 0);
    put_time(&t, 0, 0x900000000);
    put_slot(&t, HEAD(0, 4, 1), 1, 8, 0);
    struct wf_slots_ledger l =
        expect(&t, &bare,
               "header\nc0 4/1 4fffffff0 0 0\nc0 4/1 500000020 1 0\nc0 4/1 500000018 2 0\n"
               "c0 4/1 500000030 4 0\nc0 4/1 5f0000000 5 0\n"
               "c0 4/1 600000010 6 0\nc0 4/1 690000000 7 0\nc0 4/1 900000001 8 0\n");
    assert_int_equal(l.back, 1);
}

static void test_clocks(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_time(&t, 0, 0x500000010);
    put_slot(&t, HEAD(1, 4, 1), 0x20, 1, 0);
    struct wf_slots_options o = bare;
    expect(&t, &o, "header\nuntimed c1 4/1 20 1 0\n");
    o.clock = WF_SLOTS_CLOCK_GLOBAL;
    expect(&t, &o, "header\nc1 4/1 500000020 1 0\n");
    put_time(&t, 0, 0x700000000); // core 1 slept during the wraps
    put_slot(&t, HEAD(1, 4, 1), 0xFFFFFF00, 2, 0);
    put_slot(&t, HEAD(1, 4, 1), 0x10, 3, 0);
    expect(&t, &o, "header\nc1 4/1 500000020 1 0\nc1 4/1 6ffffff00 2 0\nc1 4/1 700000010 3 0\n");
}

static void test_chains(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_time(&t, 0, 0);
    put_time(&t, 1, 0);
    put_slot(&t, FIRST(HEAD(0, 6, 1)), 100, 1, 2);
    put_slot(&t, FIRST(HEAD(1, 6, 1)), 100, 11, 12); // differs only in the core
    put_slot(&t, FIRST(HEAD(0, 6, 2)), 100, 21, 22); // in the event
    put_slot(&t, FIRST(HEAD(0, 7, 1)), 100, 31, 32); // in the class
    put_slot(&t, FIRST(HEAD(0, 6, 1)), 101, 41, 42); // in the stamp
    put_slot(&t, HEAD(0, 4, 1), 110, 0, 0);
    put_slot(&t, MIDDLE(HEAD(1, 6, 1)), 100, 13, 14);
    put_slot(&t, LAST(HEAD(0, 6, 1)), 101, 43, 44);
    put_slot(&t, LAST(HEAD(0, 7, 1)), 100, 33, 34);
    put_slot(&t, LAST(HEAD(0, 6, 2)), 100, 23, 24);
    put_slot(&t, LAST(HEAD(0, 6, 1)), 100, 3, 4);
    put_slot(&t, LAST(HEAD(1, 6, 1)), 100, 15, 16);
    struct wf_slots_ledger l =
        expect(&t, &bare,
               "header\nc0 4/1 6e 0 0\nc0 6/1 65 29 2a 2b 2c\nc0 7/1 64 1f 20 21 22\n"
               "c0 6/2 64 15 16 17 18\nc0 6/1 64 1 2 3 4\nc1 6/1 64 b c d e f 10\n");
    assert_int_equal(l.events, 6);
    assert_int_equal(l.slots, 14);
}

static void test_broken_chains(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_time(&t, 0, 0);
    put_slot(&t, MIDDLE(HEAD(0, 6, 1)), 100, 1, 2);
    put_slot(&t, LAST(HEAD(0, 6, 1)), 100, 1, 2);
    put_slot(&t, FIRST(HEAD(0, 6, 1)), 101, 3, 4);
    put_slot(&t, MIDDLE(HEAD(0, 6, 1)), 101, 3, 4);
    put_slot(&t, FIRST(HEAD(0, 6, 1)), 101, 5, 6); // a new first slot
    put_slot(&t, LAST(HEAD(0, 6, 1)), 101, 7, 8);
    put_slot(&t, FIRST(HEAD(0, 6, 1)), 102, 9, 9); // never closed
    put_slot(&t, FIRST(HEAD(0, 6, 2)), 103, 9, 9);
    struct wf_slots_ledger l = expect(&t, &bare,
                                      "header\nno-first 16+16\nno-first 32+16\nno-last 48+32\n"
                                      "c0 6/1 65 5 6 7 8\nno-last 112+16\nno-last 128+16\n");
    assert_int_equal(l.slots, l.control + l.damaged + 2);
    assert_false(l.exact);
}

static void test_longest_chain(void **state) {
    (void)state;
    for (unsigned over = 0; over < 2; ++over) {
        struct trace t = {.len = 0};
        put_time(&t, 0, 0);
        put_slot(&t, FIRST(HEAD(0, 6, 1)), 100, 1, 2);
        for (unsigned i = 0; i < WF_SLOT_WORDS_MAX / 2 - 2 + over; ++i) {
            put_slot(&t, MIDDLE(HEAD(0, 6, 1)), 100, 3, 4);
        }
        put_slot(&t, LAST(HEAD(0, 6, 1)), 100, 5, 6);
        put_slot(&t, HEAD(0, 6, 2), 101, 1, 1);
        expect(&t, &bare,
               over ? "header\ntoo-long 16+16400\nc0 6/2 65 1 1\n"
                    : "header\nc0 6/1 64 1 2 3 4 3 4 3 4 +2040\nc0 6/2 65 1 1\n");
    }
}

// More open chains than the limit: the oldest are dropped, the others are complete.
static void test_many_open_chains(void **state) {
    (void)state;
    enum { MANY = 5000, MAX = 4096 };
    struct trace t = {.len = 0};
    put_time(&t, 0, 0);
    for (uint32_t i = 0; i < MANY; ++i) put_slot(&t, FIRST(HEAD(0, 6, 1)), i, 1, 2);
    for (uint32_t i = 0; i < MANY; ++i) put_slot(&t, LAST(HEAD(0, 6, 1)), i, 1, 2);
    struct wf_slots_ledger l;
    struct text got = read_trace(&t, &bare, 4000, &l);
    assert_int_equal(l.damage[WF_SLOTS_NO_LAST], MANY - MAX);
    assert_int_equal(l.damage[WF_SLOTS_NO_FIRST], MANY - MAX);
    assert_int_equal(l.events, MAX);
    assert_non_null(strstr(got.bytes, "no-last 16+16\nno-last 32+16\n"));
    free(got.bytes);
}

static void test_records(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_time(&t, 0, 0);
    put_slot(&t, HEAD(0, 24, 100) | 3 << 15, 100, 1, 2);
    put_slot(&t, HEAD(0, 24, 101), 101, 1, 2);
    put_slot(&t, FIRST(HEAD(0, 24, 102)), 102, 1, 2);
    put_slot(&t, LAST(HEAD(0, 24, 102)) | 7 << 15, 102, 3, 0);
    expect(&t, &bare, "header\nc0 24/100 64 1 2 (5)\nc0 24/101 65 1 2\nc0 24/102 66 1 2 3 0 (9)\n");
}

static void test_unknown_is_kept(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_time(&t, 0, 0);
    for (uint32_t i = 0; i < 40; ++i) put_slot(&t, HEAD(0, 12 + i % 12, 77), 100 + i, i, 2);
    put_slot(&t, HEAD(0, 4, 1) | 0x00010000, 200, 1, 2); // 8.0: made by a process
    put_slot(&t, 0, 0, 0, 0);                            // fills the buffer
    struct wf_slots_ledger l;
    struct text got = read_trace(&t, &bare, 1000, &l);
    assert_int_equal(l.events, 41);
    assert_int_equal(l.empty, 1);
    assert_non_null(strstr(got.bytes, "c0 12/77 64 0 2\nc0 13/77 65 1 2\n"));
    assert_null(strstr(got.bytes, "no-slot"));
    free(got.bytes);
}

static void test_control_events(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_buffer(&t, 0, 0xFFFFFFF0, 7);
    put_time(&t, 0, 0x200000005);
    put_own(&t, 0, WF_SLOT_OWN_REFUSED, 5, 3);
    put_slot(&t, HEAD(0, 4, 1), 6, 0, 0);
    struct wf_slots_options o = bare;
    o.with_control = true;
    struct wf_slots_ledger l =
        expect(&t, &o,
               "header\nc0 1/2 1fffffff0 7 40\nc0 1/1 200000005 2 5\nc0 25/2 200000005 3 0\n"
               "loss c0 refused 3\nc0 4/1 200000006 0 0\n");
    assert_int_equal(l.events, 1);
    assert_int_equal(l.control, 3);
}

static void test_gaps(void **state) {
    (void)state;
    static const uint32_t numbers[] = {4, 5, 9, 10};
    struct trace t = {.len = 0};
    for (uint32_t i = 0; i < 4; ++i) {
        put_buffer(&t, i % 2, 100 * i, numbers[i]); // numbered across cores
        put_time(&t, i % 2, 100 * i);
        put_slot(&t, HEAD(i % 2, 4, 1), 100 * i + 1, 0, 0);
    }
    struct wf_slots_ledger l = expect(&t, &bare,
                                      "header\nc0 4/1 1 0 0\nc1 4/1 65 0 0\nloss c0 >=3 chunks 3\n"
                                      "c0 4/1 c9 0 0\nc1 4/1 12d 0 0\n");
    assert_false(l.exact);
    assert_int_equal(l.lost, 3);

    struct trace each = {.len = 0};
    for (uint32_t i = 0; i < 8; ++i) {
        uint32_t core = i % 2;
        put_buffer(&each, core, 100 * i, core * 1000 + i / 2 + (i == 7)); // numbered for each core
        put_time(&each, core, 100 * i);
    }
    l = expect(&each, &bare, "header\nloss c1 >=1 chunks 1\n");
}

static void put_chunk(struct trace *t, unsigned core, uint32_t number, uint32_t time, uint64_t made,
                      uint64_t refused, unsigned events) {
    put_buffer(t, core, time, number);
    put_time(t, core, time);
    put_own(t, core, WF_SLOT_OWN_MADE, time, made);
    put_own(t, core, WF_SLOT_OWN_REFUSED, time, refused);
    for (unsigned i = 0; i < events; ++i) put_slot(t, HEAD(core, 4, i), time + i, 0, 0);
}

static void test_exact_loss(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_text(&t, OWN_HEADER("2"));
    put_chunk(&t, 0, 7, 100, 50, 0, 1); // 50 were overwritten before
    put_chunk(&t, 1, 0, 100, 0, 0, 1);
    put_chunk(&t, 0, 8, 200, 51, 0, 1);
    put_chunk(&t, 0, 11, 300, 60, 4, 1); // 2 chunks and 8 events
    put_own(&t, 0, WF_SLOT_OWN_GONE, 301, 5);
    put_slot(&t, HEAD(0, 4, 30), 302, 0, 0);
    put_chunk(&t, 0, 12, 400, 65, 4, 0); // those 5 slots had 3 events
    put_own(&t, 1, WF_SLOT_OWN_MADE, 500, 3);
    put_own(&t, 1, WF_SLOT_OWN_REFUSED, 500, 9);
    struct wf_slots_ledger l =
        expect(&t, NULL,
               "header\nloss c0 50\nc0 4/0 64 0 0\nc1 4/0 64 0 0\nc0 4/0 c8 0 0\n"
               "loss c0 8 refused 4 chunks 2\nc0 4/0 12c 0 0\n"
               "loss c0 slots 5\nc0 4/30 12e 0 0\nloss c0 3\nloss c1 2 refused 9\n");
    assert_true(l.exact);
    assert_int_equal(l.lost, 63);
    assert_int_equal(l.refused, 13);
    assert_int_equal(l.gone, 5);
    assert_int_equal(l.by_core[0] + 50 + 8 + 3, 65);

    put_own(&t, 0, WF_SLOT_OWN_GONE, 301, 5); // without a MADE for them
    struct text got = read_trace(&t, NULL, 100, &l);
    assert_false(l.exact);
    free(got.bytes);
}

// A writer that was held up read the number of refused events after the writer of the next chunk.
static void test_refused_goes_back(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_text(&t, OWN_HEADER("1"));
    put_chunk(&t, 0, 5000, 100, 0, 7, 1);
    put_chunk(&t, 0, 5001, 200, 1, 4, 1);
    put_chunk(&t, 0, 5002, 300, 2, 9, 1);
    struct wf_slots_ledger l = expect(&t, NULL,
                                      "header\nloss c0 refused 7\nc0 4/0 64 0 0\nc0 4/0 c8 0 0\n"
                                      "loss c0 refused 2\nc0 4/0 12c 0 0\n");
    assert_int_equal(l.refused, 9);
    assert_true(l.exact);
    put_chunk(&t, 0, 0, 10, 0, 0, 1); // the target starts anew, and counts from zero
    put_chunk(&t, 0, 1, 20, 1, 3, 1);
    struct text got = read_trace(&t, NULL, 100, &l);
    assert_int_equal(l.refused, 12);
    free(got.bytes);
}

// Slots that are gone from the middle of an event: its first and its last slot do not form an
// event.
static void test_gone_within_an_event(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_text(&t, OWN_HEADER("1"));
    put_chunk(&t, 0, 0, 100, 0, 0, 1);
    put_slot(&t, FIRST(HEAD(0, 4, 2)), 110, 1, 2);
    put_own(&t, 0, WF_SLOT_OWN_GONE, 110, 1);
    put_slot(&t, LAST(HEAD(0, 4, 2)), 110, 5, 6);
    put_slot(&t, HEAD(0, 4, 3), 120, 0, 0);
    put_own(&t, 0, WF_SLOT_OWN_MADE, 130, 3);
    struct text got;
    struct wf_slots_ledger l;
    got = read_trace(&t, NULL, 100, &l);
    assert_null(strstr(got.bytes, "c0 4/2 "));
    assert_non_null(strstr(got.bytes, "c0 4/3 "));
    assert_int_equal(l.events, 2);
    assert_int_equal(l.lost, 1);
    free(got.bytes);
}

static void test_offset(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_text(&t, OWN_HEADER("1"));
    put_time(&t, 0, 0x100000000);
    put_own(&t, 0, WF_SLOT_OWN_OFFSET, 0, (uint64_t)-0x10);
    put_slot(&t, HEAD(0, 4, 1), 5, 0, 0);
    put_slot(&t, HEAD(0, 4, 1), 0x20, 0, 0);
    expect(&t, NULL, "header\nc0 4/1 fffffff5 0 0\nc0 4/1 100000010 0 0\n");
}

static void test_bad_core(void **state) {
    (void)state;
    struct trace t = {.len = 0};
    put_text(&t, OWN_HEADER("2"));
    size_t at = t.len;
    put_time(&t, 0, 0);
    for (uint32_t i = 0; i < 20; ++i) put_slot(&t, HEAD(i == 10 ? 2 : 0, 4, 1), 100 + i, 1, i);
    char want[30];
    snprintf(want, sizeof want, "bad-core %zu+16\n", at + 16 * 11);
    struct text got = read_trace(&t, NULL, 100, NULL);
    assert_non_null(strstr(got.bytes, want));
    assert_non_null(strstr(got.bytes, "c0 4/1 77 1 13\n"));
    free(got.bytes);
}

// A valid trace of chunks, for damage tests.
static void put_many(struct trace *t) {
    put_text(t, OWN_HEADER("2"));
    uint64_t made = 0;
    for (uint32_t chunk = 0; chunk < 40; ++chunk) {
        uint32_t time = 0x12345678 + chunk * 5000;
        put_chunk(t, 0, chunk, time, made, 0, 0);
        for (uint32_t i = 0; i < 60; ++i, ++made) {
            put_slot(t, HEAD(0, 4 + i % 4, i % 20), time + 50 * i, (uint32_t)made, 0x1005 * i);
        }
    }
    put_own(t, 0, WF_SLOT_OWN_MADE, 0x12345678 + 40 * 5000, made);
}

struct counted {
    unsigned events, wrong, moved;
    uint64_t moved_bytes;
};

static struct counted count(const struct trace *t, struct wf_slots_ledger *l) {
    struct counted n = {0};
    struct wf_slots_item item;
    uint32_t next = 0;
    struct wf_slots *s = wf_slots_open(NULL, NULL);
    wf_slots_feed(s, t->bytes, t->len);
    wf_slots_end(s);
    while (wf_slots_next(s, &item)) {
        if (item.kind == WF_SLOTS_DAMAGE && item.damage.kind == WF_SLOTS_NO_SLOT) {
            ++n.moved;
            n.moved_bytes += item.damage.len;
        }
        if (item.kind != WF_SLOTS_EVENT) continue;
        uint32_t made = item.event.words[0], chunk = made / 60, i = made % 60;
        ++n.events;
        if (made < next || item.event.tick != 0x12345678 + chunk * 5000 + 50 * i ||
            item.event.words[1] != 0x1005 * i) {
            ++n.wrong;
        } else {
            next = made + 1;
        }
    }
    *l = *wf_slots_get_ledger(s);
    wf_slots_close(s);
    return n;
}

// Bytes inserted or removed anywhere: at most a few events are lost, and at most the event at that
// place is wrong.
static void test_alignment(void **state) {
    (void)state;
    static struct trace good, t;
    struct wf_slots_ledger l;
    good.len = 0;
    put_many(&good);
    struct counted n = count(&good, &l);
    assert_int_equal(n.events, 2400);
    assert_int_equal(n.wrong, 0);
    assert_int_equal(n.moved, 0);
    assert_true(l.exact);
    unsigned worst = 0;
    for (size_t at = 3000; at < 6000; at += 7) {
        for (int by = -15; by <= 17; ++by) {
            size_t rest = by < 0 ? at + (size_t)-by : at;
            if (by % 16 == 0) continue;
            memcpy(t.bytes, good.bytes, at);
            for (int i = 0; i < by; ++i)
                t.bytes[at + (size_t)i] = (uint8_t)(at * 31 + 77 * (size_t)i);
            t.len = at + (size_t)(by > 0 ? by : 0);
            memcpy(t.bytes + t.len, good.bytes + rest, good.len - rest);
            t.len += good.len - rest;
            n = count(&t, &l);
            if (n.events < 2400 && 2400 - n.events > worst) worst = 2400 - n.events;
            // In a chunk head the damage can hit the upper half of the time: wrong until the next
            // TIME.
            size_t in_chunk = (at - strlen(OWN_HEADER("2"))) % 1024;
            unsigned wrong_max = in_chunk < 64 || in_chunk > 1000 ? 62 : 2;
            if (n.wrong > wrong_max || n.moved < 1 || n.moved > 3) {
                fail_msg("at %zu by %d: %u events, %u wrong, %u moves", at, by, n.events, n.wrong,
                         n.moved);
            }
            assert_int_equal(l.damage[WF_SLOTS_NO_SLOT], n.moved);
        }
    }
    assert_in_range(worst, 0, 4);
}

static void test_garbage_between(void **state) {
    (void)state;
    static struct trace t;
    t.len = 0;
    put_many(&t);
    size_t half = t.len / 2, garbage = 10007;
    memmove(t.bytes + half + garbage, t.bytes + half, t.len - half);
    uint32_t x = 1;
    for (size_t i = 0; i < garbage; ++i)
        t.bytes[half + i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
    t.len += garbage;
    struct wf_slots_ledger l;
    struct counted n = count(&t, &l);
    assert_in_range(n.events, 2390, 2400);
    assert_in_range(n.wrong, 0, 2);
    assert_in_range(n.moved_bytes, garbage - 200, garbage + 100);
    assert_in_range(l.lost, 0, 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worked_head),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_big_endian),
        cmocka_unit_test(test_order_is_told_by_slots),
        cmocka_unit_test(test_bad_headers),
        cmocka_unit_test(test_header_without_end),
        cmocka_unit_test(test_every_cut_of_a_file),
        cmocka_unit_test(test_wraps),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_broken_chains),
        cmocka_unit_test(test_longest_chain),
        cmocka_unit_test(test_many_open_chains),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_unknown_is_kept),
        cmocka_unit_test(test_control_events),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_exact_loss),
        cmocka_unit_test(test_refused_goes_back),
        cmocka_unit_test(test_gone_within_an_event),
        cmocka_unit_test(test_offset),
        cmocka_unit_test(test_bad_core),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_garbage_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
