// SPDX-License-Identifier: MIT
// Stand-in for Zephyr's header of this name: hooks that a format has not defined are empty.
// clang-format off
#ifndef sys_port_trace_k_condvar_broadcast_enter
#define sys_port_trace_k_condvar_broadcast_enter(...)
#endif
#ifndef sys_port_trace_k_condvar_init
#define sys_port_trace_k_condvar_init(...)
#endif
#ifndef sys_port_trace_k_condvar_signal_enter
#define sys_port_trace_k_condvar_signal_enter(...)
#endif
#ifndef sys_port_trace_k_condvar_wait_enter
#define sys_port_trace_k_condvar_wait_enter(...)
#endif
#ifndef sys_port_trace_k_condvar_wait_exit
#define sys_port_trace_k_condvar_wait_exit(...)
#endif
#ifndef sys_port_trace_k_event_init
#define sys_port_trace_k_event_init(...)
#endif
#ifndef sys_port_trace_k_event_post_enter
#define sys_port_trace_k_event_post_enter(...)
#endif
#ifndef sys_port_trace_k_event_wait_blocking
#define sys_port_trace_k_event_wait_blocking(...)
#endif
#ifndef sys_port_trace_k_event_wait_exit
#define sys_port_trace_k_event_wait_exit(...)
#endif
#ifndef sys_port_trace_k_fifo_put_enter
#define sys_port_trace_k_fifo_put_enter(...)
#endif
#ifndef sys_port_trace_k_heap_aligned_alloc_blocking
#define sys_port_trace_k_heap_aligned_alloc_blocking(...)
#endif
#ifndef sys_port_trace_k_heap_aligned_alloc_exit
#define sys_port_trace_k_heap_aligned_alloc_exit(...)
#endif
#ifndef sys_port_trace_k_heap_alloc_exit
#define sys_port_trace_k_heap_alloc_exit(...)
#endif
#ifndef sys_port_trace_k_heap_free
#define sys_port_trace_k_heap_free(...)
#endif
#ifndef sys_port_trace_k_heap_init
#define sys_port_trace_k_heap_init(...)
#endif
#ifndef sys_port_trace_k_mbox_get_blocking
#define sys_port_trace_k_mbox_get_blocking(...)
#endif
#ifndef sys_port_trace_k_mbox_get_exit
#define sys_port_trace_k_mbox_get_exit(...)
#endif
#ifndef sys_port_trace_k_mbox_init
#define sys_port_trace_k_mbox_init(...)
#endif
#ifndef sys_port_trace_k_mbox_message_put_blocking
#define sys_port_trace_k_mbox_message_put_blocking(...)
#endif
#ifndef sys_port_trace_k_mbox_message_put_exit
#define sys_port_trace_k_mbox_message_put_exit(...)
#endif
#ifndef sys_port_trace_k_mem_slab_alloc_blocking
#define sys_port_trace_k_mem_slab_alloc_blocking(...)
#endif
#ifndef sys_port_trace_k_mem_slab_alloc_exit
#define sys_port_trace_k_mem_slab_alloc_exit(...)
#endif
#ifndef sys_port_trace_k_mem_slab_free_enter
#define sys_port_trace_k_mem_slab_free_enter(...)
#endif
#ifndef sys_port_trace_k_mem_slab_init
#define sys_port_trace_k_mem_slab_init(...)
#endif
#ifndef sys_port_trace_k_msgq_cleanup_exit
#define sys_port_trace_k_msgq_cleanup_exit(...)
#endif
#ifndef sys_port_trace_k_msgq_get_blocking
#define sys_port_trace_k_msgq_get_blocking(...)
#endif
#ifndef sys_port_trace_k_msgq_get_enter
#define sys_port_trace_k_msgq_get_enter(...)
#endif
#ifndef sys_port_trace_k_msgq_get_exit
#define sys_port_trace_k_msgq_get_exit(...)
#endif
#ifndef sys_port_trace_k_msgq_init
#define sys_port_trace_k_msgq_init(...)
#endif
#ifndef sys_port_trace_k_msgq_purge
#define sys_port_trace_k_msgq_purge(...)
#endif
#ifndef sys_port_trace_k_msgq_put_blocking
#define sys_port_trace_k_msgq_put_blocking(...)
#endif
#ifndef sys_port_trace_k_msgq_put_enter
#define sys_port_trace_k_msgq_put_enter(...)
#endif
#ifndef sys_port_trace_k_msgq_put_exit
#define sys_port_trace_k_msgq_put_exit(...)
#endif
#ifndef sys_port_trace_k_msgq_put_front_enter
#define sys_port_trace_k_msgq_put_front_enter(...)
#endif
#ifndef sys_port_trace_k_msgq_put_front_exit
#define sys_port_trace_k_msgq_put_front_exit(...)
#endif
#ifndef sys_port_trace_k_mutex_init
#define sys_port_trace_k_mutex_init(...)
#endif
#ifndef sys_port_trace_k_mutex_lock_blocking
#define sys_port_trace_k_mutex_lock_blocking(...)
#endif
#ifndef sys_port_trace_k_mutex_lock_exit
#define sys_port_trace_k_mutex_lock_exit(...)
#endif
#ifndef sys_port_trace_k_mutex_unlock_enter
#define sys_port_trace_k_mutex_unlock_enter(...)
#endif
#ifndef sys_port_trace_k_pipe_cleanup_exit
#define sys_port_trace_k_pipe_cleanup_exit(...)
#endif
#ifndef sys_port_trace_k_pipe_get_blocking
#define sys_port_trace_k_pipe_get_blocking(...)
#endif
#ifndef sys_port_trace_k_pipe_get_exit
#define sys_port_trace_k_pipe_get_exit(...)
#endif
#ifndef sys_port_trace_k_pipe_init
#define sys_port_trace_k_pipe_init(...)
#endif
#ifndef sys_port_trace_k_pipe_put_blocking
#define sys_port_trace_k_pipe_put_blocking(...)
#endif
#ifndef sys_port_trace_k_pipe_put_exit
#define sys_port_trace_k_pipe_put_exit(...)
#endif
#ifndef sys_port_trace_k_pipe_read_blocking
#define sys_port_trace_k_pipe_read_blocking(...)
#endif
#ifndef sys_port_trace_k_pipe_read_exit
#define sys_port_trace_k_pipe_read_exit(...)
#endif
#ifndef sys_port_trace_k_pipe_write_blocking
#define sys_port_trace_k_pipe_write_blocking(...)
#endif
#ifndef sys_port_trace_k_pipe_write_exit
#define sys_port_trace_k_pipe_write_exit(...)
#endif
#ifndef sys_port_trace_k_queue_append_list_exit
#define sys_port_trace_k_queue_append_list_exit(...)
#endif
#ifndef sys_port_trace_k_queue_get_blocking
#define sys_port_trace_k_queue_get_blocking(...)
#endif
#ifndef sys_port_trace_k_queue_get_exit
#define sys_port_trace_k_queue_get_exit(...)
#endif
#ifndef sys_port_trace_k_queue_init
#define sys_port_trace_k_queue_init(...)
#endif
#ifndef sys_port_trace_k_queue_queue_insert_blocking
#define sys_port_trace_k_queue_queue_insert_blocking(...)
#endif
#ifndef sys_port_trace_k_queue_queue_insert_exit
#define sys_port_trace_k_queue_queue_insert_exit(...)
#endif
#ifndef sys_port_trace_k_queue_remove_exit
#define sys_port_trace_k_queue_remove_exit(...)
#endif
#ifndef sys_port_trace_k_sem_give_enter
#define sys_port_trace_k_sem_give_enter(...)
#endif
#ifndef sys_port_trace_k_sem_init
#define sys_port_trace_k_sem_init(...)
#endif
#ifndef sys_port_trace_k_sem_take_blocking
#define sys_port_trace_k_sem_take_blocking(...)
#endif
#ifndef sys_port_trace_k_sem_take_exit
#define sys_port_trace_k_sem_take_exit(...)
#endif
#ifndef sys_port_trace_k_stack_cleanup_exit
#define sys_port_trace_k_stack_cleanup_exit(...)
#endif
#ifndef sys_port_trace_k_stack_init
#define sys_port_trace_k_stack_init(...)
#endif
#ifndef sys_port_trace_k_stack_pop_blocking
#define sys_port_trace_k_stack_pop_blocking(...)
#endif
#ifndef sys_port_trace_k_stack_pop_exit
#define sys_port_trace_k_stack_pop_exit(...)
#endif
#ifndef sys_port_trace_k_stack_push_enter
#define sys_port_trace_k_stack_push_enter(...)
#endif
#ifndef sys_port_trace_k_stack_push_exit
#define sys_port_trace_k_stack_push_exit(...)
#endif
#ifndef sys_port_trace_k_thread_create
#define sys_port_trace_k_thread_create(...)
#endif
#ifndef sys_port_trace_k_thread_msleep_enter
#define sys_port_trace_k_thread_msleep_enter(...)
#endif
#ifndef sys_port_trace_k_thread_name_set
#define sys_port_trace_k_thread_name_set(...)
#endif
#ifndef sys_port_trace_k_thread_resume_enter
#define sys_port_trace_k_thread_resume_enter(...)
#endif
#ifndef sys_port_trace_k_thread_sched_abort
#define sys_port_trace_k_thread_sched_abort(...)
#endif
#ifndef sys_port_trace_k_thread_sched_pend
#define sys_port_trace_k_thread_sched_pend(...)
#endif
#ifndef sys_port_trace_k_thread_sched_priority_set
#define sys_port_trace_k_thread_sched_priority_set(...)
#endif
#ifndef sys_port_trace_k_thread_sched_ready
#define sys_port_trace_k_thread_sched_ready(...)
#endif
#ifndef sys_port_trace_k_thread_sleep_enter
#define sys_port_trace_k_thread_sleep_enter(...)
#endif
#ifndef sys_port_trace_k_thread_suspend_enter
#define sys_port_trace_k_thread_suspend_enter(...)
#endif
#ifndef sys_port_trace_k_thread_switched_in
#define sys_port_trace_k_thread_switched_in(...)
#endif
#ifndef sys_port_trace_k_thread_switched_out
#define sys_port_trace_k_thread_switched_out(...)
#endif
#ifndef sys_port_trace_k_thread_yield
#define sys_port_trace_k_thread_yield(...)
#endif
#ifndef sys_port_trace_k_timer_expiry_enter
#define sys_port_trace_k_timer_expiry_enter(...)
#endif
#ifndef sys_port_trace_k_timer_init
#define sys_port_trace_k_timer_init(...)
#endif
#ifndef sys_port_trace_k_timer_start
#define sys_port_trace_k_timer_start(...)
#endif
#ifndef sys_port_trace_k_timer_stop
#define sys_port_trace_k_timer_stop(...)
#endif
#ifndef sys_port_trace_k_work_init
#define sys_port_trace_k_work_init(...)
#endif
