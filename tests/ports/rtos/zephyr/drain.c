// SPDX-License-Identifier: MIT
// The drain thread of Zephyr in a simulated kernel.

#include <zephyr/kernel.h>

#include "wf_zephyr_drain.h"

#define START(drain) (wf_zephyr_drain_start(drain), true)
#define DONE(drain)  wf_zephyr_drain_done_isr(drain)
static void run_task(void);
#include "drain_test.h"

static void (*thread_entry)(void *, void *, void *);
static void *thread_arg;

static void run_task(void) { thread_entry(thread_arg, NULL, NULL); }

k_tid_t k_thread_create(struct k_thread *thread, k_thread_stack_t *stack, size_t size,
                        void (*entry)(void *, void *, void *), void *p1, void *p2, void *p3,
                        int prio, uint32_t options, k_timeout_t delay) {
    CHECK(stack && size >= 512 && !p2 && !p3 && !options && delay.ticks == 0);
    CHECK(prio == K_LOWEST_APPLICATION_THREAD_PRIO);
    thread_entry = entry;
    thread_arg = p1;
    return thread;
}

int k_thread_name_set(k_tid_t thread, const char *name) {
    thread->name = name;
    return strcmp(name, "wf_drain");
}

int32_t k_msleep(int32_t ms) {
    sleeps((unsigned long)ms, 10);
    return 0;
}

int k_sem_init(struct k_sem *sem, unsigned int count, unsigned int limit) {
    *sem = (struct k_sem){count, limit};
    return 0;
}

int k_sem_take(struct k_sem *sem, k_timeout_t timeout) {
    CHECK(timeout.ticks < 0 && sem->count == 0);
    blocks();
    CHECK(sem->count-- == 1);
    return 0;
}

void k_sem_give(struct k_sem *sem) {
    if (sem->count < sem->limit) ++sem->count;
}
