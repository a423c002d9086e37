// SPDX-License-Identifier: MIT
// Numbers in bytes: little-endian, and varints with 7 bits a byte, least significant first.
#ifndef WFI_CURSOR_H
#define WFI_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WFI_VARINT_MAX = 10 };

static inline uint64_t wfi_load(const uint8_t *p, unsigned bytes) {
    uint64_t v = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    // A constant length is one load.
    if (__builtin_constant_p(bytes) && (bytes == 2 || bytes == 4 || bytes == 8)) {
        __builtin_memcpy(&v, p, bytes);
        return v;
    }
#endif
    for (unsigned i = 0; i < bytes; ++i) v |= (uint64_t)p[i] << 8 * i;
    return v;
}

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

#endif
