// SPDX-License-Identifier: MIT
// See wfb_fd.h.

#include "wfb_fd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUT_MAX = 65536 }; // limits the memory for a target that does not read commands

static void on_poll(uv_poll_t *poll, int status, int events);

static void poll_again(struct wfb_fd *f) {
    int events = UV_READABLE | UV_DISCONNECT | (f->out_len ? UV_WRITABLE : 0);
    uv_poll_start(&f->poll, events, on_poll);
}

static void write_some(struct wfb_fd *f) {
    ssize_t n = write(f->fd, f->out, f->out_len);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    size_t done = n < 0 ? f->out_len : (size_t)n; // a write error is detected when reading
    memmove(f->out, f->out + done, f->out_len - done);
    f->out_len -= done;
    if (!f->out_len) poll_again(f);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    struct wfb_fd *f = poll->data;
    if (events & UV_WRITABLE) write_some(f);
    ssize_t n = read(f->fd, f->link->block, WFB_BLOCK);
    if (n > 0) {
        f->bytes(f->link, f->link->block, (size_t)n);
        if (status < 0 && f->started && !f->link->closing) poll_again(f);
        return;
    }
    bool again = n < 0 && (errno == EAGAIN || errno == EINTR);
    if (again && status == 0 && !(events & UV_DISCONNECT)) return;
    f->gone(f->link, n == 0 || again || errno == EIO ? 0 : errno);
}

int wfb_fd_start(struct wfb_fd *f, int fd) {
    int err = uv_poll_init(f->link->loop, &f->poll, fd);
    if (err) return err;
    wfb_handle_opened(f->link);
    f->fd = fd;
    f->poll.data = f;
    f->started = true;
    f->out_len = 0;
    poll_again(f);
    return 0;
}

static void on_closed(uv_handle_t *handle) {
    struct wfb_fd *f = handle->data;
    if (!f->link->closing) f->stopped(f->link);
    wfb_handle_closed(f->link);
}

void wfb_fd_stop(struct wfb_fd *f) {
    if (!f->started) return;
    f->started = false;
    uv_close((uv_handle_t *)&f->poll, on_closed);
    close(f->fd);
    free(f->out);
    f->out = NULL;
    f->out_len = 0;
}

int wfb_fd_write(struct wfb_fd *f, const uint8_t *bytes, size_t len) {
    if (!f->started || f->out_len + len > OUT_MAX) return WF_ERR_LINK;
    uint8_t *out = realloc(f->out, f->out_len + len);
    if (!out) return WF_ERR_NOMEM;
    f->out = out;
    memcpy(out + f->out_len, bytes, len);
    f->out_len += len;
    write_some(f);
    if (f->out_len) poll_again(f);
    return WF_OK;
}
