// SPDX-License-Identifier: MIT
// A TCP server to which targets connect.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "wfb_tcp.h"

struct listener {
    struct wf_link link;
    uv_tcp_t server;
    unsigned count; // targets connected
    bool waiting;   // one more wants to connect; libuv reports the next one after it is accepted
};

struct client {
    struct wf_peer peer;
    uv_tcp_t tcp;
};

static void accept_one(struct listener *l);

static struct client *client_of(void *handle) {
    return (struct client *)((char *)handle - offsetof(struct client, tcp));
}

static void on_client_closed(uv_handle_t *handle) {
    struct listener *l = handle->data;
    --l->count;
    if (l->link.options.once)
        wfb_done(&l->link, WF_OK);
    else if (l->waiting && !l->link.closing)
        accept_one(l);
    wfb_handle_closed(handle);
    free(client_of(handle));
}

static void disconnect(struct client *c, const char *why) {
    if (uv_is_closing((uv_handle_t *)&c->tcp)) return;
    wfb_down(&c->peer, why);
    uv_close((uv_handle_t *)&c->tcp, on_client_closed);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
    struct client *c = client_of(stream);
    if (n > 0) wfb_bytes(&c->peer, (const uint8_t *)buf->base, (size_t)n);
    if (n < 0) disconnect(c, n == UV_EOF ? "" : uv_strerror((int)n));
}

// A further target waits in the system's queue. The connected target may be dead without having
// closed its connection: its cable was pulled, or it has crashed and is the waiting one. Keep-alive
// probes detect this. A target that is alive keeps its place, even if it sends nothing.
static void probe_connected(struct listener *l) {
    for (struct wf_peer *p = l->link.peers; p; p = p->next) {
        wfb_probe_alive(&((struct client *)p)->tcp);
        wfb_report(&l->link, "another target waits until %s disconnects", p->name);
    }
}

static void accept_one(struct listener *l) {
    struct sockaddr_storage address;
    int len = sizeof address;
    l->waiting = l->link.options.most && l->count >= l->link.options.most;
    if (l->waiting) {
        probe_connected(l);
        return;
    }
    struct client *c = calloc(1, sizeof *c);
    if (!c) return;
    c->peer.link = &l->link;
    uv_tcp_init(l->link.loop, &c->tcp);
    wfb_handle_opened(&l->link, &c->tcp);
    ++l->count;
    if (uv_accept((uv_stream_t *)&l->server, (uv_stream_t *)&c->tcp) != 0) {
        uv_close((uv_handle_t *)&c->tcp, on_client_closed);
        return;
    }
    uv_tcp_nodelay(&c->tcp, 1);
    wfb_keep_alive(&c->tcp);
    if (uv_tcp_getpeername(&c->tcp, (struct sockaddr *)&address, &len) == 0)
        wfb_address_name((const struct sockaddr *)&address, c->peer.name);
    wfb_up(&l->link, &c->peer);
    uv_read_start((uv_stream_t *)&c->tcp, wfb_handle_alloc, on_read);
}

static void on_connection(uv_stream_t *server, int status) {
    if (status == 0) accept_one(server->data);
}

static void close_listener(struct wf_link *link) {
    struct listener *l = (struct listener *)link;
    while (link->peers) disconnect((struct client *)link->peers, "");
    wfb_handle_close(&l->server);
}

static int open_listener(struct wf_link *link, const char *operand, struct wf_error *error) {
    struct listener *l = (struct listener *)link;
    struct sockaddr_storage address = {0};
    int len = sizeof address;
    if (wfb_parse_address(operand, &address, error) != WF_OK) return WF_ERR_USAGE;
    uv_tcp_init(link->loop, &l->server);
    wfb_handle_opened(link, &l->server);
    int err = uv_tcp_bind(&l->server, (const struct sockaddr *)&address, 0);
    if (err == 0) err = uv_listen((uv_stream_t *)&l->server, 16, on_connection);
    if (err == 0) err = uv_tcp_getsockname(&l->server, (struct sockaddr *)&address, &len);
    link->port = wfb_address_port((const struct sockaddr *)&address);
    return wfb_listening(link, (const struct sockaddr *)&address, err, error);
}

static int write_client(struct wf_peer *peer, const uint8_t *frame, size_t len) {
    return wfb_stream_write((uv_stream_t *)&((struct client *)peer)->tcp, frame, len);
}

static void hold_client(struct wf_peer *peer, bool hold) {
    uv_stream_t *tcp = (uv_stream_t *)&((struct client *)peer)->tcp;
    if (hold)
        uv_read_stop(tcp);
    else
        uv_read_start(tcp, wfb_handle_alloc, on_read);
}

const struct wfb_kind wfb_tcp_listen = {sizeof(struct listener),
                                        open_listener,
                                        close_listener,
                                        write_client,
                                        NULL,
                                        NULL,
                                        WFB_ASK_CUTS,
                                        hold_client};
