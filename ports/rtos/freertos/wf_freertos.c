// SPDX-License-Identifier: MIT
// Makes the records of the hooks of wf_freertos.h, and keeps the state that they need: the task
// that runs on each core, and why it may be about to leave. The kernel calls all but
// wf_freertos_start.

#include "FreeRTOS.h" // for the number of cores
#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"
#include "wf_freertos.h"
#include "wf_port.h"

#if WF_CFG_ON
#include "wf_freertos_table.h"

#if defined configNUMBER_OF_CORES
enum { WFI_CORES = configNUMBER_OF_CORES };
#elif defined configNUM_CORES
enum { WFI_CORES = configNUM_CORES };
#else
enum { WFI_CORES = 1 };
#endif

enum { // commands to the timer task, as in timers.h
    WFI_TIMER_STOP = 3,
    WFI_TIMER_CHANGE_PERIOD = 4,
    WFI_TIMER_DELETE = 5,
    WFI_TIMER_STOP_FROM_ISR = 8,
    WFI_TIMER_CHANGE_PERIOD_FROM_ISR = 9
};

static struct core {
    const void *task; // that runs; null before the first. FreeRTOS' own is set before it runs
    unsigned prio;    // of the task that is being switched out
    uint8_t why;      // reason why it may leave, if it is not ready then
    bool ready;       // it is still ready
    bool ticked;      // a tick came, and the task has made no call since
    bool waited;      // it has begun to wait, and the end of the wait is not known yet
    bool stream;      // it waits for a stream buffer, by a notification
    bool irq_sent;    // an interrupt was the last sender to a queue
    uint8_t irqs;     // nesting depth
} cores[WFI_CORES];

static const char heap = 0; // its address stands for the heap

static struct core *here(void) { return &cores[WFI_CORES > 1 ? wf_port_core() : 0]; }

// Returns the running task's state, in a call of that task during which it cannot be switched out.
static struct core take_state(bool wait_ends) {
    uint32_t was = wf_port_lock();
    struct core *c = here(), copy = *c;
    c->ticked = false;
    if (wait_ends) c->waited = c->stream = false;
    wf_port_unlock(was);
    return copy;
}
static struct core mine(void) { return take_state(false); }
static struct core mine_at_end(void) { return take_state(true); }

static const void *waits(bool stream) {
    uint32_t was = wf_port_lock();
    struct core *c = here();
    const void *task = c->task;
    c->why = WF_SWITCH_blocked;
    c->waited = true;
    c->stream = stream;
    wf_port_unlock(was);
    return task;
}

static struct core *core_of(const void *task) {
    for (struct core *c = cores; c < cores + WFI_CORES; ++c) {
        if (c->task == task) return c;
    }
    return NULL;
}

static void leaves(const void *task, unsigned why) {
    struct core *c = core_of(task);
    if (c) c->why = (uint8_t)why;
}

void wf_freertos_start(void) { WF_NAME(&heap, "heap"); }

// ---- tasks

void wf_freertos_create(const void *task, unsigned prio, const char *name) {
    WF_TASK_CREATE(task, prio, name);
}

void wf_freertos_delete(const void *task) {
    leaves(task, WF_SWITCH_ended);
    if (!core_of(task)) forget(task); // else it is done after the switch
    WF_TASK_DELETE(task);
}

void wf_freertos_suspend(const void *task) {
    leaves(task, WF_SWITCH_suspended);
    WF_TASK_SUSPEND(task);
}

void wf_freertos_priority(const void *task, unsigned prio) { WF_TASK_PRIORITY(task, prio); }

// A change of priority moves tasks between ready lists; that is not recorded.
unsigned wf_freertos_ready(const void *task, unsigned memory) {
    if ((memory & WF_FREERTOS_AWAY) && !core_of(task)) WF_TASK_READY(task);
    return memory & ~(unsigned)WF_FREERTOS_AWAY;
}

