// SPDX-License-Identifier: MIT
// What the files of the recorder share. The port is found by include path.
#ifndef WFI_CORE_H
#define WFI_CORE_H

#define WFI_BUILDING // the functions exist even where WF_CFG_ON is 0
#include "wallfly/wallfly.h"

// Redeclared, so that a port function that is missing or has another type stops the build here.
static inline wf_stamp wf_port_now(void);
static inline uint32_t wf_port_lock(void);
static inline void wf_port_unlock(uint32_t was);
static inline uint8_t wf_port_core(void);

#include "wf_port.h"

// Words of a known number stay in registers only if the loops over them are taken apart.
#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 8
#define WFI_UNROLL _Pragma("GCC unroll 8")
#else
#define WFI_UNROLL
#endif
#define WFI_LIKELY(x)     __builtin_expect(!!(x), 1)
#define WFI_ALWAYS_INLINE static inline __attribute__((always_inline))
#define WFI_NOINLINE      __attribute__((noinline))

// What it is the compiler cannot know: so it makes no copies of code for what it could be.
#define WFI_OPAQUE(x) __asm__("" : "+r"(x))

// A shorter way of the same where the compiler is told to make it small.
#ifdef __OPTIMIZE_SIZE__
#define WFI_SMALL 1
#else
#define WFI_SMALL 0
#endif

enum { WFI_WORD = sizeof(wfi_word) };

// A word at any address.
WFI_ALWAYS_INLINE wfi_word wfi_word_at(const uint8_t *p) {
    wfi_word w = 0;
#if WF_CFG_UNALIGNED
    __builtin_memcpy(&w, p, sizeof w);
#else
    WFI_UNROLL
    for (unsigned i = 0; i < sizeof w; ++i) w = (wfi_word)(w | (wfi_word)p[i] << 8 * i);
#endif
    return w;
}

WFI_ALWAYS_INLINE void wfi_word_to(uint8_t *p, wfi_word w) {
#if WF_CFG_UNALIGNED
    __builtin_memcpy(p, &w, sizeof w);
#else
    WFI_UNROLL
    for (unsigned i = 0; i < sizeof w; ++i) p[i] = (uint8_t)(w >> 8 * i);
#endif
}

#define WFI_LOCK(what) ((what)&WFI_HELD ? 0 : wf_port_lock())
#define WFI_UNLOCK(what, was)                                                                      \
    if (!((what)&WFI_HELD)) wf_port_unlock(was)

#if WF_CFG_TEST
// Tests want the same stamps in every run: a count of the records that carry one.
#define WFI_NOW(what) ((what)&WFI_TIMED ? ++wfi.test_clock : wfi.test_clock)
#else
#define WFI_NOW(what) wf_port_now()
#endif

#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define WFI_LITTLE 1
#else
#define WFI_LITTLE 0
#endif

// The low `bytes` bytes of a number in memory; returns what is behind them.
static inline uint8_t *wfi_put_le(uint8_t *p, uint64_t v, unsigned bytes) {
    uint32_t low = (uint32_t)v;
#if WF_CFG_UNALIGNED && WFI_LITTLE
    uint16_t half = (uint16_t)v;
    switch (bytes) {
    case 1: *p = (uint8_t)v; break;
    case 2: __builtin_memcpy(p, &half, 2); break;
    case 4: __builtin_memcpy(p, &low, 4); break;
    default: __builtin_memcpy(p, &v, 8);
    }
#else // one by one, also where the compiler would call memcpy
    p[0] = (uint8_t)low;
    if (bytes > 1) p[1] = (uint8_t)(low >> 8);
    if (bytes > 2) p[2] = (uint8_t)(low >> 16);
    if (bytes > 2) p[3] = (uint8_t)(low >> 24);
    if (bytes > 4) wfi_put_le(p + 4, v >> 32, 4);
#endif
    return p + bytes;
}

// No memset: nothing of the C library is needed.
void wfi_fill(void *from, size_t len, uint8_t byte);

void wfi_filter_ids(unsigned first, unsigned last, bool on);
void wfi_filter_start(void); // only fixed records on, and all QS-IDs

