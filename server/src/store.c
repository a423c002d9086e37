// SPDX-License-Identifier: MIT
// See store.h.

#include "wallfly_server/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *temporary_folder(void) {
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

int temporary_open(struct wf_error *error) {
    char name[512];
    snprintf(name, sizeof name, "%.480s/wallflyXXXXXX", temporary_folder());
    int fd = mkstemp(name);
    if (fd < 0)
        wf_error_set(error, WF_ERR_WRITE, "%.120s: %s; TMPDIR names the folder", name,
                     strerror(errno));
    else
        unlink(name);
    return fd;
}

bool temporary_write(int fd, uint64_t at, const void *bytes, size_t len) {
    const char *p = bytes;
    while (len) {
        ssize_t n = pwrite(fd, p, len, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = ENOSPC;
        if (n <= 0) return false;
        p += n;
        at += (uint64_t)n;
        len -= (size_t)n;
    }
    return true;
}

bool store_open(struct store *s, struct wf_error *error) {
    s->reported = false;
    s->fd = temporary_open(error);
    return s->fd >= 0;
}

void store_close(struct store *s) {
    if (s->fd >= 0) close(s->fd);
    s->fd = -1;
}

static bool write_at(void *ctx, uint64_t at, const void *bytes, size_t len) {
    struct store *s = ctx;
    if (temporary_write(s->fd, at, bytes, len)) return true;
    if (!s->reported && s->warn) {
        char text[256];
        snprintf(text, sizeof text,
                 "the time line's file cannot be written: %s; TMPDIR names its folder",
                 strerror(errno));
        s->warn(s->ctx, text);
    }
    s->reported = true;
    return false;
}

static bool read_at(void *ctx, uint64_t at, void *bytes, size_t len) {
    const struct store *s = ctx;
    char *p = bytes;
    while (len) {
        ssize_t n = pread(s->fd, p, len, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        at += (uint64_t)n;
        len -= (size_t)n;
    }
    return true;
}

struct wf_timeline_store store_functions(struct store *s) {
    return (struct wf_timeline_store){s, write_at, read_at};
}
