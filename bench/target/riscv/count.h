// SPDX-License-Identifier: MIT
// Counts instructions, with minstret.
#ifndef COUNT_H
#define COUNT_H

#include <stdint.h>

typedef uint32_t bench_count;

static inline void bench_start(void) {}
static inline bench_count bench_now(void) {
    uintptr_t n;
    __asm__ volatile("csrr %0, minstret" : "=r"(n));
    return (bench_count)n;
}
static inline uint32_t bench_since(bench_count from, bench_count to) { return (to - from) * 100; }

#endif
