// SPDX-License-Identifier: MIT
// Packets: their headers, what is lost between them, and damaged bytes.

#include <string.h>

#include "wfi_zephyr.h"

#define MAGIC UINT32_C(0xC1FC1FC1)

// ---- damage

void wfi_zephyr_add_damage(struct wfi_zephyr_state *z, uint64_t at, size_t len, const char *why) {
    struct wfi_zephyr_damage *d = &z->damage;
    if (!d->len) {
        d->from = at;
        d->why = why;
    }
    d->len += len;
}

void wfi_zephyr_report_damage(struct wfi_import *im) {
    struct wfi_zephyr_damage *d = &wfi_zephyr_state(im)->damage;
    if (!d->len) return;
    im->offset = d->from;
    wfi_import_damage(im, d->from, d->len, d->why);
    d->len = 0;
    wfi_zephyr_forget(wfi_zephyr_state(im));
}

// ---- headers

struct header {
    size_t len;
    uint64_t magic, content, size; // sizes in bits; 0: not stated
    struct wfi_zephyr_value context[ZEPHYR_FIELDS];
};

static uint64_t get(const struct header *h, int8_t at, uint64_t none) {
    return at < 0 ? none : h->context[at].v;
}

// Returns false if more bytes are needed.
static bool parse_header(const struct wfi_zephyr_meta *m, const uint8_t *bytes, size_t len,
                         struct header *h) {
    struct wfi_zephyr_value first[ZEPHYR_FIELDS];
    size_t n = wfi_zephyr_parse_list(m, &m->packet_header, bytes, len, 0, first);
    if (!n && m->packet_header.count) return false;
    size_t more = wfi_zephyr_parse_list(m, &m->packet_context, bytes + n, len - n, n, h->context);
    if (!more && m->packet_context.count) return false;
    h->len = n + more;
    h->magic = m->place.magic < 0 ? MAGIC : first[m->place.magic].v;
    h->size = get(h, m->place.size, 0);
    h->content = get(h, m->place.content, h->size);
    return true;
}

static bool is_good(const struct header *h) {
    if (h->magic != MAGIC) return false;
    if (!h->size && !h->content) return true; // one packet, up to the end of the stream
    uint64_t size = h->size ? h->size : h->content;
    return h->content % 8 == 0 && size % 8 == 0 && h->content <= size && h->content / 8 >= h->len;
}

// ---- between packets

static void check_number(struct wfi_import *im, const struct header *h) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_packet *p = &z->packet;
    if (z->meta.place.number < 0) return;
    uint64_t number = get(h, z->meta.place.number, 0);
    if (!p->numbered && number) {
        wfi_import_beginning(im, 0);
        wfi_zephyr_forget(z);
    } else if (p->numbered && number > p->number + 1) {
        wfi_zephyr_lose(im, "packets are missing");
    } else if (p->numbered && number <= p->number) {
        wfi_zephyr_lose(im, "packets are not in their order");
    }
    p->numbered = true;
    p->number = number;
}

// A count of lost events, of all packets so far.
static void check_discarded(struct wfi_import *im, const struct header *h, bool first) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    int8_t at = z->meta.place.discarded;
    if (at < 0) return;
    unsigned bits = 8U * wfi_zephyr_field_at(&z->meta, &z->meta.packet_context, at)->bytes;
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX,
             count = get(h, at, 0) & mask;
    uint64_t lost = (count - z->packet.discarded) & mask;
    // The first packet of a ring has the count of those before it, too.
    if (lost && !(first && z->packet.numbered && z->packet.number)) {
        wfi_import_loss(im, lost, true, "the recorder had no room");
        wfi_zephyr_forget(z);
    }
    z->packet.discarded = count;
}

// Stamps that are narrower than the time of the packet go on from there.
static void anchor_time(struct wfi_zephyr_state *z, const struct header *h) {
    struct wfi_zephyr_packet *p = &z->packet;
    p->first = get(h, z->meta.place.begin, 0);
    p->last = get(h, z->meta.place.end, 0);
    if (z->meta.place.begin < 0 || z->stamp_bits == 64) return;
    if (z->timed && p->first < z->tick) return;
    z->timed = true;
    z->tick = p->first;
    z->raw = p->first & ((UINT64_C(1) << z->stamp_bits) - 1);
}

static void open_packet(struct wfi_import *im, const struct header *h, uint64_t at) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_packet *p = &z->packet;
    bool first = !p->at && !p->content_end;
    im->offset = at;
    im->core = 0;
    wfi_zephyr_report_damage(im);
    z->damage.lost = false;
    uint64_t core = get(h, z->meta.place.core, 0);
    p->core = core < WFI_IMPORT_CORES ? (unsigned)core : 0;
    p->open = true;
    p->at = at;
    uint64_t size = h->size ? h->size : h->content;
    p->content_end = h->content ? at + h->content / 8 : UINT64_MAX;
    p->end = size ? at + size / 8 : UINT64_MAX;
    check_number(im, h);
    check_discarded(im, h, first);
    anchor_time(z, h);
}

size_t wfi_zephyr_take_packet(struct wfi_import *im, const uint8_t *bytes, size_t len, uint64_t at,
                              bool last) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct header h;
    for (size_t used = 0; used < len; ++used) {
        if (!parse_header(&z->meta, bytes + used, len - used, &h)) {
            if (last) wfi_zephyr_add_damage(z, at + used, len - used, "no packet");
            return last ? len : used;
        }
        if (is_good(&h)) {
            open_packet(im, &h, at + used);
            return used + h.len;
        }
        wfi_zephyr_add_damage(z, at + used, 1, "no packet");
    }
    return len;
}
