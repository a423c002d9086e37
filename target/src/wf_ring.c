// SPDX-License-Identifier: MIT
// The writer's side of the ring. From `tail` to `next` lie whole frames, the oldest first; the
// reader has copied those in front of `sent`. At least a byte is always free, so tail == next means
// empty.
//
//   ring  |.....[tail: frame frame [sent: frame frame ]next.......limit|
//
// A record is written behind `next` and counts only when `next` moves past it. It takes its room
// from the oldest frames, a piece at a time, so that it never pays for frames longer than itself.
// Of a frame given up the rest may still lie at the tail then. The byte in front of the tail is
// never overwritten: it is a flag if, and only if, a frame begins at the tail.

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

// In the ring a SYNC has its first two fields only; they are the place behind it. It carries its
// own number: those between it and the frame before were refused.
unsigned wfi_leaves(const uint8_t *p) {
    enum { WFI_HEAD = 2, WFI_NUMBERS = 16 };
    struct wfi_place *place = &wfi.tail_at;
    uint64_t number[2] = {0, 0};
    uint8_t flip = 0;
    unsigned id = wfi_frame_id(p);
    if (!WF_CFG_SYNC || id != WF_ID_sync) {
        ++place->count;
        return id;
    }
    for (unsigned i = 0; i < WFI_HEAD + WFI_NUMBERS; p = wfi_step(p)) {
        WFI_OPAQUE(i);
        if (*p == WFI_ESC) {
            flip = WFI_ESC_XOR;
            continue;
        }
        if (i >= WFI_HEAD)
            ((uint8_t *)number)[WFI_LITTLE ? i - WFI_HEAD : (i - WFI_HEAD) ^ 7] = *p ^ flip;
        flip = 0;
        ++i;
    }
    place->refused += (uint32_t)number[0] - ((uint32_t)place->count + 1);
    place->ticks = number[1];
    place->count = number[0];
    return id;
}

// What becomes of the frame at the tail as its first piece is given up. One that was copied whole
// is not lost; one of which a part was sent is cut.
static void give_up_frame(uint8_t *p) {
    if (wfi.part) {
        wfi.part = false;
        wfi.cut = true;
        wfi.sent = p;
    } else if (p == wfi.sent && wfi_starts_frame(p)) {
        (void)wfi_leaves(p); // returns its record id: here is seen what kinds of records are lost
    } else {
        return;
    }
    wfi.hole = true;
    ++wfi.lost;
}

void wfi_evict(void) {
    uint8_t *p = wfi.tail, byte;
    uint32_t bytes = 0;
    give_up_frame(p);
    const bool waits = p == wfi.sent;
#if WF_CFG_FAST
    while (bytes < WFI_PIECE && (size_t)(wfi.ring_end - p) > WFI_WORD &&
           !wfi_find(wfi_word_at(p))) {
        p += WFI_WORD;
        bytes += WFI_WORD;
    }
#endif
    do {
        byte = *p;
        p = wfi_step(p);
        ++bytes;
    } while (byte != WFI_FLAG && bytes < WFI_PIECE);
    if (waits) {
        wfi.lost_bytes += bytes;
        wfi.sent = p;
    }
    wfi.tail = p;
}

// The free piece from p on, where p is next, or behind it in the record being made.
static size_t find_room(const uint8_t *p) {
    wfi.limit = p < wfi.tail ? wfi.tail - 1 : wfi.ring_end - (wfi.tail == wfi.ring);
    return (size_t)(wfi.limit - p);
}

static WFI_NOINLINE void more(void) {
    while (!wfi.sync_due) {
        uint8_t *at = wfi.at;
        if (at == wfi.ring_end) at = wfi.ring;
        wfi.at = at;
        if (find_room(at)) return;
        // There is nothing to give up, or it would be in vain.
        if (wfi.tail == wfi.next || wfi.len + 2u >= (size_t)(wfi.ring_end - wfi.ring)) break;
        wfi_evict();
    }
    fail();
}

#if WF_CFG_FAST
bool wfi_room(size_t need) {
    while (!wfi.sync_due) {
        if (find_room(wfi.next) >= need) return true;
        if (wfi.next >= wfi.tail) return false; // to the ring's end, there is no more
        wfi_evict();
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
        if (wfi.sync_due) return;
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
        if (wfi.sync_due) return;
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
