// SPDX-License-Identifier: MIT
// A link over one end of a terminal: a polled descriptor, which is read when data is available and
// written when there is room. Serial devices and pseudo-terminals are built on it.
#ifndef WFB_TERMINAL_H
#define WFB_TERMINAL_H

#include "wfb_link.h"

struct wfb_terminal {
    struct wf_link link;
    struct wf_peer peer;
    const char *closed_text; // why the target disconnects when the other end closes without error
    // Opens the terminal again, after its descriptor was closed. Not called with `once`.
    void (*reopen)(struct wf_link *link);
    int fd; // valid while the target is connected
    bool up;
    uv_poll_t poll;
    uint8_t *out; // bytes that wait for room
    size_t out_len;
};

// Connects the target. The terminal owns the descriptor from now on. Returns 0 or a libuv error.
int wfb_terminal_start(struct wfb_terminal *t, int fd);
// Disconnects the target if it is connected, and closes the descriptor.
void wfb_terminal_stop(struct wfb_terminal *t, const char *why);
int wfb_terminal_write(struct wf_peer *peer, const uint8_t *frame, size_t len);

#endif
