// SPDX-License-Identifier: MIT
// Hooks of FreeRTOS 10 and 11, one core or several: #include this as the last line of
// FreeRTOSConfig.h, and add wf_freertos.c to the program. README.md lists what it records.
//
// The kernel's sources expand these macros where their private types are known; here only names of
// members are used. `...` takes arguments that only some versions have. The hooks of notifications,
// counting semaphores and event groups do not receive all they need, so they use variables of the
// functions that contain them: pxTCB, xReturn, xClearCountOnExit, ulBitsToClearOnExit; xHandle;
// uxReturn, xWaitForAllBits. These are the same from 10.0.0 to 11.3.0.
#ifndef WF_FREERTOS_H
#define WF_FREERTOS_H

// Assembler files of some ports include FreeRTOSConfig.h too.
#if !defined __ASSEMBLER__ && !defined __IASMARM__ && !defined __IASMRISCV__

#include <stdbool.h>
#include <stdint.h>

#include "../wf_irq_number.h"
#include "wallfly/wf_config.h"

#ifdef __cplusplus
extern "C" {
#endif

// Names the heap. Context: once, after wf_start and wf_filter, before tasks are created.
void wf_freertos_start(void);

// ---- inside; not for users ----

// State bits of a task: with configUSE_TRACE_FACILITY in the member of its TCB that FreeRTOS
// reserves for tracers, else in a table.
enum { WF_FREERTOS_AWAY = 1, WF_FREERTOS_WAITED = 2, WF_FREERTOS_STREAM = 4 };

unsigned wf_freertos_memory(const void *task);
void wf_freertos_remember(const void *task, unsigned memory);

enum wf_freertos_kind { WF_FREERTOS_MUTEX, WF_FREERTOS_SEMAPHORE, WF_FREERTOS_QUEUE };

void wf_freertos_create(const void *task, unsigned prio, const char *name);
void wf_freertos_delete(const void *task);
void wf_freertos_suspend(const void *task);
void wf_freertos_priority(const void *task, unsigned prio);
unsigned wf_freertos_ready(const void *task, unsigned memory);
unsigned wf_freertos_out(unsigned prio, bool ready);
void wf_freertos_in(const void *task, unsigned prio, unsigned memory, bool slices);
void wf_freertos_delayed(void);
void wf_freertos_delayed_until(const void *receivers);
void wf_freertos_receivers_at(const void *queue, const void *receivers);
void wf_freertos_tick(void);
void wf_freertos_tick_done(bool switches);
void wf_freertos_irq_enter(unsigned irq);
void wf_freertos_irq_exit(unsigned irq);

void wf_freertos_made(enum wf_freertos_kind kind, const void *obj, uint32_t count);
void wf_freertos_gone(enum wf_freertos_kind kind, const void *obj);
void wf_freertos_named(const void *obj, const char *name);
void wf_freertos_wait(enum wf_freertos_kind kind, const void *obj, bool send);
void wf_freertos_failed(enum wf_freertos_kind kind, const void *obj, bool send);
void wf_freertos_got(enum wf_freertos_kind kind, const void *obj, uint32_t count);
void wf_freertos_gave(enum wf_freertos_kind kind, const void *obj, uint32_t count);
void wf_freertos_irq_failed(enum wf_freertos_kind kind, const void *obj, bool send);
void wf_freertos_irq_got(enum wf_freertos_kind kind, const void *obj, uint32_t count);
void wf_freertos_irq_gave(enum wf_freertos_kind kind, const void *obj, uint32_t count);
void wf_freertos_set_gave(const void *obj, uint32_t count);
void wf_freertos_nest(const void *mutex, unsigned nest, bool give);

void wf_freertos_stream_wait(const void *stream, bool send);
const void *wf_freertos_note(const void *task, const volatile uint32_t *values, unsigned at);
void wf_freertos_note_wait(const void *note);
void wf_freertos_note_end(const void *note, bool got, uint32_t count);
void wf_freertos_note_give(const void *note, unsigned memory, bool irq, uint32_t count);

void wf_freertos_flags_made(const void *group);
void wf_freertos_flags_gone(const void *group);
void wf_freertos_flags_wait(const void *group, uint32_t bits);
void wf_freertos_flags_end(const void *group, uint32_t bits, bool got);
void wf_freertos_flags_set(const void *group, uint32_t bits);
void wf_freertos_flags_clear(const void *group, uint32_t bits);

void wf_freertos_timer_made(const void *timer, uint32_t period, const char *name);
void wf_freertos_timer_command(const void *timer, int command, uint32_t value, uint32_t period);
void wf_freertos_timer_expired(const void *timer);
void wf_freertos_heap_low(uint32_t least_free);
void wf_freertos_malloc(const void *block, uint32_t bytes);
void wf_freertos_free(const void *block, uint32_t bytes);

#ifdef __cplusplus
}
#endif

