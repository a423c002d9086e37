// SPDX-License-Identifier: MIT
// Zephyr's tracing macros in a simulated schedule, replaced by those of the format header: each
// function below expands them as the kernel's function of that name does, with its local variables.

#include <errno.h>
#include <zephyr/kernel.h>
#ifdef FORMAT_OLDER
#include <zephyr/tracing/tracing.h>
#else
#include "wf_zephyr_format.h"
#if !WF_CFG_ON
#include <zephyr/tracing/tracing_hooks.h>
#endif
#endif

#include "run.h"
#include "wallfly/wf_rtos.h"

static struct k_thread *current;
static bool in_isr;
static struct k_thread low = {{5}, "low"}, high = {{-1}, "high"};
static const k_timeout_t forever = {-1}, no_wait = {0}, ten = {10};

void sys_trace_isr_enter(void);
void sys_trace_isr_exit(void);
void sys_trace_isr_exit_to_scheduler(void);
void hooked_isr_enter(void);
void hooked_isr_exit(void);

static void fill(struct k_queue *queue, unsigned items) {
    static struct node nodes[4];
    for (unsigned i = 0; i < items; ++i) nodes[i].next = i + 1 < items ? &nodes[i + 1] : NULL;
    queue->data_q.head = items ? nodes : NULL;
}

bool k_is_in_isr(void) { return in_isr; }
struct k_thread *k_current_get(void) {
    return current;
}
const char *k_thread_name_get(struct k_thread *thread) { return thread->name; }

static void ready(struct k_thread *thread) {
    (void)thread;
    sys_port_trace_k_thread_sched_ready(thread);
}

static void switch_to(struct k_thread *thread) {
    sys_port_trace_k_thread_switched_out();
    current = thread;
    sys_port_trace_k_thread_switched_in();
}

static void pend(struct k_thread *next) {
    sys_port_trace_k_thread_sched_pend(current);
    switch_to(next);
}

static void threads(void) {
    sys_port_trace_k_thread_create(&low);
    sys_port_trace_k_thread_create(&high);
    sys_port_trace_k_thread_name_set(&high, 0);
    sys_port_trace_k_thread_name_set(&high, -ENOSYS);
    ready(&low);
    switch_to(&low);
    ready(&high);
    switch_to(&high);
    sys_port_trace_k_thread_msleep_enter(5);
    switch_to(&low);
    in_isr = true;
    hooked_isr_enter();
    ready(&high);
    hooked_isr_exit();
    in_isr = false;
    switch_to(&high);
    sys_port_trace_k_thread_yield();
    switch_to(&low);
    sys_port_trace_k_thread_sched_priority_set(&high, -2);
    sys_port_trace_k_thread_suspend_enter(&high);
    sys_port_trace_k_thread_resume_enter(&high);
    ready(&high);
    switch_to(&high);
    sys_port_trace_k_work_init(&low); // the work is empty
}

// high waits for a mutex of low, which gives it or does not.
static void mutexes(void) {
    static struct k_mutex mutex;
    sys_port_trace_k_mutex_init(&mutex, 0);
    WF_OBJ_DICTIONARY(&mutex);
    sys_port_trace_k_thread_sleep_enter(forever);
    switch_to(&low);
    mutex.owner = &low;
    mutex.lock_count = 1;
    sys_port_trace_k_mutex_lock_exit(&mutex, forever, 0);
    ready(&high);
    switch_to(&high);
    sys_port_trace_k_mutex_lock_exit(&mutex, no_wait, -EBUSY);
    sys_port_trace_k_mutex_lock_blocking(&mutex, ten);
    pend(&low);
    ready(&high);
    switch_to(&high);
    sys_port_trace_k_mutex_lock_exit(&mutex, ten, -EAGAIN);
    sys_port_trace_k_mutex_lock_blocking(&mutex, forever);
    pend(&low);
    sys_port_trace_k_mutex_unlock_enter(&mutex);
    mutex.owner = &high;
    ready(&high);
    switch_to(&high);
    sys_port_trace_k_mutex_lock_exit(&mutex, forever, 0);
    (void)forever, (void)no_wait, (void)ten;
}

