// SPDX-License-Identifier: MIT
// Numbers and page headers of SQLite's file format, for wfb_btree.c and wfb_index.c.
#ifndef WFB_CELLS_H
#define WFB_CELLS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Page type: the first byte of a page.
enum wfb_kind {
    WFB_INDEX_INTERIOR = 0x02,
    WFB_TABLE_INTERIOR = 0x05,
    WFB_INDEX_LEAF = 0x0A,
    WFB_TABLE_LEAF = 0x0D
};
enum { WFB_LEAF_HEAD = 8, WFB_INTERIOR_HEAD = 12 };

static inline void wfb_put2(uint8_t *p, unsigned v) {
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

static inline void wfb_put4(uint8_t *p, uint32_t v) {
    wfb_put2(p, v >> 16);
    wfb_put2(p + 2, v & 0xFFFF);
}

static inline size_t wfb_varint_len(uint64_t v) {
    if (v < 0x80) return 1;
    if (v < 0x4000) return 2;
    size_t n = 3;
    for (v >>= 21; v; v >>= 7) ++n;
    return n < 9 ? n : 9;
}

static inline uint8_t *wfb_put_varint(uint8_t *p, uint64_t v) {
    if (v < 0x80) {
        *p = (uint8_t)v;
        return p + 1;
    }
    if (v < 0x4000) {
        p[0] = (uint8_t)(v >> 7 | 0x80);
        p[1] = (uint8_t)(v & 0x7F);
        return p + 2;
    }
    size_t n = wfb_varint_len(v);
    if (n == 9) { // the last byte uses all 8 bits
        p[8] = (uint8_t)v;
        v >>= 8;
        for (size_t i = 8; i-- > 0; v >>= 7) p[i] = (uint8_t)(v | 0x80);
        return p + 9;
    }
    for (size_t i = n; i-- > 0; v >>= 7) p[i] = (uint8_t)(v | 0x80);
    p[n - 1] &= 0x7F;
    return p + n;
}

// Returns the serial type of an integer, which defines its size.
static inline unsigned wfb_integer_type(int64_t v) {
    static const uint8_t types[] = {1, 2, 3, 4, 5, 5, 6, 6}; // by its bytes - 1
    if ((uint64_t)v <= 1) return 8 + (unsigned)v;
    unsigned bits = 64 - (unsigned)__builtin_clzll((uint64_t)(v < 0 ? ~v : v) | 1); // no sign
    return types[bits / 8];
}

static const uint8_t wfb_integer_bytes[] = {0, 1, 2, 3, 4, 6, 8, 0, 0, 0};

static inline uint8_t *wfb_put_integer(uint8_t *p, int64_t v, unsigned type) {
    unsigned len = wfb_integer_bytes[type];
    if (len >= 4) {
        len -= 4;
        wfb_put4(p, (uint32_t)((uint64_t)v >> 8 * len));
        p += 4;
    }
    if (len >= 2) {
        len -= 2;
        wfb_put2(p, (unsigned)((uint64_t)v >> 8 * len & 0xFFFF));
        p += 2;
    }
    if (len) *p++ = (uint8_t)v;
    return p;
}

// The same, but always writes eight bytes. Returns the length of the integer.
static inline size_t wfb_put_integer8(uint8_t *p, int64_t v, unsigned type) {
    static const uint8_t unused_bits[] = {0, 56, 48, 40, 32, 16, 0, 0, 0, 0};
    uint64_t top = (uint64_t)v << unused_bits[type];
    wfb_put4(p, (uint32_t)(top >> 32));
    wfb_put4(p + 4, (uint32_t)top);
    return wfb_integer_bytes[type];
}

// Writes the header of a page with that number of cells. right: the right child of an interior
// page.
static inline void wfb_put_head(uint8_t *page, enum wfb_kind kind, unsigned cells, size_t content,
                                uint32_t right) {
    page[0] = (uint8_t)kind;
    wfb_put2(page + 1, 0);
    wfb_put2(page + 3, cells);
    wfb_put2(page + 5, (unsigned)content);
    page[7] = 0;
    if (kind == WFB_TABLE_INTERIOR || kind == WFB_INDEX_INTERIOR) wfb_put4(page + 8, right);
}

#endif
