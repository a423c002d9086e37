// SPDX-License-Identifier: MIT
// Runs the philosophers on a board and sends their trace over the UART. Runs TICKS ticks, as fast
// as possible, and sends all bytes after each tick so that nothing is lost (as main.c on a POSIX
// host with --fast). With HOST: 100 ticks per second, with commands from the UART, until RESET.

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
#ifndef HOST
#define HOST 0
#endif
enum { TICKS_A_SECOND = 100 };

int main(void);

static uint8_t ring[RING];
static volatile uint8_t ticks_due;
static bool ended;

void board_tick(void) { ++ticks_due; }

static void receive(void) {
    uint8_t byte;
    while (HOST && board_get(&byte)) wf_rx_put(byte);
}

static void send_all(void) {
    for (int byte; (byte = wf_get_byte()) >= 0;) {
        while (!board_put((uint8_t)byte)) receive();
    }
}

static void on_reset(void) { ended = true; } // ends the emulator

static void serve_host(void) {
    uint8_t done = 0;
    philosophers_host_start(on_reset);
    board_tick_start(TICKS_A_SECOND);
    while (!ended) {
        receive();
        wf_rx_parse();
        if (done != ticks_due) {
            philosophers_tick();
            ++done;
        }
        send_all();
    }
}

int main(void) {
    static const struct wf_config config = {
        .ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ, .built = {0, 0, 12, 1, 1, 26}};
    board_start();
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    philosophers_start(5, 1, true);
    send_all();
    for (uint32_t tick = 0; !HOST && tick < TICKS; ++tick) {
        philosophers_tick();
        send_all();
    }
    if (HOST) serve_host();
    board_end(0);
    return 0;
}
