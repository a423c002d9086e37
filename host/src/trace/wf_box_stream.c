// SPDX-License-Identifier: MIT
// The stream of a black box: frames as the target's reader would send them, with the SYNCs that it
// would send before and among them.

#include "wfi_box.h"

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_rows.h"
#include "core/wfi_frames.h"

enum {
    SYNC_MAX = 128,   // as sent
    LEFT_OUT_MAX = 2, // left-out numbers before a frame, each for a SYNC
    FRAME_MIN = 3,    // sequence, id, checksum
    PIECE_MAX = 254,  // bytes after a length
    STARTS_MAX = 15,  // after which object numbers are put again
    GOES_ON = 255,    // length of a piece followed by another length
};

static uint8_t *put_number(uint8_t *to, uint8_t *sum, uint64_t v, unsigned len) {
    for (; len; --len, v >>= 8) {
        uint8_t byte = (uint8_t)v;
        *sum = (uint8_t)(*sum + byte);
        if (byte == WFI_FLAG || byte == WFI_ESC) {
            *to++ = WFI_ESC;
            byte ^= WFI_ESC_XOR;
        }
        *to++ = byte;
    }
    return to;
}

// Puts a SYNC as the target's reader would send it now.
static uint8_t *put_sync(const struct wfi_box_ring *ring, const struct wfi_box_place *at,
                         uint8_t *to) {
    uint8_t sum = 0;
    to = put_number(to, &sum, at->count & 0xFF, 1);
    to = put_number(to, &sum, WF_RECORD_sync, 1);
    to = put_number(to, &sum, at->count, 8);
    to = put_number(to, &sum, at->ticks, 8);
    to = put_number(to, &sum, ring->hz, 4);
    to = put_number(to, &sum, ring->lost, 8);
    to = put_number(to, &sum, at->refused, 4);
    to = put_number(to, &sum, ring->lost_bytes, 8);
    to = put_number(to, &sum, at->at_hole, 1);
    to = put_number(to, &sum, ring->core, 1);
    to = put_number(to, &sum, ring->build_id, 4);
    for (unsigned i = 0; i < 5; ++i) to = put_number(to, &sum, ring->sizes[i], 1);
    to = put_number(to, &sum, (uint8_t)~sum, 1);
    *to++ = WFI_FLAG;
    return to;
}

// A frame with lengths: pieces, each after its length.
struct frame {
    uint8_t head[2 + 8 + 5]; // sequence, id, a SYNC's wrap, stamp; then zeros. Of a packed frame up
                             // to the number of its events
    size_t len;
    size_t raw_len; // with its lengths; 0: a length is wrong
};

// Reads the frame at `bytes`. If `to` is not null, writes it there as the target's reader would
// send it.
static uint8_t *read_frame(const uint8_t *bytes, size_t len, struct frame *f, uint8_t *to) {
    uint8_t sum = 0, length;
    size_t at = 0;
    memset(f, 0, sizeof *f);
    do {
        if (at == len) return to;
        length = bytes[at++];
        const size_t piece = length == GOES_ON ? PIECE_MAX : length;
        if (len - at < piece) return to;
        for (size_t i = 0; i < piece; ++i, ++f->len) {
            if (f->len < sizeof f->head) f->head[f->len] = bytes[at + i];
            if (to) to = put_number(to, &sum, bytes[at + i], 1);
        }
        at += piece;
    } while (length == GOES_ON);
    if (f->len < FRAME_MIN) return to;
    f->raw_len = at;
    if (to) *to++ = WFI_FLAG;
    return to;
}

// Returns the bytes of a stamp; an image may have any nibble.
static unsigned stamp_size(const struct wfi_box_ring *ring) {
    const unsigned size = ring->sizes[4] & 15;
    return size < 8 ? size : 8;
}

// Returns how many numbers a frame takes.
static unsigned events_of(const struct wfi_box_ring *ring, const struct frame *f) {
    if (f->head[1] != WF_RECORD_packed) return 1;
    const uint8_t events = f->head[2 + stamp_size(ring) + 4];
    return events ? events : 1;
}

// Returns the low 32 bits of the number of a packed frame's first event.
static uint32_t number_of(const struct wfi_box_ring *ring, const uint8_t *head) {
    const uint8_t *p = head + 2 + stamp_size(ring);
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// Returns the time base `ticks`, updated by a stamp.
static uint64_t with_stamp(const struct wfi_box_ring *ring, uint64_t ticks, const uint8_t *bytes) {
    const unsigned size = stamp_size(ring);
    uint64_t stamp = 0;
    for (unsigned i = size; i--;) stamp = stamp << 8 | bytes[i];
    return size >= 8 ? stamp : (ticks >> 8 * size << 8 * size) + stamp;
}

static bool has_stamp(uint8_t id) {
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        if (row->id == id && row->until == 9999)
            return row->count && row->fields[0].kind == WF_KIND_STAMP;
    }
    return id >= WF_USER_FIRST;
}

