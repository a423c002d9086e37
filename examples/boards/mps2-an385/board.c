// SPDX-License-Identifier: MIT
// Arm MPS2 (AN385, AN386, AN500): CMSDK UART0 and TIMER0, polled. Registers as in the Cortex-M
// System Design Kit manual.

#include "board.h"

#include "cortex_m.h"

enum { CPU_HZ = 25000000 };

struct cmsdk_timer {
    uint32_t ctrl, value, reload, intclear;
};

struct cmsdk_uart {
    uint32_t data, state, ctrl, intclear, bauddiv;
};

enum { UART_TX_FULL = 1, UART_RX_FULL = 2, UART_BAUDDIV = CPU_HZ / 115200 };

static volatile struct cmsdk_timer *const timer0 = (volatile struct cmsdk_timer *)0x40000000u;
static volatile struct cmsdk_uart *const uart0 = (volatile struct cmsdk_uart *)0x40004000u;

void board_start(void) {
    timer0->ctrl = 0;
    timer0->reload = timer0->value = 0xFFFFFFFFu;
    timer0->ctrl = 1;
    uart0->bauddiv = UART_BAUDDIV;
    uart0->ctrl = 3; // transmitter and receiver
}

bool board_put(uint8_t byte) {
    if (uart0->state & UART_TX_FULL) return false;
    uart0->data = byte;
    return true;
}

bool board_get(uint8_t *byte) {
    if (!(uart0->state & UART_RX_FULL)) return false;
    *byte = (uint8_t)uart0->data;
    return true;
}

void board_tick_start(uint32_t hz) { cortex_m_tick(hz ? CPU_HZ / hz : 0); }
