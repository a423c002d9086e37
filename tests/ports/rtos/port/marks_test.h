// SPDX-License-Identifier: MIT
// Marks of stacks and heaps in a simulated kernel: NAME/marks.c defines the kernel's functions and
// run(). The stream goes to stdout.
#ifndef MARKS_TEST_H
#define MARKS_TEST_H

#include "check.h"

static void run(void);
static unsigned looked; // number of queries to the kernel

int main(void) {
    static uint8_t ring[4096];
    static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000};
    wf_start(&config);
    run();
    CHECK(looked == 0); // filtered out: no queries
    wf_filter(WF_GRP_ALL);
    run();
    CHECK(looked != 0);
    for (int byte; (byte = wf_get_byte()) >= 0;) putchar(byte);
    return 0;
}

#endif
