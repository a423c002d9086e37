// SPDX-License-Identifier: MIT
// The recorder has one reader. While `busy` is false it is the task that calls kick; while `busy`
// is true it is the interrupt. Each passes the role to the other by writing `busy` last. So the two
// never run for the same UART at the same time, although they are different contexts, and no lock
// is needed.

#include "wf_uart.h"

#include <stddef.h>

#include "wallfly/wf_recorder.h"

// Barriers between the task and the interrupt.
static bool is_busy(const struct wf_uart *u) { return __atomic_load_n(&u->busy, __ATOMIC_ACQUIRE); }
static void set_busy(struct wf_uart *u, bool busy) {
    __atomic_store_n(&u->busy, busy, __ATOMIC_RELEASE);
}

void wf_uart_poll(struct wf_uart *u) {
    const struct wf_uart_config *c = u->config;
    uint8_t byte;
    // Receive first: the chip loses bytes that are not read in time, the recorder keeps its own.
    while (c->rx && c->ops->rx_get && c->ops->rx_get(c->ctx, &byte)) c->rx(byte);
    while (c->ops->tx_ready(c->ctx)) {
        int next = wf_get_byte(); // only when there is room for it: it cannot be put back
        if (next < 0) return;
        c->ops->tx_put(c->ctx, (uint8_t)next);
    }
}

void wf_uart_kick(struct wf_uart *u) {
    const struct wf_uart_config *c = u->config;
    if (is_busy(u)) return;
    // Read here and not in the interrupt, so that an idle loop with nothing to send causes no
    // interrupt.
    int byte = wf_get_byte();
    if (byte < 0) return;
    // Written here as well if there is room: some chips interrupt only after a byte was sent.
    if (c->ops->tx_ready(c->ctx)) {
        c->ops->tx_put(c->ctx, (uint8_t)byte);
    } else {
        u->held = (uint8_t)byte;
        u->has_held = true;
    }
    set_busy(u, true); // before the interrupt is enabled, because its handler reads it
    c->ops->tx_irq(c->ctx, true);
}

void wf_uart_tx_isr(struct wf_uart *u) {
    const struct wf_uart_config *c = u->config;
    if (!is_busy(u)) {
        // It came for another reason; or during a kick, and has sent everything before the kick
        // enabled it. If left enabled it would come forever.
        c->ops->tx_irq(c->ctx, false);
        return;
    }
    while (c->ops->tx_ready(c->ctx)) {
        int byte = u->has_held ? u->held : wf_get_byte();
        u->has_held = false;
        if (byte < 0) {
            // In this order: otherwise a kick in between would be disabled again.
            c->ops->tx_irq(c->ctx, false);
            set_busy(u, false);
            return;
        }
        c->ops->tx_put(c->ctx, (uint8_t)byte);
    }
}

void wf_uart_rx_isr(struct wf_uart *u, uint8_t byte) {
    if (u->config->rx) u->config->rx(byte); // rx counts bytes that it has no room for
}

// Passes the next block to the DMA. Returns false when there is none.
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
    if (!is_busy(u)) return; // not ours: there is no block to return
    wf_block_done(u->lent);
    if (!dma_next(u)) set_busy(u, false);
}
