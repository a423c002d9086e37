// SPDX-License-Identifier: MIT
// Random but realistic schedules for tests of comparisons: tasks with priorities, periodic and
// sporadic, of which some share a mutex, and an interrupt, on one core. Equal options and another
// seed are another run of the same program.
#ifndef WF_TEST_SCHEDULE_H
#define WF_TEST_SCHEDULE_H

#include <math.h>

#include "wf_test_model.h"

enum { SCHEDULE_TASKS = 8, SCHEDULE_MUTEX = 0x900, SCHEDULE_IRQ = 7 };

struct schedule {
    uint32_t seed;
    uint32_t ticks;                   // length, in microseconds
    double execution[SCHEDULE_TASKS]; // factors; 0: 1
    double period[SCHEDULE_TASKS];
    double phases;     // mean length of phases of high and low load, as part of the length; 0: none
    bool constant;     // execution times and periods do not vary
    bool sporadic_irq; // the interrupt is random nevertheless
    unsigned tasks;    // 0: all
    uint32_t lost;     // of 10,000 records
};

// Period and execution time in microseconds; every second task holds the mutex for a third of it.
// sporadic: the time between arrivals is random. vary: how much execution times do.
static const struct {
    uint32_t period, execution;
    bool sporadic, locks;
    double vary;
} schedule_tasks[SCHEDULE_TASKS] = {
    {1000, 60, false, false, 0.1},    {2000, 150, false, true, 0.2},
    {5000, 400, true, false, 0.3},    {5000, 300, false, true, 0.2},
    {10000, 900, false, false, 0.3},  {20000, 1500, true, true, 0.5},
    {20000, 1600, false, false, 0.1}, {50000, 4000, false, true, 0.3},
};

struct schedule_job {
    bool ready, waits, holds;
    uint32_t left, lock_at, unlock_at; // lock_at: time left at which the mutex is taken
    uint32_t next, due;                // arrival; without its jitter
};

struct schedule_run {
    const struct schedule *o;
    uint64_t random;
    uint32_t now, irq, phase_end;
    double load;
    int running, holder; // -1: none
    struct schedule_job job[SCHEDULE_TASKS];
    void (*put)(void *ctx, uint32_t now, const char *name, const uint64_t *values);
    void *ctx;
};

static inline double schedule_random(struct schedule_run *r) {
    r->random ^= r->random << 13;
    r->random ^= r->random >> 7;
    r->random ^= r->random << 17;
    return (double)(r->random >> 11) / 9007199254740992.0;
}

#define SCHEDULE_PUT(r, name, ...) (r)->put((r)->ctx, (r)->now, (name), (uint64_t[]){__VA_ARGS__})
static inline uint64_t schedule_key(int task) { return task < 0 ? 0 : 0x100 + 16 * (uint64_t)task; }

static inline double schedule_factor(const double *factors, unsigned task) {
    return factors[task] > 0 ? factors[task] : 1;
}

// Sets the next arrival. Periodic tasks are started by a timer, with a little jitter.
static inline void schedule_next(struct schedule_run *r, unsigned t) {
    struct schedule_job *j = &r->job[t];
    double period = schedule_tasks[t].period * schedule_factor(r->o->period, t);
    double jitter = r->o->constant ? 0 : period * 0.02 * schedule_random(r);
    if (schedule_tasks[t].sporadic && !r->o->constant)
        period *= (0.2 - 0.8 * log(1 - schedule_random(r))) / r->load;
    j->due += (uint32_t)period + 1;
    j->next = j->due + (uint32_t)jitter;
}

static inline void schedule_arrive(struct schedule_run *r, unsigned t) {
    struct schedule_job *j = &r->job[t];
    double vary = r->o->constant ? 0 : schedule_tasks[t].vary;
    double execution = schedule_tasks[t].execution * schedule_factor(r->o->execution, t);
    execution *= 1 + vary * (2 * schedule_random(r) - 1);
    if (schedule_tasks[t].sporadic) execution *= r->load;
    schedule_next(r, t);
    if (j->ready) return; // overrun: the arrival is missed
    j->ready = true;
    j->left = (uint32_t)execution + 1;
    j->lock_at = schedule_tasks[t].locks ? j->left * 2 / 3 : 0;
    j->unlock_at = j->left / 3;
    SCHEDULE_PUT(r, "task_ready", schedule_key((int)t), 0);
}

static inline int schedule_best(const struct schedule_run *r, unsigned tasks) {
    for (unsigned t = 0; t < tasks; ++t) {
        if (r->job[t].ready && !r->job[t].waits) return (int)t;
    }
    return -1;
}

