// SPDX-License-Identifier: MIT
// The calls of wf_atomthreads.h at the places from the port's README.md, in a simulated schedule.

#include "atom.h"
#include "run.h"
#include "wf_atomthreads.h"

static ATOM_TCB *tcbReadyQ, *waiters, *curr_tcb;
static int atomIntCnt;
static struct { uint8_t count; } mutex, sem;
static struct { uint32_t num_msgs_stored; } queue;

static ATOM_TCB *atomCurrentContext(void) { return atomIntCnt ? NULL : curr_tcb; }

static void enqueue(ATOM_TCB **list, ATOM_TCB *tcb) {
    (void)list, (void)tcb;
    WF_ATOM_ENQUEUE(list, tcb);
}

static void create(ATOM_TCB *tcb, uint8_t priority, const char *name) {
    tcb->priority = priority;
    WF_ATOM_CREATE(tcb);
    enqueue(&tcbReadyQ, tcb);
    WF_NAME(tcb, name);
}

static void thread_switch(ATOM_TCB *next) {
    WF_ATOM_SWITCH(curr_tcb, next);
    next->suspended = 0;
    curr_tcb = next;
}

// atomSched, with the thread to run next.
static void sched(bool timer_tick, ATOM_TCB *next) {
    (void)timer_tick;
    WF_ATOM_SCHED(timer_tick);
    if (!curr_tcb->suspended && !curr_tcb->terminated && next != curr_tcb)
        enqueue(&tcbReadyQ, curr_tcb);
    if (next != curr_tcb || curr_tcb->suspended) thread_switch(next);
}

static void suspend(void) { curr_tcb->suspended = 1; }

static ATOM_TCB low, low2, high, idle;

static void beginnings(void) {
    create(&idle, 255, "idle");
    create(&low, 20, "low");
    create(&low2, 20, "low2");
    WF_ATOM_CREATED(mutex_create, &mutex);
    WF_OBJ_DICTIONARY(&mutex);
    sem.count = 1;
    WF_ATOM_CREATED_N(sema_create, &sem, sem.count);
    WF_OBJ_DICTIONARY(&sem);
    WF_ATOM_CREATED_N(queue_create, &queue, 4);
    WF_OBJ_DICTIONARY(&queue);
    WF_ATOM_START(&low);
    curr_tcb = &low;
}

// A time slice: at a tick, to a thread of equal priority; delays; a thread woken before it has
// switched away continues or is preempted, and has not left.
static void reasons(void) {
    sched(true, &low2);
    sched(true, &low);
    create(&high, 5, "high");
    sched(false, &high);
    suspend();
    WF_ATOM_DELAY();
    sched(false, &low);
    ++atomIntCnt;
    WF_ATOM_INT_ENTER(atomIntCnt);
    enqueue(&tcbReadyQ, &high);
    WF_ATOM_INT_EXIT(atomIntCnt);
    --atomIntCnt;
    sched(true, &high);
    suspend();
    WF_ATOM_WAIT(sema, &sem, 3); // no timer available: no wait
    curr_tcb->suspended = 0;
    suspend();
    WF_ATOM_DELAY();
    enqueue(&tcbReadyQ, &high);
    sched(false, &high); // itself: no switch
    suspend();
    sched(false, &low); // without a hook
    enqueue(&waiters, &high);
    enqueue(&tcbReadyQ, &high);
    sched(false, &high);
}

// A refused take is not a take; the give comes before the waiter's take, at once, and before the
// switch.
static void mutexes(void) {
    ++mutex.count;
    WF_ATOM_MUTEX_GOT(&mutex);
    ++mutex.count;
    WF_ATOM_MUTEX_GOT(&mutex); // nested
    suspend();
    WF_ATOM_DELAY();
    sched(false, &low);
    WF_ATOM_REFUSED(mutex, &mutex);
    suspend();
    WF_ATOM_WAIT(mutex, &mutex, ATOM_OK);
    enqueue(&waiters, &low);
    sched(false, &low2);
    enqueue(&tcbReadyQ, &low); // timed out
    sched(true, &low);
    WF_ATOM_WOKE(mutex, &mutex, ATOM_TIMEOUT);
    suspend();
    WF_ATOM_WAIT(mutex, &mutex, ATOM_OK);
    sched(false, &low2);
    enqueue(&tcbReadyQ, &high);
    sched(false, &high);
    --mutex.count;
    WF_ATOM_MUTEX_PUT(&mutex);
    --mutex.count;
    WF_ATOM_MUTEX_PUT(&mutex);
    WF_ATOM_MUTEX_PASS(&mutex, &low);
    enqueue(&tcbReadyQ, &low);
    suspend();
    WF_ATOM_DELAY();
    sched(false, &low);
    WF_ATOM_WOKE(mutex, &mutex, ATOM_OK);
    ++mutex.count;
    --mutex.count;
    WF_ATOM_MUTEX_PUT(&mutex);
    WF_ATOM_DELETED(mutex_delete, &mutex);
}

static void others(void) {
    --sem.count;
    WF_ATOM_SEM_GOT(&sem);
    WF_ATOM_REFUSED(sema, &sem);
    suspend();
    WF_ATOM_WAIT(sema, &sem, ATOM_OK);
    sched(false, &low2);
    ++atomIntCnt;
    WF_ATOM_INT_ENTER(atomIntCnt);
    WF_ATOM_SEM_PASS(&sem, &low);
    enqueue(&tcbReadyQ, &low);
    WF_ATOM_INT_EXIT(atomIntCnt);
    --atomIntCnt;
    sched(false, &low2);
    ++sem.count;
    WF_ATOM_SEM_PUT(&sem);
    WF_ATOM_DELETED(sema_delete, &sem);
    ++queue.num_msgs_stored;
    WF_ATOM_QUEUE_IN(&queue);
    --queue.num_msgs_stored;
    WF_ATOM_QUEUE_OUT(&queue);
    WF_ATOM_REFUSED(queue_receive, &queue);
    WF_ATOM_REFUSED(queue_send, &queue);
    suspend();
    WF_ATOM_WAIT(queue_receive, &queue, ATOM_OK);
    sched(false, &low);
    WF_ATOM_DELETED(queue_delete, &queue);
    enqueue(&tcbReadyQ, &low2);
    curr_tcb->terminated = 1;
    sched(false, &low2);
    WF_ATOM_WOKE(queue, &queue, 9);
}

static void schedule(void) {
    beginnings();
    reasons();
    mutexes();
    others();
}
