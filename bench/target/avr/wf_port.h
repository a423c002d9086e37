// SPDX-License-Identifier: MIT
// The AVR port's lock, but for a clock that costs nothing to read. With BENCH_LOCKED the lock and
// the unlock read Timer1, which then tells how long interrupts were off.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <avr/io.h>
#include <stdint.h>

#include "wallfly/wf_recorder.h"

extern volatile wf_stamp bench_clock;
extern volatile uint16_t bench_locked_at, bench_unlocked_at;

static inline wf_stamp wf_port_now(void) { return bench_clock; }

static inline uint32_t wf_port_lock(void) {
    uint8_t was = SREG;
    __asm__ volatile("cli" ::: "memory");
#ifdef BENCH_LOCKED
    bench_locked_at = TCNT1;
#endif
    return was;
}

static inline void wf_port_unlock(uint32_t was) {
    __asm__ volatile("" ::: "memory");
#ifdef BENCH_LOCKED
    bench_unlocked_at = TCNT1;
#endif
    SREG = (uint8_t)was;
    __asm__ volatile("" ::: "memory");
}

static inline uint8_t wf_port_core(void) { return 0; }

#endif
