// SPDX-License-Identifier: MIT
// Without WF_CFG_FAST: records are made within the critical section, byte by byte. With
// WFI_EIGHT_BIT the usual record, with room in one piece, has a path of its own.

#include "wfi_core.h"
#include "wfi_packed.h"

#if !WF_CFG_SLOTS && !WF_CFG_FAST

// Writes the bytes of a started record as its frame, in as many pieces as it takes.
static void put_long(const uint8_t *frame, unsigned len) {
    wfi_open();
    wfi_put_bytes(frame, len);
    wfi_finish();
}

static WFI_NOINLINE void fill_head(unsigned what, uint8_t *frame) {
    if (!WFI_EIGHT_BIT) wfi_start_frame(what); // else the caller has done it
    frame[0] = (uint8_t)wfi.count_low;
    frame[1] = (uint8_t)what;
    if (what & WFI_TIMED) wfi_put_le(frame + 2, wfi.last, WF_CFG_TIME_SIZE);
}

static inline void begin_by_bytes(unsigned what) {
    uint8_t head[WFI_HEAD_MAX];
    fill_head(what, head);
    wfi_open();
    wfi_put_bytes(head, what & WFI_TIMED ? WFI_HEAD_MAX : 2);
}

#if !WFI_EIGHT_BIT
void wfi_begin_frame(unsigned what) {
    if (!WFI_BEGIN_EVENT(what)) begin_by_bytes(what);
}

void wfi_begin_sized(unsigned what, unsigned len) {
    (void)len;
    wfi_begin_frame(what);
}

void wfi_put_whole_held(unsigned what, uint8_t *frame, unsigned len) {
    fill_head(what, frame);
    if (WFI_SMALL || !wfi_put_frame(frame, len)) put_long(frame, len);
}
#else
// Each byte of a record is stored and summed in the same step, the head's bytes from where the
// recorder has them: on 8-bit CPUs every other access of a byte counts.

// Stores byte i of the stamp, if it has so many, and returns it. It is read from memory where that
// is its place there: 8-bit CPUs have no shifts of several bits.
WFI_ALWAYS_INLINE uint8_t put_stamp_byte(uint8_t *at, unsigned i) {
    if (i >= WF_CFG_TIME_SIZE) return 0;
#if WFI_LITTLE
    const uint8_t byte = ((const uint8_t *)&wfi.last)[i];
#else
    const uint8_t byte = (uint8_t)((uint64_t)wfi.last >> 8 * i);
#endif
    at[i] = byte;
    return byte;
}

// No loop: compilers for 8-bit CPUs would keep it. Returns the sum.
WFI_ALWAYS_INLINE uint8_t put_stamp(uint8_t *at) {
    return (uint8_t)(put_stamp_byte(at, 0) + put_stamp_byte(at, 1) + put_stamp_byte(at, 2) +
                     put_stamp_byte(at, 3) + put_stamp_byte(at, 4) + put_stamp_byte(at, 5) +
                     put_stamp_byte(at, 6) + put_stamp_byte(at, 7));
}

// Stores the head of a started record; returns the sum.
WFI_ALWAYS_INLINE uint8_t store_head(uint8_t *at, unsigned what) {
    uint8_t sum = (uint8_t)wfi.count_low;
    at[0] = sum;
    at[1] = (uint8_t)what;
    sum = (uint8_t)(sum + what);
    if (what & WFI_TIMED) sum = (uint8_t)(sum + put_stamp(at + 2));
    return sum;
}

static inline unsigned head_len(unsigned what) { return what & WFI_TIMED ? WFI_HEAD_MAX : 2; }

// Makes room in one piece. Returns false when the record must be made in steps.
WFI_ALWAYS_INLINE bool makes_room(size_t need) {
    return WFI_LIKELY((size_t)(wfi.limit - wfi.next) >= need) ||
           (need < WF_RING_MIN && wfi_room(need));
}

// Begins the frame of a started record; the first WFI_WHOLE bytes are free in one piece.
WFI_ALWAYS_INLINE void begin_quickly(unsigned what) {
    uint8_t *const next = wfi.next, *const limit = wfi.limit, *const first = next + 1;
    const unsigned len = head_len(what);
    wfi.length = next;
    wfi.sum = store_head(first, what);
    wfi.len = (uint16_t)len;
    wfi.at = first + len;
    wfi.stop = limit - first < WFI_PIECE_MAX ? limit : next + 1 + WFI_PIECE_MAX;
}

static WFI_NOINLINE void begin_in_steps(unsigned what) { begin_by_bytes(what); }

void wfi_begin_frame(unsigned what) {
    if (WFI_BEGIN_EVENT(what)) return;
    wfi_start_frame(what);
    if (WFI_LIKELY((size_t)(wfi.limit - wfi.next) >= WFI_WHOLE))
        begin_quickly(what);
    else
        begin_in_steps(what);
}

void wfi_begin_sized(unsigned what, unsigned len) {
    if (WFI_BEGIN_EVENT(what)) return;
    wfi_start_frame(what);
    if (makes_room(WFI_WHOLE + len))
        begin_quickly(what);
    else
        begin_in_steps(what);
}

static WFI_NOINLINE void put_slowly(unsigned what, uint8_t *frame, unsigned len) {
    fill_head(what, frame);
    if (!wfi_put_frame(frame, len)) put_long(frame, len);
}

void wfi_put_whole_held(unsigned what, uint8_t *frame, unsigned len) {
    wfi_start_frame(what);
    if (!makes_room(len + 2)) {
        put_slowly(what, frame, len);
        return;
    }
    const unsigned begins = head_len(what);
    const uint8_t *p = frame + begins;
    uint8_t *at = wfi.next;
    *at++ = (uint8_t)(len + 1);
    uint8_t sum = store_head(at, what);
    at += begins;
    for (const uint8_t *const end = frame + len; p != end;) {
        uint8_t byte = *p++;
        WFI_OPAQUE(byte); // no call of memcpy
        *at++ = byte;
        sum = (uint8_t)(sum + byte);
    }
    *at++ = (uint8_t)~sum;
    if (at == wfi.ring_end) at = wfi.limit = wfi.ring; // to be computed again
    wfi.next = at;
    wfi.wrapped = false;
}
#endif

void wfi_put_whole(unsigned what, uint8_t *frame, unsigned len) {
    uint32_t was = wf_port_lock();
    wfi_put_whole_held(what, frame, len);
    wf_port_unlock(was);
}
#endif
