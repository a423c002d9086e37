// SPDX-License-Identifier: MIT
// A tracing format for Zephyr that replaces its own: the macros sys_port_trace_... that its kernel
// expands. CONFIG_TRACING_FORMAT_HEADER names this header in releases that have that option; in
// older ones older/zephyr/tracing/tracing.h replaces Zephyr's empty macros. Macros that are not
// here stay empty. README.md lists what is recorded. Names in brackets are local variables of the
// kernel's function: bytes, mem, timeout.
#ifndef WF_ZEPHYR_FORMAT_H
#define WF_ZEPHYR_FORMAT_H

#include "wallfly/wf_config.h"

#if WF_CFG_ON

#include "wf_zephyr_hooks.h"

#define WFI_ZEPHYR_WAITS(timeout)    ((timeout).ticks != 0)
#define WFI_ZEPHYR_1ST(a, ...)       (a)
#define WFI_ZEPHYR_2ND(a, b, ...)    (b)
#define WFI_ZEPHYR_3RD(a, b, c, ...) (c)

// ---- threads. A join, a poll and a timer's status_sync pend: the switch records that as its
// reason.

#undef sys_port_trace_k_thread_create
#undef sys_port_trace_k_thread_name_set
#undef sys_port_trace_k_thread_sched_abort
#undef sys_port_trace_k_thread_suspend_enter
#undef sys_port_trace_k_thread_sched_priority_set
#undef sys_port_trace_k_thread_sched_ready
#undef sys_port_trace_k_thread_sched_pend
#undef sys_port_trace_k_thread_switched_in
#undef sys_port_trace_k_thread_yield
#undef sys_port_trace_k_thread_sleep_enter
#undef sys_port_trace_k_thread_sleep_ticks_enter
#undef sys_port_trace_k_thread_msleep_enter
#undef sys_port_trace_k_thread_usleep_enter
#define sys_port_trace_k_thread_create(thread)        sys_trace_thread_create_user(thread)
#define sys_port_trace_k_thread_name_set(thread, ret) wfi_zephyr_named((thread), (ret))
#define sys_port_trace_k_thread_sched_abort(thread)   sys_trace_thread_abort_user(thread)
#define sys_port_trace_k_thread_suspend_enter(thread) sys_trace_thread_suspend_user(thread)
#define sys_port_trace_k_thread_sched_priority_set(thread, prio)                                   \
    sys_trace_thread_priority_set_user((thread), (prio))
#define sys_port_trace_k_thread_sched_ready(thread)    sys_trace_thread_sched_ready_user(thread)
#define sys_port_trace_k_thread_sched_pend(thread)     sys_trace_thread_pend_user(thread)
#define sys_port_trace_k_thread_switched_in()          wf_zephyr_switched_in()
#define sys_port_trace_k_thread_yield()                wf_zephyr_thread_yield()
#define sys_port_trace_k_thread_sleep_enter(...)       wf_zephyr_thread_sleep()
#define sys_port_trace_k_thread_sleep_ticks_enter(...) wf_zephyr_thread_sleep()
#define sys_port_trace_k_thread_msleep_enter(...)      wf_zephyr_thread_sleep()
#define sys_port_trace_k_thread_usleep_enter(...)      wf_zephyr_thread_sleep()

static inline void wfi_zephyr_named(struct k_thread *thread, int ret) {
    if (ret == 0) sys_trace_thread_name_set_user(thread);
}

// ---- mutexes and semaphores

#undef sys_port_trace_k_mutex_init
#undef sys_port_trace_k_mutex_lock_blocking
#undef sys_port_trace_k_mutex_lock_exit
#undef sys_port_trace_k_mutex_unlock_enter
#define sys_port_trace_k_mutex_init(mutex, ret)               sys_trace_k_mutex_init_user((mutex), (ret))
#define sys_port_trace_k_mutex_lock_blocking(mutex, timeout)  wf_zephyr_mutex_wait(mutex)
#define sys_port_trace_k_mutex_lock_exit(mutex, timeout, ret) wf_zephyr_mutex_end((mutex), (ret))
#define sys_port_trace_k_mutex_unlock_enter(mutex)            sys_trace_k_mutex_unlock_enter_user(mutex)

