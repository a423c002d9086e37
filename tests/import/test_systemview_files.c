// SPDX-License-Identifier: MIT
// Files and memory dumps of SystemView, streams that begin in the middle, damage, descriptions.

#include "wf_test_sysview.h"

static void put_line(const char *s) {
    memcpy(bytes + len, s, strlen(s));
    len += strlen(s);
}

// Packets of which every one is plausible at its own place only.
static void put_packets(unsigned n) {
    for (unsigned i = 0; i < n; ++i) {
        EVENT(2, 300 + i, 30);
        EVENT0(3, 400 + i);
        EVENT(7, 500 + i, B, 9);
        EVENT(4, 600 + i, i % 2 ? A : B);
    }
}

// ---- headers

static void a_header_is_skipped(void **state) {
    (void)state;
    begin();
    put_line(";\r\n; Version     SEGGER SystemViewer V2.42\r\n; Offset Core0 0\n;\n");
    start(10, 0, 0, NULL);
    EVENT(4, 1, A);
    read_all();
    SHOWS("0x00000100 runs on core 0");
    assert_int_equal(format->sniff(bytes, len, false), WFI_SNIFF_YES);
    for (size_t n = 1; n < 30; ++n)
        assert_int_equal(format->sniff(bytes, n, false), WFI_SNIFF_PERHAPS);
    assert_int_equal(format->sniff((const uint8_t *)"; a comment\ncode", 16, true), WFI_SNIFF_NO);
}

static void a_header_without_an_end_is_an_error(void **state) {
    (void)state;
    begin();
    put_line("; Version     SEGGER SystemViewer V2.42\n; ");
    memset(bytes + len, 'x', 40000);
    len += 40000;
    read_all();
    assert_int_equal(error.code, WF_ERR_BAD_IMPORT);
    assert_int_equal(error.at, 40);
}

// ---- several cores

static void put_cores(const char *second) {
    char line[64];
    begin();
    format = &wfi_import_systemview_cores;
    start(1000, 0, 0, NULL);
    EVENT(4, 10, A); // at 1011
    EVENT(6, 10, B);
    EVENT(4, 10, A + 1); // at 1031
    size_t n = len;
    static uint8_t streams[1024];
    start(1005, 0, 0, NULL);
    EVENT(4, 1, B);  // at 1007
    EVENT(6, 14, B); // at 1021, too: the same event
    EVENT(4, 1, B + 1);
    size_t all = len;
    memcpy(streams, bytes, all);
    snprintf(line, sizeof line, "; Offset Core1 %zu\n;\n", n);
    len = 0;
    put_line(";\n; Version     SEGGER SystemViewer V3.60\n; Offset Core0 0\n");
    put_line(second ? second : line);
    memcpy(bytes + len, streams, all);
    len += all;
}

static void cores_are_merged_by_time(void **state) {
    (void)state;
    put_cores(NULL);
    assert_int_equal(format->sniff(bytes, len, true), WFI_SNIFF_YES);
    assert_int_equal(wfi_import_systemview.sniff(bytes, len, true), WFI_SNIFF_NO);
    read_all();
    const char *b = strstr(text, "0x00000200 runs on core 1"), *a = strstr(text, "0x00000100 runs");
    const char *b1 = strstr(text, "0x00000201 runs on core 1"),
               *a1 = strstr(text, "0x00000101 runs on core 0");
    assert_true(a && b && a1 && b1 && b < a && a < b1 && b1 < a1);
    assert_int_equal(count_of("0x00000200 is ready"), 1);
}

static void offsets_are_checked(void **state) {
    static const char *const lines[] = {"; Offset Core1 99999\n", "; Offset Core2 10\n",
                                        "; Offset Core1 99999999999999999999999\n"};
    (void)state;
    for (unsigned i = 0; i < 3; ++i) {
        put_cores(lines[i]);
        read_all();
        assert_int_equal(error.code, WF_ERR_BAD_IMPORT);
    }
}

static void damage_on_one_core_is_reported(void **state) {
    (void)state;
    put_cores(NULL);
    bytes[len - 8] = 0xFF; // of the second core
    memset(bytes + len, 0xFF, 6);
    len += 6;
    read_all();
    SHOWS("not packets of SystemView");
    SHOWS("0x00000101 runs on core 0");
}

// ---- the beginning

static void bytes_before_the_first_synchronisation_are_not_used(void **state) {
    (void)state;
    begin();
    put_line("\x12\x34"); // the end of a packet
    EVENT(4, 1, B);
    start(1, 0, 0, NULL);
    EVENT(4, 1, A);
    read_all();
    SHOWS("the trace begins here");
    HIDES("0x00000200");
    assert_int_equal(ledger.bytes_bad, 0);
    assert_int_equal(format->sniff(bytes, len, false), WFI_SNIFF_YES);
}

static void memory_that_was_not_written_is_skipped(void **state) {
    (void)state;
    begin();
    put_zeros(3000);
    start(1, 0, 0, NULL);
    EVENT(4, 1, A);
    put_zeros(17);
    read_all();
    SHOWS("0x00000100 runs");
    HIDES("the trace begins here");
    assert_int_equal(ledger.bytes_bad, 0);
}

