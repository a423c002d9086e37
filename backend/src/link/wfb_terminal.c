// SPDX-License-Identifier: MIT
// See wfb_terminal.h.

#include "wfb_terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUT_MAX = 65536 }; // limits the memory for a target that does not read commands

static void on_poll(uv_poll_t *poll, int status, int events);

static void poll_again(struct wfb_terminal *t) {
    int events = UV_READABLE | UV_DISCONNECT | (t->out_len ? UV_WRITABLE : 0);
    uv_poll_start(&t->poll, events, on_poll);
}

static void write_waiting(struct wfb_terminal *t) {
    ssize_t n = write(t->fd, t->out, t->out_len);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    size_t done = n < 0 ? t->out_len : (size_t)n; // a write error is detected when reading
    memmove(t->out, t->out + done, t->out_len - done);
    t->out_len -= done;
    if (!t->out_len) poll_again(t);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    struct wfb_terminal *t = poll->data;
    if (events & UV_WRITABLE) write_waiting(t);
    ssize_t n = read(t->fd, t->link.block, WFB_BLOCK);
    if (n > 0) {
        wfb_bytes(&t->peer, t->link.block, (size_t)n);
        if (status < 0 && t->up && !t->link.closing) poll_again(t);
        return;
    }
    bool again = n < 0 && (errno == EAGAIN || errno == EINTR);
    if (again && status == 0 && !(events & UV_DISCONNECT)) return;
    bool closed = n == 0 || again || errno == EIO;
    wfb_terminal_stop(t, closed ? t->closed_text : strerror(errno));
}

int wfb_terminal_start(struct wfb_terminal *t, int fd) {
    int err = uv_poll_init(t->link.loop, &t->poll, fd);
    if (err) {
        close(fd);
        return err;
    }
    wfb_handle_opened(&t->link, (uv_handle_t *)&t->poll);
    t->fd = fd;
    t->out_len = 0;
    poll_again(t);
    t->up = true;
    t->peer.seq = 0;
    wfb_up(&t->link, &t->peer);
    return 0;
}

static void on_closed(uv_handle_t *handle) {
    struct wfb_terminal *t = handle->data;
    if (!t->link.closing && t->link.options.once)
        wfb_done(&t->link, WF_OK);
    else if (!t->link.closing)
        t->reopen(&t->link);
    wfb_handle_closed(handle);
}

void wfb_terminal_stop(struct wfb_terminal *t, const char *why) {
    if (!t->up) return;
    t->up = false;
    wfb_down(&t->peer, why);
    uv_close((uv_handle_t *)&t->poll, on_closed);
    close(t->fd);
    free(t->out);
    t->out = NULL;
    t->out_len = 0;
}

int wfb_terminal_write(struct wf_peer *peer, const uint8_t *frame, size_t len) {
    struct wfb_terminal *t = (struct wfb_terminal *)peer->link;
    if (!t->up || t->out_len + len > OUT_MAX) return WF_ERR_LINK;
    uint8_t *out = realloc(t->out, t->out_len + len);
    if (!out) return WF_ERR_NOMEM;
    t->out = out;
    memcpy(out + t->out_len, frame, len);
    t->out_len += len;
    write_waiting(t);
    if (t->out_len) poll_again(t);
    return WF_OK;
}
