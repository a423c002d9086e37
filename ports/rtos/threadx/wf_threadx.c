// SPDX-License-Identifier: MIT
// Makes records of ThreadX' events and execution hooks. Events come at the start of a call: the
// state of the object shows whether the call will succeed. The thread shows how a wait ended, when
// it is resumed.

#include "tx_api.h"
#include "tx_thread.h"
#include "tx_trace.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"
#include "wf_threadx.h"

void _tx_execution_initialize(void);
void _tx_execution_thread_enter(void);
void _tx_execution_thread_exit(void);
void _tx_execution_isr_enter(void);
void _tx_execution_isr_exit(void);

#if WF_CFG_ON

static const TX_THREAD *running;
static uint8_t why;  // reason why it may leave: of WF_REASONS; 0: preempted
static bool hooked;  // the port calls the execution hooks
static uint8_t irqs; // nesting depth

static const void *self(void) {
    return TX_THREAD_GET_SYSTEM_STATE() ? NULL : _tx_thread_current_ptr;
}

static void runs(const TX_THREAD *thread) {
    if (thread != running) {
        unsigned left = !running ? WF_SWITCH_unknown : why ? why : WF_SWITCH_preempted;
        const TX_THREAD *from = running;
        running = thread;
        WF_TASK_SWITCH(from, thread, left);
    }
    why = 0;
}

// ---- the execution hooks, called by assembler without arguments

void _tx_execution_initialize(void) {}

void _tx_execution_thread_enter(void) {
    hooked = true;
    runs(_tx_thread_current_ptr);
}

// Idle, if no thread is ready; otherwise the next hook shows which thread runs.
void _tx_execution_thread_exit(void) {
    hooked = true;
    if (!_tx_thread_execute_ptr) runs(NULL);
}

void _tx_execution_isr_enter(void) {
    ++irqs;
    WF_IRQ_ENTER(WF_IRQ_NUMBER(), irqs);
}

void _tx_execution_isr_exit(void) {
    WF_IRQ_EXIT(WF_IRQ_NUMBER(), irqs);
    if (irqs) --irqs; // 0: there was no enter
}

// ---- threads

static void waits(const TX_THREAD *thread) {
    const void *obj = thread->tx_thread_suspend_control_block;
    switch (thread->tx_thread_state) {
    case TX_MUTEX_SUSP: WF_BY(mutex_wait, obj, thread); break;
    case TX_SEMAPHORE_SUSP: WF_BY(sema_wait, obj, thread); break;
    case TX_EVENT_FLAG:
        WF_BY_N(flags_wait, obj, thread, (uint32_t)thread->tx_thread_suspend_info);
        break;
    case TX_BLOCK_MEMORY:
    case TX_BYTE_MEMORY: WF_BY(heap_wait, obj, thread); break;
    case TX_QUEUE_SUSP: // an empty queue: for messages, else for room
        if (((const TX_QUEUE *)obj)->tx_queue_enqueued)
            WF_BY(queue_send_wait, obj, thread);
        else
            WF_BY(queue_receive_wait, obj, thread);
        break;
    default: break;
    }
}

static void suspended(const TX_THREAD *thread, unsigned state) {
    unsigned reason = state == TX_SLEEP                                 ? WF_SWITCH_delayed
                      : state == TX_SUSPENDED                           ? WF_SWITCH_suspended
                      : state == TX_COMPLETED || state == TX_TERMINATED ? WF_SWITCH_ended
                                                                        : WF_SWITCH_blocked;
    if (state == TX_PRIORITY_CHANGE) return; // moves between two ready lists
    if (thread == _tx_thread_current_ptr) why = (uint8_t)reason;
    waits(thread);
    if (reason == WF_SWITCH_suspended) WF_TASK_SUSPEND(thread);
    if (reason == WF_SWITCH_ended) WF_TASK_DELETE(thread);
}

// The object is handed over before the thread is resumed.
static void got(const TX_THREAD *thread, unsigned state) {
    const void *obj = thread->tx_thread_suspend_control_block;
    switch (state) {
    case TX_MUTEX_SUSP: WF_BY_N(mutex_take, obj, thread, 1); break;
    case TX_SEMAPHORE_SUSP: WF_BY_N(sema_take, obj, thread, 0); break;
    case TX_EVENT_FLAG:
        WF_BY_N(flags_take, obj, thread, (uint32_t)thread->tx_thread_suspend_info);
        break;
    case TX_QUEUE_SUSP:
        if (((const TX_QUEUE *)obj)->tx_queue_enqueued)
            WF_BY_N(queue_send, obj, thread, ((const TX_QUEUE *)obj)->tx_queue_enqueued);
        else
            WF_BY_N(queue_receive, obj, thread, 0);
        break;
    default: break;
    }
}

