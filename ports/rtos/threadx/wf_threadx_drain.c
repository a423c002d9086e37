// SPDX-License-Identifier: MIT
// The thread sleeps, sends, and sleeps again; it runs when no other thread needs the CPU.

#include "tx_api.h"

#include "wf_threadx_drain.h"

#ifndef WF_THREADX_DRAIN_STACK
#define WF_THREADX_DRAIN_STACK 1024 // bytes
#endif
#ifdef TX_TIMER_TICKS_PER_SECOND
enum { WFI_TX_TICKS = TX_TIMER_TICKS_PER_SECOND };
#else
enum { WFI_TX_TICKS = 100 }; // as in ThreadX' ports
#endif

static TX_THREAD drain_thread;
static TX_SEMAPHORE drain_done;
static ULONG drain_stack[(WF_THREADX_DRAIN_STACK + sizeof(ULONG) - 1) / sizeof(ULONG)];
static struct wf_drain *drained;

static void wait_for_done(struct wf_drain *drain) {
    (void)drain;
    tx_semaphore_get(&drain_done, TX_WAIT_FOREVER);
}

static void run_drain(ULONG arg) {
    (void)arg; // has 32 bits, too few for a pointer on some hosts
    ULONG ticks = wfi_drain_period_ms(drained) * (ULONG)WFI_TX_TICKS / 1000u;
    if (!ticks) ticks = 1;
    for (;;) {
        wfi_drain_pass(drained);
        tx_thread_sleep(ticks);
    }
}

bool wf_threadx_drain_start(struct wf_drain *drain) {
    static char semaphore_name[] = "wf_drain_done", thread_name[] = "wf_drain";
    drain->wait = wait_for_done;
    drained = drain;
    return tx_semaphore_create(&drain_done, semaphore_name, 0) == TX_SUCCESS &&
           tx_thread_create(&drain_thread, thread_name, run_drain, 0, drain_stack,
                            sizeof drain_stack, TX_MAX_PRIORITIES - 1, TX_MAX_PRIORITIES - 1,
                            TX_NO_TIME_SLICE, TX_AUTO_START) == TX_SUCCESS;
}

void wf_threadx_drain_done_isr(struct wf_drain *drain) {
    (void)drain;
    tx_semaphore_put(&drain_done);
}
