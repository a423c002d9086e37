// SPDX-License-Identifier: MIT
// The layout of recordings, shared by their writer and their reader (docs/recording.md), and the
// numbers in them: varints, 7 bits a byte, least significant first.
#ifndef WFI_RECORDING_H
#define WFI_RECORDING_H

#include "wallfly_host/wf_recording.h"

enum {
    WFI_ZSTD_MAGIC_LEN = 4,
    WFI_ZSTD_CHECKSUM = 4,           // bit of the byte after it: the frame has a checksum
    WFI_SKIP_LEN = 8,                // magic and length of a skippable frame
    WFI_HEAD_MAX = 256,              // its payload
    WFI_BLOCK_MAX = 2 * 1024 * 1024, // longest block, uncompressed
    WFI_VARINT_MAX = 10,
    WFI_CHUNK_HEAD_MAX = 1 + 3 * WFI_VARINT_MAX,
};

#define WFI_ZSTD_MAGIC  0xFD2FB528u
#define WFI_HEAD_MAGIC  0x184D2A57u // two of Zstandard's skippable magics
#define WFI_INDEX_MAGIC 0x184D2A58u
#define WFI_HEAD_SIGN   "wallfly\n"
#define WFI_INDEX_SIGN  "wf-index"
#define WFI_END_SIGN    "wf-end\r\n"
enum { WFI_SIGN_LEN = 8 };

static inline void wfi_put32(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; ++i) p[i] = (uint8_t)(v >> 8 * i);
}

static inline void wfi_put64(uint8_t *p, uint64_t v) {
    for (int i = 0; i < 8; ++i) p[i] = (uint8_t)(v >> 8 * i);
}

static inline uint8_t *wfi_put_varint(uint8_t *p, uint64_t v) {
    for (; v >= 0x80; v >>= 7) *p++ = (uint8_t)(v | 0x80);
    *p++ = (uint8_t)v;
    return p;
}

// Takes bytes from the front. Once bad it stays bad, and returns 0.
struct wfi_cursor {
    const uint8_t *p, *end;
    bool bad;
};

static inline uint64_t wfi_take_varint(struct wfi_cursor *c) {
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64 && c->p < c->end; shift += 7) {
        uint8_t byte = *c->p++;
        v |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80)) return v;
    }
    c->bad = true;
    return 0;
}

// A varint of at most `most`.
static inline uint64_t wfi_take_upto(struct wfi_cursor *c, uint64_t most) {
    uint64_t v = wfi_take_varint(c);
    if (v <= most) return v;
    c->bad = true;
    return 0;
}

static inline const uint8_t *wfi_take_bytes(struct wfi_cursor *c, uint64_t len) {
    const uint8_t *p = c->p;
    if (c->bad || len > (uint64_t)(c->end - c->p)) {
        c->bad = true;
        return c->end;
    }
    c->p += len;
    return p;
}

// The state of a lane, in the writer and the reader.
struct wfi_lane {
    uint64_t offset; // bytes so far
    bool used, up;
    uint8_t name_len;
    char name[WF_RECORDING_NAME_MAX];
};

void wfi_lane_name(struct wfi_lane *lane, const uint8_t *name, size_t len);

#endif