// Returns the first stamp of the records before the next SYNC, or else `ticks`: the time that the
// target's reader puts into a SYNC before them.
static uint64_t first_time(const struct wfi_box_ring *ring, uint64_t ticks, uint8_t seq,
                           const uint8_t *bytes, size_t len) {
    struct frame f;
    for (; len; bytes += f.raw_len, len -= f.raw_len, seq = (uint8_t)(seq + events_of(ring, &f))) {
        read_frame(bytes, len, &f, NULL);
        if (!f.raw_len || f.head[0] != seq || f.head[1] == WF_RECORD_sync) break;
        if (has_stamp(f.head[1])) return with_stamp(ring, ticks, f.head + 2);
    }
    return ticks;
}

// Advances the time base by one wrap of the stamp.
static void wrap_time(const struct wfi_box_ring *ring, struct wfi_box_place *at) {
    const unsigned bits = 8 * stamp_size(ring);
    if (bits < 64) at->ticks = ((at->ticks >> bits) + 1) << bits;
}

// Puts a SYNC for each number that was left out before the frame at `bytes`; or, if that is a SYNC
// itself, only this one: the numbers left out before it are refused records.
static uint8_t *put_syncs(const struct wfi_box_ring *ring, struct wfi_box_place *at,
                          const struct frame *f, const uint8_t *bytes, size_t len, uint8_t *to) {
    const uint8_t left_out = (uint8_t)(f->head[0] - 1 - at->count);
    at->at_hole = false;
    if (f->head[1] == WF_RECORD_sync) {
        at->refused += left_out;
        at->count += left_out + 1u;
        if (f->head[2]) wrap_time(ring, at);
        at->ticks = with_stamp(ring, at->ticks, f->head + 3);
        return put_sync(ring, at, to);
    }
    for (unsigned n = left_out <= LEFT_OUT_MAX ? left_out : 0; n; --n) {
        if ((uint8_t)++at->count) wrap_time(ring, at);
        at->ticks = first_time(ring, at->ticks, (uint8_t)(at->count + 1), bytes, len);
        to = put_sync(ring, at, to);
    }
    at->count += events_of(ring, f);
    return to;
}

// Puts the object numbers, before the first packed frame after a start of the target.
static uint8_t *put_numbers(const struct wfi_box_ring *ring, uint64_t count, uint8_t *to) {
    uint8_t sum = 0;
    if (!ring->numbers_len) return to;
    to = put_number(to, &sum, count & 0xFF, 1);
    to = put_number(to, &sum, WF_RECORD_objects, 1);
    for (size_t i = 0; i < ring->numbers_len; ++i) to = put_number(to, &sum, ring->numbers[i], 1);
    to = put_number(to, &sum, (uint8_t)~sum, 1);
    *to++ = WFI_FLAG;
    return to;
}

// Puts the frame that was open, with its whole events, if it is the next one: the block may have
// one that was closed a moment before.
static uint8_t *put_open(const struct wfi_box_ring *ring, const struct wfi_box_place *at,
                         uint8_t *to) {
    const unsigned stamp = stamp_size(ring), at_count = 1 + 2 + stamp + 4;
    const uint8_t *p = ring->open;
    uint8_t sum = 0;
    if (!ring->open_events || ring->open_len <= at_count + 3) return to;
    if (p[2] != WF_RECORD_packed || number_of(ring, p + 1) != (uint32_t)(at->count + 1)) return to;
    to = put_numbers(ring, at->count, to);
    for (size_t i = 1; i < ring->open_len; ++i) {
        const uint64_t events = ring->open_events, bytes = ring->open_len - (at_count + 3);
        to = put_number(to, &sum, i == at_count ? events : i == at_count + 1 ? bytes : p[i], 1);
    }
    to = put_number(to, &sum, (uint8_t)~sum, 1);
    *to++ = WFI_FLAG;
    return to;
}

