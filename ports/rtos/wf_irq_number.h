// SPDX-License-Identifier: MIT
// The number of the interrupt that runs, for the ports here: IPSR on Cortex-M (16 is the first of
// the chip's). Elsewhere define WF_IRQ_NUMBER(), or it is unknown. Context: interrupts.
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
#define WF_IRQ_NUMBER() 0xFFFFu // WF_IRQ_UNKNOWN; kernels' sources that include this know no schema
#endif
#endif

#endif
