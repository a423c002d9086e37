// SPDX-License-Identifier: MIT
// Chunks are collected in a block; a block that is large or old enough becomes a Zstandard frame.
// Each block begins with the state for a reader that lost the blocks before it: its number and
// time, the stream offset of each lane and the connected peers.

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "wfi_recording.h"

enum {
    LEVEL = 1,               // faster than any link
    RAW_CAP = WFI_BLOCK_MAX, // a block, its head, and an unsplit chunk
};

struct wf_recording_writer {
    wf_write_fn write;
    void *ctx;
    ZSTD_CCtx *zstd;
    uint8_t *raw, *packed; // RAW_CAP bytes; their compressed bound
    size_t raw_len, packed_cap;
    uint64_t first_us, last_us; // time of the first and last chunk of the open block
    uint64_t blocks, written;
    struct wfi_lane lanes[WF_RECORDING_LANES];
    unsigned lane_end;                    // highest used number + 1
    uint64_t indexed[WF_RECORDING_LANES]; // offsets last written to the index
    uint64_t indexed_us;
    uint8_t *index; // entries so far
    size_t index_len, index_cap;
    int err; // the first one
};

void wfi_lane_name(struct wfi_lane *lane, const uint8_t *name, size_t len) {
    lane->name_len = (uint8_t)(len < WF_RECORDING_NAME_MAX ? len : WF_RECORDING_NAME_MAX);
    if (lane->name_len) memcpy(lane->name, name, lane->name_len);
}

void wfi_lane_note(struct wfi_lane *lane, const struct wf_chunk *c) {
    lane->used = true;
    if (c->kind == WF_CHUNK_BYTES) lane->offset += c->len;
    if (c->kind == WF_CHUNK_UP) wfi_lane_name(lane, c->bytes, c->len);
    if (c->kind == WF_CHUNK_UP || c->kind == WF_CHUNK_DOWN) lane->up = c->kind == WF_CHUNK_UP;
}

static int set_error(struct wf_recording_writer *w, int err) {
    if (w->err == WF_OK) w->err = err;
    return w->err;
}

static int put_out(struct wf_recording_writer *w, const uint8_t *bytes, size_t len) {
    if (w->err != WF_OK) return w->err;
    if (!w->write(w->ctx, (const char *)bytes, len)) return set_error(w, WF_ERR_WRITE);
    w->written += len;
    return WF_OK;
}

static int put_head(struct wf_recording_writer *w, const struct wf_recording_head *head) {
    uint8_t frame[WFI_SKIP_LEN + WFI_HEAD_MAX], *p = frame + WFI_SKIP_LEN;
    size_t tool_len = strnlen(head->tool, sizeof head->tool);
    memcpy(p, WFI_HEAD_SIGN, WFI_SIGN_LEN);
    p = wfi_put_varint(p + WFI_SIGN_LEN, WF_RECORDING_VERSION);
    wfi_put64(p, head->start_ns);
    p = wfi_put_varint(p + 8, head->part);
    p = wfi_put_varint(p, tool_len);
    memcpy(p, head->tool, tool_len);
    p += tool_len;
    wfi_put32(frame, WFI_HEAD_MAGIC);
    wfi_put32(frame + 4, (uint32_t)(p - frame - WFI_SKIP_LEN));
    return put_out(w, frame, (size_t)(p - frame));
}

static void destroy(struct wf_recording_writer *w) {
    if (!w) return;
    ZSTD_freeCCtx(w->zstd);
    free(w->raw);
    free(w->packed);
    free(w->index);
    free(w);
}

struct wf_recording_writer *wf_recording_create(const struct wf_recording_head *head,
                                                wf_write_fn write, void *ctx,
                                                struct wf_error *error) {
    struct wf_recording_writer *w = calloc(1, sizeof *w);
    int err = WF_ERR_NOMEM;
    if (!w) {
        wf_error_code(error, err);
        return NULL;
    }
    w->write = write;
    w->ctx = ctx;
    w->packed_cap = ZSTD_compressBound(RAW_CAP);
    w->raw = malloc(RAW_CAP);
    w->packed = malloc(w->packed_cap);
    w->zstd = ZSTD_createCCtx();
    if (w->raw && w->packed && w->zstd) {
        ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
        ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
        err = put_head(w, head);
    }
    wf_error_code(error, err);
    if (err == WF_OK) return w;
    destroy(w);
    return NULL;
}

