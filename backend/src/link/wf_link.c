// SPDX-License-Identifier: MIT
// The table of link kinds, and their shared code: lanes, frames to the target, addresses, handles.

#include <errno.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_backend/wf_folder.h"
#include "wallfly_host/wf_command.h"
#include "wfb_link.h"
#include "wfb_options.h"

const struct wf_link_kind wf_link_kinds[] = {
    {"", "FILE", "a file with the bytes, a recording, or a folder of CTF; - is standard input"},
    {"tcp-listen", "[HOST:]PORT", "targets connect here; on the loopback unless HOST is given"},
    {"tcp", "HOST:PORT", "connects to a target; retries until it answers"},
    {"udp", "[HOST:]PORT", "targets send datagrams here; each address is a target"},
    {"serial", "DEV[@BAUD]",
     "a serial device, 8N1, any baud rate (115200); it may be removed and attached again"},
    {"rtt", "HOST:PORT[/CHANNEL]",
     "RTT server of OpenOCD, J-Link (port 19021; only it takes a channel), pyOCD or probe-rs"},
    {"pty", "", "makes a pseudo-terminal and prints its name; the target opens it"},
    {"spy", "[[HOST:]PORT]", "the target of a running `wallfly serve` (127.0.0.1:7701)"},
};
const unsigned wf_link_kind_count = sizeof wf_link_kinds / sizeof *wf_link_kinds;

// In the order of wf_link_kinds.
static const struct wfb_kind *const kinds[] = {&wfb_file,   &wfb_tcp_listen, &wfb_tcp, &wfb_udp,
                                               &wfb_serial, &wfb_rtt,        &wfb_pty, &wfb_spy};

// A name without a known kind before its first colon is a file name. A kind without an operand is
// the bare word; use ./pty for a file of that name.
static const struct wfb_kind *find_kind(const char *source, const char **operand) {
    size_t len = strcspn(source, ":");
    *operand = source;
    for (unsigned i = 1; i < wf_link_kind_count; ++i) {
        const char *name = wf_link_kinds[i].name;
        if (strlen(name) != len || strncmp(name, source, len) != 0) continue;
        if (!*wf_link_kinds[i].operand != !source[len]) continue;
        *operand = source + len + (source[len] == ':');
        return kinds[i];
    }
    return kinds[0];
}

static const struct wfb_kind *kind_of(const char *source, const char **operand) {
    const struct wfb_kind *kind = find_kind(source, operand);
    return kind == &wfb_file && wf_folder_is(*operand) ? &wfb_folder : kind;
}

bool wf_link_is_live(const char *source) {
    const char *operand;
    const struct wfb_kind *kind = kind_of(source, &operand);
    return !kind->live || kind->live(operand);
}

bool wf_link_is_file(const char *source) {
    const char *operand;
    return find_kind(source, &operand) == &wfb_file;
}

static void free_link(struct wf_link *link) {
    free(link->block);
    free(link);
}

int wf_link_open(struct uv_loop_s *loop, const char *source, const struct wf_link_options *options,
                 const struct wf_link_handlers *on, struct wf_link **link, struct wf_error *error) {
    const char *operand;
    const struct wfb_kind *kind = kind_of(source, &operand);
    struct wf_link_options own;
    *link = NULL;
    int err = wfb_copy_options(&own, sizeof own, options, error);
    if (err != WF_OK) return err;
    struct wf_link *l = calloc(1, kind->size);
    if (l) l->block = malloc(WFB_BLOCK);
    if (!l || !l->block) {
        free(l);
        return wf_error_code(error, WF_ERR_NOMEM);
    }
    l->kind = kind;
    l->loop = loop;
    l->options = own;
    l->on = *on;
    err = own.start && !kind->write
              ? wf_error_set(error, WF_ERR_USAGE, "%.200s: %s", source, wf_err_text(WF_ERR_ONE_WAY))
              : kind->open(l, operand, error);
    if (err == WF_OK)
        *link = l;
    else
        wf_link_close(l);
    return err;
}

void wf_link_close(struct wf_link *link) {
    if (link->closing) return;
    link->closing = true;
    link->kind->close(link);
    if (!link->handles) free_link(link);
}

