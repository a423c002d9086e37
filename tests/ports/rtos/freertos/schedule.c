// SPDX-License-Identifier: MIT
// The hooks of FreeRTOS in a simulated schedule; expected.txt has the expected records. Each part
// begins with its subject.

#include "kernel.h"
#include "run.h"

enum { taskNOTIFICATION_RECEIVED = 2 };

static int pxReadyTasksLists[8], elsewhere;
static TCB_t *pxCurrentTCB;

#ifdef V10_0
#define NOTE(hook)     hook()
#define VALUE(tcb)     (tcb)->ulNotifiedValue
#define STATE(tcb)     (tcb)->ucNotifyState
#define HOLDER(queue)  (queue)->pxMutexHolder
#define NESTING(queue) (queue)->u.uxRecursiveCallCount
#else
#define NOTE(hook)     hook(0)
#define VALUE(tcb)     (tcb)->ulNotifiedValue[0]
#define STATE(tcb)     (tcb)->ucNotifyState[0]
#define HOLDER(queue)  (queue)->u.xSemaphore.xMutexHolder
#define NESTING(queue) (queue)->u.xSemaphore.uxRecursiveCallCount
#endif

static TCB_t *xTaskGetCurrentTaskHandle(void) { return pxCurrentTCB; }
static uint32_t stream_bytes;
static uint32_t xStreamBufferBytesAvailable(const void *stream) {
    return (void)stream, stream_bytes;
}
static uint32_t xStreamBufferSpacesAvailable(const void *stream) {
    return (void)stream, 64 - stream_bytes;
}

// ---- tasks

static void make_ready(TCB_t *tcb) {
    traceMOVED_TASK_TO_READY_STATE(tcb);
    tcb->xStateListItem.container = &pxReadyTasksLists[tcb->uxPriority];
}

static void remove_from_ready(TCB_t *tcb) { tcb->xStateListItem.container = &elsewhere; }

static void create(TCB_t *tcb, const char *name, UBaseType_t prio) {
    tcb->pcTaskName = name;
    tcb->uxPriority = tcb->uxBasePriority = prio;
    tcb->uxTaskNumber = 77; // any value
    traceTASK_CREATE(tcb);
    make_ready(tcb);
}

static void switch_to(TCB_t *tcb) {
    traceTASK_SWITCHED_OUT();
    pxCurrentTCB = tcb;
    traceTASK_SWITCHED_IN();
}

static void tick(bool switches) {
    (void)switches;
    traceTASK_INCREMENT_TICK(1);
#ifndef V10_0
    traceRETURN_xTaskIncrementTick(switches ? pdTRUE : pdFALSE);
#endif
}

static void delay(TCB_t *next) {
    traceTASK_DELAY();
    remove_from_ready(pxCurrentTCB);
    switch_to(next);
}

static void move(TCB_t *tcb, UBaseType_t prio) {
    tcb->uxPriority = prio;
    make_ready(tcb);
}

// ---- queues

static void create_queue(Queue_t *pxQueue, UBaseType_t length, UBaseType_t item, uint8_t type) {
    pxQueue->pcHead = (int8_t *)pxQueue;
    pxQueue->uxLength = length;
    pxQueue->uxItemSize = item;
    pxQueue->ucQueueType = type;
    traceQUEUE_CREATE(pxQueue);
}

static void send(Queue_t *pxQueue) {
    traceQUEUE_SEND(pxQueue);
    if (!pxQueue->pcHead) HOLDER(pxQueue) = NULL;
    if (pxQueue->uxMessagesWaiting < pxQueue->uxLength) ++pxQueue->uxMessagesWaiting;
}

static void receive(Queue_t *pxQueue) {
    traceQUEUE_RECEIVE(pxQueue);
    --pxQueue->uxMessagesWaiting;
    if (!pxQueue->pcHead) HOLDER(pxQueue) = pxCurrentTCB;
}

