// SPDX-License-Identifier: MIT
#include "wallfly_host/wf_fleet_chunk.h"

#include <string.h>
#include <zstd.h>

#include "util/wfi_crc32c.h"
#include "util/wfi_cursor.h"

enum { SIGN_LEN = 4, STREAM_LEN = 8, SUM_LEN = 4 };
enum {
    KNOWN = WF_FLEET_CHUNK_BEGINS | WF_FLEET_CHUNK_BOX | WF_FLEET_CHUNK_PACKED | WF_FLEET_CHUNK_MORE
};

static const uint8_t sign[SIGN_LEN] = {'w', 'f', 'c', '1'};

static int refuse(struct wf_error *error, size_t at, const char *why) {
    wf_error_set(error, WF_ERR_BAD_CHUNK, "%s", why);
    if (error) {
        error->place = WF_AT_BYTE;
        error->at = at;
    }
    return WF_ERR_BAD_CHUNK;
}

// Returns null, or why the numbers are none of a chunk.
static const char *check_numbers(const struct wf_fleet_chunk *c, uint64_t flags, uint64_t len) {
    if (flags & ~(uint64_t)KNOWN) return "a chunk with flags that this version does not know";
    if (len > WF_FLEET_CHUNK_MAX) return "a chunk of over 1 MiB";
    return c->offset > UINT64_MAX - WF_FLEET_CHUNK_MAX ? "a chunk beyond the end of any stream"
                                                       : NULL;
}

int wf_fleet_chunk_read(const uint8_t *message, size_t len, size_t *at,
                        struct wf_fleet_chunk *chunk, struct wf_error *error) {
    const size_t from = *at;
    if (from > len || len - from < SIGN_LEN || memcmp(message + from, sign, SIGN_LEN) != 0)
        return refuse(error, from, "no chunk begins here");
    struct wfi_cursor cursor = {.p = message + from + SIGN_LEN, .end = message + len};
    const uint64_t flags = wfi_take_varint(&cursor);
    const uint8_t *stream = wfi_take_bytes(&cursor, STREAM_LEN);
    struct wf_fleet_chunk c = {.offset = wfi_take_varint(&cursor)};
    c.arrival_us = wfi_take_varint(&cursor);
    const uint64_t content = wfi_take_varint(&cursor);
    const char *why = cursor.bad ? NULL : check_numbers(&c, flags, content);
    if (why) return refuse(error, from, why);
    c.bytes = wfi_take_bytes(&cursor, content);
    const uint8_t *sum = wfi_take_bytes(&cursor, SUM_LEN);
    if (cursor.bad) return refuse(error, from, "the chunk is not whole");
    if (wfi_load(sum, SUM_LEN) != wfi_crc32c(message + from, (size_t)(sum - message) - from))
        return refuse(error, from, "the chunk's checksum is wrong");
    c.flags = (unsigned)flags;
    c.stream = wfi_load(stream, STREAM_LEN);
    c.len = (size_t)content;
    *chunk = c;
    *at = (size_t)(cursor.p - message);
    return wf_error_code(error, WF_OK);
}

size_t wf_fleet_chunk_write(const struct wf_fleet_chunk *chunk, uint8_t *to) {
    uint8_t *p = to;
    memcpy(p, sign, SIGN_LEN);
    p = wfi_put_varint(p + SIGN_LEN, chunk->flags);
    wfi_put64(p, chunk->stream);
    p = wfi_put_varint(p + STREAM_LEN, chunk->offset);
    p = wfi_put_varint(p, chunk->arrival_us);
    p = wfi_put_varint(p, chunk->len);
    if (chunk->len) memcpy(p, chunk->bytes, chunk->len);
    p += chunk->len;
    wfi_put32(p, wfi_crc32c(to, (size_t)(p - to)));
    return (size_t)(p + SUM_LEN - to);
}

int wf_fleet_chunk_unpack(struct wf_fleet_chunk *chunk, uint8_t *to, struct wf_error *error) {
    if (!(chunk->flags & WF_FLEET_CHUNK_PACKED)) return wf_error_code(error, WF_OK);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (!context) return wf_error_code(error, WF_ERR_NOMEM);
    size_t len = ZSTD_decompressDCtx(context, to, WF_FLEET_CHUNK_MAX, chunk->bytes, chunk->len);
    ZSTD_freeDCtx(context);
    if (ZSTD_isError(len))
        return refuse(error, 0, "the chunk cannot be unpacked, or is over 1 MiB then");
    chunk->flags &= ~(unsigned)WF_FLEET_CHUNK_PACKED;
    chunk->bytes = to;
    chunk->len = len;
    return wf_error_code(error, WF_OK);
}

size_t wf_fleet_answer_write(uint64_t stream, uint64_t wanted, uint8_t to[WF_FLEET_ANSWER_MAX]) {
    wfi_put64(to, stream);
    return (size_t)(wfi_put_varint(to + STREAM_LEN, wanted) - to);
}

bool wf_fleet_answer_read(const uint8_t *bytes, size_t len, uint64_t *stream, uint64_t *wanted) {
    struct wfi_cursor cursor = {.p = bytes, .end = bytes + len};
    const uint8_t *number = wfi_take_bytes(&cursor, STREAM_LEN);
    const uint64_t offset = wfi_take_varint(&cursor);
    if (cursor.bad || cursor.p != cursor.end) return false;
    *stream = wfi_load(number, STREAM_LEN);
    *wanted = offset;
    return true;
}

enum wf_fleet_arrival wf_fleet_order_take(struct wf_fleet_order *order,
                                          struct wf_fleet_chunk *chunk) {
    const uint64_t end = chunk->offset + chunk->len;
    const bool begins = chunk->flags & WF_FLEET_CHUNK_BEGINS;
    if (chunk->offset > order->wanted && !begins) return WF_FLEET_EARLY;
    if (end <= order->wanted) return WF_FLEET_REPEATED;
    if (chunk->offset > order->wanted) {
        order->given_up += chunk->offset - order->wanted;
    } else {
        const size_t there = (size_t)(order->wanted - chunk->offset);
        chunk->offset += there;
        chunk->bytes += there;
        chunk->len -= there;
    }
    order->wanted = end;
    return WF_FLEET_NEXT;
}
