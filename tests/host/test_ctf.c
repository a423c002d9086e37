// SPDX-License-Identifier: MIT
// CTF traces byte for byte: packets, heads, times, counts of discarded events; layouts against the
// schema; labels. tests/e2e/ctf.sh tests with real readers.

#include "wf_test.h"

#include "writers/ctf/wfi_ctf.h"

enum { HEAD = 60, PARTS = 4 };

struct parts {
    uint8_t *bytes[PARTS];
    size_t len[PARTS];
};

static bool keep_part(void *ctx, unsigned part, const char *name, const char *bytes, size_t len) {
    struct parts *p = ctx;
    char want[24] = "metadata";
    assert_true(part < PARTS);
    if (part) snprintf(want, sizeof want, "stream_%u", part - 1);
    assert_string_equal(name, want);
    p->bytes[part] = realloc(p->bytes[part], p->len[part] + len + 1);
    memcpy(p->bytes[part] + p->len[part], bytes, len);
    p->len[part] += len;
    p->bytes[part][p->len[part]] = 0;
    return true;
}

static void convert_parts(struct parts *p, const struct stream *in, uint64_t hz, size_t piece) {
    const struct wf_session_options options = {
        .size = sizeof options, .dialect = WF_DIALECT_WALLFLY, .hz = hz};
    const struct wf_writer_options wo = {.size = sizeof wo, .part = keep_part};
    struct wf_item item;
    struct wf_session *s = wf_session_open(&options, NULL);
    memset(p, 0, sizeof *p);
    struct wf_writer *w = wf_writer_open(wf_format_find("ctf"), s, &wo, NULL, p, NULL);
    assert_non_null(w);
    for (size_t at = 0; at < in->len; at += piece) {
        wf_session_feed(s, in->bytes + at, in->len - at < piece ? in->len - at : piece);
        while (wf_session_next(s, &item)) wf_writer_item(w, &item);
    }
    wf_session_end(s);
    while (wf_session_next(s, &item)) wf_writer_item(w, &item);
    assert_int_equal(wf_writer_close(w), WF_OK);
    wf_session_close(s);
}

static void free_parts(struct parts *p) {
    for (unsigned i = 0; i < PARTS; ++i) free(p->bytes[i]);
}

static uint64_t get(const uint8_t *p, unsigned bytes) {
    uint64_t v = 0;
    while (bytes-- > 0) v = v << 8 | p[bytes];
    return v;
}

// Record 52, sched_next: time, next, prev. Record 31, tick: count, rate; without a stamp.
static void put_sched(struct stream *s, uint32_t time, uint8_t next, uint8_t prev) {
    const uint8_t p[] = {
        (uint8_t)time, (uint8_t)(time >> 8), (uint8_t)(time >> 16), (uint8_t)(time >> 24), next,
        prev};
    put_frame(s, 52, p, sizeof p);
}

static void put_tick(struct stream *s, uint8_t count) {
    const uint8_t p[] = {count, 0, 0, 0, 7};
    put_frame(s, 31, p, sizeof p);
}

