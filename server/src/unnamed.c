// SPDX-License-Identifier: MIT
// See unnamed.h.

#include "wallfly_server/unnamed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *temporary_folder(void) {
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

int unnamed_open(struct wf_error *error) {
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

bool unnamed_write(int fd, uint64_t at, const void *bytes, size_t len) {
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