static void gave_up(const TX_THREAD *thread, unsigned state) {
    const void *obj = thread->tx_thread_suspend_control_block;
    switch (state) {
    case TX_MUTEX_SUSP: WF_BY(mutex_timeout, obj, thread); break;
    case TX_SEMAPHORE_SUSP: WF_BY(sema_timeout, obj, thread); break;
    case TX_EVENT_FLAG: WF_BY(flags_timeout, obj, thread); break;
    case TX_QUEUE_SUSP: WF_BY(queue_timeout, obj, thread); break;
    case TX_BLOCK_MEMORY:
    case TX_BYTE_MEMORY: WF_BY(heap_timeout, obj, thread); break;
    default: break;
    }
}

static void resumed(const TX_THREAD *thread, unsigned state) {
    if (state == TX_PRIORITY_CHANGE) return;
    if (thread->tx_thread_suspend_status == TX_SUCCESS)
        got(thread, state);
    else
        gave_up(thread, state);
    if (thread == _tx_thread_current_ptr && thread == running)
        why = 0; // it has not been switched out yet
    else
        WF_TASK_READY(thread);
}

// A ready thread is suspended after this, which records its end; for other threads no event
// follows.
static void terminated(const TX_THREAD *thread, unsigned state) {
    if (state != TX_READY && state != TX_COMPLETED && state != TX_TERMINATED)
        WF_TASK_DELETE(thread);
}

// ---- calls on objects

static void mutex_get(const TX_MUTEX *m, unsigned long option) {
    if (!m->tx_mutex_ownership_count || m->tx_mutex_owner == self())
        WF_BY_N(mutex_take, m, self(), (uint8_t)(m->tx_mutex_ownership_count + 1));
    else if (option == TX_NO_WAIT)
        WF_BY(mutex_refused, m, self());
}

// A put by another thread fails, unless the kernel releases the mutexes of a terminated thread.
static void mutex_put(const TX_MUTEX *m) {
    const TX_THREAD *owner = m->tx_mutex_owner;
    if (!m->tx_mutex_ownership_count) return;
    if (owner && owner->tx_thread_state == TX_TERMINATED)
        WF_BY_N(mutex_give, m, NULL, 0);
    else if (owner == self())
        WF_BY_N(mutex_give, m, owner, (uint8_t)(m->tx_mutex_ownership_count - 1));
}

static void semaphore_get(const TX_SEMAPHORE *s, unsigned long option) {
    if (s->tx_semaphore_count)
        WF_BY_N(sema_take, s, self(), (uint32_t)(s->tx_semaphore_count - 1));
    else if (option == TX_NO_WAIT)
        WF_BY(sema_refused, s, self());
}

static void queue_send(const TX_QUEUE *q, unsigned long option) {
    if (q->tx_queue_available_storage)
        WF_BY_N(queue_send, q, self(), (uint32_t)(q->tx_queue_enqueued + 1));
    else if (option == TX_NO_WAIT)
        WF_BY(queue_send_refused, q, self());
}

static void queue_receive(const TX_QUEUE *q, unsigned long option) {
    if (q->tx_queue_enqueued)
        WF_BY_N(queue_receive, q, self(), (uint32_t)(q->tx_queue_enqueued - 1));
    else if (option == TX_NO_WAIT)
        WF_BY(queue_receive_refused, q, self());
}

static void flags_get(const TX_EVENT_FLAGS_GROUP *g, unsigned long bits, bool all) {
    unsigned long set = g->tx_event_flags_group_current & bits;
    if (all ? set == bits : set != 0) WF_BY_N(flags_take, g, self(), (uint32_t)bits);
}

static void flags_set(const TX_EVENT_FLAGS_GROUP *g, unsigned long bits, bool clears) {
    if (clears)
        WF_BY_N(flags_clear, g, self(), (uint32_t)~bits);
    else
        WF_BY_N(flags_give, g, self(), (uint32_t)bits);
}

