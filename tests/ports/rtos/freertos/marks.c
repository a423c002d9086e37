// SPDX-License-Identifier: MIT
// Marks of stacks and of the heap of FreeRTOS in a simulated kernel.

#include "FreeRTOS.h"
#include "task.h"
#include "marks_test.h"
#include "wf_freertos_marks.h"

enum { TASKS = 4, GONE = 2 };
static StackType_t stacks[TASKS][256];
static char tcbs[TASKS];
static int suspended;

static TaskHandle_t handle(unsigned i) { return (TaskHandle_t)(void *)&tcbs[i]; }

UBaseType_t uxTaskGetSystemState(TaskStatus_t *tasks, UBaseType_t room, uint32_t *total) {
    CHECK(suspended == 1 && !total);
    ++looked;
    if (room < TASKS) return 0;
    for (unsigned i = 0; i < TASKS; ++i) {
        tasks[i].xHandle = handle(i);
        tasks[i].eCurrentState = i == GONE ? eDeleted : eBlocked;
        tasks[i].pxStackBase = stacks[i];
#if configRECORD_STACK_HIGH_ADDRESS == 1
        tasks[i].pxEndOfStack = stacks[i] + 256 - 1;
#endif
        tasks[i].usStackHighWaterMark = (configSTACK_DEPTH_TYPE)(100 * i);
    }
    return TASKS;
}

UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t task) {
    ++looked;
    return task == handle(1) ? 99 : 7;
}

void vTaskSuspendAll(void) { ++suspended; }
BaseType_t xTaskResumeAll(void) { return --suspended == 0; }
TaskHandle_t xTaskGetCurrentTaskHandle(void) { return handle(3); }
size_t xPortGetMinimumEverFreeHeapSize(void) {
    ++looked;
    return 4321;
}

static void run(void) {
    static TaskStatus_t memory[TASKS];
    static const char *const names[TASKS] = {"idle", "control", "gone", "logger"};
    const bool on = wfi_on(WF_ID_task_stack, 0);
    wf_freertos_start();
    for (unsigned i = 0; i < TASKS; ++i) WF_NAME(handle(i), names[i]);
    CHECK(wf_freertos_stack_marks(memory, TASKS - 1) == 0); // the array is too small
    CHECK(wf_freertos_stack_marks(memory, TASKS) == (on ? TASKS - 1 : 0));
    wf_freertos_stack_mark(handle(1), 2048);
    wf_freertos_stack_mark(NULL, 0);
    wf_freertos_heap_mark();
    CHECK(suspended == 0);
}
