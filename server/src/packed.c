// SPDX-License-Identifier: MIT
// See packed.h.

#include "packed.h"

enum { RAW_WINDOW = -15 }; // for zlib: no header

static void put_four(FILE *out, const uint8_t b[3], unsigned len) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t v = (uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2];
    for (unsigned i = 0; i < 4; ++i) putc(i <= len ? letters[v >> (18 - 6 * i) & 63] : '=', out);
}

static void put_base64(struct packed *p, const uint8_t *bytes, size_t len) {
    for (; len; --len) {
        p->rest[p->rest_len++] = *bytes++;
        if (p->rest_len < 3) continue;
        put_four(p->out, p->rest, 3);
        p->rest_len = 0;
    }
}

static void deflate_all(struct packed *p, int flush) {
    uint8_t block[16384];
    do {
        p->z.next_out = block;
        p->z.avail_out = sizeof block;
        if (deflate(&p->z, flush) == Z_STREAM_ERROR) {
            p->failed = true;
            return;
        }
        put_base64(p, block, sizeof block - p->z.avail_out);
    } while (p->z.avail_out == 0);
}

bool packed_begin(struct packed *p, FILE *out) {
    *p = (struct packed){.out = out};
    return deflateInit2(&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RAW_WINDOW, 8,
                        Z_DEFAULT_STRATEGY) == Z_OK;
}

void packed_put(struct packed *p, const void *bytes, size_t len) {
    enum { MOST = 1 << 30 }; // zlib counts with 32 bits
    const uint8_t *from = bytes;
    while (len) {
        size_t n = len < MOST ? len : MOST;
        p->z.next_in = (Bytef *)(uintptr_t)from;
        p->z.avail_in = (uInt)n;
        deflate_all(p, Z_NO_FLUSH);
        from += n;
        len -= n;
    }
}

bool packed_end(struct packed *p) {
    deflate_all(p, Z_FINISH);
    deflateEnd(&p->z);
    if (p->rest_len) {
        for (unsigned i = p->rest_len; i < 3; ++i) p->rest[i] = 0;
        put_four(p->out, p->rest, p->rest_len);
    }
    return !p->failed && !ferror(p->out);
}
