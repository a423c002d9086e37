// SPDX-License-Identifier: MIT
// A way out for the recorder's bytes, and a way in for commands. A transport folder offers one of
// these. Ports for chips whose bytes move in interrupts (uart, rtt) have interfaces of their own.
#ifndef WF_TRANSPORT_H
#define WF_TRANSPORT_H

#include <stdint.h>

struct wf_transport {
    // Sends some of the bytes. Returns how many were taken (0: none now), or < 0: the link is gone;
    // on a host with the reason in errno. Context: one writer.
    int32_t (*write)(void *ctx, const uint8_t *bytes, uint32_t len);
    void (*close)(void *ctx);
    // Takes what has been received, at most max bytes. Returns how many (0: nothing there now), or
    // < 0: the other end has gone; on a host with the reason in errno. Never waits. Null: one way
    // only.
    int32_t (*read)(void *ctx, uint8_t *bytes, uint32_t max);
};

#endif
