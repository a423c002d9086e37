// SPDX-License-Identifier: MIT
// Shared parts of programs written for QS: callbacks that log their calls, and a receiver that
// decodes frames by docs/wire-format.md alone.
#ifndef COMPAT_TEST_H
#define COMPAT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "qs.h"

#define AN_OBJECT  ((void *)(uintptr_t)0x12345678)
#define A_FUNCTION ((QSpyFunPtr)(uintptr_t)0x89ABCDEF)

int crit_depth, crit_errors;
// Macros that enter no critical section require that their caller is in one.
#define QF_TEST_CRIT_ENTRY() (++crit_depth)
#define QF_TEST_CRIT_EXIT()  (--crit_depth)

static uint8_t ring[8192], rx_ring[128];
static char log_text[600];
static uint8_t frame[600];
static unsigned frame_len; // sequence, record, payload
static uint8_t last_seq;
static int test_loops;

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...) {
    va_list args;
    size_t n = strlen(log_text);
    va_start(args, format);
    vsnprintf(log_text + n, sizeof log_text - n, format, args);
    va_end(args);
}

static inline void expect_log(const char *want) {
    assert_string_equal(log_text, want);
    log_text[0] = 0;
}

static inline uint64_t le(const uint8_t *p, unsigned n) {
    uint64_t v = 0;
    while (n--) v = v << 8 | p[n];
    return v;
}

// Decodes the next frame; checks its sequence number, record and checksum.
static inline const uint8_t *next_frame(int rec) {
    uint8_t sum = 0, flip = 0;
    unsigned len = 0;
    for (uint16_t byte; (byte = QS_getByte()) != 0x7E;) {
        assert_int_not_equal(byte, QS_EOD);
        assert_true(len < sizeof frame);
        if (byte == 0x7D) {
            flip = 0x20;
            continue;
        }
        frame[len] = (uint8_t)(byte ^ flip);
        flip = 0;
        sum = (uint8_t)(sum + frame[len++]);
    }
    assert_int_equal(sum, 0xFF);
    frame_len = len - 1;
    assert_int_equal(frame[0], (uint8_t)++last_seq);
    assert_int_equal(frame[1], rec);
    return frame;
}

static inline bool frame_waits(void) {
    struct wf_status status;
    wf_get_status(&status);
    return status.used != 0;
}

static inline void expect_nothing(void) { assert_int_equal(QS_getByte(), QS_EOD); }

// Hexadecimal digits and spaces; T is the stamp, which counts in a test build.
#define STAMP "T "
static inline unsigned from_hex(uint8_t *to, const char *hex) {
    unsigned n = 0, digits = 0, value = 0;
    for (; *hex; ++hex) {
        if (*hex == 'T') {
            const uint32_t now = QS_onGetTime();
            for (unsigned i = 0; i < WF_CFG_TIME_SIZE; ++i) to[n++] = (uint8_t)(now >> 8 * i);
            if (WF_CFG_TEST) memcpy(to + n - WF_CFG_TIME_SIZE, frame + 2, WF_CFG_TIME_SIZE);
        } else if (*hex != ' ') {
            value = value << 4 | (unsigned)(*hex <= '9' ? *hex - '0' : *hex - 'A' + 10);
            if (++digits % 2 == 0) to[n++] = (uint8_t)value;
        }
    }
    assert_int_equal(digits % 2, 0);
    return n;
}

// The next frame must have this record number and this payload.
static inline void expect(int rec, const char *payload) {
    uint8_t want[600];
    (void)next_frame(rec);
    unsigned len = from_hex(want, payload);
    assert_int_equal(frame_len - 2, len);
    assert_memory_equal(frame + 2, want, len);
}

// The next frame must be a dictionary with this name; the compiler chose its address.
static inline const uint8_t *expect_name(int rec, unsigned key_bytes, const char *name) {
    const uint8_t *f = next_frame(rec);
    assert_string_equal((const char *)f + 2 + key_bytes, name);
    assert_int_equal(frame_len, 2 + key_bytes + strlen(name) + 1);
    return f;
}

// Puts a frame into the receiver's ring: sequence number, command, payload.
static inline void send(const char *hex) {
    uint8_t bytes[100];
    unsigned len = from_hex(bytes, hex);
    uint8_t sum = 0;
    for (unsigned i = 0; i <= len; ++i) {
        uint8_t byte = i < len ? bytes[i] : (uint8_t)~sum;
        sum = (uint8_t)(sum + byte);
        if (byte == 0x7D || byte == 0x7E) {
            assert_true(QS_RX_PUT(0x7D));
            byte ^= 0x20;
        }
        assert_true(QS_RX_PUT(byte));
    }
    assert_true(QS_RX_PUT(0x7E));
}

// Started, all records on, nothing pending.
static inline void fresh(void) {
    QS_initBuf(ring, sizeof ring);
    QS_rxInitBuf(rx_ring, sizeof rx_ring);
    QS_GLB_FILTER(QS_ALL_RECORDS);
    while (QS_getByte() != QS_EOD) {
    }
    last_seq = (uint8_t)wfi.count_low;
    log_text[0] = 0;
    crit_errors = 0;
}

// ---- the callbacks ----

uint8_t QS_onStartup(const void *arg) {
    note("startup %s;", (const char *)arg);
    return 7;
}
void QS_onCleanup(void) { note("cleanup;"); }
void QS_onFlush(void) { note("flush;"); }
QSTimeCtr QS_onGetTime(void) { return (QSTimeCtr)0x01020304; }
void QS_onReset(void) { note("reset;"); }
void QS_onCommand(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3) {
    note("command %u %lu %lu %lu;", id, (unsigned long)p1, (unsigned long)p2, (unsigned long)p3);
}
void QS_doOutput(void) { note("output;"); }
void QS_doInput(void) {
    note("input;");
    QS_rxParse();
}
void QS_onTestSetup(void) { note("setup;"); }
void QS_onTestTeardown(void) { note("teardown;"); }
void QS_onTestLoop(void) {
    note("loop;");
    if (--test_loops == 0) send("01 0E");
}

#endif