// Adds the entry of the block about to be written. It has only lanes that have moved.
static int index_block(struct wf_recording_writer *w, const uint64_t offsets[]) {
    size_t need = (size_t)w->lane_end * 2 * WFI_VARINT_MAX + 3 * WFI_VARINT_MAX;
    if (w->index_cap - w->index_len < need) {
        size_t cap = w->index_cap * 2 + need;
        uint8_t *index = realloc(w->index, cap);
        if (!index) return set_error(w, WF_ERR_NOMEM);
        w->index = index;
        w->index_cap = cap;
    }
    uint8_t *p = w->index + w->index_len;
    unsigned moved = 0;
    for (unsigned i = 0; i < w->lane_end; ++i) moved += offsets[i] != w->indexed[i];
    p = wfi_put_varint(p, w->written);
    p = wfi_put_varint(p, w->first_us - w->indexed_us);
    p = wfi_put_varint(p, moved);
    for (unsigned i = 0; i < w->lane_end; ++i) {
        if (offsets[i] == w->indexed[i]) continue;
        p = wfi_put_varint(wfi_put_varint(p, i), offsets[i]);
        w->indexed[i] = offsets[i];
    }
    w->indexed_us = w->first_us;
    w->index_len = (size_t)(p - w->index);
    return WF_OK;
}

static uint8_t *put_chunk_head(uint8_t *p, enum wf_chunk_kind kind, unsigned lane, uint64_t delta,
                               size_t len) {
    *p++ = (uint8_t)kind;
    return wfi_put_varint(wfi_put_varint(wfi_put_varint(p, lane), delta), len);
}

// Begins a block with the current state, before the next chunk.
static int begin_block(struct wf_recording_writer *w, uint64_t now_us) {
    static const size_t each = 3 * WFI_VARINT_MAX + WF_RECORDING_NAME_MAX;
    uint64_t offsets[WF_RECORDING_LANES];
    size_t room = 4 * WFI_VARINT_MAX, used = 0;
    for (unsigned i = 0; i < w->lane_end; ++i) {
        offsets[i] = w->lanes[i].offset;
        used += w->lanes[i].used;
    }
    uint8_t *body = malloc(room + used * each), *p = body;
    if (!body) return set_error(w, WF_ERR_NOMEM);
    p = wfi_put_varint(wfi_put_varint(wfi_put_varint(p, w->blocks), now_us), used);
    for (unsigned i = 0; i < w->lane_end; ++i) {
        const struct wfi_lane *lane = &w->lanes[i];
        if (!lane->used) continue;
        p = wfi_put_varint(wfi_put_varint(p, i), lane->offset);
        p = wfi_put_varint(p, lane->up ? lane->name_len + 1u : 0);
        if (!lane->up) continue;
        memcpy(p, lane->name, lane->name_len);
        p += lane->name_len;
    }
    size_t len = (size_t)(p - body);
    w->first_us = w->last_us = now_us;
    p = put_chunk_head(w->raw, WF_CHUNK_BLOCK, 0, 0, len);
    memcpy(p, body, len);
    w->raw_len = (size_t)(p - w->raw) + len;
    free(body);
    return index_block(w, offsets);
}

int wf_recording_flush(struct wf_recording_writer *w) {
    if (w->err != WF_OK || !w->raw_len) return w->err;
    size_t len = ZSTD_compress2(w->zstd, w->packed, w->packed_cap, w->raw, w->raw_len);
    if (ZSTD_isError(len)) return set_error(w, WF_ERR_NOMEM); // no other error is possible
    w->raw_len = 0;
    ++w->blocks;
    return put_out(w, w->packed, len);
}

static int put_piece(struct wf_recording_writer *w, const struct wf_chunk *c) {
    if (!w->raw_len && begin_block(w, c->time_us) != WF_OK) return w->err;
    uint64_t delta = c->time_us > w->last_us ? c->time_us - w->last_us : 0;
    uint8_t *p = put_chunk_head(w->raw + w->raw_len, c->kind, c->lane, delta, c->len);
    if (c->len) memcpy(p, c->bytes, c->len);
    w->raw_len = (size_t)(p - w->raw) + c->len;
    w->last_us += delta;
    wfi_lane_note(&w->lanes[c->lane], c);
    bool full = w->raw_len >= WF_RECORDING_BLOCK;
    return full ? wf_recording_flush(w) : w->err;
}

