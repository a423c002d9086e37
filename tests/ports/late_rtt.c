// SPDX-License-Identifier: MIT
// A program on a board whose debug probe only reads the RTT up buffer: it announces a name of each
// kind once, keeps them in a table, and records in an interrupt. After each 10 ms of its clock it
// stops until the probe (late_rtt.py) has read, so that all runs are the same. LOAD: groups of
// records a second; TABLE: bytes of the name table, 0: none.

#include "board.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"
#include "wf_port.h"
#include "wf_rtt.h"
#include "wf_semihosting.h"

#ifndef LOAD
#define LOAD 20
#endif
#ifndef TABLE
#define TABLE 1024
#endif

enum { TICK_HZ = 1000, TICKS_A_TURN = 10, STEP = WF_USER, COLOR = 0, RED = 3, PRESSED = 30 };
enum { TIMER_IRQ = 15 };

int main(void);

// PSRAM, which the emulator shares with the probe.
struct shared {
    struct wf_rtt rtt;
    uint8_t up[512], down[32];
};
static struct shared *const shared = (struct shared *)0x21000000u;

static uint8_t ring[1024];
static uint32_t names[TABLE / 4 + 1];
static struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ};
static uint8_t task_idle, task_main, a_mutex, a_sema, a_queue, a_flags, a_cond, a_timer, a_heap;
static uint8_t an_object, of_arm[3], with_signal;
static volatile uint32_t ticks, due;
static bool came_down;

static void on_button(void) {}

static void record_group(void) {
    static unsigned nest;
    WF_IRQ_ENTER(TIMER_IRQ, 1);
    WF_TASK_SWITCH(&task_idle, &task_main, WF_SWITCH_unknown);
    WF_BY_N(mutex_take, &a_mutex, &task_main, 1);
    WF_BY_N(sema_give, &a_sema, &task_main, ++nest % 8);
    WF_RECORD(STEP, 0, WF_OBJ(&an_object), WF_FUNC(on_button), WF_SIG(PRESSED, &with_signal));
    WF_BY_N(mutex_give, &a_mutex, &task_main, 0);
    WF_TASK_SWITCH(&task_main, &task_idle, WF_SWITCH_unknown);
    WF_IRQ_EXIT(TIMER_IRQ, 1);
}

void board_tick(void) {
    for (due += LOAD; due >= TICK_HZ; due -= TICK_HZ) record_group();
    ++ticks;
}

static void announce(void) {
    WF_USR_DICTIONARY(STEP);
    WF_ENUM_DICTIONARY(RED, COLOR);
    WF_FUN_DICTIONARY(on_button);
    WF_SIG_DICTIONARY(PRESSED, &with_signal);
    WF_OBJ_DICTIONARY(&an_object);
    for (unsigned i = 0; i < 3; ++i) WF_OBJ_ARR_DICTIONARY(&of_arm[i], i);
    WF_IRQ_NAME(TIMER_IRQ, "SysTick");
    WF_TASK_CREATE(&task_idle, 0, "idle_task");
    WF_TASK_CREATE(&task_main, 1, "main_task");
    WF_OBJECT(mutex_create, &a_mutex);
    WF_NAME(&a_mutex, "the_mutex");
    WF_OBJECT_N(sema_create, &a_sema, 8);
    WF_NAME(&a_sema, "the_sema");
    WF_OBJECT_N(queue_create, &a_queue, 4);
    WF_NAME(&a_queue, "the_queue");
    WF_OBJECT(flags_create, &a_flags);
    WF_NAME(&a_flags, "the_flags");
    WF_OBJECT(cond_create, &a_cond);
    WF_NAME(&a_cond, "the_cond");
    WF_OBJECT_N(timer_create, &a_timer, 10);
    WF_NAME(&a_timer, "the_timer");
    WF_OBJECT_N(heap_create, &a_heap, 4096);
    WF_NAME(&a_heap, "the_heap");
}

static bool rx(uint8_t byte) {
    (void)byte;
    came_down = true;
    return true;
}

// Lets the probe run. Returns false when it has finished.
static bool give_turn(struct wf_semihosting *host) {
    uint8_t byte = 1;
    return wf_semihosting_transport.write(host, &byte, 1) == 1 &&
           wf_semihosting_transport.read(host, &byte, 1) == 1 && byte == 1;
}

int main(void) {
    struct wf_semihosting host;
    struct wf_names_status status;
    board_start();
    wf_start(&config);
    bool good = !TABLE || wf_names_start(names, TABLE, 0);
    wf_filter(WF_GRP_ALL);
    announce();
    wf_rtt_init(&shared->rtt, "wallfly", shared->up, sizeof shared->up, shared->down,
                sizeof shared->down);
    good = good && wf_semihosting_open(&host, "to_probe") == 0 &&
           wf_semihosting_open_input(&host, "to_target") == 0;
    board_tick_start(TICK_HZ);
    for (uint32_t behind = 0; good;) {
        wf_rtt_poll(&shared->rtt, rx);
        if (ticks - behind < TICKS_A_TURN) continue;
        behind += TICKS_A_TURN;
        if (!give_turn(&host)) break;
    }
    board_tick_start(0);
    wf_names_get_status(&status);
    board_end(!good || came_down || status.refused != 0 || (TABLE && status.names != 18));
    return 0;
}
