// SPDX-License-Identifier: MIT
// A program without a kernel: phases of its main loop as tasks, interrupts with their numbers.
// README.md has an example.
#ifndef WF_BAREMETAL_H
#define WF_BAREMETAL_H

#include "wallfly/wf_rtos.h"

// The number of the interrupt that runs. Cortex-M: IPSR (16 is the first of the chip's). RISC-V:
// the code of mcause. Elsewhere (AVR) the handler says it, e.g.
// WF_ISR_ENTER_N(TIMER0_OVF_vect_num).
#ifndef WF_ISR_NUMBER
#if defined __ARM_ARCH_PROFILE && __ARM_ARCH_PROFILE == 'M'
static inline unsigned wf_isr_number(void) {
    unsigned irq;
    __asm__ volatile("mrs %0, ipsr" : "=r"(irq));
    return irq;
}
#define WF_ISR_NUMBER() wf_isr_number()
#elif defined __riscv
static inline unsigned wf_isr_number(void) {
    unsigned long cause;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    return (unsigned)(cause & 0xFFFu);
}
#define WF_ISR_NUMBER() wf_isr_number()
#else
#define WF_ISR_NUMBER() WF_IRQ_UNKNOWN
#endif
#endif

// ---- phases: `phase` is the address of any object that stands for it, e.g. of its own state. They
// do not preempt each other: one that begins says that the one before gave way. Context: main loop.

#define WF_PHASE_CREATE(phase, name) WF_TASK_CREATE((phase), 0, (name))
// `from`: the phase before, NULL at the start; phase NULL: idle.
#define WF_PHASE(from, phase) WF_TASK_SWITCH((from), (phase), wfi_phase_left(from))
static inline unsigned wfi_phase_left(const void *from) {
    return from ? WF_LEFT_yielded : WF_LEFT_unknown;
}

// ---- interrupts; depth is a uint8_t of yours, 0 at the start, one for all handlers

#define WF_ISR_ENTER(depth) WF_ISR_ENTER_N((depth), WF_ISR_NUMBER())
#define WF_ISR_EXIT(depth)  WF_ISR_EXIT_N((depth), WF_ISR_NUMBER())
#define WF_ISR_ENTER_N(depth, irq)                                                                 \
    do {                                                                                           \
        ++(depth);                                                                                 \
        WF_IRQ_ENTER((irq), (depth));                                                              \
    } while (0)
#define WF_ISR_EXIT_N(depth, irq)                                                                  \
    do {                                                                                           \
        WF_IRQ_EXIT((irq), (depth));                                                               \
        --(depth);                                                                                 \
    } while (0)

#endif
