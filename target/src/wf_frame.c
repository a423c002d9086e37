// SPDX-License-Identifier: MIT
// A record's bytes on their way into the ring, behind `next`: in steps, or in one go. It counts
// only when `next` moves past it. wf_ring.c has the picture, and makes room.

#include "wfi_core.h"

#if !WF_CFG_SLOTS

// The record is refused and pushes out no more frames. A SYNC will report it.
static WFI_NOINLINE void fail(void) {
    wfi.sync_due = true;
    wfi.limit = wfi.stop = wfi.at;
}

// Bytes behind the length of the piece at hand.
static size_t piece_len(void) {
    const uint8_t *const first = wfi.length + 1;
    return (size_t)(wfi.at - first) + (wfi.at < first ? (size_t)(wfi.ring_end - wfi.ring) : 0);
}

// A length, and the place of the bytes behind it.
static void begin_piece(void) {
    if (wfi.length) *wfi.length = WFI_GOES_ON;
    wfi.length = wfi.at++;
    wfi.stop = wfi.limit - wfi.at < WFI_PIECE_MAX ? wfi.limit : wfi.at + WFI_PIECE_MAX;
}

// `at` is at the limit or at the end of a piece. Makes room for one byte or more there, `want`
// bytes at best, or the record fails.
static WFI_NOINLINE void more(size_t want) {
    while (!wfi.sync_due) {
        if (wfi.at == wfi.ring_end) wfi.at = wfi.ring;
        wfi.limit = wfi_room_end(wfi.at);
        const size_t room = (size_t)(wfi.limit - wfi.at);
        if (room) {
            const size_t left = wfi.length ? WFI_PIECE_MAX - piece_len() : 0;
            wfi.stop = wfi.at + (left < room ? left : room);
            if (left) return;
            begin_piece();
            if (wfi.at != wfi.stop) return;
            continue;
        }
        // There is nothing to give up, or it would be in vain.
        if (wfi.tail == wfi.next || wfi.len + 2u >= (size_t)(wfi.ring_end - wfi.ring)) break;
        wfi_evict(want);
    }
    fail();
}

void wfi_open(void) {
    if (WFI_QUICK && wfi.ring_end - wfi.next < WFI_WHOLE) (void)wfi_room(WFI_WHOLE);
    wfi.at = wfi.stop = wfi.next;
    wfi.len = 0;
    wfi.sum = 0;
    wfi.length = NULL;
    if (wfi.sync_due)
        wfi.limit = wfi.at; // no SYNC got in, so this will not
    else if (wfi.limit - wfi.at >= 2)
        begin_piece();
}

#if WF_CFG_FAST
// Whole words, as far as there is room; returns what is behind them.
static WFI_NOINLINE const uint8_t *put_words(const uint8_t *p, const uint8_t *end) {
    uint8_t *at = wfi.at, *const stop = wfi.stop;
    struct wfi_sum words = {0, 0};
    while ((size_t)(end - p) >= WFI_WORD && (size_t)(stop - at) >= WFI_WORD) {
        wfi_word w = wfi_word_at(p);
        wfi_add(&words, w);
        wfi_word_to(at, w);
        p += WFI_WORD;
        at += WFI_WORD;
    }
    wfi.at = at;
    wfi.sum = (uint8_t)(wfi.sum + wfi_fold(words));
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
    for (;;) {
#if WF_CFG_FAST
        if ((size_t)(end - p) >= 2 * WFI_WORD) p = put_words(p, end);
#endif
        uint8_t *at = wfi.at, *const stop = wfi.stop, sum = wfi.sum;
        while (p != end && at != stop) {
            WFI_OPAQUE(at); // no call of memcpy
            sum = (uint8_t)(sum + *p);
            *at++ = *p++;
        }
        wfi.at = at;
        wfi.sum = sum;
        if (p == end) return;
        more((size_t)(end - p) + 1);
        if (wfi.sync_due) return;
    }
}

void wfi_put_byte(uint8_t byte) {
    if (WFI_SMALL || wfi.at == wfi.stop) {
        wfi_put_bytes(&byte, 1);
        return;
    }
    wfi.sum = (uint8_t)(wfi.sum + byte);
    ++wfi.len;
    *wfi.at++ = byte;
}

void wfi_close(void) {
    wfi_put_byte((uint8_t)~wfi.sum);
    if (!WFI_SMALL && wfi.len > WF_CFG_RECORD_MAX) wfi.sync_due = true;
    uint8_t *next = wfi.next;
    if (!wfi.sync_due) {
        *wfi.length = (uint8_t)piece_len();
        next = wfi.at == wfi.ring_end ? wfi.ring : wfi.at;
    }
    if (next <= wfi.next) wfi.limit = next; // to be found again
    wfi.next = next;
}

#if !WFI_SMALL
bool wfi_put_frame(const uint8_t *bytes, unsigned len) {
    if (len >= WFI_PIECE_MAX || len + 2 >= (size_t)(wfi.ring_end - wfi.ring) || !wfi_room(len + 2))
        return false;
    const uint8_t *const end = bytes + len;
    uint8_t *at = wfi.next, sum = 0;
    *at++ = (uint8_t)(len + 1);
    while (bytes != end) {
        WFI_OPAQUE(at); // no call of memcpy
        sum = (uint8_t)(sum + *bytes);
        *at++ = *bytes++;
    }
    *at++ = (uint8_t)~sum;
    if (at == wfi.ring_end) at = wfi.limit = wfi.ring; // to be found again
    wfi.next = at;
    wfi.wrapped = false;
    return true;
}
#endif
#endif
