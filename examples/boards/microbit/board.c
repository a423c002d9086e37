// SPDX-License-Identifier: MIT
// BBC micro:bit: UART and TIMER0 of the nRF51, polled. Registers as in the nRF51 reference manual.

#include "board.h"

#include "cortex_m.h"

enum { CPU_HZ = 16000000 };

#define CLOCK(offset) (*(volatile uint32_t *)(0x40000000u + (offset)))
#define UART(offset)  (*(volatile uint32_t *)(0x40002000u + (offset)))
#define TIMER(offset) (*(volatile uint32_t *)(0x40008000u + (offset)))
#define GPIO(offset)  (*(volatile uint32_t *)(0x50000000u + (offset)))

enum { HFCLKSTART = 0x000 };
enum {
    TIMER_START = 0x000,
    TIMER_CLEAR = 0x00C,
    TIMER_MODE = 0x504,
    TIMER_BITMODE = 0x508,
    TIMER_PRESCALER = 0x510
};
enum {
    UART_STARTRX = 0x000,
    UART_STARTTX = 0x008,
    UART_RXDRDY = 0x108,
    UART_TXDRDY = 0x11C,
    UART_ENABLE = 0x500,
    UART_PSELTXD = 0x50C,
    UART_PSELRXD = 0x514,
    UART_RXD = 0x518,
    UART_TXD = 0x51C,
    UART_BAUDRATE = 0x524
};
enum { GPIO_OUTSET = 0x508, GPIO_DIRSET = 0x518 };
enum { TX_PIN = 24, RX_PIN = 25 };
enum { BITS_32 = 3, BAUD_115200 = 0x1D7E000 };

static bool sending; // a byte is being sent; TXDRDY shows its end

void board_start(void) {
    CLOCK(HFCLKSTART) = 1;
    TIMER(TIMER_MODE) = 0;
    TIMER(TIMER_BITMODE) = BITS_32;
    TIMER(TIMER_PRESCALER) = 0;
    TIMER(TIMER_CLEAR) = 1;
    TIMER(TIMER_START) = 1;
    GPIO(GPIO_OUTSET) = GPIO(GPIO_DIRSET) = 1u << TX_PIN;
    UART(UART_PSELTXD) = TX_PIN;
    UART(UART_PSELRXD) = RX_PIN;
    UART(UART_BAUDRATE) = BAUD_115200;
    UART(UART_ENABLE) = 4;
    UART(UART_STARTTX) = UART(UART_STARTRX) = 1;
}

bool board_put(uint8_t byte) {
    if (sending && !UART(UART_TXDRDY)) return false;
    UART(UART_TXDRDY) = 0;
    UART(UART_TXD) = byte;
    sending = true;
    return true;
}

bool board_get(uint8_t *byte) {
    if (!UART(UART_RXDRDY)) return false;
    UART(UART_RXDRDY) = 0;
    *byte = (uint8_t)UART(UART_RXD);
    return true;
}

void board_tick_start(uint32_t hz) { cortex_m_tick(hz ? CPU_HZ / hz : 0); }
