// SPDX-License-Identifier: MIT
// Port for Zephyr, any CPU. Clock: the hardware cycle counter, cut to the stamp's size. Lock:
// irq_lock, which nests, and on several cores also locks out the other cores. Not for user mode
// threads, nor for interrupts that the lock does not mask (zero latency).
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdint.h>
#include <zephyr/irq.h>
#include <zephyr/kernel.h>

#ifndef WF_RECORDER_H // the wallfly.h of the single pair contains it already
#include "wallfly/wf_recorder.h"
#endif

static inline wf_stamp wf_port_now(void) {
#if WF_CFG_TIME_SIZE == 8
    return k_cycle_get_64();
#else
    return (wf_stamp)k_cycle_get_32();
#endif
}

static inline uint32_t wf_port_lock(void) { return irq_lock(); }

static inline void wf_port_unlock(uint32_t was) { irq_unlock(was); }

static inline uint8_t wf_port_core(void) {
#ifdef CONFIG_SMP
    return (uint8_t)arch_curr_cpu()->id;
#else
    return 0;
#endif
}

#endif
