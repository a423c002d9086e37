// SPDX-License-Identifier: MIT
// UART driver without the chip's part: sends the recorder's bytes in one of three styles and passes
// on received bytes. You write the few lines that access registers. Use one style per UART and do
// not call the functions of the others: the recorder has one reader.
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
// otherwise an overrun would keep the interrupt on forever
//         wf_uart_tx_isr(&uart);
//     }
//     void idle(void) { wf_uart_kick(&uart); }
//
// (If other code changes CR1 in interrupts, irq must change it with interrupts off.)
#ifndef WF_UART_H
#define WF_UART_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Access to the chip. ctx is the config's. Functions of unused styles may be null.
struct wf_uart_ops {
    // Polling and interrupts: returns whether the transmit register or FIFO has room; writes one
    // byte.
    bool (*tx_ready)(void *ctx);
    void (*tx_put)(void *ctx, uint8_t byte);
    // Polling: reads a received byte; returns false when there is none. Null: transmit only.
    bool (*rx_get)(void *ctx, uint8_t *byte);
    // Interrupts: enables or disables the "transmitter has room" interrupt. When it is enabled
    // while there is room, it must come at once (as level-driven ones do), or at the latest when
    // the last byte written was sent.
    void (*tx_irq)(void *ctx, bool on);
    // DMA: starts to send the bytes and returns without waiting; they stay valid until
    // wf_uart_dma_done_isr. A CPU with a data cache cleans the cache over them here.
    void (*dma_start)(void *ctx, const uint8_t *bytes, uint32_t len);
};

struct wf_uart_config {
    const struct wf_uart_ops *ops;
    void *ctx;                // for ops, e.g. the base address of the registers
    bool (*rx)(uint8_t byte); // receives the bytes, e.g. wf_rx_put; null: transmit only
    // Longest DMA transfer in bytes; 0: as much as the recorder lends in one block.
    uint16_t dma_max;
};

// Ready to use when all members but config are zero: no init function.
struct wf_uart {
    const struct wf_uart_config *config;
    // private
    bool busy; // the interrupt (or the DMA) is the recorder's reader, not the task that kicks
    bool has_held;
    uint8_t held;  // read from the recorder when the transmitter had no room
    uint32_t lent; // bytes that the DMA is sending
};

// ---- polling ----

// Passes on received bytes, and sends while the transmitter has room. Never waits: call it often.
// Context: one task, e.g. the idle loop.
void wf_uart_poll(struct wf_uart *u);

// ---- interrupt driven ----

// Starts sending if there are bytes to send and sending has not started; then the interrupt
// continues until the recorder is empty. Context: one task, e.g. the idle loop; not an interrupt.
void wf_uart_kick(struct wf_uart *u);

// Fills the transmitter, and disables its interrupt when there is nothing to send. Has no effect if
// the interrupt came for another reason. No other code may enable or disable this interrupt.
// Context: the UART's interrupt, on the core that kicks.
void wf_uart_tx_isr(struct wf_uart *u);

// Passes on a received byte. Context: the UART's interrupt, in any style.
void wf_uart_rx_isr(struct wf_uart *u, uint8_t byte);

// ---- DMA ----

// Starts a transfer if there are bytes to send and none is in progress; then one transfer follows
// the other until the recorder is empty. Context: one task, e.g. the idle loop; not an interrupt.
void wf_uart_dma_kick(struct wf_uart *u);

// Call it when the transfer is done: returns the block to the recorder and starts the next
// transfer. Never call it from dma_start. Context: the DMA's interrupt, on the core that kicks.
void wf_uart_dma_done_isr(struct wf_uart *u);

#ifdef __cplusplus
}
#endif
#endif
