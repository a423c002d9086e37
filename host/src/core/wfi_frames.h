// SPDX-License-Identifier: MIT
// Splits a byte stream into frames: seq, id, payload, checksum, closed by 0x7E
// (docs/wire-format.md). Keeps only an unfinished frame between calls; never reads past the input.
#ifndef WFI_FRAMES_H
#define WFI_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WFI_FLAG = 0x7E,
    WFI_ESC = 0x7D,
    WFI_ESC_XOR = 0x20,
    WFI_PAD = 8,              // bytes after a frame that may be read (not used) by fast loads
    WFI_FRAME_MAX = 65536,    // longest frame taken, unescaped
    WFI_FRAME_MAX_QSPY = 512, // QSPY's record buffer
};

enum wfi_frame_kind {
    WFI_FRAME_GOOD,
    WFI_FRAME_EMPTY, // a lone 0x7E; QSPY reports a bad checksum
    WFI_FRAME_BAD_SUM,
    WFI_FRAME_SHORT, // checksum right but fewer than three bytes
    WFI_FRAME_LONG,
    WFI_FRAME_CUT, // the stream ended inside it
};

struct wfi_frame {
    enum wfi_frame_kind kind;
    bool long_escaped;    // LONG: the byte that did not fit was escaped (in QSPY's message)
    const uint8_t *bytes; // unescaped, checksum last; WFI_PAD readable bytes follow when GOOD
    size_t len;
    uint64_t offset, raw_len; // in the stream, including escapes and 0x7E
};

struct wfi_frames {
    uint8_t *buf; // WFI_FRAME_MAX + WFI_PAD, the unfinished frame, unescaped
    size_t len, max;
    uint64_t offset; // of the next byte of the stream
    uint64_t start;  // of the unfinished frame
    uint8_t sum;
    bool esc, skip; // skip: too long, drop up to the next 0x7E
    bool qspy;      // QSPY's rules: 0x7D 0x7E does not end a frame; 512 bytes; no skipping
};

// Returns false when out of memory.
bool wfi_frames_open(struct wfi_frames *f, bool qspy);
void wfi_frames_close(struct wfi_frames *f);

// Takes bytes from *src up to the end of the next frame. Returns false when the bytes end before a
// frame does. The frame is valid until the next call and as long as the input bytes.
bool wfi_frames_next(struct wfi_frames *f, const uint8_t **src, const uint8_t *end,
                     struct wfi_frame *frame);

// Returns the unfinished frame at the end of the stream, if any.
bool wfi_frames_finish(struct wfi_frames *f, struct wfi_frame *frame);

#endif
