// SPDX-License-Identifier: MIT
// Measures the maximum cost of one record on a board, in instructions (cycles on AVR) minus the
// same measurement around an empty call: "-worst" in a ring with room, "-worst-full" in a ring full
// of the same records, "-worst-mixed" in a ring full of records of all lengths, also after refused
// records and while a byte is on loan; "-worst-wrap" as the last one while the clock wraps. With
// BENCH_LOCKED it is the longest time with interrupts off, also for the reader ("reader-worst").

#include "board.h"

#include "measure.h"

#ifdef __AVR__
enum { TIMES = 1000 };
#else
enum { TIMES = 20000 };
#endif
enum { RING = 512, WRAPS = 7 };

static uint8_t ring[RING];
static uint32_t rnd_state;

NOINLINE static void task_switch(void) { WF_REC(sched_next, 1, level, 2); }
NOINLINE static void post(void) { WF_REC(active_post, 1, ring, 5, ring + 64, 1, 1, level, 2); }

static uint32_t rnd(uint32_t below) {
    rnd_state = rnd_state * 1664525u + 1013904223u;
    return (rnd_state >> 16) % below;
}

static void empty_ring(void) {
    const uint8_t *block;
    for (uint32_t len; (len = wf_get_block(&block, RING)) != 0;) wf_block_done(len);
}

// Fills the ring with short to long frames, some with escapes.
static void other_record(void) {
    switch (rnd(6)) {
    case 0: WF_REC(crit_entry, 0, level); break;
    case 1: WF_REC(crit_exit, 0, 0x7E); break;
    case 2: WF_RECORD(WF_USER, 0, WF_MEM(ring + rnd(512), (uint8_t)rnd(120))); break;
    case 3: app(); break;
    case 4: post(); break;
    default: task_switch(); break;
    }
}

// Longer than WF_CFG_RECORD_MAX, so it is refused.
static void too_long(void) {
    WF_BEGIN(WF_USER, 0);
    for (uint8_t i = 0; i < 4; ++i) wf_mem(ring, 255);
    WF_END();
}

static void disturb(void) {
    for (uint32_t n = rnd(4); n; --n) other_record();
    if (rnd(16) == 0) too_long();
    if (rnd(8) == 0) (void)wf_get_byte();
}

enum way { ROOM, FULL, MIXED, WRAP };

static uint32_t worst(void (*record)(void), enum way way) {
    uint32_t most = 0;
    for (uint16_t n = 0; way != ROOM && n < RING / 8; ++n) record();
    for (uint16_t n = 0; n < TIMES; ++n) {
        if (way == ROOM) empty_ring();
        if (way >= MIXED) disturb();
        if (way == WRAP && n % WRAPS == 0) bench_clock = 0;
        uint32_t cost = once(record);
        if (cost > most) most = cost;
    }
    return most;
}

#ifdef BENCH_LOCKED
// Returns the longest lock of a reader while other records are made.
static uint32_t reader_worst(void) {
    const uint8_t *block;
    bench_locked_most = 0;
    for (uint16_t n = 0; n < TIMES; ++n) {
        bench_count most = bench_locked_most;
        disturb();
        bench_locked_most = most; // only the locks of the reader count
        wf_block_done(wf_get_block(&block, 1 + rnd(64)));
    }
    return bench_locked_most;
}
#endif

int main(void) {
    // A packed frame is not closed for the reader, but when it is full.
    static const struct wf_config config = {.ring = ring,
                                            .ring_size = sizeof ring,
                                            .hz = 1000000,
                                            .hold = WF_CFG_PACKED ? 1u << 30 : 0};
    static const struct {
        const char *name;
        void (*record)(void);
    } kinds[] = {{"switch", task_switch}, {"post", post}, {"app", app}};
    static const char *const ways[] = {"-worst", "-worst-full", "-worst-mixed", "-worst-wrap"};
    board_start();
    bench_start();
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    uint32_t empty = once(nothing);
    for (uint8_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        for (uint8_t way = ROOM; way <= WRAP; ++way) {
            uint32_t cost = worst(kinds[i].record, (enum way)way);
            put(kinds[i].name);
            print(ways[way], cost - empty);
        }
    }
#ifdef BENCH_LOCKED
    print("reader-worst", reader_worst() - empty);
#endif
    board_end(0);
    return 0;
}
