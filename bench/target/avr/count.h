// SPDX-License-Identifier: MIT
// Counts cycles, with Timer1 at the CPU's clock.
#ifndef COUNT_H
#define COUNT_H

#include <avr/io.h>
#include <stdint.h>

typedef uint16_t bench_count;

static inline void bench_start(void) {
    TCCR1A = 0;
    TCCR1B = 1;
}
static inline bench_count bench_now(void) { return TCNT1; }
static inline uint32_t bench_since(bench_count from, bench_count to) {
    return (bench_count)(to - from) * 100UL;
}

#endif
