// SPDX-License-Identifier: MIT
// A kernel controlled by the test: each function has FreeRTOS' hooks in FreeRTOS' order, with the
// variables that the hooks use, and none of FreeRTOS' other code. As in 10.4 and later; V10_0: as
// in 10.0, without arguments of notifications.
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>

#include "FreeRTOS.h"

#ifndef CORES
#define CORES 1
#endif

typedef struct {
    const void *container;
} ListItem_t;
#define listLIST_ITEM_CONTAINER(item)       ((item)->container)
#define listIS_CONTAINED_WITHIN(list, item) ((item)->container == (list) ? pdTRUE : pdFALSE)

typedef struct {
    const char *pcTaskName;
    UBaseType_t uxPriority, uxBasePriority, uxTaskNumber;
    ListItem_t xStateListItem, xEventListItem;
#ifdef V10_0
    volatile uint32_t ulNotifiedValue;
    volatile uint8_t ucNotifyState;
#else
    volatile uint32_t ulNotifiedValue[2];
    volatile uint8_t ucNotifyState[2];
#endif
} TCB_t;

typedef struct {
    int8_t *pcHead;
#ifdef V10_0
    TCB_t *pxMutexHolder;
    union {
        UBaseType_t uxRecursiveCallCount;
    } u;
#else
    union {
        struct {
            TCB_t *xMutexHolder;
            UBaseType_t uxRecursiveCallCount;
        } xSemaphore;
    } u;
#endif
    UBaseType_t uxMessagesWaiting, uxLength, uxItemSize;
    int xTasksWaitingToReceive;
    uint8_t ucQueueType;
} Queue_t;

typedef struct {
    TickType_t xTimerPeriodInTicks;
    const char *pcTimerName;
} Timer_t;

typedef uint32_t EventBits_t;

#endif