bool wf_peer_hold(struct wf_peer *peer, bool hold) {
    if (!peer->link->kind->hold) return false;
    peer->link->kind->hold(peer, hold);
    return true;
}

void wfb_handle_opened(struct wf_link *link, void *handle) {
    ((uv_handle_t *)handle)->data = link;
    ++link->handles;
}

void wfb_handle_closed(uv_handle_t *handle) {
    struct wf_link *link = handle->data;
    if (--link->handles == 0 && link->closing) free_link(link);
}

void wfb_handle_close(void *handle) {
    if (((uv_handle_t *)handle)->data && !uv_is_closing(handle))
        uv_close(handle, wfb_handle_closed);
}

void wfb_handle_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
    const struct wf_link *link = handle->data;
    (void)size;
    *buf = uv_buf_init((char *)link->block, WFB_BLOCK);
}

void wfb_up(struct wf_link *link, struct wf_peer *peer) {
    unsigned lane = 0;
    for (struct wf_peer *p = link->peers; p;) {
        if (p->lane != lane) {
            p = p->next;
            continue;
        }
        ++lane; // in use: try the next one, from the start
        p = link->peers;
    }
    peer->link = link;
    peer->lane = lane;
    peer->opening = (struct wfb_opening){.bytes = 0};
    peer->next = link->peers;
    link->peers = peer;
    link->on.up(link->on.ctx, peer);
    const struct wf_link_options *o = &link->options;
    if (o->start && link->kind->write(peer, (const uint8_t *)o->start, o->start_len) != WF_OK)
        wfb_report(link, "%s: the command to start could not be sent", peer->name);
}

void wfb_down(struct wf_peer *peer, const char *why) {
    struct wf_peer **at = &peer->link->peers;
    while (*at && *at != peer) at = &(*at)->next;
    if (!*at) return;
    *at = peer->next;
    peer->link->on.down(peer->link->on.ctx, peer, why);
}

void wfb_done(struct wf_link *link, int err) {
    if (!link->closing) link->on.done(link->on.ctx, err);
}

void wfb_report(struct wf_link *link, const char *format, ...) {
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    link->on.report(link->on.ctx, text);
}

unsigned wf_link_port(const struct wf_link *link) { return link->port; }

const char *wf_peer_name(const struct wf_peer *peer) { return peer->name; }
unsigned wf_peer_lane(const struct wf_peer *peer) { return peer->lane; }
bool wf_peer_is_recording(const struct wf_peer *peer) { return peer->recording; }

void wf_peer_restart(struct wf_peer *peer) { peer->seq = 0; }

static int write_frame(struct wf_peer *peer, uint8_t record, const void *payload, size_t len) {
    uint8_t *frame = malloc(2 * len + 8);
    if (!frame) return WF_ERR_NOMEM;
    size_t frame_len = wf_frame_write(frame, (uint8_t)(peer->seq + 1), record, payload, len);
    int err = peer->link->kind->write(peer, frame, frame_len);
    free(frame);
    return err;
}

int wf_peer_send(struct wf_peer *peer, uint8_t record, const void *payload, size_t len) {
    const struct wfb_kind *kind = peer->link->kind;
    if (!kind->write && !kind->send) return WF_ERR_ONE_WAY;
    int err = (kind->send ? kind->send : write_frame)(peer, record, payload, len);
    if (err == WF_OK) ++peer->seq;
    return err;
}

static void on_written(uv_write_t *request, int status) {
    (void)status; // a failed link reports the error when it is read
    free(request);
}

int wfb_stream_write(uv_stream_t *stream, const uint8_t *bytes, size_t len) {
    uv_buf_t buf = uv_buf_init((char *)(uintptr_t)bytes, (unsigned)len);
    int n = uv_try_write(stream, &buf, 1);
    if (n == (int)len) return WF_OK;
    if (n < 0 && n != UV_EAGAIN) return WF_ERR_LINK;
    size_t done = n > 0 ? (size_t)n : 0;
    uv_write_t *request = malloc(sizeof *request + len - done);
    if (!request) return WF_ERR_NOMEM;
    memcpy(request + 1, bytes + done, len - done);
    buf = uv_buf_init((char *)(request + 1), (unsigned)(len - done));
    if (uv_write(request, stream, &buf, 1, on_written) == 0) return WF_OK;
    free(request);
    return WF_ERR_LINK;
}

