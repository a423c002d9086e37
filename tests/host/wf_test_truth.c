// SPDX-License-Identifier: MIT
// The meaning of the records so far, implemented a second time and differently from the model.

#include "wf_test_kernel.h"

void truth_state(struct kernel *k, int t, enum wf_task_state state) {
    struct k_truth_task *task = &k->truth.task[t];
    task->state = state;
    task->told = true;
    task->state_since = k->now(k->ctx);
}

void truth_wait(struct kernel *k, int t, int o, bool to_give) {
    struct k_truth_task *task = &k->truth.task[t];
    struct k_truth_object *object = &k->truth.object[o];
    task->waits = o;
    task->to_give = to_give;
    task->waits_since = k->now(k->ctx);
    object->waiters[object->waiting++] = t;
}

void truth_wait_ends(struct kernel *k, int t) {
    struct k_truth_task *task = &k->truth.task[t];
    if (task->waits < 0) return;
    struct k_truth_object *object = &k->truth.object[task->waits];
    unsigned n = 0;
    for (unsigned i = 0; i < object->waiting; ++i) {
        if (object->waiters[i] != t) object->waiters[n++] = object->waiters[i];
    }
    object->waiting = n;
    task->waits = -1;
}

void truth_hold(struct kernel *k, int o, int t, unsigned nest) {
    struct k_truth_object *object = &k->truth.object[o];
    if (object->holder != t) object->held_since = k->now(k->ctx);
    object->holder = t;
    object->nest = nest;
}

void truth_end(struct kernel *k, int t) {
    truth_wait_ends(k, t);
    truth_state(k, t, WF_TASK_ENDED);
    k->truth.task[t].live = false;
    k->truth.task[t].spans = 0;
}
