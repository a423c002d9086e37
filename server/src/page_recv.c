// SPDX-License-Identifier: MIT
// Bytes from browsers, before libwebsockets parses them: it reads with recv(), and a program's
// definition overrides that of the C library. So a frame without a mask can be refused
// (wfb_page_input.c) without a copy and without a second socket. docs/decisions lists the
// alternatives.

#undef _FORTIFY_SOURCE // recv must be a function, not a macro
#include <errno.h>
#include <sys/socket.h>

#include "page_parts.h"
#include "wallfly_backend/wf_page.h"

static struct wf_page *watched;

void page_recv_watch(struct wf_page *server) { watched = server; }

ssize_t recv(int fd, void *bytes, size_t len, int flags) {
    ssize_t n = recvfrom(fd, bytes, len, flags, NULL, NULL);
    if (n <= 0 || !watched || (flags & MSG_PEEK)) return n;
    if (wf_page_take_input(watched, fd, bytes, (size_t)n)) return n;
    errno = ECONNRESET;
    return -1;
}
