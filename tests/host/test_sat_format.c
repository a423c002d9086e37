// SPDX-License-Identifier: MIT
// The start of lines from a format, and hostile logs and formats.

#include "wf_test_sat.h"

static void formats(void **state) {
    (void)state;
    static const struct {
        const char *format, *begins;
    } rows[] = {
        {"e:%06e t:%014t c:0x%010c CPU:%02C %-16Z:%-18z",
         "e:000002 t:0000.000.016us c:0x37b04f81e320 CPU:01 THREAD          :THREADY           "},
        {"%c|%16c|%016c|%-16c|%#c|%.-8c|%.14c|",
         "37b04f81e320|    37b04f81e320|000037b04f81e320|37b04f81e320    |0x37b04f81e320|"
         "4f81e320|0037b04f81e320|"},
        {"%C|%3C|%03C|%+C|% C|%-3C|", "1|  1|001|+1| 1|1  |"},
        {"%Z|%z|%4Z|%.4Z|%.-4Z|%10.3z|%-10.-3z|%010z|",
         "THREAD|THREADY|THREAD|THRE|READ|       THR|ADY       |   THREADY|"},
        {"100%%%C%%", "100%1%"},
        {"%t", "0.000.016us"},
        {"%15t|%-15t|%+t", "    0.000.016us|0.000.016us    |+0.000.016us"},
        {"", " pid:1 tid:1 \n"},
        {"%.0Z%.-0c|", "37b04f81e320|"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct wf_sat *p =
            open_printer((struct wf_sat_options){.format = rows[i].format, .hz = 1000000000});
        struct wf_slot_event e = make(4, 2, (uint32_t[]){1, 1}, 2);
        e.tick -= 16000;
        line(p, &e);
        line(p, &e);
        e.tick += 16000;
        assert_memory_equal(line(p, &e), rows[i].begins, strlen(rows[i].begins));
        wf_sat_close(p);
    }
}

static void times(void **state) {
    (void)state;
    static const struct {
        uint64_t hz, first, tick;
        const char *want;
    } rows[] = {
        {736629000, 0, 61230387684128u, "83122.423.477us "}, // section 4 of the reference
        {1000000, 5, 3, "-0.000.002us "},
        {0, 0, 5, "?us "},
        {1, 0, UINT64_MAX, "18446744073709551615.000.000us "},
        {UINT64_MAX, 0, UINT64_MAX / 2, "0.499.999us "},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct wf_sat *p = open_printer((struct wf_sat_options){.format = "%t", .hz = rows[i].hz});
        struct wf_slot_event e = make(4, 2, (uint32_t[]){1, 1}, 2);
        e.tick = rows[i].first;
        line(p, &e);
        e.tick = rows[i].tick;
        char want[64];
        snprintf(want, sizeof want, "%spid:1 tid:1 \n", rows[i].want);
        assert_string_equal(line(p, &e), want);
        wf_sat_close(p);
    }
}

static void bad_formats(void **state) {
    (void)state;
    char lots[200 * 2 + 1], big[1000];
    for (unsigned i = 0; i < 200; ++i) memcpy(lots + 2 * i, "%C", 2);
    lots[400] = 0;
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = 0;
    const char *rows[] = {"%", "%d", "%-", "%5", "%.", "%.-", "%100c", "%.99c", "%s%n", lots, big};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct wf_error error;
        struct wf_sat_options options = {.size = sizeof options, .format = rows[i]};
        assert_null(wf_sat_open(&options, &error));
        assert_int_equal(error.code, WF_ERR_USAGE);
    }
}

// No control characters except line ends are in the output, for any log.
static void is_harmless(const char *s, size_t len) {
    for (size_t i = 0; i < len; ++i) {
        unsigned char c = (unsigned char)s[i];
        assert_true((c >= ' ' && c != 0x7F) || c == '\n');
        if (c == 0xC2) assert_true((unsigned char)s[i + 1] >= 0xA0);
    }
}

