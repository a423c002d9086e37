// SPDX-License-Identifier: MIT
// Perfetto traces, packet by packet, against its .proto files. tests/e2e/perfetto.sh compares whole
// traces with trace_processor.

#include "wf_test.h"
#include "writers/perfetto/wfi_perfetto.h"

struct made {
    struct wf_session *s;
    struct wf_writer *w;
    struct text text;
    size_t from; // in the writer's buffer
};

static struct made make(void) {
    const struct wf_session_options options = {
        .size = sizeof options, .dialect = WF_DIALECT_WALLFLY, .hz = 1000000};
    const struct wf_writer_options writer = {.size = sizeof writer};
    struct made m = {0};
    m.s = wf_session_open(&options, NULL);
    m.w = wf_writer_open(wf_format_find("perfetto"), m.s, &writer, keep_text, &m.text, NULL);
    assert_non_null(m.w);
    m.from = (size_t)(m.w->text.end - m.w->text.buf);
    return m;
}

static void unmake(struct made *m) {
    m->w->write = keep_text;
    m->w->ctx = &m->text;
    assert_int_equal(wf_writer_close(m->w), WF_OK);
    wf_session_close(m->s);
    free(m->text.bytes);
}

// The bytes written since the last call, as hexadecimal digits with a space between bytes.
static void expect(struct made *m, const char *want) {
    const char *p = m->w->text.buf + m->from;
    size_t len = (size_t)(m->w->text.end - p);
    char *hex = calloc(1, 3 * len + 1);
    for (size_t i = 0; i < len; ++i) sprintf(hex + 3 * i, "%02x ", (unsigned char)p[i]);
    if (len) hex[3 * len - 1] = 0;
    assert_string_equal(hex, want);
    free(hex);
    m->from += len;
}

static void events_are_packets_with_time_sequence_and_track(void **state) {
    (void)state;
    struct made m = make();
    struct wfi_pf_event e = {.type = WFI_PF_BEGIN, .track = 5};
    wfi_pf_event(m.w, 1000, &e);
    wfi_pf_text(m.w, WFI_PF_EVENT_NAME_TEXT, "RTC", 3);
    wfi_pf_event_end(m.w);
    expect(&m, "0a 11 40 e8 07 50 01 5a 0a 48 01 58 05 ba 01 03 52 54 43");
    e.type = WFI_PF_END;
    wfi_pf_event(m.w, 3000, &e);
    wfi_pf_event_end(m.w);
    expect(&m, "0a 0b 40 b8 17 50 01 5a 04 48 02 58 05");
    e = (struct wfi_pf_event){WFI_PF_INSTANT, 300, 7, WFI_PF_CAT_object, 0x1122};
    wfi_pf_event(m.w, 0, &e); // its name, category and flow, an 8-byte number
    wfi_pf_arg_bool(m.w, WFI_PF_ARG_got, false);
    wfi_pf_arg_int(m.w, WFI_PF_ARG_value, -1);
    wfi_pf_event_end(m.w);
    expect(&m, "0a 2e 40 00 50 01 5a 28 48 03 58 ac 02 50 07 18 09 f9 02 22 11 00 00 00 00 00 00 "
               "22 04 08 04 10 00 22 0d 08 07 20 ff ff ff ff ff ff ff ff ff 01");
    wfi_pf_count(m.w, 0, 5, 300);
    expect(&m, "0a 0e 40 00 50 01 5a 08 48 04 58 05 f0 01 ac 02");
    unmake(&m);
}

static void lengths_take_one_byte_or_four(void **state) {
    (void)state;
    struct made m = make();
    char text[200];
    memset(text, 'x', sizeof text);
    struct wfi_pf_event e = {.type = WFI_PF_BEGIN, .track = 1};
    wfi_pf_event(m.w, 1, &e);
    wfi_pf_text(m.w, WFI_PF_EVENT_NAME_TEXT, text, sizeof text);
    wfi_pf_event_end(m.w);
    const uint8_t *p = (const uint8_t *)m.w->text.buf + m.from;
    // 4 bytes of time and sequence, a tag and a 4-byte length; inside: 4 bytes, a 2-byte tag, a
    // 2-byte length, text.
    const uint8_t want[] = {0x0a, 0xd9, 0x81, 0x80, 0x00, 0x40, 0x01, 0x50, 0x01, 0x5a, 0xd0, 0x81,
                            0x80, 0x00, 0x48, 0x01, 0x58, 0x01, 0xba, 0x01, 0xc8, 0x01, 'x'};
    assert_memory_equal(p, want, sizeof want);
    assert_int_equal((const uint8_t *)m.w->text.end - p, 5 + 0xd9);
    assert_int_equal(0xd9, 4 + 5 + 0xd0);
    assert_int_equal(0xd0, 4 + 2 + 2 + 200);
    unmake(&m);
}

