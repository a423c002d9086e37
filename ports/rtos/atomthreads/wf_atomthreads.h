// SPDX-License-Identifier: MIT
// Hooks for Atomthreads, which has none of its own: README.md lists the place of each call in the
// kernel's sources. All are called with interrupts off, except WOKE and those of interrupts.
#ifndef WF_ATOMTHREADS_H
#define WF_ATOMTHREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "../wf_irq_number.h"
#include "wallfly/wf_rtos.h"

#ifdef __cplusplus
extern "C" {
#endif

void wf_atom_start(const void *thread);
void wf_atom_switch(const void *from, const void *to, int from_prio, int to_prio, bool suspended,
                    bool ended);
void wf_atom_sched(bool tick);
void wf_atom_ready(const void *thread);
void wf_atom_leaves(unsigned why);

#if WF_CFG_ON
#define WFI_ATOM(call) call
#else
#define WFI_ATOM(call)                                                                             \
    do {                                                                                           \
    } while (0)
#endif
#define WFI_ATOM_SELF() ((const void *)atomCurrentContext())

// ---- atomkernel.c

#define WF_ATOM_START(tcb)        WFI_ATOM(wf_atom_start(tcb))
#define WF_ATOM_CREATE(tcb)       WF_TASK_CREATE((tcb), (tcb)->priority, NULL)
#define WF_ATOM_SCHED(timer_tick) WFI_ATOM(wf_atom_sched((timer_tick) != 0))
#define WF_ATOM_SWITCH(from, to)                                                                   \
    WFI_ATOM(wf_atom_switch((from), (to), (from)->priority, (to)->priority,                        \
                            (from)->suspended != 0, (from)->terminated != 0))
// Called for every queue of threads; only the ready queue is recorded.
#define WF_ATOM_ENQUEUE(queue, tcb)                                                                \
    WFI_ATOM(do {                                                                                  \
        if ((queue) == &tcbReadyQ) wf_atom_ready(tcb);                                             \
    } while (0))
#define WF_ATOM_INT_ENTER(count) WF_IRQ_ENTER(WF_IRQ_NUMBER(), (count))
#define WF_ATOM_INT_EXIT(count)  WF_IRQ_EXIT(WF_IRQ_NUMBER(), (count))

// ---- atomtimer.c

#define WF_ATOM_DELAY() WFI_ATOM(wf_atom_leaves(WF_SWITCH_delayed))

// ---- objects: record is one of wf_rtos.h; what: mutex, sema, queue_receive, queue_send

#define WF_ATOM_CREATED(record, obj)      WF_OBJECT(record, obj)
#define WF_ATOM_CREATED_N(record, obj, n) WF_OBJECT_N(record, obj, n)
#define WF_ATOM_DELETED(record, obj)      WF_OBJECT(record, obj)
#define WF_ATOM_REFUSED(what, obj)        WF_BY(what##_refused, (obj), WFI_ATOM_SELF())
#define WF_ATOM_WAIT(what, obj, status)                                                            \
    WFI_ATOM(do {                                                                                  \
        if ((status) == ATOM_OK) {                                                                 \
            wf_atom_leaves(WF_SWITCH_blocked);                                                     \
            WF_BY(what##_wait, (obj), WFI_ATOM_SELF());                                            \
        }                                                                                          \
    } while (0))
// what: mutex, sema, queue. Deleting an object ends a wait, too.
#define WF_ATOM_WOKE(what, obj, status)                                                            \
    WFI_ATOM(do {                                                                                  \
        if ((status) != ATOM_OK) WF_BY(what##_timeout, (obj), WFI_ATOM_SELF());                    \
    } while (0))

#define WF_ATOM_MUTEX_GOT(mutex) WF_BY_N(mutex_take, (mutex), WFI_ATOM_SELF(), (mutex)->count)
#define WF_ATOM_MUTEX_PUT(mutex) WF_BY_N(mutex_give, (mutex), WFI_ATOM_SELF(), (mutex)->count)
// The giver passes the mutex to the first waiter at once.
#define WF_ATOM_MUTEX_PASS(mutex, tcb) WF_BY_N(mutex_take, (mutex), (tcb), 1)
#define WF_ATOM_SEM_GOT(sem)           WF_BY_N(sema_take, (sem), WFI_ATOM_SELF(), (sem)->count)
#define WF_ATOM_SEM_PUT(sem)           WF_BY_N(sema_give, (sem), WFI_ATOM_SELF(), (sem)->count)
#define WF_ATOM_SEM_PASS(sem, tcb)                                                                 \
    WFI_ATOM(do {                                                                                  \
        WF_BY_N(sema_give, (sem), WFI_ATOM_SELF(), 1);                                             \
        WF_BY_N(sema_take, (sem), (tcb), 0);                                                       \
    } while (0))
#define WF_ATOM_QUEUE_IN(queue)                                                                    \
    WF_BY_N(queue_send, (queue), WFI_ATOM_SELF(), (queue)->num_msgs_stored)
#define WF_ATOM_QUEUE_OUT(queue)                                                                   \
    WF_BY_N(queue_receive, (queue), WFI_ATOM_SELF(), (queue)->num_msgs_stored)

#ifdef __cplusplus
}
#endif
#endif
