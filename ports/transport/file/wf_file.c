// SPDX-License-Identifier: MIT
// Writes to a file. A write blocks until the bytes are written.

#include "wf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int wf_file_open(struct wf_file *f, const char *name) {
    f->fd = strcmp(name, "-") == 0 ? 1 : open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    return f->fd < 0 ? -1 : 0;
}

static int32_t file_write(void *ctx, const uint8_t *bytes, uint32_t len) {
    const struct wf_file *f = ctx;
    ssize_t n = write(f->fd, bytes, len);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
    return (int32_t)n;
}

static void file_close(void *ctx) {
    const struct wf_file *f = ctx;
    if (f->fd > 2) close(f->fd);
}

const struct wf_transport wf_file_transport = {.write = file_write, .close = file_close};