static void semaphores(void) {
    static struct k_sem sem = {0, 1};
    sys_port_trace_k_sem_init(&sem, 0);
    WF_OBJ_DICTIONARY(&sem);
    sys_port_trace_k_sem_take_exit(&sem, no_wait, -EBUSY);
    sys_port_trace_k_sem_take_blocking(&sem, forever);
    pend(&low);
    sys_port_trace_k_sem_give_enter(&sem);
    ready(&high);
    switch_to(&high);
    sys_port_trace_k_sem_take_exit(&sem, forever, 0);
    sem.count = 1;
    sys_port_trace_k_sem_give_enter(&sem); // at its limit
}

static void conditions(void) {
    static struct k_condvar cond;
    sys_port_trace_k_condvar_init(&cond, 0);
    WF_OBJ_DICTIONARY(&cond);
    sys_port_trace_k_condvar_wait_enter(&cond);
    pend(&low);
    sys_port_trace_k_condvar_signal_enter(&cond);
    ready(&high);
    switch_to(&high);
    sys_port_trace_k_condvar_wait_exit(&cond, 0);
    sys_port_trace_k_condvar_wait_enter(&cond, ten);
    sys_port_trace_k_condvar_wait_exit(&cond, ten, -EAGAIN); // newer
    sys_port_trace_k_condvar_broadcast_enter(&cond);
    (void)cond;
}

static void event_exit(struct k_event *event, uint32_t events, uint32_t got, k_timeout_t timeout) {
    (void)event, (void)events, (void)got, (void)timeout;
    sys_port_trace_k_event_wait_exit(event, events, got);
}

static void events(void) {
    static struct k_event event;
    sys_port_trace_k_event_init(&event);
    WF_OBJ_DICTIONARY(&event);
    event_exit(&event, 6, 0, no_wait);
    sys_port_trace_k_event_wait_blocking(&event, 6, 0, forever);
    pend(&low);
    sys_port_trace_k_event_post_enter(&event, 2, 2);
    ready(&high);
    switch_to(&high);
    event_exit(&event, 6, 2, forever);
    sys_port_trace_k_event_post_enter(&event, 0, 2); // clear bits
    sys_port_trace_k_event_wait_blocking(&event, 6, 0, ten);
    event_exit(&event, 6, 0, ten);
}

// Also for a fifo and a lifo, which have the address of their queue.
static void queues(void) {
    static struct k_queue queue;
    static int any;
    void *item = &any;
    sys_port_trace_k_queue_init(&queue);
    WF_OBJ_DICTIONARY(&queue);
    sys_port_trace_k_fifo_put_enter(&queue, item);
    sys_port_trace_k_queue_queue_insert_blocking(&queue, false, forever);
    fill(&queue, 1);
    sys_port_trace_k_queue_queue_insert_exit(&queue, false, 0);
    fill(&queue, 0);
    sys_port_trace_k_queue_get_exit(&queue, forever, item);
    sys_port_trace_k_queue_get_blocking(&queue, no_wait); // does not block
    sys_port_trace_k_queue_get_exit(&queue, no_wait, NULL);
    sys_port_trace_k_queue_get_blocking(&queue, forever);
    pend(&low);
    sys_port_trace_k_queue_queue_insert_blocking(&queue, false, forever);
    ready(&high);
    switch_to(&high);
    sys_port_trace_k_queue_get_exit(&queue, forever, item);
    sys_port_trace_k_queue_queue_insert_exit(&queue, true, -ENOMEM);
    fill(&queue, 3);
    sys_port_trace_k_queue_append_list_exit(&queue, 0);
    fill(&queue, 2);
    sys_port_trace_k_queue_remove_exit(&queue, true);
    (void)item;
}

static void stacks(void) {
    static uintptr_t cells[1];
    static struct k_stack stack = {cells, cells, cells + 1};
    sys_port_trace_k_stack_init(&stack);
    WF_OBJ_DICTIONARY(&stack);
    sys_port_trace_k_stack_pop_blocking(&stack, no_wait); // does not block
    sys_port_trace_k_stack_pop_exit(&stack, no_wait, -EBUSY);
    sys_port_trace_k_stack_pop_blocking(&stack, ten);
    sys_port_trace_k_stack_pop_exit(&stack, ten, -EAGAIN);
    sys_port_trace_k_stack_push_enter(&stack);
    ++stack.next;
    sys_port_trace_k_stack_push_exit(&stack, 0);
    sys_port_trace_k_stack_push_enter(&stack); // full
    sys_port_trace_k_stack_push_exit(&stack, -ENOMEM);
    --stack.next;
    sys_port_trace_k_stack_pop_exit(&stack, forever, 0);
    sys_port_trace_k_stack_cleanup_exit(&stack, 0);
}

