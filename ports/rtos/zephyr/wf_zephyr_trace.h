// SPDX-License-Identifier: MIT
// The number of the running interrupt, which Zephyr's tracing does not tell, where it can be read.
#ifndef WF_ZEPHYR_TRACE_H
#define WF_ZEPHYR_TRACE_H

#ifndef WF_ZEPHYR_IRQ
#if defined __ARM_ARCH_PROFILE && __ARM_ARCH_PROFILE == 'M'
static inline unsigned wf_zephyr_ipsr(void) {
    unsigned irq;
    __asm__ volatile("mrs %0, ipsr" : "=r"(irq));
    return irq;
}
#define WF_ZEPHYR_IRQ() wf_zephyr_ipsr()
#else
#define WF_ZEPHYR_IRQ() 0xFFFFu // not known
#endif
#endif

#endif
