// SPDX-License-Identifier: MIT
// A program for measuring the recorder's size. SIZE_OF: 0 no recorder, 1 two predefined records, 2
// one and an application record, 3 the same and commands, 4 the tasks and mutexes of an RTOS.
// SIZE_READER 1: also sends the records, 2: in chunks that are answered. SIZE_NAMES: bytes of a
// table of names.

#include "board.h"

#include "wallfly/wallfly.h"
#include "wallfly/wf_chunk.h"
#include "wallfly/wf_rtos.h"
#include "wf_port.h"

volatile wf_stamp bench_clock;
volatile bench_count bench_locked_at, bench_unlocked_at;

int main(void);
void board_tick(void) {}

#ifndef SIZE_NAMES
#define SIZE_NAMES 0
#endif

#if SIZE_OF > 0 && WF_CFG_ON
#if WF_CFG_SLOTS
static uint8_t ring[WF_SLOTS_SIZE(1, WF_SLOTS_MIN)] __attribute__((aligned(64)));
#else
static uint8_t ring[1024];
#endif
#endif

#if SIZE_OF > 0
static volatile uint8_t level;
static volatile uint32_t value;
#endif

#if SIZE_OF == 3
static void nothing(void) {}
static void on_command(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3) {
    (void)id, (void)p1, (void)p2, (void)p3;
}
static void on_tick(uint8_t rate) { (void)rate; }
static bool on_event(const struct wf_rx_event *e) {
    (void)e;
    return true;
}
static int id_of(const void *active) {
    (void)active;
    return 1;
}
static bool on_query(enum wf_object_kind kind, const void *object) {
    (void)kind, (void)object;
    return false;
}

static void start_commands(void) {
    static uint8_t rx_ring[64];
    static const struct wf_rx_hooks hooks = {nothing,  on_command, on_tick, on_event, id_of,
                                             on_query, nothing,    nothing, nothing,  nothing};
    static const struct wf_range ranges[] = {{ring, sizeof ring, false}};
    static const struct wf_rx_config config = {rx_ring, sizeof rx_ring, 20, &hooks, ranges, 1};
    wf_rx_start(&config);
    wf_set_current(WF_OBJ_APP, ring);
}
#endif

#if SIZE_OF == 4
static uint8_t tasks[3], mutex;

static void schedule(void) {
    WF_TASK_CREATE(&tasks[level], level, "task");
    WF_OBJECT(mutex_create, &mutex);
    WF_TASK_READY(&tasks[level]);
    WF_TASK_SWITCH(&tasks[level], &tasks[1], WF_SWITCH_preempted);
    WF_BY_N(mutex_take, &mutex, &tasks[level], 1);
    WF_BY_N(mutex_give, &mutex, &tasks[level], 0);
#if WF_CFG_PART
    wf_part_name("idle", false);
    wf_part_task(&tasks[1], level);
    wf_part_priority(level, 3, true);
#endif
}
#endif

int main(void) {
    board_start();
#if SIZE_OF > 0 && WF_CFG_ON
#if WF_CFG_SLOTS
    static const struct wf_slots_config config = {ring,  sizeof ring, 1, WF_SLOTS_MIN,
                                                  false, 1000000,     0};
    wf_slots_start(&config);
#else
    static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000000};
    wf_start(&config);
#endif
#if SIZE_NAMES
    static uint32_t names[SIZE_NAMES / 4];
    wf_names_start(names, sizeof names, 0);
#endif
    wf_filter(WF_GRP_ALL);
#endif
#if SIZE_OF > 0 && SIZE_OF < 4
    WF_REC(sched_next, 1, level, 2);
#endif
#if SIZE_OF == 1
    WF_REC(active_post, 1, ring, 5, ring + 64, 1, 1, level, 2);
#elif SIZE_OF == 4
    wf_text_start(1000000);
    schedule();
#elif SIZE_OF > 1
    WF_RECORD(WF_USER, 0, WF_U32(0, value), WF_STR("eightchr"));
#endif
#if SIZE_OF == 3
    uint8_t byte = 0;
    start_commands();
    while (board_get(&byte)) wf_rx_put(byte);
    wf_rx_parse();
#else
    uint8_t byte = 0;
    while (board_get(&byte)) continue;
#endif
#if SIZE_OF > 0 && SIZE_READER && WF_CFG_SLOTS
    static struct wf_slots_reader reader;
    struct wf_slot slots[4];
    for (unsigned n; (n = wf_slots_read(&reader, 0, slots, 4, true)) != 0;) {
        const uint8_t *bytes = (const uint8_t *)slots;
        for (unsigned i = 0; i < n * sizeof *slots; ++i) {
            while (!board_put(bytes[i])) continue;
        }
    }
#elif SIZE_OF > 0 && SIZE_READER && WF_CFG_TEXT
    for (int out; (out = wf_text_get_byte()) >= 0;) {
        while (!board_put((uint8_t)out)) continue;
    }
#elif SIZE_OF > 0 && SIZE_READER == 2
    static struct wf_chunk_sender sender;
    static uint8_t buffer[256];
    const uint8_t *message;
    wf_chunk_open(&sender, value, buffer, sizeof buffer);
    for (uint32_t n; (n = wf_chunk_next(&sender, 0, &message)) != 0;) {
        for (uint32_t i = 0; i < n; ++i) {
            while (!board_put(message[i])) continue;
        }
        if (!wf_chunk_take_answer(&sender, ring, value)) wf_chunk_skip(&sender);
    }
#elif SIZE_OF > 0 && SIZE_READER
    for (int out; (out = wf_get_byte()) >= 0;) {
        while (!board_put((uint8_t)out)) continue;
    }
#else
    while (!board_put(byte)) continue;
#endif
    board_end(0);
    return 0;
}
