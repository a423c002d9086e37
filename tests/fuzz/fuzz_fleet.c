// SPDX-License-Identifier: MIT
// Segments of a stream and their rows (wf_segment.h, wf_fleet.h). The first byte: the length of the
// segments; the second one: where the stream is cut in two when it is fed; the third one: whether
// there is a break (64: a new connection, 128: lost bytes), and which byte of a segment is damaged,
// and its breaks, before its rows are made once more, as by a store. The rows must be
// those of the whole stream, and a damaged segment may be refused, no more.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static struct wf_segment copy(const struct wf_segment *segment) {
    struct wf_segment to;
    require(wf_segment_copy(&to, segment));
    return to;
}

static const struct wf_fleet_stream stream = {.device = "d"};

static struct wf_fleet *open_fleet(void) {
    struct wf_fleet_options o = {.size = sizeof o};
    memset(o.records, true, sizeof o.records);
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

static void add_damaged(const struct wf_segment *previous, const struct wf_segment *segment,
                        uint8_t at) {
    struct wf_segment damaged = copy(segment);
    struct wf_fleet *f = open_fleet();
    const bool state = at & 1 && damaged.state_len;
    uint8_t *bytes = (uint8_t *)(state ? damaged.state : damaged.bytes);
    size_t len = state ? damaged.state_len : damaged.len;
    if (len) bytes[at * 37u % len] ^= (uint8_t)(at | 1);
    if (damaged.break_count && at & 4)
        *(struct wf_segment_break *)damaged.breaks =
            (struct wf_segment_break){at % 3 ? SIZE_MAX : at, at & 8 ? UINT64_MAX : 0};
    // Without the one before it the segment's own state is read.
    if (wf_fleet_add(f, &stream, at & 2 ? previous : NULL, &damaged) == WF_OK) read_blocks(f);
    wf_fleet_close(f);
    wf_segment_free(&damaged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4) return 0;
    const struct wf_segments_options o = {.size = sizeof o, .bytes = 32 + 8u * data[0]};
    const uint8_t damage = data[2], *bytes = data + 3;
    const size_t len = size - 3, half = len * data[1] / 256;
    struct wf_segments *segments = wf_segments_open(&o, NULL);
    struct wf_fleet *f = open_fleet();
    struct wf_segment segment, previous = {0};
    uint64_t rows = 0, sum = 0, losses = 0; // losses: of the last segment, some of them at its end
    require(segments != NULL);
    for (int turn = 0; turn < 3; ++turn) {
        if (turn == 0) require(wf_segments_feed(segments, bytes, half) == WF_OK);
        if (turn == 1 && damage & 64) require(wf_segments_relink(segments) == WF_OK);
        if (turn == 1 && damage & 128) require(wf_segments_lose(segments, damage) == WF_OK);
        if (turn == 1) require(wf_segments_feed(segments, bytes + half, len - half) == WF_OK);
        if (turn == 2) wf_segments_end(segments);
        while (wf_segments_next(segments, &segment)) {
            struct wf_segment next = copy(&segment);
            require(wf_fleet_add(f, &stream, previous.bytes ? &previous : NULL, &next) == WF_OK);
            if (previous.bytes) add_damaged(&previous, &next, damage);
            rows += segment.rows;
            sum += segment.len;
            losses = segment.last ? segment.rows - segment.records : 0;
            wf_segment_free(&previous);
            previous = next;
        }
    }
    // What is behind the last record has no row.
    require(rows_of_stream(f) <= rows && rows_of_stream(f) + losses >= rows && sum == len);
    read_blocks(f);
    wf_segment_free(&previous);
    wf_fleet_close(f);
    wf_segments_close(segments);
    return 0;
}