// An object and its name.
#define WFI_CREATED(type, name)                                                                    \
    do {                                                                                           \
        WF_OBJECT(type##_create, a);                                                               \
        WF_NAME(a, name);                                                                          \
    } while (0)
#define WFI_CREATED_N(type, n, name)                                                               \
    do {                                                                                           \
        WF_OBJECT_N(type##_create, a, n);                                                          \
        WF_NAME(a, name);                                                                          \
    } while (0)

static void object_event(unsigned id, const void *a, unsigned long b, unsigned long c,
                         unsigned long d) {
    switch (id) {
    case TX_TRACE_MUTEX_CREATE: WFI_CREATED(mutex, ((const TX_MUTEX *)a)->tx_mutex_name); break;
    case TX_TRACE_MUTEX_DELETE: WF_OBJECT(mutex_delete, a); break;
    case TX_TRACE_MUTEX_GET: mutex_get(a, b); break;
    case TX_TRACE_MUTEX_PUT: mutex_put(a); break;
    case TX_TRACE_SEMAPHORE_CREATE:
        WFI_CREATED_N(sema, b, ((const TX_SEMAPHORE *)a)->tx_semaphore_name);
        break;
    case TX_TRACE_SEMAPHORE_DELETE: WF_OBJECT(sema_delete, a); break;
    case TX_TRACE_SEMAPHORE_GET: semaphore_get(a, b); break;
    case TX_TRACE_SEMAPHORE_PUT: WF_BY_N(sema_give, a, self(), (uint32_t)(b + 1)); break;
    case TX_TRACE_SEMAPHORE_CEILING_PUT: // fails at the ceiling, unless a thread waits
        if (c || b < d) WF_BY_N(sema_give, a, self(), (uint32_t)(b + 1));
        break;
    case TX_TRACE_QUEUE_CREATE:
        WFI_CREATED_N(queue, ((const TX_QUEUE *)a)->tx_queue_capacity,
                      ((const TX_QUEUE *)a)->tx_queue_name);
        break;
    case TX_TRACE_QUEUE_DELETE: WF_OBJECT(queue_delete, a); break;
    case TX_TRACE_QUEUE_FRONT_SEND:
    case TX_TRACE_QUEUE_SEND: queue_send(a, c); break;
    case TX_TRACE_QUEUE_RECEIVE: queue_receive(a, c); break;
    case TX_TRACE_EVENT_FLAGS_CREATE:
        WFI_CREATED(flags, ((const TX_EVENT_FLAGS_GROUP *)a)->tx_event_flags_group_name);
        break;
    case TX_TRACE_EVENT_FLAGS_GET: flags_get(a, b, (d & TX_AND) != 0); break;
    case TX_TRACE_EVENT_FLAGS_SET: flags_set(a, b, (c & TX_AND) != 0); break;
    case TX_TRACE_EVENT_FLAGS_DELETE: WF_OBJECT(flags_delete, a); break;
    default: break;
    }
}

static void thread_event(unsigned id, const void *a, unsigned long b) {
    const TX_THREAD *thread = a;
    switch (id) {
    case TX_TRACE_THREAD_CREATE: WF_TASK_CREATE(thread, b, thread->tx_thread_name); break;
    case TX_TRACE_THREAD_RESET: // it had ended
        WF_TASK_CREATE(thread, thread->tx_thread_priority, thread->tx_thread_name);
        break;
    case TX_TRACE_THREAD_TERMINATE: terminated(thread, (unsigned)b); break;
    case TX_TRACE_THREAD_RESUME: resumed(thread, (unsigned)b); break;
    case TX_TRACE_THREAD_SUSPEND: suspended(thread, (unsigned)b); break;
    case TX_TRACE_THREAD_PRIORITY_CHANGE: WF_TASK_PRIORITY(thread, b); break;
    case TX_TRACE_THREAD_RELINQUISH: why = WF_SWITCH_yielded; break;
    case TX_TRACE_TIME_SLICE: why = WF_SWITCH_sliced; break;
    default: break;
    }
}

// Some ports do not call the execution hooks; then the thread's first event shows a switch.
void wf_threadx_event(unsigned id, const void *a, unsigned long b, unsigned long c,
                      unsigned long d) {
    if (!hooked && !TX_THREAD_GET_SYSTEM_STATE() && _tx_thread_current_ptr)
        runs(_tx_thread_current_ptr);
    thread_event(id, a, b);
    object_event(id, a, b, c, d);
}

#else
void _tx_execution_initialize(void) {}
void _tx_execution_thread_enter(void) {}
void _tx_execution_thread_exit(void) {}
void _tx_execution_isr_enter(void) {}
void _tx_execution_isr_exit(void) {}
#endif
