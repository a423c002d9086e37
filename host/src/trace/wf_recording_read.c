// SPDX-License-Identifier: MIT
// Bytes of the file are buffered until a frame is complete. Bytes that are not a good frame are
// skipped up to the next good one, and reported. The loss on each lane follows from the lane's
// offset in the next good block.

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "util/wfi_grow.h"
#include "wfi_recording.h"

struct wf_recording {
    uint8_t *buf; // unused bytes of the file, from `at` on
    size_t at, len, cap;
    uint64_t offset; // in the file, of buf[at]
    bool ending, cut_reported, in_damage, started;
    bool amid; // starts in the middle of the file: no block was read yet
    uint64_t damage_at;
    uint64_t skip; // bytes of the index not yet skipped
    ZSTD_DCtx *zstd;
    uint8_t *raw; // the block being read
    struct wfi_cursor block;
    uint64_t time_us;
    struct wfi_lane *lanes; // WF_RECORDING_LANES
    struct wf_chunk *queue; // chunks derived from the head of a block, before its own
    size_t queue_at, queue_len, queue_cap;
    struct wf_recording_info info;
};

bool wf_recording_is(const uint8_t *bytes, size_t len) {
    uint8_t magic[4];
    wfi_put32(magic, WFI_HEAD_MAGIC);
    for (size_t i = 0; i < len && i < WF_RECORDING_MAGIC_LEN; ++i) {
        if (i < 4 && bytes[i] != magic[i]) return false;
        if (i >= WFI_SKIP_LEN && bytes[i] != (uint8_t)WFI_HEAD_SIGN[i - WFI_SKIP_LEN]) return false;
    }
    return true;
}

struct wf_recording *wf_recording_open(void) {
    struct wf_recording *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->raw = malloc(WFI_BLOCK_MAX);
    r->lanes = calloc(WF_RECORDING_LANES, sizeof *r->lanes);
    r->zstd = ZSTD_createDCtx();
    if (r->raw && r->lanes && r->zstd) return r;
    wf_recording_close(r);
    return NULL;
}

void wf_recording_close(struct wf_recording *r) {
    if (!r) return;
    ZSTD_freeDCtx(r->zstd);
    free(r->buf);
    free(r->raw);
    free(r->lanes);
    free(r->queue);
    free(r);
}

void wf_recording_go_on(struct wf_recording *r, uint64_t at) {
    r->amid = true;
    r->offset = at;
}

bool wf_recording_feed(struct wf_recording *r, const uint8_t *bytes, size_t len) {
    if (r->at) memmove(r->buf, r->buf + r->at, r->len - r->at);
    r->len -= r->at;
    r->at = 0;
    if (r->cap - r->len < len) {
        size_t cap = r->cap * 2 + len;
        uint8_t *buf = realloc(r->buf, cap);
        if (!buf) return false;
        r->buf = buf;
        r->cap = cap;
    }
    if (len) memcpy(r->buf + r->len, bytes, len);
    r->len += len;
    return true;
}

void wf_recording_end(struct wf_recording *r) { r->ending = true; }

const struct wf_recording_info *wf_recording_get_info(const struct wf_recording *r) {
    return &r->info;
}

static void consume(struct wf_recording *r, size_t len) {
    r->at += len;
    r->offset += len;
}

static struct wf_chunk *enqueue(struct wf_recording *r, enum wf_chunk_kind kind, unsigned lane) {
    if (!WFI_GROW(r->queue, &r->queue_cap, r->queue_len + 1)) return NULL;
    struct wf_chunk *c = &r->queue[r->queue_len++];
    *c = (struct wf_chunk){.kind = kind, .lane = lane, .time_us = r->time_us};
    return c;
}

static void queue_lost(struct wf_recording *r, unsigned lane, uint64_t bytes) {
    struct wf_chunk *queued = enqueue(r, WF_CHUNK_LOST, lane);
    if (queued) queued->lost = bytes;
}

static bool has_name(const struct wfi_lane *lane, const uint8_t *name, size_t len) {
    return lane->name_len == len && memcmp(lane->name, name, len) == 0;
}

// Takes a lane from the head of a block. Queues chunks for the differences from the known state.
static bool take_lane(struct wf_recording *r, struct wfi_cursor *c) {
    static const char why[] = "in a part of the recording that is damaged";
    unsigned number = (unsigned)wfi_take_upto(c, WF_RECORDING_LANES - 1);
    uint64_t offset = wfi_take_varint(c), name_len = wfi_take_upto(c, WF_RECORDING_NAME_MAX + 1);
    bool up = name_len != 0;
    name_len -= up;
    const uint8_t *name = wfi_take_bytes(c, name_len);
    struct wfi_lane *lane = &r->lanes[number];
    struct wf_chunk *queued;
    if (c->bad || offset < lane->offset) return false;
    bool known = !r->amid;
    bool other = known && lane->up && (!up || !has_name(lane, name, name_len));
    bool fresh = known && up && (other || !lane->up), lost = known && offset > lane->offset;
    if (lost && (lane->up || !up)) queue_lost(r, number, offset - lane->offset);
    if (other && (queued = enqueue(r, WF_CHUNK_DOWN, number))) {
        queued->bytes = (const uint8_t *)why;
        queued->len = sizeof why - 1;
    }
    if (fresh && (queued = enqueue(r, WF_CHUNK_UP, number))) {
        queued->bytes = name;
        queued->len = name_len;
    }
    if (lost && up && !lane->up) queue_lost(r, number, offset - lane->offset);
    lane->used = true;
    lane->up = up;
    lane->offset = offset;
    if (up) wfi_lane_name(lane, name, name_len);
    return true;
}

