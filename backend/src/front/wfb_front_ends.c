// SPDX-License-Identifier: MIT
// Attached front ends, and sending to them. Packets for a front end are queued; once per loop
// iteration each queue passes a bounded batch to the system. So a slow front end does not block the
// link or the others: packets that do not fit its queue are counted, and the count is reported when
// half of the queue is free. A front end that has gone without DETACH is detected by the ICMP error
// that a packet to it caused, which the system keeps in the socket's error queue.

#include "wfb_front.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <linux/errqueue.h>

enum {
    QUEUE_BYTES = 1 << 20, // about 10000 lines
    BATCH = 64,
    HANDLES = 5,
    SECOND_MS = 1000,
    RETRY_MS = 2,
    ALIVE_S = 10, // for front ends that send ALIVE each second
};

static void send_all(struct wf_front *f);

struct wfb_front_end *wfb_end_find(struct wf_front *f, const struct sockaddr *address) {
    struct wfb_front_end *e = f->ends;
    while (e && !wfb_same_address(&e->address, address)) e = e->next;
    return e;
}

static struct wfb_front_end *add_end(struct wf_front *f, const struct sockaddr *address) {
    struct wfb_front_end *e = calloc(1, sizeof *e);
    if (!e || !wfb_queue_open(&e->queue, QUEUE_BYTES)) {
        free(e);
        return NULL;
    }
    e->front = f;
    memcpy(&e->address, address, wfb_address_len(address));
    wfb_address_name(address, e->name);
    e->next = f->ends;
    f->ends = e;
    if (++f->end_count > f->count.most) f->count.most = f->end_count;
    ++f->count.attached;
    return e;
}

void wfb_end_attach(struct wf_front *f, const struct sockaddr *address, uint8_t seq,
                    uint8_t channels) {
    struct wfb_front_end *e = wfb_end_find(f, address);
    bool was = e != NULL;
    if (!e && f->end_count < WF_FRONT_ENDS_MAX) e = add_end(f, address);
    if (!e) {
        ++f->count.refused;
        wfb_front_printf(f, WF_LINE_INFO, NULL, "   <F-END> WARN     UDP socket in use");
        return;
    }
    // A repeated ATTACH starts anew: queued packets belong to the earlier session.
    wfb_queue_clear(&e->queue);
    f->text_count -= (e->channels & WFB_CHANNEL_TEXT) != 0;
    f->text_count += (channels & WFB_CHANNEL_TEXT) != 0;
    e->channels = channels;
    e->expected = (uint8_t)(seq + 1);
    e->own = 0;
    e->losing = 0;
    e->heard_ms = uv_now(f->loop);
    wfb_end_send(e, ++e->own, WFB_ATTACH, NULL, 0);
    if (channels & WFB_CHANNEL_KNOWN) wfb_known_send(f, e);
    if (was) return;
    char bits[9] = "";
    for (unsigned i = 0; i < 8; ++i) bits[i] = channels >> (7 - i) & 1 ? '1' : '0';
    wfb_front_printf(f, WF_LINE_INFO, NULL, "   <F-END> Attached Chan=%s", bits);
}

void wfb_end_drop(struct wfb_front_end *e) {
    struct wf_front *f = e->front;
    struct wfb_front_end **at = &f->ends;
    while (*at != e) at = &(*at)->next;
    *at = e->next;
    --f->end_count;
    f->text_count -= (e->channels & WFB_CHANNEL_TEXT) != 0;
    wfb_queue_close(&e->queue);
    free(e);
}

// The text is as large as the longest line, so that it fits when half of the queue is free.
static void report_loss(struct wfb_front_end *e) {
    uint32_t lost = e->losing;
    char text[64];
    e->losing = 0;
    if (e->channels & WFB_CHANNEL_TEXT) {
        int len = snprintf(text, sizeof text, "   <F-END> ERROR    Lost Packets=%u", lost);
        wfb_end_text(e, e->front->record, text, (size_t)len);
    }
    if (e->channels & WFB_CHANNEL_KNOWN) {
        uint8_t le[4] = {(uint8_t)lost, (uint8_t)(lost >> 8), (uint8_t)(lost >> 16),
                         (uint8_t)(lost >> 24)};
        wfb_end_send(e, ++e->own, WFB_OWN_LOST, le, sizeof le);
    }
}

// Reserves space in the queue. After a packet did not fit, the next ones are dropped until half of
// the queue is free: one long loss is more useful than many short ones.
static uint8_t *reserve(struct wfb_front_end *e, size_t len) {
    if (e->losing && e->queue.used < e->queue.cap / 2) report_loss(e);
    uint8_t *to = e->losing ? NULL : wfb_queue_add(&e->queue, len);
    if (to) return to;
    ++e->losing;
    ++e->front->count.lost;
    return NULL;
}

