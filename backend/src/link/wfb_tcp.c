// SPDX-License-Identifier: MIT
// A TCP client, for targets, emulators and debug probes that listen for a connection.

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>

#include "wfb_tcp.h"

enum { PATIENT_IDLE_S = 10, PATIENT_INTERVAL_S = 5, PATIENT_PROBES = 3, PATIENT_MS = 25000 };
enum { HASTY_IDLE_S = 1, HASTY_INTERVAL_S = 1, HASTY_PROBES = 2, HASTY_MS = 3000 };

static void set_keep_alive(uv_tcp_t *tcp, int idle, int interval, int probes, int unanswered) {
    const struct {
        int option, value;
    } options[] = {
        {TCP_KEEPINTVL, interval}, {TCP_KEEPCNT, probes}, {TCP_USER_TIMEOUT, unanswered}};
    uv_os_fd_t fd;
    uv_tcp_keepalive(tcp, 1, (unsigned)idle); // first, because it may set the others too
    if (uv_fileno((const uv_handle_t *)tcp, &fd) != 0) return;
    for (unsigned i = 0; i < sizeof options / sizeof *options; ++i) {
        setsockopt(fd, IPPROTO_TCP, options[i].option, &options[i].value, sizeof(int));
    }
}

void wfb_keep_alive(uv_tcp_t *tcp) {
    set_keep_alive(tcp, PATIENT_IDLE_S, PATIENT_INTERVAL_S, PATIENT_PROBES, PATIENT_MS);
}

void wfb_probe_alive(uv_tcp_t *tcp) {
    set_keep_alive(tcp, HASTY_IDLE_S, HASTY_INTERVAL_S, HASTY_PROBES, HASTY_MS);
}

static void on_closed(uv_handle_t *handle) {
    struct wfb_client *c = handle->data;
    c->open = false;
    if (c->has_been && c->link.options.once)
        wfb_done(&c->link, WF_OK);
    else
        wfb_retry_later(&c->retry, c->name, c->error ? uv_strerror(c->error) : NULL);
    wfb_handle_closed(handle);
}

static void disconnect(struct wfb_client *c, const char *why) {
    if (c->up && c->first) c->first->ending(c);
    if (c->up) wfb_down(&c->peer, why);
    c->up = false;
    if (c->open && !uv_is_closing((uv_handle_t *)&c->tcp))
        uv_close((uv_handle_t *)&c->tcp, on_closed);
}

void wfb_client_take(struct wfb_client *c, const uint8_t *bytes, size_t len) {
    if (len) wfb_bytes(&c->peer, bytes, len);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
    struct wfb_client *c = stream->data;
    if (n < 0)
        disconnect(c, n == UV_EOF ? "" : uv_strerror((int)n));
    else if (n > 0 && c->first)
        c->first->bytes(c, (const uint8_t *)buf->base, (size_t)n);
    else if (n > 0)
        wfb_client_take(c, (const uint8_t *)buf->base, (size_t)n);
}

static void on_connect(uv_connect_t *request, int status) {
    struct wfb_client *c = request->data;
    c->error = status;
    if (c->link.closing) return;
    if (status < 0) {
        disconnect(c, "");
        return;
    }
    wfb_retry_worked(&c->retry);
    uv_tcp_nodelay(&c->tcp, 1);
    wfb_keep_alive(&c->tcp);
    c->up = c->has_been = true;
    c->peer.seq = 0;
    memcpy(c->peer.name, c->name, sizeof c->name);
    if (c->first) c->first->connected(c); // before what is sent to the target
    wfb_up(&c->link, &c->peer);
    uv_read_start((uv_stream_t *)&c->tcp, wfb_handle_alloc, on_read);
}

static void connect_target(struct wf_link *link) {
    struct wfb_client *c = (struct wfb_client *)link;
    c->request.data = c;
    uv_tcp_init(link->loop, &c->tcp);
    wfb_handle_opened(link, &c->tcp);
    c->open = true;
    c->error =
        uv_tcp_connect(&c->request, &c->tcp, (const struct sockaddr *)&c->address, on_connect);
    if (c->error) disconnect(c, "");
}

int wfb_client_open(struct wf_link *link, const char *address, struct wf_error *error) {
    struct wfb_client *c = (struct wfb_client *)link;
    if (!strchr(address, ':'))
        return wf_error_set(error, WF_ERR_USAGE, "'%.100s' is not HOST:PORT", address);
    if (wfb_parse_address(address, &c->address, error) != WF_OK) return WF_ERR_USAGE;
    wfb_address_name((const struct sockaddr *)&c->address, c->name);
    wfb_retry_open(&c->retry, link, connect_target);
    connect_target(link);
    return WF_OK;
}

void wfb_client_close(struct wf_link *link) {
    struct wfb_client *c = (struct wfb_client *)link;
    disconnect(c, "");
    wfb_retry_close(&c->retry);
}

int wfb_client_write(struct wf_peer *peer, const uint8_t *frame, size_t len) {
    struct wfb_client *c = (struct wfb_client *)peer->link;
    return wfb_stream_write((uv_stream_t *)&c->tcp, frame, len);
}

void wfb_client_hold(struct wf_peer *peer, bool hold) {
    struct wfb_client *c = (struct wfb_client *)peer->link;
    if (hold)
        uv_read_stop((uv_stream_t *)&c->tcp);
    else
        uv_read_start((uv_stream_t *)&c->tcp, wfb_handle_alloc, on_read);
}

const struct wfb_kind wfb_tcp = {sizeof(struct wfb_client),
                                 wfb_client_open,
                                 wfb_client_close,
                                 wfb_client_write,
                                 NULL,
                                 NULL,
                                 WFB_ASK_CUTS,
                                 wfb_client_hold};
