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

// The second is for what folds to little once its arguments are known.
// Words of a known number stay in registers only if the loops over them are taken apart.
#if defined __GNUC__ && !defined __clang__
#define WFI_UNROLL _Pragma("GCC unroll 4")
#else
#define WFI_UNROLL
#endif
#define WFI_LIKELY(x)     __builtin_expect(!!(x), 1)
#define WFI_ALWAYS_INLINE static inline __attribute__((always_inline))

enum { WFI_WORD = sizeof(wfi_word) };

static inline wfi_word wfi_word_at(const uint8_t *p) {
    wfi_word w;
    __builtin_memcpy(&w, p, sizeof w);
    return w;
}

static inline void wfi_word_to(uint8_t *p, wfi_word w) { __builtin_memcpy(p, &w, sizeof w); }

// Lays the low `bytes` bytes of v at byte `at` of zeroed words; all but v are constants.
WFI_ALWAYS_INLINE void wfi_lay(wfi_word *words, unsigned at, uint64_t v, unsigned bytes) {
    if (bytes < 8) v &= (UINT64_C(1) << 8 * bytes) - 1;
    for (unsigned i = at / WFI_WORD; i * WFI_WORD < at + bytes; ++i) {
        unsigned first = i * WFI_WORD;
        uint64_t part = first < at ? v << 8 * (at - first) : v >> 8 * (first - at);
        words[i] = (wfi_word)(words[i] | part);
    }
}

// All of the following hold the critical section.

// Counts one more record and gives it the stamp. False if a SYNC had to come first and could not:
// the record must then be given up too.
bool wfi_next_slow(wf_stamp now);
static inline bool wfi_next(wf_stamp now) {
    if (!WFI_LIKELY(now >= wfi.last && !wfi.sync_due && ((wfi.count_low + 1) & 0xFF) != 0)) {
        return wfi_next_slow(now);
    }
    wfi.last = now;
    ++wfi.count_low;
    return true;
}
// A record that did not get in.
void wfi_refuse(uint32_t bytes);
// Frees len bytes by giving up the oldest frames. False if that cannot be.
bool wfi_make_room(uint32_t len);
// Recomputes wfi.room: 0 while a SYNC is due, which sends every record the slow way.
void wfi_refresh_room(void);
// Inserts an unescaped frame body byte by byte; adds checksum and flag. The record is counted.
void wfi_insert(const uint8_t *head, uint32_t head_len, const uint8_t *body, uint32_t body_len);
// A SYNC's payload (WFI_SYNC_LEN bytes).
enum { WFI_SYNC_LEN = 51 };
void wfi_sync_payload(uint8_t *to, uint64_t count, uint64_t ticks, bool at_hole);

// One byte passes the tail. True at the end of a frame.
bool wfi_pass(uint8_t byte);

static inline uint8_t *wfi_put_le(uint8_t *p, uint64_t v, unsigned bytes) {
#if WF_CFG_WORDS
    uint32_t v32 = (uint32_t)v;
    uint16_t v16 = (uint16_t)v;
    switch (bytes) {
    case 1: *p = (uint8_t)v; break;
    case 2: __builtin_memcpy(p, &v16, 2); break;
    case 4: __builtin_memcpy(p, &v32, 4); break;
    default: __builtin_memcpy(p, &v, 8);
    }
#else
    for (unsigned i = 0; i < bytes; ++i) {
        p[i] = (uint8_t)v;
        v >>= 8;
    }
#endif
    return p + bytes;
}

// What a record is, in one number: its id and whether it has a stamp.
enum { WFI_TIMED = 0x100 };

// Makes a fixed record of seq, id, the stamp if WFI_TIMED, and len bytes laid in words (zero behind
// them). Takes the critical section unless held.
void wfi_put(bool held, unsigned what, wfi_word *words, uint32_t len);
void wfi_put_slow(unsigned what, wf_stamp now, const wfi_word *words, uint32_t len);