static void create_mutex(Queue_t *mutex, uint8_t type) {
    create_queue(mutex, 1, 0, type);
    mutex->pcHead = NULL;
    HOLDER(mutex) = NULL;
    traceCREATE_MUTEX(mutex);
    send(mutex);
}

static void create_counting(Queue_t *xHandle, UBaseType_t length, UBaseType_t count) {
    create_queue(xHandle, length, 0, 2);
    xHandle->uxMessagesWaiting = count;
    traceCREATE_COUNTING_SEMAPHORE();
}

static void block_receive(Queue_t *pxQueue, TCB_t *next) {
    traceBLOCKING_ON_QUEUE_RECEIVE(pxQueue);
    remove_from_ready(pxCurrentTCB);
    switch_to(next);
}

static void take_recursive(Queue_t *mutex) {
    traceTAKE_MUTEX_RECURSIVE(mutex);
    if (HOLDER(mutex) != pxCurrentTCB) receive(mutex);
    ++NESTING(mutex);
}

static void give_recursive(Queue_t *mutex) {
    traceGIVE_MUTEX_RECURSIVE(mutex);
    if (!--NESTING(mutex)) send(mutex);
}

// ---- notifications, event groups

static void notify(TCB_t *pxTCB, BaseType_t xReturn) {
    if (xReturn) ++VALUE(pxTCB);
    STATE(pxTCB) = taskNOTIFICATION_RECEIVED;
    NOTE(traceTASK_NOTIFY);
}

static void notify_take(BaseType_t xClearCountOnExit) {
    NOTE(traceTASK_NOTIFY_TAKE);
    VALUE(pxCurrentTCB) = xClearCountOnExit || !VALUE(pxCurrentTCB) ? 0 : VALUE(pxCurrentTCB) - 1;
    STATE(pxCurrentTCB) = 0;
}

static void notify_wait_end(uint32_t ulBitsToClearOnExit) {
    NOTE(traceTASK_NOTIFY_WAIT);
    STATE(pxCurrentTCB) = 0;
}

static void flags_end(void *group, uint32_t bits, EventBits_t uxReturn, BaseType_t xWaitForAllBits,
                      BaseType_t late) {
    (void)late;
    traceEVENT_GROUP_WAIT_BITS_END(group, bits, late);
}

// ----

static TCB_t low, low2, high, idle;
static Queue_t mutex, nested, binary, counting, queue, set, commands;
static int group, stream;
static Timer_t timer = {10, "blink"};

// The give that frees a new mutex is not recorded. A counting semaphore is created with its count.
// Tasks created before the scheduler runs have no creator. The first run begins with the switch.
static void beginnings(void) {
    create_mutex(&mutex, 1);
    traceQUEUE_REGISTRY_ADD(&mutex, "mutex");
    create_mutex(&nested, 4);
    traceQUEUE_REGISTRY_ADD(&nested, "nested");
    create_queue(&binary, 1, 0, 3);
    traceQUEUE_REGISTRY_ADD(&binary, "binary");
    create_counting(&counting, 5, 3);
    traceQUEUE_REGISTRY_ADD(&counting, "counting");
    create_queue(&queue, 2, 4, 0);
    traceQUEUE_REGISTRY_ADD(&queue, "queue");
    create_queue(&set, 9, 8, 5);
    traceQUEUE_REGISTRY_ADD(&set, "set");
    create(&idle, "idle", 0);
    pxCurrentTCB = &idle; // FreeRTOS sets it too, though it does not run
    create(&low, "low", 1);
    create(&low2, "low2", 1);
    traceMALLOC(&group, 100);
    pxCurrentTCB = &low;
    traceTASK_SWITCHED_IN();
}