// A waiting receiver is handed the message; a waiting sender continues when a receiver takes one.
static void messages(void) {
    static struct k_msgq msgq = {1, 0};
    sys_port_trace_k_msgq_init(&msgq);
    WF_OBJ_DICTIONARY(&msgq);
    sys_port_trace_k_msgq_get_enter(&msgq, no_wait);
    sys_port_trace_k_msgq_get_exit(&msgq, no_wait, -ENOMSG);
    sys_port_trace_k_msgq_get_enter(&msgq, forever);
    sys_port_trace_k_msgq_get_blocking(&msgq, forever);
    pend(&low);
    sys_port_trace_k_msgq_put_enter(&msgq, forever);
    ready(&high);
    sys_port_trace_k_msgq_put_exit(&msgq, forever, 0);
    switch_to(&high);
    sys_port_trace_k_msgq_get_exit(&msgq, forever, 0);
    sys_port_trace_k_msgq_put_front_enter(&msgq, no_wait);
    msgq.used_msgs = 1;
    sys_port_trace_k_msgq_put_front_exit(&msgq, no_wait, 0);
    sys_port_trace_k_msgq_put_enter(&msgq, no_wait);
    sys_port_trace_k_msgq_put_exit(&msgq, no_wait, -ENOMSG);
    sys_port_trace_k_msgq_put_enter(&msgq, forever);
    sys_port_trace_k_msgq_put_blocking(&msgq, forever);
    pend(&low);
    sys_port_trace_k_msgq_get_enter(&msgq, forever);
    msgq.used_msgs = 0;
    sys_port_trace_k_msgq_get_blocking(&msgq, forever); // no task waits
    msgq.used_msgs = 1;
    ready(&high);
    switch_to(&high);
    sys_port_trace_k_msgq_put_exit(&msgq, forever, 0);
    switch_to(&low);
    sys_port_trace_k_msgq_get_exit(&msgq, forever, 0);
    sys_port_trace_k_msgq_put_enter(&msgq, ten);
    sys_port_trace_k_msgq_put_blocking(&msgq, ten);
    sys_port_trace_k_msgq_put_exit(&msgq, ten, -EAGAIN);
    sys_port_trace_k_msgq_purge(&msgq);
    msgq.used_msgs = 0;
    sys_port_trace_k_msgq_cleanup_exit(&msgq, 0);
    ready(&high);
    switch_to(&high);
}

static void mailboxes(void) {
    static struct k_mbox mbox;
    sys_port_trace_k_mbox_init(&mbox);
    WF_OBJ_DICTIONARY(&mbox);
    sys_port_trace_k_mbox_message_put_exit(&mbox, no_wait, -ENOMSG);
    sys_port_trace_k_mbox_message_put_blocking(&mbox, forever);
    pend(&low);
    sys_port_trace_k_mbox_get_exit(&mbox, forever, 0);
    ready(&high);
    switch_to(&high);
    sys_port_trace_k_mbox_message_put_exit(&mbox, forever, 0);
    sys_port_trace_k_mbox_get_blocking(&mbox, ten);
    sys_port_trace_k_mbox_get_exit(&mbox, ten, -EAGAIN);
    (void)mbox;
}

static void pipe_write(struct k_pipe *pipe, int ret, k_timeout_t timeout) {
    (void)pipe, (void)ret, (void)timeout;
    sys_port_trace_k_pipe_write_exit(pipe, ret);
}

static void pipe_read(struct k_pipe *pipe, int ret, k_timeout_t timeout) {
    (void)pipe, (void)ret, (void)timeout;
    sys_port_trace_k_pipe_read_exit(pipe, ret);
}

