// SPDX-License-Identifier: MIT
// The thread sleeps, sends, and sleeps again; it runs when only idle is ready.

#include "wf_zephyr_drain.h"

#include <zephyr/kernel.h>

#if WF_CFG_ON

static K_THREAD_STACK_DEFINE(drain_stack, CONFIG_WALLFLY_DRAIN_STACK);
static struct k_thread drain_thread;
static struct k_sem drain_done;

static void wait_for_done(struct wf_drain *drain) {
    (void)drain;
    k_sem_take(&drain_done, K_FOREVER);
}

static void run_drain(void *arg, void *p2, void *p3) {
    (void)p2, (void)p3;
    struct wf_drain *drain = arg;
    for (;;) {
        wfi_drain_pass(drain);
        k_msleep((int32_t)wfi_drain_period_ms(drain));
    }
}

void wf_zephyr_drain_start(struct wf_drain *drain) {
    drain->wait = wait_for_done;
    k_sem_init(&drain_done, 0, 1);
    k_thread_create(&drain_thread, drain_stack, K_THREAD_STACK_SIZEOF(drain_stack), run_drain,
                    drain, NULL, NULL, K_LOWEST_APPLICATION_THREAD_PRIO, 0, K_NO_WAIT);
    k_thread_name_set(&drain_thread, "wf_drain");
}

void wf_zephyr_drain_done_isr(struct wf_drain *drain) {
    (void)drain;
    k_sem_give(&drain_done);
}

#else
void wf_zephyr_drain_start(struct wf_drain *drain) { (void)drain; }
void wf_zephyr_drain_done_isr(struct wf_drain *drain) { (void)drain; }
#endif
