// SPDX-License-Identifier: MIT
// A target that started before the connection has already sent its names. The first complete frame
// of a connection shows this case: it is neither the empty record nor the target info of a reset,
// with which each trace begins. Then the link sends INFO, once per connection: a target with a
// table of names (docs/names-again.md) answers with all of them, any other target with its sizes.

#include <string.h>

#include "wfb_link.h"

enum {
    INFO_LEN = 16,
    INFO8_LEN = 18,
    RESET8 = 0x40,
    FRAME_MIN = 3,        // sequence, record, checksum
    LOOK_MAX = 64 * 1024, // bytes without a complete frame: not a trace of frames
    SUM_GOOD = 0xFF,
};

bool wfb_is_reset(uint8_t id, const uint8_t *payload, size_t len) {
    if (id != WF_RECORD_target_info) return false;
    return (len == INFO_LEN && *payload) || (len == INFO8_LEN && *payload & RESET8);
}

static bool begins_trace(const struct wfb_opening *f) {
    return f->head[1] == 0 || wfb_is_reset(f->head[1], f->head + 2, f->len - FRAME_MIN);
}

static void add_byte(struct wfb_opening *f, uint8_t byte) {
    if (f->len < sizeof f->head) f->head[f->len] = byte;
    f->sum = (uint8_t)(f->sum + byte);
    ++f->len;
}

// Takes a byte. Returns true if it ends a complete frame. The bytes before the first flag are
// usually the rest of a frame, whose checksum is wrong.
static bool decode_byte(struct wfb_opening *f, uint8_t byte) {
    if (byte == 0x7E) {
        if (f->len >= FRAME_MIN && f->sum == SUM_GOOD && !f->escaped) return true;
        f->len = f->sum = 0;
        f->escaped = false;
    } else if (byte == 0x7D) {
        f->escaped = true;
    } else {
        add_byte(f, f->escaped ? byte ^ 0x20 : byte);
        f->escaped = false;
    }
    return false;
}

static bool may_ask(const struct wf_link *link) {
    switch (link->options.ask) {
    case WF_ASK_ALWAYS: return link->kind->ask != WFB_ASK_NEVER;
    case WF_ASK_AUTO: return link->kind->ask == WFB_ASK_FREE;
    default: return false;
    }
}

static void request_info(struct wf_peer *peer) {
    struct wf_link *link = peer->link;
    if (wf_peer_send(peer, WF_COMMAND_INFO, NULL, 0) == WF_OK && link->on.sent)
        link->on.sent(link->on.ctx, peer, WF_COMMAND_INFO, NULL, 0);
}

static void find_first_frame(struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct wfb_opening *f = &peer->opening;
    for (size_t i = 0; i < len && !f->done; ++i) {
        bool whole = decode_byte(f, bytes[i]);
        f->done = whole || ++f->bytes == LOOK_MAX;
        f->wants = whole && !begins_trace(f);
    }
}

// The bytes of another tracer may look like a frame: its target must not get a command.
static bool is_commandable(struct wf_peer *peer) {
    const struct wf_link_handlers *on = &peer->link->on;
    return !on->commandable || on->commandable(on->ctx, peer);
}

void wfb_bytes(struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct wf_link *link = peer->link;
    if (!peer->opening.done && may_ask(link)) find_first_frame(peer, bytes, len);
    link->on.bytes(link->on.ctx, peer, bytes, len);
    if (!peer->opening.wants || link->closing || !is_commandable(peer)) return;
    peer->opening.wants = false;
    request_info(peer);
}
