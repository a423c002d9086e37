// Copy this folder, fill in the four functions, give its path as an include path. That is a port.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdint.h>

#ifndef WF_RECORDER_H // with the single pair wallfly.h it is there already
#include "wallfly/wf_recorder.h"
#endif

// FIXME: the clock. Ticks that count up and wrap at the size of wf_stamp, at WF_PORT_HZ a second;
// called with interrupts off, with WF_CFG_FAST also on. Example, a free-running timer: return
// TIMER->COUNT;
#define WF_PORT_HZ 1000000
static inline wf_stamp wf_port_now(void) {
#if WF_CFG_SLOTS
    return 0; // stands still
#else
    return (wf_stamp)(wfi.last + 1); // one a record
#endif
}

// FIXME: interrupts off. Must be good in tasks and in every interrupt that records, and nest: the
// result is the state before. Example, Cortex-M: read PRIMASK, then cpsid i.
static inline uint32_t wf_port_lock(void) { return 0; }

// FIXME: as it was. Example, Cortex-M: write `was` back to PRIMASK.
static inline void wf_port_unlock(uint32_t was) { (void)was; }

// The core that runs this, 0 on a single one.
static inline uint8_t wf_port_core(void) { return 0; }

#endif
