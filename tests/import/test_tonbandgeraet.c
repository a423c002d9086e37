// SPDX-License-Identifier: MIT
// The importer of Tonbandgeraet, with streams that the test writes frame by frame.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/wfi_import.h"
#include "wallfly_host/wf_trace.h"
#include "wallfly_host/wf_writer.h"

static uint8_t stream[1 << 16];
static size_t used;

// Appends a frame of these bytes, in COBS.
static void put_frame(const uint8_t *bytes, size_t len) {
    size_t code = used++;
    for (size_t i = 0; i < len; ++i) {
        if (bytes[i]) stream[used++] = bytes[i];
        if (bytes[i] && used - code < 0xFF) continue;
        stream[code] = (uint8_t)(used - code);
        code = used++;
    }
    stream[code] = (uint8_t)(used - code);
    stream[used++] = 0;
}

static size_t put_number(uint8_t *p, uint64_t v) {
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) p[n++] = (uint8_t)(v | 0x80);
    p[n++] = (uint8_t)v;
    return n;
}

// An event of numbers and, if text is not null, a text.
static void put(unsigned id, unsigned count, const uint64_t *numbers, const char *text) {
    uint8_t bytes[5000];
    size_t n = 0;
    bytes[n++] = (uint8_t)id;
    for (unsigned i = 0; i < count; ++i) n += put_number(bytes + n, numbers[i]);
    if (text) memcpy(bytes + n, text, strlen(text));
    if (text) n += strlen(text);
    put_frame(bytes, n);
}
#define PUT(id, ...)                                                                               \
    put((id), sizeof((uint64_t[]){__VA_ARGS__}) / 8, (const uint64_t[]){__VA_ARGS__}, NULL)
#define PUT_TEXT(text, id, ...)                                                                    \
    put((id), sizeof((uint64_t[]){__VA_ARGS__}) / 8, (const uint64_t[]){__VA_ARGS__}, (text))

// Three tasks on one core, of which the first runs.
static void begin(void) {
    used = 0;
    PUT(0x00, 0, 0);
    PUT(0x02, 40);
    for (uint64_t task = 1; task <= 3; ++task) {
        PUT(0x5E, task, task);
        PUT(0x5B, task, task, task);
        PUT_TEXT(task == 1 ? "one" : task == 2 ? "two" : "three", 0x5F, task);
    }
    PUT(0x63, 5, 1);
    PUT(0x65, 1, 0); // a queue
    PUT(0x70, 5, 1, 0);
    PUT(0x63, 6, 2);
    PUT(0x65, 2, 3); // a mutex
    PUT(0x70, 6, 2, 0);
    PUT(0x66, 6, 2, 1);
    PUT(0x63, 7, 3);
    PUT(0x65, 3, 1); // a semaphore
    PUT(0x70, 7, 3, 4);
    PUT(0x54, 100, 1);
}

// ---- reading

static char text[1 << 17];
static size_t text_len;
static struct wf_ledger ledger;
static enum wf_lane_format found;

static bool keep(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    assert_true(text_len + len < sizeof text);
    memcpy(text + text_len, bytes, len);
    text_len += len;
    text[text_len] = 0;
    return true;
}

static void read_in(size_t piece) {
    const struct wf_writer_options how = {.size = sizeof how};
    const struct wf_trace_options options = {.size = sizeof options,
                                             .format = WF_LANE_TONBANDGERAET};
    struct wf_trace *t = wf_trace_open(&options, NULL);
    struct wf_lane *lane = wf_trace_lane(t, 0, NULL);
    struct wf_session *s = wf_lane_session(lane);
    struct wf_writer *w = wf_writer_open(wf_format_find("text"), s, &how, keep, NULL, NULL);
    struct wf_item item;
    text_len = 0;
    for (size_t at = 0; at < used; at += piece) {
        size_t n = used - at < piece ? used - at : piece;
        uint8_t *copy = malloc(n);
        memcpy(copy, stream + at, n);
        assert_int_equal(wf_trace_feed(t, 0, copy, n), WF_OK);
        while (wf_trace_next(t, &item)) wf_writer_item(w, &item);
        free(copy);
    }
    wf_trace_end(t);
    while (wf_trace_next(t, &item)) wf_writer_item(w, &item);
    wf_writer_flush(w);
    wf_writer_close(w);
    ledger = *wf_session_ledger(s);
    assert_int_equal(ledger.bytes, used);
    found = wf_lane_get_format(lane);
    wf_trace_close(t);
}

