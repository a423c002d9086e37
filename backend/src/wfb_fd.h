// SPDX-License-Identifier: MIT
// A descriptor that is polled: terminals of either end. Reads when there is something, writes when
// there is room.
#ifndef WFB_FD_H
#define WFB_FD_H

#include "wfb_link.h"

struct wfb_fd {
    struct wf_link *link;
    void (*bytes)(struct wf_link *link, const uint8_t *bytes, size_t len);
    // The other end has gone; wfb_fd_stop is the caller's. error: an errno, 0: in an orderly way
    void (*gone)(struct wf_link *link, int error);
    void (*stopped)(struct wf_link *link); // after wfb_fd_stop, once it can be started again
    int fd;
    uv_poll_t poll;
    bool started;
    uint8_t *out; // waits for room
    size_t out_len;
};

int wfb_fd_start(struct wfb_fd *f, int fd); // 0 or a libuv error; the functions are set before
// Closes the descriptor as well.
void wfb_fd_stop(struct wfb_fd *f);
int wfb_fd_write(struct wfb_fd *f, const uint8_t *bytes, size_t len);

#endif
