// SPDX-License-Identifier: MIT
// The philosophers on the board for TICKS ticks, their trace on the UART.

#include "../board.h"
#include "philosophers.h"
#include "wallfly/wallfly.h"
#include "wf_port.h"

#ifndef TICKS
#define TICKS 300
#endif
enum { TICKS_A_SECOND = 100, COUNT = 5, SEED = 1, RING = 2048 };

static uint8_t ring[RING]; // what is said before the first byte leaves has to fit
static volatile uint8_t ticks_due;

void board_tick(void) { ++ticks_due; }

// All that is there to send, and waits for the UART.
static void drain(void) {
    for (int byte; (byte = wf_get_byte()) >= 0;) {
        while (!board_put((uint8_t)byte)) {
        }
    }
}

int main(void) {
    // A made-up build time keeps the bytes the same whenever it is compiled.
    static const struct wf_config config = {
        .ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ, .built = {0, 0, 12, 1, 1, 26}};
    board_start();
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    philosophers_start(COUNT, SEED);
    drain();
    board_tick_start(TICKS_A_SECOND);
    uint8_t done = 0;
    for (uint32_t tick = 0; tick < TICKS; ++tick, ++done) {
        while (done == ticks_due) {
        }
        philosophers_tick();
        drain();
    }
    struct wf_status status;
    wf_get_status(&status);
    board_end(status.lost ? 1 : 0);
}
