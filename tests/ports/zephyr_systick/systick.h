// SPDX-License-Identifier: MIT
// What the files of this program share.
#ifndef SYSTICK_H
#define SYSTICK_H

#include <stdbool.h>
#include <stdint.h>

void sys_trace_isr_enter(void); // Zephyr's names
void sys_trace_isr_exit(void);
void sys_clock_isr(void *arg);

extern volatile uint32_t systick_count;  // calls of the handler
extern volatile uint32_t systick_nested; // of these, while the other interrupt was running
extern volatile uint32_t irq_count;      // of the other interrupt
extern volatile bool irq_runs;

void isr_start(void);   // the vector table of isr.c in the place of the board's
void isr_request(void); // the other interrupt, now; it ends after the next SysTick

#endif
