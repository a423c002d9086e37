// SPDX-License-Identifier: MIT
// The part of FreeRTOS that switches tasks, by the stand-in of tests/ports/rtos/freertos. HOOKS 0:
// its configuration does not include wf_freertos.h.

#if HOOKS
#include "FreeRTOS.h"
#include "kernel.h"
#else
#define traceTASK_SWITCHED_OUT()
#define traceTASK_SWITCHED_IN()
typedef struct {
    unsigned long uxPriority;
} TCB_t;
#endif

static TCB_t tasks[2];
static TCB_t *volatile pxCurrentTCB = &tasks[0];
#if HOOKS
static int pxReadyTasksLists[4];
#endif
void vTaskSwitchContext(void);

void vTaskSwitchContext(void) {
    traceTASK_SWITCHED_OUT();
    pxCurrentTCB = pxCurrentTCB == &tasks[0] ? &tasks[1] : &tasks[0];
    traceTASK_SWITCHED_IN();
}
