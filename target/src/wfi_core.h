// SPDX-License-Identifier: MIT
// Shared by the recorder's files. The port header is found by include path.
#ifndef WFI_CORE_H
#define WFI_CORE_H

#define WFI_BUILDING // the functions exist even where WF_CFG_ON is 0
#include "wallfly/wallfly.h"

// Redeclared, so that a missing port function, or one of another type, stops the build here.
static inline wf_stamp wf_port_now(void);
static inline uint32_t wf_port_lock(void);
static inline void wf_port_unlock(uint32_t was);
static inline uint8_t wf_port_core(void);

#include "wf_port.h"

// Words of a known number stay in registers only if the loops over them are unrolled.
#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 8
#define WFI_UNROLL _Pragma("GCC unroll 8")
#else
#define WFI_UNROLL
#endif
#define WFI_LIKELY(x)     __builtin_expect(!!(x), 1)
#define WFI_UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define WFI_ALWAYS_INLINE static inline __attribute__((always_inline))
#define WFI_NOINLINE      __attribute__((noinline))

// Compiler barrier: memory accesses before it in the code stay before those after it.
#define WFI_IN_ORDER __asm__ volatile("" ::: "memory")

// Hides a value from the compiler, so that it makes no copies of the code for special values.
#define WFI_OPAQUE(x) __asm__("" : "+r"(x))

// 1: a shorter path where the compiler optimizes for size.
#ifdef __OPTIMIZE_SIZE__
#define WFI_SMALL 1
#else
#define WFI_SMALL 0
#endif

// 1: paths for 8-bit CPUs, which have few registers and shift one bit at a time: usual records are
// stored and summed in one pass. On other CPUs without WF_CFG_FAST they would only take memory.
#define WFI_EIGHT_BIT (!WF_CFG_FAST && !WF_CFG_WORDS && !WFI_SMALL)

enum { WFI_WORD = sizeof(wfi_word) };

// Reads a word at any address.
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

WFI_ALWAYS_INLINE wf_stamp wfi_stamp_at(const uint8_t *p) {
    wf_stamp stamp = 0;
#if WF_CFG_UNALIGNED && defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    __builtin_memcpy(&stamp, p, sizeof stamp);
#else
    WFI_UNROLL
    for (unsigned i = WF_CFG_TIME_SIZE; i; --i) stamp = (wf_stamp)((uint64_t)stamp << 8 | p[i - 1]);
#endif
    return stamp;
}

#define WFI_LOCK(what) ((what)&WFI_HELD ? 0 : wf_port_lock())
#define WFI_UNLOCK(what, was)                                                                      \
    if (!((what)&WFI_HELD)) wf_port_unlock(was)

#if WF_CFG_TEST
// Stamps of a test build are the same in every run: a count of the records that carry one.
#define WFI_NOW(what) ((what)&WFI_TIMED ? ++wfi.test_clock : wfi.test_clock)
#else
#define WFI_NOW(what) wf_port_now()
#endif

#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define WFI_LITTLE 1
#else
#define WFI_LITTLE 0
#endif

// Stores the low `bytes` bytes (1, 2, 4 or 8) of v, lowest first; returns the end.
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

// Used in place of memset: the recorder needs no C library.
void wfi_fill(void *from, size_t len, uint8_t byte);

void wfi_filter_ids(unsigned first, unsigned last, bool on);
void wfi_filter_start(void); // only fixed records on, and all QS-IDs

// The sizes in force, two to a byte: initializers of five bytes, the last with a trailing comma.
#define WFI_SIZES WF_SIZES(WFI_TWO_SIZES)
#define WFI_TWO_SIZES(low, low_letter, low_bytes, high, high_letter, high_bytes)                   \
    (low_bytes) | (high_bytes) << 4,

// ---- the frame recorder only ----

#if !WF_CFG_SLOTS

// Several frames are dropped before the tail moves past them. Not in a black box, where a reset may
// come at any instruction: there the tail moves frame by frame.
#define WFI_QUICK (!WFI_SMALL && !WF_CFG_BOX)

// Context of all functions below: the caller holds the critical section.

// A record is written directly to its place and summed on the way; wfi_close makes it part of the
// ring. Frames that are in the way are dropped, the oldest first.
void wfi_open(void);
void wfi_put_bytes(const void *bytes, unsigned len);
void wfi_put_byte(uint8_t byte);
void wfi_close(void); // adds the checksum; a failed record leaves the ring unchanged

// Returns the end of the free piece from p on. p: `next`, or a later byte of the record being made.
static inline uint8_t *wfi_room_end(const uint8_t *p) {
    return p < wfi.tail ? wfi.tail - 1 : wfi.ring_end - (wfi.tail == wfi.ring);
}

// Makes `need` bytes free in one piece at `next`, less than the ring has, by dropping old frames.
// Returns false when a SYNC must come first.
bool wfi_room(size_t need);

// Writes a whole frame of less than WFI_PIECE_MAX bytes into one piece of the ring. Returns false,
// with no effect, when there is no such piece.
bool wfi_put_frame(const uint8_t *bytes, unsigned len);

static inline uint8_t *wfi_step(const uint8_t *p) {
    return ++p == wfi.ring_end ? wfi.ring : (uint8_t *)(uintptr_t)p;
}

// Length bytes: of the longest piece of a frame, and of a piece that is not the last.
enum { WFI_PIECE_MAX = 254, WFI_GOES_ON = 255 };

