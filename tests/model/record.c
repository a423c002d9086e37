// SPDX-License-Identifier: MIT
// Records the events of the simulated kernel with the macros that ports use.

#include "record.h"

#include <stdio.h>
#include <string.h>

#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"

uint64_t test_now;
uint8_t test_core;

static const void *task_at(int t) { return (const void *)(uintptr_t)task_key(t); }
static const void *object_at(int o) { return (const void *)(uintptr_t)object_key(o); }

void task_name(char name[32], int t, unsigned life) {
    snprintf(name, 32, "task%d.%u", t, life % 100000);
}

static void record_task(const struct kernel *k, enum k_event event, int t, int o, unsigned n) {
    char name[32];
    int runs = k->truth.core[k->core].task; // the task after the switch; `from` is not compared
    task_name(name, t, t < 0 ? 0 : k->truth.task[t].life);
    switch (event) {
    case K_TASK_CREATE: WF_TASK_CREATE(task_at(t), n, name); break;
    case K_TASK_PRIORITY: WF_TASK_PRIORITY(task_at(t), n); break;
    case K_TASK_SUSPEND: WF_TASK_SUSPEND(task_at(t)); break;
    case K_TASK_DELETE: WF_TASK_DELETE(task_at(t)); break;
    case K_TASK_READY: WF_TASK_READY(task_at(t)); break;
    case K_TASK_SWITCH: WF_TASK_SWITCH(task_at(runs), task_at(t), n); break;
    case K_IRQ_ENTER: WF_IRQ_ENTER(n, o); break;
    case K_IRQ_EXIT: WF_IRQ_EXIT(n, o); break;
    case K_SPAN: WF_SPAN_BEGIN(task_at(t), (void *)(uintptr_t)n); break;
    default: WF_SPAN_END(task_at(t), (void *)(uintptr_t)n); break;
    }
}

static void record_mutex(enum k_event event, const void *o, const void *t, unsigned n) {
    switch (event) {
    case K_CREATE: WF_OBJECT(mutex_create, o); break;
    case K_DELETE: WF_OBJECT(mutex_delete, o); break;
    case K_TAKE: WF_BY_N(mutex_take, o, t, (uint8_t)n); break;
    case K_WAIT: WF_BY(mutex_wait, o, t); break;
    case K_TIMEOUT: WF_BY(mutex_timeout, o, t); break;
    case K_REFUSED: WF_BY(mutex_refused, o, t); break;
    default: WF_BY_N(mutex_give, o, t, (uint8_t)n); break;
    }
}

static void record_semaphore(enum k_event event, const void *o, const void *t, unsigned n) {
    switch (event) {
    case K_CREATE: WF_OBJECT_N(sema_create, o, n); break;
    case K_DELETE: WF_OBJECT(sema_delete, o); break;
    case K_TAKE: WF_BY_N(sema_take, o, t, n); break;
    case K_WAIT: WF_BY(sema_wait, o, t); break;
    case K_TIMEOUT: WF_BY(sema_timeout, o, t); break;
    case K_REFUSED: WF_BY(sema_refused, o, t); break;
    default: WF_BY_N(sema_give, o, t, n); break;
    }
}

static void record_queue(enum k_event event, const void *o, const void *t, unsigned n) {
    switch (event) {
    case K_CREATE: WF_OBJECT_N(queue_create, o, n); break;
    case K_DELETE: WF_OBJECT(queue_delete, o); break;
    case K_TAKE: WF_BY_N(queue_receive, o, t, n); break;
    case K_WAIT: WF_BY(queue_receive_wait, o, t); break;
    case K_TIMEOUT: WF_BY(queue_timeout, o, t); break;
    case K_REFUSED: WF_BY(queue_receive_refused, o, t); break;
    case K_GIVE_WAIT: WF_BY(queue_send_wait, o, t); break;
    case K_GIVE_REFUSED: WF_BY(queue_send_refused, o, t); break;
    default: WF_BY_N(queue_send, o, t, n); break;
    }
}

static void record_flags(enum k_event event, const void *o, const void *t, unsigned n) {
    switch (event) {
    case K_CREATE: WF_OBJECT(flags_create, o); break;
    case K_DELETE: WF_OBJECT(flags_delete, o); break;
    case K_TAKE: WF_BY_N(flags_take, o, t, n); break;
    case K_WAIT: WF_BY_N(flags_wait, o, t, n); break;
    case K_TIMEOUT: WF_BY(flags_timeout, o, t); break;
    case K_REFUSED: WF_BY_N(flags_refused, o, t, n); break;
    case K_CLEAR: WF_BY_N(flags_clear, o, t, n); break;
    default: WF_BY_N(flags_give, o, t, n); break;
    }
}