#if WF_CFG_ON

#if defined configUSE_TRACE_FACILITY && configUSE_TRACE_FACILITY == 1
#define WFI_FR_MEMORY(tcb)          ((unsigned)(tcb)->uxTaskNumber)
#define WFI_FR_REMEMBER(tcb, value) ((tcb)->uxTaskNumber = (UBaseType_t)(value))
#define WFI_FR_IS_MUTEX(queue)      ((queue)->ucQueueType == 1 || (queue)->ucQueueType == 4)
#else
#define WFI_FR_MEMORY(tcb)          wf_freertos_memory(tcb)
#define WFI_FR_REMEMBER(tcb, value) wf_freertos_remember((tcb), (value))
#define WFI_FR_IS_MUTEX(queue)      1 // it may become one
#endif

// ---- tasks; expanded in tasks.c

#define WFI_FR_IS_READY(tcb)                                                                       \
    (listIS_CONTAINED_WITHIN(&pxReadyTasksLists[(tcb)->uxPriority], &(tcb)->xStateListItem) !=     \
     pdFALSE)

#define traceTASK_CREATE(tcb)                                                                      \
    do {                                                                                           \
        WFI_FR_REMEMBER(tcb, WF_FREERTOS_AWAY);                                                    \
        wf_freertos_create((tcb), (unsigned)(tcb)->uxPriority, (tcb)->pcTaskName);                 \
    } while (0)
#define traceTASK_DELETE(tcb) wf_freertos_delete(tcb)
#define traceTASK_SUSPEND(tcb)                                                                     \
    do {                                                                                           \
        WFI_FR_REMEMBER(tcb, WFI_FR_MEMORY(tcb) | WF_FREERTOS_AWAY);                               \
        wf_freertos_suspend(tcb);                                                                  \
    } while (0)
#define traceMOVED_TASK_TO_READY_STATE(tcb)                                                        \
    WFI_FR_REMEMBER(tcb, wf_freertos_ready((tcb), WFI_FR_MEMORY(tcb)))
#define traceTASK_DELAY(...) wf_freertos_delayed()
// Also called for a timer task that waits for a command: its event item is in the queue's list
// then.
#define traceTASK_DELAY_UNTIL(...)                                                                 \
    wf_freertos_delayed_until(listLIST_ITEM_CONTAINER(&pxCurrentTCB->xEventListItem))

// A priority set while a higher one is inherited takes effect later, as a disinherit.
#if defined configUSE_MUTEXES && configUSE_MUTEXES == 1
#define WFI_FR_HAS_OWN(tcb) ((tcb)->uxPriority == (tcb)->uxBasePriority)
#else
#define WFI_FR_HAS_OWN(tcb) 1
#endif
#define traceTASK_PRIORITY_SET(tcb, prio)                                                          \
    do {                                                                                           \
        if (WFI_FR_HAS_OWN(tcb) || (prio) > (tcb)->uxPriority)                                     \
            wf_freertos_priority((tcb), (unsigned)(prio));                                         \
    } while (0)
#define traceTASK_PRIORITY_INHERIT(tcb, prio)    wf_freertos_priority((tcb), (unsigned)(prio))
#define traceTASK_PRIORITY_DISINHERIT(tcb, prio) wf_freertos_priority((tcb), (unsigned)(prio))

#define traceTASK_SWITCHED_OUT()                                                                   \
    WFI_FR_REMEMBER(pxCurrentTCB, wf_freertos_out((unsigned)pxCurrentTCB->uxPriority,              \
                                                  WFI_FR_IS_READY(pxCurrentTCB)))
#define traceTASK_SWITCHED_IN()                                                                    \
    wf_freertos_in(pxCurrentTCB, (unsigned)pxCurrentTCB->uxPriority, WFI_FR_MEMORY(pxCurrentTCB),  \
                   configUSE_PREEMPTION != 0 && configUSE_TIME_SLICING != 0)
#define traceTASK_INCREMENT_TICK(...)            wf_freertos_tick()
#define traceRETURN_xTaskIncrementTick(switches) wf_freertos_tick_done((switches) != pdFALSE)

// ---- notifications: the task itself is the object, or for indices above 0 its value's address

