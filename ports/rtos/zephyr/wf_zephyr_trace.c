// SPDX-License-Identifier: MIT
// The functions of Zephyr's user tracing (CONFIG_TRACING_USER). Zephyr's own weak ones do nothing.
// A release does not call functions that it lacks. README.md lists what is recorded.

#include <errno.h>
#include <zephyr/kernel.h>

#include "../wf_irq_number.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"
#include "wf_zephyr_hooks.h"

#if WF_CFG_ON

// Declared here, because Zephyr's headers for them differ by release.
void sys_trace_thread_name_set_user(struct k_thread *thread);

#ifdef CONFIG_MP_MAX_NUM_CPUS
enum { WFI_CORES = CONFIG_MP_MAX_NUM_CPUS };
#else
enum { WFI_CORES = 1 };
#endif

static struct core {
    const void *thread; // the running thread
    uint8_t why;        // reason why it may leave: of WF_REASONS; 0: preempted
    uint8_t irqs;       // nesting depth
} cores[WFI_CORES];

static struct core *here(void) {
#ifdef CONFIG_SMP
    return &cores[arch_curr_cpu()->id];
#else
    return &cores[0];
#endif
}

static const void *self(void) { return k_is_in_isr() ? NULL : k_current_get(); }

static void leaves(const void *thread, unsigned why) {
    for (struct core *c = cores; c < cores + WFI_CORES; ++c) {
        if (c->thread == thread) c->why = (uint8_t)why;
    }
}

const void *wf_zephyr_self(void) { return self(); }
void wf_zephyr_leaves(unsigned why) { leaves(self(), why); }

// ---- threads

void sys_trace_thread_create_user(struct k_thread *thread) {
    WF_TASK_CREATE(thread, thread->base.prio, NULL);
    sys_trace_thread_name_set_user(thread);
}

void sys_trace_thread_name_set_user(struct k_thread *thread) {
    const char *name = k_thread_name_get(thread);
    if (name && name[0]) WF_NAME(thread, name);
}

void sys_trace_thread_abort_user(struct k_thread *thread) {
    leaves(thread, WF_SWITCH_ended);
    WF_TASK_DELETE(thread);
}

void sys_trace_thread_suspend_user(struct k_thread *thread) {
    leaves(thread, WF_SWITCH_suspended);
    WF_TASK_SUSPEND(thread);
}

void sys_trace_thread_resume_user(struct k_thread *thread) { (void)thread; } // ready is recorded

void sys_trace_thread_priority_set_user(struct k_thread *thread, int prio) {
    WF_TASK_PRIORITY(thread, prio);
}

// A change of priority takes the running thread off its list and puts it back: not recorded.
void sys_trace_thread_sched_ready_user(struct k_thread *thread) {
    for (struct core *c = cores; c < cores + WFI_CORES; ++c) {
        if (c->thread != thread) continue;
        c->why = 0; // it was made ready before the switch
        return;
    }
    WF_TASK_READY(thread);
}

void sys_trace_thread_pend_user(struct k_thread *thread) { leaves(thread, WF_SWITCH_blocked); }

// (k_current_get may read the new thread's own memory, which is not in place yet)
void wf_zephyr_switched_in(void) {
    struct core *c = here();
    const void *thread = _current;
    if (thread != c->thread) {
        unsigned why = !c->thread ? WF_SWITCH_unknown : c->why ? c->why : WF_SWITCH_preempted;
        const void *from = c->thread;
        c->thread = thread;
        WF_TASK_SWITCH(from, thread, why);
    }
    c->why = 0;
}

// Some CPUs report an out without an in, or twice; the in gives the running thread.
void wf_zephyr_switched_out(void) {}
void sys_trace_thread_info_user(struct k_thread *thread) { (void)thread; }
void sys_trace_idle_user(void) {} // idle is a thread

static void sleeps(void) { wf_zephyr_leaves(WF_SWITCH_delayed); }

void sys_trace_k_thread_sleep_enter_user(k_timeout_t timeout) {
    (void)timeout;
    sleeps();
}
void sys_trace_k_thread_msleep_enter_user(int32_t ms) {
    (void)ms;
    sleeps();
}
void sys_trace_k_thread_usleep_enter_user(int32_t us) {
    (void)us;
    sleeps();
}

// ---- interrupts

void wf_zephyr_isr_enter(void) {
    uint8_t nest = ++here()->irqs;
    WF_IRQ_ENTER(WF_IRQ_NUMBER(), nest);
}

void wf_zephyr_isr_exit(void) {
    struct core *c = here();
    uint8_t nest = c->irqs;
    if (nest) c->irqs = (uint8_t)(nest - 1);
    WF_IRQ_EXIT(WF_IRQ_NUMBER(), nest); // 0: there was no enter
}

