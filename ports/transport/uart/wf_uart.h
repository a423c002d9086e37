// SPDX-License-Identifier: MIT
// UART driver without the chip: takes the recorder's bytes out in one of three styles and gives the
// received ones on. The few lines that touch registers are yours. Choose one style per UART and
// leave the functions of the others alone: the recorder has one reader.
//
// Interrupt driven, on an STM32 with the USART of the newer families:
//
//     static bool ready(void *ctx) { return (USART2->ISR & USART_ISR_TXE) != 0; }
//     static void put(void *ctx, uint8_t byte) { USART2->TDR = byte; }
//     static void irq(void *ctx, bool on) {
//         USART2->CR1 = on ? USART2->CR1 | USART_CR1_TXEIE : USART2->CR1 & ~USART_CR1_TXEIE;
//     }
//     static const struct wf_uart_ops ops = {.tx_ready = ready, .tx_put = put, .tx_irq = irq};
//     static const struct wf_uart_config config = {.ops = &ops, .rx = wf_rx_put};
//     static struct wf_uart uart = {.config = &config};
//
//     void USART2_IRQHandler(void) {
//         if (USART2->ISR & USART_ISR_RXNE) wf_uart_rx_isr(&uart, (uint8_t)USART2->RDR);
//         USART2->ICR = USART_ICR_ORECF; // an overrun would keep the interrupt on for ever
//         wf_uart_tx_isr(&uart);
//     }
//     void idle(void) { wf_uart_kick(&uart); }
//
// (If others change CR1 in interrupts, irq changes it with interrupts off.)
#ifndef WF_UART_H
#define WF_UART_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What the chip does. ctx is the config's. Functions of a style that is not used may be null.
struct wf_uart_ops {
    // Polling and interrupts: whether the transmit register or FIFO has room for a byte; puts one.
    bool (*tx_ready)(void *ctx);
    void (*tx_put)(void *ctx, uint8_t byte);
    // Polling: takes a received byte; false: none there. Null: transmit only.
    bool (*rx_get)(void *ctx, uint8_t *byte);
    // Interrupts: the "transmitter has room" interrupt on or off. One that is switched on while
    // there is room already must come at once (as level-driven ones do), or at the latest when the
    // byte that was put last has gone.
    void (*tx_irq)(void *ctx, bool on);
    // DMA: starts to send the bytes and returns without waiting; they stay as they are until
    // wf_uart_dma_done_isr. A CPU with a data cache cleans it over them here.
    void (*dma_start)(void *ctx, const uint8_t *bytes, uint32_t len);
};

struct wf_uart_config {
    const struct wf_uart_ops *ops;
    void *ctx;                // for ops, e.g. the base address of the registers
    bool (*rx)(uint8_t byte); // where received bytes go, e.g. wf_rx_put; null: transmit only
    // Longest DMA transfer in bytes; 0: as long as the recorder has in one piece. A full recorder
    // gives up new records rather than bytes on loan, so a piece is best far below the ring's size.
    uint16_t dma_max;
};

// Zero but for config is ready to use: no init function.
struct wf_uart {
    const struct wf_uart_config *config;
    // private
    bool busy; // the interrupt (or the DMA) is the recorder's reader, not the one that kicks
    bool has_held;
    uint8_t held;  // taken from the recorder when the transmitter had no room
    uint32_t lent; // bytes that the DMA sends
};

// ---- polling ----

// Gives on what has been received and sends as long as the transmitter has room. Never waits: call
// it often. Context: one task, e.g. the idle loop.
void wf_uart_poll(struct wf_uart *u);

// ---- interrupt driven ----

// Starts sending if there is anything and it has not started; after that the interrupt goes on by
// itself until the recorder is empty. Context: one task, e.g. the idle loop; not an interrupt.
void wf_uart_kick(struct wf_uart *u);

// Fills the transmitter, and switches its interrupt off when there is nothing to send. Harmless
// when the interrupt came for another reason. Nothing else may use the switch.
// Context: the UART's interrupt, on the kicker's core.
void wf_uart_tx_isr(struct wf_uart *u);

// Gives a received byte on. Context: the UART's interrupt, in any style.
void wf_uart_rx_isr(struct wf_uart *u, uint8_t byte);

// ---- DMA ----

// Starts a transfer if there is anything to send and none is under way; after that one follows the
// other until the recorder is empty. Context: one task, e.g. the idle loop; not an interrupt.
void wf_uart_dma_kick(struct wf_uart *u);

// The transfer is done: gives its bytes back to the recorder and starts the next. Never call it
// from dma_start. Context: the DMA's interrupt, on the kicker's core.
void wf_uart_dma_done_isr(struct wf_uart *u);

#ifdef __cplusplus
}
#endif
#endif
