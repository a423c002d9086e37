// SPDX-License-Identifier: MIT
// A program without a kernel: phases of its main loop are tasks; interrupts have their numbers.
// README.md has an example.
#ifndef WF_BAREMETAL_H
#define WF_BAREMETAL_H

#include "wallfly/wf_rtos.h"

// On RISC-V the code of mcause is the number. AVR has no such register: there pass the number in
// the handler, e.g. WF_ISR_ENTER_N(depth, TIMER0_OVF_vect_num).
#if defined __riscv && !defined WF_IRQ_NUMBER
static inline unsigned wf_isr_cause(void) {
    unsigned long cause;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    return (unsigned)(cause & 0xFFFu);
}
#define WF_IRQ_NUMBER() wf_isr_cause()
#endif
#include "../wf_irq_number.h"

// ---- phases: `phase` is the address of any object that represents it, e.g. of its own state. They
// do not preempt each other: when one begins, the one before has yielded. Context: main loop.

#define WF_PHASE_CREATE(phase, name) WF_TASK_CREATE((phase), 0, (name))
// `from`: the phase before, NULL at the start; phase NULL: idle.
#define WF_PHASE(from, phase) WF_TASK_SWITCH((from), (phase), wfi_phase_left(from))
static inline unsigned wfi_phase_left(const void *from) {
    return from ? WF_SWITCH_yielded : WF_SWITCH_unknown;
}

// ---- interrupts; depth: a uint8_t variable of yours, 0 at the start, shared by all handlers

#define WF_ISR_ENTER(depth) WF_ISR_ENTER_N((depth), WF_IRQ_NUMBER())
#define WF_ISR_EXIT(depth)  WF_ISR_EXIT_N((depth), WF_IRQ_NUMBER())
#define WF_ISR_ENTER_N(depth, irq)                                                                 \
    do {                                                                                           \
        ++(depth);                                                                                 \
        WF_IRQ_ENTER((irq), (depth));                                                              \
    } while (0)
#define WF_ISR_EXIT_N(depth, irq)                                                                  \
    do {                                                                                           \
        WF_IRQ_EXIT((irq), (depth));                                                               \
        if (depth) --(depth); /* else there was no enter */                                        \
    } while (0)

#endif
