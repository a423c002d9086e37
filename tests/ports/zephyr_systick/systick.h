// SPDX-License-Identifier: MIT
// Shared by the files of this program.
#ifndef SYSTICK_H
#define SYSTICK_H

#include <stdbool.h>
#include <stdint.h>

void sys_trace_isr_enter(void); // Zephyr's names
void sys_trace_isr_exit(void);
void sys_clock_isr(void *arg);

extern volatile uint32_t systick_count;  // calls of the handler
extern volatile uint32_t systick_nested; // those during the other interrupt
extern volatile uint32_t irq_count;      // calls of the other interrupt
extern volatile bool irq_runs;

void isr_start(void);   // uses the vector table of isr.c instead of the board's
void isr_request(void); // starts the other interrupt; it ends after the next SysTick

#endif
