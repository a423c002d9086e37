// SPDX-License-Identifier: MIT
// What the drain tasks of the RTOS ports have in common: a task of the lowest priority that sends
// the recorder's bytes over a link, in pieces that stay as they are until they are out. Each port
// has a file with the task, wf_<kernel>_drain.h; its README describes where to drain and the cost.
//
// A link whose driver copies or sends before it returns, such as a USB stack or a file, is a plain
// struct wf_transport. One that only starts to send sets `lends`, and its interrupt reports the
// end:
//
//     static int32_t start(void *ctx, const uint8_t *bytes, uint32_t len) { // DMA
//         uart_dma_start(ctx, bytes, len);
//         return (int32_t)len;
//     }
//     static const struct wf_transport dma = {.write = start};
//     static struct wf_drain drain = {.transport = &dma, .ctx = UART1, .lends = true};
//     void DMA1_IRQHandler(void) { ... wf_freertos_drain_done_isr(&drain) ... }
//
// Without DMA, `start` switches the transmitter's interrupt on, and the interrupt takes the bytes:
//
//     while (tx_ready()) {
//         int byte = wf_drain_byte(&drain);
//         if (byte < 0) { tx_irq_off(); wf_freertos_drain_done_isr(&drain) ...; break; }
//         tx_put((uint8_t)byte);
//     }
//
// Bytes that a debugger fetches (RTT) need no interrupt: wf_rtt_poll in the idle hook is enough,
// and without a channel down a black box (docs/black-box.md) needs nothing at all.
#ifndef WF_DRAIN_H
#define WF_DRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly/wf_recorder.h"
#include "wallfly/wf_transport.h"

#ifdef __cplusplus
extern "C" {
#endif

// Longest piece in bytes if wf_drain.piece is 0, and milliseconds between two looks if .period_ms
// is 0.
enum { WF_DRAIN_PIECE = 256, WF_DRAIN_PERIOD_MS = 10 };

// Zero but for transport and ctx is ready to use. One drain for a recorder: it is the reader.
struct wf_drain {
    const struct wf_transport *transport; // write alone is called
    void *ctx;                            // for it
    // write only starts: the bytes stay as they are until the port's done function. Without it they
    // are free again when write returns.
    bool lends;
    // Longest piece in bytes. The recorder lends at most WF_CFG_STAGE bytes at a time (128 on small
    // CPUs): with `lends`, raise that too, for each piece costs a wait.
    uint16_t piece;
    uint16_t period_ms; // between two looks at the ring when it was empty; at least one tick
    // private
    void (*wait)(struct wf_drain *drain); // for the end of a piece; the port's
    void *task;                           // the port's
    const uint8_t *next, *end;            // of the piece: what wf_drain_byte has still to give
};

// Takes the next byte of the piece; -1: all are taken. Context: the transmitter's interrupt,
// between write and the port's done function.
static inline int wf_drain_byte(struct wf_drain *drain) {
    return drain->next == drain->end ? -1 : *drain->next++;
}

// ---- inside; for the ports' tasks ----

// Sends what waits now, and returns when there is nothing more to do for a period. A drain that
// blocks makes records itself, of its own wait and wake: those are for the next time, so that it
// does not run after them. Context: the drain task.
static inline void wfi_drain_pass(struct wf_drain *d) {
#if WF_CFG_ON && !WF_CFG_SLOTS
    const uint32_t most = d->piece ? d->piece : (uint32_t)WF_DRAIN_PIECE;
    struct wf_status status;
    wf_get_status(&status);
    uint32_t left = status.used;
    do { // once at least: where nothing waits the recorder may repeat names
        const uint8_t *bytes = NULL;
        const uint32_t len = wf_get_block(&bytes, most);
        if (!len) return;
        d->next = bytes;
        d->end = bytes + len;
        __atomic_signal_fence(__ATOMIC_RELEASE); // the interrupt that write starts reads both
        const int32_t sent = d->transport->write(d->ctx, bytes, len);
        if (sent > 0 && d->lends) d->wait(d);
        wf_block_done(sent > 0 ? (uint32_t)sent : 0);
        if (sent < 0 || (uint32_t)sent < len) return; // no room, or the link is gone: later
        left -= left < len ? left : len;
    } while (left);
#else
    (void)d;
#endif
}

static inline uint32_t wfi_drain_period_ms(const struct wf_drain *d) {
    return d->period_ms ? d->period_ms : (uint32_t)WF_DRAIN_PERIOD_MS;
}

#ifdef __cplusplus
}
#endif
#endif
