// SPDX-License-Identifier: MIT
// Whole segments: traces of formats other than frames, and their rows (wf_segment.h). The first
// byte: the format; the second one: where the bytes are cut in two when they are fed; the third
// one: what is between them (64: a new connection, 128: lost bytes), and which byte of the segment
// is damaged before its rows are made once more, as by a store. Records and losses must have their
// rows, the same ones each time; a damaged segment may be refused, no more.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet.h"
#include "wallfly_host/wf_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static struct wf_segments *open_cutter(uint8_t number) {
    const unsigned formats = WF_LANE_END - WF_LANE_SLOTS;
    const enum wf_lane_format format = (enum wf_lane_format)(WF_LANE_SLOTS + number % formats);
    const struct wf_segment_whole whole = {.format = {.name = wf_lane_format_name(format)}};
    size_t len;
    uint8_t *state = wf_segment_put_whole(&whole, &len);
    const struct wf_segments_options o = {.size = sizeof o, .state = state, .state_len = len};
    struct wf_segments *s = wf_segments_open(&o, NULL);
    require(state && s);
    free(state);
    return s;
}

// Returns a hash of the rows; 0: refused.
static uint64_t make_rows(const struct wf_segment *segment, uint64_t *rows) {
    static const struct wf_fleet_stream stream = {.device = "d"};
    struct wf_fleet_options o = {.size = sizeof o};
    memset(o.records, true, sizeof o.records);
    struct wf_fleet *f = wf_fleet_open(&o, NULL);
    uint64_t h = 0;
    require(f != NULL);
    const bool good = wf_fleet_add(f, &stream, NULL, segment) == WF_OK;
    for (unsigned t = 0; t < WF_FLEET_TABLE_END && good; ++t) {
        size_t len;
        const uint8_t *block = wf_fleet_block(f, (enum wf_fleet_table_number)t, &len);
        require(block && len > 2);
        h = (h ^ wf_fleet_hash(block, len)) * 31 + 1;
    }
    *rows = wf_fleet_rows(f, WF_FLEET_TABLE_RECORD) + wf_fleet_rows(f, WF_FLEET_TABLE_LOSS);
    wf_fleet_close(f);
    return h;
}

static void damage(const struct wf_segment *segment, uint8_t how) {
    struct wf_segment copy;
    uint64_t rows;
    require(wf_segment_copy(&copy, segment));
    uint8_t *bytes = (uint8_t *)(how & 1 ? copy.state : copy.bytes);
    bytes[how * 37u % (how & 1 ? copy.state_len : copy.len)] ^= (uint8_t)(how | 1);
    if (copy.break_count && how & 4)
        *(struct wf_segment_break *)copy.breaks =
            (struct wf_segment_break){how % 3 ? SIZE_MAX : how, how & 8 ? UINT64_MAX : 0};
    make_rows(&copy, &rows);
    wf_segment_free(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 5) return 0;
    const uint8_t *bytes = data + 3, how = data[2];
    const size_t len = size - 3, half = len * data[1] / 256;
    struct wf_segments *s = open_cutter(data[0]);
    struct wf_segment segment;
    uint64_t rows, again;
    require(wf_segments_feed(s, bytes, half) == WF_OK);
    if (how & 64) require(wf_segments_relink(s) == WF_OK);
    if (how & 128) require(wf_segments_lose(s, how) == WF_OK);
    require(wf_segments_feed(s, bytes + half, len - half) == WF_OK);
    wf_segments_end(s);
    if (wf_segments_next(s, &segment)) {
        const uint64_t h = make_rows(&segment, &rows);
        require(h != 0 && segment.len == len && h == make_rows(&segment, &again));
        require(rows <= segment.rows && rows == again); // a ring's beginning has no row
        damage(&segment, how);
    } else {
        const int err = wf_segments_error(s, NULL);
        require(err == WF_ERR_BAD_IMPORT || err == WF_OK);
    }
    wf_segments_close(s);
    return 0;
}
