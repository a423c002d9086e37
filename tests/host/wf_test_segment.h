// SPDX-License-Identifier: MIT
// Random streams with losses, damage, restarts and names, and their segments.
#ifndef WF_TEST_SEGMENT_H
#define WF_TEST_SEGMENT_H

#include "wf_test.h"

#include "wallfly_host/wf_segment.h"

static struct stream s;

enum { SEGMENTS = 400, BREAKS = 4 };

// Breaks of the stream: before its byte `at`, ascending.
static struct wf_segment_break breaks[BREAKS];
static size_t break_count;

struct piece {
    struct wf_segment of;
    uint8_t *bytes, *state; // those of `of`, to change them
};

// ---- a stream

static void put_sync(uint64_t tick, uint32_t records) {
    // count, tick, hz, lost, refused, lost_bytes, at_hole, core, build id; then the sizes
    static const uint8_t size[] = {8, 8, 4, 8, 4, 8, 1, 1, 4},
                         sizes[] = {0x22, 0x41, 0x22, 0x44, 4};
    const uint64_t value[] = {records, tick, 1000, 0, 0, 0, 0, 0, 77};
    uint8_t p[64];
    size_t n = 0;
    for (unsigned i = 0; i < sizeof size; ++i) {
        for (unsigned b = 0; b < size[i]; ++b) p[n++] = (uint8_t)(value[i] >> 8 * b);
    }
    memcpy(p + n, sizes, sizeof sizes);
    put_frame(&s, 82, p, n + sizeof sizes);
}

static void put_reset(void) {
    static const uint8_t p[16] = {0xFF, 0xE4, 2, 0x22, 0x41, 0x22, 0x44, 4,
                                  0,    0,    0, 0,    12,   1,    1,    26};
    put_frame(&s, 64, p, sizeof p);
}

static void make_breaks(void) {
    size_t at = 0;
    for (break_count = 0; break_count < BREAKS && rand() % 3; ++break_count) {
        at += (size_t)rand() % (s.len - at + 1);
        breaks[break_count] =
            (struct wf_segment_break){at, rand() % 2 ? 1 + (uint64_t)rand() % 300 : 0};
    }
}

// Returns the offset in the stream of a byte of `s`, with what is lost before it.
static uint64_t offset_of(size_t byte) {
    uint64_t offset = byte;
    for (size_t i = 0; i < break_count && breaks[i].at < byte; ++i) offset += breaks[i].lost;
    return offset;
}

// Feeds what is between two breaks to a session, by the functions of a session. Returns false
// behind the last.
static bool feed_stream(struct wf_session *session, size_t piece) {
    if (piece > break_count) return false;
    const size_t from = piece ? breaks[piece - 1].at : 0;
    const uint64_t lost = piece ? breaks[piece - 1].lost : 0;
    if (lost) wf_session_lose(session, lost);
    if (piece && !lost) wf_session_relink(session);
    wf_session_feed(session, s.bytes + from,
                    (piece < break_count ? breaks[piece].at : s.len) - from);
    return true;
}

static void clear_stream(void) {
    memset(&s, 0, sizeof s);
    break_count = 0;
}

// Without breaks.
static void make_stream(unsigned seed) {
    uint32_t tick = 0xFFFF0000u - seed, records = 0;
    clear_stream();
    srand(seed);
    for (unsigned i = 0; i < 300; ++i) {
        uint8_t p[51] = {0};
        int what = rand() % 24;
        ++records;
        if (rand() % 150 == 0) { // the target restarts
            s.seq = 0;
            records = 1;
            tick = (uint32_t)rand() % 9999;
            if (rand() % 2) put_reset();
        }
        tick += (uint32_t)(rand() % 1000);
        for (int b = 0; b < 4; ++b) p[b] = (uint8_t)(tick >> 8 * b);
        if (what == 0) {
            unsigned lost = (unsigned)rand() % 5;
            s.seq = (uint8_t)(s.seq + lost);
            records += lost - 1;
        } else if (what == 1) {
            for (int n = rand() % 40; n >= 0; --n) put_raw(&s, (uint8_t)rand());
        } else if (what == 2) {
            put_raw(&s, 0x7E);
        } else if (what == 3) {
            char name[16];
            snprintf(name, sizeof name, "name %d", rand() % 100);
            put_name(&s, (uint32_t)rand() % 6, name);
        } else if (what == 4 && s.seq > 3) {
            put_frame_seq(&s, (uint8_t)(s.seq - 1), 34, p, 8);
            s.seq = (uint8_t)(s.seq + 1);
        } else if (what == 5) {
            put_sync(tick, records);
        } else {
            put_frame(&s, (uint8_t)(what < 14 ? 34 : 100 + what), p, 4 + (size_t)(what % 4));
        }
    }
}

// ---- cutting

static void keep(struct piece *to, const struct wf_segment *segment) {
    assert_true(wf_segment_copy(&to->of, segment));
    to->bytes = (uint8_t *)to->of.bytes;
    to->state = (uint8_t *)to->of.state;
}

// step: most bytes at a time, random; 0: all at once.
static size_t cut(const struct wf_segments_options *o, size_t step, struct piece *to) {
    struct wf_error error;
    struct wf_segments *cutter = wf_segments_open(o, &error);
    struct wf_segment segment;
    size_t count = 0, next = 0; // next: break
    assert_non_null(cutter);
    for (size_t at = 0; at <= s.len;) {
        const bool breaks_here = next < break_count && breaks[next].at == at;
        size_t rest = (next < break_count ? breaks[next].at : s.len) - at,
               len = step ? (size_t)rand() % step + 1 : rest;
        if (len > rest) len = rest;
        if (breaks_here) {
            const uint64_t lost = breaks[next++].lost;
            assert_int_equal(lost ? wf_segments_lose(cutter, lost) : wf_segments_relink(cutter),
                             WF_OK);
        } else if (rest)
            assert_int_equal(wf_segments_feed(cutter, s.bytes + at, len), WF_OK);
        else
            wf_segments_end(cutter);
        at += breaks_here ? 0 : rest ? len : 1;
        while (wf_segments_next(cutter, &segment)) {
            assert_true(count < SEGMENTS);
            keep(&to[count++], &segment);
        }
        if (!rest || !wf_segments_growing(cutter, &segment)) continue;
        size_t begin = 0;
        for (size_t i = 0; i < count; ++i) begin += to[i].of.len;
        assert_int_equal(segment.offset, count ? wf_segment_end(&to[count - 1].of) : 0);
        assert_memory_equal(segment.bytes, s.bytes + begin, segment.len);
        assert_int_equal(s.bytes[begin + segment.len - 1], 0x7E);
        assert_int_equal(wf_segment_end(&segment), offset_of(begin + segment.len));
    }
    assert_int_equal(wf_segments_error(cutter, NULL), WF_OK);
    wf_segments_close(cutter);
    return count;
}

static void drop(struct piece *list, size_t count) {
    for (size_t i = 0; i < count; ++i) wf_segment_free(&list[i].of);
}

#endif
