// SPDX-License-Identifier: MIT
// Port for Cortex-M, one core, no operating system needed.
//
// Clock: a header of yours, given by -DWF_PORT_CLOCK='"my_clock.h"', that defines WF_PORT_HZ and
// wf_port_now(). Without it, from Cortex-M3 on, the cycle counter of the DWT unit: enable it with
// wf_port_clock_start() before wf_start, and set its rate with -DWF_PORT_HZ=... (the CPU's clock;
// if the counter stops in sleep, the trace lacks the time slept).
//
// Lock: PRIMASK, so all interrupts may record (but not NMI and HardFault). From Cortex-M3 on,
// -DWF_PORT_BASEPRI=n masks only interrupts with a priority number of n or higher (less urgent); n
// is the value in the BASEPRI register, 1..255, e.g. 0x40. Only those may record then; more urgent
// ones are never delayed. Not for Cortex-M7 r0p1 (erratum 837070).
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdint.h>

#ifndef WF_RECORDER_H // the wallfly.h of the single pair contains it already
#include "wallfly/wf_recorder.h"
#endif

#if !defined __ARM_ARCH_PROFILE || __ARM_ARCH_PROFILE != 'M'
#error "ports/arch/cortex-m: this compiler makes code for another CPU"
#endif

#if defined __ARM_ARCH_7M__ || defined __ARM_ARCH_7EM__ || defined __ARM_ARCH_8M_MAIN__ ||         \
    defined __ARM_ARCH_8_1M_MAIN__
#define WF_PORT_MAINLINE 1 // it has BASEPRI and may have a cycle counter
#else
#define WF_PORT_MAINLINE 0
#endif

#if defined WF_PORT_CLOCK
#include WF_PORT_CLOCK
#elif !WF_PORT_MAINLINE
#error "no cycle counter in this CPU: name a clock with -DWF_PORT_CLOCK='\"my_clock.h\"'"
#elif !defined WF_PORT_HZ
#error "give the rate of the cycle counter with -DWF_PORT_HZ=..."
#elif WF_CFG_TIME_SIZE > 4
#error "the cycle counter has 32 bits: WF_CFG_TIME_SIZE is 4 at most"
#else

// Enables the cycle counter, starting from 0. Context: once, before wf_start.
static inline void wf_port_clock_start(void) {
    *(volatile uint32_t *)0xE000EDFCu |= 1u << 24;   // DEMCR: TRCENA
#ifdef __ARM_ARCH_7EM__
    *(volatile uint32_t *)0xE0001FB0u = 0xC5ACCE55u; // DWT_LAR: Cortex-M7 has it locked
#endif
    *(volatile uint32_t *)0xE0001004u = 0;           // DWT_CYCCNT
    *(volatile uint32_t *)0xE0001000u |= 1u;         // DWT_CTRL: CYCCNTENA
}

static inline wf_stamp wf_port_now(void) {
    return (wf_stamp) * (volatile const uint32_t *)0xE0001004u;
}

#endif

// "memory": accesses stay inside the locked section. No barrier instruction: a raised priority
// takes effect with the next instruction (ARMv7-M manual, MSR and CPS), and an interrupt that comes
// a little late after unlocking does no harm.
#ifndef WF_PORT_BASEPRI

static inline uint32_t wf_port_lock(void) {
    uint32_t was;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(was) : : "memory");
    return was;
}

static inline void wf_port_unlock(uint32_t was) {
    __asm__ volatile("msr primask, %0" : : "r"(was) : "memory");
}

#elif !WF_PORT_MAINLINE
#error "WF_PORT_BASEPRI: this CPU has no BASEPRI"
#elif WF_PORT_BASEPRI < 1 || WF_PORT_BASEPRI > 255
#error "WF_PORT_BASEPRI is 1..255"
#else

// BASEPRI_MAX can only mask more, so a caller that already masks more than this keeps its mask.
static inline uint32_t wf_port_lock(void) {
    uint32_t was;
    __asm__ volatile("mrs %0, basepri\n\tmsr basepri_max, %1"
                     : "=&r"(was)
                     : "r"(WF_PORT_BASEPRI)
                     : "memory");
    return was;
}

static inline void wf_port_unlock(uint32_t was) {
    __asm__ volatile("msr basepri, %0" : : "r"(was) : "memory");
}

#endif

// Define -DWF_PORT_CORE='my_core()' if there are several cores. The lock above covers one core
// only, so only one of them may record.
static inline uint8_t wf_port_core(void) {
#ifdef WF_PORT_CORE
    return (uint8_t)(WF_PORT_CORE);
#else
    return 0;
#endif
}

#endif
