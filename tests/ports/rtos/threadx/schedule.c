// SPDX-License-Identifier: MIT
// ThreadX' events and execution hooks in a simulated schedule.

#include "run.h"
#include "tx_api.h"

void _tx_execution_thread_enter(void);
void _tx_execution_thread_exit(void);
void _tx_execution_isr_enter(void);
void _tx_execution_isr_exit(void);

TX_THREAD *_tx_thread_current_ptr, *_tx_thread_execute_ptr;
ULONG _tx_thread_system_state;

static TX_THREAD low = {.tx_thread_name = "low"}, high = {.tx_thread_name = "high"};
static TX_MUTEX mutex = {.tx_mutex_name = "mutex"};
static TX_SEMAPHORE sema = {.tx_semaphore_name = "sema", .tx_semaphore_count = 1};
static TX_QUEUE queue = {"queue", 1, 0, 1};
static TX_EVENT_FLAGS_GROUP flags = {"flags", 0};

#ifdef TX_TRACE_IN_LINE_INSERT
#define EVENT(id, a, b, c, d) TX_TRACE_IN_LINE_INSERT(TX_TRACE_##id, a, b, c, d, 0)
#else
#define EVENT(id, a, b, c, d) (void)(a), (void)(b), (void)(c), (void)(d);
#endif

static void switch_to(TX_THREAD *thread) {
    _tx_thread_execute_ptr = thread;
    _tx_execution_thread_exit();
    _tx_thread_current_ptr = thread;
    if (thread) _tx_execution_thread_enter();
}

static void suspend(UINT state, const void *obj, ULONG info, TX_THREAD *next) {
    TX_THREAD *thread = _tx_thread_current_ptr;
    thread->tx_thread_state = state;
    thread->tx_thread_suspend_control_block = obj;
    thread->tx_thread_suspend_info = info;
    EVENT(THREAD_SUSPEND, thread, state, 0, 0)
    switch_to(next);
}

static void resume(TX_THREAD *thread, UINT status) {
    thread->tx_thread_suspend_status = status;
    EVENT(THREAD_RESUME, thread, thread->tx_thread_state, 0, 0)
    thread->tx_thread_state = TX_READY;
}

static void create(TX_THREAD *thread, ULONG priority) {
    (void)priority;
    EVENT(THREAD_CREATE, thread, priority, 0, 0)
    thread->tx_thread_state = TX_SUSPENDED;
    resume(thread, TX_SUCCESS);
}

static void beginnings(void) {
    _tx_thread_system_state = 1; // initialisation
    create(&low, 20);
    create(&high, 5);
    EVENT(MUTEX_CREATE, &mutex, 0, 0, 0)
    EVENT(SEMAPHORE_CREATE, &sema, 1, 0, 0)
    EVENT(QUEUE_CREATE, &queue, 4, 0, 4)
    EVENT(EVENT_FLAGS_CREATE, &flags, 0, 0, 0)
    _tx_thread_system_state = 0;
    switch_to(&high);
}

// Refused, waited for and timed out; given before the waiter's take; nested; given by another
// thread.
static void mutexes(void) {
    EVENT(MUTEX_GET, &mutex, 9, 0, 0)
    mutex.tx_mutex_owner = &high;
    mutex.tx_mutex_ownership_count = 1;
    EVENT(MUTEX_GET, &mutex, 9, 0, 1)
    mutex.tx_mutex_ownership_count = 2;
    suspend(TX_SLEEP, NULL, 0, &low);
    EVENT(MUTEX_GET, &mutex, TX_NO_WAIT, 0, 2)
    EVENT(MUTEX_PUT, &mutex, 0, 2, 0)
    EVENT(MUTEX_GET, &mutex, 9, 0, 2)
    suspend(TX_MUTEX_SUSP, &mutex, 0, NULL);
    _tx_thread_system_state = 1;
    _tx_execution_isr_enter();
    resume(&low, TX_NO_INSTANCE);
    _tx_execution_isr_exit();
    _tx_thread_system_state = 0;
    switch_to(&low);
    EVENT(MUTEX_GET, &mutex, 9, 0, 2)
    suspend(TX_MUTEX_SUSP, &mutex, 0, NULL);
    resume(&high, TX_SUCCESS);
    switch_to(&high);
    EVENT(MUTEX_PUT, &mutex, 0, 2, 0)
    mutex.tx_mutex_ownership_count = 1;
    EVENT(MUTEX_PUT, &mutex, 0, 1, 0)
    mutex.tx_mutex_owner = &low;
    resume(&low, TX_SUCCESS);
    EVENT(THREAD_RELINQUISH, &low, 0, 0, 0)
    switch_to(&low);
    EVENT(TIME_SLICE, &high, 0, 0, 0)
    switch_to(&high);
    switch_to(&high); // kept
    switch_to(&low);  // preempted
}

