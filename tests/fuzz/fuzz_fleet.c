// SPDX-License-Identifier: MIT
// Segments of a stream and their rows (wf_segment.h, wf_fleet.h). The first byte: the length of the
// segments; the second one: where the stream is cut in two when it is fed; the third one: which
// byte of a segment is damaged before its rows are made once more, as by a store. The rows must be
// those of the whole stream, and a damaged segment may be refused, no more.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct kept {
    struct wf_segment of;
    uint8_t *bytes, *state;
};

static void require(bool good) {
    if (!good) abort();
}

static uint8_t *copy(const uint8_t *bytes, size_t len) {
    uint8_t *to = malloc(len + 1);
    require(to != NULL);
    if (len) memcpy(to, bytes, len);
    return to;
}

static struct kept keep(const struct wf_segment *segment) {
    struct kept k = {*segment, copy(segment->bytes, segment->len),
                     copy(segment->state, segment->state_len)};
    k.of.bytes = k.bytes;
    k.of.state = k.state;
    return k;
}

static void drop(struct kept *k) {
    free(k->bytes);
    free(k->state);
}

static struct wf_fleet *open_fleet(void) {
    const struct wf_fleet_options o = {.size = sizeof o, .device = "d", .records = true};
    struct wf_fleet *f = wf_fleet_open(&o, NULL);
    require(f != NULL);
    return f;
}

static uint64_t rows_of_stream(const struct wf_fleet *f) {
    return wf_fleet_rows(f, WF_FLEET_TABLE_RECORD) + wf_fleet_rows(f, WF_FLEET_TABLE_LOSS);
}

static void read_blocks(struct wf_fleet *f) {
    size_t len;
    for (unsigned t = 0; t < WF_FLEET_TABLE_END; ++t)
        require(wf_fleet_block(f, (enum wf_fleet_table_number)t, &len) != NULL && len > 2);
}

static void add_damaged(const struct kept *previous, const struct kept *segment, uint8_t at) {
    struct kept damaged = keep(&segment->of);
    struct wf_fleet *f = open_fleet();
    uint8_t *bytes = at & 1 && damaged.of.state_len ? damaged.state : damaged.bytes;
    size_t len = bytes == damaged.state ? damaged.of.state_len : damaged.of.len;
    if (len) bytes[at * 37u % len] ^= (uint8_t)(at | 1);
    // Without the one before it the segment's own state is read.
    if (wf_fleet_add(f, at & 2 ? &previous->of : NULL, &damaged.of) == WF_OK) read_blocks(f);
    wf_fleet_close(f);
    drop(&damaged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4) return 0;
    const struct wf_segments_options o = {.size = sizeof o, .bytes = 32 + 8u * data[0]};
    const uint8_t damage = data[2], *bytes = data + 3;
    const size_t len = size - 3, half = len * data[1] / 256;
    struct wf_segments *segments = wf_segments_open(&o, NULL);
    struct wf_fleet *f = open_fleet();
    struct kept previous = {0};
    struct wf_segment segment;
    uint64_t rows = 0, sum = 0;
    require(segments != NULL);
    for (int turn = 0; turn < 3; ++turn) {
        if (turn == 0) require(wf_segments_feed(segments, bytes, half) == WF_OK);
        if (turn == 1) require(wf_segments_feed(segments, bytes + half, len - half) == WF_OK);
        if (turn == 2) wf_segments_end(segments);
        while (wf_segments_next(segments, &segment)) {
            struct kept next = keep(&segment);
            require(wf_fleet_add(f, previous.bytes ? &previous.of : NULL, &next.of) == WF_OK);
            if (previous.bytes) add_damaged(&previous, &next, damage);
            rows += segment.rows;
            sum += segment.len;
            drop(&previous);
            previous = next;
        }
    }
    require(rows_of_stream(f) == rows && sum == len);
    read_blocks(f);
    drop(&previous);
    wf_fleet_close(f);
    wf_segments_close(segments);
    return 0;
}
