// SPDX-License-Identifier: MIT
// Queues, mutexes, semaphores and notifications. A woken task tries again when it runs, so a better
// task may come first.

#include <stddef.h>

#include "kernel.h"
#include "records.h"

// A wait of the running task: it may be woken several times without getting what it waits for.
struct wait {
    uint32_t ticks, until;
    bool began;
};

static struct wait wait_of(uint32_t ticks) {
    return (struct wait){ticks, kernel_ticks() + ticks, false};
}

// Returns whether the task may wait, once more if it has waited already.
static bool may_wait(const struct wait *w) {
    return w->began ? !kernel_running()->timed_out : w->ticks != 0;
}

static void wait_for(const void *object, bool sends, struct wait *w) {
    w->began = true;
    kernel_wait(object, sends, w->ticks != KERNEL_FOREVER, w->until);
}

// ---- queues

void queue_create(struct queue *queue, const char *name, uint32_t *items, uint32_t room) {
    queue->items = items;
    queue->room = room;
    uint32_t was = kernel_lock();
    RECORD_OBJECT_N(queue_create, queue, room);
    WF_NAME(queue, name);
    kernel_unlock(was);
}

bool queue_send(struct queue *queue, uint32_t item, uint32_t ticks) {
    uint32_t was = kernel_lock();
    struct wait wait = wait_of(ticks);
    while (queue->count == queue->room && may_wait(&wait)) {
        RECORD_BY(queue_send_wait, queue, kernel_running());
        wait_for(queue, true, &wait);
    }
    const bool sent = queue->count != queue->room;
    if (sent) {
        queue->items[(queue->first + queue->count) % queue->room] = item;
        ++queue->count;
        RECORD_BY_N(queue_send, queue, kernel_running(), queue->count);
        kernel_wake(queue, false);
    } else if (wait.began) {
        RECORD_BY(queue_timeout, queue, kernel_running());
    } else {
        RECORD_BY(queue_send_refused, queue, kernel_running());
    }
    kernel_unlock(was);
    return sent;
}

bool queue_receive(struct queue *queue, uint32_t *item, uint32_t ticks) {
    uint32_t was = kernel_lock();
    struct wait wait = wait_of(ticks);
    while (!queue->count && may_wait(&wait)) {
        RECORD_BY(queue_receive_wait, queue, kernel_running());
        wait_for(queue, false, &wait);
    }
    const bool got = queue->count != 0;
    if (got) {
        *item = queue->items[queue->first];
        queue->first = (queue->first + 1) % queue->room;
        --queue->count;
        RECORD_BY_N(queue_receive, queue, kernel_running(), queue->count);
        kernel_wake(queue, true);
    } else {
        RECORD_BY(queue_timeout, queue, kernel_running());
    }
    kernel_unlock(was);
    return got;
}

// ---- mutexes

void mutex_create(struct mutex *mutex, const char *name) {
    mutex->owner = NULL;
    uint32_t was = kernel_lock();
    RECORD_OBJECT(mutex_create, mutex);
    WF_NAME(mutex, name);
    kernel_unlock(was);
}

static void set_priority(struct task *task, uint8_t prio) {
    task->prio = prio;
    RECORD_TASK_PRIORITY(task, prio);
}

void mutex_take(struct mutex *mutex) {
    uint32_t was = kernel_lock();
    struct task *me = kernel_running();
    struct wait wait = wait_of(KERNEL_FOREVER);
    while (mutex->owner) {
        RECORD_BY(mutex_wait, mutex, me);
        if (mutex->owner->prio < me->prio) set_priority(mutex->owner, me->prio);
        wait_for(mutex, false, &wait);
    }
    mutex->owner = me;
    RECORD_BY_N(mutex_take, mutex, me, 1);
    kernel_unlock(was);
}

void mutex_give(struct mutex *mutex) {
    uint32_t was = kernel_lock();
    struct task *me = kernel_running();
    RECORD_BY_N(mutex_give, mutex, me, 0);
    mutex->owner = NULL;
    if (me->prio != me->base) set_priority(me, me->base);
    kernel_wake(mutex, false);
    kernel_unlock(was);
}

// ---- semaphores, and notifications, which are semaphores whose object is the task

void semaphore_create(struct semaphore *semaphore, const char *name, uint32_t most) {
    semaphore->most = most;
    uint32_t was = kernel_lock();
    RECORD_OBJECT_N(sema_create, semaphore, 0);
    WF_NAME(semaphore, name);
    kernel_unlock(was);
}

// Waits until *count is not 0, and takes one, or all. Returns what it was.
static uint32_t take(const void *object, uint32_t *count, uint32_t ticks, bool all) {
    uint32_t was = kernel_lock();
    struct wait wait = wait_of(ticks);
    while (!*count && may_wait(&wait)) {
        RECORD_BY(sema_wait, object, kernel_running());
        wait_for(object, false, &wait);
    }
    const uint32_t found = *count;
    if (found) {
        *count = all ? 0 : found - 1;
        RECORD_BY_N(sema_take, object, kernel_running(), *count);
    } else {
        RECORD_BY(sema_timeout, object, kernel_running());
    }
    kernel_unlock(was);
    return found;
}

bool semaphore_take(struct semaphore *semaphore, uint32_t ticks) {
    return take(semaphore, &semaphore->count, ticks, false) != 0;
}

bool task_notified(uint32_t ticks) {
    struct task *me = kernel_running();
    return take(me, &me->notes, ticks, true) != 0;
}

void task_notify(struct task *task) {
    uint32_t was = kernel_lock();
    ++task->notes;
    RECORD_BY_N(sema_give, task, kernel_running(), task->notes);
    kernel_wake(task, false);
    kernel_unlock(was);
}

// A give to a full semaphore has no record.
void semaphore_give_irq(struct semaphore *semaphore) {
    uint32_t was = kernel_lock();
    if (semaphore->count != semaphore->most) {
        ++semaphore->count;
        RECORD_BY_N(sema_give, semaphore, NULL, semaphore->count);
        kernel_wake(semaphore, false);
    }
    kernel_unlock(was);
}
