// SPDX-License-Identifier: MIT
// A way out for the recorder's bytes. A transport folder offers one of these.
#ifndef WF_TRANSPORT_H
#define WF_TRANSPORT_H

#include <stdint.h>

struct wf_transport {
    // Sends some of the bytes. Returns how many were taken (0: none now), or -1: the link is gone.
    int32_t (*write)(void *ctx, const uint8_t *bytes, uint32_t len);
    void (*close)(void *ctx);
};

#endif
