// SPDX-License-Identifier: MIT
// The importer of Zephyr's CTF: metadata, packets, streams without metadata, damage.

#include "wf_test_zephyr.h"

enum { A = 0x20001000, B = 0x20002000, S = 0x20000200 };

static int begin(void **state) {
    (void)state;
    begin_stream();
    return 0;
}

#define WITH(metadata) assert_int_equal(read_stream(metadata, false), WF_OK)
#define FAILS(metadata, part)                                                                      \
    do {                                                                                           \
        assert_int_equal(read_stream(metadata, false), WF_ERR_BAD_IMPORT);                         \
        if (!strstr(failure.text, part)) fail_msg("\"%s\" is not in: %s", part, failure.text);     \
    } while (0)

// ---- the language

static void types_are_understood(void **state) {
    static const char metadata[] =
        TYPES "// a comment\n"
              "typealias integer { size = 0x10; signed = 1; byte_order = be; } := signed short;\n"
              "typealias integer { size = 32; align = 32; } := aligned_t;\n"
              "typealias floating_point { exp_dig = 8; mant_dig = 24; } := float;\n"
              "typedef uint8_t byte;\n"
              "enum state : byte { IDLE, BUSY = 5, GONE = 7 ... 9, \"last one\" };\n"
              "struct pair { byte x; byte y; };\n"
              "env { domain = \"none\"; sub = { nothing }; };\n"
              "clock { name = monotonic; freq = 1000; offset_s = -5; };\n" FLAT EVENT(
                  "\"all types\"", "1",
                  "signed short s; aligned_t a; float f; struct pair p; enum state e; "
                  "struct { byte z[3]; string t; } inner;");
    (void)state;
    event(1, 0, 0, 0, 0); // 5 bytes
    put(0, 3);            // the struct is aligned like its fields
    put(0xFEFF, 2);       // -2 in big endian
    put(0, 2);
    put(77, 4);
    put(0x3FC00000, 4);
    put(3, 1);
    put(4, 1);
    put(8, 1);
    put(0, 3);
    for (const char *p = "words"; *p; ++p) put((uint8_t)*p, 1);
    put(0, 1);
    WITH(metadata);
    SHOWS("all types");
    SHOWS("s -2");
    SHOWS("a 77");
    SHOWS("1.500e+00 x 3");
    SHOWS("y 4");
    SHOWS("e GONE");
    SHOWS("t words");
}

static void errors_have_a_line(void **state) {
    (void)state;
    event(1, 0, 0, 0, 0);
    FAILS("/* CTF", "metadata, line 1: a comment without an end");
    FAILS("\n\nevent { name = \"a", "line 3: a text without an end");
    FAILS("event { id = 70000; };", "an event's id is above 65535");
    FAILS("event { fields := struct none; };", "a type that is not defined");
    FAILS("event { fields := struct { uint32_t x; }; };", "a type that is not defined");
    FAILS("struct a { struct { struct { struct { struct { struct { struct { struct { struct { "
          "struct {",
          "types are nested too deeply");
    FAILS("trace { major = 2; };", "CTF of another version");
    FAILS("trace { major = 1;", "a block without an end");
    FAILS("}", "'}' without a block");
    FAILS("event { name = x; id = 99999999999999999999; };", "a number is too large");
    FAILS("#", "a character that TSDL does not have");
    FAILS(TYPES "event { name = x; id = 1; };", "no field \"id\"");
    FAILS("", "no field \"id\"");
}

// An event that is not understood is damage only where it occurs.
static void an_event_of_unknown_length_is_skipped(void **state) {
    static const char metadata[] =
        TYPES FLAT EVENTS("") EVENT("list", "0xE0", "uint8_t n; uint8_t values[n];")
            EVENT("choice", "0xE1", "variant <tag> { uint8_t a; uint32_t b; } v;");
    (void)state;
    thread(0x11, A, "alpha");
    event(0xE0, 1, 0x10101003, 0, 0);
    for (int i = 0; i < 4; ++i) thread(0x17, B, "beta");
    WITH(metadata);
    SHOWS("an event that the metadata does not have");
    assert_int_equal(ledger.bytes_bad, 9);
    assert_int_equal(count_of("beta is ready"), 4);
}

