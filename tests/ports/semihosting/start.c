// SPDX-License-Identifier: MIT
// From reset to main and exit. The emulator loads the image with .data in place and .bss zero.

#include "wf_semihosting.h"

int main(void);
void start(void);
void *memset(void *to, int byte, uintptr_t len);

// A compiler may call it for a large initializer, also freestanding. volatile: not a call to
// itself.
void *memset(void *to, int byte, uintptr_t len) {
    volatile uint8_t *p = to;
    while (len--) *p++ = (uint8_t)byte;
    return to;
}

__attribute__((used)) static void run(void) { wf_semihosting_exit(main()); }

#ifdef __riscv

__attribute__((naked, section(".start"))) void start(void) {
    __asm__ volatile("la sp, stack_top\n\t"
                     "la t0, fault\n\t"
                     "csrw mtvec, t0\n\t"
                     "j run");
}

// No semihosting here: it may be the cause. Writes to the machine's power switch: "failed with 99".
__attribute__((used, aligned(4))) static void fault(void) {
    for (;;) *(volatile uint32_t *)0x100000 = 99u << 16 | 0x3333;
}

#else

void stack_top(void); // an address from the linker script; declared as a function for the table
void start(void) { run(); }
static void fault(void) { wf_semihosting_exit(99); }

__attribute__((used, section(".start"))) static void (*const vectors[16])(void) = {
    stack_top, start, fault, fault, fault, fault, fault};

#endif
