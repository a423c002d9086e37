// SPDX-License-Identifier: MIT
// Any bytes into the receiver, with all features enabled: it accesses only allowed memory, and its
// answers are always whole frames.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "wallfly/wallfly.h"
#include "wf_port.h"

uint64_t fake_clock, fake_clock_step;
int fake_lock_depth, fake_lock_count, fake_lock_errors;

static uint8_t ring[2048], rx_ring[256], memory[32], object;

static void nothing(void) {}
static void on_command(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3) {
    (void)p1, (void)p2, (void)p3;
    if (id == 200) wf_rx_parse(); // a hook that calls the parser
    if (id == 201) wf_assert_fail("fuzz", 1);
}
static void on_tick(uint8_t rate) {
    if (rate >= WF_CFG_MAX_RATES) abort();
}
static bool on_event(const struct wf_rx_event *e) {
    uint8_t p[16];
    if (wf_rx_copy(p, 0, sizeof p) != e->len || wf_rx_copy(p, 10, 5) > 5) abort();
    if (e->to >= WF_EVENT_POST_CURRENT && !e->object) abort();
    return e->sig % 2;
}
static int id_of(const void *active) { return active == &object ? 1 : -1; }
static bool on_query(enum wf_object_kind kind, const void *of) { return kind == WF_OBJ_AO && of; }

static uint32_t get(const uint8_t **p, const uint8_t *end) { return *p < end ? *(*p)++ : 0; }

// A frame without its flag: a length byte gives the number of bytes between sequence and checksum.
static void put_frame(uint8_t seq, const uint8_t **p, const uint8_t *end) {
    uint32_t left = get(p, end) & 31;
    uint8_t check = 0;
    for (uint32_t i = 0; i < left + 2; ++i) {
        uint8_t b = seq;
        if (i) b = (uint8_t)(i == left + 1 ? (uint8_t)~check : get(p, end));
        check = (uint8_t)(check + b);
        if (b == 0x7D || b == 0x7E) {
            wf_rx_put(0x7D);
            b ^= 0x20;
        }
        wf_rx_put(b);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static const struct wf_rx_hooks hooks = {nothing,  on_command, on_tick, on_event, id_of,
                                             on_query, nothing,    nothing, nothing,  nothing};
    static const struct wf_range ranges[] = {{memory, sizeof memory, true}};
    static struct wf_rx_config config = {rx_ring, 0, 16, &hooks, ranges, 1};
    static const struct wf_config recorder = {.ring = ring, .ring_size = sizeof ring, .hz = 1};
    const uint8_t *p = data, *end = data + len;
    config.ring_size = 8 + get(&p, end) % (sizeof rx_ring - 8);
    wf_start(&recorder);
    wf_rx_start(&config);
    wf_set_current(WF_OBJ_APP, memory);
    uint32_t chunk = 1 + get(&p, end);
    bool good = true;
    uint8_t sum = 0, flip = 0, n = 0, seq = 0;
    while (p < end) {
        // Random input would rarely contain a valid frame: 0 makes one from the bytes that follow.
        uint8_t byte = *p++;
        if (byte == 0) {
            put_frame(++seq, &p, end);
            byte = 0x7E;
        }
        wf_rx_put(byte);
        if ((size_t)(end - p) % chunk == 0) wf_rx_parse();
        for (int out; (out = wf_get_byte()) >= 0;) {
            if (out == 0x7E) {
                good = good && sum == 0xFF && n >= 3;
                sum = flip = 0;
                n = 0;
            } else if (out == 0x7D) {
                flip = 0x20;
            } else {
                sum = (uint8_t)(sum + (uint8_t)(out ^ flip));
                flip = 0;
                n = (uint8_t)(n + (n < 200));
            }
        }
    }
    wf_rx_parse();
    if (!good || fake_lock_depth) abort();
    return 0;
}
