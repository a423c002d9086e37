// SPDX-License-Identifier: MIT
// A link for the recorder's bytes, and for commands. A transport folder offers one of these. Ports
// for chips whose bytes move in interrupts (uart, rtt) have interfaces of their own.
#ifndef WF_TRANSPORT_H
#define WF_TRANSPORT_H

#include <stdint.h>

struct wf_transport {
    // Sends some of the bytes. Returns the number taken (0: none now), or < 0 when the link is
    // gone; on a host with the reason in errno. Context: one writer.
    int32_t (*write)(void *ctx, const uint8_t *bytes, uint32_t len);
    void (*close)(void *ctx);
    // Reads received bytes, at most max. Returns their number (0: none now), or < 0 when the other
    // end is gone; on a host with the reason in errno. Never waits. Null: the link only sends.
    int32_t (*read)(void *ctx, uint8_t *bytes, uint32_t max);
};

#endif
