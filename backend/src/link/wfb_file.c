// SPDX-License-Identifier: MIT
// Files and standard input. A regular file is read on each iteration of the loop; a pipe, terminal
// or FIFO when the system reports data. The first bytes show whether it is a recording; the peer
// connects when that is known.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wfb_link.h"

struct file {
    struct wf_link link;
    struct wf_peer peer;
    int fd;
    bool regular, up, ended, held;
    uint8_t first[WF_RECORDING_MAGIC_LEN];
    size_t first_len; // bytes that may be the start of a recording
    union {
        uv_idle_t idle;
        uv_poll_t poll;
    } uv;
};

static bool is_stdin(const char *name) { return strcmp(name, "-") == 0; }

static bool is_live(const char *name) {
    struct stat st;
    if (is_stdin(name)) return fstat(0, &st) != 0 || !S_ISREG(st.st_mode);
    return stat(name, &st) == 0 && !S_ISREG(st.st_mode);
}

static void close_file(struct wf_link *link) {
    struct file *f = (struct file *)link;
    if (f->up) wfb_down(&f->peer, "");
    f->up = false;
    wfb_handle_close(&f->uv);
    if (f->fd > 0) close(f->fd);
    f->fd = -1;
}

// The peer connects when the first bytes show whether the input is a recording, or at its end.
// waited: the first bytes came in earlier blocks.
static void connect_peer(struct file *f, bool waited) {
    f->up = true;
    f->peer.recording = f->first_len == sizeof f->first && wf_recording_is(f->first, f->first_len);
    wfb_up(&f->link, &f->peer);
    if (waited && f->first_len && !f->link.closing) wfb_bytes(&f->peer, f->first, f->first_len);
}

static void take_bytes(struct file *f, const uint8_t *bytes, size_t len) {
    size_t used = 0;
    while (!f->up && used < len && !f->link.closing) {
        f->first[f->first_len++] = bytes[used++];
        bool may_be = wf_recording_is(f->first, f->first_len), waited = f->first_len > used;
        if (may_be && f->first_len < sizeof f->first) continue;
        connect_peer(f, waited);
        if (!waited) used = 0; // a file's beginning comes in one piece
    }
    if (used < len && !f->link.closing) wfb_bytes(&f->peer, bytes + used, len - used);
}

static void end_input(struct file *f, const char *why) {
    f->ended = true;
    if (f->regular)
        uv_idle_stop(&f->uv.idle);
    else
        uv_poll_stop(&f->uv.poll);
    if (!f->up) connect_peer(f, true);
    if (*why) wfb_report(&f->link, "%s: %s", f->peer.name, why);
    f->up = false;
    wfb_down(&f->peer, why);
    wfb_done(&f->link, *why ? WF_ERR_LINK : WF_OK);
}

// Returns false when nothing is available now.
static bool read_some(struct file *f) {
    ssize_t n = read(f->fd, f->link.block, WFB_BLOCK);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return false;
    if (n > 0)
        take_bytes(f, f->link.block, (size_t)n);
    else // EIO: the other end of a terminal has closed
        end_input(f, n == 0 || errno == EIO ? "" : strerror(errno));
    return true;
}

static void on_idle(uv_idle_t *idle) { read_some(idle->data); }

static void on_poll(uv_poll_t *poll, int status, int events);

static void start_poll(struct file *f) {
    uv_poll_start(&f->uv.poll, UV_READABLE | UV_DISCONNECT, on_poll);
}

// libuv stops polling on an error of the descriptor, but bytes may still wait before that error.
static void on_poll(uv_poll_t *poll, int status, int events) {
    struct file *f = poll->data;
    (void)events;
    bool available = read_some(f);
    if (status == 0 || f->ended || f->held || f->link.closing) return;
    if (available)
        start_poll(f);
    else
        end_input(f, uv_strerror(status));
}

static int set_error(const char *name, const char *what, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_LINK, "%s: %s", name, what);
}

static int open_file(struct wf_link *link, const char *name, struct wf_error *error) {
    struct file *f = (struct file *)link;
    struct stat st;
    snprintf(f->peer.name, sizeof f->peer.name, "%s", is_stdin(name) ? "standard input" : name);
    f->fd = is_stdin(name) ? 0 : open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (f->fd < 0 || fstat(f->fd, &st) != 0) return set_error(name, strerror(errno), error);
    f->regular = S_ISREG(st.st_mode);
    if (f->regular && st.st_size == 0) return set_error(name, "is empty", error);
    int err = f->regular ? uv_idle_init(link->loop, &f->uv.idle)
                         : uv_poll_init(link->loop, &f->uv.poll, f->fd);
    if (err == UV_EPERM) { // for example /dev/zero: always ready
        f->regular = true;
        err = uv_idle_init(link->loop, &f->uv.idle);
    }
    if (err) return set_error(name, uv_strerror(err), error);
    wfb_handle_opened(link, &f->uv);
    if (f->regular)
        uv_idle_start(&f->uv.idle, on_idle);
    else
        start_poll(f);
    return WF_OK;
}

static void hold_file(struct wf_peer *peer, bool hold) {
    struct file *f = (struct file *)peer->link;
    f->held = hold;
    if (f->regular && hold)
        uv_idle_stop(&f->uv.idle);
    else if (f->regular)
        uv_idle_start(&f->uv.idle, on_idle);
    else if (hold)
        uv_poll_stop(&f->uv.poll);
    else
        start_poll(f);
}

const struct wfb_kind wfb_file = {sizeof(struct file), open_file, close_file, NULL, NULL, is_live,
                                  WFB_ASK_NEVER,       hold_file};
