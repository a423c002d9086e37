// To make a port, copy this folder, fill in the four functions, and add its path to the include
// paths.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdint.h>

#ifndef WF_RECORDER_H // the wallfly.h of the single pair contains it already
#include "wallfly/wf_recorder.h"
#endif

// FIXME: the clock. Ticks that count up and wrap at the size of wf_stamp, WF_PORT_HZ per second.
// Called with interrupts off, with WF_CFG_FAST also on. Example, a free-running timer: return
// TIMER->COUNT;
#define WF_PORT_HZ 1000000
static inline wf_stamp wf_port_now(void) {
#if WF_CFG_SLOTS
    return 0; // stands still
#else
    return (wf_stamp)(wfi.last + 1); // one tick per record
#endif
}

// FIXME: disable interrupts. Must work in tasks and in every interrupt that records, and must nest:
// returns the state before. Example, Cortex-M: read PRIMASK, then cpsid i.
static inline uint32_t wf_port_lock(void) { return 0; }

// FIXME: restore the state `was`. Example, Cortex-M: write `was` back to PRIMASK.
static inline void wf_port_unlock(uint32_t was) { (void)was; }

// The core that runs this code, 0 on a single core.
static inline uint8_t wf_port_core(void) { return 0; }

#endif
