// SPDX-License-Identifier: MIT
// A receiver that runs in the target, written from docs/wire-format.md without the recorder's code:
// finds frames, checks them, and counts missing records. Reports the first error.
#ifndef RECEIVER_H
#define RECEIVER_H

#include "wallfly/wallfly.h"

enum { FRAME_MAX = WF_CFG_PACKED ? 1100 : 96 };

struct receiver {
    // Called for each application record; payload begins after the stamp.
    void (*record)(uint8_t id, const uint8_t *payload, uint32_t len);
    const char *wrong;  // the first error; null: none
    uint32_t good, bad; // frames; each record of a good packed frame counts as one
    uint32_t syncs;     // good frames that are records; without those at losses
    uint32_t holes;
    uint64_t number;                    // of the last record
    uint64_t missing;                   // from the SYNCs
    uint64_t time;                      // 64-bit time of the last record
    uint64_t lost, refused, lost_bytes; // from the last SYNC
    // private
    uint8_t frame[FRAME_MAX], sum;
    uint32_t len;
    bool escaped, cut; // the frame before was cut: a SYNC must follow
    bool far;          // after a loss: the next stamp may be far ahead
};

static inline void receiver_fail(struct receiver *r, const char *why) {
    if (!r->wrong) r->wrong = why;
}

static inline uint64_t receiver_number(const uint8_t *p, unsigned bytes) {
    uint64_t n = 0;
    while (bytes--) n = n << 8 | p[bytes];
    return n;
}

static inline void receiver_sync(struct receiver *r) {
    const uint8_t *f = r->frame + 2;
    uint64_t count = receiver_number(f, 8), ticks = receiver_number(f + 8, 8);
    uint64_t lost = receiver_number(f + 20, 8), lost_bytes = receiver_number(f + 32, 8);
    bool at_hole = f[40] & 1;
    if (r->len != 54 || (uint8_t)count != r->frame[0]) receiver_fail(r, "a SYNC is malformed");
    if (count <= r->number) receiver_fail(r, "a SYNC counts back");
    r->missing += count - r->number - (at_hole ? 0 : 1);
    r->number = count;
    if (at_hole)
        ++r->holes;
    else
        ++r->syncs;
    r->far = at_hole;
    if (at_hole && ticks < r->time) ticks = r->time; // a base, possibly older than the last record
    if (ticks < r->time) receiver_fail(r, "a SYNC goes back in time");
    r->time = ticks;
    if (lost > r->lost) r->lost = lost;
    if (lost_bytes > r->lost_bytes) r->lost_bytes = lost_bytes;
    r->refused = receiver_number(f + 28, 4);
}

static inline void receiver_stamp(struct receiver *r) {
    const wf_stamp stamp = (wf_stamp)receiver_number(r->frame + 2, WF_CFG_TIME_SIZE);
    const wf_stamp step = (wf_stamp)(stamp - (wf_stamp)r->time);
    if (step > (wf_stamp)-1 / 2 && !r->far) receiver_fail(r, "a stamp goes back");
    r->far = false;
    r->time += step;
}

// A packed frame with application records, and others that are copied.
static inline void receiver_packed(struct receiver *r) {
    const uint8_t *p = r->frame + 2 + WF_CFG_TIME_SIZE, *const end = r->frame + r->len - 1;
    const uint32_t number = (uint32_t)receiver_number(p, 4);
    const unsigned events = p[4];
    if (number != (uint32_t)(r->number + 1) || (uint8_t)number != r->frame[0])
        receiver_fail(r, "records are missing, untold");
    if (end - p != 7 + p[5]) receiver_fail(r, "a packed frame does not have its length");
    receiver_stamp(r);
    p += 7;
    for (unsigned i = 0; i < events; ++i) {
        uint8_t kind = *p++;
        while (kind == 0xDC && p + 3 < end) { // the core
            p += 2;
            kind = *p++;
        }
        const unsigned bytes = (*p & 3) == 3 ? 5 : (*p & 3) + 1u;
        r->time += receiver_number(p, bytes) >> 2;
        p += bytes;
        const bool copied = kind == 0xD8 || kind == 0xD9, user = kind >= 0xE0 && kind <= 0xF8;
        const uint8_t id = copied ? *p++ : (uint8_t)(kind - 0xE0 + WF_USER), len = *p++;
        if ((!copied && !user) || p + len > end) {
            receiver_fail(r, "an event is not one that was made");
            return;
        }
        ++r->number;
        if (user) r->record(id, p, len);
        p += len;
    }
    if (p != end) receiver_fail(r, "a packed frame does not end with its last event");
    r->good += events - 1;
}

static inline void receiver_frame(struct receiver *r) {
    if (r->sum != 0xFF || r->escaped || r->len < 3 || r->len > FRAME_MAX) {
        ++r->bad;
        r->cut = true;
        return;
    }
    ++r->good;
    const uint8_t id = r->frame[1];
    if (r->cut && (id != WF_ID_sync || !r->frame[42]))
        receiver_fail(r, "no SYNC follows a frame that was cut");
    r->cut = false;
    if (id == WF_ID_sync) {
        receiver_sync(r);
        return;
    }
    if (WF_CFG_PACKED && id == WF_ID_objects) { // not a record
        --r->good;
        return;
    }
    if (WF_CFG_PACKED && id == WF_ID_packed) {
        receiver_packed(r);
        return;
    }
    if (r->frame[0] != (uint8_t)++r->number) receiver_fail(r, "a record is missing, untold");
    if (id < WF_USER) return;
    receiver_stamp(r);
    r->record(id, r->frame + 2 + WF_CFG_TIME_SIZE, r->len - 3 - WF_CFG_TIME_SIZE);
}

static inline void receiver_take(struct receiver *r, const uint8_t *bytes, uint32_t len) {
    for (; len; --len) {
        uint8_t byte = *bytes++;
        if (byte == 0x7E) {
            receiver_frame(r);
            r->len = 0;
            r->sum = 0;
            r->escaped = false;
            continue;
        }
        if (byte == 0x7D) {
            r->escaped = true;
            continue;
        }
        if (r->escaped) byte ^= 0x20;
        r->escaped = false;
        r->sum = (uint8_t)(r->sum + byte);
        if (r->len < FRAME_MAX) r->frame[r->len] = byte;
        ++r->len;
    }
}

#endif
