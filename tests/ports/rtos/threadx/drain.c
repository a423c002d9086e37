// SPDX-License-Identifier: MIT
// The drain thread of ThreadX in a simulated kernel.

#include "tx_api.h"
#include "wf_threadx_drain.h"

#define START(drain) wf_threadx_drain_start(drain)
#define DONE(drain)  wf_threadx_drain_done_isr(drain)
static void run_task(void);
#include "drain_test.h"

static void (*thread_entry)(ULONG);
static ULONG thread_arg;

static void run_task(void) { thread_entry(thread_arg); }

UINT tx_thread_create(TX_THREAD *thread, char *name, void (*entry)(ULONG), ULONG arg, void *stack,
                      ULONG bytes, UINT prio, UINT threshold, ULONG slice, UINT start) {
    CHECK(thread && stack && bytes >= 512 && !strcmp(name, "wf_drain"));
    CHECK(prio == TX_MAX_PRIORITIES - 1 && threshold == prio);
    CHECK(slice == TX_NO_TIME_SLICE && start == TX_AUTO_START);
    thread_entry = entry;
    thread_arg = arg;
    return TX_SUCCESS;
}

UINT tx_thread_sleep(ULONG ticks) {
    sleeps(ticks, 1); // 10 ms at 100 ticks a second
    return TX_SUCCESS;
}

UINT tx_semaphore_create(TX_SEMAPHORE *semaphore, char *name, ULONG count) {
    semaphore->tx_semaphore_name = name;
    semaphore->tx_semaphore_count = count;
    return TX_SUCCESS;
}

UINT tx_semaphore_get(TX_SEMAPHORE *semaphore, ULONG ticks) {
    CHECK(ticks == TX_WAIT_FOREVER && semaphore->tx_semaphore_count == 0);
    blocks();
    CHECK(semaphore->tx_semaphore_count-- == 1);
    return TX_SUCCESS;
}

UINT tx_semaphore_put(TX_SEMAPHORE *semaphore) {
    ++semaphore->tx_semaphore_count;
    return TX_SUCCESS;
}