// The same with a text or block of any length behind the body.
void wfi_put_tail(bool held, unsigned what, const wfi_word *words, uint32_t len, const void *tail,
                  uint32_t tail_len);

// Seq, id and stamp in one or more words at p; what lies behind them is overwritten by the body.
WFI_ALWAYS_INLINE uint8_t *wfi_put_head(uint8_t *p, unsigned what, uint32_t count, wf_stamp now,
                                        wfi_word *found, struct wfi_sum *sum) {
    enum { TIMED_LEN = 2 + WF_CFG_TIME_SIZE, WORDS = (TIMED_LEN + WFI_WORD - 1) / WFI_WORD };
    wfi_word words[WORDS] = {0};
    wfi_lay(words, 0, (count & 0xFF) | (what & 0xFF) << 8, 2);
    if (what & WFI_TIMED) wfi_lay(words, 2, now, WF_CFG_TIME_SIZE);
    for (unsigned i = 0; i < WORDS; ++i) {
        *found |= wfi_find(words[i]);
        wfi_add(sum, words[i]);
        wfi_word_to(p + i * WFI_WORD, words[i]);
    }
    return p + (what & WFI_TIMED ? TIMED_LEN : 2);
}

// The short way of a record whose body has been looked over (found, and sum of its bytes), outside
// of the critical section. Inside are the number, the stamp and the stores, if all lies in one
// piece and nothing needs an escape. span: bytes stored, at least len and best a constant; what
// lies behind len is zero. spill: where the slow way finds the words, which the short one keeps in
// registers.
WFI_ALWAYS_INLINE void wfi_put_looked(bool held, unsigned what, const wfi_word *words, uint32_t len,
                                      uint32_t span, wfi_word *spill, wfi_word found,
                                      struct wfi_sum sum) {
    const uint32_t need = span + WF_CFG_TIME_SIZE + 4 + 2 * WFI_WORD;
    uint32_t was = held ? 0 : wf_port_lock();
    wf_stamp now = wf_port_now();
    uint32_t count = wfi.count_low + 1;
    if (WFI_LIKELY(need <= wfi.room && now >= wfi.last && (count & 0xFF) != 0)) {
        uint8_t *start = wfi.ring + wfi.head;
        uint8_t *p = wfi_put_head(start, what, count, now, &found, &sum);
        WFI_UNROLL
        for (uint32_t i = 0; i * WFI_WORD < span; ++i) wfi_word_to(p + i * WFI_WORD, words[i]);
        uint8_t check = (uint8_t)~wfi_fold(sum);
        if (WFI_LIKELY(!found)) {
            p += len;
            if (wfi_special(check)) {
                *p++ = WFI_ESC;
                check ^= WFI_ESC_XOR;
            }
            p[0] = check;
            p[1] = WFI_FLAG;
            uint32_t bytes = (uint32_t)(p + 2 - start);
            wfi.count_low = count;
            wfi.last = now;
            wfi.head += bytes;
            wfi.used += bytes;
            wfi.room -= bytes;
            if (!held) wf_port_unlock(was);
            return;
        }
    }
    if (!len) spill[0] = 0;
    WFI_UNROLL
    for (uint32_t i = 0; i * WFI_WORD < span; ++i) spill[i] = words[i];
    wfi_put_slow(what, now, spill, len);
    if (!held) wf_port_unlock(was);
}

WFI_ALWAYS_INLINE void wfi_put_inline(bool held, unsigned what, const wfi_word *words, uint32_t len,
                                      wfi_word *spill) {
    wfi_word found = 0;
    struct wfi_sum sum = {0};
    WFI_UNROLL
    for (uint32_t i = 0; i * WFI_WORD < len; ++i) {
        found |= wfi_find(words[i]);
        wfi_add(&sum, words[i]);
    }
    wfi_put_looked(held, what, words, len, len, spill, found, sum);
}

#endif
