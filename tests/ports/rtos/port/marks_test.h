// SPDX-License-Identifier: MIT
// Marks of stacks and heaps in a played kernel: NAME/marks.c has the kernel's functions and run().
// The stream goes to stdout.
#ifndef MARKS_TEST_H
#define MARKS_TEST_H

#include "check.h"

static void run(void);
static unsigned looked; // how often the kernel was asked

int main(void) {
    static uint8_t ring[4096];
    static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000};
    wf_start(&config);
    run();
    CHECK(looked == 0); // filtered out: nothing is looked at
    wf_filter(WF_GRP_ALL);
    run();
    CHECK(looked != 0);
    for (int byte; (byte = wf_get_byte()) >= 0;) putchar(byte);
    return 0;
}

#endif
