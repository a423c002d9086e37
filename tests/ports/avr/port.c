// SPDX-License-Identifier: MIT
// The port and the board on an ATmega2560. Ends with the number of the failed check; otherwise
// echoes its input up to a zero and ends with 0.

#include "../../../examples/boards/board.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "wallfly/wallfly.h"
#include "wf_port.h"

static volatile uint8_t ticks;

void board_tick(void) { ++ticks; }

static wf_stamp now(void) {
    uint32_t was = wf_port_lock();
    wf_stamp stamp = wf_port_now();
    wf_port_unlock(was);
    return stamp;
}

// Time advances in small steps only, over several wraps of the timer, also when a lock held across
// the wrap delays an interrupt.
static bool time_goes_on(void) {
    wf_stamp last = now();
    for (uint32_t i = 0; i < 100000; ++i) {
        wf_stamp next;
        uint32_t was = wf_port_lock();
        for (uint8_t n = 0; n < 5; ++n, last = next) {
            next = wf_port_now();
            if ((wf_stamp)(next - last) > 600 / WF_PORT_PRESCALER + 1) return false;
        }
        wf_port_unlock(was);
    }
    return true;
}

static bool lock_nests(void) {
    uint32_t outer = wf_port_lock();
    bool good = !(SREG & _BV(SREG_I));
    uint32_t inner = wf_port_lock();
    wf_port_unlock(inner);
    good = good && !(SREG & _BV(SREG_I));
    wf_port_unlock(outer);
    return good && (SREG & _BV(SREG_I));
}

// 20 ticks of 100 Hz are 0.2 s of the port's clock, within a hundredth.
static bool tick_and_clock_agree(void) {
    board_tick_start(100);
    while (!ticks) {
    }
    wf_stamp start = now();
    while (ticks < 21) {
    }
    uint32_t took = (uint32_t)(wf_stamp)(now() - start);
    board_tick_start(0);
    uint32_t expected = WF_PORT_HZ / 5;
    if (WF_CFG_TIME_SIZE == 2) expected &= 0xFFFF;
    return took > expected - expected / 100 && took < expected + expected / 100;
}

int main(void) {
    board_start();
    if (!time_goes_on()) board_end(1);
    if (!lock_nests()) board_end(2);
    if (!tick_and_clock_agree()) board_end(3);
    if (wf_port_core() != 0) board_end(4);
    while (!board_put('>')) {
    } // from here the runner sends input
    for (uint8_t byte = 1; byte;) {
        if (!board_get(&byte)) continue;
        while (!board_put(byte)) {
        }
    }
    board_end(0);
}
