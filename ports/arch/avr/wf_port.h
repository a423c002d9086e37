// SPDX-License-Identifier: MIT
// Port for classic AVRs (ATmega2560, ATmega328P, ..) with avr-gcc and avr-libc. Lock: the I bit of
// SREG. Clock: Timer1, or another one given by -DWF_PORT_CLOCK='"my_clock.h"', a header that
// defines WF_PORT_HZ and `static inline wf_stamp wf_port_now(void)`.
//
// Timer1 has 16 bits. With WF_CFG_TIME_SIZE 2 they are the stamp; then a record is needed in each
// round of the timer (33 ms at 16 MHz), or time is lost. With 4 or 8 an interrupt counts the
// rounds: compile wf_port.c as well. In all cases call wf_port_start() first.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#ifndef WF_RECORDER_H // the wallfly.h of the single pair contains it already
#include "wallfly/wf_recorder.h"
#endif

#ifdef WF_PORT_CLOCK
#include WF_PORT_CLOCK
#else
// CPU cycles per tick: 1, 8, 64, 256 or 1024.
#ifndef WF_PORT_PRESCALER
#define WF_PORT_PRESCALER 8
#endif
#define WF_PORT_HZ ((uint32_t)(F_CPU) / WF_PORT_PRESCALER)

// Starts Timer1; only the port may use it from then on. Context: before wf_start.
void wf_port_start(void);

#if WF_CFG_TIME_SIZE <= 2
static inline wf_stamp wf_port_now(void) { return (wf_stamp)TCNT1; }
#else
#if WF_CFG_TIME_SIZE == 4
typedef uint16_t wf_port_turns;
#else
typedef uint64_t wf_port_turns;
#endif
extern volatile wf_port_turns wf_port_turn; // ports/arch/avr/wf_port.c

// Interrupts are off, so a round may not be counted yet. It is not if the flag is set and the timer
// was read after the overflow, not before it.
static inline wf_stamp wf_port_now(void) {
    uint16_t low = TCNT1;
    wf_port_turns turn = wf_port_turn;
    if ((TIFR1 & _BV(TOV1)) && low < 0x8000) ++turn;
    return (wf_stamp)turn << 16 | low;
}
#endif
#endif

// Both barriers are against interrupts that record.
static inline uint32_t wf_port_lock(void) {
    uint8_t was = SREG;
    __asm__ volatile("cli" ::: "memory");
    return was;
}

static inline void wf_port_unlock(uint32_t was) {
    __asm__ volatile("" ::: "memory");
    SREG = (uint8_t)was;
    __asm__ volatile("" ::: "memory");
}

// The core that runs this code, 0 on a single core.
static inline uint8_t wf_port_core(void) { return 0; }

#endif
