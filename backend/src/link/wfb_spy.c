// SPDX-License-Identifier: MIT
// A front end of a running `wallfly serve`, or of QSPY. Its binary packets are converted back to
// frames with the target's own sequence, so UDP loss is detected as any other loss. wallfly's
// server first sends the known state of the target (names, sizes), from outside the stream. QSPY is
// asked for the target info, and records before the answer wait for it, two seconds at most. A lost
// server is polled each second until it answers; a server announces when the target disconnects and
// connects. wallfly's own packets: wfb_front.h.

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "front/wfb_front.h"
#include "wallfly_host/wf_command.h"

enum {
    SECOND_MS = 1000,
    SILENT_MS = 5000, // wallfly's server answers each second
    RECEIVE_BYTES = 4 << 20,
    FRAME_MAX = 2 * WFB_PACKET_MAX + 8,
};

struct spy {
    struct wf_link link;
    struct wf_peer peer;
    uv_udp_t udp;
    uv_timer_t timer;
    bool up;
    bool away;     // the target has left the server
    bool wallfly;  // the server is wallfly's
    bool reported; // that it waits for the server
    bool asked;    // the server is QSPY, and INFO was sent
    bool waits;    // frames in link.block wait for the answer
    uint8_t seq;   // sequence number of the last packet sent
    uint64_t heard_ms, asked_ms;
    size_t block_len; // frames that wait in link.block
    char datagram[65536];
};

static int send_packet(struct spy *s, uint8_t id, const void *payload, size_t len) {
    uint8_t packet[WFB_PACKET_MAX];
    if (len + 2 > sizeof packet) return WF_ERR_LINK;
    packet[0] = (uint8_t)(s->seq + 1);
    packet[1] = id;
    if (len) memcpy(packet + 2, payload, len);
    uv_buf_t buf = uv_buf_init((char *)packet, (unsigned)(len + 2));
    if (uv_udp_try_send(&s->udp, &buf, 1, NULL) < 0) return WF_ERR_LINK;
    ++s->seq;
    return WF_OK;
}

static void pass_frames(struct spy *s) {
    size_t len = s->block_len;
    s->block_len = 0;
    s->waits = false;
    if (len) wfb_bytes(&s->peer, s->link.block, len);
}

static void lose_server(struct spy *s, const char *why) {
    if (!s->up) return;
    pass_frames(s);
    s->up = s->wallfly = false;
    if (!s->away) wfb_down(&s->peer, why);
    s->away = false;
    if (s->link.options.once) wfb_done(&s->link, WF_OK);
}

static void add_frame(struct spy *s, uint8_t seq, uint8_t id, const uint8_t *payload, size_t len) {
    if (s->block_len + FRAME_MAX > WFB_BLOCK) pass_frames(s);
    s->block_len += wf_frame_write(s->link.block + s->block_len, seq, id, payload, len);
}

static bool is_reset(const uint8_t *packet, size_t len) {
    return wfb_is_reset(packet[1], packet + 2, len - 2);
}

// QSPY does not forward record 0, which precedes the info of a reset.
static bool lacks_start(const struct spy *s, const uint8_t *packet, size_t len) {
    return !s->wallfly && packet[0] == 2 && is_reset(packet, len);
}

// QSPY sends the target info only on request.
static void request_info(struct spy *s) {
    if (s->wallfly || s->asked) return;
    s->asked = s->waits = true;
    s->asked_ms = uv_now(s->link.loop);
    send_packet(s, WF_COMMAND_INFO, NULL, 0);
}

// The answer applies to the waiting frames; the info of a reset does not.
static void apply_answer(struct spy *s, const uint8_t *packet, size_t len) {
    if (!s->waits || packet[1] != WF_RECORD_target_info) return;
    if (!is_reset(packet, len) && s->link.on.known)
        s->link.on.known(s->link.on.ctx, &s->peer, packet[1], packet + 2, len - 2);
    pass_frames(s);
}

static void clean_text(const uint8_t *text, size_t len, char *clean, size_t cap) {
    size_t n = 0;
    for (; n < len && n + 1 < cap; ++n) clean[n] = isprint(text[n]) ? (char)text[n] : '?';
    clean[n] = 0;
}

static void connect_target(struct spy *s) {
    if (!s->away) return;
    s->away = false;
    s->peer.seq = 0;
    wfb_up(&s->link, &s->peer);
}

static void disconnect_target(struct spy *s, const uint8_t *why, size_t len) {
    char text[128];
    if (s->away) return;
    pass_frames(s);
    s->away = true;
    clean_text(why, len, text, sizeof text);
    wfb_down(&s->peer, text);
}

static void take_target_packet(struct spy *s, const uint8_t *p, size_t len) {
    if (len && *p)
        connect_target(s);
    else if (len)
        disconnect_target(s, p + 1, len - 1);
}

static void take_record(struct spy *s, const uint8_t *packet, size_t len) {
    connect_target(s); // in case the packet that announced it was lost
    request_info(s);
    apply_answer(s, packet, len);
    if (lacks_start(s, packet, len)) add_frame(s, 1, 0, NULL, 0);
    add_frame(s, packet[0], packet[1], packet + 2, len - 2);
}

static void take_known(struct spy *s, const uint8_t *entry, size_t len) {
    s->wallfly = true;
    if (s->away) return;
    pass_frames(s); // earlier frames are decoded without it
    while (len >= 3) {
        size_t n = (size_t)entry[0] | (size_t)entry[1] << 8;
        if (n < 1 || n + 2 > len) return;
        if (s->link.on.known)
            s->link.on.known(s->link.on.ctx, &s->peer, entry[2], entry + 3, n - 1);
        entry += n + 2;
        len -= n + 2;
    }
}

