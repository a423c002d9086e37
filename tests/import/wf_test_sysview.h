// SPDX-License-Identifier: MIT
// Recordings of SystemView written by tests, and what is shown of them. A recording is read at once
// and byte by byte; both must be the same.
#ifndef WF_TEST_SYSVIEW_H
#define WF_TEST_SYSVIEW_H

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

static const struct wfi_import_format *format = &wfi_import_systemview;
static const char *describe; // the user's description file
static uint8_t bytes[1 << 18];
static size_t len;
static char text[1 << 20];
static size_t text_len;
static uint64_t last_tick;
static struct wf_ledger ledger;
static struct wf_target target;
static struct wf_error error;

// ---- writing

static void put(unsigned byte) { bytes[len++] = (uint8_t)byte; }

static void put_number(uint32_t v) {
    for (; v >= 0x80; v >>= 7) put((v & 0x7F) | 0x80);
    put(v);
}

static void put_string(const char *s) {
    size_t n = strlen(s);
    put(n < 255 ? (unsigned)n : 255);
    if (n >= 255) put((unsigned)(n >> 8)), put(n & 0xFF);
    for (size_t i = 0; i < n; ++i) put((uint8_t)s[i]);
}

static void put_zeros(unsigned n) {
    while (n--) put(0);
}

// A packet; ids from 24 on have the length of their payload. s: a string after the numbers.
static void packet(unsigned id, const uint32_t *numbers, unsigned n, const char *s,
                   const uint32_t *after, unsigned n_after, uint32_t delta) {
    put_number(id);
    size_t at = len;
    for (unsigned i = 0; i < n; ++i) put_number(numbers[i]);
    if (s) put_string(s);
    for (unsigned i = 0; i < n_after; ++i) put_number(after[i]);
    if (id >= 24) {
        uint8_t payload[4096];
        size_t size = len - at;
        assert_true(size <= sizeof payload);
        memcpy(payload, bytes + at, size);
        len = at;
        put_number((uint32_t)size);
        memcpy(bytes + len, payload, size);
        len += size;
    }
    put_number(delta);
}

#define NUMBERS(...)                                                                               \
    (const uint32_t[]) { __VA_ARGS__ }
#define COUNT(...) (unsigned)(sizeof NUMBERS(__VA_ARGS__) / sizeof(uint32_t))
#define EVENT(id, delta, ...)                                                                      \
    packet(id, NUMBERS(__VA_ARGS__), COUNT(__VA_ARGS__), NULL, NULL, 0, delta)
#define EVENT0(id, delta) packet(id, NULL, 0, NULL, NULL, 0, delta)
#define TEXT_EVENT(id, delta, s, ...)                                                              \
    packet(id, NUMBERS(__VA_ARGS__), COUNT(__VA_ARGS__), s, NULL, 0, delta)
#define MESSAGE(delta, s, ...)                                                                     \
    packet(26, NULL, 0, s, NUMBERS(__VA_ARGS__), COUNT(__VA_ARGS__), delta)

// A synchronisation and the first packets, at tick `raw`.
static void start(uint32_t raw, uint32_t ram_base, unsigned shift, const char *system) {
    put_zeros(10);
    EVENT0(10, raw);
    EVENT(24, 1, 1000000, 8000000, ram_base, shift);
    if (system) packet(14, NULL, 0, system, NULL, 0, 1);
}

static void begin(void) {
    len = 0;
    describe = NULL;
    format = &wfi_import_systemview;
}

enum { A = 0x100, B = 0x200, Q = 0x1000 }; // ids of tasks and a queue

// Two tasks, of which A runs.
static void begin_tasks(const char *system) {
    begin();
    start(1000, 0x20000000, 0, system);
    EVENT(8, 1, A);
    TEXT_EVENT(9, 1, "A", A, 3);
    EVENT(8, 1, B);
    TEXT_EVENT(9, 1, "B", B, 2);
    EVENT(4, 1, A);
}

// ---- reading

static bool keep_text(void *ctx, const char *part, size_t n) {
    (void)ctx;
    assert_true(text_len + n < sizeof text);
    memcpy(text + text_len, part, n);
    text_len += n;
    text[text_len] = 0;
    return true;
}

static void drain(struct wfi_import *im, struct wf_writer *w) {
    struct wf_item item;
    while (wfi_import_next(im, &item)) {
        if (item.kind == WF_ITEM_RECORD) last_tick = item.record.tick;
        wf_writer_item(w, &item);
    }
}

static void read_pieces(size_t piece) {
    const struct wf_writer_options writer = {.size = sizeof writer};
    const struct wfi_import_options options = {describe, describe ? strlen(describe) : 0, 0};
    struct wf_session *s = wf_session_open(NULL, NULL);
    struct wfi_import *im = wfi_import_open(s, format, &options);
    struct wf_writer *w = wf_writer_open(wf_format_find("text"), s, &writer, keep_text, NULL, NULL);
    assert_true(s && im && w);
    text_len = 0;
    text[0] = 0;
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        uint8_t *copy = malloc(n); // not a byte more can be read
        memcpy(copy, bytes + at, n);
        wfi_import_feed(im, copy, n);
        drain(im, w);
        free(copy);
        wfi_import_feed(im, NULL, 0);
    }
    wfi_import_end(im);
    drain(im, w);
    wf_writer_flush(w);
    ledger = *wf_session_ledger(s);
    target = *wf_session_target(s);
    error = im->error;
    if (error.code == WF_OK) assert_int_equal(ledger.bytes_good + ledger.bytes_bad, len);
    wf_writer_close(w);
    wfi_import_close(im);
    wf_session_close(s);
}

static void read_all(void) {
    static char whole[sizeof text];
    read_pieces(len);
    memcpy(whole, text, text_len + 1);
    const struct wf_ledger first = ledger;
    read_pieces(1);
    assert_string_equal(text, whole);
    assert_int_equal(first.missing, ledger.missing);
    assert_int_equal(first.bytes_bad, ledger.bytes_bad);
}

#define SHOWS(part)                                                                                \
    if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text)
#define HIDES(part)                                                                                \
    if (strstr(text, part)) fail_msg("\"%s\" is in:\n%s", part, text)

static inline unsigned count_of(const char *part) {
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) ++n;
    return n;
}

#endif
