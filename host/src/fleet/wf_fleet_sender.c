// SPDX-License-Identifier: MIT
// Bytes go through a ring; those of the message under way are in the message alone, so that what
// the ring gives up is never a part of it.
//
//   safe | message: from `offset`, `content` bytes | (a gap) | ring: from `next`, `len` bytes
//
// Until the first answer nothing but a chunk without content is sent, and offsets count from 0;
// they are moved behind what the agent has then.

#include "wallfly_host/wf_fleet_sender.h"

#include <stdlib.h>
#include <string.h>

enum { BREAKS_MAX = 8 };

struct wf_fleet_sender {
    uint64_t stream;
    uint8_t *ring;
    size_t cap, from, len;
    uint64_t next;       // offset of the ring's first byte
    uint64_t arrival_us; // of its oldest bytes, or later
    uint64_t latest_us;
    bool known;                  // what the agent wants: it has answered
    bool gap;                    // bytes before the ring's first were given up
    uint64_t breaks[BREAKS_MAX]; // in the ring: before the byte that was put as this one
    unsigned break_count;
    bool under_way;  // a message is
    uint64_t offset; // its first byte
    size_t content;
    struct wf_fleet_chunk chunk;
    uint64_t due_ms; // when it is sent, again
    bool was_sent;
    struct wf_fleet_sender_totals totals;
    uint8_t bytes[WF_FLEET_SENDER_CONTENT]; // its content
    uint8_t message[WF_FLEET_SENDER_CONTENT + WF_FLEET_CHUNK_FRAME];
    size_t message_len;
};

struct wf_fleet_sender *wf_fleet_sender_open(uint64_t stream, size_t capacity) {
    struct wf_fleet_sender *s = calloc(1, sizeof *s);
    if (s) s->ring = malloc(capacity);
    if (!s || !s->ring) {
        free(s);
        return NULL;
    }
    s->stream = stream;
    s->cap = capacity;
    return s;
}

void wf_fleet_sender_close(struct wf_fleet_sender *s) {
    if (!s) return;
    free(s->ring);
    free(s);
}

size_t wf_fleet_sender_room(const struct wf_fleet_sender *s) { return s->cap - s->len; }

const struct wf_fleet_sender_totals *wf_fleet_sender_totals(const struct wf_fleet_sender *s) {
    return &s->totals;
}

bool wf_fleet_sender_is_done(const struct wf_fleet_sender *s) {
    return !s->len && !(s->under_way && s->content);
}

// ---- the ring

// The ring's first byte is the n-th that was put.
static uint64_t first_put(const struct wf_fleet_sender *s) { return s->totals.bytes - s->len; }

static void drop_break(struct wf_fleet_sender *s) {
    memmove(s->breaks, s->breaks + 1, --s->break_count * sizeof *s->breaks);
}

static void give_up(struct wf_fleet_sender *s, size_t len) {
    if (!len) return;
    s->from = (s->from + len) % s->cap;
    s->len -= len;
    s->next += len;
    s->gap = true;
    s->totals.given_up += len;
    while (s->break_count && s->breaks[0] <= first_put(s)) drop_break(s); // the gap is one
}

static void copy_in(struct wf_fleet_sender *s, const uint8_t *bytes, size_t len) {
    const size_t at = (s->from + s->len) % s->cap, first = len < s->cap - at ? len : s->cap - at;
    memcpy(s->ring + at, bytes, first);
    memcpy(s->ring, bytes + first, len - first);
    s->len += len;
}

static void copy_out(struct wf_fleet_sender *s, uint8_t *to, size_t len) {
    const size_t first = len < s->cap - s->from ? len : s->cap - s->from;
    memcpy(to, s->ring + s->from, first);
    memcpy(to + first, s->ring, len - first);
    s->from = (s->from + len) % s->cap;
    s->len -= len;
    s->next += len;
}

void wf_fleet_sender_put(struct wf_fleet_sender *s, const uint8_t *bytes, size_t len,
                         uint64_t now_us) {
    if (!len) return;
    if (!s->len) s->arrival_us = now_us;
    s->latest_us = now_us;
    if (len > s->cap) { // the begin of these is given up, too
        const size_t over = len - s->cap;
        give_up(s, s->len);
        s->totals.bytes += over;
        s->next += over;
        s->totals.given_up += over;
        s->gap = true;
        bytes += over;
        len = s->cap;
        s->break_count = 0;
    }
    if (len > s->cap - s->len) give_up(s, len - (s->cap - s->len));
    copy_in(s, bytes, len);
    s->totals.bytes += len;
}