bool wfb_parse_unsigned(const char *text, unsigned long most, unsigned long *value) {
    char *end;
    errno = 0;
    *value = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *value <= most;
}

int wfb_parse_address(const char *text, struct sockaddr_storage *address, struct wf_error *error) {
    const char *colon = strrchr(text, ':'), *port_text = colon ? colon + 1 : text;
    char host[128] = "127.0.0.1";
    unsigned long port;
    if (colon) snprintf(host, sizeof host, "%.*s", (int)(colon - text), text);
    if (!*host)
        return wf_error_set(
            error, WF_ERR_USAGE,
            "'%.100s': no host before the colon; leave the colon out for the loopback", text);
    size_t len = strlen(host);
    if (host[0] == '[' && host[len - 1] == ']') { // an IPv6 address
        memmove(host, host + 1, len - 2);
        host[len - 2] = 0;
    }
    if (!wfb_parse_unsigned(port_text, 65535, &port))
        return wf_error_set(error, WF_ERR_USAGE, "port '%s' is not a number from 0 to 65535",
                            port_text);
    if (uv_ip4_addr(host, (int)port, (struct sockaddr_in *)address) == 0) return WF_OK;
    if (uv_ip6_addr(host, (int)port, (struct sockaddr_in6 *)address) == 0) return WF_OK;
    // IPv4 first: localhost has both, and few debug probe servers support IPv6.
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int err = getaddrinfo(host, port_text, &hints, &found);
    hints.ai_family = AF_UNSPEC;
    if (err) err = getaddrinfo(host, port_text, &hints, &found);
    if (err == 0) memcpy(address, found->ai_addr, found->ai_addrlen);
    if (found) freeaddrinfo(found);
    return err ? wf_error_set(error, WF_ERR_USAGE, "'%s': %s", host, gai_strerror(err)) : WF_OK;
}

bool wfb_same_address(const struct sockaddr_storage *a, const struct sockaddr *b) {
    if (a->ss_family != b->sa_family) return false;
    if (b->sa_family == AF_INET) {
        const struct sockaddr_in *x = (const struct sockaddr_in *)a;
        const struct sockaddr_in *y = (const struct sockaddr_in *)b;
        return x->sin_port == y->sin_port && x->sin_addr.s_addr == y->sin_addr.s_addr;
    }
    const struct sockaddr_in6 *x = (const struct sockaddr_in6 *)a;
    const struct sockaddr_in6 *y = (const struct sockaddr_in6 *)b;
    return x->sin6_port == y->sin6_port && memcmp(&x->sin6_addr, &y->sin6_addr, 16) == 0;
}

socklen_t wfb_address_len(const struct sockaddr *address) {
    return address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                          : sizeof(struct sockaddr_in);
}

// The port is at the same offset for both families.
unsigned wfb_address_port(const struct sockaddr *address) {
    return ntohs(((const struct sockaddr_in *)address)->sin_port);
}

void wfb_address_name(const struct sockaddr *address, char name[WFB_PEER_NAME_MAX]) {
    char host[64] = "?";
    bool six = address->sa_family == AF_INET6;
    uv_ip_name(address, host, sizeof host);
    snprintf(name, WFB_PEER_NAME_MAX, six ? "[%s]:%u" : "%s:%u", host, wfb_address_port(address));
}

int wfb_listening(struct wf_link *link, const struct sockaddr *address, int err,
                  struct wf_error *error) {
    char name[WFB_PEER_NAME_MAX];
    wfb_address_name(address, name);
    if (err == UV_EADDRINUSE) return wfb_in_use(address, "", error);
    if (err) return wf_error_set(error, WF_ERR_LINK, "%s: %s", name, uv_strerror(err));
    wfb_report(link, "waiting for a target on %s", name);
    return WF_OK;
}
