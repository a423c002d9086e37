// SPDX-License-Identifier: MIT
// Zephyr's user tracing in a simulated schedule: the functions that the port overrides.

#include <errno.h>
#include <zephyr/kernel.h>

#include "run.h"
#include "wallfly/wf_rtos.h"

static struct k_thread *current;
static bool in_isr;
static struct k_thread low = {{5}, "low"}, high = {{-1}, "high"};
static struct k_mutex mutex;
static struct k_sem sem = {1, 1};
static struct k_msgq msgq = {1, 0};
static const k_timeout_t forever = {-1};

bool k_is_in_isr(void) { return in_isr; }
struct k_thread *k_current_get(void) {
    return current;
}
const char *k_thread_name_get(struct k_thread *thread) { return thread->name; }

static void switch_to(struct k_thread *thread) {
    sys_trace_thread_switched_out_user(GIVEN(current));
    current = thread;
    sys_trace_thread_switched_in_user(GIVEN(current));
}

static void threads(void) {
    sys_trace_thread_create_user(&low);
    sys_trace_thread_create_user(&high);
    sys_trace_thread_sched_ready_user(&low);
    switch_to(&low);
    switch_to(&low); // kept
    sys_trace_thread_sched_ready_user(&high);
    switch_to(&high);
    sys_trace_k_thread_msleep_enter_user(5);
    sys_trace_thread_pend_user(&low); // not the running thread
    switch_to(&low);
    sys_trace_isr_enter_user(GIVEN(0));
    in_isr = true;
    sys_trace_thread_sched_ready_user(&high);
    in_isr = false;
    sys_trace_isr_exit_user(GIVEN(0));
    switch_to(&high);
    sys_trace_thread_priority_set_user(&high, -2);
    sys_trace_thread_sched_ready_user(&high); // already running: no record
    sys_trace_thread_suspend_user(&high);
    switch_to(&low);
}

static void mutexes(void) {
    sys_trace_k_mutex_init_user(&mutex, 0);
    WF_OBJ_DICTIONARY(&mutex);
    mutex.owner = &low;
    for (mutex.lock_count = 1; mutex.lock_count < 3; ++mutex.lock_count)
        sys_trace_k_mutex_lock_exit_user(&mutex, forever, 0);
    mutex.lock_count = 2;
    sys_trace_thread_sched_ready_user(&high);
    switch_to(&high);
    sys_trace_k_mutex_lock_exit_user(&mutex, forever, -EBUSY);
    sys_trace_k_mutex_unlock_enter_user(&mutex); // does not hold it
    sys_trace_k_mutex_lock_blocking_user(&mutex, forever);
    sys_trace_thread_pend_user(&high);
    switch_to(&low);
    sys_trace_thread_sched_ready_user(&high);
    switch_to(&high);
    sys_trace_k_mutex_lock_exit_user(&mutex, forever, -EAGAIN);
    sys_trace_k_mutex_lock_blocking_user(&mutex, forever);
    sys_trace_thread_pend_user(&high);
    switch_to(&low);
    sys_trace_k_mutex_unlock_enter_user(&mutex);
    mutex.lock_count = 1;
    sys_trace_k_mutex_unlock_enter_user(&mutex);
    mutex.owner = &high;
    sys_trace_thread_sched_ready_user(&high);
    switch_to(&high);
    sys_trace_k_mutex_lock_exit_user(&mutex, forever, 0);
}

static void others(void) {
    sys_trace_k_sem_init_user(&sem, 0);
    WF_OBJ_DICTIONARY(&sem);
    sys_trace_k_sem_give_enter_user(&sem); // at its limit
    sem.count = 0;
    sys_trace_k_sem_take_exit_user(&sem, forever, 0);
    sys_trace_k_sem_take_exit_user(&sem, forever, -EBUSY);
    sys_trace_k_sem_take_blocking_user(&sem, forever);
    sys_trace_k_sem_take_exit_user(&sem, forever, -EAGAIN);
    in_isr = true;
    sys_trace_k_sem_give_enter_user(&sem);
    in_isr = false;
    sys_trace_k_msgq_init_user(&msgq);
    WF_OBJ_DICTIONARY(&msgq);
    sys_trace_k_msgq_get_exit_user(&msgq, forever, -ENOMSG);
    msgq.used_msgs = 1;
    sys_trace_k_msgq_put_exit_user(&msgq, forever, 0);
    sys_trace_k_msgq_put_exit_user(&msgq, forever, -ENOMSG);
    sys_trace_k_msgq_put_blocking_user(&msgq, forever);
    sys_trace_k_msgq_put_exit_user(&msgq, forever, -EAGAIN);
    msgq.used_msgs = 0;
    sys_trace_k_msgq_get_exit_user(&msgq, forever, 0);
    sys_trace_thread_abort_user(&high);
    switch_to(&low);
}

static void schedule(void) {
    threads();
    mutexes();
    others();
}
