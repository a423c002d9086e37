// SPDX-License-Identifier: MIT
// Port for counting instructions: a counter as clock, no lock, as in the runs of other recorders.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdint.h>

#include "wallfly/wf_recorder.h"

extern volatile wf_stamp bench_clock;

static inline wf_stamp wf_port_now(void) { return ++bench_clock; }
static inline uint32_t wf_port_lock(void) { return 0; }
static inline void wf_port_unlock(uint32_t was) { (void)was; }
static inline uint8_t wf_port_core(void) { return 0; }

#endif