void wf_freertos_delayed(void) { here()->why = WF_SWITCH_delayed; }

// Offset of a queue's list of tasks that wait for a message: the private type is known only to the
// hooks of queue.c, the list only to that of tasks.c.
static uintptr_t receivers_at;

void wf_freertos_receivers_at(const void *queue, const void *receivers) {
    receivers_at = (uintptr_t)receivers - (uintptr_t)queue;
}

void wf_freertos_delayed_until(const void *receivers) {
    if (receivers)
        wf_freertos_wait(WF_FREERTOS_QUEUE, (const void *)((uintptr_t)receivers - receivers_at),
                         false);
    else
        wf_freertos_delayed();
}

unsigned wf_freertos_out(unsigned prio, bool ready) {
    struct core *c = here();
    c->prio = prio;
    c->ready = ready;
    return (ready ? 0u : WF_FREERTOS_AWAY) | (c->waited ? WF_FREERTOS_WAITED : 0u) |
           (c->stream ? WF_FREERTOS_STREAM : 0u);
}

// A task that is not ready was removed for the reason `why`, or by a call without a hook. A task
// that is ready, although it was about to leave, was made ready again before the switch.
static unsigned why_left(const struct core *c, unsigned next_prio, bool slices) {
    if (!c->task) return WF_SWITCH_unknown;
    if (!c->ready) return c->why ? c->why : WF_SWITCH_blocked;
    if (next_prio != c->prio) return WF_SWITCH_preempted;
    return c->ticked && slices ? WF_SWITCH_sliced : WF_SWITCH_yielded;
}

void wf_freertos_in(const void *task, unsigned prio, unsigned memory, bool slices) {
    struct core *c = here();
    if (task != c->task) {
        unsigned why = why_left(c, prio, slices);
        const void *from = c->task;
        c->task = task;
        if (why == WF_SWITCH_ended) forget(from);
        WF_TASK_SWITCH(from, task, why);
    }
    c->waited = (memory & WF_FREERTOS_WAITED) != 0;
    c->stream = (memory & WF_FREERTOS_STREAM) != 0;
    c->why = 0;
    c->ticked = false;
}

void wf_freertos_tick(void) {
    for (struct core *c = cores; c < cores + WFI_CORES; ++c) c->ticked = true;
}

void wf_freertos_tick_done(bool switches) { here()->ticked = switches; }

void wf_freertos_irq_enter(unsigned irq) {
    uint8_t nest = ++here()->irqs;
    WF_IRQ_ENTER(irq, nest);
}

void wf_freertos_irq_exit(unsigned irq) {
    struct core *c = here();
    uint8_t nest = c->irqs;
    if (nest) c->irqs = (uint8_t)(nest - 1);
    WF_IRQ_EXIT(irq, nest); // 0: there was no enter
}

// ---- queues, semaphores, mutexes

void wf_freertos_made(enum wf_freertos_kind kind, const void *obj, uint32_t count) {
    if (kind == WF_FREERTOS_MUTEX)
        WF_OBJECT(mutex_create, obj);
    else if (kind == WF_FREERTOS_SEMAPHORE)
        WF_OBJECT_N(sema_create, obj, count);
    else
        WF_OBJECT_N(queue_create, obj, count);
}

void wf_freertos_gone(enum wf_freertos_kind kind, const void *obj) {
    if (kind == WF_FREERTOS_MUTEX)
        WF_OBJECT(mutex_delete, obj);
    else if (kind == WF_FREERTOS_SEMAPHORE)
        WF_OBJECT(sema_delete, obj);
    else
        WF_OBJECT(queue_delete, obj);
}

void wf_freertos_named(const void *obj, const char *name) { WF_NAME(obj, name); }

