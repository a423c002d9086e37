// SPDX-License-Identifier: MIT
// Records of an RTOS, for ports (ports/rtos/) and for those who write one: docs/rtos.md tells what
// to record where, and in what order. Tasks and objects are the addresses of their control blocks,
// or other numbers that no other task or object has while it lives; task NULL: an interrupt does it
// (of a switch: idle, or a task that is not traced). Filters are tested first, and with WF_CFG_PART
// (wf_part.h) records of hidden tasks are left out.
// Context: any, interrupts included, unless the macro says otherwise; the lock is taken inside.
#ifndef WF_RTOS_H
#define WF_RTOS_H

#include "wallfly/wf_dict.h"
#include "wallfly/wf_part.h"
#include "wallfly/wf_records.h"

// ---- tasks

// prio: as the RTOS counts, -32767..32767, or WF_PRIO_UNKNOWN. name: zero-terminated, or NULL; it
// goes out as a dictionary record.
#define WF_TASK_CREATE(task, prio, name)                                                           \
    do {                                                                                           \
        if (wf_part_shows(task)) {                                                                 \
            WF_REC(task_create, 0, (task), (uint16_t)(int)(prio));                                 \
            WF_NAME(task, name);                                                                   \
        }                                                                                          \
    } while (0)
#define WF_TASK_PRIORITY(task, prio)                                                               \
    do {                                                                                           \
        if (wf_part_shows(task)) WF_REC(task_priority, 0, (task), (uint16_t)(int)(prio));          \
    } while (0)
#define WF_TASK_READY(task)                                                                        \
    do {                                                                                           \
        if (wf_part_shows(task)) WF_REC(task_ready, 0, (task));                                    \
    } while (0)
#define WF_TASK_SUSPEND(task)                                                                      \
    do {                                                                                           \
        if (wf_part_shows(task)) WF_REC(task_suspend, 0, (task));                                  \
    } while (0)
#define WF_TASK_DELETE(task)                                                                       \
    do {                                                                                           \
        if (wf_part_shows(task)) WF_REC(task_delete, 0, (task));                                   \
        wf_part_gone(task);                                                                        \
    } while (0)

// `to` runs on this core from now on; `from` left it, because of why (WF_LEFT_preempted, ...).
// Also for the first task (from NULL). Context: where no other switch of the same core can come in
// between, as in the scheduler.
#define WF_TASK_SWITCH(from, to, why)                                                              \
    do {                                                                                           \
        struct wf_part_switch wfi_switch = {(from), (to), (why)};                                  \
        if (wf_part_switched(&wfi_switch))                                                         \
            WF_REC(task_switch, 0, wfi_switch.next, (uint8_t)wfi_switch.reason);                   \
    } while (0)

// A name for a task or object, any time after its create.
#define WF_NAME(thing, name)                                                                       \
    do {                                                                                           \
        const char *wfi_text = (name);                                                             \
        if (wfi_text) wfi_obj_dict((thing), wfi_text);                                             \
    } while (0)

// ---- interrupts: the handler's number in the RTOS' or the CPU's counting; nest: depth with this
// one, from 1, the same at both ends

#define WF_IRQ_ENTER(irq, nest) WF_REC(irq_enter, 0, (uint16_t)(irq), (uint8_t)(nest))
#define WF_IRQ_EXIT(irq, nest)  WF_REC(irq_exit, 0, (uint16_t)(irq), (uint8_t)(nest))

// ---- objects: WF_OBJECT(mutex_create, mutex), WF_OBJECT_N(queue_create, queue, room); what a task
// does to one: WF_BY(mutex_wait, mutex, task), WF_BY_N(mutex_take, mutex, task, nest). Records and
// the meaning of n: docs/records.md, groups MUT, SEMA, QUE, EVT, TMR, HEAP.

#define WF_OBJECT(record, obj)      WF_REC(record, 0, (obj))
#define WF_OBJECT_N(record, obj, n) WF_REC(record, 0, (obj), (uint32_t)(n))
#define WF_BY(record, obj, task)                                                                   \
    do {                                                                                           \
        if (wf_part_shows(task)) WF_REC(record, 0, (obj), (task));                                 \
    } while (0)
#define WF_BY_N(record, obj, task, n)                                                              \
    do {                                                                                           \
        if (wf_part_shows(task)) WF_REC(record, 0, (obj), (task), (n));                            \
    } while (0)
// Memory: heap_alloc and heap_free.
#define WF_BY_BLOCK(record, heap, task, block, bytes)                                              \
    do {                                                                                           \
        if (wf_part_shows(task)) WF_REC(record, 0, (heap), (task), (block), (uint32_t)(bytes));    \
    } while (0)

// ---- notes. Texts are constant: only their address is recorded, the host finds them in the
// program (--elf) or in the object dictionary (WF_OBJ_DICT of the text). Spans of a task or
// interrupt (NULL) end in the reverse order.

#define WF_SPAN_BEGIN(task, text) WF_BY(span_begin, task, text)
#define WF_SPAN_END(task, text)   WF_BY(span_end, task, text)
#define WF_COUNTER(text, value)   WF_REC(counter, 0, (text), (uint32_t)(int32_t)(value))

#endif