static void bytes_of_the_smallest_trace(void **state) {
    static struct stream in;
    struct parts p;
    static const uint8_t want[] = {
        0xC1, 0x1F, 0xFC, 0xC1, 0, 0, 0, 0,                   // magic, stream class
        0x10, 0x27, 0,    0,    0, 0, 0, 0,                   // begins at 10000
        0x14, 0x27, 0,    0,    0, 0, 0, 0,                   // ends at 10004
        0xA0, 0x02, 0,    0,    0, 0, 0, 0,                   // 672 bits of content
        0xA0, 0x02, 0,    0,    0, 0, 0, 0,                   // size of the packet
        0,    0,    0,    0,    0, 0, 0, 0,                   // the first packet
        0,    0,    0,    0,    0, 0, 0, 0,                   // nothing discarded
        0,    0,    0,    0,                                  // core
        0,    0,    0x10, 0x27, 0, 0, 0, 0, 0, 0, 0x21, 0x43, // class 0 at 10000
        0,    0,    0x14, 0x27, 0, 0, 0, 0, 0, 0, 2,    3,
    };
    static const uint8_t own_tick[] = {1,    0,    0x14, 0x27, 0, 0, 0, 0, 0, 0,
                                       0x13, 0x27, 0,    0,    0, 0, 0, 0, 4, 5};
    (void)state;
    in.len = 0;
    put_sched(&in, 10000, 0x21, 0x43);
    put_sched(&in, 10004, 2, 3);
    convert_parts(&p, &in, 1000, 1);
    assert_int_equal(p.len[1], sizeof want);
    assert_memory_equal(p.bytes[1], want, sizeof want);
    assert_non_null(strstr((char *)p.bytes[0], "freq = 1000;"));
    assert_non_null(strstr((char *)p.bytes[0], "\tname = \"sched_next\";\n\tid = 0;\n"));
    assert_null(strstr((char *)p.bytes[0], "_own_tick"));
    free_parts(&p);

    put_sched(&in, 10003, 4, 5); // an earlier stamp: the time stays, the tick becomes a field
    convert_parts(&p, &in, 1000, 7);
    assert_int_equal(p.len[1], sizeof want + sizeof own_tick);
    assert_memory_equal(p.bytes[1] + sizeof want, own_tick, sizeof own_tick);
    assert_non_null(strstr((char *)p.bytes[0], "\tname = \"sched_next\";\n\tid = 1;\n\tstream_id = "
                                               "0;\n\tfields := struct {\n\t\tu64 _own_tick;\n"));
    free_parts(&p);
}

// Checks that packets are in order, complete, and at most 64 KiB and one event; returns their
// number.
static unsigned packets(const struct parts *p, uint64_t discarded[], unsigned max) {
    unsigned n = 0;
    uint64_t last = 0;
    for (size_t at = 0; at < p->len[1]; ++n) {
        const uint8_t *head = p->bytes[1] + at;
        assert_true(p->len[1] - at >= HEAD);
        assert_int_equal(get(head, 4), 0xC1FC1FC1);
        assert_int_equal(get(head + 24, 8), get(head + 32, 8));
        assert_int_equal(get(head + 40, 8), n);
        assert_true(get(head + 8, 8) >= last && get(head + 16, 8) >= get(head + 8, 8));
        last = get(head + 8, 8);
        if (n < max) discarded[n] = get(head + 48, 8);
        at += get(head + 32, 8) / 8;
        assert_true(at <= p->len[1] && get(head + 32, 8) / 8 <= 65536);
    }
    return n;
}

static void a_hole_is_a_packet(void **state) {
    static struct stream in;
    uint64_t discarded[8];
    struct parts p;
    (void)state;
    in.len = 0;
    in.seq = 9;
    put_sched(&in, 100, 1, 2);
    in.seq = (uint8_t)(in.seq + 5);
    put_sched(&in, 200, 3, 4);
    put_sched(&in, 300, 5, 6);
    convert_parts(&p, &in, 0, 1000);
    assert_int_equal(packets(&p, discarded, 8), 3);
    assert_int_equal(discarded[0], 0);
    assert_int_equal(discarded[1], 5);
    assert_int_equal(discarded[2], 5);
    const uint8_t *hole = p.bytes[1] + get(p.bytes[1] + 32, 8) / 8;
    assert_int_equal(get(hole + 8, 8), 100);  // from the last record before the loss
    assert_int_equal(get(hole + 16, 8), 200); // to the first one after it
    assert_int_equal(get(hole + HEAD, 2), 2); // the second class: the loss
    assert_int_equal(get(hole + HEAD + 10 + 2, 8), 5);
    assert_non_null(strstr((char *)p.bytes[0], "rate = \"unknown"));
    assert_non_null(strstr((char *)p.bytes[0], "freq = 1000000000;"));
    free_parts(&p);
}

