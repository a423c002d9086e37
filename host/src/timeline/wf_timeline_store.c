// SPDX-License-Identifier: MIT
// Access to the caller's store. Pages are collected in chunks, to reduce the number of writes; no
// page crosses the border of a chunk. Addresses count all bytes ever stored. With a limit the store
// is a ring of chunks. The newest chunk is in memory.

#include <stdlib.h>
#include <string.h>

#include "wfi_timeline.h"

enum { CHUNK = 1 << 16, CHUNK_LEAST = 1 << 14, CHUNKS_LEAST = 8, CHUNKS_MOST = 1 << 16 };

bool wfi_store_open(struct wfi_store *s, const struct wf_timeline_options *o) {
    s->to = o->store;
    s->limited = o->store_limit != 0;
    s->chunk = CHUNK;
    while (s->limited && o->store_limit / s->chunk < CHUNKS_LEAST && s->chunk > CHUNK_LEAST)
        s->chunk /= 2;
    while (o->store_limit / s->chunk > CHUNKS_MOST) s->chunk *= 2;
    s->limit = o->store_limit / s->chunk * s->chunk;
    s->lost_from = s->limited && !s->limit ? 0 : WFI_TL_NOWHERE; // too small for a chunk
    s->bytes = malloc(s->chunk);
    s->ticks = calloc(s->limit / s->chunk + 1, sizeof *s->ticks);
    return s->bytes && s->ticks;
}

void wfi_store_close(struct wfi_store *s) {
    free(s->bytes);
    free(s->ticks);
}

static uint64_t file_offset(const struct wfi_store *s, uint64_t at) {
    return s->limited ? at % s->limit : at;
}

static void set_lost(struct wf_timeline *t, uint64_t lost_from) {
    if (lost_from < t->store.lost_from) t->store.lost_from = lost_from;
    if (t->err == WF_OK) t->err = WF_ERR_WRITE;
}

static void raise_kept(struct wf_timeline *t, uint64_t tick) {
    if (tick > t->kept) t->kept = tick;
}

// Writes the full chunk over the oldest one.
static void write_chunk(struct wf_timeline *t) {
    struct wfi_store *s = &t->store;
    uint64_t at = file_offset(s, s->base);
    memset(s->bytes + s->fill, 0, s->chunk - s->fill);
    if (!s->to.write(s->to.ctx, at, s->bytes, s->chunk)) {
        set_lost(t, s->base);
        raise_kept(t, wf_model_tick(t->m));
        return;
    }
    if (s->limited) {
        raise_kept(t, s->ticks[at / s->chunk]);
        s->ticks[at / s->chunk] = wf_model_tick(t->m);
    }
    s->base += s->chunk;
    s->fill = 0;
}

uint64_t wfi_store_put(struct wf_timeline *t, const uint8_t *bytes, size_t len) {
    struct wfi_store *s = &t->store;
    if (s->lost_from == WFI_TL_NOWHERE && s->fill + len > s->chunk) write_chunk(t);
    if (s->lost_from != WFI_TL_NOWHERE) {
        raise_kept(t, wf_model_tick(t->m));
        return WFI_TL_NOWHERE;
    }
    memcpy(s->bytes + s->fill, bytes, len);
    s->fill += len;
    return s->base + s->fill - len;
}

bool wfi_store_has(const struct wfi_store *s, uint64_t at) {
    if (at == WFI_TL_NOWHERE || at >= s->lost_from) return false;
    return !s->limited || at + s->limit >= s->base;
}

bool wfi_store_get(struct wf_timeline *t, uint64_t at, uint8_t *bytes, size_t len) {
    const struct wfi_store *s = &t->store;
    if (at >= s->base) {
        memcpy(bytes, s->bytes + (at - s->base), len);
        return true;
    }
    if (s->to.read(s->to.ctx, file_offset(s, at), bytes, len)) return true;
    set_lost(t, s->base + s->fill); // nothing more is written
    return false;
}
