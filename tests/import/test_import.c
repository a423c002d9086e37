// SPDX-License-Identifier: MIT
// What all importers share (core/wfi_import.h), with a format made for the test: each event is a
// length byte and that many bytes, of which the first selects what is emitted.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wfi_import.h"
#include "wallfly_host/wf_writer.h"

struct state {
    unsigned events;
};

static void emit(struct wfi_import *im, const uint8_t *e, size_t len) {
    const struct wfi_import_field fields[] = {{"n", WFI_FIELD_UNSIGNED, e[1], NULL, 0},
                                              {"big", WFI_FIELD_HEX, UINT64_MAX, NULL, 0},
                                              {"down", WFI_FIELD_SIGNED, (uint64_t)-3, NULL, 0},
                                              {"text", WFI_FIELD_TEXT, 0, "ab", 2}};
    char name[8] = "e";
    ++im->tick;
    switch (e[0]) {
    case 'c': WFI_IMPORT(im, task_create, e[1], 5); break;
    case 'n': wfi_import_name(im, e[1], (const char *)e + 2, len - 2); break;
    case 's': wfi_import_switch(im, e[1], WF_REASON_blocked); break;
    case 'i': wfi_import_irq_enter(im, e[1]); break;
    case 'x': wfi_import_irq_exit(im); break;
    case 'X': wfi_import_irq_exit_all(im); break;
    case 't': WFI_IMPORT(im, mutex_take, e[1], 1); break;
    case 'v': wfi_import_counter(im, "value", 5, INT64_MAX); break;
    case 'w': wfi_import_counter(im, "value", 5, -7); break;
    case 'b': wfi_import_span(im, true, "span", 4); break;
    case 'm': wfi_import_message(im, (const char *)e + 1, len - 1); break;
    case 'f': wfi_import_log(im, "n=%u", 4, fields, 1); break;
    case 'e': // a name with a number
        name[1] = (char)('a' + e[1] / 26), name[2] = (char)('a' + e[1] % 26);
        wfi_import_event(im, name, 3, fields, 4);
        break;
    case 'l': wfi_import_loss(im, e[1], true, "the buffer was full"); break;
    case 'o': wfi_import_beginning(im, e[1]); break;
    case 'q': wfi_import_fail(im, im->offset, "event %u", e[1]); break;
    default: wfi_import_damage(im, im->offset, len + 1, "no such event"); break;
    }
}

static size_t decode(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct state *s = im->state;
    size_t at = 0;
    (void)last;
    while (at < len && !wfi_import_is_full(im)) {
        size_t n = bytes[at];
        if (at + 1 + n > len) break;
        im->offset = im->at + at;
        ++s->events;
        if (n > 1) emit(im, bytes + at + 1, n);
        at += 1 + n;
    }
    return at;
}

static const struct wfi_import_format format = {
    .name = "test", .size = sizeof(struct state), .most = 100, .decode = decode};

// ---- reading

static char text[1 << 20];
static size_t text_len;

static bool keep(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    assert_true(text_len + len < sizeof text);
    memcpy(text + text_len, bytes, len);
    text_len += len;
    text[text_len] = 0;
    return true;
}

struct reading {
    struct wf_session *s;
    struct wfi_import *im;
    struct wf_writer *w;
};

static struct reading open_reading(void) {
    const struct wf_writer_options how = {.size = sizeof how};
    struct reading r = {.s = wf_session_open(NULL, NULL)};
    r.im = wfi_import_open(r.s, &format, NULL);
    r.w = wf_writer_open(wf_format_find("text"), r.s, &how, keep, NULL, NULL);
    assert_true(r.s && r.im && r.w);
    text_len = 0;
    text[0] = 0;
    return r;
}

static void drain(struct reading *r) {
    struct wf_item item;
    while (wfi_import_next(r->im, &item)) wf_writer_item(r->w, &item);
}

static void close_reading(struct reading *r) {
    wf_writer_close(r->w);
    wfi_import_close(r->im);
    wf_session_close(r->s);
}

// Reads a stream in pieces; the ledger is checked and returned.
static struct wf_ledger read_all(const char *bytes, size_t len, size_t piece) {
    struct reading r = open_reading();
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        uint8_t *copy = malloc(n);
        memcpy(copy, bytes + at, n);
        wfi_import_feed(r.im, copy, n);
        drain(&r);
        free(copy);
        wfi_import_feed(r.im, NULL, 0);
    }
    wfi_import_end(r.im);
    drain(&r);
    wf_writer_flush(r.w);
    const struct wf_ledger l = *wf_session_ledger(r.s);
    if (r.im->error.code == WF_OK) {
        assert_int_equal(l.bytes, len);
        assert_int_equal(l.bytes_good + l.bytes_bad, len);
    }
    close_reading(&r);
    return l;
}

#define READ(bytes) read_all(bytes, sizeof(bytes) - 1, 3)
#define SHOWS(part)                                                                                \
    if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text)

static void records_are_shown_with_names(void **state) {
    (void)state;
    const struct wf_ledger l = READ("\2c\7"
                                    "\5n\7abc"
                                    "\2s\7"
                                    "\2t\x30"
                                    "\2i\5"
                                    "\2t\x31"
                                    "\2x ");
    assert_int_equal(l.records, 7);
    SHOWS("abc runs on core 0, the one before waits");
    SHOWS("abc takes 0x00000030, depth 1");
    SHOWS("interrupt 5 begins on core 0, depth 1");
    SHOWS("interrupt takes 0x00000031, depth 1");
    SHOWS("interrupt 5 ends on core 0, depth 1");
}

