// SPDX-License-Identifier: MIT
// The number of the running interrupt, for these ports: IPSR on Cortex-M (16 is the chip's first).
// Elsewhere define WF_IRQ_NUMBER(), or the number is unknown. Context: interrupts.
#ifndef WF_IRQ_NUMBER_H
#define WF_IRQ_NUMBER_H

#ifndef WF_IRQ_NUMBER
#if defined __ARM_ARCH_PROFILE && __ARM_ARCH_PROFILE == 'M'
static inline unsigned wf_irq_number(void) {
    unsigned irq;
    __asm__ volatile("mrs %0, ipsr" : "=r"(irq));
    return irq;
}
#define WF_IRQ_NUMBER() wf_irq_number()
#else
#define WF_IRQ_NUMBER() 0xFFFFu // WF_IRQ_UNKNOWN; kernel sources that include this lack the schema
#endif
#endif

#endif
