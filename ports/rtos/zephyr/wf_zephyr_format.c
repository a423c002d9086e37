// SPDX-License-Identifier: MIT
// Functions called by the macros of wf_zephyr_format.h, besides those of user tracing. README.md
// lists what is recorded.

#include <errno.h>
#include <zephyr/kernel.h>

#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"
#include "wf_zephyr_hooks.h"

#if WF_CFG_ON && !defined CONFIG_TRACING_USER

// Linked by --wrap, because Zephyr has its own functions of these names, weak or not by release.
void __real_sys_trace_isr_enter(void);
void __real_sys_trace_isr_exit(void);
void __real_sys_trace_isr_exit_to_scheduler(void);
void __wrap_sys_trace_isr_enter(void);
void __wrap_sys_trace_isr_exit(void);
void __wrap_sys_trace_isr_exit_to_scheduler(void);

#ifdef CONFIG_MP_MAX_NUM_CPUS
enum { WFI_CORES = CONFIG_MP_MAX_NUM_CPUS };
#else
enum { WFI_CORES = 1 };
#endif

// State of a message queue call that enter has recorded: its exit on the same core must not record
// it again. The lock is held in between.
static struct call {
    bool told;
    bool empty; // a get would wait
} calls[WFI_CORES];

static struct call *here(void) {
#ifdef CONFIG_SMP
    return &calls[arch_curr_cpu()->id];
#else
    return &calls[0];
#endif
}

static const void *self(void) { return wf_zephyr_self(); }

// ---- threads and interrupts

void wf_zephyr_thread_yield(void) { wf_zephyr_leaves(WF_SWITCH_yielded); }
void wf_zephyr_thread_sleep(void) { wf_zephyr_leaves(WF_SWITCH_delayed); }

void __wrap_sys_trace_isr_enter(void) {
    __real_sys_trace_isr_enter();
    wf_zephyr_isr_enter();
}

void __wrap_sys_trace_isr_exit(void) {
    wf_zephyr_isr_exit();
    __real_sys_trace_isr_exit();
}

void __wrap_sys_trace_isr_exit_to_scheduler(void) {
    wf_zephyr_isr_exit();
    __real_sys_trace_isr_exit_to_scheduler();
}

// ---- mutexes, semaphores, conditions, events

void wf_zephyr_mutex_wait(const void *obj) { WF_BY(mutex_wait, obj, self()); }
void wf_zephyr_sem_wait(const void *obj) { WF_BY(sema_wait, obj, self()); }

void wf_zephyr_cond_made(const void *obj) { WF_OBJECT(cond_create, obj); }
void wf_zephyr_cond_wait(const void *obj) { WF_BY(cond_wait, obj, self()); }
void wf_zephyr_cond_give(const void *obj, uint32_t threads) {
    WF_BY_N(cond_give, obj, self(), threads);
}

// The timeout of a wait for a condition has no record of its own: it is recorded as flags_timeout.
void wf_zephyr_cond_end(const void *obj, int ret) {
    if (ret == 0)
        WF_BY(cond_take, obj, self());
    else
        WF_BY(flags_timeout, obj, self());
}

void wf_zephyr_event_made(const void *obj) { WF_OBJECT(flags_create, obj); }

// A post changes the bits of mask: a set changes all bits, a clear posts none.
void wf_zephyr_event_post(const void *obj, uint32_t bits, uint32_t mask) {
    const uint32_t cleared = mask & ~bits;
    if (cleared) WF_BY_N(flags_clear, obj, self(), cleared);
    if (bits & mask) WF_BY_N(flags_give, obj, self(), bits & mask);
}

void wf_zephyr_event_wait(const void *obj, uint32_t bits) {
    WF_BY_N(flags_wait, obj, self(), bits);
}

void wf_zephyr_event_end(const void *obj, uint32_t asked, uint32_t got, bool waits) {
    if (got)
        WF_BY_N(flags_take, obj, self(), got);
    else if (waits && asked)
        WF_BY(flags_timeout, obj, self());
    else
        WF_BY_N(flags_refused, obj, self(), asked);
}

// ---- queues, stacks, message queues, mailboxes, pipes

// (sys_sflist_len came after 3.1)
uint32_t wf_zephyr_queue_length(const struct k_queue *queue) {
    struct k_queue *q = (struct k_queue *)(uintptr_t)queue;
    sys_sfnode_t *node;
    uint32_t length = 0;
    SYS_SFLIST_FOR_EACH_NODE(&q->data_q, node)++ length;
    return length;
}

void wf_zephyr_queue_made(const void *obj, uint32_t room) { WF_OBJECT_N(queue_create, obj, room); }
void wf_zephyr_queue_gone(const void *obj, int ret) {
    if (ret == 0) WF_OBJECT(queue_delete, obj);
}

