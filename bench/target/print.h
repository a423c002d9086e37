// SPDX-License-Identifier: MIT
// What the programs here share: figures over the UART, and the empty call that is taken off.
#ifndef PRINT_H
#define PRINT_H

#include "board.h"

#include "wf_port.h"

#define NOINLINE __attribute__((noinline))

#if defined BENCH_LOCKED
#define SUFFIX "-locked"
NOINLINE static void nothing(void) { wf_port_unlock(wf_port_lock()); }
#else
#define SUFFIX ""
NOINLINE static void nothing(void) { __asm__ volatile(""); }
#endif
static inline void put(const char *text) {
    for (; *text; ++text) {
        while (!board_put((uint8_t)*text)) continue;
    }
}

// hundredths: 100 is 1.
static inline void print(const char *name, uint32_t hundredths) {
    char digits[12];
    uint8_t at = sizeof digits;
    uint32_t tenths = (hundredths + 5) / 10;
    digits[--at] = 0;
    digits[--at] = (char)('0' + tenths % 10);
    digits[--at] = '.';
    tenths /= 10;
    do {
        digits[--at] = (char)('0' + tenths % 10);
        tenths /= 10;
    } while (tenths);
    put(name);
    put(SUFFIX ",");
    put(digits + at);
    put("\n");
}

#endif
