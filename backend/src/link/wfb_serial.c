// SPDX-License-Identifier: MIT
// A serial device. It may appear late or disappear: it is opened again by its name.

#include "wfb_serial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "wallfly_backend/wf_system.h"
#include "wfb_retry.h"
#include "wfb_terminal.h"

enum { BAUD = 115200, BAUD_MAX = 100000000 };

struct serial {
    struct wfb_terminal terminal;
    struct wfb_retry retry;
    unsigned baud;
    int first; // opened before the loop runs; -1: none
    bool reported_baud;
};

// Opens the device exclusively: else two programs would each get part of the bytes. A
// pseudo-terminal is excepted: it would stay exclusive until its master closes.
static int claim_device(int fd) {
    enum { PTS_FIRST = 136, PTS_LAST = 143 }; // major numbers
    struct stat st;
    bool pty =
        fstat(fd, &st) == 0 && major(st.st_rdev) >= PTS_FIRST && major(st.st_rdev) <= PTS_LAST;
    return pty || ioctl(fd, TIOCEXCL) == 0 ? 0 : errno;
}

// Opens and configures a device. Returns 0 or an errno.
static int open_at(const char *name, unsigned baud, int *fd, unsigned *got) {
    *fd = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0) return errno;
    int err = claim_device(*fd);
    if (!err) err = wfb_serial_set(*fd, baud, got);
    if (err) close(*fd);
    return err;
}

int wf_system_try_serial(const char *device, unsigned baud) {
    unsigned got;
    int fd, err = open_at(device, baud, &fd, &got);
    if (!err) close(fd);
    return err;
}

static int open_device(struct serial *s, int *fd) {
    unsigned got = s->baud;
    int err = open_at(s->terminal.peer.name, s->baud, fd, &got);
    if (err) return err;
    unsigned off = got > s->baud ? got - s->baud : s->baud - got;
    if (off > s->baud / 40 && !s->reported_baud) { // 2.5 %: the tolerance of a UART
        s->reported_baud = true;
        wfb_report(&s->terminal.link, "%s: has %u baud, not %u", s->terminal.peer.name, got,
                   s->baud);
    }
    return 0;
}

static void try_open(struct wf_link *link) {
    struct serial *s = (struct serial *)link;
    int fd = s->first, err = fd < 0 ? open_device(s, &fd) : 0;
    const char *name = s->terminal.peer.name;
    s->first = -1;
    if (err)
        wfb_retry_later(&s->retry, name, strerror(err));
    else if (wfb_terminal_start(&s->terminal, fd) != 0)
        wfb_retry_later(&s->retry, name, "cannot be polled");
    else
        wfb_retry_worked(&s->retry);
}

static void reopen(struct wf_link *link) {
    wfb_retry_later(&((struct serial *)link)->retry, NULL, NULL);
}

static void close_serial(struct wf_link *link) {
    struct serial *s = (struct serial *)link;
    wfb_terminal_stop(&s->terminal, "");
    if (s->first >= 0) close(s->first);
    s->first = -1;
    wfb_retry_close(&s->retry);
}

static int parse_operand(struct serial *s, const char *operand, struct wf_error *error) {
    const char *at = strrchr(operand, '@');
    unsigned long baud = BAUD;
    size_t len = at ? (size_t)(at - operand) : strlen(operand);
    if (at && (!wfb_parse_unsigned(at + 1, BAUD_MAX, &baud) || baud == 0))
        return wf_error_set(error, WF_ERR_USAGE, "baud rate '%.100s' is not a number from 1 to %u",
                            at + 1, BAUD_MAX);
    if (!len || len >= sizeof s->terminal.peer.name)
        return wf_error_set(error, WF_ERR_USAGE,
                            "serial: names a device, as in serial:/dev/ttyUSB0@115200");
    memcpy(s->terminal.peer.name, operand, len);
    s->baud = (unsigned)baud;
    return WF_OK;
}

static int open_serial(struct wf_link *link, const char *operand, struct wf_error *error) {
    struct serial *s = (struct serial *)link;
    s->terminal.closed_text = "the device has gone";
    s->terminal.reopen = reopen;
    s->first = -1;
    if (parse_operand(s, operand, error) != WF_OK) return WF_ERR_USAGE;
    int fd, err = open_device(s, &fd);
    // A missing device may appear later; other errors need the user.
    bool absent = err == ENOENT || err == ENXIO || err == ENODEV || err == EIO;
    if (err && !absent) {
        const char *what = err == ENOTTY   ? "is not a serial device"
                           : err == EACCES ? "may not be opened (group dialout?)"
                           : err == EBUSY  ? "is in use by another program"
                           : err == EINVAL ? "refuses this baud rate"
                                           : strerror(err);
        return wf_error_set(error, WF_ERR_LINK, "%.150s: %s", s->terminal.peer.name, what);
    }
    wfb_retry_open(&s->retry, link, try_open);
    if (absent) {
        wfb_retry_later(&s->retry, s->terminal.peer.name, strerror(err));
    } else {
        s->first = fd;
        wfb_retry_now(&s->retry);
    }
    return WF_OK;
}

const struct wfb_kind wfb_serial = {sizeof(struct serial), open_serial, close_serial,
                                    wfb_terminal_write,    NULL,        NULL,
                                    WFB_ASK_FREE,          NULL};
