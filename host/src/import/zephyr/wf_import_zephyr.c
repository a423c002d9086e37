// SPDX-License-Identifier: MIT
// Zephyr's CTF stream. The metadata (im->options.describe) gives the layout; without it a table is
// used. The stream is a sequence of events, in packets if the metadata has them. Events have no
// length and no checksum: after damage the next place is searched from which several events in a
// row are good.

#include <stdlib.h>
#include <string.h>

#include "wfi_zephyr.h"

enum { PROBE = 2048, IN_A_ROW = 4, MOST = 1 << 20 };

static const char *const lacks[] = {
    "interrupt numbers",
    "losses (the recorder drops events without a count)",
    "counts of semaphores, except around waits",
    "fill levels of queues",
    "in old releases why a thread leaves that does not wait",
    NULL,
};

// ---- open and close

static void close_zephyr(struct wfi_import *im) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    wfi_zephyr_meta_close(&z->meta);
    wfi_index_close(&z->index);
    for (unsigned i = 0; i < ZEPHYR_PIECES; ++i) free(z->pieces[i]);
}

static int open_zephyr(struct wfi_import *im) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_error error = {.why = NULL};
    const char *text = im->options.describe;
    z->way.meta = &z->meta;
    if (!text) return WF_OK;
    if (!wfi_zephyr_meta_read(&z->meta, text, im->options.describe_len, &error)) {
        if (error.memory) return WF_ERR_NOMEM;
        wfi_import_fail(im, 0, "metadata, line %u: %s", error.line, error.why);
        return WF_OK;
    }
    if (!wfi_zephyr_meta_finish(&z->meta)) return WF_ERR_NOMEM;
    const struct wfi_zephyr_meta *m = &z->meta;
    if (m->header.bad || m->packet_header.bad || m->packet_context.bad)
        wfi_import_fail(im, 0, "metadata: a header with fields that cannot be read");
    else if (m->place.id < 0)
        wfi_import_fail(im, 0, "metadata: the header of events has no field \"id\"");
    return WF_OK;
}

// ---- events

struct span {
    const uint8_t *bytes;
    size_t len;
    uint64_t at; // offset in the stream
    bool more;   // bytes may follow, of the same packet
};

static uint64_t place_of(const struct wfi_zephyr_state *z, const struct span *s) {
    return s->at - z->packet.at;
}

// An event that lies outside of its packet's time.
static bool is_outside(const struct wfi_zephyr_state *z, const struct wfi_zephyr_parsed *e) {
    const struct wfi_zephyr_packet *p = &z->packet;
    if (z->stamp_bits != 64 || !p->open || p->last < p->first || !p->last) return false;
    return e->stamp + z->small < p->first || e->stamp > p->last + z->small;
}

// Whether several good events in a row begin here.
static enum wfi_zephyr_result is_place(const struct wfi_zephyr_state *z, const struct span *s) {
    struct wfi_zephyr_parsed e;
    uint64_t mask = z->stamp_bits < 64 ? (UINT64_C(1) << z->stamp_bits) - 1 : UINT64_MAX, stamp = 0;
    size_t used = 0;
    for (unsigned n = 0; n < IN_A_ROW; ++n) {
        enum wfi_zephyr_result result =
            wfi_zephyr_parse(&z->way, s->bytes + used, s->len - used, place_of(z, s) + used, &e);
        if (result == ZEPHYR_SHORT && !s->more) return n > 1 ? ZEPHYR_GOOD : ZEPHYR_BAD;
        if (result != ZEPHYR_GOOD) return result;
        if (is_outside(z, &e)) return ZEPHYR_BAD;
        bool back = ((stamp - e.stamp) & mask) <= z->small;
        if (n && z->stamp_bits && !back && ((e.stamp - stamp) & mask) > mask >> 3)
            return ZEPHYR_BAD;
        stamp = e.stamp;
        used += e.size;
        if (used == s->len && !s->more) return ZEPHYR_GOOD;
    }
    return ZEPHYR_GOOD;
}

