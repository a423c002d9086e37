// SPDX-License-Identifier: MIT
// A program on a board, for tests of `wallfly doctor --elf`: it records 50 times and ends. Each
// option makes one fault, or adds a part.

#include "board.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_build_id.h"
#include "wf_port.h"
#include "wf_rtt.h"
#include "wf_uart.h"

#ifndef START
#define START 1
#endif
#ifndef FILTER
#define FILTER 1
#endif
#ifndef SEND
#define SEND 1 // by hand; 2: wf_uart_poll, 3: wf_rtt_poll, 4: wf_rtt_poll without wf_rtt_init
#endif
#ifndef COMMANDS
#define COMMANDS 0
#endif
#ifndef SEGGER
#define SEGGER 0
#endif
#ifndef FLASH_RING
#define FLASH_RING 0
#endif
#ifndef ID
#define ID 1
#endif
#ifndef KERNEL
#define KERNEL 0
#endif
#ifndef OTHER
#define OTHER 0 // another build of the same
#endif

enum { STEP = WF_USER, RECORDS = 50 + OTHER };

int main(void);
extern const uint32_t wf_notes[], wf_notes_end[];

#if FLASH_RING
static const uint8_t ring[1024] = {1};
#else
static uint8_t ring[1024];
#endif
static uint8_t object;
static struct wf_config config = {
    .ring = (uint8_t *)(uintptr_t)ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ};
#if SEGGER
uint8_t _SEGGER_RTT[168] = {'S'};
#endif
#if KERNEL
void vTaskSwitchContext(void);
#endif

void board_tick(void) {}

static bool tx_ready(void *ctx) {
    (void)ctx;
    return true;
}

static void tx_put(void *ctx, uint8_t byte) {
    (void)ctx;
    while (!board_put(byte)) continue;
}

static void send(void) {
    static const struct wf_uart_ops ops = {.tx_ready = tx_ready, .tx_put = tx_put};
    static const struct wf_uart_config uart_config = {.ops = &ops};
    static struct wf_uart uart = {.config = &uart_config};
    static struct wf_rtt rtt;
    static uint8_t up[256];
    if (SEND == 1) {
        for (int byte; (byte = wf_get_byte()) >= 0;) tx_put(NULL, (uint8_t)byte);
    }
    if (SEND == 2) wf_uart_poll(&uart);
    if (SEND == 3) wf_rtt_init(&rtt, "wallfly", up, sizeof up, NULL, 0);
    if (SEND >= 3) wf_rtt_poll(&rtt, NULL);
}

int main(void) {
    board_start();
    const size_t len = (size_t)((const char *)wf_notes_end - (const char *)wf_notes);
    config.build_id = ID ? wf_build_id(wf_notes, len) : 0;
    if (START) wf_start(&config);
    if (FILTER) wf_filter(WF_GRP_ALL);
    WF_OBJ_DICTIONARY(&object);
    WF_USR_DICTIONARY(STEP);
    for (unsigned i = 0; i < RECORDS; ++i) {
        uint8_t byte = 0;
        WF_RECORD(STEP, 0, WF_OBJ(&object), WF_U32(0, i));
        if (COMMANDS && board_get(&byte)) wf_rx_put(byte);
#if KERNEL
        vTaskSwitchContext();
#endif
        send();
    }
    board_end(0);
    return 0;
}
