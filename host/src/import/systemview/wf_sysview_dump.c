// SPDX-License-Identifier: MIT
// A dump of a target's memory with SEGGER's RTT control block, for recordings that stay in the
// target. The ring of the channel "SysView" is read from its write offset on, which is the oldest
// byte. The control block has addresses, and a raw dump does not say where it begins: that follows
// from the address of the channel's name, or from the start of RAM that the recorder sends.

#include <stdlib.h>
#include <string.h>

#include "import/systemview/wfi_sysview.h"
#include "util/wfi_cursor.h"

enum { CHANNELS = 24, CHANNEL = 24, CHANNELS_MAX = 64, RING_MIN = 32, ID = 16 };
static const char id[ID] = "SEGGER RTT";
static const char channel_name[] = "SysView";

struct channel {
    uint32_t name, buffer, size, write, read;
};

static uint32_t load32(const uint8_t *p) { return (uint32_t)wfi_load(p, 4); }

// Returns the offset of some bytes from `at` on; SIZE_MAX: none.
static size_t find_bytes(const uint8_t *bytes, size_t len, size_t at, const void *what,
                         size_t what_len) {
    while (at < len && len - at >= what_len) {
        const uint8_t *p = memchr(bytes + at, *(const uint8_t *)what, len - at - what_len + 1);
        if (!p) break;
        if (memcmp(p, what, what_len) == 0) return (size_t)(p - bytes);
        at = (size_t)(p - bytes) + 1;
    }
    return SIZE_MAX;
}

// The id also is in the program that writes it, without a count of channels behind it.
static size_t find_block(const uint8_t *bytes, size_t len, unsigned *channels) {
    for (size_t at = 0; (at = find_bytes(bytes, len, at, id, ID)) != SIZE_MAX; ++at) {
        if (len - at < CHANNELS) return SIZE_MAX;
        uint32_t up = load32(bytes + at + ID), down = load32(bytes + at + ID + 4);
        if (up < 1 || up > CHANNELS_MAX || down > CHANNELS_MAX) continue;
        *channels = up;
        return at;
    }
    return SIZE_MAX;
}

static bool read_channel(const uint8_t *bytes, size_t len, size_t block, unsigned number,
                         struct channel *c) {
    uint64_t at = (uint64_t)block + CHANNELS + (uint64_t)number * CHANNEL;
    if (at + CHANNEL > len) return false;
    const uint8_t *p = bytes + at;
    *c = (struct channel){load32(p), load32(p + 4), load32(p + 8), load32(p + 12), load32(p + 16)};
    return c->size >= RING_MIN && c->size <= len && c->write < c->size && c->read < c->size;
}

// Whether the ring is in the dump if that begins at `base`.
static bool is_inside(const struct channel *c, uint32_t base, size_t len, size_t *ring) {
    *ring = c->buffer - base;
    return c->buffer >= base && *ring <= len && c->size <= len - *ring;
}

// The name is in the dump: it shows the channel, and where the dump begins.
static bool find_by_name(const uint8_t *bytes, size_t len, const struct channel *c, size_t *ring) {
    enum { TRIES = 64 };
    size_t at = 0;
    for (unsigned i = 0; i < TRIES; ++i, ++at) {
        at = find_bytes(bytes, len, at, channel_name, sizeof channel_name);
        if (at == SIZE_MAX || at > c->name) return false;
        if (is_inside(c, c->name - (uint32_t)at, len, ring)) return true;
    }
    return false;
}

// The name is in the program: the ring is where the recorder's own start of RAM puts it, if there
// is a synchronisation in it.
static bool find_by_start(const uint8_t *bytes, size_t len, const struct channel *c, size_t *ring) {
    size_t sync = wfi_sv_find_sync(bytes, len, true);
    if (sync == SIZE_MAX) return false;
    const uint8_t *p = bytes + sync + WFI_SV_SYNC;
    struct wfi_sv_packet k;
    if (wfi_sv_frame(p, bytes + len, &k) != WFI_SV_WHOLE) return false;
    if (wfi_sv_frame(p + k.len, bytes + len, &k) != WFI_SV_WHOLE) return false;
    (void)wfi_sv_number(&k);
    (void)wfi_sv_number(&k);
    if (!is_inside(c, wfi_sv_number(&k), len, ring)) return false;
    return sync >= *ring && sync < *ring + c->size;
}

static bool find_ring(const uint8_t *bytes, size_t len, size_t block, unsigned channels,
                      struct channel *c, size_t *ring) {
    for (unsigned by_name = 2; by_name--;) {
        for (unsigned i = 0; i < channels; ++i) {
            if (!read_channel(bytes, len, block, i, c)) continue;
            if (by_name ? find_by_name(bytes, len, c, ring) : find_by_start(bytes, len, c, ring))
                return true;
        }
    }
    return false;
}

static bool open_ring(struct wfi_import *im, const uint8_t *bytes, size_t len) {
    struct wfi_sv *v = wfi_sv(im);
    struct channel c;
    unsigned channels = 0;
    size_t ring, block = find_block(bytes, len, &channels);
    if (block == SIZE_MAX || !find_ring(bytes, len, block, channels, &c, &ring)) {
        wfi_import_fail(im, block == SIZE_MAX ? 0 : block,
                        "no ring of the RTT channel SysView in the dump");
        return false;
    }
    v->dump = malloc(c.size);
    if (!v->dump) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return false;
    }
    memcpy(v->dump, bytes + ring + c.write, c.size - c.write);
    memcpy(v->dump + (c.size - c.write), bytes + ring, c.write);
    v->dump_len = c.size;
    return true;
}

// Places are those in the ring, from its oldest byte on.
static size_t decode_dump(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_sv *v = wfi_sv(im);
    const uint64_t first = im->at;
    (void)last;
    if (v->state == WFI_SV_HEADER) {
        if (!open_ring(im, bytes, len)) return len;
        v->state = WFI_SV_BEGIN;
    }
    while (!wfi_import_is_full(im)) {
        im->at = v->dump_at;
        size_t used = wfi_sv_decode(im, v->dump + v->dump_at, v->dump_len - v->dump_at, true);
        im->at = first;
        v->dump_at += used;
        if (v->dump_at == v->dump_len || (!used && !wfi_import_is_full(im))) return len;
    }
    return 0;
}

static enum wfi_sniff sniff_dump(const uint8_t *bytes, size_t len, bool whole) {
    unsigned channels;
    (void)whole;
    if (find_block(bytes, len, &channels) == SIZE_MAX) return WFI_SNIFF_NO;
    bool named = find_bytes(bytes, len, 0, channel_name, sizeof channel_name) != SIZE_MAX;
    return named || wfi_sv_find_sync(bytes, len, true) != SIZE_MAX ? WFI_SNIFF_YES : WFI_SNIFF_NO;
}

const struct wfi_import_format wfi_import_systemview_dump = {
    .name = "SystemView",
    .sniff = sniff_dump,
    .whole = true,
    .size = sizeof(struct wfi_sv),
    .open = wfi_sv_open_state,
    .decode = decode_dump,
    .close = wfi_sv_close,
    .lacks = wfi_sv_lacks,
};
