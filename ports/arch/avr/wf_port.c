// SPDX-License-Identifier: MIT
// Starts Timer1 as the port's clock, and counts its rounds.

#include "wf_port.h"

#ifndef WF_PORT_CLOCK

#if WF_PORT_PRESCALER == 1
enum { WFI_CLOCK_SELECT = 1 };
#elif WF_PORT_PRESCALER == 8
enum { WFI_CLOCK_SELECT = 2 };
#elif WF_PORT_PRESCALER == 64
enum { WFI_CLOCK_SELECT = 3 };
#elif WF_PORT_PRESCALER == 256
enum { WFI_CLOCK_SELECT = 4 };
#elif WF_PORT_PRESCALER == 1024
enum { WFI_CLOCK_SELECT = 5 };
#else
#error "WF_PORT_PRESCALER must be 1, 8, 64, 256 or 1024"
#endif

#if WF_CFG_TIME_SIZE > 2
volatile wf_port_turns wf_port_turn;

// The hardware clears the flag when it enters the handler.
ISR(TIMER1_OVF_vect) { ++wf_port_turn; }
#endif

void wf_port_start(void) {
    TCCR1A = 0;
    TCCR1B = 0; // stopped
    TCNT1 = 0;
    TIFR1 = _BV(TOV1);
    TIMSK1 = WF_CFG_TIME_SIZE > 2 ? _BV(TOIE1) : 0;
    TCCR1B = WFI_CLOCK_SELECT;
}

#endif