static void texts_are_utf_8(void **state) {
    (void)state;
    struct made m = make();
    static const struct {
        const char *text;
        size_t len;
        const char *want;
    } of[] = {
        {"", 0, "0a 00"},
        {"a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 10, "0a 0a 61 c3 a4 e2 82 ac f0 9f 98 80"},
        {"a\0b", 3, "0a 03 61 3f 62"},                // a zero
        {"\xe2\x82", 2, "0a 02 3f 3f"},               // truncated
        {"\xe2\x82(", 3, "0a 03 3f 3f 28"},           // broken
        {"\xc1\x9b", 2, "0a 02 3f 3f"},               // overlong
        {"\xed\xa0\x80", 3, "0a 03 3f 3f 3f"},        // a surrogate
        {"\xf4\x90\x80\x80", 4, "0a 04 3f 3f 3f 3f"}, // above the last code point
        {"\xff\xf8", 2, "0a 02 3f 3f"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        struct guarded g = guard((const uint8_t *)of[i].text, of[i].len);
        wfi_pf_text(m.w, 1, (const char *)g.bytes, of[i].len);
        unguard(&g);
        expect(&m, of[i].want);
    }
    unmake(&m);
}

static void a_name_is_told_once_and_again_when_it_changes(void **state) {
    (void)state;
    struct made m = make();
    struct wfi_pf *g = wfi_pf(m.w);
    assert_int_equal(wfi_pf_name(m.w, WFI_PF_CONSTANT, 0x1234, 0), 1);
    expect(&m, "0a 16 40 00 50 01 62 10 12 0e 08 01 12 0a 30 78 30 30 30 30 31 32 33 34");
    assert_int_equal(wfi_pf_name(m.w, WFI_PF_CONSTANT, 0x1234, 0), 1);
    expect(&m, "");
    struct stream s = {0};
    put_name(&s, 0x1234, "lcd");
    struct wf_item item;
    wf_session_feed(m.s, s.bytes, s.len);
    while (wf_session_next(m.s, &item)) wf_writer_item(m.w, &item);
    m.from = (size_t)(m.w->text.end - m.w->text.buf);
    assert_int_equal(wfi_pf_name(m.w, WFI_PF_CONSTANT, 0x1234, 0), 2);
    expect(&m, "0a 0f 40 00 50 01 62 09 12 07 08 02 12 03 6c 63 64");
    assert_int_equal(wfi_pf_name(m.w, WFI_PF_IRQ, 0x1234, 0), 3); // another kind, the same key
    for (unsigned i = 0; i < 10000; ++i)
        assert_int_equal(wfi_pf_name(m.w, WFI_PF_IRQ, i, 0),
                         i == 0x1234 ? 3 : 4 + i - (i > 0x1234));
    assert_int_equal(wfi_pf_name(m.w, WFI_PF_CONSTANT, 0x1234, 0), 2); // the table has grown
    assert_false(g->failed);
    unmake(&m);
}

static void slices_do_not_overlap_when_the_rate_changes(void **state) {
    (void)state;
    struct made m = make();
    struct wfi_pf_lane lane = {0};
    struct wf_change c = {.from = 10, .tick = 20, .from_known = true};
    const struct wfi_pf_event e = {.track = 1, .name = 1};
    wf_scale_set(&m.w->scale, 1000000, 0);
    assert_int_equal(wfi_pf_slice(m.w, &lane, &c, &e, WFI_PF_NO_ARG, NULL), 10000);
    assert_int_equal(lane.ns, 20000);
    wf_scale_set(&m.w->scale, 1000, 20); // 15 would be 4.98 ms before it
    c = (struct wf_change){.from = 15, .tick = 21, .from_known = true, .cut = true};
    m.from = (size_t)(m.w->text.end - m.w->text.buf);
    assert_int_equal(wfi_pf_slice(m.w, &lane, &c, &e, WFI_PF_NO_ARG, NULL), 20000);
    expect(&m, "0a 0e 40 a0 9c 01 50 01 5a 06 48 01 58 01 50 01 "
               "0a 12 40 e0 a0 3e 50 01 5a 0a 48 02 58 01 22 04 08 02 10 00");
    unmake(&m);
}

// A core is busy for 3 ms of its first window, idle for the rest, busy for 25 ms, then unknown.
static void load_is_told_by_windows_in_which_it_changes(void **state) {
    (void)state;
    struct made m = make();
    wfi_pf_load(m.w, 0, 0, 3000000, true);
    wfi_pf_load(m.w, 0, 3000000, 10000000, false);
    wfi_pf_load(m.w, 0, 10000000, 35000000, true);
    wfi_pf_load(m.w, 0, 1035000000, 1036000000, true);
    const struct wfi_pf_core *core = wfi_pf(m.w)->cores[0];
    assert_int_equal(core->load.written, -1);
    assert_int_equal(core->load.end, 1040000000);
    assert_int_equal(core->load.busy, 1000000);
    m.from = (size_t)(m.w->text.end - m.w->text.buf) - 22 - 25 - 25;
    expect(&m,
           "0a 14 40 00 50 01 5a 0e 48 04 58 06 e1 02 00 00 00 00 00 00 3e 40 "           // 30 %
           "0a 17 40 80 ad e2 04 50 01 5a 0e 48 04 58 06 e1 02 00 00 00 00 00 00 59 40 "  // 100 %
           "0a 17 40 80 87 a7 0e 50 01 5a 0e 48 04 58 06 e1 02 00 00 00 00 00 00 f0 bf"); // -1
    unmake(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_packets_with_time_sequence_and_track),
        cmocka_unit_test(lengths_take_one_byte_or_four),
        cmocka_unit_test(texts_are_utf_8),
        cmocka_unit_test(a_name_is_told_once_and_again_when_it_changes),
        cmocka_unit_test(slices_do_not_overlap_when_the_rate_changes),
        cmocka_unit_test(load_is_told_by_windows_in_which_it_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
