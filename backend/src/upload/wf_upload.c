// SPDX-License-Identifier: MIT
// Listening, and libwebsockets on a loop of its own. Sockets are accepted here, as those of the
// page (wf_page.c), so that connections are counted before they use memory.

#include "wallfly_backend/wf_upload.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "link/wfb_link.h"
#include "wfb_options.h"
#include "wfb_upload.h"

enum {
    HEADERS_MAX = 4096, // bytes of a request's headers
    TIMEOUT_S = 30,     // to receive more of a request or to send a response
    PATIENCE_MS = 30000 // for all of it
};

static int on_lws(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len) {
    (void)user;
    if (reason == LWS_CALLBACK_WSI_DESTROY) {
        struct wf_upload *u = lws_context_user(lws_get_context(wsi));
        if (u->connections) --u->connections;
    }
    if (reason == LWS_CALLBACK_HTTP_CONFIRM_UPGRADE ||
        reason == LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION)
        return -1; // no WebSockets
    return wfb_upload_http(wsi, reason, in, len);
}

static const struct lws_protocols protocols[] = {
    {"wallfly", on_lws, 0, 65536, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

static void on_connection(uv_poll_t *poll, int status, int events) {
    struct wf_upload *u = poll->data;
    if (status != 0 || !(events & UV_READABLE)) return;
    int fd = accept4(u->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
    if (fd < 0) return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (u->connections >= WF_UPLOAD_CONNECTIONS_MAX) {
        close(fd);
        return;
    }
    ++u->connections;
    struct lws *wsi = lws_adopt_socket_vhost(u->vhost, fd);
    if (wsi)
        wfb_upload_await_header(wsi, true);
    else
        --u->connections; // it has closed fd
}

static int open_listener(struct wf_upload *u, struct wf_error *error) {
    struct sockaddr_storage address = {0};
    char name[WFB_PEER_NAME_MAX];
    int err =
        wfb_listen(u->o.listen, "; --http=PORT takes another port, 0 any", &address, &u->fd, error);
    if (err != WF_OK) return err;
    wfb_address_name((const struct sockaddr *)&address, name);
    snprintf(u->url, sizeof u->url, "http://%.100s", name);
    if (uv_poll_init(&u->loop, &u->listener, u->fd) != 0)
        return wf_error_set(error, WF_ERR_LINK, "%s: cannot be watched", u->url);
    u->has_listener = true;
    u->listener.data = u;
    return WF_OK;
}

static int open_lws(struct wf_upload *u, struct wf_error *error) {
    void *loops[] = {&u->loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV,
        .user = u,
        .pcontext = &u->context,
        .foreign_loops = loops,
        .server_string = "wallfly",
        .max_http_header_data = HEADERS_MAX,
        .max_http_header_pool = WF_UPLOAD_CONNECTIONS_MAX,
        .fd_limit_per_thread = WF_UPLOAD_CONNECTIONS_MAX + 64,
        .timeout_secs = TIMEOUT_S,
        .keepalive_timeout = WFB_UPLOAD_IDLE_S,
        .vhost_name = "wallfly",
        .gid = -1,
        .uid = -1,
    };
    lws_set_log_level(0, NULL);
    errno = 0;
    u->context = lws_create_context(&info);
    u->vhost = u->context ? lws_get_vhost_by_name(u->context, "wallfly") : NULL;
    if (u->vhost) return WF_OK;
    if (errno == ENOMEM) return wf_error_code(error, WF_ERR_NOMEM);
    return wf_error_set(error, WF_ERR_LINK,
                        "libwebsockets does not start: it lacks libuv (Debian: "
                        "libwebsockets-evlib-uv), or there is no memory");
}

static int open_upload(struct wf_upload *u, const struct wf_upload_options *options,
                       struct wf_error *error) {
    int err = wfb_copy_options(&u->o, sizeof u->o, options, error);
    if (err != WF_OK) return err;
    if (!u->o.patience_ms) u->o.patience_ms = PATIENCE_MS;
    if (uv_loop_init(&u->loop) != 0) return wf_error_code(error, WF_ERR_NOMEM);
    u->has_loop = true;
    err = open_listener(u, error);
    if (err == WF_OK) err = open_lws(u, error);
    if (err == WF_OK) uv_poll_start(&u->listener, UV_READABLE, on_connection);
    return err;
}

struct wf_upload *wf_upload_open(const struct wf_upload_options *options, struct wf_error *error) {
    struct wf_error own;
    struct wf_upload *u = calloc(1, sizeof *u);
    if (!error) error = &own;
    if (!u) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    u->fd = -1;
    if (open_upload(u, options, error) == WF_OK) return u;
    wf_upload_close(u);
    return NULL;
}

// libwebsockets closes its handles as the loop runs, and must be destroyed again then.
void wf_upload_close(struct wf_upload *u) {
    if (!u) return;
    if (u->has_listener) uv_close((uv_handle_t *)&u->listener, NULL);
    while (u->context) {
        lws_context_destroy(u->context);
        uv_run(&u->loop, UV_RUN_DEFAULT);
    }
    if (u->has_loop) uv_run(&u->loop, UV_RUN_DEFAULT);
    if (u->has_loop) uv_loop_close(&u->loop);
    if (u->fd >= 0) close(u->fd);
    while (u->requests) wfb_request_free(u->requests);
    free(u);
}

const char *wf_upload_url(const struct wf_upload *u) { return u->url; }

void wf_upload_step(struct wf_upload *u, unsigned timeout_ms, int fd) {
    struct pollfd ready[2] = {{.fd = uv_backend_fd(&u->loop), .events = POLLIN},
                              {.fd = fd, .events = POLLIN}};
    // Only when it runs does the loop register its sockets: so it runs before the wait, too.
    uv_run(&u->loop, UV_RUN_NOWAIT);
    int wait = uv_backend_timeout(&u->loop);
    if (u->waiting) wait = 0; // something has come already
    if (wait < 0 || wait > (int)timeout_ms) wait = (int)timeout_ms;
    poll(ready, 2, wait);
    uv_run(&u->loop, UV_RUN_NOWAIT);
}