int wf_recording_put(struct wf_recording_writer *w, const struct wf_chunk *c) {
    bool bytes = c->kind == WF_CHUNK_BYTES;
    if (w->err != WF_OK || (bytes && !c->len)) return w->err;
    if (c->kind == WF_CHUNK_BLOCK || c->kind > WF_CHUNK_PLACE || c->lane >= WF_RECORDING_LANES ||
        (!bytes && c->len > WF_RECORDING_STATE_MAX)) {
        return WF_ERR_USAGE;
    }
    struct wf_chunk piece = *c;
    if (w->lane_end <= c->lane) w->lane_end = c->lane + 1;
    if (piece.time_us < w->last_us) piece.time_us = w->last_us;
    if (piece.time_us - w->first_us >= WF_RECORDING_SPAN_US) wf_recording_flush(w);
    for (size_t done = 0, left = c->len; done == 0 || left; left = c->len - done) {
        // Received bytes may be split anywhere, to fill a block; other chunks may not.
        size_t room = w->raw_len < WF_RECORDING_BLOCK ? WF_RECORDING_BLOCK - w->raw_len : 0;
        if (!bytes && left > room) wf_recording_flush(w);
        piece.len = bytes && left > room ? room : left;
        if (c->len) piece.bytes = c->bytes + done;
        if (put_piece(w, &piece) != WF_OK || !c->len) break;
        done += piece.len;
    }
    return w->err;
}

// A reader counts the bytes of a lane up to each block.
int wf_recording_skip(struct wf_recording_writer *w, unsigned lane, uint64_t bytes) {
    static const uint64_t most = UINT64_MAX / 4; // bytes that are written may follow
    if (lane >= WF_RECORDING_LANES || w->lanes[lane].offset > most ||
        bytes > most - w->lanes[lane].offset)
        return WF_ERR_USAGE;
    if (wf_recording_flush(w) == WF_OK) w->lanes[lane].offset += bytes;
    return w->err;
}

uint64_t wf_recording_open_since(const struct wf_recording_writer *w) {
    return w->raw_len ? w->first_us : UINT64_MAX;
}

size_t wf_recording_waiting(const struct wf_recording_writer *w) { return w->raw_len; }

uint64_t wf_recording_written(const struct wf_recording_writer *w) { return w->written; }

static int put_index(struct wf_recording_writer *w) {
    size_t cap = WFI_SKIP_LEN + WFI_SIGN_LEN + WFI_VARINT_MAX + w->index_len + WF_TRAILER_LEN;
    uint8_t *frame = malloc(cap), *p = frame + WFI_SKIP_LEN;
    unsigned lanes = 0;
    if (!frame) return set_error(w, WF_ERR_NOMEM);
    for (unsigned i = 0; i < w->lane_end; ++i) lanes += w->lanes[i].used;
    memcpy(p, WFI_INDEX_SIGN, WFI_SIGN_LEN);
    p = wfi_put_varint(p + WFI_SIGN_LEN, w->blocks);
    if (w->index_len) memcpy(p, w->index, w->index_len);
    p += w->index_len;
    memset(p, 0, WF_TRAILER_LEN);
    wfi_put32(p, lanes);
    wfi_put64(p + 8, w->blocks);
    wfi_put64(p + 16, w->written);
    memcpy(p + 24, WFI_END_SIGN, WFI_SIGN_LEN);
    p += WF_TRAILER_LEN;
    wfi_put32(frame, WFI_INDEX_MAGIC);
    wfi_put32(frame + 4, (uint32_t)(p - frame - WFI_SKIP_LEN));
    int err = put_out(w, frame, (size_t)(p - frame));
    free(frame);
    return err;
}

int wf_recording_finish(struct wf_recording_writer *w) {
    wf_recording_flush(w);
    int err = w->err == WF_OK ? put_index(w) : w->err;
    destroy(w);
    return err;
}
