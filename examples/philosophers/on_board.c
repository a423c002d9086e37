// SPDX-License-Identifier: MIT
// Runs the philosophers on a board, as fast as it can, and sends their trace to the UART after each
// tick, so that nothing is lost: what main.c does on a POSIX host with --fast.

#include "board.h"
#include "philosophers.h"
#include "wallfly/wallfly.h"
#include "wf_port.h"

#ifndef TICKS
#define TICKS 500
#endif
#ifndef RING
#define RING 4096
#endif

int main(void);

static uint8_t ring[RING];

void board_tick(void) {} // they have a clock of their own

static void send_all(void) {
    for (int byte; (byte = wf_get_byte()) >= 0;) {
        while (!board_put((uint8_t)byte)) continue;
    }
}

int main(void) {
    static const struct wf_config config = {
        .ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ, .built = {0, 0, 12, 1, 1, 26}};
    board_start();
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    philosophers_start(5, 1);
    send_all();
    for (uint32_t tick = 0; tick < TICKS; ++tick) {
        philosophers_tick();
        send_all();
    }
    board_end(0);
    return 0;
}