// The sizes in force, two to a byte: initializers of five bytes, the last with a comma behind it.
#define WFI_SIZES WF_SIZES(WFI_TWO_SIZES)
#define WFI_TWO_SIZES(low, low_letter, low_bytes, high, high_letter, high_bytes)                   \
    (low_bytes) | (high_bytes) << 4,

// ---- the frame recorder only ----

#if !WF_CFG_SLOTS

// All of the following hold the critical section.

// A record is written straight to its place, a byte at a time, escaped and summed as it goes;
// wfi_close makes it part of the ring. Whatever is in the way of its bytes is given up, the oldest
// frame first.
WFI_ALWAYS_INLINE void wfi_open_inline(void) {
    wfi.at = wfi.next;
    wfi.len = 0;
    wfi.sum = 0;
    if (wfi.sync_due) wfi.limit = wfi.at; // no SYNC got in, so this will not
}
#if WFI_SMALL
void wfi_open(void);
#else
#define wfi_open wfi_open_inline
#endif

void wfi_put_bytes(const void *bytes, unsigned len);
void wfi_close(void);       // adds checksum and flag; if the record failed, nothing has happened
void wfi_close_frame(void); // only those two

void wfi_put_byte(uint8_t byte);

static inline uint8_t *wfi_step(const uint8_t *p) {
    return ++p == wfi.ring_end ? wfi.ring : (uint8_t *)(uintptr_t)p;
}

// Bytes that are copied or given up in one go, with the critical section held. At least a word less
// than the shortest ring.
enum { WFI_PIECE = 32 };

// Does a frame begin here, at the tail? Else it is the rest of one that was given up.
static inline bool wfi_starts_frame(const uint8_t *p) {
    return (p == wfi.ring ? wfi.ring_end : p)[-1] == WFI_FLAG;
}

// The record id of the frame that begins here. Ids need no escape.
static inline unsigned wfi_frame_id(const uint8_t *p) {
    if (*p == WFI_ESC) p = wfi_step(p);
    return *wfi_step(p);
}

// Is it a SYNC, of which the ring has only the first fields?
static inline bool wfi_is_sync(const uint8_t *p) {
    return WF_CFG_SYNC && wfi_frame_id(p) == WF_ID_sync;
}

// The frame at `start`, which is whole, is passed, copied or given up: its number and time are
// those of `sent` from now on. Returns its record id.
unsigned wfi_leaves(const uint8_t *start);

// Gives up the oldest frame, or the next piece of it.
void wfi_evict(void);

// Counts a record and begins it with its number, id and stamp; wfi_finish ends it, or counts it as
// refused.
void wfi_begin_frame(unsigned what);
void wfi_finish(void);

// Only with WF_CFG_BOX. Makes the block one that can be found: the ring is empty and the
// configuration known.
void wfi_box_seal(void);
// Takes over what an earlier run left, if it is whole and of this build, ring and configuration;
// what is not of the black box is zero then. False: nothing of it can be used.
bool wfi_box_keep(const struct wf_config *config);

// A SYNC's bytes between its id and its checksum, as it is sent and as it lies in the ring.
enum { WFI_SYNC_LEN = 51, WFI_SYNC_KEPT = 16 };

// Makes a record of its head, len bytes and tail_len bytes more. Takes the critical section unless
// it is held.
void wfi_put(unsigned what, const void *body, unsigned len, const void *tail, unsigned tail_len);

// Seq, id and stamp, in one or more words.
enum {
    WFI_HEAD_MAX = 2 + WF_CFG_TIME_SIZE,
    WFI_HEAD_WORDS = (WFI_HEAD_MAX + WFI_WORD - 1) / WFI_WORD
};

#if !WF_CFG_FAST
// Makes a record of a frame whose head is still to be filled in; the second one for callers that
// hold the critical section.
void wfi_put_whole(unsigned what, uint8_t *frame, unsigned len);
void wfi_put_whole_held(unsigned what, uint8_t *frame, unsigned len);
#else

