// SPDX-License-Identifier: MIT
// Shared by the programs in this folder: the cost of one call, the empty call to subtract, and
// output of figures to the UART.
#ifndef MEASURE_H
#define MEASURE_H

#include "board.h"

#include "wallfly/wallfly.h"
#include "wf_port.h"

#define NOINLINE __attribute__((noinline))

#if defined BENCH_LOCKED
#define SUFFIX "-locked"
NOINLINE static void nothing(void) { wf_port_unlock(wf_port_lock()); }
#else
#define SUFFIX ""
NOINLINE static void nothing(void) { __asm__ volatile(""); }
#endif

volatile wf_stamp bench_clock;
volatile bench_count bench_locked_at, bench_unlocked_at;
volatile uint32_t bench_locked_most;
static volatile uint8_t level = 3;
static volatile uint32_t value = 0x12345678;

void board_tick(void) {}

NOINLINE static void app(void) { WF_RECORD(WF_USER, 0, WF_U32(0, value), WF_STR("eightchr")); }

static uint32_t once(void (*record)(void)) {
    static uint8_t phase; // a counter may be coarser than an instruction: vary its phase
    for (uint8_t i = (uint8_t)(++phase & 31); i; --i) __asm__ volatile("");
    bench_clock += 1000;
    bench_count start = bench_now();
    record();
    bench_count stop = bench_now();
#ifdef BENCH_LOCKED
    start = bench_locked_at;
    stop = bench_unlocked_at;
#endif
    return bench_since(start, stop);
}

static inline void put(const char *text) {
    for (; *text; ++text) {
        while (!board_put((uint8_t)*text)) continue;
    }
}

// hundredths: 100 prints as 1.
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
