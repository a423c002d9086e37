// SPDX-License-Identifier: MIT
// High-water marks of stacks and the low-water mark of the heap, as FreeRTOS measures them. Call
// these about once a second from a task of low priority; README.md has the cost. Marks that the
// configuration does not have are not recorded. With the filter off nothing is read.
#ifndef WF_FREERTOS_MARKS_H
#define WF_FREERTOS_MARKS_H

#include "FreeRTOS.h"
#include "task.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"
#include "wf_freertos.h"

#ifdef __cplusplus
extern "C" {
#endif

#if WF_CFG_ON && configUSE_TRACE_FACILITY

// FreeRTOS 11 provides the ends of stacks, if it is configured to.
#if defined tskKERNEL_VERSION_MAJOR && defined configRECORD_STACK_HIGH_ADDRESS
#if tskKERNEL_VERSION_MAJOR >= 11 && configRECORD_STACK_HIGH_ADDRESS == 1
#define WFI_FREERTOS_STACK_SIZE(t)                                                                 \
    (((uint32_t)((t)->pxEndOfStack - (t)->pxStackBase) + 1) * sizeof(StackType_t))
#endif
#endif
#ifndef WFI_FREERTOS_STACK_SIZE
#define WFI_FREERTOS_STACK_SIZE(t) 0 // unknown
#endif

// Records the marks of all tasks.
//   tasks, room  memory for the list of FreeRTOS, one entry per task. With less room than tasks
//                FreeRTOS returns no entries
//   returns      tasks whose marks were recorded
//   cost         the scheduler is suspended while all stacks are read up to their marks
//   context      a task, or the idle hook
static inline UBaseType_t wf_freertos_stack_marks(TaskStatus_t *tasks, UBaseType_t room) {
    UBaseType_t count = 0;
    if (!wfi_on(WF_ID_task_stack, 0)) return 0;
    vTaskSuspendAll(); // no task is deleted meanwhile
    const UBaseType_t all = uxTaskGetSystemState(tasks, room, NULL);
    for (const TaskStatus_t *t = tasks; t != tasks + all; ++t) {
        if (t->eCurrentState == eDeleted) continue;
        WF_TASK_STACK(t->xHandle, t->usStackHighWaterMark * sizeof(StackType_t),
                      WFI_FREERTOS_STACK_SIZE(t));
        ++count;
    }
    (void)xTaskResumeAll();
    return count;
}

#endif
#if WF_CFG_ON && defined INCLUDE_uxTaskGetStackHighWaterMark
#if INCLUDE_uxTaskGetStackHighWaterMark == 1

// Records the mark of one task; NULL: of the caller. size: bytes of its stack, 0: unknown. The task
// must not be deleted during the call. Context: a task.
static inline void wf_freertos_stack_mark(TaskHandle_t task, uint32_t size) {
    if (!wfi_on(WF_ID_task_stack, 0)) return;
    if (!task) task = xTaskGetCurrentTaskHandle();
    WF_TASK_STACK(task, uxTaskGetStackHighWaterMark(task) * sizeof(StackType_t), size);
}

#endif
#endif

// Records the fewest bytes of the heap that were ever free. heap_4 and heap_5 support it; with
// another heap a program that calls this does not link. Context: a task.
static inline void wf_freertos_heap_mark(void) {
#if WF_CFG_ON
    if (wfi_on(WF_ID_heap_low, 0))
        wf_freertos_heap_low((uint32_t)xPortGetMinimumEverFreeHeapSize());
#endif
}

#ifdef __cplusplus
}
#endif
#endif