// Readers ignore the count of a stream's first packet.
static void a_loss_in_front_has_an_empty_packet_before_it(void **state) {
    static struct stream in;
    uint64_t discarded[8];
    struct parts p;
    (void)state;
    in.len = 0;
    in.seq = 0;
    put_tick(&in, 1);
    in.seq = (uint8_t)(in.seq + 3);
    put_tick(&in, 2);
    put_sched(&in, 5000, 1, 2);
    convert_parts(&p, &in, 0, 1000);
    assert_int_equal(packets(&p, discarded, 8), 3);
    assert_int_equal(get(p.bytes[1] + 24, 8), 8 * HEAD);
    assert_int_equal(get(p.bytes[1] + 8, 8), 5000);
    assert_int_equal(discarded[0], 0);
    assert_int_equal(discarded[1], 3);
    // Records before the first stamp have its time.
    assert_int_equal(get(p.bytes[1] + HEAD + HEAD + 2, 8), 5000);
    free_parts(&p);
}

static void many_records_are_many_packets(void **state) {
    static struct stream in;
    uint64_t discarded[1];
    struct parts p;
    (void)state;
    in.len = 0;
    in.seq = 0;
    for (unsigned i = 0; i < 6000; ++i) put_sched(&in, i, 1, 2);
    convert_parts(&p, &in, 0, 4096);
    assert_int_equal(packets(&p, discarded, 1), 2); // 5456 events of 12 bytes fit after a head
    assert_int_equal(get(p.bytes[1] + 32, 8) / 8, HEAD + 5456 * 12);
    assert_int_equal(get(p.bytes[1] + 16, 8), 5455);
    assert_int_equal(p.len[1], 2 * HEAD + 6000 * 12);
    free_parts(&p);
}

// When more records wait for a time than fit, they get an assumed time, and no record is lost.
static void more_than_can_wait_for_a_stamp(void **state) {
    static struct stream in;
    uint64_t discarded[1];
    struct parts p;
    (void)state;
    in.len = 0;
    in.seq = 0;
    for (unsigned i = 0; i < WFI_CTF_EARLY + 10; ++i) put_tick(&in, (uint8_t)i);
    put_sched(&in, 77, 1, 2);
    convert_parts(&p, &in, 0, 4096);
    size_t count = packets(&p, discarded, 1);
    assert_int_equal(p.len[1], count * HEAD + (WFI_CTF_EARLY + 10) * (10 + 5) + 12);
    assert_int_equal(get(p.bytes[1] + HEAD + 2, 8), 0);
    free_parts(&p);
}

// SYNC: count, ticks, rate, other fields.
static void put_sync(struct stream *s, uint64_t count, uint64_t ticks, uint32_t hz) {
    uint8_t p[51] = {0};
    for (unsigned i = 0; i < 8; ++i) p[i] = (uint8_t)(count >> 8 * i);
    for (unsigned i = 0; i < 8; ++i) p[8 + i] = (uint8_t)(ticks >> 8 * i);
    for (unsigned i = 0; i < 4; ++i) p[16 + i] = (uint8_t)(hz >> 8 * i);
    static const uint8_t sizes[] = {0x22, 0x41, 0x22, 0x44, 0x04};
    memcpy(p + 46, sizes, sizeof sizes);
    put_frame(s, 82, p, sizeof p);
}

static void another_rate_counts_by_the_first(void **state) {
    static struct stream in;
    struct parts p;
    (void)state;
    in.len = 0;
    in.seq = 0;
    put_sync(&in, 1, 1000, 100);
    put_sched(&in, 1200, 1, 2);
    put_sync(&in, 3, 1300, 300); // three times as fast from here on
    put_sched(&in, 1600, 3, 4);
    convert_parts(&p, &in, 0, 4096);
    assert_int_equal(get(p.bytes[1] + 8, 8), 1000);
    assert_int_equal(get(p.bytes[1] + p.len[1] - 10, 8), 1200 + 400 / 3);
    assert_non_null(strstr((char *)p.bytes[0], "freq = 100;"));
    assert_non_null(strstr((char *)p.bytes[0], "wallfly:clock"));
    free_parts(&p);
}

