// SPDX-License-Identifier: MIT
// Measures the cost of a record on a board: instructions (cycles on AVR), minus the same
// measurement around an empty call; and the stack. Prints "name,number" lines to the UART. Each
// figure is the mean of records made while clock and sequence advance, so that bytes to be escaped
// have their share. The ring is emptied before each record, except for figures named full, where
// each record overwrites the oldest (SYNCs included). With BENCH_LOCKED it is the time with
// interrupts off.

#include "board.h"

#include "measure.h"
#include "wallfly/wf_rtos.h"

enum { TIMES = 512, STACK = 512, RING = 1024 };

#if WF_CFG_PACKED
#define PREFIX "packed-"
#else
#define PREFIX ""
#endif

static uint8_t ring[RING];

NOINLINE static void filtered(void) { WF_REC(active_get, 0, 5, ring, 1, 1, level); }
NOINLINE static void task_switch(void) { WF_REC(sched_next, 1, level, 2); }
NOINLINE static void rtos_switch(void) { WF_TASK_SWITCH(ring, ring + 64, WF_SWITCH_blocked); }
NOINLINE static void mutex(void) { WF_BY_N(mutex_take, ring, ring + 64, 1); }
NOINLINE static void two_objects(void) { WF_REC(active_recall_attempt, 1, ring, ring + 64); }
NOINLINE static void post(void) { WF_REC(active_post, 1, ring, 5, ring + 64, 1, 1, level, 2); }
NOINLINE static void app_steps(void) {
    WF_BEGIN(WF_USER, 0);
    wf_u32(0, value);
    wf_str("eightchr");
    WF_END();
}

static void empty_ring(void) {
    const uint8_t *block;
    for (uint32_t len; (len = wf_get_block(&block, RING)) != 0;) wf_block_done(len);
}

static uint32_t mean(void (*record)(void), bool full) {
    uint32_t all = 0;
    bench_clock = 0; // the same time stamps for all
    once(record);    // includes a SYNC, because the clock was set back
    for (uint16_t n = 0; full && n < TIMES; ++n) once(record);
    for (uint16_t n = 0; n < TIMES; ++n) {
        if (!full) empty_ring();
        all += once(record);
    }
    return all / TIMES;
}

#ifndef BENCH_LOCKED
// Paints the stack below and checks its deepest use, including that of `record` itself: by the
// record that used least, in a ring with room, and by the one that used most, in a full ring.
struct used {
    uint32_t least, most;
};

NOINLINE static struct used stack_of(void (*record)(void)) {
    volatile uint8_t here, *top = &here;
    struct used used = {STACK, 0};
    __asm__ volatile("" : "+r"(top)); // hides the memory below from the compiler
    for (uint16_t n = 0; n < 600; ++n) {
        uint16_t deepest = STACK - 1;
        if (n < 100) empty_ring();
        for (uint16_t i = 16; i < STACK; ++i) *(top - i) = 0xA5;
        bench_clock += 1000;
        record();
        while (deepest >= 16 && *(top - deepest) == 0xA5) --deepest;
        if (deepest < used.least) used.least = deepest;
        if (deepest > used.most) used.most = deepest;
    }
    return used;
}
#endif

int main(void) {
    // A packed frame is not closed for the reader: each record has its share of a whole frame.
    static const struct wf_config config = {.ring = ring,
                                            .ring_size = sizeof ring,
                                            .hz = 1000000,
                                            .hold = WF_CFG_PACKED ? UINT32_C(1) << 30 : 0};
    static const struct {
        const char *name;
        void (*record)(void);
    } kinds[] = {{"filtered", filtered},
                 {"switch", task_switch},
                 {"two-objects", two_objects},
                 {"post", post},
                 {"app", app},
                 {"app-steps", app_steps},
                 {"rtos-switch", rtos_switch},
                 {"mutex", mutex}};
    board_start();
    bench_start();
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    wf_filter(-WF_ID_active_get);
    uint32_t empty = mean(nothing, false);
    for (uint8_t i = SUFFIX[0] ? 1 : 0; i < sizeof kinds / sizeof *kinds; ++i) {
        uint32_t cost = mean(kinds[i].record, false);
        put(PREFIX);
        print(kinds[i].name, cost > empty ? cost - empty : 0);
    }
    uint32_t cost = mean(task_switch, true);
    print(PREFIX "switch-full", cost - empty);
#ifndef BENCH_LOCKED
    struct used none = stack_of(nothing);
    for (uint8_t i = 1; i < sizeof kinds / sizeof *kinds; ++i) {
        struct used used = stack_of(kinds[i].record);
        put("stack-" PREFIX);
        print(kinds[i].name, (used.least - none.least) * 100);
        put("stack-most-" PREFIX);
        print(kinds[i].name, (used.most - none.least) * 100);
    }
#endif
    board_end(0);
    return 0;
}
