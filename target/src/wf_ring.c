// SPDX-License-Identifier: MIT
// The writer's side of the ring. From `tail` to `next` lie whole frames, the oldest first; of that
// one the reader may have sent the part up to `sent`. At least a byte is always free, so tail ==
// next means empty.
//
//   ring  |.....[tail: frame frame frame ]next.......limit|
//
// A record is written behind `next` and counts only when `next` moves past it.

#include "wfi_core.h"

#if !WF_CFG_SLOTS

struct wfi_recorder wfi WF_CFG_PLACE;

#if WFI_SMALL
void wfi_open(void) { wfi_open_inline(); }
#endif

// The record cannot get in, nor push out others any more; a SYNC will tell.
static WFI_NOINLINE void fail(void) {
    wfi.sync_due = true;
    wfi.limit = wfi.at;
}

// A SYNC carries its own number: those between it and the frame before were refused.
void wfi_leaves(const uint8_t *p) {
    enum { WFI_HEAD = 2, WFI_NUMBERS = 16 }; // behind the head: the count and the ticks
    struct wfi_place *place = &wfi.tail_at;
    uint8_t flip = 0, *number = (uint8_t *)&place->count;
    uint32_t expected = (uint32_t)++place->count;
    if (WF_CFG_FAST && p + 1 != wfi.ring_end && *p != WFI_ESC && p[1] != WF_ID_sync) return;
    for (unsigned i = 0; i < WFI_HEAD + WFI_NUMBERS; p = wfi_step(p)) {
        WFI_OPAQUE(i);
        uint8_t byte = *p ^ flip;
        flip = 0;
        if (*p == WFI_ESC) {
            flip = WFI_ESC_XOR;
            continue;
        }
        if (i == 1 && byte != WF_ID_sync) return;
        if (i >= WFI_HEAD) number[WFI_LITTLE ? i - WFI_HEAD : (i - WFI_HEAD) ^ 7] = byte;
        ++i;
    }
    place->refused += (uint32_t)place->count - expected;
}

void wfi_spoil(const uint8_t *part, const uint8_t *end) {
    unsigned sum = 0; // an escape is worth what it adds to the byte behind it
    for (; part != end; part = wfi_step(part)) {
        sum += *part == WFI_ESC ? WFI_ESC_XOR : *part;
    }
    wfi.cut = true;
    wfi.spoiler = sum & 1; // it makes the sum even
}

// Gives up the oldest frame, or what is left of it when a part was sent.
WFI_ALWAYS_INLINE void evict(void) {
    uint8_t *p = wfi.sent, byte;
    if (p != wfi.tail) wfi_spoil(wfi.tail, p);
    uint32_t bytes = 0;
#if WF_CFG_FAST
    while ((size_t)(wfi.ring_end - p) > WFI_WORD && !wfi_find(wfi_word_at(p))) {
        p += WFI_WORD;
        bytes += WFI_WORD;
    }
#endif
    do {
        byte = *p;
        p = wfi_step(p);
        ++bytes;
    } while (byte != WFI_FLAG);
    wfi.lost_bytes += bytes;
    wfi_leaves(wfi.tail);
    wfi.tail = wfi.sent = p;
    wfi.hole = true;
    ++wfi.lost;
}

// The free piece from p on, where p is next, or behind it in the record being made.
static size_t find_room(const uint8_t *p) {
    wfi.limit = p < wfi.tail ? wfi.tail - 1 : wfi.ring_end - (wfi.tail == wfi.ring);
    return (size_t)(wfi.limit - p);
}

// A loan is in the way, or there is nothing to give up?
static bool stuck(void) { return (wfi.lent && !wfi.lent_stage) || wfi.tail == wfi.next; }

static WFI_NOINLINE void more(void) {
    while (!wfi.sync_due) {
        uint8_t *at = wfi.at;
        if (at == wfi.ring_end) at = wfi.ring;
        wfi.at = at;
        if (find_room(at)) return;
        if (stuck()) break;
        evict();
    }
    fail();
}

#if WF_CFG_FAST
bool wfi_room(size_t need) {
    while (!wfi.sync_due) {
        if (find_room(wfi.next) >= need) return true;
        if (wfi.next >= wfi.tail || stuck()) return false; // to the ring's end, there is no more
        evict();
    }
    return false;
}
#endif