static void hostile_text(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *shown;
    } rows[] = {
        {"a\x1b[2Jb\r\nc\x7f", "a.[2Jb..c."},
        {"gr\xC3\xBC\xC3\x9F"
         "e \xE2\x82\xAC \xF0\x9F\x90\x9D",
         "gr\xC3\xBC\xC3\x9F"
         "e \xE2\x82\xAC \xF0\x9F\x90\x9D"},
        {"\x9b"
         "31m \xC2\x9b"
         "31m",
         ".31m ..31m"},
        {"\xC0\x80 \xE0\x80\x80 \xED\xA0\x80 \xF5\x80\x80\x80", ".. ... ... ...."},
        {"cut \xE2\x82", "cut .."},
    };
    struct wf_sat *p = open_printer((struct wf_sat_options){.style = WF_SAT_STYLE_6});
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        uint32_t words[8] = {0};
        char want[200], attribute[200];
        memcpy(words, rows[i].bytes, strlen(rows[i].bytes));
        struct wf_slot_event e = make(6, 1, words, 8);
        snprintf(want, sizeof want, "t:0x4f81e320 CPU:01 USREVENT:EVENT:1 STR:\"%s\"\n",
                 rows[i].shown);
        assert_string_equal(line(p, &e), want);
        size_t len = wf_sat_attribute("MACHINE", rows[i].bytes, attribute, sizeof attribute - 1);
        attribute[len] = 0;
        snprintf(want, sizeof want, "         TRACE_MACHINE:: %s\n", rows[i].shown);
        assert_string_equal(attribute, want);
    }
    wf_sat_close(p);
    char key[40] = "A\x1b]0;title\x07", small[4] = "abc";
    char attribute[100];
    size_t len = wf_sat_attribute(key, "v", attribute, sizeof attribute);
    is_harmless(attribute, len);
    assert_true(wf_sat_attribute("MACHINE", "value", small, sizeof small) > sizeof small);
    assert_string_equal(small, "abc");
}

// Every class, event and number of words, in every style, release and byte order, in memory of
// exactly the requested size: sanitizers detect a byte too many, read or written.
static void all_events(void **state) {
    (void)state;
    static const uint32_t fills[] = {0, UINT32_MAX, 0x1B1B1B1B, 0x41424344};
    uint64_t lines = 0;
    for (unsigned way = 0; way < 24; ++way) {
        struct wf_sat_options options = {.size = sizeof options,
                                         .style = way & 1 ? WF_SAT_STYLE_7 : WF_SAT_STYLE_6,
                                         .one_line = way & 2,
                                         .big_endian = way & 4,
                                         .hz = 1000,
                                         .release = (enum wf_sat_release)(way / 8)};
        struct wf_sat *p = open_printer(options);
        for (unsigned count = 0; count <= 16; ++count) {
            size_t room = wf_sat_room(p, count);
            char *to = malloc(room);
            uint32_t *words = malloc(4 * count + 1);
            for (unsigned i = 0; i < count; ++i) words[i] = fills[way % 4];
            assert_int_equal(wf_sat_line(p, &(struct wf_slot_event){.count = count}, to, room - 1),
                             0);
            for (unsigned i = 0; i < 32 * 1024; ++i) {
                struct wf_slot_event e = make(i / 1024, i % 1024, words, count);
                e.core = 63;
                e.tick = UINT64_MAX;
                size_t len = wf_sat_line(p, &e, to, room);
                assert_true(len > 0 && len + 32 <= room);
                if (count % 5 == 0) is_harmless(to, len);
                ++lines;
            }
            free(words);
            free(to);
        }
        wf_sat_close(p);
    }
    assert_int_equal(lines, 24 * 17 * 32 * 1024);
}

// The widest format and the longest text fit the requested size.
static void longest(void **state) {
    (void)state;
    char format[512] = "";
    for (unsigned i = 0; i < 21; ++i) strcat(format, "%99c%.64Z%.64e");
    struct wf_sat *p = open_printer((struct wf_sat_options){.format = format, .hz = 1});
    uint32_t *words = malloc(4 * WF_SLOT_WORDS_MAX);
    memset(words, 'x', 4 * WF_SLOT_WORDS_MAX);
    size_t room = wf_sat_room(p, WF_SLOT_WORDS_MAX);
    char *to = malloc(room);
    for (unsigned cls = 0; cls < 32; ++cls) {
        struct wf_slot_event e = make(cls, 12, words, WF_SLOT_WORDS_MAX);
        e.tick = UINT64_MAX;
        assert_true(wf_sat_line(p, &e, to, room) > 0);
    }
    free(to);
    free(words);
    wf_sat_close(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),      cmocka_unit_test(times),      cmocka_unit_test(bad_formats),
        cmocka_unit_test(hostile_text), cmocka_unit_test(all_events), cmocka_unit_test(longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