// Preempted, time slice, yielded, kept; delayed, suspended.
static void reasons(void) {
    tick(true);
    switch_to(&low2); // a time slice
    tick(false);
    traceQUEUE_SEND_FAILED(
        &mutex);     // has a hook, so the tick was not the reason (no give, it failed)
    switch_to(&low); // yields
    traceTASK_SWITCHED_OUT();
    traceTASK_SWITCHED_IN(); // kept: no record
    create(&high, "high", 3);
    switch_to(&high); // preempts
    delay(&low);
    make_ready(&high);
    switch_to(&high);
    traceTASK_SUSPEND(&high);
    remove_from_ready(&high);
    switch_to(&low);
    traceTASK_SUSPEND(&low2); // not the running task
    remove_from_ready(&low2);
    make_ready(&low2);
    remove_from_ready(&low); // without a hook
    switch_to(&low2);
    make_ready(&low);
    switch_to(&low);
}

// A refused take and a time-out are not takes; the give comes before the waiter's take; inheritance
// makes no task ready.
static void mutexes(void) {
    receive(&mutex);
    make_ready(&high);
    switch_to(&high);
    traceQUEUE_RECEIVE_FAILED(&mutex); // refused
    move(&low, 3);
    traceTASK_PRIORITY_INHERIT(&low, 3);
    block_receive(&mutex, &low);
    make_ready(&high);
    switch_to(&high);
    traceTASK_PRIORITY_DISINHERIT(&low, 1);
    move(&low, 1);
    traceQUEUE_RECEIVE_FAILED(&mutex); // timed out
    traceQUEUE_RECEIVE_FAILED(&mutex); // refused again
    block_receive(&mutex, &low);
    traceTASK_PRIORITY_SET(&low, 2);
    move(&low, 2);
    send(&mutex);
    make_ready(&high);
    switch_to(&high);
    receive(&mutex);
    send(&mutex);
    for (int i = 0; i < 3; ++i) take_recursive(&nested);
    for (int i = 0; i < 3; ++i) give_recursive(&nested);
}

// Counts are those after the operation; interrupts have no task, also through a queue set; a wait
// that ends before the switch leaves the task ready.
static void queues(void) {
    send(&queue);
    send(&queue);
    send(&queue); // overwrites
    traceQUEUE_SEND_FAILED(&queue);
    traceQUEUE_PEEK(&queue);
    receive(&queue);
    receive(&queue);
    traceQUEUE_RECEIVE_FAILED(&queue);
    traceBLOCKING_ON_QUEUE_RECEIVE(&queue);
    remove_from_ready(&high);
    traceISR_ENTER();
    traceISR_ENTER();
    traceQUEUE_SEND_FROM_ISR(&queue);
    ++queue.uxMessagesWaiting;
    traceQUEUE_SET_SEND(&set);
    make_ready(&high);
    traceISR_EXIT();
    traceISR_EXIT_TO_SCHEDULER();
    switch_to(&high); // kept
    receive(&queue);
    traceQUEUE_SEND(&queue);
    traceQUEUE_SET_SEND(&set);
    receive(&counting);
    send(&counting);
    traceQUEUE_SEND_FROM_ISR(&binary);
    ++binary.uxMessagesWaiting;
    traceQUEUE_SEND_FROM_ISR_FAILED(&binary); // a give refused: no record
    receive(&binary);
    traceQUEUE_RECEIVE_FROM_ISR_FAILED(&binary);
    traceQUEUE_DELETE(&set);
}

static void notifications(void) {
    NOTE(traceTASK_NOTIFY_TAKE_BLOCK);
    remove_from_ready(&high);
    switch_to(&low);
    notify(&high, pdPASS);
    make_ready(&high);
    switch_to(&high);
    notify_take(pdFALSE);
    notify_take(pdFALSE); // refused
    NOTE(traceTASK_NOTIFY_WAIT_BLOCK);
    remove_from_ready(&high);
    switch_to(&low);
    make_ready(&high);
    switch_to(&high);
    notify_wait_end(0); // timed out
    notify(&low, pdPASS);
    notify(&low, pdFAIL); // not overwritten: no record
}

