// SPDX-License-Identifier: MIT
// A small preemptive kernel for one Cortex-M3: tasks with fixed priorities, delays in ticks,
// queues, mutexes with priority inheritance, semaphores and notifications. It exists to be traced:
// its records are at the places where ports/rtos/freertos makes them. Memory is the caller's, and
// nothing is deleted.
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stdint.h>

enum { KERNEL_TASKS = 8, KERNEL_HZ = 1000 };
#define KERNEL_FOREVER UINT32_MAX

enum task_state { TASK_READY, TASK_DELAYED, TASK_WAITS };

struct task {
    uint32_t *sp; // the first member: the assembler code of the switch accesses it
    const char *name;
    uint8_t prio;   // effective; a higher number is better
    uint8_t base;   // own
    uint8_t state;  // enum task_state
    bool timed;     // it becomes ready at tick `wake`
    bool timed_out; // its last wait ended by that
    bool sends;     // it waits for room in a queue
    uint32_t wake;
    const void *object; // that it waits for
    uint32_t notes;     // notifications that it has not taken
    uint32_t runs;      // switches to it
};

struct queue {
    uint32_t *items;
    uint32_t room, count, first;
};

struct mutex {
    struct task *owner;
};

struct semaphore {
    uint32_t count, most;
};

// Before kernel_start. Priorities must differ; the task of priority 0 never waits. words: the size
// of the stack.
void task_create(struct task *task, const char *name, unsigned prio, void (*code)(void),
                 uint32_t *stack, unsigned words);
void queue_create(struct queue *queue, const char *name, uint32_t *items, uint32_t room);
void mutex_create(struct mutex *mutex, const char *name);
void semaphore_create(struct semaphore *semaphore, const char *name, uint32_t most);

// Starts the tick and the tasks. Does not return.
void kernel_start(void);

// By tasks. ticks: how long to wait, 0: not at all, or KERNEL_FOREVER. They return false when
// nothing was done.
void task_delay_until(uint32_t *last, uint32_t period);
bool queue_send(struct queue *queue, uint32_t item, uint32_t ticks);
bool queue_receive(struct queue *queue, uint32_t *item, uint32_t ticks);
void mutex_take(struct mutex *mutex);
void mutex_give(struct mutex *mutex);
bool semaphore_take(struct semaphore *semaphore, uint32_t ticks);
void task_notify(struct task *task);
bool task_notified(uint32_t ticks); // takes all notifications of the caller

// By interrupts, between enter and exit. The exit switches tasks if that is due.
void kernel_irq_enter(void);
void kernel_irq_exit(void);
void semaphore_give_irq(struct semaphore *semaphore);

// The handler of an interrupt, by its number in IPSR. Before kernel_start.
void kernel_vector(unsigned number, void (*handler)(void));

uint32_t kernel_ticks(void);
const struct task *kernel_task(unsigned i); // in the order of creation; null: no more

// ---- for objects.c; the caller holds the lock, except in kernel_lock

uint32_t kernel_lock(void);
void kernel_unlock(uint32_t was);
struct task *kernel_running(void);

// Waits for an object; the switch takes place here. until: the tick that ends the wait, if timed.
void kernel_wait(const void *object, bool sends, bool timed, uint32_t until);

// Makes the best task ready that waits for the object, and switches if it is better.
void kernel_wake(const void *object, bool sends);

#endif
