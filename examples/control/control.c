// SPDX-License-Identifier: MIT
// A controller without a kernel, for a board (examples/boards): the firmware of docs/ci.md. A tick
// of 1 kHz makes three tasks ready, the main loop runs the best of them to its end, and sends the
// trace while none is ready. After RUN_MS it sends what is left and ends the emulator.

#include "board.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"
#include "wf_port.h"

#ifndef RUN_MS
#define RUN_MS 2000
#endif
#ifndef TAPS
#define TAPS 24 // of the filter: the execution time of `control`
#endif
#ifndef RING
#define RING 2048
#endif
enum { TICK_HZ = 1000, TICK_IRQ = 15, SAMPLES = 8, BLOCK = 16 };

int main(void);

struct task {
    const char *name;
    uint8_t prio; // 0 is the best
    uint8_t period_ms;
    void (*run)(void);
    volatile uint8_t due; // jobs that have arrived and not ended
};

static void sample(void);
static void control(void);
static void report(void);

// By priority.
static struct task tasks[] = {
    {"sample", 0, 1, sample, 0}, {"control", 1, 5, control, 0}, {"report", 2, 50, report, 0}};
enum { TASKS = sizeof tasks / sizeof *tasks };

static uint8_t ring[RING];
static volatile uint32_t now_ms;
static struct task *running; // null: idle
static uint32_t samples[SAMPLES];
static uint32_t sample_count; // in `samples`
static uint32_t history[TAPS], duty;
static const char filter_text[] = "filter"; // the host finds texts in the program

// ---- the tasks

static void sample(void) {
    static uint32_t sensor = 1;
    sensor = sensor * 1103515245u + 12345u;
    if (sample_count == SAMPLES) return;
    samples[sample_count++] = sensor >> 20;
    WF_BY_N(queue_send, samples, &tasks[0], sample_count);
}

static uint32_t filtered(uint32_t value) {
    uint32_t sum = value;
    for (unsigned i = TAPS - 1; i; --i) {
        history[i] = history[i - 1];
        sum += history[i] * i;
    }
    history[0] = value;
    return sum;
}

static void control(void) {
    WF_SPAN_BEGIN(&tasks[1], filter_text);
    for (unsigned i = 0; i < sample_count; ++i) duty = filtered(samples[i]) & 1023;
    WF_SPAN_END(&tasks[1], filter_text);
    sample_count = 0;
    WF_BY_N(queue_receive, samples, &tasks[1], 0);
    WF_COUNTER("duty", duty);
}

static void report(void) {
    WF_LOG("%u ms, duty %u", WF_U32(0, now_ms), WF_U32(0, duty));
    for (volatile unsigned i = 0; i < 400; ++i) { // a checksum of the program, say
    }
}

// ---- the scheduler

void board_tick(void) {
    WF_IRQ_ENTER(TICK_IRQ, 1);
    if (++now_ms == RUN_MS) board_tick_start(0);
    for (struct task *t = tasks; t < tasks + TASKS; ++t) {
        if (now_ms % t->period_ms) continue;
        if (!t->due++) WF_TASK_READY(t);
    }
    WF_IRQ_EXIT(TICK_IRQ, 1);
}

static struct task *best(void) {
    for (struct task *t = tasks; t < tasks + TASKS; ++t)
        if (t->due) return t;
    return NULL;
}

// Ends the job that ran and begins the next one. Jobs arrive in the tick only, which is held up.
// Two jobs of one task in sequence have a switch to idle between them.
static void schedule(void) {
    uint32_t was = wf_port_lock();
    struct task *ended = running;
    if (ended) --ended->due;
    struct task *next = best();
    if (next == ended) next = NULL;
    if (next != ended) WF_TASK_SWITCH(ended, next, ended ? WF_SWITCH_delayed : WF_SWITCH_unknown);
    if (ended && ended->due) WF_TASK_READY(ended);
    running = next;
    wf_port_unlock(was);
}

// Sends a part of the trace until a job is due. Returns false when all is sent.
static bool send(void) {
    const uint8_t *block;
    uint32_t len = wf_get_block(&block, BLOCK), sent = 0;
    while (sent < len && !best() && board_put(block[sent])) ++sent;
    wf_block_done(sent);
    return len != 0;
}

static void start(void) {
    static const struct wf_config config = {
        .ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ, .built = {0, 0, 12, 1, 1, 26}};
    board_start();
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    WF_TASK_SWITCH(NULL, NULL, WF_SWITCH_unknown); // idle, from the beginning
    for (struct task *t = tasks; t < tasks + TASKS; ++t) WF_TASK_CREATE(t, t->prio, t->name);
    WF_OBJECT_N(queue_create, samples, SAMPLES);
    WF_NAME(samples, "samples");
    WF_IRQ_NAME(TICK_IRQ, "SysTick");
    while (send()) {
    }
    board_tick_start(TICK_HZ);
}

int main(void) {
    start();
    for (bool more = true; more;) {
        more = now_ms < RUN_MS;
        schedule();
        if (running)
            running->run();
        else if (!send())
            continue;
        more = true;
    }
    board_end(0);
    return 0;
}
