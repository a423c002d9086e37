// SPDX-License-Identifier: MIT
// Protobuf: numbers with seven bits a byte, and blocks that begin with their length. A length gets
// one byte, as most blocks are short; a block of more than 127 bytes is moved to make room for
// four. Four bytes for each length would make a trace a quarter longer.

#include "wallfly_host/wf_utf8.h"
#include "wfi_perfetto.h"

enum { ROOM = 256 }; // for the numbers of a packet; texts make their own

uint64_t wfi_pf_ns(struct wf_writer *w, uint64_t tick) {
    struct wfi_pf *g = wfi_pf(w);
    if (tick == g->now_tick) return g->now_ns;
    return wf_scale_ns(&w->scale, tick);
}

// ---- numbers, texts, blocks

// Length of the UTF-8 character at p; 0 if there is none, or for a zero, which ends texts.
static size_t character(const char *p, size_t len) {
    if ((signed char)*p > 0) return 1;
    return *p ? wf_utf8_decode(p, len, NULL) : 0;
}

// The number of characters from p on that are ASCII but not zero, in multiples of eight.
static size_t plain(const char *p, size_t len) {
    const uint64_t low = 0x0101010101010101u, high = 0x8080808080808080u;
    size_t n = 0;
    for (uint64_t v; n + 8 <= len; n += 8) {
        memcpy(&v, p + n, 8);
        if ((v | (v - low)) & high) break;
    }
    return n;
}

void wfi_pf_text(struct wf_writer *w, unsigned field, const char *text, size_t len) {
    if (!wfi_strbuf_room(&w->text, len + ROOM)) {
        wfi_pf(w)->failed = true;
        return;
    }
    char *p = wfi_pf_varint(wfi_pf_tag(w->text.end, field, 2), len);
    size_t first = plain(text, len);
    if (first) memcpy(p, text, first); // text may be null if there is none
    p += first;
    for (size_t i = first; i < len;) {
        size_t n = character(text + i, len - i);
        if (!n) {
            *p++ = '?';
            ++i;
        }
        for (; n; --n) *p++ = text[i++];
    }
    w->text.end = p;
}

void wfi_pf_block_long(struct wf_writer *w, size_t at) {
    size_t len = (size_t)(w->text.end - w->text.buf) - at - 1;
    if (!wfi_strbuf_room(&w->text, ROOM)) {
        wfi_pf(w)->failed = true;
        return;
    }
    char *p = w->text.buf + at;
    memmove(p + 4, p + 1, len);
    w->text.end += 3;
    for (unsigned i = 0; i < 4; ++i, len >>= 7) *p++ = (char)((len & 127) | (i < 3 ? 128 : 0));
}

// ---- packets

static void open_packet(struct wf_writer *w) {
    if (!wfi_strbuf_room(&w->text, ROOM)) wfi_pf(w)->failed = true;
    wfi_pf(w)->packet = wfi_pf_block(w, WFI_PF_TRACE_PACKET);
}

void wfi_pf_packet(struct wf_writer *w, uint64_t ns) {
    open_packet(w);
    char *p = wfi_pf_put_uint(w->text.end, WFI_PF_PACKET_TIMESTAMP, ns);
    w->text.end = wfi_pf_put_uint(p, WFI_PF_PACKET_SEQUENCE, WFI_PF_SEQUENCE);
}

void wfi_pf_packet_end(struct wf_writer *w) { wfi_pf_block_end(w, wfi_pf(w)->packet); }

static void intern(struct wf_writer *w, unsigned field, uint64_t id, const char *text) {
    size_t at = wfi_pf_block(w, field);
    wfi_pf_uint(w, WFI_PF_INTERNED_ID, id);
    wfi_pf_text(w, WFI_PF_INTERNED_TEXT, text, strlen(text));
    wfi_pf_block_end(w, at);
}

void wfi_pf_header(struct wf_writer *w) {
    open_packet(w);
    wfi_pf_uint(w, WFI_PF_PACKET_SEQUENCE, WFI_PF_SEQUENCE);
    wfi_pf_uint(w, WFI_PF_PACKET_FLAGS, WFI_PF_STATE_CLEARED);
    wfi_pf_uint(w, WFI_PF_PACKET_FIRST, 1);
    size_t at = wfi_pf_block(w, WFI_PF_PACKET_INTERNED);
#define C(name) intern(w, WFI_PF_INTERNED_CATEGORIES, WFI_PF_CAT_##name, #name);
    WFI_PF_CATEGORIES(C)
#undef C
#define A(name) intern(w, WFI_PF_INTERNED_ARGS, WFI_PF_ARG_##name, #name);
    WFI_PF_ARGS(A)
#undef A
    wfi_pf_block_end(w, at);
    wfi_pf_packet_end(w);
}

// ---- events

