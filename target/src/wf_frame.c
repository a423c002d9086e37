// SPDX-License-Identifier: MIT
// Writes a record's bytes into the ring after `next`, in steps or in one go. The record belongs to
// the ring only when `next` moves past it. wf_ring.c has the picture, and makes room.

#include "wfi_core.h"
#include "wfi_packed.h"

#if !WF_CFG_SLOTS

// Refuses the record; it overwrites no more frames. A SYNC will report it.
static WFI_NOINLINE void fail(void) {
    wfi.sync_due = true;
    wfi.limit = wfi.stop = wfi.at;
}

// Bytes after the length byte of the current piece.
static size_t piece_len(void) {
    const uint8_t *const first = wfi.length + 1;
    return (size_t)(wfi.at - first) + (wfi.at < first ? (size_t)(wfi.ring_end - wfi.ring) : 0);
}

// Reserves the length byte of a new piece, and sets the place of its bytes.
static void begin_piece(void) {
    if (wfi.length) *wfi.length = WFI_GOES_ON;
    wfi.length = wfi.at++;
    wfi.stop = wfi.limit - wfi.at < WFI_PIECE_MAX ? wfi.limit : wfi.at + WFI_PIECE_MAX;
}

// Called with `at` at the limit or at the end of a piece. Makes room for at least one byte there,
// at best `want` bytes, or the record fails.
static WFI_NOINLINE void more(size_t want) {
    if (WFI_MAKING_EVENT && !wfi.sync_due) {
        wfi_unpack_event();
        if (wfi.at != wfi.stop) return;
    }
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
        // There is no frame to drop, or dropping would not help.
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
        wfi.limit = wfi.at; // no SYNC fitted, so this record will not
    else if (wfi.limit - wfi.at >= 2)
        begin_piece();
}

#if WF_CFG_FAST
// Stores whole words while there is room; returns the end of the bytes stored.
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

// Stores bytes until there are no more, or no more room; returns the end of those stored.
static inline const uint8_t *put_some(const uint8_t *p, const uint8_t *end) {
    uint8_t *at = wfi.at, *const stop = wfi.stop, sum = wfi.sum;
#if !WFI_EIGHT_BIT
    while (p != end && at != stop) {
        WFI_OPAQUE(at); // no call of memcpy
        sum = (uint8_t)(sum + *p);
        *at++ = *p++;
    }
#else // one comparison of pointers for each byte
    if ((size_t)(end - p) > (size_t)(stop - at)) end = p + (stop - at);
    while (p != end) {
        uint8_t byte = *p++;
        WFI_OPAQUE(byte); // no call of memcpy
        sum = (uint8_t)(sum + byte);
        *at++ = byte;
    }
#endif
    wfi.at = at;
    wfi.sum = sum;
    return p;
}

// Returns whether the record being made would be too long with so many bytes more.
static inline bool too_long(unsigned len) {
    if (sizeof len > 2) return (uint32_t)wfi.len + len > WF_CFG_RECORD_MAX;
    return len > WF_CFG_RECORD_MAX || wfi.len > WF_CFG_RECORD_MAX - len; // in 16 bits
}

void wfi_put_bytes(const void *bytes, unsigned len) {
    const uint8_t *p = bytes, *end = p + len;
    if (too_long(len)) {
        fail(); // before it overwrites others in vain
        return;
    }
    wfi.len = (uint16_t)(wfi.len + len);
    for (;;) {
#if WF_CFG_FAST
        if ((size_t)(end - p) >= 2 * WFI_WORD) p = put_words(p, end);
#endif
        p = put_some(p, end);
        if (p == end) return;
        more((size_t)(end - p) + 1);
        if (wfi.sync_due) return;
    }
}

#if WFI_SMALL
void wfi_put_byte(uint8_t byte) { wfi_put_bytes(&byte, 1); }
#else
// Not in wfi_put_byte, which would need a place on the stack for the byte.
static WFI_NOINLINE void put_byte_slowly(uint8_t byte) { wfi_put_bytes(&byte, 1); }

void wfi_put_byte(uint8_t byte) {
    if (WFI_UNLIKELY(wfi.at == wfi.stop)) {
        put_byte_slowly(byte);
        return;
    }
    wfi.sum = (uint8_t)(wfi.sum + byte);
    ++wfi.len;
    *wfi.at++ = byte;
}
#endif

#if WFI_EIGHT_BIT
// The usual case, with fewer accesses of the recorder's state: the checksum has room in a piece
// that does not continue at the ring's beginning.
WFI_ALWAYS_INLINE bool close_quickly(void) {
    uint8_t *at = wfi.at, *const length = wfi.length;
    if (at == wfi.stop || at <= length || wfi.len >= WF_CFG_RECORD_MAX) return false;
    *at++ = (uint8_t)~wfi.sum;
    *length = (uint8_t)(at - length - 1);
    if (at == wfi.ring_end) at = wfi.ring;
    if (at <= wfi.next) wfi.limit = at; // to be computed again
    wfi.next = at;
    return true;
}
#endif

void wfi_close(void) {
#if WFI_EIGHT_BIT
    if (close_quickly()) return;
#endif
    wfi_put_byte((uint8_t)~wfi.sum);
    if (!WFI_SMALL && wfi.len > WF_CFG_RECORD_MAX) wfi.sync_due = true;
    uint8_t *next = wfi.next;
    if (!wfi.sync_due) {
        *wfi.length = (uint8_t)piece_len();
        next = wfi.at == wfi.ring_end ? wfi.ring : wfi.at;
    }
    if (next <= wfi.next) wfi.limit = next; // to be computed again
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
        uint8_t byte = *bytes++;
        WFI_OPAQUE(byte); // no call of memcpy
        sum = (uint8_t)(sum + byte);
        *at++ = byte;
    }
    *at++ = (uint8_t)~sum;
    if (at == wfi.ring_end) at = wfi.limit = wfi.ring; // to be computed again
    wfi.next = at;
    wfi.wrapped = false;
    return true;
}
#endif
#endif
