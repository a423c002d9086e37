// SPDX-License-Identifier: MIT
// The host's port for slots, but with a counter of three instructions as clock, whose cost is
// measured separately.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdint.h>

#include "wallfly/wf_recorder.h"

extern volatile wf_stamp bench_clock;

static inline wf_stamp wf_port_now(void) { return ++bench_clock; }
static inline uint32_t wf_port_lock(void) { return 0; }
static inline void wf_port_unlock(uint32_t was) { (void)was; }

#include "../../../ports/arch/host/wf_port_slots.h"

#endif
