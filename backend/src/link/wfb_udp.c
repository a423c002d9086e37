// SPDX-License-Identifier: MIT
// Targets that send datagrams here; each address is a peer of its own. UDP does not show when a
// target leaves: it counts as disconnected after a minute of silence, with `once` after 3 seconds.
// If only one target is allowed, a new sender replaces the present one after a second of silence:
// usually it is the same target after a restart, with a new port.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfb_link.h"

enum { PEERS_MAX = 64, CHECK_MS = 500, SILENT_MS = 60000, SILENT_ONCE_MS = 3000 };
enum { SILENT_REPLACED_MS = 1000, SUCCESSOR_MAX = 256 * 1024 };
enum { ROOM = 4 * 1024 * 1024 }; // requested size of the system's queue

struct sender {
    struct wf_peer peer;
    struct sockaddr_storage address;
    uint64_t heard_ms;
};

// A new sender that waits, with its bytes so far: the start of the trace and names.
struct successor {
    struct sockaddr_storage address;
    uint8_t *bytes; // SUCCESSOR_MAX bytes; null: not allocated yet
    size_t len;     // 0: no sender waits
};

struct udp {
    struct wf_link link;
    uv_udp_t socket;
    uv_timer_t timer;
    bool reported_full;
    unsigned count;
    struct successor successor;
};

static void remove_sender(struct udp *u, struct sender *s, const char *why) {
    --u->count;
    wfb_down(&s->peer, why);
    free(s);
}

static void report_full(struct udp *u, const char *heard) {
    if (!u->reported_full && heard)
        wfb_report(&u->link, "another target sends too; it is ignored while %s sends", heard);
    else if (!u->reported_full)
        wfb_report(&u->link, "more than %u targets: the others are ignored", PEERS_MAX);
    u->reported_full = true;
}

static struct sender *add_sender(struct udp *u, const struct sockaddr *address) {
    struct sender *s = u->count < PEERS_MAX ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        report_full(u, NULL);
        return NULL;
    }
    memcpy(&s->address, address, wfb_address_len(address));
    s->heard_ms = uv_now(u->link.loop);
    wfb_address_name(address, s->peer.name);
    ++u->count;
    wfb_up(&u->link, &s->peer);
    return s;
}

static struct sender *find_sender(struct udp *u, const struct sockaddr *address) {
    struct wf_peer *p = u->link.peers;
    while (p && !wfb_same_address(&((struct sender *)p)->address, address)) p = p->next;
    return (struct sender *)p;
}

// Returns the peer that must leave for a new sender; null when there is room.
static struct sender *longest_silent(struct udp *u) {
    unsigned most = u->link.options.most;
    struct sender *first = NULL;
    if (!most || u->count < most) return NULL;
    for (struct wf_peer *p = u->link.peers; p; p = p->next) {
        struct sender *s = (struct sender *)p;
        if (!first || s->heard_ms < first->heard_ms) first = s;
    }
    return first;
}

static bool is_silent(const struct udp *u, const struct sender *s) {
    return !u->link.options.once && uv_now(u->link.loop) - s->heard_ms >= SILENT_REPLACED_MS;
}

// Bytes that do not fit are dropped and become a gap in the sequence.
static void hold_bytes(struct udp *u, const struct sockaddr *address, const char *bytes,
                       size_t len) {
    struct successor *h = &u->successor;
    if (!h->bytes) h->bytes = malloc(SUCCESSOR_MAX);
    if (!h->bytes || (h->len && !wfb_same_address(&h->address, address)) ||
        len > SUCCESSOR_MAX - h->len)
        return;
    memcpy(&h->address, address, wfb_address_len(address));
    memcpy(h->bytes + h->len, bytes, len);
    h->len += len;
}

static void replace_sender(struct udp *u, struct sender *old) {
    struct successor *h = &u->successor;
    remove_sender(u, old, "silent, and another target sends");
    u->reported_full = false;
    struct sender *s = add_sender(u, (const struct sockaddr *)&h->address);
    if (s) wfb_bytes(&s->peer, h->bytes, h->len);
    h->len = 0;
}