static void others(void) {
    EVENT(SEMAPHORE_GET, &sema, 5, 1, 0)
    sema.tx_semaphore_count = 0;
    EVENT(SEMAPHORE_GET, &sema, TX_NO_WAIT, 0, 0)
    suspend(TX_SEMAPHORE_SUSP, &sema, 0, &high);
    EVENT(SEMAPHORE_PUT, &sema, 0, 1, 0)
    resume(&low, TX_SUCCESS);
    EVENT(SEMAPHORE_CEILING_PUT, &sema, 3, 0, 3)
    EVENT(QUEUE_RECEIVE, &queue, 0, TX_NO_WAIT, 0)
    EVENT(QUEUE_SEND, &queue, 0, 9, 0)
    queue.tx_queue_enqueued = 1;
    queue.tx_queue_available_storage = 0;
    EVENT(QUEUE_SEND, &queue, 0, TX_NO_WAIT, 1)
    suspend(TX_QUEUE_SUSP, &queue, 0, &low);
    EVENT(QUEUE_RECEIVE, &queue, 0, 9, 1)
    resume(&high, TX_SUCCESS); // its message is in the queue
    EVENT(QUEUE_RECEIVE, &queue, 0, 9, 1)
    queue.tx_queue_enqueued = 0;
    suspend(TX_QUEUE_SUSP, &queue, 0, &high);
    resume(&low, TX_NO_INSTANCE);
    EVENT(EVENT_FLAGS_GET, &flags, 3, 0, TX_AND)
    suspend(TX_EVENT_FLAG, &flags, 3, &low);
    EVENT(EVENT_FLAGS_SET, &flags, 3, TX_OR, 1)
    flags.tx_event_flags_group_current = 3;
    resume(&high, TX_SUCCESS);
    EVENT(EVENT_FLAGS_GET, &flags, 5, 3, TX_OR)
    EVENT(EVENT_FLAGS_SET, &flags, ~2ul, TX_AND, 0)
    EVENT(THREAD_PRIORITY_CHANGE, &high, 7, 5, 0)
    suspend(TX_COMPLETED, NULL, 0, &high);
}

static void terminate(TX_THREAD *thread) {
    EVENT(THREAD_TERMINATE, thread, thread->tx_thread_state, 0, 0)
    const bool is_ready = thread->tx_thread_state == TX_READY;
    thread->tx_thread_state = TX_TERMINATED;
    if (is_ready) EVENT(THREAD_SUSPEND, thread, TX_TERMINATED, 0, 0)
    for (TX_MUTEX *m; (m = thread->tx_thread_owned_mutex_list) != NULL;) {
        m->tx_mutex_ownership_count = 1;
        EVENT(MUTEX_PUT, m, thread, 1, 0)
        m->tx_mutex_ownership_count = 0;
        m->tx_mutex_owner = NULL;
        thread->tx_thread_owned_mutex_list =
            m->tx_mutex_owned_next == m ? NULL : m->tx_mutex_owned_next;
        if (m->tx_mutex_owned_next != m)
            m->tx_mutex_owned_next->tx_mutex_owned_next = thread->tx_thread_owned_mutex_list;
    }
}

static TX_MUTEX second = {.tx_mutex_name = "second"};

static void hold_both(TX_THREAD *thread) {
    mutex.tx_mutex_owner = second.tx_mutex_owner = NULL;
    mutex.tx_mutex_ownership_count = second.tx_mutex_ownership_count = 0;
    EVENT(MUTEX_GET, &mutex, 9, 0, 0)
    EVENT(MUTEX_GET, &second, 9, 0, 0)
    mutex.tx_mutex_owner = second.tx_mutex_owner = thread;
    mutex.tx_mutex_ownership_count = second.tx_mutex_ownership_count = 1;
    mutex.tx_mutex_owned_next = &second;
    second.tx_mutex_owned_next = &mutex;
    thread->tx_thread_owned_mutex_list = &mutex;
}

// Mutexes of a thread that is terminated, or ends itself, are given. It restarts.
static void ends(void) {
    EVENT(MUTEX_CREATE, &second, 0, 0, 0)
    low.tx_thread_priority = 21;
    EVENT(THREAD_RESET, &low, TX_SUSPENDED, 0, 0)
    low.tx_thread_state = TX_SUSPENDED;
    resume(&low, TX_SUCCESS);
    suspend(TX_SLEEP, NULL, 0, &low);
    hold_both(&low);
    suspend(TX_SEMAPHORE_SUSP, &sema, 0, NULL);
    resume(&high, TX_SUCCESS);
    switch_to(&high);
    terminate(&low);
    terminate(&low); // has no effect
    hold_both(&high);
    terminate(&high);
    switch_to(NULL);
}

static void schedule(void) {
    beginnings();
    mutexes();
    others();
    ends();
}
