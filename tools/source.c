// SPDX-License-Identifier: MIT
// Files and standard input are read as they are, in blocks; read() returns what there is, so a
// live pipe is followed without delay. TCP is libuv's. A signal ends either at once, and what was
// received is still finished and accounted for.

#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "cmd.h"

enum { BLOCK = 256 * 1024 };

static const char listen_prefix[] = "tcp-listen:";

static bool is_listen(const char *name) {
    return strncmp(name, listen_prefix, sizeof listen_prefix - 1) == 0;
}

bool source_is_live(const char *name) {
    struct stat st;
    if (is_listen(name)) return true;
    if (strcmp(name, "-") == 0) return fstat(0, &st) != 0 || !S_ISREG(st.st_mode);
    return stat(name, &st) == 0 && !S_ISREG(st.st_mode);
}

static volatile sig_atomic_t stopped;

static void on_signal(int number) {
    (void)number;
    stopped = 1;
}

static int read_all(int fd, const char *name, const struct source_handlers *on) {
    uint8_t *buf = malloc(BLOCK);
    int code = EXIT_GOOD;
    // Without SA_RESTART a blocked read() returns when the signal comes.
    struct sigaction act = {.sa_handler = on_signal};
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    if (!buf) return complain(EXIT_INPUT, "%s: out of memory", name);
    while (!stopped) {
        ssize_t n = read(fd, buf, BLOCK);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) code = complain(EXIT_INPUT, "%s: %s", name, strerror(errno));
        if (n <= 0 || !on->bytes(on->ctx, buf, (size_t)n)) break;
    }
    free(buf);
    return code;
}

static int read_file(const char *name, const struct source_handlers *on) {
    struct stat st;
    if (strcmp(name, "-") == 0) return read_all(0, "standard input", on);
    int fd = open(name, O_RDONLY);
    if (fd < 0) return complain(EXIT_INPUT, "%s: %s", name, strerror(errno));
    int code = EXIT_GOOD;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        code = complain(EXIT_INPUT, "%s: is a directory, not a trace", name);
    } else if (S_ISREG(st.st_mode) && st.st_size == 0) {
        code = complain(EXIT_INPUT, "%s: is empty", name);
    } else {
        code = read_all(fd, name, on);
    }
    close(fd);
    return code;
}

struct listener {
    uv_loop_t loop;
    uv_tcp_t server, client;
    uv_signal_t signals[2];
    bool busy; // a target is connected
    const struct source_handlers *on;
    uint8_t *buf;
};

static void stop(struct listener *l) { uv_stop(&l->loop); }

static void on_uv_signal(uv_signal_t *handle, int number) {
    (void)number;
    stop(handle->data);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
    struct listener *l = handle->data;
    (void)size;
    *buf = uv_buf_init((char *)l->buf, BLOCK);
}

static void on_closed(uv_handle_t *handle) {
    struct listener *l = handle->data;
    l->busy = false;
    if (l->on->once) stop(l);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
    struct listener *l = stream->data;
    if (n > 0 && !l->on->bytes(l->on->ctx, (const uint8_t *)buf->base, (size_t)n)) stop(l);
    if (n >= 0) return;
    l->on->link(l->on->ctx, false, "");
    uv_close((uv_handle_t *)stream, on_closed);
}

static void peer_name(const uv_tcp_t *client, char text[64]) {
    struct sockaddr_storage address;
    int len = sizeof address;
    char host[48] = "?";
    if (uv_tcp_getpeername(client, (struct sockaddr *)&address, &len) == 0) {
        uv_ip4_name((const struct sockaddr_in *)&address, host, sizeof host);
    }
    unsigned port = ntohs(((const struct sockaddr_in *)&address)->sin_port);
    snprintf(text, 64, "%s:%u", host, port);
}

static void on_connection(uv_stream_t *server, int status) {
    struct listener *l = server->data;
    char peer[64];
    // One target at a time: a second one waits in the queue of the system.
    if (status < 0 || l->busy) return;
    uv_tcp_init(&l->loop, &l->client);
    l->client.data = l;
    if (uv_accept(server, (uv_stream_t *)&l->client) != 0) return;
    l->busy = true;
    peer_name(&l->client, peer);
    l->on->link(l->on->ctx, true, peer);
    uv_read_start((uv_stream_t *)&l->client, on_alloc, on_read);
}

// Splits "[HOST:]PORT"; the host defaults to the loopback.
static bool parse_address(const char *text, struct sockaddr_in *address) {
    const char *colon = strrchr(text, ':');
    char host[64] = "127.0.0.1";
    uint64_t port;
    if (colon) snprintf(host, sizeof host, "%.*s", (int)(colon - text), text);
    if (!parse_number("tcp-listen port", colon ? colon + 1 : text, 0, 65535, &port)) return false;
    if (strcmp(host, "localhost") == 0) snprintf(host, sizeof host, "127.0.0.1");
    if (uv_ip4_addr(host, (int)port, address) == 0) return true;
    complain(EXIT_USAGE, "tcp-listen: '%s' is not an IPv4 address", host);
    return false;
}

static int listen_on(struct listener *l, const struct sockaddr_in *address) {
    struct sockaddr_in bound;
    int len = sizeof bound;
    char host[48];
    int err = uv_tcp_bind(&l->server, (const struct sockaddr *)address, 0);
    if (err == 0) err = uv_listen((uv_stream_t *)&l->server, 1, on_connection);
    if (err == 0) err = uv_tcp_getsockname(&l->server, (struct sockaddr *)&bound, &len);
    uv_ip4_name(err ? address : &bound, host, sizeof host);
    unsigned port = ntohs(err ? address->sin_port : bound.sin_port);
    if (err == UV_EADDRINUSE) {
        return complain(EXIT_INPUT, "port %u on %s is in use by another program", port, host);
    }
    if (err) return complain(EXIT_INPUT, "%s:%u: %s", host, port, uv_strerror(err));
    complain(EXIT_GOOD, "waiting for a target on %s:%u", host, port);
    return EXIT_GOOD;
}

static void on_walk(uv_handle_t *handle, void *arg) {
    (void)arg;
    if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

static int run_listener(const char *name, const struct source_handlers *on) {
    struct listener *l = calloc(1, sizeof *l);
    struct sockaddr_in address;
    static const int numbers[] = {SIGINT, SIGTERM};
    if (!parse_address(name + sizeof listen_prefix - 1, &address)) {
        free(l);
        return EXIT_USAGE;
    }
    if (l) l->buf = malloc(BLOCK);
    if (!l || !l->buf) {
        free(l);
        return complain(EXIT_INPUT, "out of memory");
    }
    l->on = on;
    uv_loop_init(&l->loop);
    uv_tcp_init(&l->loop, &l->server);
    l->server.data = l;
    for (int i = 0; i < 2; ++i) {
        uv_signal_init(&l->loop, &l->signals[i]);
        l->signals[i].data = l;
        uv_signal_start(&l->signals[i], on_uv_signal, numbers[i]);
    }
    int code = listen_on(l, &address);
    if (code == EXIT_GOOD) uv_run(&l->loop, UV_RUN_DEFAULT);
    uv_walk(&l->loop, on_walk, NULL);
    uv_run(&l->loop, UV_RUN_DEFAULT);
    uv_loop_close(&l->loop);
    free(l->buf);
    free(l);
    return code;
}

int source_run(const char *name, const struct source_handlers *on) {
    return is_listen(name) ? run_listener(name, on) : read_file(name, on);
}
