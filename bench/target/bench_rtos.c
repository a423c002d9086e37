// SPDX-License-Identifier: MIT
// Measures the cost of an RTOS' records on a board, with the method of bench_target.c: a switch and
// a ready alone; with part tracing where 1 and 8 of 12 tasks are hidden; and stored for the text
// sender.

#include "board.h"

#include "measure.h"
#include "wallfly/wf_rtos.h"

enum { TIMES = 512, TASKS = 12, RING = 1024 };

static uint8_t tasks[TASKS][16];

NOINLINE static void there(void) { WF_TASK_SWITCH(tasks[0], tasks[1], WF_SWITCH_preempted); }
NOINLINE static void back(void) { WF_TASK_SWITCH(tasks[1], tasks[0], WF_SWITCH_blocked); }
NOINLINE static void ready(void) { WF_TASK_READY(tasks[1]); }

NOINLINE static void log_two(void) { WF_LOG("%d of %u", WF_I32(0, value), WF_U32(0, value)); }

#if WF_CFG_TEXT
static void make_room(void) {
    while (wf_text_get_byte() >= 0) continue;
}
#else
static uint8_t ring[RING];
static void make_room(void) {
    const uint8_t *block;
    for (uint32_t len; (len = wf_get_block(&block, RING)) != 0;) wf_block_done(len);
}
#endif

static uint32_t mean(void (*one)(void), void (*other)(void)) {
    uint32_t all = 0;
    bench_clock = 0; // the same time stamps for all
    once(one);       // includes a SYNC, because the clock was set back
    for (uint16_t n = 0; n < TIMES; ++n) {
        make_room();
        all += once(n & 1 ? other : one);
    }
    return all / TIMES;
}

static void measure(const char *name, void (*one)(void), void (*other)(void)) {
    print(name, mean(one, other) - mean(nothing, nothing));
}

int main(void) {
    board_start();
    bench_start();
    (void)app, (void)log_two, (void)there, (void)back;
#if WF_CFG_TEXT
    wf_text_start(1000000);
    measure("text-switch", there, back);
    measure("text-ready", ready, ready);
#else
    static const struct wf_config config = {.ring = ring, .ring_size = RING, .hz = 1000000};
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
#endif
#if !WF_CFG_TEXT && !WF_CFG_PART
    measure("log", log_two, log_two);
    measure("ready", ready, ready);
#endif
#if WF_CFG_PART
    for (uint8_t i = 0; i < TASKS; ++i) WF_TASK_CREATE(tasks[i], i, NULL);
    measure("part-switch", there, back);
    measure("part-ready", ready, ready);
    wf_part_task(tasks[TASKS - 1], false);
    measure("part-switch-1-hidden", there, back);
    measure("part-ready-1-hidden", ready, ready);
    wf_part_priority(4, TASKS - 1, false);
    measure("part-switch-8-hidden", there, back);
    wf_part_task(tasks[1], false); // cost of hidden records: there and back shows nothing
    measure("part-hidden-switch", there, back);
    measure("part-hidden-ready", ready, ready);
#endif
    board_end(0);
    return 0;
}