static void a_stream_without_a_synchronisation_begins_where_packets_do(void **state) {
    (void)state;
    begin();
    EVENT(9, 1, A, 3);
    len -= 2;
    put_line("long name of a task");
    put(1);
    put_packets(2000);
    read_all();
    SHOWS("the trace begins here");
    SHOWS("0x00000100 runs");
    assert_int_equal(ledger.bytes_bad, 0);
    assert_true(ledger.by_id[WF_RECORD_task_switch] >= 1980);
}

static void noise_is_damage(void **state) {
    (void)state;
    begin();
    for (unsigned i = 0; i < 2000; ++i) put(0xFF);
    read_pieces(len);
    assert_int_equal(ledger.records, 0);
    assert_int_equal(ledger.bytes_bad, 2000);
}

// ---- damage

static void packets_after_damage_are_read(void **state) {
    static const uint8_t wrong[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    (void)state;
    begin_tasks(NULL);
    put_packets(100);
    memcpy(bytes + len, wrong, sizeof wrong);
    len += sizeof wrong;
    put_packets(100);
    read_all();
    SHOWS("not packets of SystemView");
    assert_true(ledger.bytes_bad >= 6 && ledger.bytes_bad < 60);
    assert_true(ledger.by_id[WF_RECORD_task_switch] >= 190);
}

static void impossible_ids_and_lengths_are_damage(void **state) {
    static const uint8_t wrong[][8] = {{0xFF, 0x7F, 1, 0, 1},    // id 16383
                                       {40, 0xFF, 0xFF, 0x7F},   // 2 MiB
                                       {14, 255, 0xFF, 0xFF, 1}, // a string of 64 KiB
                                       {24, 1, 0x80, 1},         // cut numbers
                                       {26, 3, 1, 'x', 0, 1},    // a message without a count
                                       {26, 5, 1, 'x', 0, 9, 1, 1}};
    (void)state;
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        begin_tasks(NULL);
        memcpy(bytes + len, wrong[i], sizeof wrong[i]);
        len += sizeof wrong[i];
        put_packets(30);
        read_all();
        SHOWS("not packets of SystemView");
        assert_true(ledger.by_id[WF_RECORD_task_switch] >= 20);
    }
}

static void a_cut_end_is_reported(void **state) {
    (void)state;
    begin_tasks(NULL);
    TEXT_EVENT(9, 1, "name", A, 3);
    len -= 3;
    read_all();
    SHOWS("the input ends inside an event");
}

// ---- memory dumps

enum { RAM = 0x20000000, RING_AT = 0x400, RING = 512, BLOCK_AT = 0x40, NAME_AT = 0x1800 };

static void put32_at(size_t at, uint32_t v) {
    for (unsigned i = 0; i < 4; ++i) bytes[at + i] = (uint8_t)(v >> 8 * i);
}

// The recording is in the ring, which was written up to `write`.
static void put_dump(uint32_t name, size_t write) {
    static uint8_t recording[RING];
    size_t n = len < RING ? len : RING, size = 0x2000;
    memcpy(recording, bytes + len - n, n);
    memset(bytes, 0, size);
    for (size_t i = 0; i < n; ++i) bytes[RING_AT + (write + RING - n + i) % RING] = recording[i];
    memcpy(bytes + BLOCK_AT, "SEGGER RTT", 10);
    put32_at(BLOCK_AT + 16, 2);
    put32_at(BLOCK_AT + 20, 2);
    put32_at(BLOCK_AT + 24, 0x08000000);
    put32_at(BLOCK_AT + 28, RAM + 0x100);
    put32_at(BLOCK_AT + 32, 256);
    put32_at(BLOCK_AT + 48, name);
    put32_at(BLOCK_AT + 52, RAM + RING_AT);
    put32_at(BLOCK_AT + 56, RING);
    put32_at(BLOCK_AT + 60, (uint32_t)write % RING);
    len = size;
    format = &wfi_import_systemview_dump;
}

static void a_dump_has_the_ring_of_the_channel(void **state) {
    (void)state;
    for (unsigned wrapped = 0; wrapped < 2; ++wrapped) {
        for (unsigned named = 0; named < 2; ++named) {
            begin();
            if (wrapped) put_packets(30);
            start(10, RAM, 0, NULL);
            EVENT(4, 1, A);
            put_dump(named ? RAM + NAME_AT : 0x08001234, wrapped ? 100 : len);
            if (named) memcpy(bytes + NAME_AT, "SysView", 7);
            assert_int_equal(format->sniff(bytes, len, true), WFI_SNIFF_YES);
            read_all();
            SHOWS("0x20000100 runs");
            assert_int_equal(count_of("the trace begins here"), wrapped);
        }
    }
}

static void a_dump_without_the_channel_is_an_error(void **state) {
    (void)state;
    begin();
    put_line("nothing");
    put_dump(0x08001234, len);
    assert_int_equal(format->sniff(bytes, len, true), WFI_SNIFF_NO);
    read_all();
    assert_int_equal(error.code, WF_ERR_BAD_IMPORT);
    put32_at(BLOCK_AT + 16, 0xFFFFFFFF); // channels
    read_all();
    assert_int_equal(error.code, WF_ERR_BAD_IMPORT);
    assert_non_null(strstr(error.text, "no ring"));
}

