// SPDX-License-Identifier: MIT
// Encodes a stream of events.

#include "wfb_event_encoder.h"

#include <stdlib.h>
#include <string.h>

enum {
    VARINT_MAX = 10,
    // The numbers of a record: of each field its type, its value and the length of its text, and
    // those of its head.
    NUMBERS = (WF_EVENTS_FIELDS_MAX + 1) * (1 + 2 * VARINT_MAX)
};

static bool reserve(struct wfb_encoder *e, size_t len) {
    if (e->len + len <= e->cap) return true;
    // The bytes that were taken make room first, so that the buffer does not grow with the trace.
    if (e->at) memmove(e->bytes, e->bytes + e->at, e->len - e->at);
    e->len -= e->at;
    e->at = 0;
    if (e->len + len <= e->cap) return true;
    size_t cap = 2 * (e->len + len);
    uint8_t *bytes = realloc(e->bytes, cap);
    if (!bytes) {
        e->no_memory = true;
        return false;
    }
    e->bytes = bytes;
    e->cap = cap;
    return true;
}

static void append(struct wfb_encoder *e, const void *bytes, size_t len) {
    if (!reserve(e, len)) return;
    memcpy(e->bytes + e->len, bytes, len);
    e->len += len;
}

static size_t make_varint(uint8_t to[VARINT_MAX], uint64_t v) {
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) to[n++] = (uint8_t)(v | 0x80);
    to[n++] = (uint8_t)v;
    return n;
}

void wfb_encoder_open(struct wfb_encoder *e) {
    memset(e, 0, sizeof *e);
    append(e, WF_EVENTS_MAGIC, WF_EVENTS_MAGIC_LEN);
}

void wfb_encoder_close(struct wfb_encoder *e) { free(e->bytes); }

// ---- records

void wfb_record_begin(struct wfb_encoder *e, enum wf_events_kind kind) {
    e->used = 0;
    wfb_put_byte(e, kind);
}

void wfb_record_end(struct wfb_encoder *e) {
    uint8_t len[VARINT_MAX];
    append(e, len, make_varint(len, e->used));
    append(e, e->record, e->used);
}

static void put_bytes(struct wfb_encoder *e, const void *bytes, size_t len) {
    size_t room = sizeof e->record - e->used;
    if (len > room) len = room; // cannot be: texts leave room for the numbers
    memcpy(e->record + e->used, bytes, len);
    e->used += len;
}

void wfb_put_byte(struct wfb_encoder *e, unsigned byte) {
    uint8_t b = (uint8_t)byte;
    put_bytes(e, &b, 1);
}

void wfb_put_unsigned(struct wfb_encoder *e, uint64_t v) {
    uint8_t bytes[VARINT_MAX];
    put_bytes(e, bytes, make_varint(bytes, v));
}

void wfb_put_signed(struct wfb_encoder *e, int64_t v) {
    uint64_t sign = v < 0 ? UINT64_MAX : 0;
    wfb_put_unsigned(e, (uint64_t)v << 1 ^ sign);
}

void wfb_put_double(struct wfb_encoder *e, double v) {
    uint64_t bits;
    uint8_t bytes[8];
    memcpy(&bits, &v, sizeof bits);
    for (unsigned i = 0; i < 8; ++i) bytes[i] = (uint8_t)(bits >> 8 * i);
    put_bytes(e, bytes, sizeof bytes);
}

// Returns the length of the text up to `most` bytes, without a part of a character.
static size_t cut_text(const char *text, size_t len, size_t most) {
    if (len <= most) return len;
    while (most && ((unsigned char)text[most] & 0xC0) == 0x80) --most;
    return most;
}

void wfb_put_text(struct wfb_encoder *e, const char *text, size_t len) {
    size_t room = sizeof e->record - e->used;
    room = room > NUMBERS ? room - NUMBERS : 0;
    len = cut_text(text, len, room < WF_EVENTS_TEXT_MAX ? room : WF_EVENTS_TEXT_MAX);
    wfb_put_unsigned(e, len);
    put_bytes(e, text, len);
}

void wfb_put_time(struct wfb_encoder *e, int64_t ns) {
    wfb_put_signed(e, (int64_t)((uint64_t)ns - (uint64_t)e->time));
    e->time = ns;
}
