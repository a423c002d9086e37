// SPDX-License-Identifier: MIT
// A simulated schedule: starts the recorder, runs schedule(), writes the stream to stdout.
#ifndef RUN_H
#define RUN_H

#include <stdio.h>

#include "wallfly/wallfly.h"

static void schedule(void);
int main(void);

uint8_t test_core;

int main(void) {
#if WF_CFG_SLOTS
    static uint8_t memory[WF_SLOTS_SIZE(2, WF_SLOTS_MIN)] __attribute__((aligned(64)));
    static const struct wf_slots_config config = {memory, sizeof memory, 2, WF_SLOTS_MIN,
                                                  true,   1000,          0};
    wf_slots_start(&config);
    wf_filter(WF_GRP_ALL);
    schedule();
#else
    static uint8_t ring[65536];
    static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000};
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    schedule();
    for (int byte; (byte = wf_get_byte()) >= 0;) putchar(byte);
#endif
    return 0;
}

#endif
