// SPDX-License-Identifier: MIT
// The writer's side of the ring. From `tail` to `next` lie whole frames, the oldest first; of that
// one the reader may have sent the part up to `sent`. At least a byte is always free, so tail ==
// next means empty.
//
//   ring  |.....[tail: frame frame frame ]next.......limit|
//
// A record is written behind `next` and counts only when `next` moves past it.

#include "wfi_core.h"

struct wfi_recorder wfi WF_CFG_PLACE;

static uint8_t take(const uint8_t **p) {
    uint8_t flip = 0, byte = **p;
    if (byte == WFI_ESC) {
        *p = wfi_step(*p);
        flip = WFI_ESC_XOR;
        byte = **p;
    }
    *p = wfi_step(*p);
    return byte ^ flip;
}

// A SYNC carries its own number: those between it and the frame before were refused.
void wfi_leaves(const uint8_t *start) {
    struct wfi_place *place = &wfi.tail_at;
    uint64_t expected = ++place->count;
    if (WF_CFG_FAST && start + 1 != wfi.ring_end && *start != WFI_ESC && start[1] != WF_ID_sync)
        return;
    take(&start);
    if (take(&start) != WF_ID_sync) return;
    uint8_t *number = (uint8_t *)&place->count; // and the ticks behind it
    for (unsigned i = 0; i < 16; ++i) number[WFI_LITTLE ? i : i ^ 7] = take(&start);
    place->refused += place->count - expected;
}

void wfi_spoil(const uint8_t *part, const uint8_t *end) {
    uint8_t sum = 0, flip = 0;
    for (; part != end; part = wfi_step(part)) {
        uint8_t byte = *part;
        if (byte != WFI_ESC) sum = (uint8_t)(sum + (byte ^ flip));
        flip = byte == WFI_ESC ? WFI_ESC_XOR : 0;
    }
    wfi.cut = true;
    wfi.spoiler = (uint8_t)(sum + flip) == 0xFF;
}

// Gives up the oldest frame, or what is left of it when a part was sent.
static void evict(void) {
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

bool wfi_more(void) {
    while (!wfi.failed) {
        if (wfi.at == wfi.ring_end) wfi.at = wfi.ring;
        if (find_room(wfi.at)) return true;
        if (stuck())
            wfi.failed = true;
        else
            evict();
    }
    wfi.limit = wfi.at;
    return false;
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

// Whole words as long as that is possible; returns how many bytes those were.
static uint32_t put_words(const uint8_t *from, uint32_t len) {
    uint8_t *at = wfi.at;
    struct wfi_sum sum = {0, 0};
    size_t room = (size_t)(wfi.limit - at);
    uint32_t n = 0, most = (room < len ? (uint32_t)room : len) & ~(uint32_t)(WFI_WORD - 1);
    for (; n != most; n += WFI_WORD) {
        wfi_word w = wfi_word_at(from + n);
        if (wfi_find(w)) break;
        wfi_add(&sum, w);
        wfi_word_to(at + n, w);
    }
    wfi.at = at + n;
    wfi.sum = (uint8_t)(wfi.sum + wfi_fold(sum));
    return n;
}
#endif

// A byte that needs an escape, or room.
static WFI_NOINLINE void put_odd(uint8_t byte) {
    uint8_t out;
    do {
        out = wfi_special(byte) ? WFI_ESC : byte;
        byte ^= WFI_ESC_XOR;
        if (wfi.at == wfi.limit && !wfi_more()) return;
        *wfi.at++ = out;
    } while (out == WFI_ESC);
}

void wfi_put_bytes(const void *bytes, unsigned len) {
    const uint8_t *p = bytes, *end = p + len;
    if (len > WF_CFG_RECORD_MAX || wfi.len > WF_CFG_RECORD_MAX - len) {
        wfi.failed = true; // before it pushes out others in vain
        wfi.limit = wfi.at;
        return;
    }
#if WF_CFG_FAST
    p += put_words(p, len);
#endif
    uint8_t *at = wfi.at, *limit = wfi.limit, sum = wfi.sum;
    wfi.len = (uint16_t)(wfi.len + len);
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
}

void wfi_put_byte(uint8_t byte) {
    wfi.sum = (uint8_t)(wfi.sum + byte);
    ++wfi.len;
    if (wfi.at != wfi.limit && !wfi_special(byte))
        *wfi.at++ = byte;
    else
        put_odd(byte);
}

#if !WFI_LITTLE
void wfi_put_field(const void *field, uint32_t len) {
    for (const uint8_t *p = (const uint8_t *)field + len; len; --len) wfi_put_byte(*--p);
}
#endif

void wfi_close_frame(void) {
    wfi_put_byte((uint8_t)~wfi.sum);
    if (wfi.at != wfi.limit || wfi_more()) *wfi.at++ = WFI_FLAG;
}

bool wfi_close(void) {
    wfi_close_frame();
    bool good = !wfi.failed && wfi.len <= WF_CFG_RECORD_MAX;
    if (good && wfi.at != wfi.ring_end) {
        wfi.next = wfi.at;
        return true;
    }
    if (good) wfi.next = wfi.ring;
    wfi.limit = wfi.next; // to be found again
    return good;
}
