// SPDX-License-Identifier: MIT
// The recorder has one reader. While `busy` is false that is the task which kicks, while it is true
// it is the interrupt; each hands over to the other by writing `busy` last. So the two never run
// for the same UART at the same time, although they are different contexts, and no lock is needed.

#include "wf_uart.h"

#include <stddef.h>

#include "wallfly/wf_recorder.h"

// The other side of the race: the interrupt for the task, the task for the interrupt.
static bool is_busy(const struct wf_uart *u) { return __atomic_load_n(&u->busy, __ATOMIC_ACQUIRE); }
static void set_busy(struct wf_uart *u, bool busy) {
    __atomic_store_n(&u->busy, busy, __ATOMIC_RELEASE);
}

void wf_uart_poll(struct wf_uart *u) {
    const struct wf_uart_config *c = u->config;
    uint8_t byte;
    // Receive first: the chip throws away what is not fetched in time, the recorder keeps its own.
    while (c->rx && c->ops->rx_get && c->ops->rx_get(c->ctx, &byte)) c->rx(byte);
    while (c->ops->tx_ready(c->ctx)) {
        int next = wf_get_byte(); // only with room for it: it cannot be put back
        if (next < 0) return;
        c->ops->tx_put(c->ctx, (uint8_t)next);
    }
}

void wf_uart_kick(struct wf_uart *u) {
    const struct wf_uart_config *c = u->config;
    if (is_busy(u)) return;
    // Fetched here and not by the interrupt, so that an idle loop with nothing to send causes none.
    int byte = wf_get_byte();
    if (byte < 0) return;
    // Put here as well if there is room: some chips interrupt only when a byte has gone.
    if (c->ops->tx_ready(c->ctx)) {
        c->ops->tx_put(c->ctx, (uint8_t)byte);
    } else {
        u->held = (uint8_t)byte;
        u->has_held = true;
    }
    set_busy(u, true); // before the interrupt is on, which looks at it
    c->ops->tx_irq(c->ctx, true);
}

void wf_uart_tx_isr(struct wf_uart *u) {
    const struct wf_uart_config *c = u->config;
    if (!is_busy(u)) {
        // It came for another reason; or for that in the middle of a kick, and has sent everything
        // before the kick switched it on. Left on it would come for ever.
        c->ops->tx_irq(c->ctx, false);
        return;
    }
    while (c->ops->tx_ready(c->ctx)) {
        int byte = u->has_held ? u->held : wf_get_byte();
        u->has_held = false;
        if (byte < 0) {
            // In this order: the other way round a kick in between would be switched off again.
            c->ops->tx_irq(c->ctx, false);
            set_busy(u, false);
            return;
        }
        c->ops->tx_put(c->ctx, (uint8_t)byte);
    }
}

void wf_uart_rx_isr(struct wf_uart *u, uint8_t byte) {
    if (u->config->rx) u->config->rx(byte); // what finds no room is counted there
}

// Lends the next piece to the DMA. False if there is none.
static bool dma_next(struct wf_uart *u) {
    const struct wf_uart_config *c = u->config;
    const uint8_t *block = NULL;
    u->lent = wf_get_block(&block, c->dma_max ? c->dma_max : UINT16_MAX);
    if (!u->lent) return false;
    set_busy(u, true); // before the transfer starts: its interrupt may come at once
    c->ops->dma_start(c->ctx, block, u->lent);
    return true;
}

void wf_uart_dma_kick(struct wf_uart *u) {
    if (!is_busy(u)) dma_next(u);
}

void wf_uart_dma_done_isr(struct wf_uart *u) {
    if (!is_busy(u)) return; // not ours: it would give back a loan of nobody
    wf_block_done(u->lent);
    if (!dma_next(u)) set_busy(u, false);
}
