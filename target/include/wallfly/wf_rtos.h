// SPDX-License-Identifier: MIT
// Records of an RTOS, for ports (ports/rtos/) and their authors. docs/rtos.md describes which
// record to make where, and in what order. Tasks and objects are the addresses of their control
// blocks, or other numbers that no other live task or object has. task NULL: an interrupt acts (in
// a switch: idle, or a task that is not traced). The same macros feed the recorder (WF_CFG_ON) and
// the text sender (WF_CFG_TEXT, wf_text_events.h). Only the recorder has filters; with WF_CFG_PART
// (wf_part.h) records of hidden tasks are left out of both. Arguments may be evaluated more than
// once, or not at all: they must have no side effects. Context: any, interrupts included, unless
// noted at the macro; the macros take the lock.
#ifndef WF_RTOS_H
#define WF_RTOS_H

#include "wallfly/wf_dict.h"
#include "wallfly/wf_elements.h"
#include "wallfly/wf_part.h"
#include "wallfly/wf_records.h"
#include "wallfly/wf_text_events.h"

// Inside: a record of a task, and its event of the text sender.
#if WF_CFG_PART
#define WFI_SHOWN(record, task)                                                                    \
    (((WF_CFG_ON && wfi_on(WF_ID_##record, 0)) || WF_CFG_TEXT) && wf_part_shows(task))
#else
#define WFI_SHOWN(record, task) true
#endif
#define WFI_OF(task, record, text, ...)                                                            \
    do {                                                                                           \
        if (WFI_SHOWN(record, task)) {                                                             \
            WF_REC(record, 0, __VA_ARGS__);                                                        \
            WFI_TEXT(text);                                                                        \
        }                                                                                          \
    } while (0)
#define WFI_NO_TEXT ((void)0)

// Inside: an object or task is created or deleted, so its address has no name any more
// (wf_names.h).
enum {
#define WFI_X(name) WFI_EFFECT_##name,
    WF_EFFECTS(WFI_X)
#undef WFI_X
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    WFI_EFFECT_OF_##name = WFI_EFFECT_##effect,
        WF_RECORDS(WFI_X)
#undef WFI_X
};
#define WFI_LIFE(record, obj)                                                                      \
    do {                                                                                           \
        if (WF_CFG_ON && ((unsigned)WFI_EFFECT_OF_##record == WFI_EFFECT_OBJECT_CREATE ||          \
                          (unsigned)WFI_EFFECT_OF_##record == WFI_EFFECT_OBJECT_DELETE))           \
            wf_names_forget(obj);                                                                  \
    } while (0)
#define WFI_TASK_LIFE(task)                                                                        \
    do {                                                                                           \
        if (WF_CFG_ON) wf_names_forget(task);                                                      \
    } while (0)

// ---- tasks

// prio: in the RTOS' numbers, -32767..32767, or WF_PRIO_UNKNOWN. name: zero-terminated, or NULL; it
// is sent as a dictionary record, also for hidden tasks. (The text sender keeps its address.)
#define WF_TASK_CREATE(task, prio, name)                                                           \
    do {                                                                                           \
        if (WFI_TRACES) wfi_part_created((task), (int)(prio), (name));                             \
        WFI_OF(task, task_create, wfi_text_task((task), (int)(prio), (name)), (task),              \
               (uint16_t)(int)(prio));                                                             \
        WFI_TASK_LIFE(task);                                                                       \
        WFI_NAME(task, name);                                                                      \
    } while (0)
#define WF_TASK_PRIORITY(task, prio)                                                               \
    do {                                                                                           \
        if (WFI_TRACES) wfi_part_priority((task), (int)(prio));                                    \
        WFI_OF(task, task_priority, WFI_NO_TEXT, (task), (uint16_t)(int)(prio));                   \
    } while (0)
#define WF_TASK_READY(task)                                                                        \
    do {                                                                                           \
        WFI_OF(task, task_ready, wfi_text_put(WFI_TEXT_ARRIVED, (task), NULL), (task));            \
        if (WFI_TRACES) wfi_part_stands((task), WF_SWITCH_preempted);                              \
    } while (0)
#define WF_TASK_SUSPEND(task)                                                                      \
    do {                                                                                           \
        WFI_OF(task, task_suspend, WFI_NO_TEXT, (task));                                           \
        if (WFI_TRACES) wfi_part_stands((task), WF_SWITCH_suspended);                              \
    } while (0)
#define WF_TASK_DELETE(task)                                                                       \
    do {                                                                                           \
        WFI_OF(task, task_delete, WFI_NO_TEXT, (task));                                            \
        WFI_TASK_LIFE(task);                                                                       \
        if (WFI_TRACES) wfi_part_gone(task);                                                       \
    } while (0)

// Stack of a task: the fewest bytes that were ever free (the low-water mark), and all bytes, 0 if
// not known. Record it from time to time, best by a task of low priority.
#define WF_TASK_STACK(task, least_free, size)                                                      \
    WFI_OF(task, task_stack, WFI_NO_TEXT, (task), (uint32_t)(least_free), (uint32_t)(size))

// `to` runs on this core from now on; `from` left it for the reason `why` (WF_SWITCH_preempted,
// ...). Also for the first task (from NULL). Context: where no other switch of the same core can
// come in between, as in the scheduler.
#if WF_CFG_PART || WF_CFG_TEXT
#define WF_TASK_SWITCH(from, to, why)                                                              \
    do {                                                                                           \
        struct wf_part_switch wfi_switch = {(from), (to), (unsigned)(why)};                        \
        const bool wfi_recorded = (WF_CFG_ON && wfi_on(WF_ID_task_switch, 0)) || WF_CFG_TEXT;      \
        if (wfi_part_switched(&wfi_switch, wfi_recorded)) {                                        \
            WF_REC(task_switch, 0, wfi_switch.next, (uint8_t)wfi_switch.reason);                   \
            WFI_TEXT(wfi_text_switch(&wfi_switch));                                                \
        }                                                                                          \
    } while (0)
#else
#define WF_TASK_SWITCH(from, to, why)                                                              \
    do {                                                                                           \
        if (0) (void)(from);                                                                       \
        WF_REC(task_switch, 0, (to), (uint8_t)(why));                                              \
    } while (0)
#endif

// Names a task or object, at any time after its create. (The text sender keeps the address of
// name.)
#define WF_NAME(thing, name)                                                                       \
    do {                                                                                           \
        if (WFI_TRACES) wfi_part_named((thing), (name));                                           \
        WFI_NAME(thing, name);                                                                     \
        WFI_TEXT(wfi_text_name((thing), (name)));                                                  \
    } while (0)
#define WFI_NAME(thing, name)                                                                      \
    do {                                                                                           \
        if (WF_CFG_ON) {                                                                           \
            const char *wfi_name = (name);                                                         \
            if (wfi_name) wfi_obj_dict((thing), wfi_name);                                         \
        }                                                                                          \
    } while (0)

// ---- interrupts. irq: the number of the handler in the RTOS or the CPU, 0..65534, or
// WF_IRQ_UNKNOWN. nest: the depth including this one, 1..255, the same at enter and exit; 0 at an
// exit without an enter (the host reports it)

#define WF_IRQ_ENTER(irq, nest) WF_REC(irq_enter, 0, (uint16_t)(irq), (uint8_t)(nest))
#define WF_IRQ_EXIT(irq, nest)  WF_REC(irq_exit, 0, (uint16_t)(irq), (uint8_t)(nest))

// Names an interrupt number. It is a dictionary record: no filter leaves it out, and a table of
// names stores it.
#define WF_IRQ_NAME(irq, name) WFI_DICT(wfi_irq_dict((uint16_t)(irq), (name)))

// ---- objects: WF_OBJECT(mutex_create, mutex), WF_OBJECT_N(queue_create, queue, room). Actions of
// a task on an object: WF_BY(mutex_wait, mutex, task), WF_BY_N(mutex_take, mutex, task, nest).
// Records and the meaning of n: docs/records.md, groups MUT, SEMA, QUE, EVT, TMR, HEAP.

#define WF_OBJECT(record, obj)                                                                     \
    do {                                                                                           \
        WF_REC(record, 0, (obj));                                                                  \
        WFI_LIFE(record, obj);                                                                     \
        WFI_TEXT(wfi_text_object(WFI_ROW_##record, (obj)));                                        \
    } while (0)
#define WF_OBJECT_N(record, obj, n)                                                                \
    do {                                                                                           \
        WF_REC(record, 0, (obj), (uint32_t)(n));                                                   \
        WFI_LIFE(record, obj);                                                                     \
    } while (0)
#define WF_BY(record, obj, task) WFI_OF(task, record, WFI_NO_TEXT, (obj), (task))
#define WF_BY_N(record, obj, task, n)                                                              \
    WFI_OF(task, record, wfi_text_by(WFI_ROW_##record, (obj), (task), (uint32_t)(n)), (obj),       \
           (task), (n))
// Memory: heap_alloc and heap_free.
#define WF_BY_BLOCK(record, heap, task, block, bytes)                                              \
    WFI_OF(task, record, WFI_NO_TEXT, (heap), (task), (block), (uint32_t)(bytes))

// The fewest bytes (or blocks) of the heap that were ever free; record it from time to time.
#define WF_HEAP_LOW(heap, least_free) WF_REC(heap_low, 0, (heap), (uint32_t)(least_free))

// ---- notes. Texts must be constant: only their address is recorded. The host finds the text in
// the program (--elf) or in the object dictionary (WF_NAME(text, text)). Spans of a task, or of
// interrupts (NULL), end in the reverse order. The value of a counter is an int32_t.

#define WF_SPAN_BEGIN(task, text) WFI_OF(task, span_begin, WFI_NO_TEXT, (task), (text))
#define WF_SPAN_END(task, text)   WFI_OF(task, span_end, WFI_NO_TEXT, (task), (text))
#define WF_COUNTER(text, value)   WF_REC(counter, 0, (text), (uint32_t)(int32_t)(value))

// A message as of printf, formatted on the host: WF_LOG("%d of %s", WF_I32(0, n), WF_STR(s)). The
// arguments are elements of application records (wf_pack.h) of the sizes in the format, or none. A
// message is one record and costs as much as an application record.
#define WF_LOG(...) WFI_LOG(__VA_ARGS__, WFI_LOG_END)
#define WFI_LOG(format, ...)                                                                       \
    do {                                                                                           \
        if (WFI_GATE(false, WF_ID_log, 0)) {                                                       \
            WFI_LOG_RECORD(WF_OBJ(format), __VA_ARGS__);                                           \
        }                                                                                          \
    } while (0)
// (An empty element at the end, so that a format may stand alone.)
#if WF_CFG_FAST
#define WFI_LOG_END                                                                                \
    { 0, NULL, 0, 0 }
#define WFI_LOG_RECORD(...)                                                                        \
    const struct wfi_item wfi_items[] = {__VA_ARGS__};                                             \
    wfi_record(WF_ID_log, wfi_items, (unsigned)(sizeof wfi_items / sizeof *wfi_items) - 1)
#else
#define WFI_LOG_END         (void)0
#define WFI_LOG_RECORD(...) WFI_RECORD(WF_ID_log, __VA_ARGS__)
#endif

#endif
