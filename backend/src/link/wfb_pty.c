// SPDX-License-Identifier: MIT
// A pseudo-terminal: a serial line without a cable, for tests and emulators. Opens the master
// and reports the slave's name. The target is connected while a program has the slave open. The
// system shows this only by polling: the master is hung up while the slave is closed.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wfb_serial.h"
#include "wfb_terminal.h"

enum { LOOK_MS = 50 };

struct pty {
    struct wfb_terminal terminal;
    uv_timer_t timer;
    int master;
};

static void on_timer(uv_timer_t *timer) {
    struct pty *p = timer->data;
    struct pollfd one = {.fd = p->master, .events = POLLIN};
    if (poll(&one, 1, 0) > 0 && (one.revents & POLLHUP) && !(one.revents & POLLIN)) return;
    int fd = dup(p->master); // the terminal closes its descriptor
    if (fd >= 0 && wfb_terminal_start(&p->terminal, fd) == 0) uv_timer_stop(timer);
}

static void wait_for_slave(struct wf_link *link) {
    uv_timer_start(&((struct pty *)link)->timer, on_timer, 0, LOOK_MS);
}

static void close_pty(struct wf_link *link) {
    struct pty *p = (struct pty *)link;
    wfb_terminal_stop(&p->terminal, "");
    wfb_handle_close(&p->timer);
    if (p->master > 0) close(p->master);
    p->master = -1;
}

// The slave is opened and closed once: afterwards the master is hung up while the slave is closed.
static bool open_master(struct pty *p) {
    unsigned got;
    p->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (p->master < 0 || grantpt(p->master) != 0 || unlockpt(p->master) != 0) return false;
    if (ptsname_r(p->master, p->terminal.peer.name, sizeof p->terminal.peer.name) != 0)
        return false;
    int slave = open(p->terminal.peer.name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0) return false;
    int err = wfb_serial_set(slave, 115200, &got);
    close(slave);
    errno = err;
    return err == 0;
}

static int open_pty(struct wf_link *link, const char *operand, struct wf_error *error) {
    struct pty *p = (struct pty *)link;
    (void)operand;
    p->terminal.closed_text = "";
    p->terminal.reopen = wait_for_slave;
    if (!open_master(p))
        return wf_error_set(error, WF_ERR_LINK, "no pseudo-terminal: %s", strerror(errno));
    uv_timer_init(link->loop, &p->timer);
    wfb_handle_opened(link, &p->timer);
    wait_for_slave(link);
    wfb_report(link, "waiting for a target on %s", p->terminal.peer.name);
    return WF_OK;
}

const struct wfb_kind wfb_pty = {
    sizeof(struct pty), open_pty, close_pty, wfb_terminal_write, NULL, NULL, WFB_ASK_FREE, NULL};