static void clocks(void **state) {
    struct wfi_ctf_clock k = {0};
    (void)state;
    assert_int_equal(wfi_ctf_time(&k, 5), 5);
    assert_int_equal(wfi_ctf_time(&k, UINT64_MAX), WFI_CTF_TIME_MAX);
    k = (struct wfi_ctf_clock){.hz = 3, .now_hz = 7, .from = 10, .at = 100};
    assert_int_equal(wfi_ctf_time(&k, 9), 0);
    assert_int_equal(wfi_ctf_time(&k, 10), 100);
    assert_int_equal(wfi_ctf_time(&k, 10 + 7), 103);
    assert_int_equal(wfi_ctf_time(&k, 10 + 700000001), 100 + 300000000);
    assert_int_equal(wfi_ctf_time(&k, 10 + 7000000000000000003), 100 + 3000000000000000001);
    assert_int_equal(wfi_ctf_time(&k, UINT64_MAX), WFI_CTF_TIME_MAX);
    k = (struct wfi_ctf_clock){.hz = UINT64_MAX, .now_hz = 1};
    assert_int_equal(wfi_ctf_time(&k, 2), WFI_CTF_TIME_MAX);
    k = (struct wfi_ctf_clock){.hz = 1, .now_hz = UINT64_MAX};
    assert_int_equal(wfi_ctf_time(&k, UINT64_MAX - 1), 0);
}

// A time too large for nanoseconds is readable too.
static void a_time_beyond_all(void **state) {
    static struct stream in;
    struct parts p;
    (void)state;
    in.len = 0;
    in.seq = 0;
    put_sync(&in, 1, UINT64_MAX - 100, 1);
    put_sched(&in, UINT32_MAX - 50, 1, 2);
    convert_parts(&p, &in, 0, 4096);
    assert_int_equal(get(p.bytes[1] + p.len[1] - 18, 8), WFI_CTF_TIME_MAX);
    assert_int_equal(get(p.bytes[1] + p.len[1] - 10, 8), UINT64_MAX - 50);
    assert_non_null(strstr((char *)p.bytes[0], "freq = 1000000000;"));
    assert_non_null(strstr((char *)p.bytes[0], "rate = \"not to scale"));
    free_parts(&p);
}

static void values_of_eight_bytes(void **state) {
    static struct stream in;
    struct parts p;
    static const uint8_t wide[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}; // count of 8 bytes, rate
    (void)state;
    in.len = 0;
    in.seq = 0;
    // A target info: counters of time events have 8 bytes.
    static const uint8_t info[] = {0, 0xE4, 2, 0x22, 0x81, 0x22, 0x44, 0x04,
                                   9, 0x13, 0, 0,    0,    1,    1,    26};
    put_frame(&in, 64, info, sizeof info);
    put_frame(&in, 31, wide, sizeof wide);
    convert_parts(&p, &in, 0, 4096);
    assert_non_null(strstr((char *)p.bytes[0], "wallfly:odd_record"));
    static const char reason[] = "tick has a value of more than 32 bits";
    const uint8_t *end = p.bytes[1] + p.len[1] - sizeof wide;
    assert_memory_equal(end, wide, sizeof wide);
    assert_int_equal(get(end - 4, 4), sizeof wide);
    assert_memory_equal(end - 4 - sizeof reason, reason, sizeof reason);
    free_parts(&p);
}