// Takes the chunk at the cursor.
static bool take_chunk(struct wf_recording *r, struct wfi_cursor *c, struct wf_chunk *chunk) {
    memset(chunk, 0, sizeof *chunk);
    chunk->kind = (enum wf_chunk_kind)wfi_take_upto(c, UINT8_MAX);
    chunk->lane = (unsigned)wfi_take_upto(c, WF_RECORDING_LANES - 1);
    r->time_us += wfi_take_varint(c);
    chunk->time_us = r->time_us;
    chunk->len = (size_t)wfi_take_upto(c, WFI_BLOCK_MAX);
    chunk->bytes = wfi_take_bytes(c, chunk->len);
    return !c->bad;
}

// Takes the first chunk of a block. Returns false if it is not a block of a recording.
static bool begin_block(struct wf_recording *r) {
    struct wf_chunk head;
    if (!take_chunk(r, &r->block, &head) || head.kind != WF_CHUNK_BLOCK) return false;
    struct wfi_cursor c = {head.bytes, head.bytes + head.len, false};
    wfi_take_varint(&c); // its number
    r->time_us = wfi_take_varint(&c);
    uint64_t lanes = wfi_take_upto(&c, WF_RECORDING_LANES);
    while (lanes-- && !c.bad) {
        if (!take_lane(r, &c)) return false;
    }
    r->amid &= c.bad;
    return !c.bad;
}

enum verdict { USED, MORE, BAD };

static enum verdict take_head(struct wf_recording *r, const uint8_t *p, size_t len) {
    if (len < WFI_SKIP_LEN) return MORE;
    uint32_t size = (uint32_t)wfi_load(p + 4, 4);
    if (r->info.version || size > WFI_HEAD_MAX) return BAD;
    if (len < WFI_SKIP_LEN + size) return MORE;
    if (size < WFI_SIGN_LEN || memcmp(p + WFI_SKIP_LEN, WFI_HEAD_SIGN, WFI_SIGN_LEN) != 0) {
        return BAD;
    }
    struct wfi_cursor c = {p + WFI_SKIP_LEN + WFI_SIGN_LEN, p + WFI_SKIP_LEN + size, false};
    unsigned version = (unsigned)wfi_take_upto(&c, UINT16_MAX);
    const uint8_t *start = wfi_take_bytes(&c, 8);
    if (c.bad || !version) return BAD;
    struct wf_recording_head *head = &r->info.head;
    head->start_ns = wfi_load(start, 8);
    head->part = (unsigned)wfi_take_upto(&c, UINT32_MAX);
    uint64_t tool_len = wfi_take_upto(&c, sizeof head->tool - 1);
    const uint8_t *tool = wfi_take_bytes(&c, tool_len);
    if (c.bad) return BAD;
    memcpy(head->tool, tool, tool_len);
    r->info.version = version;
    if (version > WF_RECORDING_VERSION) enqueue(r, WF_CHUNK_NEWER, 0);
    consume(r, WFI_SKIP_LEN + size);
    return USED;
}

// The index is for seeking; here it only shows that the recording is complete.
static enum verdict take_index(struct wf_recording *r, const uint8_t *p, size_t len) {
    if (len < WFI_SKIP_LEN + WFI_SIGN_LEN) return MORE;
    uint32_t size = (uint32_t)wfi_load(p + 4, 4);
    if (size < WFI_SIGN_LEN + WF_TRAILER_LEN ||
        memcmp(p + WFI_SKIP_LEN, WFI_INDEX_SIGN, WFI_SIGN_LEN) != 0) {
        return BAD;
    }
    r->skip = (uint64_t)WFI_SKIP_LEN + size;
    return USED;
}

static enum verdict take_block(struct wf_recording *r, const uint8_t *p, size_t len) {
    if (len > WFI_ZSTD_MAGIC_LEN && !(p[WFI_ZSTD_MAGIC_LEN] & WFI_ZSTD_CHECKSUM)) return BAD;
    size_t size = ZSTD_findFrameCompressedSize(p, len);
    if (ZSTD_isError(size)) {
        bool cut = ZSTD_getErrorCode(size) == ZSTD_error_srcSize_wrong;
        return cut && len < ZSTD_compressBound(WFI_BLOCK_MAX) ? MORE : BAD;
    }
    unsigned long long raw_len = ZSTD_getFrameContentSize(p, size);
    if (raw_len > WFI_BLOCK_MAX) return BAD; // or unknown
    size_t got = ZSTD_decompressDCtx(r->zstd, r->raw, WFI_BLOCK_MAX, p, size);
    if (ZSTD_isError(got)) return BAD;
    r->block = (struct wfi_cursor){r->raw, r->raw + got, false};
    if (!begin_block(r)) {
        r->block.end = r->block.p;
        r->queue_at = r->queue_len = 0;
        return BAD;
    }
    ++r->info.blocks;
    r->info.block_at = r->offset;
    consume(r, size);
    return USED;
}

