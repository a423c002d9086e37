// SPDX-License-Identifier: MIT
// Port of the model's tests: clock and core are variables.
#ifndef WF_PORT_H
#define WF_PORT_H

#include "wallfly/wf_recorder.h"

extern uint64_t test_now;
extern uint8_t test_core;

static inline wf_stamp wf_port_now(void) { return (wf_stamp)test_now; }
static inline uint32_t wf_port_lock(void) { return 0; }
static inline void wf_port_unlock(uint32_t was) { (void)was; }
static inline uint8_t wf_port_core(void) { return test_core; }

#endif