void wf_fleet_sender_break(struct wf_fleet_sender *s) {
    if (!s->totals.bytes) return;
    if (s->break_count && s->breaks[s->break_count - 1] == s->totals.bytes) return;
    if (s->break_count == BREAKS_MAX) give_up(s, s->len);
    s->breaks[s->break_count++] = s->totals.bytes;
}

// ---- messages

static void write_message(struct wf_fleet_sender *s) {
    s->message_len = wf_fleet_chunk_write(&s->chunk, s->message);
}

// A break is a gap of one byte that no target sent: behind it the agent begins with the next frame.
static void leave_gap(struct wf_fleet_sender *s) {
    if (!s->gap) ++s->next;
    s->gap = true;
}

// Returns the bytes of the next message: of one connection.
static size_t next_content(struct wf_fleet_sender *s) {
    size_t len = s->len < WF_FLEET_SENDER_CONTENT ? s->len : WF_FLEET_SENDER_CONTENT;
    if (s->break_count && s->breaks[0] == first_put(s)) {
        leave_gap(s);
        drop_break(s);
    }
    if (s->break_count && len > s->breaks[0] - first_put(s))
        len = (size_t)(s->breaks[0] - first_put(s));
    return len;
}

// Begins with the next message. Returns false when there is nothing to send.
static bool begin(struct wf_fleet_sender *s, uint64_t now_ms) {
    if (s->known && !s->len) return false;
    s->content = s->known ? next_content(s) : 0;
    s->offset = s->known ? s->next : 0;
    s->chunk = (struct wf_fleet_chunk){.stream = s->stream,
                                       .flags = s->known && s->gap ? WF_FLEET_CHUNK_BEGINS : 0,
                                       .offset = s->offset,
                                       .arrival_us = s->content ? s->arrival_us : 0,
                                       .bytes = s->bytes,
                                       .len = s->content};
    copy_out(s, s->bytes, s->content);
    if (s->known) s->gap = false;
    s->arrival_us = s->latest_us; // of the rest, or later
    s->under_way = true;
    s->was_sent = false;
    s->due_ms = now_ms;
    write_message(s);
    return true;
}

const uint8_t *wf_fleet_sender_next(struct wf_fleet_sender *s, uint64_t now_ms, size_t *len) {
    if (!s->under_way && !begin(s, now_ms)) return NULL;
    if (now_ms < s->due_ms) return NULL;
    s->due_ms = now_ms + WF_FLEET_SENDER_AGAIN_MS;
    ++s->totals.messages;
    s->totals.again += s->was_sent;
    s->was_sent = true;
    *len = s->message_len;
    return s->message;
}

void wf_fleet_sender_wait(struct wf_fleet_sender *s, uint64_t until_ms) { s->due_ms = until_ms; }

// ---- answers

// Takes the first answer: the bytes that wait get places from the offset that the agent wants. A
// new stream has flag 1; one of an earlier sender may end within a frame, so it has a break.
static void learn(struct wf_fleet_sender *s, uint64_t wanted) {
    const uint64_t given_up = s->next; // before the first message: offsets began at 0
    s->known = true;
    s->under_way = false;
    s->next = wanted + given_up;
    if (wanted) leave_gap(s);
    s->gap = true;
}

// The agent has lost what it had: what is between is gone here. At most what was sent from here.
static void go_back(struct wf_fleet_sender *s, uint64_t wanted, uint64_t now_ms) {
    if (s->chunk.flags & WF_FLEET_CHUNK_BEGINS) return;
    const uint64_t between = s->offset - wanted;
    const uint64_t lost = between < s->totals.safe ? between : s->totals.safe;
    s->totals.safe -= lost;
    s->totals.given_up += lost;
    s->chunk.flags |= WF_FLEET_CHUNK_BEGINS;
    write_message(s);
    s->due_ms = now_ms;
}

void wf_fleet_sender_answer(struct wf_fleet_sender *s, uint64_t wanted, uint64_t now_ms) {
    const uint64_t end = s->offset + s->content;
    if (!s->known) {
        learn(s, wanted);
    } else if (s->under_way && wanted < s->offset) {
        go_back(s, wanted, now_ms);
    } else if (s->under_way && wanted >= end) {
        s->under_way = false;
        s->totals.safe += s->content;
        // It has more than was sent here: what follows has places behind that.
        if (wanted > s->next) s->next = wanted;
    }
}