static void pipes(void) {
    static struct k_pipe pipe, old;
    static uint8_t buffer[8];
    sys_port_trace_k_pipe_init(&pipe, buffer, sizeof buffer);
    WF_OBJ_DICTIONARY(&pipe);
    pipe.buf.used = 5;
    pipe_write(&pipe, 5, no_wait);
    sys_port_trace_k_pipe_write_blocking(&pipe, ten);
    pipe_write(&pipe, -EAGAIN, ten);
    pipe.buf.used = 1;
    pipe_read(&pipe, 4, no_wait);
    sys_port_trace_k_pipe_read_blocking(&pipe, ten);
    pipe_read(&pipe, -EAGAIN, no_wait);
    sys_port_trace_k_pipe_init(&old);
    WF_OBJ_DICTIONARY(&old);
    old.bytes_used = 3;
    sys_port_trace_k_pipe_put_blocking(&old, no_wait); // does not block
    sys_port_trace_k_pipe_put_exit(&old, no_wait, 0);
    sys_port_trace_k_pipe_get_blocking(&old, ten);
    sys_port_trace_k_pipe_get_exit(&old, ten, -EAGAIN);
    sys_port_trace_k_pipe_cleanup_exit(&old, 0);
    (void)buffer;
}

static void heap_init(struct k_heap *h, size_t bytes) {
    (void)h, (void)bytes;
    sys_port_trace_k_heap_init(h);
}

// A heap's allocation is recorded once, with one hook of Zephyr's or two, and so is the wait.
static void heap_alloc(struct k_heap *h, size_t bytes, k_timeout_t timeout, void *ret, bool wait) {
    (void)h, (void)bytes, (void)timeout, (void)ret;
    if (wait) {
        sys_port_trace_k_heap_aligned_alloc_blocking(h, timeout);
    }
    sys_port_trace_k_heap_aligned_alloc_exit(h, timeout, ret);
#ifdef FORMAT_OLDER
    sys_port_trace_k_heap_alloc_exit(h, timeout, ret);
#endif
}

static void heap_free(struct k_heap *h, void *mem) {
    (void)h, (void)mem;
    sys_port_trace_k_heap_free(h);
}

static void slab_alloc(struct k_mem_slab *slab, void **mem, k_timeout_t timeout, int result) {
    (void)slab, (void)mem, (void)timeout, (void)result;
    sys_port_trace_k_mem_slab_alloc_exit(slab, timeout, result);
}

static void slab_free(struct k_mem_slab *slab, void *mem) {
    (void)slab, (void)mem;
    sys_port_trace_k_mem_slab_free_enter(slab);
}

static void slab_free_older(struct k_mem_slab *slab, void **mem) {
    (void)slab, (void)mem;
    sys_port_trace_k_mem_slab_free_enter(slab);
}

static void memory(void) {
    static struct k_heap heap;
    static struct k_mem_slab slab = {2};
    static uint8_t block;
    void *mem = &block;
    heap_init(&heap, 100);
    WF_OBJ_DICTIONARY(&heap);
    WF_OBJ_DICTIONARY(&block);
    heap_alloc(&heap, 40, no_wait, &block, false);
    heap_alloc(&heap, 70, no_wait, NULL, false);
    heap_alloc(&heap, 80, ten, NULL, true);
    heap_free(&heap, &block);
    sys_port_trace_k_mem_slab_init(&slab, 0);
    WF_OBJ_DICTIONARY(&slab);
    slab_alloc(&slab, &mem, no_wait, 0);
    slab_free(&slab, mem);
    slab_alloc(&slab, &mem, no_wait, 0);
    slab_free_older(&slab, &mem);
    slab_alloc(&slab, &mem, no_wait, -ENOMEM);
    sys_port_trace_k_mem_slab_alloc_blocking(&slab, ten);
    slab_alloc(&slab, &mem, ten, -EAGAIN);
}

static void timer_start_older(struct k_timer *timer, k_timeout_t duration) {
    (void)timer, (void)duration;
    sys_port_trace_k_timer_start(timer);
}

static void timers(void) {
    static struct k_timer timer;
    sys_port_trace_k_timer_init(&timer);
    WF_OBJ_DICTIONARY(&timer);
    sys_port_trace_k_timer_start(&timer, ten, no_wait);
    timer_start_older(&timer, (k_timeout_t){20});
    sys_port_trace_k_timer_expiry_enter(&timer);
    sys_port_trace_k_timer_stop(&timer);
    (void)timer;
}

static void schedule(void) {
    threads();
    mutexes();
    semaphores();
    conditions();
    events();
    queues();
    stacks();
    messages();
    mailboxes();
    pipes();
    memory();
    timers();
    sys_port_trace_k_thread_sched_abort(&high);
    switch_to(&low);
}
