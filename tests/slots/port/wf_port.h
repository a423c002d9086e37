// SPDX-License-Identifier: MIT
// Port of the slot recorder's tests: clock and core are variables. With TEST_ATOMIC as on a host,
// otherwise as on a microcontroller.
#ifndef WF_PORT_H
#define WF_PORT_H

#include "wallfly/wf_recorder.h"

extern wf_stamp test_now;
extern uint8_t test_core;
extern int test_locks;

static inline wf_stamp wf_port_now(void) { return test_now; }

static inline uint32_t wf_port_lock(void) {
    ++test_locks;
    return 7;
}

static inline void wf_port_unlock(uint32_t was) { test_locks -= was == 7; }

#if TEST_ATOMIC
#define wf_port_core host_core
#include "../../../ports/arch/host/wf_port_slots.h"
#undef wf_port_core
#endif

static inline uint8_t wf_port_core(void) { return test_core; }

#endif
