// SPDX-License-Identifier: MIT
// Makes streams of events (wallfly_host/wf_event_stream.h) byte by byte, and reads them as text.
#ifndef WF_TEST_EVENTS_H
#define WF_TEST_EVENTS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_event_stream.h"
#include "wallfly_host/wf_trace.h"
#include "wallfly_host/wf_writer.h"

struct stream {
    uint8_t bytes[1 << 17], record[1 << 17];
    size_t len, used;
};

static struct stream stream;

static inline void put_byte(unsigned b) { stream.record[stream.used++] = (uint8_t)b; }

static inline void put_varint(uint64_t v) {
    for (; v >= 0x80; v >>= 7) put_byte((unsigned)(v & 0x7F) | 0x80);
    put_byte((unsigned)v);
}

static inline void put_signed(int64_t v) {
    put_varint((uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

static inline void put_text(const char *text) {
    size_t len = strlen(text);
    put_varint(len);
    for (size_t i = 0; i < len; ++i) put_byte((unsigned char)text[i]);
}

static inline void begin_record(unsigned kind) {
    stream.used = 0;
    put_byte(kind);
}

static inline void end_record(void) {
    size_t len = stream.used;
    uint8_t *to = stream.bytes + stream.len;
    for (; len >= 0x80; len >>= 7) *to++ = (uint8_t)(len | 0x80);
    *to++ = (uint8_t)len;
    memcpy(to, stream.record, stream.used);
    stream.len = (size_t)(to - stream.bytes) + stream.used;
}

static inline void begin_stream(void) {
    memcpy(stream.bytes, WF_EVENTS_MAGIC, WF_EVENTS_MAGIC_LEN);
    stream.len = WF_EVENTS_MAGIC_LEN;
    begin_record(WF_EVENTS_CLOCK);
    put_byte(0);
    end_record();
}

static inline void put_env(const char *name, const char *value) {
    begin_record(WF_EVENTS_ENV);
    put_text(name);
    put_text(value);
    end_record();
}

// fields: names separated by blanks; @NAME is of the context, %NAME of the packet.
static inline void put_class(const char *name, const char *fields) {
    unsigned count = *fields ? 1 : 0;
    for (const char *p = fields; *p; ++p) count += *p == ' ';
    begin_record(WF_EVENTS_CLASS);
    put_text(name);
    put_varint(0);
    put_varint(count);
    while (*fields) {
        char field[64];
        size_t len = strcspn(fields, " ");
        unsigned scope = *fields == '@'   ? WF_EVENTS_SCOPE_CONTEXT
                         : *fields == '%' ? WF_EVENTS_SCOPE_PACKET
                                          : WF_EVENTS_SCOPE_PAYLOAD;
        snprintf(field, sizeof field, "%.*s", (int)(len - (scope != 0)), fields + (scope != 0));
        put_byte(scope);
        put_text(field);
        fields += len + (fields[len] == ' ');
    }
    end_record();
}

// delta: ns since the last time. The values follow, then end_record.
static inline void begin_event(unsigned class, int64_t delta, unsigned cpu_plus_1) {
    begin_record(WF_EVENTS_EVENT);
    put_varint(class);
    put_signed(delta);
    put_varint(cpu_plus_1);
    put_varint(0);
}

static inline void value_number(uint64_t v) {
    put_byte(WF_EVENTS_VALUE_UNSIGNED);
    put_varint(v);
}

static inline void value_text(const char *text) {
    put_byte(WF_EVENTS_VALUE_TEXT);
    put_text(text);
}

// An event of core 0, 10 ns after the last, with numbers: count, then the values.
static inline void put_event(unsigned class, unsigned count, ...) {
    va_list list;
    va_start(list, count);
    begin_event(class, 10, 1);
    for (unsigned i = 0; i < count; ++i) value_number(va_arg(list, unsigned));
    va_end(list);
    end_record();
}

static inline void put_loss(unsigned what, uint64_t count_plus_1, int64_t delta, uint64_t len) {
    begin_record(WF_EVENTS_LOSS);
    put_byte(what);
    put_varint(count_plus_1);
    put_signed(delta);
    put_varint(len);
    put_varint(1);
    put_varint(0);
    end_record();
}

static inline void put_end(const char *why) {
    begin_record(WF_EVENTS_END);
    put_text(why);
    end_record();
}

// ---- reading

static char text[1 << 20];
static size_t text_len;
static struct wf_error trace_error;
static struct wf_ledger ledger;

static inline bool keep_text(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    assert_true(text_len + len < sizeof text);
    memcpy(text + text_len, bytes, len);
    text_len += len;
    text[text_len] = 0;
    return true;
}

// Reads the stream in pieces, with a mapping or null. The text of its records is in `text`.
static inline void read_stream(const char *mapping, size_t piece) {
    const struct wf_trace_options options = {
        .size = sizeof options, .describe = mapping, .describe_len = mapping ? strlen(mapping) : 0};
    const struct wf_writer_options how = {.size = sizeof how};
    struct wf_error error;
    struct wf_item item;
    struct wf_trace *t = wf_trace_open(&options, &error);
    struct wf_session *s = wf_lane_session(wf_trace_lane(t, 0, &error));
    struct wf_writer *w = wf_writer_open(wf_format_find("text"), s, &how, keep_text, NULL, &error);
    text_len = 0;
    text[0] = 0;
    for (size_t at = 0; at < stream.len; at += piece) {
        size_t n = stream.len - at < piece ? stream.len - at : piece;
        uint8_t *copy = malloc(n); // of exact length, for the sanitizer
        memcpy(copy, stream.bytes + at, n);
        wf_trace_feed(t, 0, copy, n);
        while (wf_trace_next(t, &item)) wf_writer_item(w, &item);
        free(copy);
    }
    wf_trace_end(t);
    while (wf_trace_next(t, &item)) wf_writer_item(w, &item);
    wf_writer_close(w);
    wf_trace_error(t, &trace_error);
    ledger = *wf_session_ledger(s);
    wf_trace_close(t);
}

#define SHOWS(part)                                                                                \
    if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text)
#define SHOWS_NOT(part)                                                                            \
    if (strstr(text, part)) fail_msg("\"%s\" is in:\n%s", part, text)

#endif
