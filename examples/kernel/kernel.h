// SPDX-License-Identifier: MIT
// A small preemptive kernel that runs in simulated time on a POSIX host: an example of a kernel
// with trace hooks, and a source of traces that are the same each time. One core; 0 is the best
// priority; a tick every 10 ms; tasks of one priority take turns, a tick each. Work, switches and
// the tick take the times given below, nothing else takes time. Use it from one thread only.
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

enum {
    KERNEL_TICK_US = 10000,
    KERNEL_SWITCH_US = 20,
    KERNEL_TICK_WORK_US = 40, // duration of the tick's interrupt
    KERNEL_TICK_IRQ = 15,     // its number
    KERNEL_TASKS_MAX = 16,
    KERNEL_STACK = 128 * 1024
};
#define KERNEL_FOR_EVER UINT32_MAX

enum kernel_state { KERNEL_READY, KERNEL_WAITING, KERNEL_ENDED };

struct kernel_mutex;

// Must be zeroed memory that stays valid.
struct kernel_task {
    const char *name;
    uint8_t prio;
    enum kernel_state state;
    bool timed; // WAITING: at most until the tick `wake`
    uint32_t wake;
    struct kernel_mutex *mutex; // WAITING: for this mutex; null: sleeps
    struct kernel_task *next;   // in the ready list, or in the list of a mutex' waiters
    void (*run)(void);
    ucontext_t context;
    uint8_t stack[KERNEL_STACK];
};

struct kernel_mutex {
    struct kernel_task *holder; // null: free
    unsigned nest;
    struct kernel_task *waiters; // by priority; of one priority, first come first
};

// Creates a ready task. Context: before kernel_run, or a task, which the new task may preempt at
// once.
void kernel_create(struct kernel_task *task, const char *name, uint8_t prio, void (*run)(void));
// Runs the tasks for `us` microseconds from time 0 on. each_tick is called once a tick, between
// tasks.
void kernel_run(uint64_t us, void (*each_tick)(void));

uint64_t kernel_now(void);   // microseconds
uint32_t kernel_ticks(void); // since the start

// Context: tasks only.
void kernel_work(uint32_t us); // computes; other tasks may preempt it
void kernel_delay(uint32_t ticks);
// Sleeps until the tick *from + period and stores that tick in *from; returns at once if it is
// past.
void kernel_delay_until(uint32_t *from, uint32_t period);
void kernel_yield(void);
// Waits for up to `ticks` ticks, 0: not at all. The holder may take it again. Returns whether it is
// held.
bool kernel_get(struct kernel_mutex *mutex, uint32_t ticks);
void kernel_put(struct kernel_mutex *mutex); // by the holder only
void kernel_mutex(struct kernel_mutex *mutex, const char *name);

#endif
