// SPDX-License-Identifier: MIT
// A pipe or terminal is polled; a file cannot be, and is read on iterations of the loop.

#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    struct lines_handlers on;
    union {
        uv_handle_t handle;
        uv_poll_t poll;
        uv_idle_t idle;
    } uv;
    bool open, ended, polled;
    char *text;
    size_t len, cap;
} lines;

static void stop_reading(void) {
    if (lines.ended) return;
    lines.ended = true;
    if (lines.polled)
        uv_poll_stop(&lines.uv.poll);
    else
        uv_idle_stop(&lines.uv.idle);
}

static void pass_lines(void) {
    size_t from = 0;
    for (char *end; (end = memchr(lines.text + from, '\n', lines.len - from)) != NULL;) {
        *end = 0;
        lines.on.line(lines.on.ctx, lines.text + from);
        from = (size_t)(end - lines.text) + 1;
    }
    lines.len -= from;
    memmove(lines.text, lines.text + from, lines.len);
}

static void end_input(void) {
    stop_reading();
    if (lines.len) {
        lines.text[lines.len] = 0;
        lines.on.line(lines.on.ctx, lines.text);
    }
    lines.on.end(lines.on.ctx);
}

static void read_input(void) {
    if (lines.cap - lines.len < 4097) {
        char *more = realloc(lines.text, lines.cap + 65536);
        if (!more) {
            end_input();
            return;
        }
        lines.text = more;
        lines.cap += 65536;
    }
    ssize_t n = read(STDIN_FILENO, lines.text + lines.len, lines.cap - lines.len - 1);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) {
        end_input();
        return;
    }
    lines.len += (size_t)n;
    pass_lines();
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)poll;
    (void)status;
    (void)events;
    read_input();
}

static void on_idle(uv_idle_t *idle) {
    (void)idle;
    read_input();
}

int lines_poll_input(uv_loop_t *loop, uv_poll_t *poll) {
    int flags = fcntl(STDIN_FILENO, F_GETFL);
    int err = uv_poll_init(loop, poll, STDIN_FILENO);
    if (!err && flags >= 0) fcntl(STDIN_FILENO, F_SETFL, flags);
    return err;
}

int lines_open(uv_loop_t *loop, const struct lines_handlers *on) {
    lines.on = *on;
    int err = lines_poll_input(loop, &lines.uv.poll);
    lines.polled = err == 0;
    if (err == UV_EPERM || err == UV_EEXIST) err = uv_idle_init(loop, &lines.uv.idle);
    if (err) return err;
    lines.open = true;
    return lines.polled ? uv_poll_start(&lines.uv.poll, UV_READABLE | UV_DISCONNECT, on_poll)
                        : uv_idle_start(&lines.uv.idle, on_idle);
}

void lines_close(void) {
    if (!lines.open) return;
    lines.open = false;
    stop_reading();
    uv_close(&lines.uv.handle, NULL);
    free(lines.text);
    lines.text = NULL;
}