// Maps a position computed from the lengths of the frames before it to its place after a turn.
static inline const uint8_t *wfi_turned(const uint8_t *p) {
    return p < wfi.turn ? p : p - (wfi.turn - wfi.ring);
}

const uint8_t *wfi_behind_frame(const uint8_t *p);

// Moves the tail to p: the frames before it leave the ring.
void wfi_move_tail(const uint8_t *p);

// Returns the place of a frame's record id.
static inline const uint8_t *wfi_frame_id(const uint8_t *p) { return wfi_step(wfi_step(p)); }

// Returns whether a frame is a SYNC. In the ring a SYNC has a byte, not 0 if the stamp has wrapped,
// and a stamp.
static inline bool wfi_is_sync(const uint8_t *p) {
    return WF_CFG_SYNC && *wfi_frame_id(p) == WF_ID_sync;
}

// Returns how many numbers the writer left out before the frame at `sent`; the reader makes a SYNC
// for each. A number that is not a multiple of 256 stands for a wrap of the stamp.
static inline uint8_t wfi_count_left_out(const uint8_t *p) {
    return WF_CFG_SYNC ? (uint8_t)(*wfi_step(p) - 1 - (uint8_t)wfi.tail_at.count) : 0;
}

// Sets the time base to this stamp.
void wfi_raise_ticks(wf_stamp stamp);

// The records below WF_USER_FIRST that have a stamp, a bit each; all user records have one.
extern const uint32_t wfi_stamped[];

static inline bool wfi_id_has_stamp(uint8_t id) {
#if WFI_LITTLE && !WF_CFG_WORDS // 8-bit CPUs shift 32 bits by one bit at a time
    const uint8_t bits = ((const uint8_t *)wfi_stamped)[id < WF_USER_FIRST ? id / 8 : 0];
    return id >= WF_USER_FIRST || (bits >> id % 8 & 1);
#else
    return id >= WF_USER_FIRST || (wfi_stamped[id / 32] >> id % 32 & 1);
#endif
}

// Returns whether a frame of the ring has a stamp. A SYNC after it has at least that time.
static inline bool wfi_has_stamp(const uint8_t *p) {
    return WF_CFG_SYNC && wfi_id_has_stamp(*wfi_frame_id(p));
}

// Passes the first of the numbers left out.
void wfi_pass_left_out(void);

// Bit of wfi.own, whose other bits count the frames at the start of the stage that are not in the
// ring: the last of these frames is a SYNC for a number left out.
enum { WFI_NUMBERED = 0x80 };

// Passes the frame at `start`, copied or dropped: from now on its number and time are those of
// `sent`.
void wfi_leaves(const uint8_t *start);

// Drops the oldest frames: at least one, and more until `want` bytes are free or the ring is empty.
// There must be a frame.
void wfi_evict(size_t want);

// Sets the number and stamp of the record whose bytes come next: wfi.count_low, wfi.last.
void wfi_start_frame(unsigned what);

// Follows the clock with a new stamp.
static inline void wfi_follow_clock(wf_stamp now) {
    if (now < wfi.last) {
        ++wfi.wraps;
        wfi.wrapped = true;
    }
    wfi.last = now;
}

static inline void wfi_count_by(uint32_t n) {
    uint32_t count = wfi.count_low + n;
    if (count < n) ++wfi.count_high;
    WFI_SHARE(wfi.count_low, count);
}

// Counts a record and begins it with its number, id and stamp. wfi_finish ends it, or counts it as
// refused.
void wfi_begin_frame(unsigned what);
void wfi_finish(void);

// Only with WF_CFG_BOX. Fills in the box's header, so that the box can be found. Context: the ring
// is empty, the configuration is set.
void wfi_box_seal(void);
// Continues after an earlier run, if its records are whole and of this build, ring and
// configuration; clears all that is not in the black box. Returns false when nothing can be used.
bool wfi_box_keep(const struct wf_config *config);

// A SYNC's bytes between its id and its checksum: as it is sent, and as it is stored in the ring.
enum { WFI_SYNC_LEN = 51, WFI_SYNC_KEPT = 1 + WF_CFG_TIME_SIZE };

// Makes a record of its head, len bytes of body and tail_len bytes of tail. Takes the critical
// section unless it is held.
void wfi_put(unsigned what, const void *body, unsigned len, const void *tail, unsigned tail_len);

// Seq, id and stamp, in one or more words.
enum {
    WFI_HEAD_MAX = 2 + WF_CFG_TIME_SIZE,
    WFI_HEAD_WORDS = (WFI_HEAD_MAX + WFI_WORD - 1) / WFI_WORD
};

// With WFI_QUICK the first WFI_WHOLE bytes of a frame never wrap around the ring's end: its length,
// number, id, the flag of a SYNC, and the stamp.
enum { WFI_WHOLE = 1 + WFI_HEAD_MAX + 1 };

#if !WF_CFG_FAST
// As wfi_begin_frame, for a record whose elements have at least `len` bytes: with WFI_EIGHT_BIT it
// makes room for these at once.
void wfi_begin_sized(unsigned what, unsigned len);

// Make a record of a frame of less than WFI_PIECE_MAX bytes, whose head is still to be filled in.
// _held: the caller holds the critical section.
void wfi_put_whole(unsigned what, uint8_t *frame, unsigned len);
void wfi_put_whole_held(unsigned what, uint8_t *frame, unsigned len);
#endif
#endif

#include "wfi_fast.h"

#endif
