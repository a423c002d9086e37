// SPDX-License-Identifier: MIT
// A model of the stream: it stores every record made; a host decodes the bytes from the recorder
// and checks each frame against it.
#ifndef STREAM_MODEL_H
#define STREAM_MODEL_H

#include "wf_test.h"

enum { MADE_MAX = 8000, RING_MAX = 2048 };

static struct {
    uint8_t bytes[240];
    unsigned len;   // 0: a SYNC or a record of wf_start
    uint64_t ticks; // when it was made
    bool timed;
} made[MADE_MAX]; // by number
static uint64_t made_last;
static uint64_t start_ticks; // the clock's upper part at the start, which the recorder cannot know

static uint8_t ring[RING_MAX];
struct host { // the state of a host
    struct receiver receiver;
    uint64_t number; // of the last record, exact after a SYNC
    uint64_t received, missing;
    uint64_t base;      // the last SYNC's ticks
    uint64_t sync_lost; // reported by SYNCs
    uint32_t sync_refused;
    unsigned spoilt, sync_cut; // frames cut; SYNCs that report a cut frame before them
    bool cut;                  // the frame before was cut
};

static uint64_t now_count(void) {
    struct wf_status s;
    wf_get_status(&s);
    return s.count;
}

static void fresh(uint32_t size) {
    for (; made_last; --made_last) made[made_last].len = 0;
    fake_clock_step = 0;
    start_ticks = fake_clock - (wf_stamp)fake_clock;
    if (WF_CFG_TIME_SIZE == 8) start_ticks = 0;
    start(ring, size);
    wf_filter(WF_GRP_ALL);
}

static void remember(uint64_t number, unsigned id, const uint8_t *payload, unsigned len) {
    assert_in_range(number, 1, MADE_MAX - 1);
    made[number].ticks = fake_clock - start_ticks;
    made[number].timed = id != WF_ID_usr_dict && id != WF_ID_qf_run;
    made_last = number;
    made[number].bytes[0] = (uint8_t)id;
    memcpy(made[number].bytes + 1, payload, len);
    made[number].len = len + 1;
}

static unsigned with_stamp(uint8_t *to) {
    for (unsigned i = 0; i < WF_CFG_TIME_SIZE; ++i) to[i] = (uint8_t)(fake_clock >> 8 * i);
    return WF_CFG_TIME_SIZE;
}

static bool is_made(uint64_t number, const struct frame *f) {
    return (uint8_t)number == f->bytes[0] && f->len - 1 == made[number].len &&
           memcmp(f->bytes + 1, made[number].bytes, made[number].len) == 0;
}

// Without SYNCs the length of a loss is unknown: finds the next record made with these bytes.
static void check_without_sync(struct host *h, const struct frame *f) {
    uint64_t made_so_far = now_count();
    ++h->received;
    if (f->bytes[1] == WF_ID_empty || f->bytes[1] == WF_ID_target_info) {
        h->number = f->bytes[0];
        return;
    }
    while (++h->number <= made_so_far) {
        if (is_made(h->number, f)) return;
    }
    fail_msg("a frame that was not made so, or not in this order");
}

// The smallest time, at or after the last SYNC's, with this stamp as its low bits.
static uint64_t extended(const struct host *h, uint64_t stamp) {
    uint64_t ticks = (h->base - (wf_stamp)h->base) + stamp;
    return ticks >= h->base || WF_CFG_TIME_SIZE == 8 ? ticks : ticks + ((uint64_t)(wf_stamp)-1) + 1;
}

static void check_frame(struct host *h, const struct frame *f) {
    if (!WF_CFG_SYNC) {
        check_without_sync(h, f);
        return;
    }
    if (f->bytes[1] == WF_ID_sync) {
        const uint8_t *p = f->bytes + 2;
        uint64_t count = le(p, 8), lost = le(p + 20, 8);
        uint32_t refused = (uint32_t)le(p + 28, 4);
        int at_hole = p[40] & 1, behind_cut = p[40] >> 1;
        assert_int_equal(behind_cut, h->cut);
        h->sync_cut += (unsigned)behind_cut;
        h->cut = false;
        assert_int_equal((uint8_t)count, f->bytes[0]);
        assert_true(count > h->number);
        h->missing += count - h->number - (at_hole ? 0 : 1);
        h->received += !at_hole;
        h->number = count;
        assert_true(le(p + 8, 8) >= h->base);
        h->base = le(p + 8, 8);
        if (lost > h->sync_lost) h->sync_lost = lost;
        if (refused > h->sync_refused) h->sync_refused = refused;
        return;
    }
    assert_false(h->cut);
    assert_int_not_equal(f->bytes[0], 0); // only a SYNC has this number
    // After a loss a SYNC has set the number, so it must increase by one.
    assert_int_equal((uint8_t)(h->number + 1), f->bytes[0]);
    ++h->number;
    ++h->received;
    if (!made[h->number].len) return; // made by wf_start
    assert_int_equal(f->len - 1, made[h->number].len);
    assert_memory_equal(f->bytes + 1, made[h->number].bytes, made[h->number].len);
    if (!made[h->number].timed) return;
    assert_int_equal(extended(h, le(f->bytes + 2, WF_CFG_TIME_SIZE)), made[h->number].ticks);
}

static void hear(struct host *h, uint8_t byte) {
    struct frame f;
    unsigned bad = h->receiver.bad;
    if (receive(&h->receiver, byte, &f)) check_frame(h, &f);
    h->spoilt += h->receiver.bad != bad;
    if (h->receiver.bad != bad) h->cut = true;
}

#endif
