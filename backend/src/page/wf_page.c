// SPDX-License-Identifier: MIT
// Listening, the token, and libwebsockets on the caller's loop. Sockets are accepted here and
// passed to libwebsockets, so that listening errors can be distinguished, and connections are
// counted before they use memory.

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wfb_options.h"
#include "wfb_page.h"

enum {
    HEADERS_MAX = 4096, // bytes of a request's headers
    TIMEOUT_S = 10,     // to receive a request or to send a response
    IDLE_S = 30,        // for idle connections
    END_MS = 1,
};

static int on_lws(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len);

static const struct lws_protocols protocols[] = {
    {"wallfly", on_lws, sizeof(struct wfb_page_session), 65536, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

// Detects pages whose computer sleeps or has lost its network.
static const lws_retry_bo_t alive = {.secs_since_valid_ping = 60, .secs_since_valid_hangup = 120};

// Headers of each response. libwebsockets requires names in lower case, with the colon.
static const struct lws_protocol_vhost_options headers[] = {
    {&headers[1], NULL, "x-content-type-options:", "nosniff"},
    {&headers[2], NULL, "referrer-policy:", "no-referrer"},
    {&headers[3], NULL, "cross-origin-resource-policy:", "same-origin"},
    {&headers[4], NULL, "cross-origin-opener-policy:", "same-origin"},
    {NULL, NULL, "x-frame-options:", "SAMEORIGIN"},
};

void wfb_page_report(struct wf_page *page, const char *format, ...) {
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    page->on.report(page->on.ctx, text);
}

struct wf_page *wfb_page_of(struct lws *wsi) {
    return lws_context_user(lws_get_context(wsi));
}

static int on_lws(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len) {
    struct wf_page *page;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
    case LWS_CALLBACK_HTTP_WRITEABLE: return wfb_page_http(wsi, reason, user, in);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return wfb_page_upgrade(wsi, in);
    case LWS_CALLBACK_CLOSED_HTTP: wfb_page_end_request(user); return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        page = wfb_page_of(wsi);
        if (page->connections) --page->connections;
        return 0;
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_RECEIVE:
    case LWS_CALLBACK_SERVER_WRITEABLE:
    case LWS_CALLBACK_CLOSED: return wfb_page_socket(wsi, reason, user, in, len);
    default: return 0;
    }
}

static void on_connection(uv_poll_t *poll, int status, int events) {
    struct wf_page *page = poll->data;
    if (status != 0 || !(events & UV_READABLE)) return;
    int fd = accept4(page->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
    if (fd < 0) return;
    // Without Nagle's algorithm: else the second of two responses waits until the first is
    // acknowledged, 40 ms later.
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (page->connections >= WFB_PAGE_CONNECTIONS_MAX || !wfb_input_open(page, fd)) {
        close(fd);
        return;
    }
    ++page->connections;
    if (!lws_adopt_socket_vhost(page->vhost, fd)) --page->connections; // it has closed fd
}

// ---- the token

static bool token_is_good(const char *token) {
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t len = strlen(token);
    return len >= WF_PAGE_TOKEN_MIN && len <= WF_PAGE_TOKEN_MAX && strspn(token, allowed) == len;
}

static int make_token(struct wf_page *page, const char *given, struct wf_error *error) {
    uint8_t bytes[16];
    if (given && !token_is_good(given))
        return wf_error_set(error, WF_ERR_USAGE,
                            "a token has %d to %d characters of A-Z a-z 0-9 _ -", WF_PAGE_TOKEN_MIN,
                            WF_PAGE_TOKEN_MAX);
    if (given) {
        snprintf(page->token, sizeof page->token, "%s", given);
        return WF_OK;
    }
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return wf_error_set(error, WF_ERR_LINK, "no random numbers for the token: %s",
                            strerror(errno));
    for (unsigned i = 0; i < sizeof bytes; ++i) snprintf(page->token + 2 * i, 3, "%02x", bytes[i]);
    return WF_OK;
}

// ---- opening

static bool is_any(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET)
        return ((const struct sockaddr_in *)address)->sin_addr.s_addr == INADDR_ANY;
    return IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

// Sets the names of the server, and the policy: the page may only connect to this server.
static void set_names(struct wf_page *page, const struct sockaddr_storage *address,
                      const char *listen) {
    char name[WFB_PEER_NAME_MAX];
    const char *colon = listen ? strrchr(listen, ':') : NULL;
    wfb_address_name((const struct sockaddr *)address, name);
    page->port = wfb_address_port((const struct sockaddr *)address);
    if (colon && !is_any(address))
        snprintf(page->host, sizeof page->host, "%.*s", (int)(colon - listen), listen);
    if (is_any(address)) snprintf(name, sizeof name, "127.0.0.1:%u", page->port);
    snprintf(page->url, sizeof page->url, "http://%s/%s/", name, page->token);
    // Older browsers do not apply 'self' to WebSockets. A policy cannot name an IPv6 address.
    bool six = address->ss_family == AF_INET6;
    snprintf(page->policy, sizeof page->policy,
             "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' "
             "ws://127.0.0.1:%u ws://localhost:%u%s%s; img-src data:; frame-src 'self'; base-uri "
             "'none'; form-action 'none'; frame-ancestors 'self'",
             page->port, page->port, six ? "" : " ws://", six ? "" : name);
}

static int open_listener(struct wf_page *page, uv_loop_t *loop, const char *listen,
                         struct wf_error *error) {
    struct sockaddr_storage address = {0};
    int err = wfb_listen(listen ? listen : "0", "; take another port, or 0 for any", &address,
                         &page->fd, error);
    if (err != WF_OK) return err;
    set_names(page, &address, listen);
    uv_poll_init(loop, &page->listener, page->fd);
    uv_timer_init(loop, &page->end);
    page->listener.data = page->end.data = page;
    page->handles = 2;
    return WF_OK;
}

static int open_lws(struct wf_page *page, uv_loop_t *loop, struct wf_error *error) {
    void *loops[] = {loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .headers = headers,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_VALIDATE_UTF8,
        .user = page,
        .pcontext = &page->context,
        .foreign_loops = loops,
        .server_string = "wallfly",
        .max_http_header_data = HEADERS_MAX,
        .max_http_header_pool = WFB_PAGE_CONNECTIONS_MAX,
        .fd_limit_per_thread = WFB_PAGE_CONNECTIONS_MAX + 8,
        .timeout_secs = TIMEOUT_S,
        .keepalive_timeout = IDLE_S,
        .retry_and_idle_policy = &alive,
        .vhost_name = "wallfly",
        .gid = -1,
        .uid = -1,
    };
    lws_set_log_level(0, NULL);
    errno = 0;
    page->context = lws_create_context(&info);
    page->vhost = page->context ? lws_get_vhost_by_name(page->context, "wallfly") : NULL;
    if (page->vhost) return WF_OK;
    if (errno == ENOMEM) return wf_error_code(error, WF_ERR_NOMEM);
    return wf_error_set(error, WF_ERR_LINK,
                        "libwebsockets does not start: it lacks libuv (Debian: "
                        "libwebsockets-evlib-uv), or there is no memory");
}

static int open_parts(struct wf_page *page, uv_loop_t *loop, const struct wf_page_options *o,
                      struct wf_error *error) {
    int err = make_token(page, o->token, error);
    if (err == WF_OK) err = open_listener(page, loop, o->listen, error);
    if (err == WF_OK) err = open_lws(page, loop, error);
    if (err != WF_OK) return err;
    page->files = calloc(o->file_count, sizeof *page->files);
    if (!page->files) return wf_error_code(error, WF_ERR_NOMEM);
    memcpy(page->files, o->files, o->file_count * sizeof *page->files);
    page->file_count = o->file_count;
    uv_poll_start(&page->listener, UV_READABLE, on_connection);
    return WF_OK;
}

int wf_page_open(struct uv_loop_s *loop, const struct wf_page_options *options,
                 const struct wf_page_handlers *on, struct wf_page **page, struct wf_error *error) {
    struct wf_page *p = calloc(1, sizeof *p);
    struct wf_page_options o;
    *page = NULL;
    if (!p) return wf_error_code(error, WF_ERR_NOMEM);
    p->fd = -1;
    p->on = *on;
    int err = wfb_copy_options(&o, sizeof o, options, error);
    if (err == WF_OK) err = open_parts(p, loop, &o, error);
    if (err == WF_OK)
        *page = p;
    else
        wf_page_close(p);
    return err;
}

// ---- closing

static void free_page(struct wf_page *page) {
    free(page->files);
    free(page->inputs);
    free(page);
}

static void on_handle_closed(uv_handle_t *handle) {
    struct wf_page *page = handle->data;
    if (--page->handles == 0) free_page(page);
}

static void note_closing(uv_handle_t *handle, void *ctx) {
    bool *closing = ctx;
    *closing |= uv_is_closing(handle) != 0;
}

// On a foreign loop libwebsockets closes its handles one after the other (each in the callback of
// the previous one), then must be destroyed again, without a notification. The time for that is
// when no handle is closing.
static void on_end(uv_timer_t *timer) {
    struct wf_page *page = timer->data;
    bool closing = false;
    uv_walk(timer->loop, note_closing, &closing);
    if (closing) return;
    if (page->context) lws_context_destroy(page->context);
    if (!page->context) uv_close((uv_handle_t *)&page->end, on_handle_closed);
}

void wf_page_close(struct wf_page *page) {
    if (page->closing) return;
    page->closing = true;
    if (!page->handles) {
        if (page->fd >= 0) close(page->fd);
        free_page(page);
        return;
    }
    uv_poll_stop(&page->listener);
    uv_close((uv_handle_t *)&page->listener, on_handle_closed);
    close(page->fd);
    uv_timer_start(&page->end, on_end, END_MS, END_MS);
    if (page->context) lws_context_destroy(page->context);
}

const char *wf_page_url(const struct wf_page *page) { return page->url; }