static void calls_may_lack_in_the_metadata(void **state) {
    (void)state;
    event(0x1F, 1, 39, 0, 0);
    event(0x20, 1, 39, 0, 0);
    WITH(plain_metadata);
    SHOWS("start_call");
    SHOWS("end_call");
    assert_int_equal(ledger.bytes_bad, 0);
}

static void labels_of_calls_show_sleeps(void **state) {
    static const char metadata[] =
        TYPES "typealias enum : uint32_t { SEMA = 38, SLEEP = 39 } := call_id;\n" FLAT EVENT(
            "thread_switched_in", "0x11", THREAD("")) EVENT("start_call", "0x41", "call_id id;");
    (void)state;
    thread(0x11, A, "alpha");
    event(0x41, 1, 39, 0, 0);
    thread(0x11, B, "beta");
    WITH(metadata);
    SHOWS("SLEEP");
    SHOWS("beta runs on core 0, the one before sleeps");
}

static void events_have_cores(void **state) {
    static const char metadata[] = TYPES FLAT EVENTS("uint32_t core_id;");
    (void)state;
    for (core = 0; core < 2; ++core) thread(0x11, core ? B : A, core ? "beta" : "alpha");
    core = 1;
    event(0x25, 2, S, 9, 0);
    core = 0;
    event(0x1B, 0, 0, 0, 0);
    thread(0x10, A, "alpha");
    WITH(metadata);
    SHOWS("alpha runs on core 0");
    SHOWS("beta runs on core 1");
    SHOWS("beta waits for");
    SHOWS("begins on core 0");
    HIDES("probable");
}

// ---- packets

static const char packets[] =
    TYPES "struct event_header { uint64_t timestamp; uint16_t id; };\n"
          "struct packet_context { uint64_t timestamp_begin; uint64_t timestamp_end;\n"
          "    uint32_t content_size; uint32_t packet_size; uint64_t packet_seq_num;\n"
          "    uint32_t events_discarded; };\n"
          "trace { byte_order = le; packet.header := struct { uint32_t magic; }; };\n"
          "stream { event.header := struct event_header; packet.context := struct packet_context; "
          "};\n" EVENTS("");

// A packet of 256 bytes with `count` interrupts' begins.
static void put_packet(uint64_t number, unsigned count, unsigned discarded) {
    size_t begins = stream_len;
    stamp_bytes = 8;
    id_bytes = 2;
    put(0xC1FC1FC1, 4);
    put(now, 8);
    put(now + 1000 * count, 8);
    put(8 * (40 + 10 * count), 4);
    put(8 * 256, 4);
    put(number, 8);
    put(discarded, 4);
    for (unsigned i = 0; i < count; ++i) event(i % 2 ? 0x1C : 0x1B, 0, 0, 0, 0);
    while (stream_len < begins + 256) put(0xA5, 1);
}

static void packets_are_counted(void **state) {
    (void)state;
    for (uint64_t n = 7; n < 12; ++n) {
        if (n != 9) put_packet(n, 4, 3);
    }
    put_packet(12, 4, 8);
    WITH(packets);
    assert_int_equal(count_of("begins on core"), 10);
    assert_int_equal(count_of("packets are missing"), 1);
    SHOWS("overwritten");
    assert_int_equal(ledger.missing, 5);
    assert_int_equal(ledger.holes, 2);
    assert_int_equal(ledger.bytes_bad, 0);
}

