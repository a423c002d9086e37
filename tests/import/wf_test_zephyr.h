// SPDX-License-Identifier: MIT
// Streams of Zephyr's CTF for tests, written byte by byte, and what the importer makes of them as
// text.
#ifndef WF_TEST_ZEPHYR_H
#define WF_TEST_ZEPHYR_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_trace.h"
#include "wallfly_host/wf_writer.h"

// Types and header of Zephyr's metadata, and events of the layout since 2.6.
#define TYPES                                                                                      \
    "/* CTF 1.8 */\n"                                                                              \
    "typealias integer { size = 8; align = 8; signed = true; } := int8_t;\n"                       \
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"                     \
    "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"                   \
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"                   \
    "typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"                     \
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"                   \
    "typealias integer { size = 8; align = 8; signed = false; encoding = ASCII; }\n"               \
    "    := ctf_bounded_string_t;\n"
#define FLAT                                                                                       \
    "struct event_header { uint32_t timestamp; uint8_t id; };\n"                                   \
    "trace { major = 1; minor = 8; byte_order = le; };\n"                                          \
    "stream { event.header := struct event_header; };\n"
#define EVENT(name, id, fields)                                                                    \
    "event { name = " name "; id = " id "; fields := struct { " fields " }; };\n"
#define BARE(name, id) "event { name = " name "; id = " id "; };\n"
#define THREAD(core)   "uint32_t thread_id; ctf_bounded_string_t name[20]; " core
#define EVENTS(core)                                                                               \
    EVENT("thread_switched_out", "0x10", THREAD(core))                                             \
    EVENT("thread_switched_in", "0x11", THREAD(core))                                              \
    EVENT("thread_priority_set", "0x12",                                                           \
          "uint32_t thread_id; ctf_bounded_string_t name[20]; int8_t prio; " core)                 \
    EVENT("thread_create", "0x13", THREAD(core))                                                   \
    EVENT("thread_abort", "0x14", THREAD(core))                                                    \
    EVENT("thread_suspend", "0x15", THREAD(core))                                                  \
    EVENT("thread_resume", "0x16", THREAD(core))                                                   \
    EVENT("thread_ready", "0x17", THREAD(core))                                                    \
    EVENT("thread_pending", "0x18", THREAD(core))                                                  \
    EVENT("thread_name_set", "0x1A", THREAD(core))                                                 \
    EVENT("isr_enter", "0x1B", core)                                                               \
    EVENT("isr_exit", "0x1C", core)                                                                \
    EVENT("isr_exit_to_scheduler", "0x1D", core)                                                   \
    EVENT("idle", "0x1E", core)                                                                    \
    EVENT("semaphore_init", "0x21", "uint32_t id; int32_t ret; " core)                             \
    EVENT("semaphore_give_enter", "0x22", "uint32_t id; " core)                                    \
    EVENT("semaphore_give_exit", "0x23", "uint32_t id; " core)                                     \
    EVENT("semaphore_take_blocking", "0x25", "uint32_t id; uint32_t timeout; " core)               \
    EVENT("semaphore_take_exit", "0x26", "uint32_t id; uint32_t timeout; int32_t ret; " core)      \
    EVENT("mutex_init", "0x28", "uint32_t id; int32_t ret; " core)                                 \
    EVENT("mutex_lock_blocking", "0x2A", "uint32_t id; uint32_t timeout; " core)                   \
    EVENT("mutex_lock_exit", "0x2B", "uint32_t id; uint32_t timeout; int32_t ret; " core)          \
    EVENT("mutex_unlock_enter", "0x2C", "uint32_t id; " core)                                      \
    EVENT("mutex_unlock_exit", "0x2D", "uint32_t id; " core)                                       \
    EVENT("named_event", "0x62",                                                                   \
          "ctf_bounded_string_t name[20]; uint32_t arg0; uint32_t arg1; " core)                    \
    EVENT("k_sleep_enter", "0x7F", "uint32_t timeout; " core)                                      \
    EVENT("k_sleep_exit", "0x80", "uint32_t timeout; int32_t ret; " core)

static const char plain_metadata[] = TYPES FLAT EVENTS("");

