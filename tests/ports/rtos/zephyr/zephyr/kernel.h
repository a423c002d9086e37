// SPDX-License-Identifier: MIT
// Stand-in for Zephyr's kernel.h: the names used by the port, by the documentation. No text of
// Zephyr.
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t ticks;
} k_timeout_t;
struct k_thread {
    struct {
        int8_t prio;
    } base;
    const char *name;
#ifdef CONFIG_THREAD_STACK_INFO
    struct {
        uintptr_t start;
        size_t size;
    } stack_info;
#endif
};
struct k_mutex {
    struct k_thread *owner;
    uint32_t lock_count;
};
struct k_sem {
    unsigned int count, limit;
};
struct k_msgq {
    uint32_t max_msgs, used_msgs;
};

struct k_condvar {
    int any;
};
struct k_event {
    uint32_t events;
};
struct k_queue {
    struct list {
        struct node {
            struct node *next;
        } * head;
    } data_q;
};
struct k_stack {
    uintptr_t *next, *base, *top;
};
struct k_mbox {
    int any;
};
struct k_pipe {
    size_t bytes_used; // of older releases
    struct ring_buf {
        uint32_t used;
    } buf;
};
struct sys_heap {
    int any;
};
struct k_heap {
    struct sys_heap heap;
};
struct k_mem_slab {
    uint32_t unused;
#ifdef CONFIG_MEM_SLAB_TRACE_MAX_UTILIZATION
    uint32_t used, most;
#endif
};
struct k_timer {
    int any;
};

typedef struct node sys_sfnode_t;
#define SYS_SFLIST_FOR_EACH_NODE(list, at) for ((at) = (list)->head; (at); (at) = (at)->next)
static inline uint32_t ring_buf_size_get(const struct ring_buf *buf) { return buf->used; }
static inline uint32_t k_mem_slab_num_free_get(const struct k_mem_slab *slab) {
    return slab->unused;
}

#ifdef CONFIG_MEM_SLAB_TRACE_MAX_UTILIZATION
static inline uint32_t k_mem_slab_num_used_get(const struct k_mem_slab *slab) { return slab->used; }
static inline uint32_t k_mem_slab_max_used_get(const struct k_mem_slab *slab) { return slab->most; }
#endif

// Used by wf_zephyr_marks.h.
unsigned int irq_lock(void);
void irq_unlock(unsigned int was);
int k_thread_stack_space_get(const struct k_thread *thread, size_t *unused);
typedef void (*k_thread_user_cb_t)(const struct k_thread *thread, void *data);
void k_thread_foreach_unlocked(k_thread_user_cb_t function, void *data);

bool k_is_in_isr(void);
struct k_thread *k_current_get(void);
#define _current k_current_get()
const char *k_thread_name_get(struct k_thread *thread);

// Used by the drain thread.
#define CONFIG_WALLFLY_DRAIN_STACK 1024
typedef struct k_thread *k_tid_t;
typedef struct z_thread_stack_element {
    char bytes[8];
} k_thread_stack_t;
#define K_THREAD_STACK_DEFINE(name, size) k_thread_stack_t name[(size) / sizeof(k_thread_stack_t)]
#define K_THREAD_STACK_SIZEOF(name)       (sizeof(name))
#define K_LOWEST_APPLICATION_THREAD_PRIO  14
#define K_FOREVER                                                                                  \
    (k_timeout_t) { -1 }
#define K_NO_WAIT                                                                                  \
    (k_timeout_t) { 0 }
k_tid_t k_thread_create(struct k_thread *thread, k_thread_stack_t *stack, size_t size,
                        void (*entry)(void *, void *, void *), void *p1, void *p2, void *p3,
                        int prio, uint32_t options, k_timeout_t delay);
int k_thread_name_set(k_tid_t thread, const char *name);
int32_t k_msleep(int32_t ms);
int k_sem_init(struct k_sem *sem, unsigned int count, unsigned int limit);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);

void sys_trace_thread_create_user(struct k_thread *thread);
void sys_trace_thread_abort_user(struct k_thread *thread);
void sys_trace_thread_suspend_user(struct k_thread *thread);
void sys_trace_thread_resume_user(struct k_thread *thread);
void sys_trace_thread_priority_set_user(struct k_thread *thread, int prio);
void sys_trace_thread_sched_ready_user(struct k_thread *thread);
void sys_trace_thread_pend_user(struct k_thread *thread);
#ifdef ZEPHYR_3_1
void sys_trace_thread_switched_in_user(struct k_thread *thread);
void sys_trace_thread_switched_out_user(struct k_thread *thread);
void sys_trace_isr_enter_user(int nested);
void sys_trace_isr_exit_user(int nested);
#define GIVEN(argument) argument
#else
void sys_trace_thread_switched_in_user(void);
void sys_trace_thread_switched_out_user(void);
void sys_trace_isr_enter_user(void);
void sys_trace_isr_exit_user(void);
#define GIVEN(argument)
#endif
void sys_trace_thread_info_user(struct k_thread *thread);
void sys_trace_idle_user(void);
void sys_trace_k_thread_sleep_enter_user(k_timeout_t timeout);
void sys_trace_k_thread_msleep_enter_user(int32_t ms);
void sys_trace_k_thread_usleep_enter_user(int32_t us);
void sys_trace_k_mutex_init_user(struct k_mutex *mutex, int ret);
void sys_trace_k_mutex_lock_blocking_user(struct k_mutex *mutex, k_timeout_t timeout);
void sys_trace_k_mutex_lock_exit_user(struct k_mutex *mutex, k_timeout_t timeout, int ret);
void sys_trace_k_mutex_unlock_enter_user(struct k_mutex *mutex);
void sys_trace_k_sem_init_user(struct k_sem *sem, int ret);
void sys_trace_k_sem_take_blocking_user(struct k_sem *sem, k_timeout_t timeout);
void sys_trace_k_sem_take_exit_user(struct k_sem *sem, k_timeout_t timeout, int ret);
void sys_trace_k_sem_give_enter_user(struct k_sem *sem);
void sys_trace_k_msgq_init_user(struct k_msgq *msgq);
void sys_trace_k_msgq_put_blocking_user(struct k_msgq *msgq, k_timeout_t timeout);
void sys_trace_k_msgq_get_blocking_user(struct k_msgq *msgq, k_timeout_t timeout);
void sys_trace_k_msgq_put_exit_user(struct k_msgq *msgq, k_timeout_t timeout, int ret);
void sys_trace_k_msgq_get_exit_user(struct k_msgq *msgq, k_timeout_t timeout, int ret);

#endif
