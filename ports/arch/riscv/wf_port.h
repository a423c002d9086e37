// SPDX-License-Identifier: MIT
// Port for RISC-V in machine mode, RV32 and RV64, without an operating system. Lock: MIE of
// mstatus, so all interrupts of a hart may record. The lock covers one hart only: on several harts,
// only one may record.
//
// Clock: a header of yours, given by -DWF_PORT_CLOCK='"my_clock.h"', that defines WF_PORT_HZ and
// wf_port_now(). Without it the cycle counter, mcycle; set its rate with -DWF_PORT_HZ=... (Some
// chips count only after mcountinhibit was cleared.)
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdint.h>

#ifndef WF_RECORDER_H // the wallfly.h of the single pair contains it already
#include "wallfly/wf_recorder.h"
#endif

#ifndef __riscv
#error "ports/arch/riscv: this compiler makes code for another CPU"
#endif

#if defined WF_PORT_CLOCK
#include WF_PORT_CLOCK
#elif !defined WF_PORT_HZ
#error "give the rate of the cycle counter with -DWF_PORT_HZ=..."
#elif WF_CFG_TIME_SIZE > 4 && __riscv_xlen < 64
#error "one read of the cycle counter has 32 bits: WF_CFG_TIME_SIZE is 4 at most"
#else

static inline wf_stamp wf_port_now(void) {
    uintptr_t cycles;
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycles));
    return (wf_stamp)cycles;
}

#endif

// "memory": accesses stay inside the locked section. MIE is bit 3; csrrci reads and clears it in
// one instruction, so nothing can come in between.
static inline uint32_t wf_port_lock(void) {
    uintptr_t was;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(was) : : "memory");
    return (uint32_t)was & 8;
}

static inline void wf_port_unlock(uint32_t was) {
    __asm__ volatile("csrs mstatus, %0" : : "r"((uintptr_t)was) : "memory");
}

static inline uint8_t wf_port_core(void) {
    uintptr_t hart;
    __asm__ volatile("csrr %0, mhartid" : "=r"(hart));
    return (uint8_t)hart;
}

#endif