#undef sys_port_trace_k_sem_init
#undef sys_port_trace_k_sem_take_blocking
#undef sys_port_trace_k_sem_take_exit
#undef sys_port_trace_k_sem_give_enter
#define sys_port_trace_k_sem_init(sem, ret)               sys_trace_k_sem_init_user((sem), (ret))
#define sys_port_trace_k_sem_take_blocking(sem, timeout)  wf_zephyr_sem_wait(sem)
#define sys_port_trace_k_sem_take_exit(sem, timeout, ret) wf_zephyr_sem_end((sem), (ret))
#define sys_port_trace_k_sem_give_enter(sem)              sys_trace_k_sem_give_enter_user(sem)

// ---- conditions and events

#undef sys_port_trace_k_condvar_init
#undef sys_port_trace_k_condvar_wait_enter
#undef sys_port_trace_k_condvar_wait_exit
#undef sys_port_trace_k_condvar_signal_enter
#undef sys_port_trace_k_condvar_broadcast_enter
#define sys_port_trace_k_condvar_init(condvar, ret) wf_zephyr_cond_made(condvar)
#define sys_port_trace_k_condvar_wait_enter(...)    wf_zephyr_cond_wait(WFI_ZEPHYR_1ST(__VA_ARGS__, 0))
// (time-out and result; older releases: the result only)
#define sys_port_trace_k_condvar_wait_exit(condvar, ...)                                           \
    wf_zephyr_cond_end((condvar), WFI_ZEPHYR_2ND(__VA_ARGS__, WFI_ZEPHYR_1ST(__VA_ARGS__, 0), 0))
#define sys_port_trace_k_condvar_signal_enter(condvar)    wf_zephyr_cond_give((condvar), 1)
#define sys_port_trace_k_condvar_broadcast_enter(condvar) wf_zephyr_cond_give((condvar), UINT32_MAX)

#undef sys_port_trace_k_event_init
#undef sys_port_trace_k_event_post_enter
#undef sys_port_trace_k_event_wait_blocking
#undef sys_port_trace_k_event_wait_exit
#define sys_port_trace_k_event_init(event) wf_zephyr_event_made(event)
#define sys_port_trace_k_event_post_enter(event, events, events_mask)                              \
    wf_zephyr_event_post((event), (events), (events_mask))
#define sys_port_trace_k_event_wait_blocking(event, events, options, timeout)                      \
    wf_zephyr_event_wait((event), (events))
#define sys_port_trace_k_event_wait_exit(event, events, ret) /* (timeout) */                       \
    wf_zephyr_event_end((event), (events), (ret), WFI_ZEPHYR_WAITS(timeout))

// ---- k_queue: k_fifo and k_lifo are made of it, so their own macros stay empty. It has no count.
// The hook named blocking comes when the item can be put in, before any thread is woken.

#ifndef WF_ZEPHYR_QUEUE_LENGTH
#define WF_ZEPHYR_QUEUE_LENGTH(queue) wf_zephyr_queue_length(queue)
#endif
#undef sys_port_trace_k_queue_init
#undef sys_port_trace_k_queue_queue_insert_blocking
#undef sys_port_trace_k_queue_queue_insert_exit
#undef sys_port_trace_k_queue_append_list_exit
#undef sys_port_trace_k_queue_get_blocking
#undef sys_port_trace_k_queue_get_exit
#undef sys_port_trace_k_queue_remove_exit
#define sys_port_trace_k_queue_init(queue) wf_zephyr_queue_made((queue), UINT32_MAX)
#define sys_port_trace_k_queue_queue_insert_blocking(queue, alloc, timeout)                        \
    wf_zephyr_queue_send((queue), WF_ZEPHYR_QUEUE_LENGTH(queue) + 1)
#define sys_port_trace_k_queue_queue_insert_exit(queue, alloc, ret)                                \
    do {                                                                                           \
        if ((ret) != 0) wf_zephyr_queue_send_failed((queue), false);                               \
    } while (0)
#define sys_port_trace_k_queue_append_list_exit(queue, ret)                                        \
    wf_zephyr_queue_sent((queue), WF_ZEPHYR_QUEUE_LENGTH(queue), (ret), false)
#define sys_port_trace_k_queue_get_blocking(queue, timeout)                                        \
    do {                                                                                           \
        if (WFI_ZEPHYR_WAITS(timeout)) wf_zephyr_queue_receive_wait(queue);                        \
    } while (0)
