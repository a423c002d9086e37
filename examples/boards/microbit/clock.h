// SPDX-License-Identifier: MIT
// The clock of the micro:bit: TIMER0, 32 bits at 16 MHz, which board_start() starts. A read
// captures the timer first. An interrupt in between may capture again; the task then gets the
// interrupt's stamp, which is as good, since no time has passed for the task in between.
#ifndef CLOCK_H
#define CLOCK_H

enum { WF_PORT_HZ = 16000000 };

static inline wf_stamp wf_port_now(void) {
    *(volatile uint32_t *)0x40008040u = 1;                      // TASKS_CAPTURE[0]
    return (wf_stamp) * (volatile const uint32_t *)0x40008540u; // CC[0]
}

#endif
