// SPDX-License-Identifier: MIT
// The task sleeps, sends, and sleeps again; it takes time that only the idle task would use.

#include "wf_freertos_drain.h"

#include "FreeRTOS.h"
#include "task.h"

#ifndef WF_FREERTOS_DRAIN_STACK
#define WF_FREERTOS_DRAIN_STACK (configMINIMAL_STACK_SIZE + 64) // words
#endif

static void wait_for_done(struct wf_drain *drain) {
    (void)drain;
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

static void drain_task(void *arg) {
    struct wf_drain *drain = arg;
    TickType_t ticks = pdMS_TO_TICKS(wfi_drain_period_ms(drain));
    if (!ticks) ticks = 1;
    drain->task = xTaskGetCurrentTaskHandle();
    for (;;) {
        wfi_drain_pass(drain);
        vTaskDelay(ticks);
    }
}

bool wf_freertos_drain_start(struct wf_drain *drain) {
    drain->wait = wait_for_done;
    return xTaskCreate(drain_task, "wf_drain", WF_FREERTOS_DRAIN_STACK, drain, tskIDLE_PRIORITY,
                       NULL) == pdPASS;
}

bool wf_freertos_drain_done_isr(struct wf_drain *drain) {
    BaseType_t woken = pdFALSE;
    vTaskNotifyGiveFromISR((TaskHandle_t)drain->task, &woken);
    return woken != pdFALSE;
}
