// SPDX-License-Identifier: MIT
// Applies a recording to a session, and reads its trailer and index.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfi_recording.h"

static int apply_place(struct wf_session *s, const struct wf_chunk *chunk) {
    struct wf_recording_place p;
    if (!wf_recording_get_place(chunk->bytes, chunk->len, &p)) return WF_ERR_BAD_RECORDING;
    if (p.shown) wf_session_show_as_part(s, p.offset, p.zero);
    return WF_OK;
}

int wf_recording_apply(struct wf_session *s, const struct wf_chunk *chunk) {
    switch (chunk->kind) {
    case WF_CHUNK_BYTES: wf_session_feed(s, chunk->bytes, chunk->len); return WF_OK;
    case WF_CHUNK_DOWN: wf_session_relink(s); return WF_OK;
    case WF_CHUNK_STATE: return wf_session_read_state(s, chunk->bytes, chunk->len);
    case WF_CHUNK_LOST: wf_session_lose(s, chunk->lost); return WF_OK;
    case WF_CHUNK_PLACE: return apply_place(s, chunk);
    default: return WF_OK;
    }
}

void wf_chunk_text(const struct wf_chunk *c, const struct wf_recording_info *info, const char *name,
                   char text[512]) {
    if (c->kind == WF_CHUNK_DAMAGE) {
        snprintf(text, 512, "%.255s:%" PRIu64 ": damaged; %" PRIu64 " bytes are skipped", name,
                 c->offset, c->lost);
    } else if (c->kind == WF_CHUNK_CUT) {
        snprintf(text, 512,
                 "%.255s: ends without its index: the recorder was stopped; %" PRIu64
                 " block%s read",
                 name, info->blocks, info->blocks == 1 ? "" : "s");
    } else {
        snprintf(text, 512,
                 "%.255s: is of format %u, newer than this program; it may not know all of it",
                 name, info->version);
    }
}

bool wf_trailer_read(const uint8_t last[WF_TRAILER_LEN], struct wf_trailer *trailer) {
    if (memcmp(last + 24, WFI_END_SIGN, WFI_SIGN_LEN) != 0) return false;
    trailer->lanes = (unsigned)wfi_load(last, 4);
    trailer->index_at = wfi_load(last + 16, 8);
    return trailer->lanes <= WF_RECORDING_LANES;
}

// The time of an entry is relative to the previous one, which *entry must hold.
int wf_index_next(const uint8_t *frame, size_t len, size_t *at, struct wf_index_entry *entry) {
    static const size_t begin = WFI_SKIP_LEN + WFI_SIGN_LEN;
    if (len < begin + 1 + WF_TRAILER_LEN || wfi_load(frame, 4) != WFI_INDEX_MAGIC ||
        wfi_load(frame + 4, 4) != len - WFI_SKIP_LEN ||
        memcmp(frame + WFI_SKIP_LEN, WFI_INDEX_SIGN, WFI_SIGN_LEN) != 0 || *at > len) {
        return WF_ERR_BAD_RECORDING;
    }
    struct wfi_cursor c = {frame + (*at ? *at : begin), frame + len - WF_TRAILER_LEN, false};
    if (*at == 0) {
        wfi_take_varint(&c); // number of blocks
        entry->time_us = 0;
    }
    if (c.p == c.end) return 0;
    entry->at = wfi_take_varint(&c);
    entry->time_us += wfi_take_varint(&c);
    entry->lane_count = (unsigned)wfi_take_upto(&c, WF_RECORDING_LANES);
    for (unsigned i = 0; i < entry->lane_count && !c.bad; ++i) {
        entry->lanes[i].lane = (unsigned)wfi_take_upto(&c, WF_RECORDING_LANES - 1);
        entry->lanes[i].offset = wfi_take_varint(&c);
    }
    *at = (size_t)(c.p - frame);
    return c.bad ? WF_ERR_BAD_RECORDING : 1;
}

uint8_t *wf_recording_put_format(const struct wf_recording_format *f, size_t *len) {
    size_t name_len = strlen(f->name) + 1;
    uint8_t *bytes = malloc(name_len + f->describe_len);
    *len = name_len + f->describe_len;
    if (!bytes) return NULL;
    memcpy(bytes, f->name, name_len);
    if (f->describe_len) memcpy(bytes + name_len, f->describe, f->describe_len);
    return bytes;
}

bool wf_recording_get_format(const uint8_t *bytes, size_t len, struct wf_recording_format *f) {
    const uint8_t *end = len ? memchr(bytes, 0, len) : NULL;
    if (!end) return false;
    f->name = (const char *)bytes;
    f->describe = end + 1;
    f->describe_len = (size_t)(bytes + len - f->describe);
    return true;
}

size_t wf_recording_put_place(const struct wf_recording_place *p,
                              uint8_t bytes[WF_RECORDING_PLACE_MAX]) {
    wfi_put64(bytes, p->start_ns);
    uint8_t *end = wfi_put_varint(bytes + 8, p->offset);
    if (p->shown) end = wfi_put_varint(end, p->zero);
    return (size_t)(end - bytes);
}

bool wf_recording_get_place(const uint8_t *bytes, size_t len, struct wf_recording_place *p) {
    if (len < 8) return false;
    struct wfi_cursor c = {bytes + 8, bytes + len, false};
    p->start_ns = wfi_load(bytes, 8);
    p->offset = wfi_take_varint(&c);
    p->shown = c.p < c.end;
    p->zero = p->shown ? wfi_take_varint(&c) : 0;
    return !c.bad;
}