static void report_message(struct spy *s, const uint8_t *text, size_t len) {
    char clean[200];
    while (len && isspace(*text)) {
        ++text;
        --len;
    }
    clean_text(text, len, clean, sizeof clean);
    wfb_report(&s->link, "%s: %s", s->peer.name, clean);
}

static void report_loss(struct spy *s, const uint8_t *p, size_t len) {
    if (len < 4) return;
    uint32_t lost = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    wfb_report(&s->link, "%s: %u packets lost: they arrive faster than they are read here",
               s->peer.name, lost);
}

static void connect_server(struct spy *s) {
    if (s->up) return;
    s->up = true;
    s->reported = s->asked = false;
    s->peer.seq = 0;
    wfb_up(&s->link, &s->peer);
}

static void take_packet(struct spy *s, const uint8_t *packet, size_t len) {
    if (len < 2 || len > WFB_PACKET_MAX) return;
    s->heard_ms = uv_now(s->link.loop);
    if (packet[1] == WFB_ATTACH) connect_server(s);
    if (!s->up) return;
    switch (packet[1]) {
    case WFB_DETACH: lose_server(s, ""); break;
    case WFB_OWN_KNOWN: take_known(s, packet + 2, len - 2); break;
    case WFB_OWN_LOST: report_loss(s, packet + 2, len - 2); break;
    case WFB_OWN_MESSAGE: report_message(s, packet + 2, len - 2); break;
    case WFB_OWN_TARGET: take_target_packet(s, packet + 2, len - 2); break;
    case WFB_OWN_START:
        connect_target(s);
        add_frame(s, packet[0], 0, packet + 2, len - 2);
        break;
    default:
        if (packet[1] != WFB_TO_TEXT && packet[1] < WFB_ATTACH) take_record(s, packet, len);
    }
}

static void on_receive(uv_udp_t *udp, ssize_t n, const uv_buf_t *buf, const struct sockaddr *from,
                       unsigned flags) {
    struct spy *s = udp->data;
    (void)flags;
    if (n < 0)
        lose_server(s, "the server has gone");
    else if (from)
        take_packet(s, (const uint8_t *)buf->base, (size_t)n);
    else if (s->up && !s->waits) // all available packets are read
        pass_frames(s);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
    struct spy *s = handle->data;
    (void)size;
    *buf = uv_buf_init(s->datagram, sizeof s->datagram);
}

static void send_attach(struct spy *s) {
    static const uint8_t channels = WFB_CHANNEL_BINARY | WFB_CHANNEL_KNOWN;
    send_packet(s, WFB_ATTACH, &channels, 1);
}

static void on_second(uv_timer_t *timer) {
    struct spy *s = timer->data;
    if (s->wallfly && uv_now(s->link.loop) - s->heard_ms > SILENT_MS) {
        lose_server(s, "the server does not answer");
        return;
    }
    if (s->wallfly) send_packet(s, WFB_OWN_ALIVE, NULL, 0);
    if (s->up) {
        request_info(s);
        if (s->waits && uv_now(s->link.loop) - s->asked_ms >= SECOND_MS) pass_frames(s);
        return;
    }
    if (!s->reported)
        wfb_report(&s->link, "waiting for a server of front ends on %s", s->peer.name);
    s->reported = true;
    send_attach(s);
}

static int send_command(struct wf_peer *peer, uint8_t command, const void *payload, size_t len) {
    return send_packet((struct spy *)peer->link, command, payload, len);
}

static void close_spy(struct wf_link *link) {
    struct spy *s = (struct spy *)link;
    if (s->up) {
        pass_frames(s);
        send_packet(s, WFB_DETACH, NULL, 0);
        s->up = false;
        wfb_down(&s->peer, ""); // does nothing if the target has disconnected before
    }
    wfb_handle_close(&s->udp);
    wfb_handle_close(&s->timer);
}

static int open_spy(struct wf_link *link, const char *operand, struct wf_error *error) {
    struct spy *s = (struct spy *)link;
    struct sockaddr_storage address = {0};
    int room = RECEIVE_BYTES;
    if (wfb_parse_address(*operand ? operand : WFB_FRONT_ADDRESS, &address, error) != WF_OK)
        return WF_ERR_USAGE;
    s->peer.link = link;
    wfb_address_name((const struct sockaddr *)&address, s->peer.name);
    uv_timer_init(link->loop, &s->timer);
    wfb_handle_opened(link, &s->timer);
    uv_udp_init(link->loop, &s->udp);
    wfb_handle_opened(link, &s->udp);
    int err = uv_udp_connect(&s->udp, (const struct sockaddr *)&address);
    if (err == 0) err = uv_udp_recv_start(&s->udp, on_alloc, on_receive);
    if (err) return wf_error_set(error, WF_ERR_LINK, "%s: %s", s->peer.name, uv_strerror(err));
    uv_recv_buffer_size((uv_handle_t *)&s->udp, &room); // the system may grant less
    uv_timer_start(&s->timer, on_second, SECOND_MS, SECOND_MS);
    send_attach(s);
    return WF_OK;
}

const struct wfb_kind wfb_spy = {sizeof(struct spy), open_spy, close_spy,     NULL,
                                 send_command,       NULL,     WFB_ASK_NEVER, NULL};
