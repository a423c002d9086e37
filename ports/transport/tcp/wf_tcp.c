// SPDX-License-Identifier: MIT
// A TCP client; the host program listens. Sending never blocks: bytes that the socket does not take
// stay in the recorder's ring. Receiving never blocks either.

#include "wf_tcp.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wallfly/wf_names.h"

int wf_tcp_open(struct wf_tcp *t, const char *address, const char **why) {
    char host[128] = "localhost", port[16] = "6601";
    const char *colon = strrchr(address, ':');
    size_t len = colon ? (size_t)(colon - address) : strlen(address);
    if (len) snprintf(host, sizeof host, "%.*s", (int)len, address);
    if (colon) snprintf(port, sizeof port, "%s", colon + 1);
    // getaddrinfo would cut the number to 16 bits and connect to another port.
    char *end;
    unsigned long value = strtoul(port, &end, 10);
    if (*port < '0' || *port > '9' || *end || value < 1 || value > 65535) {
        *why = "the port is not a number from 1 to 65535";
        return -1;
    }
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    int err = getaddrinfo(host, port, &hints, &list);
    *why = err ? gai_strerror(err) : NULL;
    t->fd = -1;
    for (struct addrinfo *a = list; a && t->fd < 0; a = a->ai_next) {
        t->fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (t->fd >= 0 && connect(t->fd, a->ai_addr, a->ai_addrlen) != 0) {
            *why = strerror(errno);
            close(t->fd);
            t->fd = -1;
        }
    }
    if (list) freeaddrinfo(list);
    if (t->fd < 0) return -1;
    // Otherwise a small write waits until the other end has acknowledged the one before.
    setsockopt(t->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    wf_names_tell(); // for the new reader
    return 0;
}

static int32_t tcp_write(void *ctx, const uint8_t *bytes, uint32_t len) {
    const struct wf_tcp *t = ctx;
    ssize_t n = send(t->fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return 0;
    return (int32_t)n;
}

static int32_t tcp_read(void *ctx, uint8_t *bytes, uint32_t max) {
    const struct wf_tcp *t = ctx;
    if (!max) return 0; // recv would return 0, which means a closed connection
    ssize_t n = recv(t->fd, bytes, max, MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return 0;
    if (n == 0) errno = ENOTCONN; // closed in order, for which recv has no error
    return n > 0 ? (int32_t)n : -1;
}

static void tcp_close(void *ctx) {
    const struct wf_tcp *t = ctx;
    close(t->fd);
}

const struct wf_transport wf_tcp_transport = {
    .write = tcp_write, .close = tcp_close, .read = tcp_read};
