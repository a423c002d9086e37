// SPDX-License-Identifier: MIT
// Recordings of TraceRecorder written by tests, and what is shown of them. A recording is read at
// once and byte by byte; both must be the same.
#ifndef WF_TEST_TRACERECORDER_H
#define WF_TEST_TRACERECORDER_H

#include "wf_test_import.h"

enum { FREERTOS = 0x1AA1, ZEPHYR = 0x9AA9, THREADX = 0xEAAE, BARE = 0x1FF1 };

// What the next header has; restored by begin().
static struct {
    unsigned version, platform, cores, word, type, period, hz, wraps, tick_hz, latest, ticks;
    bool big;
} how;

static unsigned count[16]; // of the last event of each core

static void put(uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
        bytes[len++] = (uint8_t)(value >> 8 * (how.big ? size - 1 - i : i));
}

static void put_text(const char *s, size_t room) {
    size_t n = strlen(s);
    for (size_t i = 0; i < room; ++i) bytes[len++] = i < n ? (uint8_t)s[i] : i == n ? 0 : '?';
}

static void begin(void) {
    len = 0;
    memset(count, 0, sizeof count);
    memset(&how, 0, sizeof how);
    format = &wfi_import_tracerecorder;
    how.version = 14;
    how.platform = FREERTOS;
    how.cores = 1;
    how.word = 4;
    how.type = 1;
    how.hz = 1000000;
    how.tick_hz = 1000;
}

// A header for a table of entries with names of 8 bytes and 3 states.
static void head(unsigned entries) {
    put(0x50534600, 4);
    put(how.version, 2);
    put(how.platform, 2);
    put(how.word == 8 ? 8 : 0, 4);
    put(how.cores | 0x300, 4);
    put(0, 4);
    if (how.version <= 12) put_text("FreeRTOS", 8);
    put(0x01020000, 4);
    if (how.version > 12) put_text("FreeRTOS", 8);
    put(how.type, 4);
    if (how.version <= 12) put(how.hz, how.word);
    put(how.period, 4);
    if (how.version > 12) put(how.hz, how.word);
    put(how.wraps, 4);
    put(how.tick_hz, 4);
    put(how.latest, 4);
    put(how.ticks, 4);
    put(entries, how.word);
    put(8, how.word);
    put(3, how.word);
    count[0] += 3 + entries;
}

static void entry(uint64_t handle, int64_t a, int64_t b, int64_t c, uint32_t options,
                  const char *name) {
    put(handle, how.word);
    put((uint64_t)a, how.word);
    put((uint64_t)b, how.word);
    put((uint64_t)c, how.word);
    put(options, 4);
    put_text(name, 8);
}

static void event_head(unsigned core, unsigned code, uint32_t stamp, unsigned n) {
    ++count[core];
    put(code | n << 12, 2);
    put(how.cores > 1 ? core << 12 | (count[core] & 0xFFF) : count[core] & 0xFFFF, 2);
    put(stamp, 4);
}

static void event_on(unsigned core, unsigned code, uint32_t stamp, unsigned n,
                     const uint64_t *words) {
    event_head(core, code, stamp, n);
    for (unsigned i = 0; i < n; ++i) put(words[i], how.word);
}

#define WORDS(...)                                                                                 \
    (const uint64_t[]) { __VA_ARGS__ }
#define EVENT_ON(core, code, stamp, ...)                                                           \
    event_on(core, code, stamp, sizeof WORDS(__VA_ARGS__) / sizeof(uint64_t), WORDS(__VA_ARGS__))
#define EVENT(code, stamp, ...) EVENT_ON(0, code, stamp, __VA_ARGS__)

// An event with a text after its words.
static void event_text(unsigned code, uint32_t stamp, unsigned n, const uint64_t *words,
                       const char *s) {
    unsigned room = (unsigned)(strlen(s) + how.word) / how.word;
    event_head(0, code, stamp, n + room);
    for (unsigned i = 0; i < n; ++i) put(words[i], how.word);
    put_text(s, (size_t)room * how.word);
}
#define TEXT_EVENT(code, stamp, s, ...)                                                            \
    event_text(code, stamp, sizeof WORDS(__VA_ARGS__) / sizeof(uint64_t), WORDS(__VA_ARGS__), s)

// A header, the start of tracing, and two tasks, of which A runs.
static void begin_tasks(void) {
    begin();
    head(0);
    EVENT(0x01, 10, 2);
    TEXT_EVENT(0x03, 11, "A", 0xA0);
    EVENT(0x10, 12, 0xA0, 3);
    TEXT_EVENT(0x03, 13, "B", 0xB0);
    EVENT(0x10, 14, 0xB0, 2);
    EVENT(0x37, 15, 0xA0, 3);
}

#endif
