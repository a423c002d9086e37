// SPDX-License-Identifier: MIT
// Shared by the tests of the transports: random records, and a check that a stream reports exactly
// the recorder's losses.
#ifndef WF_PORT_TEST_H
#define WF_PORT_TEST_H

#include "wf_test.h"

// Two random sources: the program's, repeated in a second run, and the environment's.
static uint32_t program_seed, world_seed;

static inline uint32_t roll(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*seed >> 8) * below >> 24);
}
static inline uint32_t rnd(uint32_t below) { return roll(&program_seed, below); }
static inline uint32_t world(uint32_t below) { return roll(&world_seed, below); }

static inline void begin(uint8_t *ring, uint32_t size, uint32_t seed) {
    program_seed = seed;
    world_seed = ~seed;
    fake_clock = 1000;
    fake_clock_step = 1;
    start(ring, size);
    wf_filter(WF_GRP_ALL);
}

static inline void record(void) {
    uint8_t block[40];
    for (unsigned i = 0; i < sizeof block; ++i) block[i] = (uint8_t)(rnd(4) ? rnd(256) : 0x7E);
    fake_clock += rnd(100);
    WF_RECORD(WF_USER, 0, WF_U32(0, rnd(1000)), WF_MEM(block, (uint8_t)rnd(sizeof block)));
}

// Every frame is good or the part of a dropped one, records come in order, and the number of
// missing ones is the recorder's loss count. The last frame must come after the last loss.
static inline void assert_ledger(const uint8_t *bytes, size_t len) {
    enum { SYNC_COUNT = 2, SYNC_AT_HOLE = 42 }; // offsets in the frame
    static struct receiver r;
    struct frame f;
    struct wf_status status;
    uint64_t number = 0, missing = 0;
    r = (struct receiver){.len = 0};
    for (size_t i = 0; i < len; ++i) {
        if (!receive(&r, bytes[i], &f)) continue;
        if (f.bytes[1] == WF_ID_sync) {
            uint64_t count = le(f.bytes + SYNC_COUNT, 8);
            missing += count - number - (f.bytes[SYNC_AT_HOLE] & 1 ? 0 : 1);
            number = count;
            continue;
        }
        assert_int_equal((uint8_t)(number + 1), f.bytes[0]);
        ++number;
    }
    wf_get_status(&status);
    assert_int_equal(number, status.count);
    assert_int_equal(missing, status.lost);
    assert_int_equal(status.used, 0);
    assert_int_equal(fake_lock_errors, 0);
}

#endif
