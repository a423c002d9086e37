// SPDX-License-Identifier: MIT
// The clock of MPS2 boards: CMSDK TIMER0, 32 bits at 25 MHz, which board_start() starts. It counts
// down from 0xFFFFFFFF, so its complement counts up from 0.
#ifndef CLOCK_H
#define CLOCK_H

enum { WF_PORT_HZ = 25000000 };

static inline wf_stamp wf_port_now(void) {
    return (wf_stamp) ~*(volatile const uint32_t *)0x40000004u; // VALUE
}

#endif
