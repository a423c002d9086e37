// SPDX-License-Identifier: MIT
// Measures the cost of an event in the slot recorder on a board, as bench_target.c does for the
// frame recorder. "usual" is an event that does not open a chunk; the figure without it is the mean
// over whole chunks.

#include "board.h"

#include "measure.h"
#include "wallfly/wf_rtos.h"

enum { CHUNKS = 4, SLOTS = WF_SLOTS_MIN, OPENING = 4 };

static uint8_t memory[WF_SLOTS_SIZE(1, SLOTS)] __attribute__((aligned(64)));

NOINLINE static void filtered(void) { WF_REC(active_get, 0, 5, memory, 1, 1, level); }
NOINLINE static void task_switch(void) { WF_REC(sched_next, 0, level, 2); }
NOINLINE static void rtos_switch(void) { WF_TASK_SWITCH(memory, memory + 64, WF_SWITCH_blocked); }
NOINLINE static void event(void) { wf_slot_event(WF_SLOT_CLASS_USER, 1, value, 2); }

struct cost {
    uint32_t usual, mean;
};

// Cost of events that use this number of slots.
static struct cost cost_of(void (*record)(void), unsigned slots) {
    const uint16_t in_a_chunk = (uint16_t)((WF_CFG_CHUNK - OPENING) / slots);
    struct cost cost = {0, 0};
    for (uint16_t n = 0; n < CHUNKS * in_a_chunk; ++n) {
        uint32_t one = once(record);
        cost.mean += one;
        if (n % in_a_chunk) cost.usual += one;
    }
    cost.mean /= CHUNKS * in_a_chunk;
    cost.usual /= CHUNKS * (in_a_chunk - 1);
    return cost;
}

static uint32_t less(uint32_t cost, uint32_t empty) { return cost > empty ? cost - empty : 0; }

int main(void) {
    static const struct wf_slots_config config = {memory, sizeof memory, 1, SLOTS,
                                                  false,  1000000,       0};
    static const struct {
        const char *name, *usual;
        void (*record)(void);
        unsigned slots;
    } kinds[] = {{"slots-filtered", NULL, filtered, 1},
                 {"slots-switch", "slots-switch-usual", task_switch, 1},
                 {"slots-rtos-switch", "slots-rtos-switch-usual", rtos_switch, 1},
                 {"slots-event", "slots-event-usual", event, 1},
                 {"slots-app", "slots-app-usual", app, 2}};
    board_start();
    bench_start();
    if (!wf_slots_start(&config)) board_end(1);
    wf_filter(WF_GRP_ALL);
    wf_filter(-WF_ID_active_get);
    uint32_t empty = cost_of(nothing, 1).mean;
    for (uint8_t i = SUFFIX[0] ? 1 : 0; i < sizeof kinds / sizeof *kinds; ++i) {
        struct cost cost = cost_of(kinds[i].record, kinds[i].slots);
        print(kinds[i].name, less(cost.mean, empty));
        if (kinds[i].usual) print(kinds[i].usual, less(cost.usual, empty));
    }
    board_end(0);
    return 0;
}
