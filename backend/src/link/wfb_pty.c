// SPDX-License-Identifier: MIT
// A pseudo-terminal: a serial line without a cable, for tests and emulators. It opens the master
// and reports the slave's name. The target is connected while a program has the slave open. The
// system shows this only by polling: the master is hung up while the slave is closed.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wfb_fd.h"
#include "wfb_serial.h"

enum { LOOK_MS = 50 };

struct pty {
    struct wf_link link;
    struct wf_peer peer;
    struct wfb_fd fd;
    uv_timer_t timer;
    int master;
    bool timed, up;
};

static void look(uv_timer_t *timer) {
    struct pty *p = timer->data;
    struct pollfd one = {.fd = p->master, .events = POLLIN};
    if (poll(&one, 1, 0) > 0 && (one.revents & POLLHUP) && !(one.revents & POLLIN)) return;
    int fd = dup(p->master); // wfb_fd closes its descriptor
    if (fd < 0 || wfb_fd_start(&p->fd, fd) != 0) {
        if (fd >= 0) close(fd);
        return;
    }
    uv_timer_stop(&p->timer);
    p->up = true;
    p->peer.seq = 0;
    wfb_up(&p->link, &p->peer);
}

static void on_bytes(struct wf_link *link, const uint8_t *bytes, size_t len) {
    wfb_bytes(&((struct pty *)link)->peer, bytes, len);
}

static void on_gone(struct wf_link *link, int error) {
    struct pty *p = (struct pty *)link;
    p->up = false;
    wfb_down(&p->peer, error ? strerror(error) : "");
    wfb_fd_stop(&p->fd);
}

static void on_stopped(struct wf_link *link) {
    struct pty *p = (struct pty *)link;
    if (link->options.once)
        wfb_done(link, WF_OK);
    else
        uv_timer_start(&p->timer, look, 0, LOOK_MS);
}

static void on_closed(uv_handle_t *handle) {
    struct pty *p = handle->data;
    wfb_handle_closed(&p->link);
}

static void close_pty(struct wf_link *link) {
    struct pty *p = (struct pty *)link;
    if (p->up) wfb_down(&p->peer, "");
    p->up = false;
    wfb_fd_stop(&p->fd);
    if (p->timed) uv_close((uv_handle_t *)&p->timer, on_closed);
    p->timed = false;
    if (p->master > 0) close(p->master);
    p->master = -1;
}

// The slave is opened and closed once: afterwards the master is hung up while the slave is closed.
static bool make(struct pty *p) {
    unsigned got;
    p->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (p->master < 0 || grantpt(p->master) != 0 || unlockpt(p->master) != 0) return false;
    if (ptsname_r(p->master, p->peer.name, sizeof p->peer.name) != 0) return false;
    int slave = open(p->peer.name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0) return false;
    int err = wfb_serial_set(slave, 115200, &got);
    close(slave);
    errno = err;
    return err == 0;
}

static int open_pty(struct wf_link *link, const char *operand, struct wf_error *error) {
    struct pty *p = (struct pty *)link;
    (void)operand;
    p->fd.link = link;
    p->fd.bytes = on_bytes;
    p->fd.gone = on_gone;
    p->fd.stopped = on_stopped;
    if (!make(p))
        return wf_error_set(error, WF_ERR_LINK, "no pseudo-terminal: %s", strerror(errno));
    p->timer.data = p;
    uv_timer_init(link->loop, &p->timer);
    wfb_handle_opened(link);
    p->timed = true;
    uv_timer_start(&p->timer, look, 0, LOOK_MS);
    wfb_say(link, "waiting for a target on %s", p->peer.name);
    return WF_OK;
}

static int write_pty(struct wf_peer *peer, const uint8_t *frame, size_t len) {
    return wfb_fd_write(&((struct pty *)peer->link)->fd, frame, len);
}

const struct wfb_kind wfb_pty = {sizeof(struct pty), open_pty, close_pty,
                                 write_pty,          NULL,     WFB_ASK_FREE};
