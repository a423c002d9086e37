// SPDX-License-Identifier: MIT
// Functions called by both ways to trace Zephyr: user tracing (wf_zephyr_trace.c) and the macros of
// the format header (wf_zephyr_format.h). No type of Zephyr needs to be complete here. Context:
// that of Zephyr's hooks, mostly with the object's or the scheduler's lock held.
#ifndef WF_ZEPHYR_HOOKS_H
#define WF_ZEPHYR_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct k_thread;
struct k_mutex;
struct k_sem;
struct k_msgq;
struct k_queue;

// ---- wf_zephyr_trace.c: functions of user tracing that both ways use

void sys_trace_thread_create_user(struct k_thread *thread);
void sys_trace_thread_abort_user(struct k_thread *thread);
void sys_trace_thread_suspend_user(struct k_thread *thread);
void sys_trace_thread_name_set_user(struct k_thread *thread);
void sys_trace_thread_priority_set_user(struct k_thread *thread, int prio);
void sys_trace_thread_sched_ready_user(struct k_thread *thread);
void sys_trace_thread_pend_user(struct k_thread *thread);
void sys_trace_k_mutex_init_user(struct k_mutex *mutex, int ret);
void sys_trace_k_mutex_unlock_enter_user(struct k_mutex *mutex);
void sys_trace_k_sem_init_user(struct k_sem *sem, int ret);
void sys_trace_k_sem_give_enter_user(struct k_sem *sem);
void sys_trace_k_msgq_init_user(struct k_msgq *msgq);

// The C types of these differ by release: 3.1 passes the thread and the nesting depth, others
// nothing. With CONFIG_TRACING_USER only the linker knows them by the names of user tracing, and
// they read no argument.
#ifdef CONFIG_TRACING_USER
#define WFI_ZEPHYR_USER(name) __asm__("sys_trace_" #name "_user")
#else
#define WFI_ZEPHYR_USER(name)
#endif
void wf_zephyr_switched_in(void) WFI_ZEPHYR_USER(thread_switched_in);
void wf_zephyr_switched_out(void) WFI_ZEPHYR_USER(thread_switched_out);
void wf_zephyr_isr_enter(void) WFI_ZEPHYR_USER(isr_enter);
void wf_zephyr_isr_exit(void) WFI_ZEPHYR_USER(isr_exit);

// Returns the caller: the running thread, or NULL for an interrupt.
const void *wf_zephyr_self(void);
// Records that the running thread is about to leave, and why (WF_SWITCH_...).
void wf_zephyr_leaves(unsigned why);
// Record the end of a call: ret 0 taken, -EBUSY refused, else timed out.
void wf_zephyr_mutex_end(struct k_mutex *mutex, int ret);
void wf_zephyr_sem_end(struct k_sem *sem, int ret);

// ---- wf_zephyr_format.c: recorded by the format header only. `obj` is the object, `count` its
// fill level after the record, `waits` whether the caller would wait.

uint32_t wf_zephyr_queue_length(const struct k_queue *queue); // walks the queue
void wf_zephyr_thread_yield(void);
void wf_zephyr_thread_sleep(void);
void wf_zephyr_mutex_wait(const void *obj);
void wf_zephyr_sem_wait(const void *obj);

void wf_zephyr_cond_made(const void *obj);
void wf_zephyr_cond_wait(const void *obj);
void wf_zephyr_cond_end(const void *obj, int ret);
void wf_zephyr_cond_give(const void *obj, uint32_t threads);

void wf_zephyr_event_made(const void *obj);
void wf_zephyr_event_post(const void *obj, uint32_t bits, uint32_t mask);
void wf_zephyr_event_wait(const void *obj, uint32_t bits);
void wf_zephyr_event_end(const void *obj, uint32_t asked, uint32_t got, bool waits);

void wf_zephyr_queue_made(const void *obj, uint32_t room);
void wf_zephyr_queue_gone(const void *obj, int ret);
void wf_zephyr_queue_send(const void *obj, uint32_t count);
void wf_zephyr_queue_send_wait(const void *obj);
void wf_zephyr_queue_send_failed(const void *obj, bool waits);
void wf_zephyr_queue_receive(const void *obj, uint32_t count);
void wf_zephyr_queue_receive_wait(const void *obj);
void wf_zephyr_queue_receive_failed(const void *obj, bool waits);
// Record one of the two above by the result: below 0 means failed.
void wf_zephyr_queue_sent(const void *obj, uint32_t count, long ret, bool waits);
void wf_zephyr_queue_received(const void *obj, uint32_t count, long ret, bool waits);

// The kernel holds the message queue's lock from enter to exit unless the call waits, so the
// outcome is known at enter.
void wf_zephyr_msgq_put_enter(struct k_msgq *msgq);
void wf_zephyr_msgq_put_end(struct k_msgq *msgq, int ret, bool waits);
void wf_zephyr_msgq_get_enter(struct k_msgq *msgq);
void wf_zephyr_msgq_get_wait(struct k_msgq *msgq);
void wf_zephyr_msgq_get_end(struct k_msgq *msgq, int ret, bool waits);
void wf_zephyr_msgq_purge(struct k_msgq *msgq);

void wf_zephyr_heap_made(const void *obj, uint32_t size);
void wf_zephyr_heap_wait(const void *obj);
void wf_zephyr_heap_end(const void *obj, const void *block, uint32_t bytes, bool waits);
void wf_zephyr_heap_free(const void *obj, const void *block);

void wf_zephyr_timer_made(const void *obj);
void wf_zephyr_timer_start(const void *obj, uint32_t ticks);
void wf_zephyr_timer_stop(const void *obj);
void wf_zephyr_timer_expire(const void *obj);

#ifdef __cplusplus
}
#endif
#endif
