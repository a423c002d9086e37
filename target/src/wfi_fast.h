// SPDX-License-Identifier: MIT
// With WF_CFG_FAST: records are built in words outside the critical section, and stored in it. Part
// of wfi_core.h.
#ifndef WFI_FAST_H
#define WFI_FAST_H

#include "wfi_core.h"

#if WF_CFG_FAST

// Adds the bytes of some words to the sum.
WFI_ALWAYS_INLINE void wfi_add_words(const wfi_word *words, uint32_t len, struct wfi_sum *sum) {
    WFI_UNROLL
    for (uint32_t i = 0; i * WFI_WORD < len; ++i) wfi_add(sum, words[i]);
}

// Stores len bytes of words, rounded up to whole words.
WFI_ALWAYS_INLINE void wfi_store(uint8_t *to, const wfi_word *words, uint32_t len) {
    WFI_UNROLL
    for (uint32_t i = 0; i * WFI_WORD < len; ++i) wfi_word_to(to + i * WFI_WORD, words[i]);
}

// Appends bytes stored in words with zeros after them: in one go if there is room.
WFI_ALWAYS_INLINE void wfi_put_laid(const wfi_word *words, uint32_t len) {
    if ((size_t)(wfi.stop - wfi.at) < len + WFI_WORD || wfi.len > WF_CFG_RECORD_MAX - 16) {
        wfi_put_bytes(words, len);
        return;
    }
    struct wfi_sum sum = {0, 0};
    wfi_add_words(words, len, &sum);
    wfi_store(wfi.at, words, len);
    wfi.at += len;
    wfi.len = (uint16_t)(wfi.len + len);
    wfi.sum = (uint8_t)(wfi.sum + wfi_fold(sum));
}

// Ends a frame at `next` that is written except for its length. It gets another number; if other
// records were made since the count was `seen`, it also gets another stamp.
void wfi_end_anew(uint32_t what, uint32_t len, uint32_t check, uint32_t seen);

// The slow path of a packed record, within the critical section. Bits 16 and up of `what` are the
// length of its body.
void wfi_put_slow(uint32_t what, const wfi_word *words);

// The slow path of other records; ends the critical section. The words are passed in registers, so
// that they take no memory on the fast path. Bits 12 to 14 of `what` are the byte of the first word
// at which the body begins. With few words all arguments are in registers on most CPUs; then the
// caller is off the stack.
void wfi_put_slow_2(uint32_t what, uint32_t was, wfi_word a, wfi_word b);
void wfi_put_slow_4(uint32_t what, uint32_t was, wfi_word a, wfi_word b, wfi_word c, wfi_word d);
void wfi_put_slow_8(uint32_t what, uint32_t was, wfi_word a, wfi_word b, wfi_word c, wfi_word d,
                    wfi_word e, wfi_word f, wfi_word g, wfi_word h);

WFI_ALWAYS_INLINE void wfi_put_slow_words(uint32_t what, uint32_t was, const wfi_word *w,
                                          uint32_t n) {
#define WFI_W(i) ((i) < n ? w[i] : 0)
    if (n <= 2)
        wfi_put_slow_2(what, was, WFI_W(0), WFI_W(1));
    else if (n <= 4)
        wfi_put_slow_4(what, was, WFI_W(0), WFI_W(1), WFI_W(2), WFI_W(3));
    else
        wfi_put_slow_8(what, was, WFI_W(0), WFI_W(1), WFI_W(2), WFI_W(3), WFI_W(4), WFI_W(5),
                       WFI_W(6), WFI_W(7));
#undef WFI_W
}

WFI_ALWAYS_INLINE void wfi_lay_head(wfi_word *frame, unsigned what, uint32_t count, wf_stamp now) {
    wfi_lay(frame, 0, (count & 0xFF) | (what & 0xFF) << 8, 2);
    if (what & WFI_TIMED) wfi_lay(frame, 2, now, WF_CFG_TIME_SIZE);
}

// Makes a frame at `next` part of the ring; it is written except for its length and checksum.
WFI_ALWAYS_INLINE void wfi_end_made(uint32_t len, uint8_t check, uint32_t count) {
    uint8_t *const p = wfi.next;
    p[0] = (uint8_t)(len + 1);
    p[1 + len] = check;
    wfi.next = p + 2 + len;
    WFI_SHARE(wfi.count_low, count);
}

// The number and stamp of the next record, if the count is still `seen` then.
struct wfi_turn {
    uint32_t seen, count;
    wf_stamp now;
};

WFI_ALWAYS_INLINE struct wfi_turn wfi_turn_of(uint32_t seen, wf_stamp now) {
    struct wfi_turn turn = {seen, seen + 1, now};
    if (WFI_LIKELY((turn.count & 0xFF) != 0)) return turn;
    if (WF_CFG_SYNC) ++turn.count;            // for the reader's SYNC
    if (turn.count < seen) turn.seen = ~seen; // the count overflows: it is never in turn
    return turn;
}

WFI_ALWAYS_INLINE bool wfi_is_in_turn(const struct wfi_turn *turn) {
    return turn->seen == wfi.count_low && turn->now >= wfi.last;
}

#define WFI_ROUND(bytes) (((bytes) + WFI_WORD - 1) / WFI_WORD * WFI_WORD)

// The fast path of a record. Nearly all is done outside the critical section, with the number and
// stamp the record has if no other record is made meanwhile; inside it the frame is stored. If the
// number or stamp has changed by then, it is corrected in the ring. Without room in one piece the
// record takes the slow path. frame: zeros for the head, and the body from byte `from` on, which is
// the head's end or a whole word.
WFI_ALWAYS_INLINE void wfi_put_made(uint32_t what, wfi_word *frame, uint32_t from, uint32_t len) {
    const uint32_t head_len = what & WFI_TIMED ? WFI_HEAD_MAX : 2, laid = from + len;
    // Whole words are stored, also of a head without a body; one more byte keeps `next` before the
    // ring's end.
    const uint32_t words = from == head_len ? WFI_ROUND(laid)
                           : len            ? head_len + WFI_ROUND(len)
                                            : WFI_ROUND(head_len);
    const uint32_t need = 2 + (words > head_len + len ? words : head_len + len + 1);
    const struct wfi_turn turn = wfi_turn_of(WFI_SHARED(wfi.count_low), wf_port_now());
    struct wfi_sum sum = {0, 0};
    wfi_lay_head(frame, what, turn.count, turn.now);
    wfi_add_words(frame, laid, &sum);
    uint32_t check = (uint8_t)~wfi_fold(sum);
    WFI_OPAQUE(check); // computed before the lock is taken
    uint32_t was = WFI_LOCK(what);
    if (WFI_LIKELY((size_t)(wfi.limit - wfi.next) >= need || wfi_room(need))) {
        uint8_t *p = wfi.next + 1;
        wfi_store(p, frame, from == head_len ? laid : head_len);
        if (from != head_len) wfi_store(p + head_len, frame + from / WFI_WORD, len);
        if (WFI_LIKELY(wfi_is_in_turn(&turn))) {
            wfi.last = turn.now;
            wfi_end_made(head_len + len, (uint8_t)check, turn.count);
        } else {
            wfi_end_anew(what, head_len + len, check, turn.seen);
        }
        WFI_UNLOCK(what, was);
        return;
    }
    wfi_put_slow_words(what | from % WFI_WORD << 12 | len << 16, was, frame + from / WFI_WORD,
                       (laid + WFI_WORD - 1) / WFI_WORD - from / WFI_WORD);
}

#endif
#endif
