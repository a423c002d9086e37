// SPDX-License-Identifier: MIT
// Stand-in for Zephyr's SysTick driver of newer releases: it calls the interrupt hooks itself.
// Without the lines that name them it is the driver of older releases.

#include "systick.h"

volatile uint32_t systick_count, systick_nested;

void sys_clock_isr(void *arg) {
    (void)arg;
    sys_trace_isr_enter();
    ++systick_count;
    if (irq_runs) ++systick_nested;
    sys_trace_isr_exit();
}