// ---- descriptions

static void modules_describe_their_events(void **state) {
    (void)state;
    begin_tasks(NULL);
    EVENT(512, 1, 1); // before its description
    TEXT_EVENT(22, 1, "M=Motor V=1, 0 Step count=%u dir=%d, 1 Says text=%s", 0, 512);
    TEXT_EVENT(22, 1, "M=Other", 1, 600);
    TEXT_EVENT(22, 1, "some words, 77x", 1, 600);
    EVENT(512, 1, 3, (uint32_t)-1);
    packet(513, NULL, 0, "hello", NULL, 0, 1);
    EVENT(602, 1, 70000);
    EVENT(23, 1, 1, 1);
    read_all();
    SHOWS("USER event 512");
    SHOWS("USER Step             count 3 dir -1");
    SHOWS("USER Says             text hello");
    SHOWS("USER Other event 2    0x00011170");
}

static void espressifs_heap_events_are_blocks(void **state) {
    (void)state;
    begin_tasks(NULL);
    TEXT_EVENT(22, 1, "M=ESP32 SystemView Heap Tracing Module", 0, 512);
    EVENT(512, 1, 0x3FFB0000, 24, 1, 2);
    EVENT(513, 1, 0x3FFB0000, 1, 2);
    read_all();
    SHOWS("A takes 24 bytes at 0x000000003FFB0000 from heap");
    SHOWS("A gives 24 bytes at 0x000000003FFB0000 back to heap");
}

static void the_users_file_describes_events(void **state) {
    (void)state;
    begin_tasks(NULL);
    describe = "# comment\n"
               "33   one  task=%t res=%I ptr=%p hex=%x state=%State | Returns %State\r\n"
               "0x22 two  %u, value: %5lu\n"
               "NamedType State 0=OFF 1=ON 2=Two_words\n"
               "Option ReversePriority\n"
               "5 not an event\n"
               "99999999 no\n"
               "35\n"
               "33 again x=%u\n";
    EVENT(33, 1, B, Q, 0x30, 0xAB, 1);
    EVENT(28, 1, 33, 2);
    EVENT(28, 1, 33, 9);
    EVENT(34, 1, 1, 2, 3);
    EVENT(35, 1, 4);
    EVENT(28, 1, 35);
    EVENT(28, 1, 5000, 1);
    read_all();
    SHOWS("USER one              task B res 0x20001000 ptr 0x20000030 hex 0x000000AB state ON");
    SHOWS("of one value Two_words");
    SHOWS("of one value 9");
    SHOWS("USER two              1 value 2 3");
    SHOWS("USER call 35          4");
    SHOWS("of call 35");
    SHOWS("of 5000 value 1");
}

static void hostile_descriptions_are_read_or_skipped(void **state) {
    static const char *const lines[] = {"33 %",
                                        "33 a=%",
                                        "33 |",
                                        "33 x |%",
                                        "33 x a=%% b=%u%u%u%u%u%u%u%u%u%u%u%u%u%u%u%u%u%u%u",
                                        "NamedType",
                                        "NamedType x",
                                        "NamedType x =1 =",
                                        "NamedType x 1= 2=",
                                        "TaskState",
                                        "TaskState x",
                                        "TaskState 0x",
                                        "TaskState 1 ,,,1=,",
                                        "\n\n\n",
                                        "33 x a=%l",
                                        "4294967296 x",
                                        ""};
    (void)state;
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; ++i) {
        begin_tasks("O=x");
        describe = lines[i];
        EVENT(33, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
        EVENT(7, 1, A, 1);
        EVENT(28, 1, 33, 1);
        read_all();
        assert_int_equal(error.code, WF_OK);
        assert_int_equal(ledger.bytes_bad, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_is_skipped),
        cmocka_unit_test(a_header_without_an_end_is_an_error),
        cmocka_unit_test(cores_are_merged_by_time),
        cmocka_unit_test(offsets_are_checked),
        cmocka_unit_test(damage_on_one_core_is_reported),
        cmocka_unit_test(bytes_before_the_first_synchronisation_are_not_used),
        cmocka_unit_test(memory_that_was_not_written_is_skipped),
        cmocka_unit_test(a_stream_without_a_synchronisation_begins_where_packets_do),
        cmocka_unit_test(noise_is_damage),
        cmocka_unit_test(packets_after_damage_are_read),
        cmocka_unit_test(impossible_ids_and_lengths_are_damage),
        cmocka_unit_test(a_cut_end_is_reported),
        cmocka_unit_test(a_dump_has_the_ring_of_the_channel),
        cmocka_unit_test(a_dump_without_the_channel_is_an_error),
        cmocka_unit_test(modules_describe_their_events),
        cmocka_unit_test(espressifs_heap_events_are_blocks),
        cmocka_unit_test(the_users_file_describes_events),
        cmocka_unit_test(hostile_descriptions_are_read_or_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
