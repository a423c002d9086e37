// SPDX-License-Identifier: MIT
// Streams of a CTF trace: packets of about 64 KiB, built in memory. The context of a packet has the
// number of events discarded so far. If it is larger than in the packet before, readers place the
// loss between the ends of the two packets. So a packet ends before each loss, and the next packet
// has only the event that reports the loss and lasts up to the next event: it covers the hole.
// Readers ignore the count of the first packet, so a stream that begins with a loss begins with an
// empty packet.
//
// Times of a stream never go back. An event with an earlier tick gets the time of the event before
// it, and its own tick as a field.

#include <stdlib.h>

#include "wfi_ctf.h"

enum {
    PACKET = 65536,  // bytes, unless an event is longer or events wait for their time
    MAGIC_BYTES = 8, // with the number of the class of streams
    HEAD = MAGIC_BYTES + 6 * 8 + 4,
    EVENT_HEAD = 2 + 8,
    PAD = 64 // put_number() writes 8 bytes, whatever their number
};

static inline void put_number(struct wfi_strbuf *t, uint64_t v, unsigned bytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(t->end, &v, 8);
    t->end += bytes;
}

// Distinguishes traces; not cryptographic. The same on every machine.
static void hash_bytes(uint64_t hash[2], const char *bytes, size_t len) {
    for (size_t i = 0; i < len; i += 8) {
        uint64_t v = 0;
        if (len - i >= 8)
            v = wfi_load64((const uint8_t *)bytes + i);
        else
            v = wfi_load((const uint8_t *)bytes + i, (unsigned)(len - i));
        hash[0] = (hash[0] ^ v) * 0x9E3779B97F4A7C15u;
        hash[0] ^= hash[0] >> 29;
        hash[1] = (hash[1] + v + len) * 0xD6E8FEB86659FD93u;
        hash[1] ^= hash[1] >> 32;
    }
}

// ---- packets

static void send_packet(struct wf_writer *w, unsigned core, uint64_t end) {
    struct wfi_ctf_stream *st = &wfi_ctf(w)->stream[core];
    char name[24] = "stream_";
    size_t len = wfi_strbuf_len(&st->text);
    *wfi_dec(name + 7, core) = 0;
    wfi_strbuf_clear(&st->text);
    put_number(&st->text, 0xC1FC1FC1, 4);
    put_number(&st->text, 0, 4);
    put_number(&st->text, st->begin, 8);
    put_number(&st->text, end, 8);
    put_number(&st->text, len * 8, 8);
    put_number(&st->text, len * 8, 8);
    put_number(&st->text, st->packets++, 8);
    put_number(&st->text, st->discarded, 8);
    // put_number() of its last four bytes would overwrite the first event.
    for (unsigned i = 0; i < 4; ++i) *st->text.end++ = (char)(i ? 0 : core);
    hash_bytes(wfi_ctf(w)->hash, st->text.buf, len);
    wfi_put_part(w, core + 1, name, st->text.buf, len);
    st->open = false;
}

static void open_packet(struct wfi_ctf_stream *st, uint64_t begin) {
    st->open = true;
    st->begin = begin;
    st->text.end = st->text.buf + HEAD;
}

// Sets the first known time of a stream in the events that waited for it.
static void set_first_time(struct wf_writer *w, unsigned core, uint64_t time) {
    struct wfi_ctf_stream *st = &wfi_ctf(w)->stream[core];
    char *end = st->text.end;
    uint64_t discarded = st->discarded;
    size_t len = wfi_strbuf_len(&st->text);
    for (unsigned i = 0; i < st->early_count; ++i) {
        st->text.end = st->text.buf + st->early[i];
        for (unsigned n = 0; n < 8; ++n) *st->text.end++ = (char)(time >> 8 * n);
    }
    st->text.end = end;
    free(st->early);
    st->early = NULL;
    st->timed = true;
    st->begin = st->last = time;
    if (!discarded) return;
    // Writes an empty packet. The events stay in the buffer behind its head.
    st->discarded = 0;
    st->text.end = st->text.buf + HEAD;
    send_packet(w, core, time);
    st->discarded = discarded;
    st->text.end = st->text.buf + len;
    st->open = st->hole = true;
}

static bool open_stream(struct wf_writer *w, unsigned core) {
    struct wfi_ctf *c = wfi_ctf(w);
    struct wfi_ctf_stream *st = &c->stream[core];
    if (st->text.buf) return true;
    st->early = malloc(WFI_CTF_EARLY * sizeof *st->early);
    if (!st->early || !wfi_strbuf_open(&st->text, &w->failed)) {
        w->failed = true;
        return false;
    }
    open_packet(st, 0);
    return true;
}

// Makes room for an event in a packet, which is opened if needed. ends: the event ends a hole.
static bool make_room(struct wf_writer *w, unsigned core, uint64_t time, bool ends, size_t len) {
    struct wfi_ctf_stream *st = &wfi_ctf(w)->stream[core];
    bool full = wfi_strbuf_len(&st->text) + len > PACKET && wfi_strbuf_len(&st->text) > HEAD;
    if (st->open && st->hole && ends)
        send_packet(w, core, time);
    else if (st->open && full)
        send_packet(w, core, st->last);
    if (!st->open) {
        st->hole = false;
        open_packet(st, time);
    }
    if (wfi_strbuf_room(&st->text, len + PAD)) return true;
    w->failed = true;
    return false;
}

void wfi_ctf_discard(struct wf_writer *w, unsigned core, uint64_t events) {
    struct wfi_ctf_stream *st = &wfi_ctf(w)->stream[core];
    if (!events || !open_stream(w, core)) return;
    wfi_ctf(w)->used[core] = true;
    if (st->timed && st->open && !st->hole) send_packet(w, core, st->last);
    if (!st->open) open_packet(st, st->last);
    st->discarded += events;
    st->hole = st->timed;
}

