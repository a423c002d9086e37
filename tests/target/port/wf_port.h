// SPDX-License-Identifier: MIT
// Port for tests: the clock is a variable that can step by itself; the lock counts its depth and
// errors.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdint.h>

#include "wallfly/wf_recorder.h"

enum { WF_PORT_HZ = 1000000 };

extern uint64_t fake_clock, fake_clock_step;
extern int fake_lock_depth, fake_lock_count, fake_lock_errors;

static inline wf_stamp wf_port_now(void) {
    fake_clock += fake_clock_step;
    return (wf_stamp)fake_clock;
}

#ifdef FAKE_PREEMPT // an interrupt before the n-th critical section from now on
extern int fake_preempt_in;
extern void (*fake_preempt)(void);
#endif

static inline uint32_t wf_port_lock(void) {
#ifdef FAKE_PREEMPT
    if (fake_preempt_in && --fake_preempt_in == 0) fake_preempt();
#endif
    fake_lock_errors += fake_lock_depth != 0;
    ++fake_lock_depth;
    ++fake_lock_count;
    return 0x5A;
}

static inline void wf_port_unlock(uint32_t was) {
    fake_lock_errors += was != 0x5A || fake_lock_depth != 1;
    --fake_lock_depth;
}

#ifdef FAKE_CORES // for tests with several cores
extern uint8_t fake_core;
static inline uint8_t wf_port_core(void) { return fake_core; }
#else
static inline uint8_t wf_port_core(void) { return 0; }
#endif

#endif