// Only the stream is recorded, not the notification it uses.
static void streams(void) {
    traceSTREAM_BUFFER_CREATE(&stream, 0);
    traceQUEUE_REGISTRY_ADD(&stream, "stream");
    traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(&stream);
    NOTE(traceTASK_NOTIFY_WAIT_BLOCK);
    remove_from_ready(&high);
    switch_to(&low);
    stream_bytes = 5;
    traceSTREAM_BUFFER_SEND(&stream, 5);
    notify(&high, pdPASS);
    make_ready(&high);
    switch_to(&high);
    notify_wait_end(0);
    stream_bytes = 2;
    traceSTREAM_BUFFER_RECEIVE(&stream, 3);
    traceSTREAM_BUFFER_RECEIVE_FAILED(&stream);
    traceSTREAM_BUFFER_SEND_FROM_ISR(&stream, 0);
}

// Bits that came after the time-out count as received.
static void groups(void) {
    traceEVENT_GROUP_CREATE(&group);
    traceQUEUE_REGISTRY_ADD(&group, "group");
    flags_end(&group, 3, 1, pdTRUE, pdTRUE); // refused
    traceEVENT_GROUP_WAIT_BITS_BLOCK(&group, 3);
    remove_from_ready(&high);
    switch_to(&low);
    make_ready(&high);
    switch_to(&high);
    flags_end(&group, 3, 1, pdTRUE, pdTRUE); // timed out
    flags_end(&group, 3, 3, pdTRUE, pdTRUE);
    flags_end(&group, 3, 2, pdFALSE, pdFALSE);
    traceEVENT_GROUP_SET_BITS(&group, 4);
    traceEVENT_GROUP_CLEAR_BITS(&group, 4);
}

static void timers(void) {
    Timer_t *pxTimer = &timer;
    traceTIMER_CREATE(pxTimer);
    traceTIMER_COMMAND_RECEIVED(pxTimer, 1, 555);
    traceTIMER_EXPIRED(pxTimer);
    traceTIMER_COMMAND_RECEIVED(pxTimer, 4, 20);
    traceTIMER_COMMAND_RECEIVED(pxTimer, 3, 0);
    traceTIMER_COMMAND_RECEIVED(pxTimer, 5, 0);
}

// The timer task waits for a command until the next timer expires, with a hook of its own. A task
// that sleeps until a time does not wait for a queue.
static void timer_task(void) {
    create_queue(&commands, 10, 16, 0);
    traceQUEUE_REGISTRY_ADD(&commands, "TmrQ");
    pxCurrentTCB->xEventListItem.container = &commands.xTasksWaitingToReceive;
    traceTASK_DELAY_UNTIL(20);
    remove_from_ready(pxCurrentTCB);
    switch_to(&low);
    high.xEventListItem.container = NULL;
    make_ready(&high);
    switch_to(&high);
    traceTIMER_EXPIRED(&timer);
    traceQUEUE_RECEIVE_FAILED(&commands);
    traceTASK_DELAY_UNTIL(30);
    remove_from_ready(pxCurrentTCB);
    switch_to(&low);
    make_ready(&high);
    switch_to(&high);
}

// A handler that exits twice, by a hook of its own and by the one in portYIELD_FROM_ISR: the depth
// is never below 0, and the next interrupt is not nested.
static void exits_twice(void) {
    for (int i = 0; i < 2; ++i) {
        traceISR_ENTER();
        traceISR_EXIT_TO_SCHEDULER();
        traceISR_EXIT();
    }
}

static void end(void) {
    traceMALLOC(&group, 40);
    traceMALLOC(NULL, 4000);
    traceFREE(&group, 40);
    traceTASK_DELETE(&high);
    remove_from_ready(&high);
    switch_to(&low);
    traceTASK_DELETE(&low2);
    delay(&idle);
}

static void schedule(void) {
    wf_freertos_start();
    beginnings();
    reasons();
    mutexes();
    queues();
    notifications();
    streams();
    groups();
    timers();
    timer_task();
    exits_twice();
    end();
}