static void an_action_of_an_unknown_task_is_an_event(void **state) {
    (void)state;
    const struct wf_ledger l = READ("\2t\x30"
                                    "\2s\7"
                                    "\2t\x31"
                                    "\2l\3"
                                    "\2t\x32");
    assert_int_equal(l.by_id[WF_RECORD_mutex_take], 1);
    SHOWS("mutex_take       obj 0x00000030 nest 1");
    SHOWS("0x00000007 takes 0x00000031");
    SHOWS("mutex_take       obj 0x00000032 nest 1");
}

static void pieces_of_any_length_are_the_same(void **state) {
    static const char bytes[] =
        "\2c\7\5n\7abc\2s\7\2t\x30\2i\5\2i\6\2X \4mabc\2f\x11\2e\1\2l\3\2s\7";
    static char whole[sizeof text];
    (void)state;
    read_all(bytes, sizeof bytes - 1, sizeof bytes);
    memcpy(whole, text, text_len + 1);
    for (size_t piece = 1; piece < sizeof bytes; ++piece) {
        read_all(bytes, sizeof bytes - 1, piece);
        assert_string_equal(text, whole);
    }
}

static void an_event_has_its_name_and_fields(void **state) {
    (void)state;
    READ("\2s\7"
         "\2e\1"
         "\2f\x11"
         "\2v "
         "\2w "
         "\2b ");
    SHOWS("eab ");
    SHOWS("n 1 big 0xFFFFFFFFFFFFFFFF down -3 text ab");
    SHOWS("n=17");
    SHOWS("9223372036854775807"); // an event: it does not fit in a counter
    SHOWS("value is -7");
    SHOWS("begins span");
}

static void events_beyond_the_numbers_share_one(void **state) {
    static char bytes[3 * 200];
    (void)state;
    for (unsigned i = 0; i < 200; ++i) memcpy(bytes + 3 * i, (char[]){2, 'e', (char)i}, 3);
    const struct wf_ledger l = read_all(bytes, sizeof bytes, 64);
    assert_int_equal(l.by_id[100], 1);
    assert_int_equal(l.by_id[254], 1);
    assert_int_equal(l.by_id[255], 200 - 155);
    SHOWS("ehr n 199"); // its name comes first
}

static void a_loss_is_in_the_ledger_and_a_beginning_is_not(void **state) {
    (void)state;
    struct wf_ledger l = READ("\2o\5"
                              "\2s\7");
    assert_int_equal(l.missing, 0);
    assert_int_equal(l.holes, 0);
    SHOWS("the trace begins here: 5 older events were overwritten");
    l = READ("\2s\7"
             "\2l\3"
             "\2s\7");
    assert_int_equal(l.missing, 3);
    assert_int_equal(l.holes, 1);
    SHOWS("3 events missing: the buffer was full");
}

static void damage_is_counted_in_bytes(void **state) {
    (void)state;
    struct wf_ledger l = READ("\2s\7"
                              "\3?ab"
                              "\2s\7");
    assert_int_equal(l.bytes_bad, 4);
    assert_int_equal(l.records, 2);
    SHOWS("4 damaged bytes: no such event");
    l = READ("\2s\7"
             "\5ab"); // the end inside an event
    assert_int_equal(l.bytes_bad, 3);
    SHOWS("3 damaged bytes: the input ends inside an event");
    static char bytes[300] = "\2s\7\xC8"; // a length of 200, more than `most`
    l = read_all(bytes, 150, 10);
    assert_true(l.bytes_bad >= 1);
    SHOWS("1 damaged byte: a length that cannot be right");
}

static void an_error_ends_the_trace_with_its_place(void **state) {
    struct wf_item item;
    (void)state;
    struct reading r = open_reading();
    wfi_import_feed(r.im, (const uint8_t *)"\2s\7\2q\7\2s\7", 9);
    drain(&r);
    assert_int_equal(r.im->error.code, WF_ERR_BAD_IMPORT);
    assert_string_equal(r.im->error.text, "test: event 7");
    assert_int_equal(r.im->error.at, 3);
    assert_false(wfi_import_next(r.im, &item));
    assert_int_equal(wf_session_ledger(r.s)->records, 1); // what came before it is kept
    close_reading(&r);
}

static void texts_are_bounded(void **state) {
    struct wf_item item;
    char name[16];
    (void)state;
    struct reading r = open_reading();
    uint64_t first = wfi_import_text(r.im, "a", 1);
    assert_true(wfi_import_text(r.im, "a", 1) == first);
    assert_true(wfi_import_text(r.im, "b", 1) != first);
    for (unsigned i = 0; i < WFI_IMPORT_TEXTS_MAX + 100; ++i) {
        int len = snprintf(name, sizeof name, "%u", i);
        wfi_import_text(r.im, name, (size_t)len);
    }
    uint64_t more = wfi_import_text(r.im, "one more", 8);
    assert_true(more == wfi_import_text(r.im, "and another", 11));
    assert_true(more == wfi_import_text(r.im, "...", 3));
    assert_true(wfi_import_text(r.im, "a", 1) == first);
    while (wfi_import_next(r.im, &item)) continue;
    assert_int_equal(wf_session_ledger(r.s)->records, WFI_IMPORT_TEXTS_MAX);
    close_reading(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_shown_with_names),
        cmocka_unit_test(an_action_of_an_unknown_task_is_an_event),
        cmocka_unit_test(pieces_of_any_length_are_the_same),
        cmocka_unit_test(an_event_has_its_name_and_fields),
        cmocka_unit_test(events_beyond_the_numbers_share_one),
        cmocka_unit_test(a_loss_is_in_the_ledger_and_a_beginning_is_not),
        cmocka_unit_test(damage_is_counted_in_bytes),
        cmocka_unit_test(an_error_ends_the_trace_with_its_place),
        cmocka_unit_test(texts_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
