// SPDX-License-Identifier: MIT
// The drain task of FreeRTOS in a simulated kernel.

#include "task.h"
#include "wf_freertos_drain.h"

#define START(drain) wf_freertos_drain_start(drain)
#define DONE(drain)  CHECK(wf_freertos_drain_done_isr(drain))
static void run_task(void);
#include "drain_test.h"

static TaskFunction_t task;
static void *task_arg;
static int notified;

static void run_task(void) { task(task_arg); }

BaseType_t xTaskCreate(TaskFunction_t function, const char *name, configSTACK_DEPTH_TYPE stack,
                       void *arg, UBaseType_t prio, TaskHandle_t *made) {
    CHECK(!strcmp(name, "wf_drain") && stack >= configMINIMAL_STACK_SIZE);
    CHECK(prio == tskIDLE_PRIORITY && !made);
    task = function;
    task_arg = arg;
    return pdPASS;
}

TaskHandle_t xTaskGetCurrentTaskHandle(void) { return (TaskHandle_t)&task; }
void vTaskDelay(TickType_t ticks) { sleeps(ticks, 5); }

uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks) {
    CHECK(clear == pdTRUE && ticks == portMAX_DELAY);
    blocks();
    CHECK(notified == 1);
    return (uint32_t)notified--;
}

void vTaskNotifyGiveFromISR(TaskHandle_t to, BaseType_t *woken) {
    CHECK(to == (TaskHandle_t)&task);
    ++notified;
    *woken = pdTRUE;
}
