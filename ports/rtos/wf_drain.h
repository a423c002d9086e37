// SPDX-License-Identifier: MIT
// Shared by the drain tasks of the RTOS ports: a task of the lowest priority that sends the
// recorder's bytes over a link, in pieces that stay valid until they are sent. Each port has a file
// with the task, wf_<kernel>_drain.h; its README describes where to drain and the cost.
//
// If the driver copies the bytes or sends them before it returns, such as a USB stack or a file,
// use a plain struct wf_transport. If it only starts to send, set `lends`, and report the end in
// its interrupt:
//
//     static int32_t start(void *ctx, const uint8_t *bytes, uint32_t len) { // DMA
//         uart_dma_start(ctx, bytes, len);
//         return (int32_t)len;
//     }
//     static const struct wf_transport dma = {.write = start};
//     static struct wf_drain drain = {.transport = &dma, .ctx = UART1, .lends = true};
//     void DMA1_IRQHandler(void) { ... wf_freertos_drain_done_isr(&drain) ... }
//
// Without DMA, `start` enables the transmitter's interrupt, and the interrupt takes the bytes:
//
//     while (tx_ready()) {
//         int byte = wf_drain_byte(&drain);
//         if (byte < 0) { tx_irq_off(); wf_freertos_drain_done_isr(&drain) ...; break; }
//         tx_put((uint8_t)byte);
//     }
//
// Bytes that a debugger reads (RTT) need no interrupt: wf_rtt_poll in the idle hook is enough. A
// black box (docs/black-box.md) without a down channel needs nothing at all.
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

// Longest piece in bytes if wf_drain.piece is 0, and milliseconds between two checks of the ring if
// .period_ms is 0.
enum { WF_DRAIN_PIECE = 256, WF_DRAIN_PERIOD_MS = 10 };

// Ready to use when all members but transport and ctx are zero. One drain per recorder: it is the
// reader.
struct wf_drain {
    const struct wf_transport *transport; // only its write is called
    void *ctx;                            // ctx of the transport
    // true: write only starts sending, and the bytes stay valid until the port's done function.
    // false: they are free when write returns.
    bool lends;
    // Longest piece in bytes. The recorder lends at most WF_CFG_STAGE bytes at a time (128 on small
    // CPUs). With `lends`, raise that too, because each piece costs a wait.
    uint16_t piece;
    uint16_t period_ms; // between two checks of the ring when it was empty; at least one tick
    // private
    void (*wait)(struct wf_drain *drain); // waits for the end of a piece; set by the port
    void *task;                           // used by the port
    const uint8_t *next, *end;            // bytes of the piece that wf_drain_byte still returns
};

// Returns the next byte of the piece, or -1 when all were taken. Context: the transmitter's
// interrupt, between write and the port's done function.
static inline int wf_drain_byte(struct wf_drain *drain) {
    return drain->next == drain->end ? -1 : *drain->next++;
}

// ---- inside; for the ports' tasks ----

// Sends the bytes waiting now, then returns for a period. A drain that blocks makes records itself,
// of its own wait and wake-up: they are sent in the next pass, so that the drain does not run for
// its own records only. Context: the drain task.
static inline void wfi_drain_pass(struct wf_drain *d) {
#if WF_CFG_ON && !WF_CFG_SLOTS
    const uint32_t most = d->piece ? d->piece : (uint32_t)WF_DRAIN_PIECE;
    struct wf_status status;
    wf_get_status(&status);
    uint32_t left = status.used;
    do { // at least once: if no bytes wait the recorder may repeat names
        const uint8_t *bytes = NULL;
        const uint32_t len = wf_get_block(&bytes, most);
        if (!len) return;
        d->next = bytes;
        d->end = bytes + len;
        __atomic_signal_fence(__ATOMIC_RELEASE); // the interrupt started by write reads both
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
