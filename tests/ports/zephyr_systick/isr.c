// SPDX-License-Identifier: MIT
// Interrupts as in Zephyr on a Cortex-M: SysTick's handler is in the vector table itself, the
// handlers of the chip's interrupts are called by a wrapper, which calls the tracing hooks.

#include <stddef.h>

#include "board.h"
#include "systick.h"

#define VTOR      (*(volatile uint32_t *)0xE000ED08u)
#define SHPR3     (*(volatile uint32_t *)0xE000ED20u)
#define NVIC_ISER (*(volatile uint32_t *)0xE000E100u)
#define NVIC_ISPR (*(volatile uint32_t *)0xE000E200u)
#define NVIC_IPR  (*(volatile uint32_t *)0xE000E400u)

enum { FAULT = 98, SYSTICK_PRIORITY = 0x40, IRQ_PRIORITY = 0x80 };

volatile uint32_t irq_count;
volatile bool irq_runs;

static void fault(void) { board_end(FAULT); }

// Runs until SysTick has interrupted it, so that the nesting is certain.
static void irq_handler(void) {
    const uint32_t before = systick_count;
    irq_runs = true;
    ++irq_count;
    while (systick_count == before) continue;
    irq_runs = false;
}

static void isr_wrapper(void) {
    sys_trace_isr_enter();
    irq_handler();
    sys_trace_isr_exit();
}

typedef void (*handler)(void);
static const handler vectors[17] __attribute__((aligned(128), used)) = {
    NULL,       fault, fault, fault, fault, fault, fault, NULL,
    NULL,       NULL,  NULL,  fault, fault, NULL,  fault, (handler)sys_clock_isr,
    isr_wrapper};

void isr_start(void) {
    VTOR = (uint32_t)(uintptr_t)vectors;
    SHPR3 = (uint32_t)SYSTICK_PRIORITY << 24;
    NVIC_IPR = IRQ_PRIORITY;
    NVIC_ISER = 1;
}

void isr_request(void) {
    NVIC_ISPR = 1;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}