void wf_zephyr_queue_send(const void *obj, uint32_t count) {
    WF_BY_N(queue_send, obj, self(), count);
}
void wf_zephyr_queue_send_wait(const void *obj) { WF_BY(queue_send_wait, obj, self()); }
void wf_zephyr_queue_send_failed(const void *obj, bool waits) {
    if (waits)
        WF_BY(queue_timeout, obj, self());
    else
        WF_BY(queue_send_refused, obj, self());
}
void wf_zephyr_queue_sent(const void *obj, uint32_t count, long ret, bool waits) {
    if (ret >= 0)
        wf_zephyr_queue_send(obj, count);
    else
        wf_zephyr_queue_send_failed(obj, waits);
}

void wf_zephyr_queue_receive(const void *obj, uint32_t count) {
    WF_BY_N(queue_receive, obj, self(), count);
}
void wf_zephyr_queue_receive_wait(const void *obj) { WF_BY(queue_receive_wait, obj, self()); }
void wf_zephyr_queue_receive_failed(const void *obj, bool waits) {
    if (waits)
        WF_BY(queue_timeout, obj, self());
    else
        WF_BY(queue_receive_refused, obj, self());
}
void wf_zephyr_queue_received(const void *obj, uint32_t count, long ret, bool waits) {
    if (ret >= 0)
        wf_zephyr_queue_receive(obj, count);
    else
        wf_zephyr_queue_receive_failed(obj, waits);
}

// If there is room it will succeed, and wake a receiver before its exit.
void wf_zephyr_msgq_put_enter(struct k_msgq *msgq) {
    here()->told = msgq->used_msgs < msgq->max_msgs;
    if (here()->told) wf_zephyr_queue_send(msgq, msgq->used_msgs + 1);
}

void wf_zephyr_msgq_put_end(struct k_msgq *msgq, int ret, bool waits) {
    if (!here()->told) wf_zephyr_queue_sent(msgq, msgq->used_msgs, ret, waits);
    here()->told = false;
}

void wf_zephyr_msgq_get_enter(struct k_msgq *msgq) {
    here()->told = msgq->used_msgs > 0;
    here()->empty = !here()->told;
    if (here()->told) wf_zephyr_queue_receive(msgq, msgq->used_msgs - 1);
}

// Also called when the get lets in a waiting sender, which in some releases may run before the exit
// of this get: so the thread is remembered. (If there are more such threads than entries, or two
// cores race for an entry, the receive is recorded twice.)
static const void *late[8];

static bool swap_late(const void *old, const void *now) {
    for (unsigned i = 0; i < sizeof late / sizeof *late; ++i) {
        if (late[i] != old) continue;
        late[i] = now;
        return true;
    }
    return false;
}

void wf_zephyr_msgq_get_wait(struct k_msgq *msgq) {
    if (here()->empty)
        wf_zephyr_queue_receive_wait(msgq);
    else if (self() && swap_late(NULL, self()))
        here()->told = false;
}

void wf_zephyr_msgq_get_end(struct k_msgq *msgq, int ret, bool waits) {
    if (self() && swap_late(self(), NULL)) return;
    if (!here()->told) wf_zephyr_queue_received(msgq, msgq->used_msgs, ret, waits);
    here()->told = false;
}

// As a receive that empties the queue.
void wf_zephyr_msgq_purge(struct k_msgq *msgq) {
    if (msgq->used_msgs) wf_zephyr_queue_receive(msgq, 0);
}

// ---- memory

void wf_zephyr_heap_made(const void *obj, uint32_t size) { WF_OBJECT_N(heap_create, obj, size); }
void wf_zephyr_heap_wait(const void *obj) { WF_BY(heap_wait, obj, self()); }

void wf_zephyr_heap_end(const void *obj, const void *block, uint32_t bytes, bool waits) {
    if (block)
        WF_BY_BLOCK(heap_alloc, obj, self(), block, bytes);
    else if (waits)
        WF_BY(heap_timeout, obj, self());
    else
        WF_BY_N(heap_refused, obj, self(), bytes);
}

// The size of the block is not known.
void wf_zephyr_heap_free(const void *obj, const void *block) {
    if (block) WF_BY_BLOCK(heap_free, obj, self(), block, 0);
}

// ---- timers

void wf_zephyr_timer_made(const void *obj) { WF_OBJECT_N(timer_create, obj, 0); }
void wf_zephyr_timer_start(const void *obj, uint32_t ticks) {
    WF_BY_N(timer_start, obj, self(), ticks);
}
void wf_zephyr_timer_stop(const void *obj) { WF_BY(timer_stop, obj, self()); }
void wf_zephyr_timer_expire(const void *obj) { WF_OBJECT(timer_expire, obj); }

#endif