#define WFI_FR_AT(...)       (__VA_ARGS__ + 0) // the index, 0 where there is none
#define WFI_FR_VALUES(tcb)   ((const volatile uint32_t *)&(tcb)->ulNotifiedValue)
#define WFI_FR_STATES(tcb)   ((const volatile uint8_t *)&(tcb)->ucNotifyState)
#define WFI_FR_NOTE(tcb, at) wf_freertos_note((tcb), WFI_FR_VALUES(tcb), (unsigned)(at))
#define WFI_FR_NOTIFIED(irq, done, at)                                                             \
    do {                                                                                           \
        if (done)                                                                                  \
            wf_freertos_note_give(WFI_FR_NOTE(pxTCB, at), WFI_FR_MEMORY(pxTCB), (irq),             \
                                  WFI_FR_VALUES(pxTCB)[at]);                                       \
    } while (0)
#define WFI_FR_TAKEN(tcb, at)                                                                      \
    wf_freertos_note_end(WFI_FR_NOTE(tcb, at), WFI_FR_VALUES(tcb)[at] != 0,                        \
                         xClearCountOnExit != pdFALSE ? 0 : WFI_FR_VALUES(tcb)[at] - 1)
#define WFI_FR_WAITED(tcb, at)                                                                     \
    wf_freertos_note_end(WFI_FR_NOTE(tcb, at),                                                     \
                         WFI_FR_STATES(tcb)[at] == taskNOTIFICATION_RECEIVED,                      \
                         WFI_FR_VALUES(tcb)[at] & ~ulBitsToClearOnExit)

#define traceTASK_NOTIFY_TAKE_BLOCK(...)                                                           \
    wf_freertos_note_wait(WFI_FR_NOTE(pxCurrentTCB, WFI_FR_AT(__VA_ARGS__)))
#define traceTASK_NOTIFY_WAIT_BLOCK(...) traceTASK_NOTIFY_TAKE_BLOCK(__VA_ARGS__)
#define traceTASK_NOTIFY_TAKE(...)       WFI_FR_TAKEN(pxCurrentTCB, WFI_FR_AT(__VA_ARGS__))
#define traceTASK_NOTIFY_WAIT(...)       WFI_FR_WAITED(pxCurrentTCB, WFI_FR_AT(__VA_ARGS__))
#define traceTASK_NOTIFY(...)            WFI_FR_NOTIFIED(false, xReturn == pdPASS, WFI_FR_AT(__VA_ARGS__))
#define traceTASK_NOTIFY_FROM_ISR(...)                                                             \
    WFI_FR_NOTIFIED(true, xReturn == pdPASS, WFI_FR_AT(__VA_ARGS__))
#define traceTASK_NOTIFY_GIVE_FROM_ISR(...) WFI_FR_NOTIFIED(true, true, WFI_FR_AT(__VA_ARGS__))

// ---- interrupts. In your handlers: call traceISR_ENTER() first. Call traceISR_EXIT() last, but
// only if the handler does not end with portYIELD_FROM_ISR or portEND_SWITCHING_ISR, which call it
// in ports of FreeRTOS 11.

#define traceISR_ENTER()             wf_freertos_irq_enter(WF_IRQ_NUMBER())
#define traceISR_EXIT()              wf_freertos_irq_exit(WF_IRQ_NUMBER())
#define traceISR_EXIT_TO_SCHEDULER() wf_freertos_irq_exit(WF_IRQ_NUMBER())

// ---- queues, semaphores, mutexes; expanded in queue.c

// A mutex has no storage; the items of a semaphore have size 0.
#define WFI_FR_KIND(queue)                                                                         \
    ((queue)->pcHead == NULL     ? WF_FREERTOS_MUTEX                                               \
     : (queue)->uxItemSize == 0u ? WF_FREERTOS_SEMAPHORE                                           \
                                 : WF_FREERTOS_QUEUE)
#if defined WF_FREERTOS_10_0 && WF_FREERTOS_10_0 // 10.0.x has another layout
#define WFI_FR_HOLDER(queue) ((queue)->pxMutexHolder)
#define WFI_FR_NEST(queue)   ((queue)->u.uxRecursiveCallCount)
#else
#define WFI_FR_HOLDER(queue) ((queue)->u.xSemaphore.xMutexHolder)
#define WFI_FR_NEST(queue)   ((queue)->u.xSemaphore.uxRecursiveCallCount)
#endif
// The hooks come before the counts change. (An overwriting send does not add a message.)
#define WFI_FR_MORE(queue)                                                                         \
    ((uint32_t)((queue)->uxMessagesWaiting < (queue)->uxLength ? (queue)->uxMessagesWaiting + 1u   \
                                                               : (queue)->uxLength))
