// SPDX-License-Identifier: MIT
// The CPU's own port, but with a clock that costs nothing to read, as in the runs of other
// recorders. With BENCH_LOCKED, lock and unlock read the counter, which gives the time with
// interrupts off; with BENCH_MOST also the longest such time.
#ifndef BENCH_PORT_H
#define BENCH_PORT_H

#include "count.h"

#define wf_port_lock   arch_lock
#define wf_port_unlock arch_unlock
#include ARCH_PORT // its clock is bench_clock.h
#undef wf_port_lock
#undef wf_port_unlock

extern volatile bench_count bench_locked_at, bench_unlocked_at;
extern volatile uint32_t bench_locked_most; // hundredths

static inline uint32_t wf_port_lock(void) {
    uint32_t was = arch_lock();
#ifdef BENCH_LOCKED
    bench_locked_at = bench_now();
#endif
    return was;
}

static inline void wf_port_unlock(uint32_t was) {
#ifdef BENCH_LOCKED
    bench_unlocked_at = bench_now();
#ifdef BENCH_MOST
    uint32_t held = bench_since(bench_locked_at, bench_unlocked_at);
    if (held > bench_locked_most) bench_locked_most = held;
#endif
#endif
    arch_unlock(was);
}

#endif
