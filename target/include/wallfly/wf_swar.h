// SPDX-License-Identifier: MIT
// Sums and stores bytes a word at a time (SWAR); escapes; bytes of numbers, texts. Not for users.
#ifndef WF_SWAR_H
#define WF_SWAR_H

#include <stdbool.h>
#include <stdint.h>

#include "wallfly/wf_config.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WFI_FLAG = 0x7E, WFI_ESC = 0x7D, WFI_ESC_XOR = 0x20 };

static inline bool wfi_special(uint8_t byte) { return byte == WFI_FLAG || byte == WFI_ESC; }

// Records are summed and stored a word at a time. With WF_CFG_WORDS 0 a word is a byte. The bytes
// of a word are in memory order.
#if !WF_CFG_WORDS
typedef uint8_t wfi_word;
struct wfi_sum {
    unsigned all, even; // even is not used
};
static inline wfi_word wfi_lanes(struct wfi_sum sum) { return (wfi_word)sum.all; }
static inline void wfi_add(struct wfi_sum *sum, wfi_word w) { sum->all += w; }
static inline uint8_t wfi_fold(struct wfi_sum sum) { return (uint8_t)sum.all; }
#else
#if UINTPTR_MAX > 0xFFFFFFFFu
typedef uint64_t wfi_word;
#else
typedef uint32_t wfi_word;
#endif
struct wfi_sum {
    wfi_word all, even; // even: bytes 0, 2, 4.. in lanes of 16 bits; the odd bytes are the rest
};
#define WFI_EACH(byte) ((wfi_word)(~(wfi_word)0 / 0xFF * (byte)))
#define WFI_EVEN       ((wfi_word)(~(wfi_word)0 / 0xFFFF * 0xFF))

static inline void wfi_add(struct wfi_sum *sum, wfi_word w) {
    sum->all += w;
    sum->even += w & WFI_EVEN;
}

// An odd lane's overflow goes into the low half of the next lane, which is masked off.
static inline wfi_word wfi_lanes(struct wfi_sum sum) {
    return sum.even + ((sum.all - sum.even) >> 8 & WFI_EVEN);
}

static inline uint8_t wfi_fold(struct wfi_sum sum) {
    wfi_word lanes = wfi_lanes(sum);
    return (uint8_t)(lanes * (wfi_word)(~(wfi_word)0 / 0xFFFF) >> (8 * sizeof lanes - 16));
}

// Stores the low len bytes of v, whose other bytes are 0, at byte `at` of zeroed words. No loops:
// all but v are constants, so it folds to a few shifts.
static inline __attribute__((always_inline)) void wfi_lay_part(wfi_word *words, unsigned at,
                                                               wfi_word v, unsigned len) {
    const unsigned word = sizeof(wfi_word);
    words[at / word] |= v << 8 * (at % word);
    if (at % word + len > word) words[at / word + 1] |= v >> 8 * (word - at % word);
}

static inline __attribute__((always_inline)) void wfi_lay(wfi_word *words, unsigned at, uint64_t v,
                                                          unsigned len) {
    const unsigned word = sizeof(wfi_word);
    if (len < 8) v &= ((uint64_t)1 << 8 * len) - 1;
    wfi_lay_part(words, at, (wfi_word)v, len < word ? len : word);
    if (len > word)
        wfi_lay_part(words, at + word, (wfi_word)(v >> 8 * (word - 1) >> 8), len - word);
}
#endif

static inline uint64_t wfi_f32_bits(float value) {
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

// As 64 bits. Where double has 4 bytes (AVR) the value is widened by hand.
static inline uint64_t wfi_f64_bits(double value) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    if (sizeof value == sizeof bits) return bits;
    const uint32_t narrow = (uint32_t)wfi_f32_bits((float)value), power = narrow >> 23 & 0xFF;
    const uint64_t sign = (uint64_t)(narrow >> 31) << 63, part = (uint64_t)(narrow & 0x7FFFFF)
                                                                 << 29;
    if (power == 0) return sign;
    return sign | (power == 0xFF ? 0x7FF : (uint64_t)power - 127 + 1023) << 52 | part;
}

// Length including the zero. (volatile: some compilers would call strlen.)
static inline unsigned wfi_text_len(const char *text) {
    const volatile char *p = text;
    unsigned len = 1;
    while (*p++) ++len;
    return len;
}

#ifdef __cplusplus
}
#endif
#endif