#define WFI_FR_LESS(queue) ((uint32_t)((queue)->uxMessagesWaiting - 1u))

// Mutexes and counting semaphores are recorded by their own hooks, when they are complete. The give
// that makes a new mutex free is not recorded: no task held it.
#define traceQUEUE_CREATE(queue)                                                                   \
    do {                                                                                           \
        wf_freertos_receivers_at((queue), &(queue)->xTasksWaitingToReceive);                       \
        if ((queue)->uxItemSize != 0u)                                                             \
            wf_freertos_made(WF_FREERTOS_QUEUE, (queue), (uint32_t)(queue)->uxLength);             \
        else if (!WFI_FR_IS_MUTEX(queue) && (queue)->uxLength == 1u)                               \
            wf_freertos_made(WF_FREERTOS_SEMAPHORE, (queue), 0);                                   \
    } while (0)
#define traceCREATE_MUTEX(queue) wf_freertos_made(WF_FREERTOS_MUTEX, (queue), 0)
#define traceCREATE_COUNTING_SEMAPHORE()                                                           \
    wf_freertos_made(WF_FREERTOS_SEMAPHORE, (xHandle),                                             \
                     (uint32_t)((const Queue_t *)(xHandle))->uxMessagesWaiting)
#define traceQUEUE_DELETE(queue)             wf_freertos_gone(WFI_FR_KIND(queue), (queue))
#define traceQUEUE_REGISTRY_ADD(queue, name) wf_freertos_named((queue), (name))
#define traceQUEUE_SEND(queue)                                                                     \
    do {                                                                                           \
        if ((queue)->pcHead != NULL || WFI_FR_HOLDER(queue) != NULL)                               \
            wf_freertos_gave(WFI_FR_KIND(queue), (queue), WFI_FR_MORE(queue));                     \
    } while (0)
#define traceQUEUE_SEND_FAILED(queue) wf_freertos_failed(WFI_FR_KIND(queue), (queue), true)
#define traceQUEUE_SEND_FROM_ISR(queue)                                                            \
    wf_freertos_irq_gave(WFI_FR_KIND(queue), (queue), WFI_FR_MORE(queue))
#define traceQUEUE_SEND_FROM_ISR_FAILED(queue)                                                     \
    wf_freertos_irq_failed(WFI_FR_KIND(queue), (queue), true)
#define traceQUEUE_SET_SEND(queue)       wf_freertos_set_gave((queue), WFI_FR_MORE(queue))
#define traceQUEUE_RECEIVE(queue)        wf_freertos_got(WFI_FR_KIND(queue), (queue), WFI_FR_LESS(queue))
#define traceQUEUE_RECEIVE_FAILED(queue) wf_freertos_failed(WFI_FR_KIND(queue), (queue), false)
#define traceQUEUE_RECEIVE_FROM_ISR(queue)                                                         \
    wf_freertos_irq_got(WFI_FR_KIND(queue), (queue), WFI_FR_LESS(queue))
#define traceQUEUE_RECEIVE_FROM_ISR_FAILED(queue)                                                  \
    wf_freertos_irq_failed(WFI_FR_KIND(queue), (queue), false)
#define traceQUEUE_PEEK(queue)                                                                     \
    wf_freertos_got(WFI_FR_KIND(queue), (queue), (uint32_t)(queue)->uxMessagesWaiting)
#define traceQUEUE_PEEK_FAILED(queue)         wf_freertos_failed(WFI_FR_KIND(queue), (queue), false)
#define traceBLOCKING_ON_QUEUE_SEND(queue)    wf_freertos_wait(WFI_FR_KIND(queue), (queue), true)
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) wf_freertos_wait(WFI_FR_KIND(queue), (queue), false)
#define traceBLOCKING_ON_QUEUE_PEEK(queue)    wf_freertos_wait(WFI_FR_KIND(queue), (queue), false)
// RECEIVE and SEND record the first take and the last give of a recursive mutex.
#define traceTAKE_MUTEX_RECURSIVE(queue)                                                           \
    do {                                                                                           \
        if ((const void *)WFI_FR_HOLDER(queue) == (const void *)xTaskGetCurrentTaskHandle())       \
            wf_freertos_nest((queue), (unsigned)WFI_FR_NEST(queue) + 1u, false);                   \
    } while (0)
