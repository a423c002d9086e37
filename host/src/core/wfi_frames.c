// SPDX-License-Identifier: MIT
// Two implementations of the same rules. Nearly all frames are complete in the input and have no
// escapes: these are found and summed 16 bytes at a time, and used in place. All others (with
// escapes, split over two calls, too long) go through the byte machine, which defines the rules.
//
// In wallfly's own mode 0x7E always ends a frame, so damage never costs the next frame. In QSPY's
// mode a 0x7E after an escape does not, as in QSPY.

#include "wfi_frames.h"

#include <stdlib.h>
#include <string.h>

#if defined __SSE2__ && !defined WFI_NO_SIMD
#include <emmintrin.h>
#endif

bool wfi_frames_open(struct wfi_frames *f, bool qspy) {
    memset(f, 0, sizeof *f);
    f->max = qspy ? WFI_FRAME_MAX_QSPY : WFI_FRAME_MAX;
    f->qspy = qspy;
    f->buf = calloc(1, f->max + WFI_PAD);
    return f->buf != NULL;
}

void wfi_frames_close(struct wfi_frames *f) {
    free(f->buf);
    f->buf = NULL;
}

// Returns the length of the run before the first 0x7E, and its byte sum. Returns len + 1 if there
// is no 0x7E in len bytes or an escape comes first.
static size_t scan_run(const uint8_t *p, size_t len, unsigned *sum) {
    size_t i = 0;
    unsigned total = 0;
#if defined __SSE2__ && !defined WFI_NO_SIMD
    static const uint8_t keep[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255};
    const __m128i flag = _mm_set1_epi8(WFI_FLAG), esc = _mm_set1_epi8(WFI_ESC);
    const __m128i zero = _mm_setzero_si128();
    __m128i acc = zero;
    for (; i + 16 <= len; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        unsigned flags = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, flag));
        unsigned escs = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, esc));
        if (flags | escs) {
            unsigned at = (unsigned)__builtin_ctz(flags | escs);
            if (!(flags >> at & 1)) return len + 1;
            __m128i mask = _mm_loadu_si128((const __m128i *)(const void *)(keep + 16 - at));
            acc = _mm_add_epi64(acc, _mm_sad_epu8(_mm_and_si128(v, mask), zero));
            acc = _mm_add_epi64(acc, _mm_srli_si128(acc, 8));
            *sum = (unsigned)_mm_cvtsi128_si32(acc);
            return i + at;
        }
        acc = _mm_add_epi64(acc, _mm_sad_epu8(v, zero));
    }
    acc = _mm_add_epi64(acc, _mm_srli_si128(acc, 8));
    total = (unsigned)_mm_cvtsi128_si32(acc);
#endif
    for (; i < len; ++i) {
        if (p[i] == WFI_FLAG) {
            *sum = total;
            return i;
        }
        if (p[i] == WFI_ESC) break;
        total += p[i];
    }
    return len + 1;
}

static enum wfi_frame_kind classify_frame(size_t len, unsigned sum) {
    if (len == 0) return WFI_FRAME_EMPTY;
    if ((sum & 0xFF) != 0xFF) return WFI_FRAME_BAD_SUM;
    return len < 3 ? WFI_FRAME_SHORT : WFI_FRAME_GOOD;
}

// Returns the frame of the byte machine and resets it.
static bool emit_frame(struct wfi_frames *f, struct wfi_frame *frame, enum wfi_frame_kind kind) {
    frame->kind = kind;
    frame->bytes = f->buf;
    frame->len = f->len;
    frame->offset = f->start;
    frame->raw_len = f->offset - f->start;
    f->len = 0;
    f->sum = 0;
    f->esc = f->skip = false;
    f->start = f->offset;
    return true;
}

static bool run_byte_machine(struct wfi_frames *f, const uint8_t **src, const uint8_t *end,
                             struct wfi_frame *frame) {
    for (const uint8_t *p = *src; p < end;) {
        uint8_t byte = *p++;
        ++f->offset;
        bool escaped = f->esc;
        if (byte == WFI_FLAG && !(escaped && f->qspy)) {
            *src = p;
            if (f->skip) return emit_frame(f, frame, WFI_FRAME_LONG);
            // No sender ends a frame with an escape.
            if (escaped) return emit_frame(f, frame, WFI_FRAME_BAD_SUM);
            return emit_frame(f, frame, classify_frame(f->len, f->sum));
        }
        if (escaped) {
            f->esc = false;
            byte ^= WFI_ESC_XOR;
        } else if (byte == WFI_ESC) {
            f->esc = true;
            continue;
        }
        if (f->len < f->max) {
            f->sum = (uint8_t)(f->sum + byte);
            f->buf[f->len++] = byte;
        } else if (f->qspy) {
            *src = p;
            frame->long_escaped = escaped;
            return emit_frame(f, frame, WFI_FRAME_LONG);
        } else {
            f->skip = true;
        }
    }
    *src = end;
    return false;
}

bool wfi_frames_next(struct wfi_frames *f, const uint8_t **src, const uint8_t *end,
                     struct wfi_frame *frame) {
    const uint8_t *p = *src;
    if (f->offset == f->start) {
        size_t len = (size_t)(end - p);
        if (len > f->max + 1) len = f->max + 1;
        unsigned sum = 0;
        size_t at = scan_run(p, len, &sum);
        if (at < len) {
            frame->kind = classify_frame(at, sum);
            frame->bytes = p;
            frame->len = at;
            frame->offset = f->offset;
            frame->raw_len = at + 1;
            f->start = f->offset += at + 1;
            *src = p + at + 1;
            if (p + at + WFI_PAD > end) {
                memcpy(f->buf, p, at);
                frame->bytes = f->buf;
            }
            return true;
        }
    }
    return run_byte_machine(f, src, end, frame);
}

bool wfi_frames_finish(struct wfi_frames *f, struct wfi_frame *frame) {
    if (f->offset == f->start) return false;
    return emit_frame(f, frame, WFI_FRAME_CUT);
}
