// SPDX-License-Identifier: MIT
// Records of the kernel, and the program's own count of them by kind, which it prints at the end.
// Order and arguments are those of ports/rtos/freertos. Context: interrupts off.
#ifndef RECORDS_H
#define RECORDS_H

#include <stdint.h>

#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"

#define RECORD_KINDS(X)                                                                            \
    X(task_create)                                                                                 \
    X(task_priority)                                                                               \
    X(task_ready)                                                                                  \
    X(task_switch)                                                                                 \
    X(irq_enter)                                                                                   \
    X(irq_exit)                                                                                    \
    X(mutex_create)                                                                                \
    X(mutex_take)                                                                                  \
    X(mutex_wait)                                                                                  \
    X(mutex_give)                                                                                  \
    X(sema_create)                                                                                 \
    X(sema_take)                                                                                   \
    X(sema_wait)                                                                                   \
    X(sema_timeout)                                                                                \
    X(sema_give)                                                                                   \
    X(queue_create)                                                                                \
    X(queue_receive)                                                                               \
    X(queue_receive_wait)                                                                          \
    X(queue_timeout)                                                                               \
    X(queue_send)                                                                                  \
    X(queue_send_wait)                                                                             \
    X(queue_send_refused)

enum {
#define X(kind) RECORD_##kind,
    RECORD_KINDS(X)
#undef X
        RECORD_COUNT
};

extern uint32_t records_made[RECORD_COUNT];

#define COUNTED(kind, record)                                                                      \
    do {                                                                                           \
        ++records_made[RECORD_##kind];                                                             \
        record;                                                                                    \
    } while (0)

#define RECORD_TASK_CREATE(task, prio, name) COUNTED(task_create, WF_TASK_CREATE(task, prio, name))
#define RECORD_TASK_PRIORITY(task, prio)     COUNTED(task_priority, WF_TASK_PRIORITY(task, prio))
#define RECORD_TASK_READY(task)              COUNTED(task_ready, WF_TASK_READY(task))
#define RECORD_TASK_SWITCH(from, to, why)    COUNTED(task_switch, WF_TASK_SWITCH(from, to, why))
#define RECORD_IRQ_ENTER(irq, nest)          COUNTED(irq_enter, WF_IRQ_ENTER(irq, nest))
#define RECORD_IRQ_EXIT(irq, nest)           COUNTED(irq_exit, WF_IRQ_EXIT(irq, nest))
#define RECORD_OBJECT(kind, object)          COUNTED(kind, WF_OBJECT(kind, object))
#define RECORD_OBJECT_N(kind, object, n)     COUNTED(kind, WF_OBJECT_N(kind, object, n))
#define RECORD_BY(kind, object, task)        COUNTED(kind, WF_BY(kind, object, task))
#define RECORD_BY_N(kind, object, task, n)   COUNTED(kind, WF_BY_N(kind, object, task, n))

#endif