// A byte as it is.
static WFI_NOINLINE void put_raw(uint8_t byte) {
    if (wfi.at == wfi.limit) more();
    if (wfi.at != wfi.limit) *wfi.at++ = byte;
}

// A byte that needs an escape, or room.
static void put_odd(uint8_t byte) {
    if (wfi_special(byte)) {
        put_raw(WFI_ESC);
        byte ^= WFI_ESC_XOR;
    }
    put_raw(byte);
}

#if WF_CFG_FAST
// Bytes, escaped, as far as room is sure; returns what is behind them. It calls nothing, so its
// registers are not on the stack of the long way.
static WFI_NOINLINE const uint8_t *put_roomy(const uint8_t *p, const uint8_t *end) {
    uint8_t *at = wfi.at, *limit = wfi.limit;
    struct wfi_sum words = {0, 0};
    while ((size_t)(end - p) >= WFI_WORD && (size_t)(limit - at) >= WFI_WORD) {
        wfi_word w = wfi_word_at(p);
        if (wfi_find(w)) break;
        wfi_add(&words, w);
        wfi_word_to(at, w);
        p += WFI_WORD;
        at += WFI_WORD;
    }
    uint8_t sum = (uint8_t)(wfi.sum + wfi_fold(words));
    while (p != end && (size_t)(limit - at) >= 2) {
        uint8_t byte = *p++;
        sum = (uint8_t)(sum + byte);
        if (wfi_special(byte)) {
            *at++ = WFI_ESC;
            byte ^= WFI_ESC_XOR;
        }
        *at++ = byte;
    }
    wfi.at = at;
    wfi.sum = sum;
    return p;
}
#endif

void wfi_put_bytes(const void *bytes, unsigned len) {
    const uint8_t *p = bytes, *end = p + len;
    if ((uint32_t)wfi.len + len > WF_CFG_RECORD_MAX) {
        fail(); // before it pushes out others in vain
        return;
    }
    wfi.len = (uint16_t)(wfi.len + len);
#if WF_CFG_FAST
    while ((p = put_roomy(p, end)) != end) {
        uint8_t byte = *p++;
        wfi.sum = (uint8_t)(wfi.sum + byte);
        put_odd(byte);
    }
#else
    uint8_t *at = wfi.at, *limit = wfi.limit, sum = wfi.sum;
    while (p != end) {
        uint8_t byte = *p++;
        sum = (uint8_t)(sum + byte);
        if (at != limit && !wfi_special(byte)) {
            *at++ = byte;
            continue;
        }
        wfi.at = at;
        put_odd(byte);
        at = wfi.at;
        limit = wfi.limit;
    }
    wfi.at = at;
    wfi.sum = sum;
#endif
}

#if WFI_SMALL
void wfi_put_byte(uint8_t byte) { wfi_put_bytes(&byte, 1); }
#else
static WFI_NOINLINE void put_one(uint8_t byte) { wfi_put_bytes(&byte, 1); }

void wfi_put_byte(uint8_t byte) {
    if (wfi.at == wfi.limit || wfi_special(byte)) {
        put_one(byte);
        return;
    }
    wfi.sum = (uint8_t)(wfi.sum + byte);
    ++wfi.len;
    *wfi.at++ = byte;
}
#endif

#if !WFI_LITTLE
void wfi_put_field(const void *field, uint32_t len) {
    for (const uint8_t *p = (const uint8_t *)field + len; len; --len) wfi_put_byte(*--p);
}
#endif

void wfi_close_frame(void) {
    wfi_put_byte((uint8_t)~wfi.sum);
    put_raw(WFI_FLAG);
}

void wfi_close(void) {
    wfi_close_frame();
    if (!WFI_SMALL && wfi.len > WF_CFG_RECORD_MAX) wfi.sync_due = true;
    uint8_t *next = wfi.sync_due ? wfi.next : wfi.at;
    if (next == wfi.ring_end) next = wfi.ring;
    if (next <= wfi.next) wfi.limit = next; // to be found again
    wfi.next = next;
}
#endif
