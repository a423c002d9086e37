// SPDX-License-Identifier: MIT
// The kernel with its hooks. They follow the rules of docs/rtos.md: a wait is recorded before the
// switch that it causes, a give before the wake-up that it causes, and refusals and timeouts have
// records of their own.

#include "kernel.h"

#include <stddef.h>
#include <stdlib.h>

#include "wallfly/wf_rtos.h"

static struct {
    uint64_t now, end;
    uint32_t ticks;
    struct kernel_task *tasks[KERNEL_TASKS_MAX];
    unsigned count;
    struct kernel_task *running; // null: idle
    struct kernel_task *ready;   // by priority; of one priority, first come first
    ucontext_t idle;             // context of kernel_run, which runs when no task does
    void (*each_tick)(void);
} k;

uint64_t kernel_now(void) { return k.now; }
uint32_t kernel_ticks(void) { return k.ticks; }

// Inserts a task after those of its priority, or before them.
static void insert(struct kernel_task **list, struct kernel_task *t, bool in_front) {
    while (*list && ((*list)->prio < t->prio || (!in_front && (*list)->prio == t->prio)))
        list = &(*list)->next;
    t->next = *list;
    *list = t;
}

static void take_out(struct kernel_task **list, struct kernel_task *t) {
    while (*list != t) list = &(*list)->next;
    *list = t->next;
}

static void switch_to(struct kernel_task *to, enum wf_reason why) {
    struct kernel_task *from = k.running;
    k.now += KERNEL_SWITCH_US;
    WF_TASK_SWITCH(from, to, why);
    k.running = to;
    swapcontext(from ? &from->context : &k.idle, to ? &to->context : &k.idle);
}

// Runs the best task. The running task continues if it is as good, unless it yields.
static void schedule(enum wf_reason why) {
    struct kernel_task *from = k.running;
    bool gives_way = why == WF_SWITCH_yielded || why == WF_SWITCH_sliced;
    if (from && from->state == KERNEL_READY) {
        unsigned best = k.ready ? k.ready->prio : UINT8_MAX + 1u;
        if (best > from->prio || (best == from->prio && !gives_way)) return;
        insert(&k.ready, from, !gives_way);
    }
    struct kernel_task *to = k.ready;
    if (to) k.ready = to->next;
    if (to != from) switch_to(to, why);
}

static void make_ready(struct kernel_task *t) {
    t->state = KERNEL_READY;
    WF_TASK_READY(t);
    insert(&k.ready, t, false);
}

static void wait(struct kernel_mutex *mutex, uint32_t ticks, enum wf_reason why) {
    struct kernel_task *me = k.running;
    me->state = KERNEL_WAITING;
    me->mutex = mutex;
    me->timed = ticks != KERNEL_FOR_EVER;
    me->wake = k.ticks + ticks;
    schedule(why);
}

static void time_out(struct kernel_task *t) {
    if (t->mutex) {
        take_out(&t->mutex->waiters, t);
        WF_BY(mutex_timeout, t->mutex, t);
    }
    t->mutex = NULL;
    make_ready(t);
}

static void tick(void) {
    WF_IRQ_ENTER(KERNEL_TICK_IRQ, 1);
    ++k.ticks;
    for (unsigned i = 0; i < k.count; ++i) {
        struct kernel_task *t = k.tasks[i];
        if (t->state == KERNEL_WAITING && t->timed && t->wake == k.ticks) time_out(t);
    }
    k.now += KERNEL_TICK_WORK_US;
    WF_IRQ_EXIT(KERNEL_TICK_IRQ, 1);
    k.each_tick();
    bool turn = k.running && k.ready && k.ready->prio == k.running->prio;
    schedule(turn ? WF_SWITCH_sliced : WF_SWITCH_preempted);
}

// Lets time pass, with its ticks. The next tick is late if the kernel itself took the time.
static void spend(uint64_t us) {
    while (k.now < k.end) {
        uint64_t next = (uint64_t)(k.ticks + 1) * KERNEL_TICK_US;
        uint64_t until = next > k.now ? next - k.now : 0;
        if (us < until) {
            k.now += us;
            return;
        }
        us -= until;
        k.now += until;
        tick();
    }
    struct kernel_task *last = k.running;
    k.running = NULL;
    if (last) swapcontext(&last->context, &k.idle); // kernel_run ends
}

void kernel_work(uint32_t us) { spend(us); }

static void begin(void) {
    struct kernel_task *me = k.running;
    me->run();
    me->state = KERNEL_ENDED;
    WF_TASK_DELETE(me);
    schedule(WF_SWITCH_ended);
}

void kernel_create(struct kernel_task *task, const char *name, uint8_t prio, void (*run)(void)) {
    if (k.count == KERNEL_TASKS_MAX) abort();
    task->name = name;
    task->prio = prio;
    task->run = run;
    getcontext(&task->context);
    task->context.uc_stack.ss_sp = task->stack;
    task->context.uc_stack.ss_size = sizeof task->stack;
    makecontext(&task->context, begin, 0);
    k.tasks[k.count++] = task;
    WF_TASK_CREATE(task, prio, name);
    make_ready(task);
    if (k.running) schedule(WF_SWITCH_preempted);
}

void kernel_run(uint64_t us, void (*each_tick)(void)) {
    k.end = us;
    k.each_tick = each_tick;
    schedule(WF_SWITCH_unknown);
    while (k.now < k.end) spend(KERNEL_TICK_US);
}

void kernel_delay(uint32_t ticks) {
    if (ticks) wait(NULL, ticks, WF_SWITCH_delayed);
}

void kernel_delay_until(uint32_t *from, uint32_t period) {
    *from += period;
    if ((int32_t)(*from - k.ticks) > 0) kernel_delay(*from - k.ticks);
}

void kernel_yield(void) { schedule(WF_SWITCH_yielded); }

void kernel_mutex(struct kernel_mutex *mutex, const char *name) {
    *mutex = (struct kernel_mutex){NULL, 0, NULL};
    mutex->nest = 0;
    WF_OBJECT(mutex_create, mutex);
    WF_NAME(mutex, name);
}

bool kernel_get(struct kernel_mutex *mutex, uint32_t ticks) {
    struct kernel_task *me = k.running;
    if (!mutex->holder || mutex->holder == me) {
        mutex->holder = me;
        WF_BY_N(mutex_take, mutex, me, (uint8_t)++mutex->nest);
    } else if (!ticks) {
        WF_BY(mutex_refused, mutex, me);
    } else {
        WF_BY(mutex_wait, mutex, me);
        insert(&mutex->waiters, me, false);
        wait(mutex, ticks, WF_SWITCH_blocked);
    }
    return mutex->holder == me;
}

// The mutex passes to the first waiter at once, though that task may run later.
void kernel_put(struct kernel_mutex *mutex) {
    struct kernel_task *next = mutex->waiters;
    WF_BY_N(mutex_give, mutex, k.running, (uint8_t)--mutex->nest);
    if (mutex->nest) return;
    mutex->holder = next;
    if (!next) return;
    mutex->waiters = next->next;
    mutex->nest = 1;
    next->mutex = NULL;
    WF_BY_N(mutex_take, mutex, next, 1);
    make_ready(next);
    schedule(WF_SWITCH_preempted);
}