// Skips to the next place at which events can be read. Returns the number of bytes skipped.
static size_t find_place(struct wfi_import *im, const struct span *s) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    size_t used = 0;
    for (; used < s->len; ++used) {
        const struct span rest = {s->bytes + used, s->len - used, s->at + used, s->more};
        enum wfi_zephyr_result result = is_place(z, &rest);
        if (result == ZEPHYR_GOOD) z->damage.lost = false;
        if (result == ZEPHYR_GOOD || result == ZEPHYR_SHORT) break;
    }
    if (used) wfi_zephyr_add_damage(z, s->at, used, "no event that is known");
    return used;
}

static size_t lose_place(struct wfi_zephyr_state *z, const struct span *s,
                         enum wfi_zephyr_result result) {
    z->damage.lost = true;
    wfi_zephyr_add_damage(z, s->at, 1,
                          result == ZEPHYR_UNKNOWN_ID ? "an event that the metadata does not have"
                                                      : "an event that cannot be");
    return 1;
}

// Whether the event is made by the running thread, so that it must be known for certain.
static bool needs_thread(const struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    unsigned meaning = e->event->meaning;
    return meaning >= ZEPHYR_ACTS_AS_THREAD ||
           (meaning >= ZEPHYR_ACTS && !im->cores[im->core].irqs);
}

static size_t take_event(struct wfi_import *im, const struct span *s) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_parsed e;
    enum wfi_zephyr_result result = wfi_zephyr_parse(&z->way, s->bytes, s->len, place_of(z, s), &e);
    if (result == ZEPHYR_SHORT) {
        if (s->more) return 0;
        wfi_zephyr_add_damage(z, s->at, s->len, "an event without its end");
        return s->len;
    }
    if (result == ZEPHYR_GOOD && is_outside(z, &e)) result = ZEPHYR_BAD;
    if (result != ZEPHYR_GOOD) return lose_place(z, s, result);
    wfi_zephyr_report_damage(im);
    im->core = e.event->at[ZEPHYR_CORE] < 0 ? z->packet.core : e.core;
    im->offset = s->at;
    if (needs_thread(im, &e) && !wfi_zephyr_confirm(im, s->bytes + e.size, s->len - e.size,
                                                    place_of(z, s) + e.size, s->more))
        return 0;
    wfi_zephyr_take_time(im, &e);
    wfi_zephyr_take(im, &e);
    return e.size;
}

// ---- the stream

// Reads an event, or what is between events. Returns the number of bytes used.
static size_t step(struct wfi_import *im, const uint8_t *bytes, size_t len, uint64_t at,
                   bool last) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_packet *p = &z->packet;
    struct span s = {bytes, len, at, !last};
    if (p->open && at >= p->end) p->open = false;
    if (z->meta.packets && !p->open) return wfi_zephyr_take_packet(im, bytes, len, at, last);
    if (p->open && at >= p->content_end) { // padding
        z->damage.lost = false;
        return p->end - at < len ? (size_t)(p->end - at) : len;
    }
    if (p->open && p->content_end - at <= len) {
        s.len = (size_t)(p->content_end - at);
        s.more = false;
    }
    if (z->damage.lost) {
        size_t used = find_place(im, &s);
        if (used || z->damage.lost) return used;
    }
    return take_event(im, &s);
}

static size_t decode_zephyr(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    size_t at = 0;
    if (!z->chosen) {
        if (len < PROBE && !last) return 0;
        wfi_zephyr_choose(im, bytes, len < PROBE ? len : PROBE);
    }
    while (at < len && !wfi_import_is_full(im)) {
        size_t used = step(im, bytes + at, len - at, im->at + at, last);
        if (!used) break;
        at += used;
    }
    if (last && at == len) wfi_zephyr_report_damage(im);
    return at;
}

const struct wfi_import_format wfi_import_zephyr = {
    .name = "Zephyr CTF",
    .sniff = wfi_zephyr_sniff,
    .size = sizeof(struct wfi_zephyr_state),
    .most = MOST,
    .open = open_zephyr,
    .decode = decode_zephyr,
    .close = close_zephyr,
    .lacks = lacks,
};
