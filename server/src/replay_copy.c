// SPDX-License-Identifier: MIT
// Copies a part of the stream, so that it is a trace of its own: its first chunk has what the
// session knew at the checkpoint, as in the files of a split recording.

#include <stdlib.h>

#include "replay_state.h"

typedef int put_fn(void *ctx, const struct wf_chunk *chunk);

static int put_state(const struct replay *r, const struct checkpoint *p, put_fn *put, void *ctx) {
    struct wf_session *s;
    struct wf_chunk chunk = {.kind = WF_CHUNK_STATE};
    int err = replay_session(r, p, r->session, &s);
    uint8_t *state = err == WF_OK ? wf_session_write_state(s, &chunk.len) : NULL;
    chunk.bytes = state;
    if (err == WF_OK) err = state ? put(ctx, &chunk) : WF_ERR_NOMEM;
    free(state);
    wf_session_close(s);
    return err;
}

// Cuts the chunk at the end of the part. Returns false when it lies behind that.
static bool cut_chunk(struct wf_chunk *chunk, uint64_t end) {
    if (chunk->kind != WF_CHUNK_BYTES) return true;
    if (chunk->offset >= end) return false;
    if (chunk->len > end - chunk->offset) chunk->len = (size_t)(end - chunk->offset);
    return true;
}

// Other chunks are not in files. Bytes that a damaged recording has lost show as missing records.
static bool is_copied(const struct wf_chunk *chunk) {
    return chunk->kind == WF_CHUNK_BYTES || chunk->kind == WF_CHUNK_UP ||
           chunk->kind == WF_CHUNK_DOWN || chunk->kind == WF_CHUNK_SENT;
}

static int put_bytes(struct bytes *b, uint64_t end, put_fn *put, void *ctx,
                     struct wf_error *error) {
    struct wf_chunk chunk;
    int more;
    while ((more = bytes_next(b, &chunk, error)) > 0 && cut_chunk(&chunk, end)) {
        chunk.lane = 0;
        int err = is_copied(&chunk) ? put(ctx, &chunk) : WF_OK;
        if (err != WF_OK) return wf_error_code(error, err);
    }
    return more < 0 ? more : WF_OK;
}

int replay_copy(struct replay *r, uint64_t row, uint64_t end, put_fn *put, void *ctx,
                struct wf_error *error) {
    if (!r->frames)
        return wf_error_set(error, WF_ERR_USAGE,
                            "only a trace of frames can be cut into a recording");
    const struct checkpoint *p = replay_readable(r, row, error);
    if (!p) return WF_ERR_READ;
    int err = put_state(r, p, put, ctx);
    if (err != WF_OK) return wf_error_code(error, err);
    struct bytes *b = bytes_open(r->o.spool ? &r->spool : NULL, r->o.file, r->lane, p->offset,
                                 p->block_at, error);
    if (!b) return WF_ERR_READ;
    err = put_bytes(b, end, put, ctx, error);
    bytes_close(b);
    return err;
}
