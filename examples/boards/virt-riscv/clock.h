// SPDX-License-Identifier: MIT
// The clock of the RISC-V machine: the low word of mcycle. With QEMU's -icount it counts
// nanoseconds of the machine's time, for every shift, and wraps after 4.3 s. Without -icount it
// counts cycles of the computer that runs QEMU, and WF_PORT_HZ is wrong.
#ifndef CLOCK_H
#define CLOCK_H

enum { WF_PORT_HZ = 1000000000 };

static inline wf_stamp wf_port_now(void) {
    uintptr_t cycles;
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycles));
    return (wf_stamp)(uint32_t)cycles;
}

#endif
