// SPDX-License-Identifier: MIT
// Prints the model's changes for a trace of frames or transmission text; scripts compare them with
// the output of writers. Fields are separated by tabs:
//   TICK KIND CORE TASK WAS IS CUT FROM_KNOWN OBJECT OBJECT_KIND IRQ VALUE

#include <inttypes.h>
#include <stdio.h>

#include "model_read.h"

static struct wf_model *m;

static const char *const kinds[WF_CHANGES] = {
    [WF_CHANGE_TASK] = "task",         [WF_CHANGE_IRQ_BEGIN] = "irq",
    [WF_CHANGE_IRQ_END] = "irq-end",   [WF_CHANGE_HOLD] = "hold",
    [WF_CHANGE_TAKE] = "take",         [WF_CHANGE_GIVE] = "give",
    [WF_CHANGE_HOLD_END] = "hold-end", [WF_CHANGE_WAIT] = "wait",
    [WF_CHANGE_LOSS] = "loss"};

static void print(const struct wf_change *c) {
    if (!kinds[c->kind]) return;
    printf("%" PRIu64 "\t%s\t%u\t", c->tick, kinds[c->kind], c->core);
    printf("%d\t%s\t%s\t", c->task ? (int)c->task->index + 1 : 0, wf_task_state_names[c->was],
           wf_task_state_names[c->is]);
    printf("%d\t%d\t%d\t%s\t%u\t%" PRId64 "\n", c->cut, c->from_known,
           c->object ? (int)c->object->index + 1 : 0,
           c->object ? wf_object_kind_names[c->object->kind] : "none", c->irq, c->value);
}

static void take(const struct wf_item *item) {
    struct wf_change c;
    wf_model_take(m, item);
    while (wf_model_next(m, &c)) print(&c);
}

int main(int argc, char **argv) {
    struct wf_session *s = model_open(argc, argv, &m);
    model_feed(s, take);
    wf_model_close(m);
    wf_session_close(s);
    return 0;
}