void wfi_ctf_streams_end(struct wf_writer *w) {
    struct wfi_ctf *c = wfi_ctf(w);
    if (!c->used[0]) { // a trace without events has a stream, too
        bool any = false;
        for (unsigned i = 1; i < WF_SLOT_CORES; ++i) any = any || c->used[i];
        if (!any) c->used[0] = open_stream(w, 0);
    }
    for (unsigned i = 0; i < WF_SLOT_CORES; ++i) {
        if (!c->used[i]) continue;
        if (!c->stream[i].timed) set_first_time(w, i, c->clock.latest);
        if (c->stream[i].open) send_packet(w, i, c->stream[i].last);
    }
}

void wfi_ctf_streams_close(struct wfi_ctf *c) {
    for (unsigned i = 0; i < WF_SLOT_CORES; ++i) {
        wfi_strbuf_close(&c->stream[i].text);
        free(c->stream[i].early);
    }
}

// ---- events

_Static_assert(WFI_CTF_FUNCTION - WFI_CTF_OBJECT == WFI_CTF_FUNCTIONS, "the same order");

static void put_field(struct wf_writer *w, struct wfi_strbuf *t, const struct wfi_ctf_layout *l,
                      const struct wfi_ctf_field *f, const struct wfi_ctf_values *v) {
    struct wfi_ctf_labels *labels = &wfi_ctf(w)->labels;
    uint64_t value = v->value[f->value];
    switch (f->shape) {
    case WFI_CTF_OBJECT:
    case WFI_CTF_TASK:
    case WFI_CTF_ACTOR:
    case WFI_CTF_TEXT:
    case WFI_CTF_FUNCTION:
        if (value)
            wfi_ctf_label(labels, w->s, (enum wfi_ctf_space)(f->shape - WFI_CTF_OBJECT), value, 0);
        put_number(t, value, 8);
        break;
    case WFI_CTF_IRQ:
        if (value != WF_IRQ_UNKNOWN) wfi_ctf_label(labels, w->s, WFI_CTF_IRQS, value, 0);
        put_number(t, value, 2);
        break;
    case WFI_CTF_SIGNAL: {
        uint64_t owner = l->owner ? v->value[l->owner - 1] : 0;
        put_number(t, value, 4);
        uint32_t name = value ? wfi_ctf_label(labels, w->s, WFI_CTF_SIGNALS, value, owner) : 0;
        put_number(t, value && !name ? UINT32_MAX : name, 4);
        break;
    }
    case WFI_CTF_STRING:
        memcpy(t->end, v->text_len ? v->text : "''", v->text_len ? v->text_len : 2);
        t->end += v->text_len ? v->text_len : 2; // for "" babeltrace2 2.0 shows the text before
        *t->end++ = 0;
        break;
    case WFI_CTF_BYTES:
        put_number(t, v->count, 4);
        if (v->count) memcpy(t->end, v->bytes, v->count);
        t->end += v->count;
        break;
    case WFI_CTF_WORDS:
        put_number(t, v->count, 4);
        for (size_t i = 0; i < v->count; ++i) put_number(t, v->words[i], 4);
        break;
    default: put_number(t, value, wfi_ctf_bytes[f->shape]);
    }
}

uint64_t wfi_ctf_time(const struct wfi_ctf_clock *k, uint64_t tick) {
    if (tick < k->from) return 0;
    uint64_t since = tick - k->from;
    if (k->hz != k->now_hz) {
        uint64_t hz = k->hz, now = k->now_hz;
        for (; hz > UINT64_MAX / now; now >>= 1) hz >>= 1; // only beyond 4 GHz
        uint64_t whole = since / now;
        if (hz && whole > WFI_CTF_TIME_MAX / hz) return WFI_CTF_TIME_MAX;
        since = whole * hz + since % now * hz / now;
    }
    if (since > WFI_CTF_TIME_MAX || k->at > WFI_CTF_TIME_MAX - since) return WFI_CTF_TIME_MAX;
    return k->at + since;
}

void wfi_ctf_put(struct wf_writer *w, unsigned core, struct wfi_ctf_class *class, bool known,
                 uint64_t tick, const struct wfi_ctf_values *v) {
    struct wfi_ctf *c = wfi_ctf(w);
    struct wfi_ctf_stream *st = &c->stream[core];
    const struct wfi_ctf_layout *l = &class->layout;
    size_t len = EVENT_HEAD + l->bytes + v->text_len + (v->words ? 4 : 1) * v->count;
    if (!open_stream(w, core)) return;
    uint64_t time = known ? wfi_ctf_time(&c->clock, tick) : st->last;
    bool full = wfi_strbuf_len(&st->text) + len > PACKET || st->early_count == WFI_CTF_EARLY;
    if (!st->timed && (known || full)) set_first_time(w, core, known ? time : c->clock.latest);
    bool own_tick = known && (time < st->last || time == WFI_CTF_TIME_MAX);
    if (time < st->last) time = st->last;
    if (own_tick) len += 8;
    if (!make_room(w, core, time, known, len)) return;
    c->used[core] = true;
    st->last = time;
    if (time > c->clock.latest) c->clock.latest = time;
    class->used |= !own_tick;
    class->ticking |= own_tick;
    put_number(&st->text, (uint64_t)(class - c->classes.list) * 2 + own_tick, 2);
    if (!st->timed) st->early[st->early_count++] = (uint32_t)wfi_strbuf_len(&st->text);
    put_number(&st->text, time, 8);
    if (own_tick) put_number(&st->text, tick, 8);
    for (unsigned i = 0; i < l->count; ++i) put_field(w, &st->text, l, &l->field[i], v);
}
