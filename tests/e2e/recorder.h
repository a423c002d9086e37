// SPDX-License-Identifier: MIT
// The recorder of a test program that drains to standard output: frames, or slots with
// WF_CFG_SLOTS. RING: bytes of the frame ring.
#ifndef RECORDER_H
#define RECORDER_H

#include <stdio.h>
#include <stdlib.h>

#include "wallfly/wallfly.h"

#ifndef RING
#define RING 1024
#endif

uint64_t fake_clock = 5, fake_clock_step = 1;
int fake_lock_depth, fake_lock_count, fake_lock_errors;

#if WF_CFG_SLOTS
enum { SLOTS = 2 * WF_CFG_CHUNK };
static _Alignas(64) uint8_t memory[WF_SLOTS_SIZE(1, SLOTS)];

static void start(void) {
    static const struct wf_slots_config config = {
        .memory = memory, .size = sizeof memory, .cores = 1, .slots = SLOTS, .hz = 1000000};
    if (!wf_slots_start(&config)) exit(3);
}

static void write_header(void) {
    char text[WF_SLOTS_HEADER_MAX];
    fwrite(text, 1, wf_slots_header(text), stdout);
}

static void read_some(bool end) {
    static struct wf_slots_reader reader;
    struct wf_slot slots[64];
    for (unsigned n; (n = wf_slots_read(&reader, 0, slots, 64, end)) != 0;)
        fwrite(slots, sizeof *slots, n, stdout);
}
#else
static uint8_t ring[RING];

static void start(void) {
    static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000000};
    if (!wf_start(&config)) exit(3);
}

static void write_header(void) {}

static void read_some(bool end) {
    (void)end;
    for (int byte; (byte = wf_get_byte()) >= 0;) putchar(byte);
}
#endif

#endif
