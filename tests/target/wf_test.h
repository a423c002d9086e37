// SPDX-License-Identifier: MIT
// Shared by the target's tests: cmocka, the fake port's variables, and an independent receiver
// written from docs/wire-format.md alone.
#ifndef WF_TEST_H
#define WF_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wallfly/wallfly.h"

uint64_t fake_clock, fake_clock_step;
int fake_lock_depth, fake_lock_count, fake_lock_errors;
#ifdef FAKE_CORES
uint8_t fake_core;
#endif

struct frame {
    uint8_t bytes[1024]; // seq, id, payload
    unsigned len;
};

struct receiver {
    uint8_t buf[2048];
    unsigned len;
    uint8_t sum;
    int esc;
    unsigned good, bad;
};

// Feeds one byte; returns true when it completes a valid frame, which is written to *out.
static inline int receive(struct receiver *r, uint8_t byte, struct frame *out) {
    if (byte == 0x7E) {
        int good = r->len >= 3 && r->sum == 0xFF && !r->esc && r->len <= sizeof out->bytes;
        if (good) {
            out->len = r->len - 1;
            memcpy(out->bytes, r->buf, out->len);
        }
        if (good)
            ++r->good;
        else
            ++r->bad;
        r->len = 0;
        r->sum = 0;
        r->esc = 0;
        return good;
    }
    if (byte == 0x7D) {
        r->esc = 1;
        return 0;
    }
    if (r->esc) byte ^= 0x20;
    r->esc = 0;
    r->sum = (uint8_t)(r->sum + byte);
    if (r->len < sizeof r->buf) r->buf[r->len++] = byte;
    return 0;
}

static inline uint64_t le(const uint8_t *p, unsigned n) {
    uint64_t v = 0;
    while (n--) v = v << 8 | p[n];
    return v;
}

static inline void start(uint8_t *ring, uint32_t size) {
    static struct wf_config config;
    config = (struct wf_config){
        .ring = ring, .ring_size = size, .hz = 1000000, .built = {7, 8, 9, 3, 2, 24}};
    fake_lock_depth = fake_lock_errors = 0;
    wf_start(&config);
}

// Reads all pending bytes, at most cap.
static inline unsigned drain(uint8_t *to, unsigned cap) {
    unsigned n = 0;
    for (int b; n < cap && (b = wf_get_byte()) >= 0;) to[n++] = (uint8_t)b;
    return n;
}

// Reads and drops the start-up frames.
static inline void drain_all(void) {
    while (wf_get_byte() >= 0) {
    }
}

// Reads the next valid frame, byte by byte.
static inline struct frame next_frame(void) {
    struct receiver r = {.len = 0};
    struct frame f = {.len = 0};
    for (int b; (b = wf_get_byte()) >= 0;) {
        if (receive(&r, (uint8_t)b, &f)) return f;
    }
    fail_msg("no frame");
    return f;
}

#endif
