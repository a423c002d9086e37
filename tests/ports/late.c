// SPDX-License-Identifier: MIT
// A program on a board with a transmit-only UART: it announces its names once, keeps them in a
// table, and records in an interrupt. The UART's output of some seconds is the trace. LOAD: records
// a second; 115200 baud transmit about 800 of them. NAMES: number of named objects.

#include "board.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"
#include "wf_port.h"

#ifndef LOAD
#define LOAD 200
#endif
#ifndef NAMES
#define NAMES 30
#endif

enum { TICK_HZ = 1000, BYTES_A_TICK = 11, SECONDS = 6, STEP = WF_USER, TIMER_IRQ = 15 };

int main(void);

static uint8_t ring[2048], objects[NAMES];
static uint32_t names[WF_NAMES_SIZE(NAMES + 2, 16 * (NAMES + 2)) / 4 + 1];
static struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ};
static volatile uint32_t ticks, due;

void board_tick(void) {
    due += LOAD;
    for (; due >= TICK_HZ; due -= TICK_HZ) WF_RECORD(STEP, 0, WF_OBJ(&objects[ticks % NAMES]));
    ++ticks;
}

static void announce(void) {
    char name[] = "object_00";
    WF_USR_DICTIONARY(STEP);
    WF_IRQ_NAME(TIMER_IRQ, "SysTick");
    for (unsigned i = 0; i < NAMES; ++i) {
        name[7] = (char)('0' + i / 10);
        name[8] = (char)('0' + i % 10);
        WF_NAME(&objects[i], name);
    }
}

static void send(void) {
    for (unsigned i = 0; i < BYTES_A_TICK; ++i) {
        const int byte = wf_get_byte();
        if (byte < 0) return;
        while (!board_put((uint8_t)byte)) continue;
    }
}

int main(void) {
    struct wf_names_status status;
    board_start();
    wf_start(&config);
    const bool good = wf_names_start(names, sizeof names, 0);
    wf_filter(WF_GRP_UA);
    announce();
    board_tick_start(TICK_HZ);
    for (uint32_t sent = 0; sent < SECONDS * TICK_HZ;) {
        if (sent == ticks) continue;
        ++sent;
        send();
    }
    board_tick_start(0);
    wf_names_get_status(&status);
    board_end(!good || status.refused != 0 || status.names != NAMES + 2);
    return 0;
}
