// SPDX-License-Identifier: MIT
// The recorder's port of this example. One thread, so no lock. The clock is the host's in units of
// 0.1 us; with --fast it advances only by ticks and a little with every record, so that a run can
// be repeated to the byte.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "wallfly/wf_recorder.h"

enum { WF_PORT_HZ = 10000000 };

extern bool example_fast;
extern uint64_t example_clock;
extern uint32_t example_step; // of the clock, with each record

static inline wf_stamp wf_port_now(void) {
    struct timespec t;
    if (example_fast) return (wf_stamp)(example_clock += example_step);
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (wf_stamp)((uint64_t)t.tv_sec * WF_PORT_HZ + (uint64_t)t.tv_nsec / 100);
}

static inline uint32_t wf_port_lock(void) { return 0; }
static inline void wf_port_unlock(uint32_t was) { (void)was; }
static inline uint8_t wf_port_core(void) { return 0; }

#endif
