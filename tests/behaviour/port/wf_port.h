// SPDX-License-Identifier: MIT
// Port of the simulated plant: the clock is a variable.
#ifndef WF_PORT_H
#define WF_PORT_H

#include "wallfly/wf_recorder.h"

extern uint64_t plant_now;

static inline wf_stamp wf_port_now(void) { return (wf_stamp)plant_now; }
static inline uint32_t wf_port_lock(void) { return 0; }
static inline void wf_port_unlock(uint32_t was) { (void)was; }
static inline uint8_t wf_port_core(void) { return 0; }

#endif
