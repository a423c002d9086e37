// SPDX-License-Identifier: MIT
// Port for the simulated kernel: its clock is the kernel's simulated time in microseconds. Only the
// kernel can interrupt, and it does not while a record is made.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdint.h>

#ifndef WF_RECORDER_H // the wallfly.h of the single pair contains it already
#include "wallfly/wf_recorder.h"
#endif

#define WF_PORT_HZ 1000000

uint64_t kernel_now(void);

static inline wf_stamp wf_port_now(void) { return (wf_stamp)kernel_now(); }
static inline uint32_t wf_port_lock(void) { return 0; }
static inline void wf_port_unlock(uint32_t was) { (void)was; }
static inline uint8_t wf_port_core(void) { return 0; }

#endif