void wfb_end_send(struct wfb_front_end *e, uint8_t seq, uint8_t id, const void *payload,
                  size_t len) {
    uint8_t *to = reserve(e, 2 + len);
    if (!to) return;
    to[0] = seq;
    to[1] = id;
    if (len) memcpy(to + 2, payload, len);
}

void wfb_end_text(struct wfb_front_end *e, uint8_t record, const char *text, size_t len) {
    uint8_t seq = ++e->own;
    uint8_t *to = reserve(e, 3 + len);
    if (!to) return;
    to[0] = seq;
    to[1] = WFB_TO_TEXT;
    to[2] = record;
    memcpy(to + 3, text, len);
}

static void drop_vanished(struct wfb_front_end *e, uint64_t *counter) {
    struct wf_front *f = e->front;
    char name[WFB_PEER_NAME_MAX];
    memcpy(name, e->name, sizeof name);
    ++*counter;
    wfb_end_drop(e);
    wfb_front_printf(f, WF_LINE_INFO, NULL, "   <F-END> Gone     Host=%s", name);
}

// Drops front ends whose packets caused errors. Only the Linux error queue shows which address an
// error belongs to.
static void read_errors(struct wf_front *f) {
    uv_os_fd_t fd;
    if (uv_fileno((uv_handle_t *)&f->udp, &fd) != 0) return;
    for (int i = 0; i < 2 * WF_FRONT_ENDS_MAX; ++i) {
        struct sockaddr_storage address = {0};
        char control[512];
        struct msghdr m = {.msg_name = &address,
                           .msg_namelen = sizeof address,
                           .msg_control = control,
                           .msg_controllen = sizeof control};
        if (recvmsg(fd, &m, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return;
        bool gone = false;
        for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
            bool v4 = c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR;
            bool v6 = c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR;
            struct sock_extended_err err;
            if (!v4 && !v6) continue;
            memcpy(&err, CMSG_DATA(c), sizeof err);
            gone = err.ee_errno == ECONNREFUSED;
        }
        struct wfb_front_end *e = wfb_end_find(f, (const struct sockaddr *)&address);
        if (gone && e) drop_vanished(e, &f->count.vanished);
    }
}

enum sent { SENT, SENT_ERROR, SENT_NO_ROOM };

// Passes a batch of a queue to the system.
static enum sent send_batch(struct wfb_front_end *e) {
    struct mmsghdr messages[BATCH];
    struct iovec parts[BATCH];
    unsigned n = e->queue.count < BATCH ? e->queue.count : BATCH;
    size_t at = e->queue.head;
    socklen_t namelen = wfb_address_len((const struct sockaddr *)&e->address);
    uv_os_fd_t fd;
    if (uv_fileno((uv_handle_t *)&e->front->udp, &fd) != 0) return SENT_NO_ROOM;
    memset(messages, 0, n * sizeof *messages);
    for (unsigned i = 0; i < n; ++i) {
        size_t len;
        parts[i].iov_base = (void *)(uintptr_t)wfb_queue_at(&e->queue, &at, &len);
        parts[i].iov_len = len;
        messages[i].msg_hdr = (struct msghdr){
            .msg_name = &e->address, .msg_namelen = namelen, .msg_iov = &parts[i], .msg_iovlen = 1};
    }
    int sent = sendmmsg(fd, messages, n, MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS))
        return SENT_NO_ROOM;
    if (sent < 0) return SENT_ERROR; // for any earlier packet, to any address
    wfb_queue_drop(&e->queue, (unsigned)sent);
    e->front->count.sent += (unsigned)sent;
    return SENT;
}

// A packet that cannot be sent at all must not block the next ones.
static enum sent send_end(struct wfb_front_end *e) {
    enum sent result = send_batch(e);
    for (int tries = 0; result == SENT_ERROR && tries < 3; ++tries) result = send_batch(e);
    if (result != SENT_ERROR) return result;
    wfb_queue_drop(&e->queue, 1);
    ++e->losing;
    ++e->front->count.lost;
    return SENT;
}

static void on_idle(uv_idle_t *idle) { (void)idle; } // only keeps the loop from waiting

static void on_retry(uv_timer_t *timer) {
    struct wf_front *f = timer->data;
    f->blocked = false;
}