#define SHOWS(part)                                                                                \
    if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text)
#define HIDES(part)                                                                                \
    if (strstr(text, part)) fail_msg("\"%s\" is in:\n%s", part, text)

// ---- tests

static void reasons_are_recorded_or_follow_from_priorities(void **state) {
    (void)state;
    begin();
    PUT(0x55, 110, 3);
    PUT(0x54, 120, 3); // 3 is higher than 1
    PUT(0x59, 130, 2);
    PUT(0x54, 140, 1);
    PUT(0x54, 150, 2);
    PUT(0x54, 160, 1);
    PUT(0x58, 170, 1);
    PUT(0x54, 180, 2);
    PUT(0x62, 190, 2);
    PUT(0x54, 200, 1);
    read_in(sizeof stream);
    SHOWS("three runs on core 0, the one before was preempted");
    SHOWS("curtask_delay    ticks 2");
    SHOWS("0.00000556 s  TASK task_switch      one runs on core 0, the one before sleeps");
    SHOWS("0.00000596 s  TASK task_switch      two runs on core 0, the one before was preempted");
    SHOWS("0.00000636 s  TASK task_switch      one runs on core 0, the one before waits");
    SHOWS("0.00000716 s  TASK task_switch      two runs on core 0, the one before is suspended");
    SHOWS("0.00000796 s  TASK task_switch      one runs on core 0, the one before ended");
}

static void queues_have_their_kinds(void **state) {
    (void)state;
    begin();
    PUT(0x66, 110, 1, 1);
    PUT(0x6A, 120, 1, 0);
    PUT(0x6A, 130, 2, 0);
    PUT(0x66, 140, 2, 1);
    PUT(0x6A, 150, 3, 3);
    PUT(0x66, 160, 3, 4);
    PUT(0x6E, 170, 1, 9);
    PUT(0x54, 180, 2);
    PUT(0x6F, 190, 2, 9);
    PUT(0x54, 200, 3);
    PUT(0x6F, 210, 3, 9);
    PUT(0x54, 220, 2);
    PUT(0x67, 230, 3, 5); // from an interrupt that is not marked
    PUT(0x66, 240, 9, 1); // its kind is not known
    PUT(0x6C, 250, 1);
    read_in(sizeof stream);
    SHOWS("semaphore 0x00000003 is created, count 4");
    SHOWS("one sends to 0x00000001, 1 in it");
    SHOWS("one receives from 0x00000001, 0 left");
    SHOWS("one takes 0x00000002, depth 1");
    SHOWS("one gives 0x00000002, depth 0");
    SHOWS("one takes 0x00000003, count 3");
    SHOWS("one gives 0x00000003, count 4");
    SHOWS("QUE  queue_send_wait");
    SHOWS("two waits for 0x00000002");
    SHOWS("three waits for 0x00000003");
    SHOWS("interrupt ? begins");
    SHOWS("interrupt gives 0x00000003, count 5");
    SHOWS("USER queue_send       queue 0x00000009 len_after 1");
    SHOWS("queue_reset");
    // Create, take, give and wait: FreeRTOS' give of a new mutex is none.
    assert_int_equal(ledger.by_id[WF_RECORD_mutex_give], 4);
}

static void markers_are_messages_spans_and_counters(void **state) {
    (void)state;
    begin();
    PUT_TEXT("log", 0x06, 1);
    PUT_TEXT("work", 0x06, 2);
    PUT_TEXT("level", 0x0A, 1);
    PUT_TEXT("hello %s", 0x07, 110, 1);
    PUT_TEXT("", 0x08, 120, 2);
    PUT(0x54, 130, 2);
    PUT(0x09, 140, 2); // another task ends it
    PUT(0x0B, 150, 1, 7 << 1 | 1);
    PUT(0x0B, 160, 2, 7 << 1);
    PUT(0x0B, 170, 2, 1); // the smallest number
    PUT_TEXT("own", 0x7A, 1, 2);
    PUT_TEXT("text", 0x7B, 180, 1);
    PUT_TEXT("his", 0x7E, 1, 2);
    PUT(0x7F, 190, 1, 10);
    read_in(sizeof stream);
    SHOWS("log: hello %s");
    SHOWS("one begins work");
    SHOWS("one ends work");
    SHOWS("level is -7");
    SHOWS("value 2 is 7");
    SHOWS("-9223372036854775808");
    SHOWS("own: text");
    SHOWS("his is 5");
}