#define sys_port_trace_k_queue_get_exit(queue, timeout, ret)                                       \
    wf_zephyr_queue_received((queue), WF_ZEPHYR_QUEUE_LENGTH(queue), (ret) ? 0 : -1,               \
                             WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_queue_remove_exit(queue, ret)                                             \
    do {                                                                                           \
        if (ret) wf_zephyr_queue_receive((queue), WF_ZEPHYR_QUEUE_LENGTH(queue));                  \
    } while (0)

// ---- stacks

#define WFI_ZEPHYR_STACKED(stack) ((uint32_t)((stack)->next - (stack)->base))
#undef sys_port_trace_k_stack_init
#undef sys_port_trace_k_stack_cleanup_exit
#undef sys_port_trace_k_stack_push_enter
#undef sys_port_trace_k_stack_push_exit
#undef sys_port_trace_k_stack_pop_blocking
#undef sys_port_trace_k_stack_pop_exit
#define sys_port_trace_k_stack_init(stack)                                                         \
    wf_zephyr_queue_made((stack), (uint32_t)((stack)->top - (stack)->base))
#define sys_port_trace_k_stack_cleanup_exit(stack, ret) wf_zephyr_queue_gone((stack), (ret))
#define sys_port_trace_k_stack_push_enter(stack)                                                   \
    do {                                                                                           \
        if ((stack)->next != (stack)->top)                                                         \
            wf_zephyr_queue_send((stack), WFI_ZEPHYR_STACKED(stack) + 1);                          \
    } while (0)
#define sys_port_trace_k_stack_push_exit(stack, ret)                                               \
    do {                                                                                           \
        if ((ret) != 0) wf_zephyr_queue_send_failed((stack), false);                               \
    } while (0)
#define sys_port_trace_k_stack_pop_blocking(stack, timeout)                                        \
    do {                                                                                           \
        if (WFI_ZEPHYR_WAITS(timeout)) wf_zephyr_queue_receive_wait(stack);                        \
    } while (0)
#define sys_port_trace_k_stack_pop_exit(stack, timeout, ret)                                       \
    wf_zephyr_queue_received((stack), WFI_ZEPHYR_STACKED(stack), (ret), WFI_ZEPHYR_WAITS(timeout))

// ---- message queues

#undef sys_port_trace_k_msgq_init
#undef sys_port_trace_k_msgq_cleanup_exit
#undef sys_port_trace_k_msgq_put_enter
#undef sys_port_trace_k_msgq_put_blocking
#undef sys_port_trace_k_msgq_put_exit
#undef sys_port_trace_k_msgq_put_front_enter
#undef sys_port_trace_k_msgq_put_front_blocking
#undef sys_port_trace_k_msgq_put_front_exit
#undef sys_port_trace_k_msgq_get_enter
#undef sys_port_trace_k_msgq_get_blocking
#undef sys_port_trace_k_msgq_get_exit
#undef sys_port_trace_k_msgq_purge
#define sys_port_trace_k_msgq_init(msgq)                  sys_trace_k_msgq_init_user(msgq)
#define sys_port_trace_k_msgq_cleanup_exit(msgq, ret)     wf_zephyr_queue_gone((msgq), (ret))
#define sys_port_trace_k_msgq_put_enter(msgq, timeout)    wf_zephyr_msgq_put_enter(msgq)
#define sys_port_trace_k_msgq_put_blocking(msgq, timeout) wf_zephyr_queue_send_wait(msgq)
#define sys_port_trace_k_msgq_put_exit(msgq, timeout, ret)                                         \
    wf_zephyr_msgq_put_end((msgq), (ret), WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_msgq_put_front_enter(msgq, timeout)    wf_zephyr_msgq_put_enter(msgq)
#define sys_port_trace_k_msgq_put_front_blocking(msgq, timeout) wf_zephyr_queue_send_wait(msgq)
#define sys_port_trace_k_msgq_put_front_exit(msgq, timeout, ret)                                   \
    wf_zephyr_msgq_put_end((msgq), (ret), WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_msgq_get_enter(msgq, timeout)    wf_zephyr_msgq_get_enter(msgq)
#define sys_port_trace_k_msgq_get_blocking(msgq, timeout) wf_zephyr_msgq_get_wait(msgq)
#define sys_port_trace_k_msgq_get_exit(msgq, timeout, ret)                                         \
    wf_zephyr_msgq_get_end((msgq), (ret), WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_msgq_purge(msgq) wf_zephyr_msgq_purge(msgq)

// ---- mailboxes have no storage: a message goes from thread to thread

#undef sys_port_trace_k_mbox_init
#undef sys_port_trace_k_mbox_message_put_blocking
#undef sys_port_trace_k_mbox_message_put_exit
#undef sys_port_trace_k_mbox_get_blocking
#undef sys_port_trace_k_mbox_get_exit
#define sys_port_trace_k_mbox_init(mbox)                          wf_zephyr_queue_made((mbox), 0)
#define sys_port_trace_k_mbox_message_put_blocking(mbox, timeout) wf_zephyr_queue_send_wait(mbox)
#define sys_port_trace_k_mbox_message_put_exit(mbox, timeout, ret)                                 \
    wf_zephyr_queue_sent((mbox), 0, (ret), WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_mbox_get_blocking(mbox, timeout) wf_zephyr_queue_receive_wait(mbox)
#define sys_port_trace_k_mbox_get_exit(mbox, timeout, ret)                                         \
    wf_zephyr_queue_received((mbox), 0, (ret), WFI_ZEPHYR_WAITS(timeout))

// ---- pipes, as queues of bytes: write and read, put and get in older releases

#define WFI_ZEPHYR_PIPED(pipe) ((uint32_t)ring_buf_size_get(&(pipe)->buf))
#define WFI_ZEPHYR_HELD(pipe)  ((uint32_t)(pipe)->bytes_used)
#undef sys_port_trace_k_pipe_init
#undef sys_port_trace_k_pipe_write_blocking
#undef sys_port_trace_k_pipe_write_exit
#undef sys_port_trace_k_pipe_read_blocking
#undef sys_port_trace_k_pipe_read_exit
#undef sys_port_trace_k_pipe_put_blocking
#undef sys_port_trace_k_pipe_put_exit
#undef sys_port_trace_k_pipe_get_blocking
#undef sys_port_trace_k_pipe_get_exit
#undef sys_port_trace_k_pipe_cleanup_exit
// (pipe, buffer, size; older releases: the pipe only, its size is not passed)
#define sys_port_trace_k_pipe_init(...)                                                            \
    wf_zephyr_queue_made(WFI_ZEPHYR_1ST(__VA_ARGS__, 0),                                           \
                         (uint32_t)WFI_ZEPHYR_3RD(__VA_ARGS__, 0, UINT32_MAX, 0))
#define sys_port_trace_k_pipe_write_blocking(pipe, timeout) wf_zephyr_queue_send_wait(pipe)
#define sys_port_trace_k_pipe_write_exit(pipe, ret)         /* (timeout) */                        \
    wf_zephyr_queue_sent((pipe), WFI_ZEPHYR_PIPED(pipe), (ret), WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_pipe_read_blocking(pipe, timeout) wf_zephyr_queue_receive_wait(pipe)
#define sys_port_trace_k_pipe_read_exit(pipe, ret)         /* (timeout) */                         \
    wf_zephyr_queue_received((pipe), WFI_ZEPHYR_PIPED(pipe), (ret), WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_pipe_put_blocking(pipe, timeout)                                          \
    do {                                                                                           \
        if (WFI_ZEPHYR_WAITS(timeout)) wf_zephyr_queue_send_wait(pipe);                            \
    } while (0)
#define sys_port_trace_k_pipe_put_exit(pipe, timeout, ret)                                         \
    wf_zephyr_queue_sent((pipe), WFI_ZEPHYR_HELD(pipe), (ret), WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_pipe_get_blocking(pipe, timeout)                                          \
    do {                                                                                           \
        if (WFI_ZEPHYR_WAITS(timeout)) wf_zephyr_queue_receive_wait(pipe);                         \
    } while (0)
#define sys_port_trace_k_pipe_get_exit(pipe, timeout, ret)                                         \
    wf_zephyr_queue_received((pipe), WFI_ZEPHYR_HELD(pipe), (ret), WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_pipe_cleanup_exit(pipe, ret) wf_zephyr_queue_gone((pipe), (ret))

// ---- heaps and slabs of blocks. In releases without a common helper, k_heap_alloc calls
// k_heap_aligned_alloc: there only the latter records.

#if defined WF_ZEPHYR_OLDER && !defined sys_port_trace_k_heap_alloc_helper_blocking
#define WFI_ZEPHYR_ALLOC(h, timeout, ret) ((void)0)
#else
#define WFI_ZEPHYR_ALLOC(h, timeout, ret)                                                          \
    wf_zephyr_heap_end((h), (ret), (uint32_t)bytes, WFI_ZEPHYR_WAITS(timeout))
#endif
#undef sys_port_trace_k_heap_init
#undef sys_port_trace_k_heap_alloc_helper_blocking
#undef sys_port_trace_k_heap_aligned_alloc_blocking
#undef sys_port_trace_k_heap_alloc_exit
#undef sys_port_trace_k_heap_aligned_alloc_exit
#undef sys_port_trace_k_heap_free
#define sys_port_trace_k_heap_init(h)                             /* (bytes) */ wf_zephyr_heap_made((h), (uint32_t)bytes)
#define sys_port_trace_k_heap_alloc_helper_blocking(h, ...)       wf_zephyr_heap_wait(h)
#define sys_port_trace_k_heap_aligned_alloc_blocking(h, ...)      wf_zephyr_heap_wait(h)
#define sys_port_trace_k_heap_alloc_exit(h, timeout, ret)         WFI_ZEPHYR_ALLOC(h, timeout, ret)
#define sys_port_trace_k_heap_aligned_alloc_exit(h, timeout, ret) /* (bytes) */                    \
    wf_zephyr_heap_end((h), (ret), (uint32_t)bytes, WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_heap_free(h) /* (mem) */ wf_zephyr_heap_free((h), mem)

// Some releases pass the address of the block to free, some that of its pointer. C++ never expands
// these.
#define WFI_ZEPHYR_BLOCK(mem)                                                                      \
    _Generic((mem), void ** : *(void *const *)(const void *)(mem), default : (const void *)(mem))
#undef sys_port_trace_k_mem_slab_init
#undef sys_port_trace_k_mem_slab_alloc_blocking
#undef sys_port_trace_k_mem_slab_alloc_exit
#undef sys_port_trace_k_mem_slab_free_enter
#define sys_port_trace_k_mem_slab_init(slab, rc)                                                   \
    do {                                                                                           \
        if ((rc) == 0) wf_zephyr_heap_made((slab), (uint32_t)k_mem_slab_num_free_get(slab));       \
    } while (0)
#define sys_port_trace_k_mem_slab_alloc_blocking(slab, timeout)  wf_zephyr_heap_wait(slab)
#define sys_port_trace_k_mem_slab_alloc_exit(slab, timeout, ret) /* (mem) */                       \
    wf_zephyr_heap_end((slab), (ret) == 0 ? *mem : NULL, 1, WFI_ZEPHYR_WAITS(timeout))
#define sys_port_trace_k_mem_slab_free_enter(slab) /* (mem) */                                     \
    wf_zephyr_heap_free((slab), WFI_ZEPHYR_BLOCK(mem))

// ---- timers. Releases without the hook of the expiry do not record it.

#undef sys_port_trace_k_timer_init
#undef sys_port_trace_k_timer_start
#undef sys_port_trace_k_timer_stop
#undef sys_port_trace_k_timer_expiry_enter
#define sys_port_trace_k_timer_init(timer) wf_zephyr_timer_made(timer)
// (timer, duration, period; older releases: the timer only, then the local variable duration)
#define sys_port_trace_k_timer_start(...)                                                          \
    wf_zephyr_timer_start(WFI_ZEPHYR_1ST(__VA_ARGS__, 0),                                          \
                          (uint32_t)WFI_ZEPHYR_2ND(__VA_ARGS__, duration, 0).ticks)
#define sys_port_trace_k_timer_stop(timer)         wf_zephyr_timer_stop(timer)
#define sys_port_trace_k_timer_expiry_enter(timer) wf_zephyr_timer_expire(timer)

#endif

// Zephyr's own empty macros for all others. (Older releases have defined them before.)
#if !defined WF_ZEPHYR_OLDER
#if defined __has_include
#if __has_include(<zephyr/tracing/tracing_hooks.h>)
#include <zephyr/tracing/tracing_default_hooks.h>
#include <zephyr/tracing/tracing_hooks.h>
#endif
#endif
#endif

#endif
