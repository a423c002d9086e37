// SPDX-License-Identifier: MIT
// A small preemptive kernel that runs in made-up time on a POSIX host, as an example of a kernel
// with trace hooks and for traces that are the same each time. One core; 0 is the best priority;
// a tick every 10 ms; tasks of one priority take turns, a tick each. Work, switches and the tick
// take the time they say, nothing else does. Not for threads.
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

enum {
    KERNEL_TICK_US = 10000,
    KERNEL_SWITCH_US = 20,
    KERNEL_TICK_WORK_US = 40, // of the tick's interrupt
    KERNEL_TICK_IRQ = 15,     // its number
    KERNEL_TASKS_MAX = 16,
    KERNEL_STACK = 128 * 1024
};
#define KERNEL_FOR_EVER UINT32_MAX

enum kernel_state { KERNEL_READY, KERNEL_WAITING, KERNEL_ENDED };

struct kernel_mutex;

// Zeroed memory that stays where it is.
struct kernel_task {
    const char *name;
    uint8_t prio;
    enum kernel_state state;
    bool timed; // WAITING: until the tick `wake` at most
    uint32_t wake;
    struct kernel_mutex *mutex; // WAITING: for it; null: sleeps
    struct kernel_task *next;   // in the ready list, or of those who wait for a mutex
    void (*run)(void);
    ucontext_t context;
    uint8_t stack[KERNEL_STACK];
};

struct kernel_mutex {
    struct kernel_task *holder; // null: free
    unsigned nest;
    struct kernel_task *waiters; // by priority, of one priority the first first
};

// Creates a task, ready. Before kernel_run or from a task, which it may preempt at once.
void kernel_create(struct kernel_task *task, const char *name, uint8_t prio, void (*run)(void));
// Runs the tasks for so long, from time 0 on. each_tick is called once a tick, between tasks.
void kernel_run(uint64_t us, void (*each_tick)(void));

uint64_t kernel_now(void);   // microseconds
uint32_t kernel_ticks(void); // since the start

// From tasks only:
void kernel_work(uint32_t us); // computes; others may come in between
void kernel_delay(uint32_t ticks);
// Sleeps until the tick *from + period, which becomes the new *from; not at all if that is over.
void kernel_delay_until(uint32_t *from, uint32_t period);
void kernel_yield(void);
// Waits for up to so many ticks, 0: not at all. May be taken again by its holder.
bool kernel_get(struct kernel_mutex *mutex, uint32_t ticks);
void kernel_put(struct kernel_mutex *mutex); // by its holder
void kernel_mutex(struct kernel_mutex *mutex, const char *name);

#endif