// ---- streams

static uint8_t stream[1 << 16];
static size_t stream_len;
static uint32_t now; // stamp of the next event, 1000 after the last
static unsigned stamp_bytes, id_bytes;
static int core; // written after the fields, if it is not -1

static inline void begin_stream(void) {
    stream_len = 0;
    now = 1000;
    stamp_bytes = 4;
    id_bytes = 1;
    core = -1;
}

static inline void put(uint64_t v, unsigned bytes) {
    assert_true(stream_len + bytes <= sizeof stream);
    for (unsigned i = 0; i < bytes; ++i) stream[stream_len++] = (uint8_t)(v >> 8 * i);
}

static inline void put_name(const char *name) {
    char text[20] = "";
    memcpy(text, name, strlen(name) < 19 ? strlen(name) : 19);
    for (unsigned i = 0; i < 20; ++i) put((uint8_t)text[i], 1);
}

static inline void put_head(unsigned id) {
    put(now, stamp_bytes);
    put(id, id_bytes);
    now += 1000;
}

static inline void put_core(void) {
    if (core >= 0) put((unsigned)core, 4);
}

static inline void thread(unsigned id, uint32_t key, const char *name) {
    put_head(id);
    put(key, 4);
    put_name(name);
    put_core();
}

// An event with up to three words.
static inline void event(unsigned id, unsigned count, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t words[] = {a, b, c};
    put_head(id);
    for (unsigned i = 0; i < count; ++i) put(words[i], 4);
    put_core();
}

static inline void switch_to(uint32_t from, const char *from_name, uint32_t to, const char *name) {
    thread(0x10, from, from_name);
    thread(0x11, to, name);
}

// ---- what is read

static char text[1 << 18];
static size_t text_len;
static struct wf_ledger ledger;
static struct wf_error failure;
static enum wf_lane_format found; // the format that was read

static inline bool keep(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    assert_true(text_len + len < sizeof text);
    memcpy(text + text_len, bytes, len);
    text_len += len;
    text[text_len] = 0;
    return true;
}

// Reads the stream in pieces of 7 bytes with a metadata; null: without. detect: by its bytes.
static inline int read_stream(const char *metadata, bool detect) {
    const struct wf_trace_options options = {
        .size = sizeof options,
        .format = detect ? WF_LANE_UNKNOWN : WF_LANE_ZEPHYR,
        .describe = metadata,
        .describe_len = metadata ? strlen(metadata) : 0,
    };
    const struct wf_writer_options how = {.size = sizeof how};
    struct wf_item item;
    struct wf_trace *t = wf_trace_open(&options, &failure);
    assert_non_null(t);
    struct wf_lane *lane = wf_trace_lane(t, 0, &failure);
    struct wf_session *s = wf_lane_session(lane);
    struct wf_writer *w = wf_writer_open(wf_format_find("text"), s, &how, keep, NULL, NULL);
    text_len = 0;
    text[0] = 0;
    for (size_t at = 0; at <= stream_len; at += 7) {
        size_t n = stream_len - at < 7 ? stream_len - at : 7;
        if (n) (void)wf_trace_feed(t, 0, stream + at, n);
        if (n < 7) wf_trace_end(t);
        while (wf_trace_next(t, &item)) wf_writer_item(w, &item);
    }
    wf_writer_close(w);
    ledger = *wf_session_ledger(s);
    found = wf_lane_get_format(lane);
    int err = wf_trace_error(t, &failure);
    if (err == WF_OK) assert_int_equal(ledger.bytes, stream_len);
    if (err == WF_OK) assert_int_equal(ledger.bytes_good + ledger.bytes_bad, stream_len);
    wf_trace_close(t);
    return err;
}

static inline unsigned count_of(const char *part) {
    unsigned n = 0;
    for (const char *p = text; (p = strstr(p, part)); ++p) ++n;
    return n;
}

#define READ() assert_int_equal(read_stream(plain_metadata, false), WF_OK)
#define SHOWS(part)                                                                                \
    if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text)
#define HIDES(part)                                                                                \
    if (strstr(text, part)) fail_msg("\"%s\" is in:\n%s", part, text)

#endif