static void record_condition(enum k_event event, const void *o, const void *t, unsigned n) {
    switch (event) {
    case K_CREATE: WF_OBJECT(cond_create, o); break;
    case K_TAKE: WF_BY(cond_take, o, t); break;
    case K_WAIT: WF_BY(cond_wait, o, t); break;
    case K_GIVE: WF_BY_N(cond_give, o, t, n); break;
    default: record_flags(event, o, t, n); break; // without a record of its own
    }
}

static void record_timer(enum k_event event, const void *o, const void *t, unsigned n) {
    switch (event) {
    case K_CREATE: WF_OBJECT_N(timer_create, o, n); break;
    case K_DELETE: WF_OBJECT(timer_delete, o); break;
    case K_ALARM_START: WF_BY_N(timer_start, o, t, n); break;
    case K_ALARM_STOP: WF_BY(timer_stop, o, t); break;
    default: WF_OBJECT(timer_expire, o); break;
    }
}

void record_event(const struct kernel *k, uint64_t now, enum k_event event, int task, int object,
                  unsigned number) {
    test_now = now;
    test_core = (uint8_t)k->core;
    if (event < K_CREATE || event >= K_SPAN) {
        record_task(k, event, task, object, number);
        return;
    }
    const struct k_truth_object *is = &k->truth.object[object];
    const void *o = object_at(object), *t = task_at(task);
    switch (is->kind) {
    case WF_OBJECT_MUTEX: record_mutex(event, o, t, number); break;
    case WF_OBJECT_SEMAPHORE: record_semaphore(event, o, t, number); break;
    case WF_OBJECT_QUEUE: record_queue(event, o, t, number); break;
    case WF_OBJECT_TIMER: record_timer(event, o, t, number); break;
    default:
        if (is->condition)
            record_condition(event, o, t, number);
        else
            record_flags(event, o, t, number);
    }
}

void record_switches(bool on) {
    wf_filter(on ? WF_ID_task_switch : -(int)WF_ID_task_switch);
    wf_filter(on ? WF_ID_task_ready : -(int)WF_ID_task_ready);
}

#if WF_CFG_SLOTS
static struct wf_slots_reader readers[K_CORES];
static uint8_t memory[WF_SLOTS_SIZE(K_CORES, 1 << 15)] __attribute__((aligned(64)));

void record_start(unsigned cores, unsigned size, uint64_t now) {
    struct wf_slots_config config = {memory, sizeof memory, cores, size, false, 1000000, 0};
    memset(readers, 0, sizeof readers);
    test_now = now;
    test_core = 0;
    if (!wf_slots_start(&config)) fprintf(stderr, "cannot start\n");
    wf_filter(WF_GRP_ALL);
}

unsigned record_header(char *to) { return wf_slots_header(to); }

unsigned record_drain(uint8_t *to, unsigned cap, unsigned core, bool end) {
    struct wf_slot slots[64];
    unsigned max = cap / sizeof *slots < 64 ? cap / (unsigned)sizeof *slots : 64;
    unsigned n = wf_slots_read(&readers[core], core, slots, max, end);
    memcpy(to, slots, n * sizeof *slots);
    return n * (unsigned)sizeof *slots;
}
#else
static uint8_t ring[1 << 16];

void record_start(unsigned cores, unsigned size, uint64_t now) {
    static struct wf_config config;
    (void)cores;
    config = (struct wf_config){
        .ring = ring, .ring_size = size, .hz = 1000000, .built = {7, 8, 9, 3, 2, 24}};
    test_now = now;
    test_core = 0;
    if (size > sizeof ring || !wf_start(&config)) fprintf(stderr, "cannot start\n");
    wf_filter(WF_GRP_ALL);
}

unsigned record_header(char *to) {
    *to = 0;
    return 0;
}

unsigned record_drain(uint8_t *to, unsigned cap, unsigned core, bool end) {
    unsigned n = 0;
    (void)core;
    (void)end;
    for (int b; n < cap && (b = wf_get_byte()) >= 0;) to[n++] = (uint8_t)b;
    return n;
}
#endif