static void a_damaged_packet_is_skipped(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 4; ++n) put_packet(n, 6, 0);
    stream[256] ^= 1;          // the magic number of the second one
    stream[512 + 40 + 8] = 99; // an event of the third one
    stream[768 + 40 + 3] = 1;  // a time of the fourth one, outside of the packet
    WITH(packets);
    SHOWS("no packet");
    SHOWS("an event that the metadata does not have");
    SHOWS("an event that cannot be");
    assert_int_equal(ledger.bytes_bad, 256 + 10 + 10);
    assert_int_equal(count_of("on core 0"), 6 + 4 + 4); // without the exit of a lost enter
}

static void sizes_of_packets_are_checked(void **state) {
    (void)state;
    put_packet(0, 4, 0);
    put_packet(1, 4, 0);
    for (unsigned i = 0; i < 4; ++i) stream[20 + i] = 0xFF; // content beyond the packet
    WITH(packets);
    assert_int_equal(count_of("on core 0"), 4);
    assert_int_equal(ledger.bytes_bad, 256);
}

// ---- without metadata

static void put_many(bool old) {
    for (unsigned i = 0; i < 12; ++i) {
        thread(0x11, i % 2 ? A : B, i % 2 ? "alpha" : "beta");
        event(old ? 0x20 : 0x1B, 0, 0, 0, 0);
        event(old ? 0x21 : 0x1C, 0, 0, 0, 0);
        thread(0x17, i % 2 ? B : A, i % 2 ? "beta" : "alpha");
        thread(0x10, i % 2 ? A : B, i % 2 ? "alpha" : "beta");
    }
}

static void a_stream_alone_is_read_by_a_table(void **state) {
    (void)state;
    for (int old = 0; old < 2; ++old) {
        begin_stream();
        put_many(old);
        assert_int_equal(read_stream(NULL, false), WF_OK);
        SHOWS(old ? "the table of Zephyr up to 2.5" : "the table of Zephyr since 2.6");
        assert_int_equal(count_of("runs on core"), 12);
        assert_int_equal(count_of("begins on core"), 12);
        assert_int_equal(ledger.bytes_bad, 0);
    }
}

static void a_long_good_stream_is_detected(void **state) {
    (void)state;
    put_many(false);
    (void)read_stream(NULL, true);
    assert_int_equal(found, WF_LANE_ZEPHYR);
    SHOWS("There is no metadata");
    stream_len /= 8; // too short to be certain
    (void)read_stream(NULL, true);
    assert_int_not_equal(found, WF_LANE_ZEPHYR);
}

static void a_stream_may_have_no_stamps(void **state) {
    (void)state;
    stamp_bytes = 0;
    put_many(false);
    WITH(plain_metadata);
    SHOWS("The stream has no time stamps");
    assert_int_equal(count_of("runs on core"), 12);
    assert_int_equal(ledger.bytes_bad, 0);
}

// ---- damage

static void reading_goes_on_after_damage(void **state) {
    (void)state;
    put_many(false);
    size_t at = stream_len;
    for (int i = 0; i < 50; ++i) put(0xEE, 1);
    put_many(false);
    WITH(plain_metadata);
    assert_int_equal(count_of("an event that the metadata does not have"), 1);
    assert_in_range(ledger.bytes_bad, 50, 50);
    assert_int_equal(count_of("runs on core"), 24);
    stream[at / 2] = 0xFF;
    stream_len -= 3; // the end of a thread's name
    WITH(plain_metadata);
    assert_true(ledger.bytes_bad >= 50 + 26 && ledger.bytes_bad < 200);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, begin)
    const struct CMUnitTest tests[] = {
        TEST(types_are_understood),
        TEST(errors_have_a_line),
        TEST(an_event_of_unknown_length_is_skipped),
        TEST(calls_may_lack_in_the_metadata),
        TEST(labels_of_calls_show_sleeps),
        TEST(events_have_cores),
        TEST(packets_are_counted),
        TEST(a_damaged_packet_is_skipped),
        TEST(sizes_of_packets_are_checked),
        TEST(a_stream_alone_is_read_by_a_table),
        TEST(a_long_good_stream_is_detected),
        TEST(a_stream_may_have_no_stamps),
        TEST(reading_goes_on_after_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
