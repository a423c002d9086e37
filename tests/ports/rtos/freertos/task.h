// SPDX-License-Identifier: MIT
// Stand-in for FreeRTOS' header: functions used by the drain task, by their documentation. No text
// of FreeRTOS.
#ifndef INC_TASK_H
#define INC_TASK_H

#include "FreeRTOS.h"

typedef struct tskTaskControlBlock *TaskHandle_t;
typedef void (*TaskFunction_t)(void *);
typedef uint16_t configSTACK_DEPTH_TYPE;
#define configMINIMAL_STACK_SIZE 128
#define tskIDLE_PRIORITY         ((UBaseType_t)0u)
#define portMAX_DELAY            ((TickType_t)0xFFFFFFFFu)
#define pdMS_TO_TICKS(ms)        ((TickType_t)((ms) / 2u)) // 500 ticks a second

BaseType_t xTaskCreate(TaskFunction_t function, const char *name, configSTACK_DEPTH_TYPE stack,
                       void *arg, UBaseType_t prio, TaskHandle_t *made);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
void vTaskDelay(TickType_t ticks);
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks);
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken);

// Used by wf_freertos_marks.h.
typedef uint32_t StackType_t;
typedef enum { eRunning, eReady, eBlocked, eSuspended, eDeleted, eInvalid } eTaskState;
typedef struct {
    TaskHandle_t xHandle;
    eTaskState eCurrentState;
    StackType_t *pxStackBase;
#if configRECORD_STACK_HIGH_ADDRESS == 1
    StackType_t *pxEndOfStack;
#endif
    configSTACK_DEPTH_TYPE usStackHighWaterMark; // words
} TaskStatus_t;
UBaseType_t uxTaskGetSystemState(TaskStatus_t *tasks, UBaseType_t room, uint32_t *total);
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t task);
void vTaskSuspendAll(void);
BaseType_t xTaskResumeAll(void);
size_t xPortGetMinimumEverFreeHeapSize(void);

#endif