static void nothing_has_a_stream(void **state) {
    static struct stream in;
    uint64_t discarded[1];
    struct parts p;
    (void)state;
    in.len = 0;
    convert_parts(&p, &in, 0, 1);
    assert_int_equal(packets(&p, discarded, 1), 1);
    assert_int_equal(p.len[1], HEAD);
    assert_memory_equal(p.bytes[0], "/* CTF 1.8 */", 13);
    free_parts(&p);
}

static void names_are_quoted(void **state) {
    static struct stream in;
    struct parts p;
    static const uint8_t enter[] = {0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0};
    (void)state;
    in.len = 0;
    in.seq = 0;
    put_name(&in, 0x12345678, "a\"b\\c\n\x7F\xC3\xA4\xFF\xE2\x82");
    put_frame(&in, 1, enter, sizeof enter);
    convert_parts(&p, &in, 0, 1000);
    assert_non_null(
        strstr((char *)p.bytes[0],
               "\t\"a\\\"b\\\\c\\012\\177\xC3\xA4\\\\xFF\\\\xE2\\\\x82\" = 0x12345678"));
    free_parts(&p);
}

// Every field of every row is there, as wide as its type; only the stamp and the selector of rows
// with the same number are left out.
static void layouts_hold_the_rows(void **state) {
    (void)state;
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        struct wfi_ctf_layout l;
        unsigned left_out = 0;
        wfi_ctf_layout_row(&l, row);
        for (unsigned f = 0; f < row->count; ++f) {
            const struct wf_field *field = &row->fields[f];
            const struct wfi_ctf_field *has = NULL;
            for (unsigned n = 0; n < l.count; ++n) {
                if (l.field[n].value == f) has = &l.field[n];
            }
            bool out = field->kind == WF_KIND_STAMP || field->type == WF_TYPE_WHICH;
            left_out += out;
            assert_int_equal(!has, out);
            if (out || !wfi_ctf_bytes[has->shape]) continue;
            unsigned bytes = has->shape == WFI_CTF_SIGNAL ? 4 : wfi_ctf_bytes[has->shape];
            bool fixed = !wf_types[field->type].letter;
            if (fixed) assert_int_equal(bytes, wf_types[field->type].bytes);
            assert_true(bytes >= wf_types[field->type].bytes);
            assert_string_equal(has->name, field->name);
        }
        bool elements = row->count && row->fields[row->count - 1].type == WF_TYPE_ELEMS;
        assert_int_equal(l.count, row->count - left_out + elements);
    }
}

static void labels_have_an_end(void **state) {
    static struct wfi_ctf_labels labels;
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_session *s = wf_session_open(&options, NULL);
    (void)state;
    for (uint64_t key = 1; key <= 131072; ++key)
        assert_int_equal(wfi_ctf_label(&labels, s, WFI_CTF_OBJECTS, key, 0), key);
    assert_false(labels.left_out);
    assert_int_equal(wfi_ctf_label(&labels, s, WFI_CTF_OBJECTS, 200000, 0), 0);
    assert_true(labels.left_out);
    assert_int_equal(wfi_ctf_label(&labels, s, WFI_CTF_OBJECTS, 5, 0), 5);
    wfi_ctf_labels_close(&labels);
    wf_session_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_the_smallest_trace),
        cmocka_unit_test(a_hole_is_a_packet),
        cmocka_unit_test(a_loss_in_front_has_an_empty_packet_before_it),
        cmocka_unit_test(many_records_are_many_packets),
        cmocka_unit_test(more_than_can_wait_for_a_stamp),
        cmocka_unit_test(another_rate_counts_by_the_first),
        cmocka_unit_test(clocks),
        cmocka_unit_test(a_time_beyond_all),
        cmocka_unit_test(values_of_eight_bytes),
        cmocka_unit_test(nothing_has_a_stream),
        cmocka_unit_test(names_are_quoted),
        cmocka_unit_test(layouts_hold_the_rows),
        cmocka_unit_test(labels_have_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
