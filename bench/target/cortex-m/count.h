// SPDX-License-Identifier: MIT
// Counts instructions, with SysTick: under QEMU with -icount shift=6 each one takes 64 ns of
// machine time. COUNT_TICK_PS: a tick of SysTick in ps (MPS2: 25 MHz, micro:bit: 16 MHz).
#ifndef COUNT_H
#define COUNT_H

#include <stdint.h>

typedef uint32_t bench_count;

enum { COUNT_INSTRUCTION_PS = 64000, COUNT_BITS = 24 };

#define COUNT_SYSTICK(offset) (*(volatile uint32_t *)(0xE000E010u + (offset)))

static inline void bench_start(void) {
    COUNT_SYSTICK(4) = (1u << COUNT_BITS) - 1;
    COUNT_SYSTICK(8) = 0;
    COUNT_SYSTICK(0) = 5;
}
static inline bench_count bench_now(void) { return COUNT_SYSTICK(8); } // counts down

// Returns hundredths of an instruction.
static inline uint32_t bench_since(bench_count from, bench_count to) {
    uint32_t ticks = (from - to) & ((1u << COUNT_BITS) - 1);
    return (uint32_t)((uint64_t)ticks * COUNT_TICK_PS * 100 / COUNT_INSTRUCTION_PS);
}

#endif