static inline void schedule_switch(struct schedule_run *r, unsigned tasks, unsigned reason) {
    int best = schedule_best(r, tasks);
    if (best == r->running) return;
    SCHEDULE_PUT(r, "task_switch", schedule_key(best), r->running < 0 ? LEFT : reason, 0);
    r->running = best;
}

// The running task takes or gives the mutex, or its job ends.
static inline void schedule_step(struct schedule_run *r, unsigned tasks) {
    int t = r->running;
    struct schedule_job *j = &r->job[t];
    uint64_t key = schedule_key(t);
    if (j->lock_at && !j->holds && j->left == j->lock_at) {
        if (r->holder >= 0) {
            SCHEDULE_PUT(r, "mutex_wait", SCHEDULE_MUTEX, key);
            j->waits = true;
            schedule_switch(r, tasks, BLOCKED);
            return;
        }
        SCHEDULE_PUT(r, "mutex_take", SCHEDULE_MUTEX, key, 1);
        r->holder = t;
        j->holds = true;
    } else if (j->holds && j->left == j->unlock_at) {
        SCHEDULE_PUT(r, "mutex_give", SCHEDULE_MUTEX, key, 0);
        r->holder = -1;
        j->holds = false;
        j->lock_at = 0;
        for (unsigned w = 0; w < tasks; ++w) {
            if (!r->job[w].waits) continue;
            r->job[w].waits = false;
            SCHEDULE_PUT(r, "task_ready", schedule_key((int)w), 0);
        }
        schedule_switch(r, tasks, PREEMPTED);
    }
    if (j->left) return;
    j->ready = false;
    schedule_switch(r, tasks, DELAYED);
}

// How long the running task can go on before it does something.
static inline uint32_t schedule_left(const struct schedule_run *r) {
    const struct schedule_job *j = &r->job[r->running];
    if (j->lock_at && !j->holds) return j->left - j->lock_at;
    return j->holds ? j->left - j->unlock_at : j->left;
}

static inline void schedule_irq(struct schedule_run *r) {
    bool constant = r->o->constant && !r->o->sporadic_irq;
    SCHEDULE_PUT(r, "irq_enter", SCHEDULE_IRQ, 1, 0);
    r->now += constant ? 8 : 5 + (uint32_t)(6 * schedule_random(r));
    SCHEDULE_PUT(r, "irq_exit", SCHEDULE_IRQ, 1, 0);
    r->irq = r->now + (constant ? 700 : 1 + (uint32_t)(-700 * log(1 - schedule_random(r))));
}

static inline void schedule_phase(struct schedule_run *r) {
    if (!(r->o->phases > 0) || r->now < r->phase_end) return;
    r->load = r->load > 1 ? 0.6 : 1.4;
    double length = r->o->phases * r->o->ticks * (0.5 + schedule_random(r));
    r->phase_end = r->now + (uint32_t)length + 1;
}

static inline void schedule_begin(struct schedule_run *r, unsigned tasks) {
    r->random = 88172645463325252u ^ (uint64_t)r->o->seed * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 16; ++i) (void)schedule_random(r);
    r->running = r->holder = -1;
    r->load = schedule_random(r) < 0.5 ? 1.4 : 0.6;
    if (!(r->o->phases > 0)) r->load = 1;
    r->irq = 300;
    for (unsigned t = 0; t < tasks; ++t) {
        SCHEDULE_PUT(r, "task_create", schedule_key((int)t), t + 1);
        r->job[t].next = r->job[t].due = 100 * (t + 1);
    }
}

static inline void schedule_run(struct schedule_run *r) {
    unsigned tasks = r->o->tasks ? r->o->tasks : SCHEDULE_TASKS;
    schedule_begin(r, tasks);
    while (r->now < r->o->ticks) {
        schedule_phase(r);
        uint32_t next = r->irq;
        for (unsigned t = 0; t < tasks; ++t) next = r->job[t].next < next ? r->job[t].next : next;
        if (next < r->now) next = r->now;
        if (r->running >= 0 && r->now + schedule_left(r) <= next) {
            uint32_t ran = schedule_left(r);
            r->now += ran;
            r->job[r->running].left -= ran;
            schedule_step(r, tasks);
            continue;
        }
        if (r->running >= 0) r->job[r->running].left -= next - r->now;
        r->now = next;
        for (unsigned t = 0; t < tasks; ++t) {
            if (r->job[t].next <= r->now) schedule_arrive(r, t);
        }
        if (r->irq <= r->now) schedule_irq(r);
        schedule_switch(r, tasks, PREEMPTED);
    }
}

#endif
