// SPDX-License-Identifier: MIT
// Port for simulated schedules: one thread, a clock that counts records and is advanced by
// test_clock, and a core set by the test.
#ifndef WF_PORT_H
#define WF_PORT_H

#include "wallfly/wallfly.h"

#define WF_PORT_HZ 1000

extern uint8_t test_core;
extern uint32_t test_clock;

static inline wf_stamp wf_port_now(void) {
#if WF_CFG_SLOTS
    return test_clock;
#else
    const wf_stamp next = (wf_stamp)(wfi.last + 1);
    return next > test_clock ? next : test_clock;
#endif
}

static inline uint32_t wf_port_lock(void) { return 0; }
static inline void wf_port_unlock(uint32_t was) { (void)was; }
static inline uint8_t wf_port_core(void) { return test_core; }

#endif