void wf_freertos_wait(enum wf_freertos_kind kind, const void *obj, bool send) {
    const void *task = waits(false);
    if (kind == WF_FREERTOS_MUTEX)
        WF_BY(mutex_wait, obj, task);
    else if (kind == WF_FREERTOS_SEMAPHORE)
        WF_BY(sema_wait, obj, task);
    else if (send)
        WF_BY(queue_send_wait, obj, task);
    else
        WF_BY(queue_receive_wait, obj, task);
}

static void timed_out(enum wf_freertos_kind kind, const void *obj, const void *task) {
    if (kind == WF_FREERTOS_MUTEX)
        WF_BY(mutex_timeout, obj, task);
    else if (kind == WF_FREERTOS_SEMAPHORE)
        WF_BY(sema_timeout, obj, task);
    else
        WF_BY(queue_timeout, obj, task);
}

// A give that is refused, to a full semaphore or a free mutex, has no record.
static void refused(enum wf_freertos_kind kind, const void *obj, const void *task, bool send) {
    if (kind == WF_FREERTOS_QUEUE && send)
        WF_BY(queue_send_refused, obj, task);
    else if (kind == WF_FREERTOS_QUEUE)
        WF_BY(queue_receive_refused, obj, task);
    else if (kind == WF_FREERTOS_MUTEX && !send)
        WF_BY(mutex_refused, obj, task);
    else if (kind == WF_FREERTOS_SEMAPHORE && !send)
        WF_BY(sema_refused, obj, task);
}

void wf_freertos_failed(enum wf_freertos_kind kind, const void *obj, bool send) {
    struct core me = mine_at_end();
    if (me.waited)
        timed_out(kind, obj, me.task);
    else
        refused(kind, obj, me.task, send);
}

static void got(enum wf_freertos_kind kind, const void *obj, const void *task, uint32_t count) {
    if (kind == WF_FREERTOS_MUTEX)
        WF_BY_N(mutex_take, obj, task, 1);
    else if (kind == WF_FREERTOS_SEMAPHORE)
        WF_BY_N(sema_take, obj, task, count);
    else
        WF_BY_N(queue_receive, obj, task, count);
}

static void gave(enum wf_freertos_kind kind, const void *obj, const void *task, uint32_t count) {
    if (kind == WF_FREERTOS_MUTEX)
        WF_BY_N(mutex_give, obj, task, 0);
    else if (kind == WF_FREERTOS_SEMAPHORE)
        WF_BY_N(sema_give, obj, task, count);
    else
        WF_BY_N(queue_send, obj, task, count);
}

void wf_freertos_got(enum wf_freertos_kind kind, const void *obj, uint32_t count) {
    got(kind, obj, mine_at_end().task, count);
}

void wf_freertos_gave(enum wf_freertos_kind kind, const void *obj, uint32_t count) {
    here()->irq_sent = false;
    gave(kind, obj, mine_at_end().task, count);
}

void wf_freertos_irq_failed(enum wf_freertos_kind kind, const void *obj, bool send) {
    refused(kind, obj, NULL, send);
}

void wf_freertos_irq_got(enum wf_freertos_kind kind, const void *obj, uint32_t count) {
    got(kind, obj, NULL, count);
}

void wf_freertos_irq_gave(enum wf_freertos_kind kind, const void *obj, uint32_t count) {
    here()->irq_sent = true;
    gave(kind, obj, NULL, count);
}

// A queue set gets a message from the sender that its member got one from.
void wf_freertos_set_gave(const void *obj, uint32_t count) {
    const struct core *c = here();
    gave(WF_FREERTOS_QUEUE, obj, c->irq_sent ? NULL : c->task, count);
}

void wf_freertos_nest(const void *mutex, unsigned nest, bool give) {
    const void *task = mine().task;
    if (give)
        WF_BY_N(mutex_give, mutex, task, (uint8_t)nest);
    else
        WF_BY_N(mutex_take, mutex, task, (uint8_t)nest);
}

// ---- notifications. Stream buffers wake tasks by them; for those only the stream is recorded.

