// SPDX-License-Identifier: MIT
// A user's program whose trace never comes: doctor.py corrects it as `wallfly doctor` says.

#include "board.h"
#include "wallfly/wallfly.h"
#include "wf_port.h"
#include "wf_uart.h"

enum { STEP = WF_USER, TICK_HZ = 100 };

int main(void);

static uint8_t ring[2048];
static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ};

static bool tx_ready(void *ctx) {
    (void)ctx;
    return true;
}

static void tx_put(void *ctx, uint8_t byte) {
    (void)ctx;
    while (!board_put(byte)) continue;
}

static const struct wf_uart_ops ops = {.tx_ready = tx_ready, .tx_put = tx_put};
static const struct wf_uart_config uart_config = {.ops = &ops};
struct wf_uart uart = {.config = &uart_config};

void board_tick(void) {
    static uint32_t ticks;
    WF_RECORD(STEP, 0, WF_U32(0, ++ticks));
}

int main(void) {
    board_start();
    // start of main
    WF_USR_DICTIONARY(STEP);
    board_tick_start(TICK_HZ);
    for (;;) {
        // idle loop
        __asm__ volatile("wfi");
    }
}
