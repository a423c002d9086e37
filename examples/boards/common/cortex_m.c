// SPDX-License-Identifier: MIT
// From reset to main(), the SysTick timer, and the end by semihosting.

#include "cortex_m.h"

#include "board.h"
#include "memory.h"
#include "wf_semihosting.h"

enum { FAULT = 99 }; // exit code, so that a fault is not taken for success

#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u)
#define SHPR3    (*(volatile uint32_t *)0xE000ED20u)
#define AIRCR    (*(volatile uint32_t *)0xE000ED0Cu)

enum { SYSRESETREQ = 0x05FA0004 }; // with the key that AIRCR requires

int main(void);
void stack_top(void); // an address from the linker script; a function only for the table
void board_reset(void);

void cortex_m_tick(uint32_t cycles) {
    SYST_CSR = 0;
    if (!cycles) return;
    SHPR3 |= 0xFF000000u;
    SYST_RVR = cycles - 1;
    SYST_CVR = 0;
    SYST_CSR = 7; // enabled, with interrupt, from the CPU's clock
}

void board_end(int code) { wf_semihosting_exit(code); }

void board_restart(void) {
    __asm__ volatile("dsb" ::: "memory");
    AIRCR = SYSRESETREQ;
    for (;;) {
    }
}

void board_reset(void) {
    memory_start();
    board_end(main());
}

static void fault(void) { board_end(FAULT); }

__attribute__((used, section(".start"))) static void (*const vectors[16])(void) = {
    stack_top, board_reset, fault, fault, fault, fault, fault, 0,
    0,         0,           0,     fault, fault, 0,     fault, board_tick};
