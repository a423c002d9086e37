// SPDX-License-Identifier: MIT
// A polled descriptor of a terminal (either end). Reads when data is available, writes when there
// is room.
#ifndef WFB_FD_H
#define WFB_FD_H

#include "wfb_link.h"

struct wfb_fd {
    struct wf_link *link;
    void (*bytes)(struct wf_link *link, const uint8_t *bytes, size_t len);
    // The other end has closed; the caller calls wfb_fd_stop. error: an errno, 0 for an orderly
    // close
    void (*gone)(struct wf_link *link, int error);
    void (*stopped)(struct wf_link *link); // after wfb_fd_stop, once it can be started again
    int fd;
    uv_poll_t poll;
    bool started;
    uint8_t *out; // bytes that wait for room
    size_t out_len;
};

int wfb_fd_start(struct wfb_fd *f, int fd); // returns 0 or a libuv error; set the functions first
// Also closes the descriptor.
void wfb_fd_stop(struct wfb_fd *f);
int wfb_fd_write(struct wfb_fd *f, const uint8_t *bytes, size_t len);

#endif