// The present peer is still active: the new sender does not replace it.
static void drop_held(struct udp *u, const struct sender *s) {
    if (u->successor.len) report_full(u, s->peer.name);
    u->successor.len = 0;
}

static void on_datagram(uv_udp_t *socket, ssize_t n, const uv_buf_t *buf,
                        const struct sockaddr *address, unsigned flags) {
    struct udp *u = socket->data;
    (void)flags; // a datagram is never larger than the block
    if (n <= 0 || !address || u->link.closing) return;
    struct sender *s = find_sender(u, address), *old = longest_silent(u);
    if (!s && old) {
        hold_bytes(u, address, buf->base, (size_t)n);
        if (u->successor.len && is_silent(u, old)) replace_sender(u, old);
        return;
    }
    if (!s) s = add_sender(u, address);
    if (!s) return;
    drop_held(u, s);
    s->heard_ms = uv_now(u->link.loop);
    wfb_bytes(&s->peer, (const uint8_t *)buf->base, (size_t)n);
}

static void on_check(uv_timer_t *timer) {
    struct udp *u = timer->data;
    uint64_t now = uv_now(u->link.loop), most = u->link.options.once ? SILENT_ONCE_MS : SILENT_MS;
    bool left = false;
    struct sender *old = longest_silent(u);
    if (u->successor.len && old && is_silent(u, old)) replace_sender(u, old);
    for (struct wf_peer *p = u->link.peers, *next; p; p = next) {
        next = p->next;
        if (now - ((struct sender *)p)->heard_ms < most) continue;
        left = true;
        remove_sender(u, (struct sender *)p,
                      u->link.options.once ? "silent for 3 s" : "silent for 60 s");
    }
    if (left && u->link.options.once) wfb_done(&u->link, WF_OK);
}

static void close_udp(struct wf_link *link) {
    struct udp *u = (struct udp *)link;
    while (link->peers) remove_sender(u, (struct sender *)link->peers, "");
    free(u->successor.bytes);
    u->successor.bytes = NULL;
    u->successor.len = 0;
    wfb_handle_close(&u->socket);
    wfb_handle_close(&u->timer);
}

static int open_udp(struct wf_link *link, const char *operand, struct wf_error *error) {
    struct udp *u = (struct udp *)link;
    struct sockaddr_storage address = {0};
    int len = sizeof address, room = ROOM;
    if (wfb_parse_address(operand, &address, error) != WF_OK) return WF_ERR_USAGE;
    uv_udp_init(link->loop, &u->socket);
    wfb_handle_opened(link, &u->socket);
    uv_timer_init(link->loop, &u->timer);
    wfb_handle_opened(link, &u->timer);
    int err = uv_udp_bind(&u->socket, (const struct sockaddr *)&address, 0);
    if (err == 0) err = uv_udp_getsockname(&u->socket, (struct sockaddr *)&address, &len);
    uv_recv_buffer_size((uv_handle_t *)&u->socket, &room);
    if (err == 0) err = uv_udp_recv_start(&u->socket, wfb_handle_alloc, on_datagram);
    if (err == 0) err = uv_timer_start(&u->timer, on_check, CHECK_MS, CHECK_MS);
    return wfb_listening(link, (const struct sockaddr *)&address, err, error);
}

static int write_udp(struct wf_peer *peer, const uint8_t *frame, size_t len) {
    struct udp *u = (struct udp *)peer->link;
    uv_buf_t buf = uv_buf_init((char *)(uintptr_t)frame, (unsigned)len);
    int n = uv_udp_try_send(&u->socket, &buf, 1,
                            (const struct sockaddr *)&((struct sender *)peer)->address);
    return n == (int)len ? WF_OK : WF_ERR_LINK;
}

const struct wfb_kind wfb_udp = {sizeof(struct udp), open_udp, close_udp, write_udp, NULL, NULL,
                                 WFB_ASK_FREE,       NULL};