static enum verdict take_frame(struct wf_recording *r) {
    const uint8_t *p = r->buf + r->at;
    size_t len = r->len - r->at;
    if (len < WFI_ZSTD_MAGIC_LEN) return MORE;
    switch (wfi_load(p, 4)) {
    case WFI_HEAD_MAGIC: return take_head(r, p, len);
    case WFI_INDEX_MAGIC: return take_index(r, p, len);
    case WFI_ZSTD_MAGIC: return take_block(r, p, len);
    default: return BAD;
    }
}

// Skips to the next byte that may begin a frame.
static void skip_bad(struct wf_recording *r) {
    if (!r->in_damage) r->damage_at = r->offset;
    r->in_damage = true;
    const uint8_t *p = r->buf + r->at, *end = r->buf + r->len;
    const uint8_t *next = p + 1;
    while (next < end && *next != (WFI_ZSTD_MAGIC & 0xFF) && *next != (WFI_INDEX_MAGIC & 0xFF)) {
        ++next;
    }
    consume(r, (size_t)(next - p));
}

static bool report_part(struct wf_recording *r, enum wf_chunk_kind kind, uint64_t from,
                        struct wf_chunk *chunk) {
    *chunk = (struct wf_chunk){.kind = kind, .time_us = r->time_us, .offset = from};
    chunk->lost = r->offset - from;
    if (kind == WF_CHUNK_DAMAGE) ++r->info.damages;
    r->in_damage = false;
    return true;
}

// The input has ended, and the rest is not a whole frame.
static bool finish(struct wf_recording *r, struct wf_chunk *chunk) {
    if (r->cut_reported || r->info.complete) return false;
    r->cut_reported = true;
    uint64_t from = r->in_damage ? r->damage_at : r->offset;
    consume(r, r->len - r->at);
    return report_part(r, WF_CHUNK_CUT, from, chunk);
}

static void skip_index(struct wf_recording *r) {
    size_t have = r->len - r->at;
    size_t n = have < r->skip ? have : (size_t)r->skip;
    consume(r, n);
    r->skip -= n;
    if (!r->skip) r->info.complete = true;
}

// Takes frames until there is a block to read from, or something to report.
static bool find_block(struct wf_recording *r, struct wf_chunk *chunk) {
    for (;;) {
        if (r->skip) {
            skip_index(r);
            if (r->skip) return r->ending && finish(r, chunk);
        }
        uint64_t before = r->offset;
        switch (take_frame(r)) {
        case USED:
            if (!r->in_damage) return true;
            uint64_t after = r->offset;
            r->offset = before;
            report_part(r, WF_CHUNK_DAMAGE, r->damage_at, chunk);
            r->offset = after;
            return true;
        case MORE:
            if (!r->ending) return false;
            // A frame whose length is damaged may hide others.
            if (r->at == r->len || r->len - r->at < WFI_ZSTD_MAGIC_LEN) return finish(r, chunk);
            skip_bad(r);
            break;
        case BAD:
            if (r->info.complete && !r->in_damage) r->info.complete = false; // not the last frame
            skip_bad(r);
        }
    }
}

static void note_chunk(struct wf_recording *r, struct wf_chunk *c) {
    struct wfi_lane *lane = &r->lanes[c->lane];
    c->offset = lane->offset;
    wfi_lane_note(lane, c);
    if (c->lane >= r->info.lane_end) r->info.lane_end = c->lane + 1;
    if (!r->started) r->info.first_us = c->time_us;
    r->started = true;
    r->info.last_us = c->time_us;
}

static bool next_chunk(struct wf_recording *r, struct wf_chunk *chunk) {
    while (r->block.p < r->block.end) {
        if (!take_chunk(r, &r->block, chunk)) { // cannot occur with a good checksum
            r->block.p = r->block.end;
            return false;
        }
        if (chunk->kind == WF_CHUNK_BLOCK || chunk->kind > WF_CHUNK_PLACE)
            continue; // of later versions
        note_chunk(r, chunk);
        return true;
    }
    return false;
}

bool wf_recording_next(struct wf_recording *r, struct wf_chunk *chunk) {
    for (;;) {
        if (r->queue_at < r->queue_len) {
            *chunk = r->queue[r->queue_at++];
            return true;
        }
        r->queue_at = r->queue_len = 0;
        if (next_chunk(r, chunk)) return true;
        memset(chunk, 0, sizeof *chunk);
        if (!find_block(r, chunk)) return false;
        if (chunk->kind != WF_CHUNK_BLOCK) return true; // DAMAGE or CUT
    }
}