static void interrupts_have_names(void **state) {
    (void)state;
    begin();
    PUT_TEXT("timer", 0x03, 25);
    PUT(0x04, 110, 25);
    PUT(0x67, 120, 3, 5);
    PUT(0x05, 130, 25);
    PUT(0x04, 140, 25);
    PUT(0x54, 150, 2); // its end is not marked
    read_in(sizeof stream);
    SHOWS("interrupt timer begins on core 0, depth 1");
    SHOWS("0.00000596 s  ISR  irq_exit");
    assert_int_equal(ledger.by_id[WF_RECORD_irq_exit], 4);
}

static void drops_are_counted_exactly(void **state) {
    (void)state;
    begin();
    PUT(0x01, 110, 0);
    PUT(0x01, 120, 3);
    PUT(0x01, 130, 3);
    PUT(0x01, 140, 8);
    PUT(0x54, 150, 2);
    read_in(sizeof stream);
    assert_int_equal(ledger.missing, 8);
    assert_int_equal(ledger.holes, 2);
    SHOWS("the one before left");
    used = 0; // joined later: what was dropped before is not part of the trace
    PUT(0x54, 100, 1);
    PUT(0x01, 120, 300);
    PUT(0x01, 130, 301);
    read_in(sizeof stream);
    assert_int_equal(ledger.missing, 1);
}

static void damage_ends_at_the_next_frame(void **state) {
    static uint8_t frame[6000];
    (void)state;
    begin();
    size_t at = used;
    PUT(0x54, 110, 2);
    stream[at] = 0x30; // a length beyond the frame
    PUT(0x54, 120);    // a field is missing
    PUT(0x54, 130, 3);
    memset(frame, 'x', sizeof frame);
    put_frame(frame, sizeof frame);
    PUT(0x99, 140, 3);
    PUT(0x54, 150, 2);
    read_in(sizeof stream);
    SHOWS("5 damaged bytes: a damaged frame");
    SHOWS("4 damaged bytes: an event without its fields");
    SHOWS("a frame that is too long");
    SHOWS("unknown event    id 153");
    assert_int_equal(ledger.by_id[WF_RECORD_task_switch], 3);
}

static void pieces_of_any_length_are_the_same(void **state) {
    static char whole[sizeof text];
    (void)state;
    damage_ends_at_the_next_frame(NULL);
    memcpy(whole, text, text_len + 1);
    for (size_t piece = 1; piece < 70; piece += piece < 10 ? 1 : 13) {
        read_in(piece);
        assert_string_equal(text, whole);
    }
}

static enum wfi_sniff sniff(const void *bytes, size_t len, bool whole) {
    return wfi_import_tonbandgeraet.sniff(bytes, len, whole);
}

static void only_many_good_frames_are_detected(void **state) {
    static const char words[] = "a text without zeros, as long as it is, is none of our streams\n";
    static uint8_t zeros[5000];
    (void)state;
    begin();
    assert_int_equal(sniff(stream, used, true), WFI_SNIFF_YES);
    assert_int_equal(sniff(stream, 20, false), WFI_SNIFF_PERHAPS);
    assert_int_equal(sniff(stream, 20, true), WFI_SNIFF_NO);
    assert_int_equal(sniff(words, sizeof words - 1, true), WFI_SNIFF_NO);
    assert_int_equal(sniff(zeros, sizeof zeros, false), WFI_SNIFF_NO);
    stream[used / 4] ^= 0x40;
    assert_int_equal(sniff(stream, used, true), WFI_SNIFF_NO);
    begin(); // the first frame is a part of one
    for (unsigned i = 0; i < 30; ++i) PUT(0x54, 110 + i, 1 + i % 3);
    assert_int_equal(sniff(stream + 2, used - 2, true), WFI_SNIFF_YES);
    begin(); // time goes back
    PUT(0x54, 3, 1);
    assert_int_equal(sniff(stream + used - 80, 80, true), WFI_SNIFF_NO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons_are_recorded_or_follow_from_priorities),
        cmocka_unit_test(queues_have_their_kinds),
        cmocka_unit_test(markers_are_messages_spans_and_counters),
        cmocka_unit_test(interrupts_have_names),
        cmocka_unit_test(drops_are_counted_exactly),
        cmocka_unit_test(damage_ends_at_the_next_frame),
        cmocka_unit_test(pieces_of_any_length_are_the_same),
        cmocka_unit_test(only_many_good_frames_are_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
