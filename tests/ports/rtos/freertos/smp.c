// SPDX-License-Identifier: MIT
// The same hooks on two cores: each has its own task, and its own reason for a switch.

#include "kernel.h"
#include "run.h"

static int pxReadyTasksLists[8], elsewhere;
static TCB_t *running[2];
#define pxCurrentTCB running[test_core]

static void make_ready(TCB_t *tcb) {
    traceMOVED_TASK_TO_READY_STATE(tcb);
    tcb->xStateListItem.container = &pxReadyTasksLists[tcb->uxPriority];
}

static void create(TCB_t *tcb, const char *name, UBaseType_t prio) {
    tcb->pcTaskName = name;
    tcb->uxPriority = tcb->uxBasePriority = prio;
    traceTASK_CREATE(tcb);
    make_ready(tcb);
}

static void switch_to(TCB_t *tcb) {
    traceTASK_SWITCHED_OUT();
    pxCurrentTCB = tcb;
    traceTASK_SWITCHED_IN();
}

static void schedule(void) {
    static TCB_t a, b, c, idle1;
    static Queue_t queue = {.pcHead = (int8_t *)&queue, .uxLength = 2, .uxItemSize = 4};
    create(&idle1, "idle1", 0);
    create(&a, "a", 1);
    create(&b, "b", 1);
    create(&c, "c", 1);
    traceQUEUE_CREATE(&queue);
    traceQUEUE_REGISTRY_ADD(&queue, "queue");
    running[0] = &a;
    running[1] = &idle1; // runs without a hook
    traceTASK_SWITCHED_IN();
    test_core = 1;
    switch_to(&b); // idle1 left for an unknown reason
    traceBLOCKING_ON_QUEUE_RECEIVE(&queue);
    b.xStateListItem.container = &elsewhere;
    test_core = 0;
    traceQUEUE_SEND(&queue); // by a, on the other core
    queue.uxMessagesWaiting = 1;
    traceTASK_INCREMENT_TICK(1);
    test_core = 1;
    switch_to(&c); // b waits
    test_core = 0;
    make_ready(&b);
    traceTASK_SUSPEND(&c); // runs on the other core
    c.xStateListItem.container = &elsewhere;
    switch_to(&b); // a tick came: a time slice
    traceQUEUE_RECEIVE(&queue);
    test_core = 1;
    switch_to(&a);
}