#ifdef WF_ZEPHYR_WRAPS_SYSTICK
// Cortex-M's vector table has the handler of SysTick itself, not the wrapper that traces
// interrupts. Linked by --wrap, unless the handler calls the hooks itself.
void __real_sys_clock_isr(void *arg);
void __wrap_sys_clock_isr(void *arg);
void __wrap_sys_clock_isr(void *arg) {
    wf_zephyr_isr_enter();
    __real_sys_clock_isr(arg);
    wf_zephyr_isr_exit();
}
#endif

// ---- objects: typed hooks of newer releases

void sys_trace_k_mutex_init_user(struct k_mutex *mutex, int ret) {
    if (ret == 0) WF_OBJECT(mutex_create, mutex);
}

void sys_trace_k_mutex_lock_blocking_user(struct k_mutex *mutex, k_timeout_t timeout) {
    (void)timeout;
    WF_BY(mutex_wait, mutex, self());
}

// ret 0: taken; -EBUSY: it would have had to wait; else it timed out.
void wf_zephyr_mutex_end(struct k_mutex *mutex, int ret) {
    if (ret == 0)
        WF_BY_N(mutex_take, mutex, self(), (uint8_t)mutex->lock_count);
    else if (ret == -EBUSY)
        WF_BY(mutex_refused, mutex, self());
    else
        WF_BY(mutex_timeout, mutex, self());
}

void sys_trace_k_mutex_lock_exit_user(struct k_mutex *mutex, k_timeout_t timeout, int ret) {
    (void)timeout;
    wf_zephyr_mutex_end(mutex, ret);
}

// Recorded before the unlock, because the next owner may run before the call returns. Unlocking a
// mutex of another thread fails.
void sys_trace_k_mutex_unlock_enter_user(struct k_mutex *mutex) {
    if (mutex->lock_count && (const void *)mutex->owner == self())
        WF_BY_N(mutex_give, mutex, self(), (uint8_t)(mutex->lock_count - 1));
}

void sys_trace_k_sem_init_user(struct k_sem *sem, int ret) {
    if (ret == 0) WF_OBJECT_N(sema_create, sem, sem->count);
}

void sys_trace_k_sem_take_blocking_user(struct k_sem *sem, k_timeout_t timeout) {
    (void)timeout;
    WF_BY(sema_wait, sem, self());
}

void wf_zephyr_sem_end(struct k_sem *sem, int ret) {
    if (ret == 0)
        WF_BY_N(sema_take, sem, self(), (uint32_t)sem->count);
    else if (ret == -EBUSY)
        WF_BY(sema_refused, sem, self());
    else
        WF_BY(sema_timeout, sem, self());
}

void sys_trace_k_sem_take_exit_user(struct k_sem *sem, k_timeout_t timeout, int ret) {
    (void)timeout;
    wf_zephyr_sem_end(sem, ret);
}

// A give to a full semaphore has no effect.
void sys_trace_k_sem_give_enter_user(struct k_sem *sem) {
    if (sem->count < sem->limit) WF_BY_N(sema_give, sem, self(), (uint32_t)(sem->count + 1));
}

void sys_trace_k_msgq_init_user(struct k_msgq *msgq) {
    WF_OBJECT_N(queue_create, msgq, msgq->max_msgs);
}

void sys_trace_k_msgq_put_blocking_user(struct k_msgq *msgq, k_timeout_t timeout) {
    (void)timeout;
    WF_BY(queue_send_wait, msgq, self());
}

void sys_trace_k_msgq_get_blocking_user(struct k_msgq *msgq, k_timeout_t timeout) {
    (void)timeout;
    WF_BY(queue_receive_wait, msgq, self());
}

void sys_trace_k_msgq_put_exit_user(struct k_msgq *msgq, k_timeout_t timeout, int ret) {
    (void)timeout;
    if (ret == 0)
        WF_BY_N(queue_send, msgq, self(), (uint32_t)msgq->used_msgs);
    else if (ret == -ENOMSG)
        WF_BY(queue_send_refused, msgq, self());
    else
        WF_BY(queue_timeout, msgq, self());
}

void sys_trace_k_msgq_get_exit_user(struct k_msgq *msgq, k_timeout_t timeout, int ret) {
    (void)timeout;
    if (ret == 0)
        WF_BY_N(queue_receive, msgq, self(), (uint32_t)msgq->used_msgs);
    else if (ret == -ENOMSG)
        WF_BY(queue_receive_refused, msgq, self());
    else
        WF_BY(queue_timeout, msgq, self());
}

#endif
