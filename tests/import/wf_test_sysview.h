// SPDX-License-Identifier: MIT
// Recordings of SystemView written by tests, and what is shown of them. A recording is read at once
// and byte by byte; both must be the same.
#ifndef WF_TEST_SYSVIEW_H
#define WF_TEST_SYSVIEW_H

#include "wf_test_import.h"

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

#endif