void wf_freertos_stream_wait(const void *stream, bool send) {
    wf_freertos_wait(WF_FREERTOS_QUEUE, stream, send);
    waits(true);
}

// A task's first notification has the task as its object, the others the address of their value.
const void *wf_freertos_note(const void *task, const volatile uint32_t *values, unsigned at) {
    return at ? (const void *)(uintptr_t)(values + at) : task;
}

void wf_freertos_note_wait(const void *note) {
    if (mine().stream) {
        here()->why = WF_SWITCH_blocked;
        return;
    }
    wf_freertos_wait(WF_FREERTOS_SEMAPHORE, note, false);
}

void wf_freertos_note_end(const void *note, bool got_it, uint32_t count) {
    if (mine().stream) return;
    if (got_it)
        wf_freertos_got(WF_FREERTOS_SEMAPHORE, note, count);
    else
        wf_freertos_failed(WF_FREERTOS_SEMAPHORE, note, false);
}

void wf_freertos_note_give(const void *note, unsigned memory, bool irq, uint32_t count) {
    if (memory & WF_FREERTOS_STREAM) return;
    gave(WF_FREERTOS_SEMAPHORE, note, irq ? NULL : mine().task, count);
}

// ---- event groups

void wf_freertos_flags_made(const void *group) { WF_OBJECT(flags_create, group); }
void wf_freertos_flags_gone(const void *group) { WF_OBJECT(flags_delete, group); }

void wf_freertos_flags_wait(const void *group, uint32_t bits) {
    const void *task = waits(false);
    WF_BY_N(flags_wait, group, task, bits);
}

void wf_freertos_flags_end(const void *group, uint32_t bits, bool got_them) {
    struct core me = mine_at_end();
    if (got_them)
        WF_BY_N(flags_take, group, me.task, bits);
    else if (me.waited)
        WF_BY(flags_timeout, group, me.task);
    else
        WF_BY_N(flags_refused, group, me.task, bits);
}

void wf_freertos_flags_set(const void *group, uint32_t bits) {
    const void *task = mine().task;
    WF_BY_N(flags_give, group, task, bits);
}

void wf_freertos_flags_clear(const void *group, uint32_t bits) {
    const void *task = mine().task;
    WF_BY_N(flags_clear, group, task, bits);
}

// ---- timers, memory

void wf_freertos_timer_made(const void *timer, uint32_t period, const char *name) {
    WF_OBJECT_N(timer_create, timer, period);
    WF_NAME(timer, name);
}

void wf_freertos_timer_command(const void *timer, int command, uint32_t value, uint32_t period) {
    const void *task = mine().task;
    switch (command) {
    case WFI_TIMER_DELETE: WF_OBJECT(timer_delete, timer); break;
    case WFI_TIMER_CHANGE_PERIOD:
    case WFI_TIMER_CHANGE_PERIOD_FROM_ISR: WF_BY_N(timer_start, timer, task, value); break;
    case WFI_TIMER_STOP:
    case WFI_TIMER_STOP_FROM_ISR: WF_BY(timer_stop, timer, task); break;
    default: WF_BY_N(timer_start, timer, task, period); // start, reset
    }
}

void wf_freertos_timer_expired(const void *timer) { WF_OBJECT(timer_expire, timer); }

void wf_freertos_heap_low(uint32_t least_free) { WF_HEAP_LOW(&heap, least_free); }

void wf_freertos_malloc(const void *block, uint32_t bytes) {
    const void *task = mine().task;
    if (block)
        WF_BY_BLOCK(heap_alloc, &heap, task, block, bytes);
    else
        WF_BY_N(heap_refused, &heap, task, bytes);
}

void wf_freertos_free(const void *block, uint32_t bytes) {
    const void *task = mine().task;
    WF_BY_BLOCK(heap_free, &heap, task, block, bytes);
}

#else
void wf_freertos_start(void) {}
#endif