void wfi_pf_event(struct wf_writer *w, uint64_t ns, const struct wfi_pf_event *e) {
    wfi_pf_packet(w, ns);
    wfi_pf(w)->event = wfi_pf_block(w, WFI_PF_PACKET_EVENT);
    char *p = wfi_pf_put_uint(w->text.end, WFI_PF_EVENT_TYPE, e->type);
    p = wfi_pf_put_uint(p, WFI_PF_EVENT_TRACK, e->track);
    if (e->name) p = wfi_pf_put_uint(p, WFI_PF_EVENT_NAME, e->name);
    if (e->category) p = wfi_pf_put_uint(p, WFI_PF_EVENT_CATEGORY, e->category);
    if (e->flow) p = wfi_pf_put_fixed(p, WFI_PF_EVENT_FLOW, e->flow);
    w->text.end = p;
}

void wfi_pf_event_end(struct wf_writer *w) {
    wfi_pf_block_end(w, wfi_pf(w)->event);
    wfi_pf_packet_end(w);
}

static void begin_arg(struct wf_writer *w, enum wfi_pf_arg arg) {
    if (!wfi_strbuf_room(&w->text, ROOM)) wfi_pf(w)->failed = true;
    wfi_pf(w)->arg = wfi_pf_block(w, WFI_PF_EVENT_ARG);
    wfi_pf_uint(w, WFI_PF_ARG_NAME, arg);
}

static void arg_number(struct wf_writer *w, enum wfi_pf_arg arg, unsigned field, uint64_t v) {
    begin_arg(w, arg);
    wfi_pf_uint(w, field, v);
    wfi_pf_block_end(w, wfi_pf(w)->arg);
}

void wfi_pf_arg_uint(struct wf_writer *w, enum wfi_pf_arg arg, uint64_t v) {
    arg_number(w, arg, WFI_PF_ARG_UINT, v);
}

void wfi_pf_arg_int(struct wf_writer *w, enum wfi_pf_arg arg, int64_t v) {
    arg_number(w, arg, WFI_PF_ARG_INT, (uint64_t)v);
}

void wfi_pf_arg_bool(struct wf_writer *w, enum wfi_pf_arg arg, bool v) {
    arg_number(w, arg, WFI_PF_ARG_BOOL, v);
}

void wfi_pf_arg_address(struct wf_writer *w, enum wfi_pf_arg arg, uint64_t v) {
    arg_number(w, arg, WFI_PF_ARG_ADDRESS, v);
}

void wfi_pf_arg_text(struct wf_writer *w, enum wfi_pf_arg arg, const char *text, size_t len) {
    begin_arg(w, arg);
    wfi_pf_text(w, WFI_PF_ARG_TEXT, text, len);
    wfi_pf_block_end(w, wfi_pf(w)->arg);
}

void wfi_pf_mark(struct wf_writer *w, uint64_t tick, const struct wfi_pf_event *e) {
    wfi_pf_event(w, wfi_pf_ns(w, tick), e);
    wfi_pf_event_end(w);
}

void wfi_pf_count(struct wf_writer *w, uint64_t tick, uint64_t track, int64_t value) {
    struct wfi_pf_event e = {.type = WFI_PF_COUNTER, .track = track};
    wfi_pf_event(w, wfi_pf_ns(w, tick), &e);
    wfi_pf_uint(w, WFI_PF_EVENT_VALUE, (uint64_t)value);
    wfi_pf_event_end(w);
}

// A slice does not begin before the end of the last slice of its track, although times of the
// latest rate may.
static uint64_t begin_of(struct wf_writer *w, const struct wfi_pf_lane *lane, uint64_t tick) {
    if (tick == lane->tick) return lane->ns;
    uint64_t ns = wfi_pf_ns(w, tick);
    return ns > lane->ns ? ns : lane->ns;
}

uint64_t wfi_pf_slice(struct wf_writer *w, struct wfi_pf_lane *lane, const struct wf_change *c,
                      const struct wfi_pf_event *e, enum wfi_pf_arg arg, const char *reason) {
    struct wfi_pf_event part = *e;
    uint64_t from = begin_of(w, lane, c->from), to = wfi_pf_ns(w, c->tick);
    part.type = WFI_PF_BEGIN;
    wfi_pf_event(w, from, &part);
    if (!c->from_known) wfi_pf_arg_bool(w, WFI_PF_ARG_begin_seen, false);
    wfi_pf_event_end(w);
    lane->tick = c->tick;
    lane->ns = to > from ? to : from;
    part = (struct wfi_pf_event){.type = WFI_PF_END, .track = e->track};
    wfi_pf_event(w, lane->ns, &part);
    if (c->cut) wfi_pf_arg_bool(w, WFI_PF_ARG_end_seen, false);
    if (reason) wfi_pf_arg_text(w, arg, reason, strlen(reason));
    wfi_pf_event_end(w);
    return from;
}