// Adds up the bytes of some words. Not 0: one of them may need an escape.
WFI_ALWAYS_INLINE wfi_word wfi_look_over(const wfi_word *words, uint32_t len, struct wfi_sum *sum) {
    wfi_word found = 0;
    WFI_UNROLL
    for (uint32_t i = 0; i * WFI_WORD < len; ++i) {
        found |= wfi_find(words[i]);
        wfi_add(sum, words[i]);
    }
    return found;
}

// len bytes of words, and up to a word's end behind them.
WFI_ALWAYS_INLINE void wfi_store(uint8_t *to, const wfi_word *words, uint32_t len) {
    WFI_UNROLL
    for (uint32_t i = 0; i * WFI_WORD < len; ++i) wfi_word_to(to + i * WFI_WORD, words[i]);
}

// Bytes laid in words, zero behind them: in one go if nothing is in the way.
WFI_ALWAYS_INLINE void wfi_put_laid(const wfi_word *words, uint32_t len) {
    struct wfi_sum sum = {0, 0};
    wfi_word found = wfi_look_over(words, len, &sum);
    if (found || (size_t)(wfi.limit - wfi.at) < len + WFI_WORD ||
        wfi.len > WF_CFG_RECORD_MAX - 16) {
        wfi_put_bytes(words, len);
        return;
    }
    wfi_store(wfi.at, words, len);
    wfi.at += len;
    wfi.len = (uint16_t)(wfi.len + len);
    wfi.sum = (uint8_t)(wfi.sum + wfi_fold(sum));
}

// So many bytes free in one piece at next, by giving up old frames. False: that cannot be.
bool wfi_room(size_t need);

// The long way, from within the critical section, with the body in memory; its length stands in
// bits 16 and up of what.
void wfi_put_slow(uint32_t what, const void *body);

// The same with words from registers, so that they take no memory before it is needed; and it ends
// the critical section. The body begins at a byte of the first word that bits 12 to 14 of what
// tell. Of few words all arguments are in registers on most CPUs: then the caller is off the stack.
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

// Where a frame ends: its checksum and flag; and it is part of the ring.
WFI_ALWAYS_INLINE void wfi_end_made(uint8_t *p, uint8_t check, uint32_t count) {
    p[0] = check;
    p[1] = WFI_FLAG;
    wfi.next = p + 2;
    WFI_SHARE(wfi.count_low, count);
}

// The short way of a record. Nearly all is done outside of the critical section, with the number
// and stamp the record will have if nobody is faster; inside it is seen whether that is so, and the
// frame is stored. Anything unusual takes the long way. frame: zeros for the head, and the body
// from byte `from` on, which is the head's end or a whole word.
WFI_ALWAYS_INLINE void wfi_put_made(uint32_t what, wfi_word *frame, uint32_t from, uint32_t len) {
    const uint32_t head_len = what & WFI_TIMED ? WFI_HEAD_MAX : 2, laid = from + len;
    const uint32_t need = head_len + len + 2 + 2 * WFI_WORD;
    uint32_t count = WFI_SHARED(wfi.count_low) + 1;
    wf_stamp now = wf_port_now();
    struct wfi_sum sum = {0, 0};
    wfi_lay_head(frame, what, count, now);
    wfi_word found = wfi_look_over(frame, laid, &sum);
    uint8_t check = (uint8_t)~wfi_fold(sum);
    bool usual = !found && (count & 0xFF) != 0 && !wfi_special(check);
    uint32_t was = WFI_LOCK(what);
    if (WFI_LIKELY(usual && count == wfi.count_low + 1 && now >= wfi.last)) {
        wfi.last = now;
        if (WFI_LIKELY((size_t)(wfi.limit - wfi.next) >= need || wfi_room(need))) {
            uint8_t *p = wfi.next;
            wfi_store(p, frame, from == head_len ? laid : head_len);
            if (from != head_len) wfi_store(p + head_len, frame + from / WFI_WORD, len);
            wfi_end_made(p + head_len + len, check, wfi.count_low + 1);
            WFI_UNLOCK(what, was);
            return;
        }
    }
    wfi_put_slow_words(what | from % WFI_WORD << 12 | len << 16, was, frame + from / WFI_WORD,
                       (laid + WFI_WORD - 1) / WFI_WORD - from / WFI_WORD);
}
#endif
#endif

#endif