// Puts all frames of the ring. *at starts as the position before the first one.
static uint8_t *put_frames(const struct wfi_box_ring *ring, struct wfi_box_place *at, uint8_t *to) {
    const uint8_t *bytes = ring->frames;
    struct frame f;
    bool told = false;
    unsigned starts = 0;
    for (size_t len = ring->len; len; bytes += f.raw_len, len -= f.raw_len) {
        read_frame(bytes, len, &f, NULL);
        if (!f.raw_len) { // a wrong length: the rest is damage
            for (uint8_t sum = 0; len; --len) to = put_number(to, &sum, *bytes++, 1);
            *to++ = WFI_FLAG;
            return to;
        }
        to = put_syncs(ring, at, &f, bytes, len, to);
        if (f.head[1] == WF_RECORD_sync) continue;
        if (f.head[1] == WF_RECORD_packed && !told) {
            to = put_numbers(ring, at->count - events_of(ring, &f), to);
            told = true;
        } else if (f.head[1] == WF_RECORD_empty || f.head[1] == WF_RECORD_target_info) {
            told = ++starts > STARTS_MAX; // the host forgets them
        }
        to = read_frame(bytes, len, &f, to);
        if (has_stamp(f.head[1])) at->ticks = with_stamp(ring, at->ticks, f.head + 2);
    }
    return put_open(ring, at, to);
}

// The position before the first frame. The target's reader counts a record before it moves the
// tail; the frame at the tail shows the difference.
static struct wfi_box_place first_place(const struct wfi_box_ring *ring,
                                        const struct frame *first) {
    struct wfi_box_place at = ring->tail;
    if (first->len && first->head[1] == WF_RECORD_packed) {
        const uint32_t by = (uint32_t)(at.count + 1) - number_of(ring, first->head);
        if (ring->copied && at.count > by) at.count -= by;
        return at;
    }
    const uint8_t ahead = (uint8_t)(at.count + 1 - first->head[0]);
    if (first->len && (ring->copied || ahead < 256 - LEFT_OUT_MAX) && at.count > ahead)
        at.count -= ahead;
    return at;
}

// The target's time base is that of the frames its reader has taken. Takes the wraps of those that
// are still in the ring off it, as they come again.
static void rewind_time(const struct wfi_box_ring *ring, struct wfi_box_place *at) {
    const unsigned bits = 8 * stamp_size(ring);
    const uint8_t *bytes = ring->frames;
    uint64_t number = at->count;
    struct frame f;
    for (size_t len = ring->len; len && bits < 64; bytes += f.raw_len, len -= f.raw_len) {
        read_frame(bytes, len, &f, NULL);
        const uint8_t left_out = (uint8_t)(f.head[0] - 1 - number), first = (uint8_t)(number + 1);
        number += left_out + (uint64_t)events_of(ring, &f);
        if (!f.raw_len || number > ring->tail.count) return;
        const bool sync = f.head[1] == WF_RECORD_sync;
        const bool wraps = sync ? f.head[2] != 0 : left_out > 1 || (left_out && first);
        if (wraps && at->ticks >> bits) at->ticks -= UINT64_C(1) << bits;
    }
}

bool wfi_box_stream(const struct wfi_box_ring *ring, struct wf_box *box) {
    // The most: SYNCs before each frame, which has at least four bytes in the ring; an escape for
    // each byte.
    uint8_t *bytes =
        malloc(SYNC_MAX + 2 * ring->len + (LEFT_OUT_MAX * SYNC_MAX) * (ring->len / 4) +
               (STARTS_MAX + 2) * (2 * ring->numbers_len + 8) + 2 * ring->open_len + 8);
    uint8_t *to = bytes;
    if (!bytes) return false;
    struct frame first = {.len = 0};
    if (ring->lengths) {
        read_frame(ring->frames, ring->len, &first, NULL);
    } else if (ring->len > 1) { // only the first sequence matters; a SYNC has its own number
        first.len = ring->frames[1] == WF_RECORD_sync ? 0 : ring->len;
        first.head[0] =
            ring->frames[0] == WFI_ESC ? ring->frames[1] ^ WFI_ESC_XOR : ring->frames[0];
    }
    struct wfi_box_place at = first_place(ring, &first);
    box->before = at.count;
    if (ring->lengths && ring->copied) rewind_time(ring, &at);
    // A SYNC comes first, unless the ring's first frame has one before it anyway.
    const bool at_sync =
        ring->lengths && first.raw_len &&
        (first.head[1] == WF_RECORD_sync || first.head[0] != (uint8_t)(at.count + 1));
    if ((at.count || at.at_hole) && !at_sync) {
        if (ring->lengths)
            at.ticks = first_time(ring, at.ticks, (uint8_t)(at.count + 1), ring->frames, ring->len);
        to = put_sync(ring, &at, to);
    }
    if (ring->lengths) {
        to = put_frames(ring, &at, to);
    } else {
        memcpy(to, ring->frames, ring->len);
        to += ring->len;
    }
    box->stream = bytes;
    box->len = (size_t)(to - bytes);
    return true;
}