static void send_all(struct wf_front *f) {
    bool more = false;
    if (f->blocked) return;
    for (struct wfb_front_end *e = f->ends; e && !f->blocked; e = e->next) {
        if (e->losing && e->queue.used < e->queue.cap / 2) report_loss(e);
        if (!e->queue.count) continue;
        f->blocked = send_end(e) == SENT_NO_ROOM;
        more = more || e->queue.count;
    }
    if (f->blocked) uv_timer_start(&f->retry, on_retry, RETRY_MS, 0);
    if (more && !f->blocked)
        uv_idle_start(&f->idle, on_idle);
    else
        uv_idle_stop(&f->idle);
}

static void on_prepare(uv_prepare_t *prepare) { send_all(prepare->data); }

static void on_second(uv_timer_t *timer) {
    struct wf_front *f = timer->data;
    uint64_t now = uv_now(f->loop);
    for (struct wfb_front_end *e = f->ends, *next; e; e = next) {
        unsigned most_s = e->channels & WFB_CHANNEL_KNOWN ? ALIVE_S : f->options.idle_s;
        next = e->next;
        if (most_s && now - e->heard_ms > most_s * (uint64_t)SECOND_MS)
            drop_vanished(e, &f->count.idle);
    }
    wfb_files_flush(f);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
    struct wf_front *f = handle->data;
    (void)size;
    *buf = uv_buf_init((char *)f->datagram, sizeof f->datagram);
}

static void on_receive(uv_udp_t *udp, ssize_t n, const uv_buf_t *buf, const struct sockaddr *from,
                       unsigned flags) {
    struct wf_front *f = udp->data;
    (void)flags;
    if (from && n >= 0)
        wfb_front_packet(f, from, (const uint8_t *)buf->base, (size_t)n);
    else
        read_errors(f);
}

static void on_closed(uv_handle_t *handle) {
    struct wf_front *f = handle->data;
    if (--f->handles == 0) free(f);
}

int wfb_ends_open(struct wf_front *f, struct wf_error *error) {
    struct sockaddr_storage address = {0};
    int len = sizeof address;
    char name[WFB_PEER_NAME_MAX];
    const char *listen = f->options.listen ? f->options.listen : WFB_FRONT_ADDRESS;
    if (wfb_parse_address(listen, &address, error) != WF_OK) return WF_ERR_USAGE;
    uv_prepare_init(f->loop, &f->prepare);
    uv_idle_init(f->loop, &f->idle);
    uv_timer_init(f->loop, &f->retry);
    uv_timer_init(f->loop, &f->second);
    uv_udp_init(f->loop, &f->udp);
    f->prepare.data = f->idle.data = f->retry.data = f->second.data = f->udp.data = f;
    f->handles = HANDLES;
    int err = uv_udp_bind(&f->udp, (const struct sockaddr *)&address, UV_UDP_LINUX_RECVERR);
    if (err == 0) err = uv_udp_getsockname(&f->udp, (struct sockaddr *)&address, &len);
    wfb_address_name((const struct sockaddr *)&address, name);
    if (err == UV_EADDRINUSE)
        return wf_error_set(error, WF_ERR_LINK,
                            "%s is in use by another program; --front takes another port", name);
    if (err) return wf_error_set(error, WF_ERR_LINK, "%s: %s", name, uv_strerror(err));
    uv_udp_recv_start(&f->udp, on_alloc, on_receive);
    uv_prepare_start(&f->prepare, on_prepare);
    uv_timer_start(&f->second, on_second, SECOND_MS, SECOND_MS);
    if (f->on.report) {
        char text[WFB_PEER_NAME_MAX + 64];
        snprintf(text, sizeof text, "waiting for front ends on %s", name);
        f->on.report(f->on.ctx, text);
    }
    return WF_OK;
}

// Queued packets are still sent, as far as the system accepts them.
static void send_detach(struct wfb_front_end *e) {
    if (e->losing) wfb_queue_clear(&e->queue);
    e->losing = 0;
    wfb_end_send(e, (uint8_t)(e->own + 1), WFB_DETACH, NULL, 0);
    while (e->queue.count && send_end(e) == SENT) continue;
}

void wfb_ends_close(struct wf_front *f) {
    uv_handle_t *const handles[HANDLES] = {(uv_handle_t *)&f->prepare, (uv_handle_t *)&f->idle,
                                           (uv_handle_t *)&f->retry, (uv_handle_t *)&f->second,
                                           (uv_handle_t *)&f->udp};
    while (f->ends) {
        send_detach(f->ends);
        wfb_end_drop(f->ends);
    }
    if (!f->handles) {
        free(f);
        return;
    }
    for (unsigned i = 0; i < HANDLES; ++i) uv_close(handles[i], on_closed);
}
