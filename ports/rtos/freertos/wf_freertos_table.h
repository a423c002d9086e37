// SPDX-License-Identifier: MIT
// The table of tasks' state bits (wf_freertos.h), for kernels without configUSE_TRACE_FACILITY,
// whose TCB has no member for them. It is a part of wf_freertos.c, which alone includes it.
#ifndef WF_FREERTOS_TABLE_H
#define WF_FREERTOS_TABLE_H

#if configUSE_TRACE_FACILITY != 1
// Mostly tasks that are not ready. If there are too many, the tasks left out count as not ready:
// then a change of priority may be recorded as a ready, too.
#ifndef WF_FREERTOS_TASKS
#define WF_FREERTOS_TASKS 32 // 1..255
#endif

static struct {
    const void *task;
    uint8_t memory;
} memories[WF_FREERTOS_TASKS];
static bool too_many;

unsigned wf_freertos_memory(const void *task) {
    for (unsigned i = 0; i < WF_FREERTOS_TASKS; ++i) {
        if (memories[i].task == task) return memories[i].memory;
    }
    return too_many ? WF_FREERTOS_AWAY : 0u;
}

void wf_freertos_remember(const void *task, unsigned memory) {
    unsigned found = WF_FREERTOS_TASKS;
    for (unsigned i = 0; i < WF_FREERTOS_TASKS; ++i) {
        if (memories[i].task == task) {
            found = i;
            break;
        }
        if (!memories[i].task) found = i;
    }
    if (found < WF_FREERTOS_TASKS) {
        memories[found].task = memory ? task : NULL;
        memories[found].memory = (uint8_t)memory;
    } else if (memory) {
        too_many = true;
    }
}

static void forget(const void *task) { wf_freertos_remember(task, 0); }
#else
static void forget(const void *task) { (void)task; }
#endif

#endif