#define traceGIVE_MUTEX_RECURSIVE(queue)                                                           \
    do {                                                                                           \
        if (WFI_FR_NEST(queue) > 1u)                                                               \
            wf_freertos_nest((queue), (unsigned)WFI_FR_NEST(queue) - 1u, true);                    \
    } while (0)

// ---- stream and message buffers, as queues of bytes

#define WFI_FR_BYTES(stream) ((uint32_t)xStreamBufferBytesAvailable(stream))
#define traceSTREAM_BUFFER_CREATE(stream, ...)                                                     \
    wf_freertos_made(WF_FREERTOS_QUEUE, (stream), (uint32_t)xStreamBufferSpacesAvailable(stream))
#define traceSTREAM_BUFFER_DELETE(stream)              wf_freertos_gone(WF_FREERTOS_QUEUE, (stream))
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(stream)    wf_freertos_stream_wait((stream), true)
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(stream) wf_freertos_stream_wait((stream), false)
#define traceSTREAM_BUFFER_SEND(stream, ...)                                                       \
    wf_freertos_gave(WF_FREERTOS_QUEUE, (stream), WFI_FR_BYTES(stream))
#define traceSTREAM_BUFFER_SEND_FROM_ISR(stream, sent)                                             \
    do {                                                                                           \
        if (sent) wf_freertos_irq_gave(WF_FREERTOS_QUEUE, (stream), WFI_FR_BYTES(stream));         \
    } while (0)
#define traceSTREAM_BUFFER_RECEIVE(stream, ...)                                                    \
    wf_freertos_got(WF_FREERTOS_QUEUE, (stream), WFI_FR_BYTES(stream))
#define traceSTREAM_BUFFER_RECEIVE_FROM_ISR(stream, got)                                           \
    do {                                                                                           \
        if (got) wf_freertos_irq_got(WF_FREERTOS_QUEUE, (stream), WFI_FR_BYTES(stream));           \
    } while (0)
#define traceSTREAM_BUFFER_SEND_FAILED(stream) wf_freertos_failed(WF_FREERTOS_QUEUE, (stream), true)
#define traceSTREAM_BUFFER_RECEIVE_FAILED(stream)                                                  \
    wf_freertos_failed(WF_FREERTOS_QUEUE, (stream), false)

// ---- event groups. Bits that come while the task returns from a time-out are a success for the
// caller, but not in the hook's last argument; the returned bits decide.

#define traceEVENT_GROUP_CREATE(group) wf_freertos_flags_made(group)
#define traceEVENT_GROUP_DELETE(group) wf_freertos_flags_gone(group)
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(group, bits)                                              \
    wf_freertos_flags_wait((group), (uint32_t)(bits))
#define traceEVENT_GROUP_WAIT_BITS_END(group, bits, ...)                                           \
    wf_freertos_flags_end((group), (uint32_t)(bits),                                               \
                          xWaitForAllBits != pdFALSE ? (uxReturn & (bits)) == (bits)               \
                                                     : (uxReturn & (bits)) != 0)
#define traceEVENT_GROUP_SYNC_BLOCK(group, set, bits)                                              \
    wf_freertos_flags_wait((group), (uint32_t)(bits))
#define traceEVENT_GROUP_SYNC_END(group, set, bits, ...)                                           \
    wf_freertos_flags_end((group), (uint32_t)(bits), (uxReturn & (bits)) == (bits))
#define traceEVENT_GROUP_SET_BITS(group, bits)   wf_freertos_flags_set((group), (uint32_t)(bits))
#define traceEVENT_GROUP_CLEAR_BITS(group, bits) wf_freertos_flags_clear((group), (uint32_t)(bits))

// ---- timers, when the daemon acts on them; memory

#define traceTIMER_CREATE(timer)                                                                   \
    wf_freertos_timer_made((timer), (uint32_t)(timer)->xTimerPeriodInTicks, (timer)->pcTimerName)
#define traceTIMER_COMMAND_RECEIVED(timer, command, value)                                         \
    wf_freertos_timer_command((timer), (int)(command), (uint32_t)(value),                          \
                              (uint32_t)(timer)->xTimerPeriodInTicks)
#define traceTIMER_EXPIRED(timer) wf_freertos_timer_expired(timer)
#define traceMALLOC(block, bytes) wf_freertos_malloc((block), (uint32_t)(bytes))
#define traceFREE(block, bytes)   wf_freertos_free((block), (uint32_t)(bytes))

#endif
#endif
#endif
