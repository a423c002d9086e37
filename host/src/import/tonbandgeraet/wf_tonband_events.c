// SPDX-License-Identifier: MIT
// Events of tasks and interrupts. Why a task leaves is recorded for delays, queues, suspend and
// delete. Else the priorities show it, as FreeRTOS runs the ready task of the highest priority on
// a single core: a task that a lower one follows waits for something that is not recorded.

#include <string.h>

#include "wfi_tonband.h"

static struct wfi_import_core *core_of(struct wfi_import *im) { return &im->cores[im->core]; }

static bool runs(struct wfi_import *im, uint64_t task) {
    const struct wfi_import_core *c = core_of(im);
    return c->known && c->task == task;
}

static void set_leave(struct wfi_import *im, uint64_t task, unsigned reason) {
    struct wfi_tonband *t = im->state;
    if (runs(im, task)) t->leave[im->core] = (uint8_t)reason;
}

static int prio_of(struct wfi_import *im, uint64_t task) {
    const struct wfi_tonband_entity *t = wfi_tonband_entity(im, TBI_TASK, task & UINT32_MAX, 0);
    return t ? t->prio : -1;
}

static unsigned reason_of(struct wfi_import *im, uint64_t next) {
    const struct wfi_tonband *t = im->state;
    const struct wfi_import_core *c = core_of(im);
    if (!c->known || t->leave[im->core]) return t->leave[im->core];
    int before = prio_of(im, c->task), after = prio_of(im, next);
    if (t->cores > 1 || before < 0 || after < 0 || before == after) return WF_REASON_unknown;
    return after > before ? WF_REASON_preempted : WF_REASON_blocked;
}

static void switch_in(struct wfi_import *im, uint64_t task) {
    struct wfi_tonband *t = im->state;
    wfi_import_irq_exit_all(im); // an interrupt whose end is not marked
    if (!runs(im, task)) wfi_import_switch(im, task, reason_of(im, task));
    t->leave[im->core] = 0;
}

static void take_priority(struct wfi_import *im, const struct wfi_tonband_event *e) {
    struct wfi_tonband_entity *t = wfi_tonband_entity(im, TBI_TASK, e->value[0], 0);
    if (e->value[1] > INT16_MAX) return;
    if (t) t->prio = (int)e->value[1];
    WFI_IMPORT(im, task_priority, wfi_tonband_key(TBI_TASK, e->value[0]), e->value[1]);
}

static void create_task(struct wfi_import *im, uint64_t id) {
    struct wfi_tonband_entity *t = wfi_tonband_entity(im, TBI_TASK, id, 0);
    if (t) t->prio = -1;
    WFI_IMPORT(im, task_create, wfi_tonband_key(TBI_TASK, id), (uint64_t)WF_PRIO_UNKNOWN);
}

static bool take_task(struct wfi_import *im, const struct wfi_tonband_event *e) {
    const uint64_t task = wfi_tonband_key(TBI_TASK, e->value[0]);
    const struct wfi_import_core *c = core_of(im);
    switch (e->id) {
    case TBI_SWITCHED_IN: switch_in(im, task); return true;
    case TBI_READY:
        set_leave(im, task, 0);
        WFI_IMPORT(im, task_ready, task);
        return true;
    case TBI_SUSPENDED:
        set_leave(im, task, WF_REASON_suspended);
        WFI_IMPORT(im, task_suspend, task);
        return true;
    case TBI_DELAY:
    case TBI_DELAY_UNTIL:
        if (c->known) set_leave(im, c->task, WF_REASON_delayed);
        return false;
    case TBI_PRIORITY_SET:
    case TBI_PRIORITY_INHERIT:
    case TBI_PRIORITY_DISINHERIT: take_priority(im, e); return true;
    case TBI_TASK_CREATED: create_task(im, e->value[0]); return true;
    case TBI_TASK_NAME: wfi_import_name(im, task, e->text, e->len); return true;
    case TBI_TASK_DELETED:
        set_leave(im, task, WF_REASON_ended);
        WFI_IMPORT(im, task_delete, task);
        return true;
    default: return false;
    }
}

static bool take_irq(struct wfi_import *im, const struct wfi_tonband_event *e) {
    uint16_t irq = e->value[0] < WF_IRQ_UNKNOWN ? (uint16_t)e->value[0] : WF_IRQ_UNKNOWN;
    switch (e->id) {
    case TBI_ISR_NAME:
        if (irq != WF_IRQ_UNKNOWN) wfi_import_irq_name(im, irq, e->text, e->len);
        return true;
    case TBI_ISR_ENTER: wfi_import_irq_enter(im, irq); return true;
    case TBI_ISR_EXIT: wfi_import_irq_exit(im); return true;
    default: return false;
    }
}

// ---- events of their own name

// A label begins with * for a task, @ for a queue.
static const struct {
    uint8_t id;
    const char *name, *labels[2];
} names[] = {
    {TBI_RESUMED, "task_resumed", {"*task"}},
    {TBI_RESUMED_ISR, "task_resumed_from_isr", {"*task"}},
    {TBI_DELAY, "curtask_delay", {"ticks"}},
    {TBI_DELAY_UNTIL, "curtask_delay_until", {"time_to_wake"}},
    {TBI_TASK_IS_IDLE, "task_is_idle_task", {"*task", "core"}},
    {TBI_TASK_IS_TIMER, "task_is_timer_task", {"*task"}},
    {TBI_QUEUE_SEND, "queue_send", {"@queue", "len_after"}},
    {TBI_QUEUE_SEND_ISR, "queue_send_from_isr", {"@queue", "len_after"}},
    {TBI_QUEUE_OVERWRITE, "queue_overwrite", {"@queue", "len_after"}},
    {TBI_QUEUE_OVERWRITE_ISR, "queue_overwrite_from_isr", {"@queue", "len_after"}},
    {TBI_QUEUE_RECEIVE, "queue_receive", {"@queue", "len_after"}},
    {TBI_QUEUE_RECEIVE_ISR, "queue_receive_from_isr", {"@queue", "len_after"}},
    {TBI_QUEUE_RESET, "queue_reset", {"@queue"}},
    {TBI_BLOCK_PEEK, "curtask_block_on_queue_peek", {"@queue", "ticks_to_wait"}},
    {TBI_BLOCK_SEND, "curtask_block_on_queue_send", {"@queue", "ticks_to_wait"}},
    {TBI_BLOCK_RECEIVE, "curtask_block_on_queue_receive", {"@queue", "ticks_to_wait"}},
    {TBI_QUEUE_LENGTH, "queue_cur_length", {"@queue", "length"}},
};

static struct wfi_import_field field_of(const char *label, uint64_t value) {
    struct wfi_import_field f = {label, WFI_FIELD_UNSIGNED, value, NULL, 0};
    if (label[0] != '*' && label[0] != '@') return f;
    f.name = label + 1;
    f.type = WFI_FIELD_ADDRESS;
    f.value = wfi_tonband_key(label[0] == '*' ? TBI_TASK : TBI_QUEUE, value);
    return f;
}

void wfi_tonband_plain(struct wfi_import *im, const struct wfi_tonband_event *e) {
    struct wfi_import_field fields[2];
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (names[i].id != e->id) continue;
        unsigned n = 0;
        for (; n < 2 && names[i].labels[n]; ++n)
            fields[n] = field_of(names[i].labels[n], e->value[n]);
        wfi_import_event(im, names[i].name, strlen(names[i].name), fields, n);
        return;
    }
    // The layout is not known, so the time is not.
    fields[0] = (struct wfi_import_field){"id", WFI_FIELD_UNSIGNED, e->id, NULL, 0};
    wfi_import_event(im, "unknown event", 13, fields, 1);
}

void wfi_tonband_take(struct wfi_import *im, const struct wfi_tonband_event *e) {
    if (take_irq(im, e) || take_task(im, e)) return;
    bool local = e->id >= TBI_TASK_MARKER_NAME && e->id <= TBI_TASK_VALUE;
    if (local || (e->id >= TBI_MARKER_NAME && e->id <= TBI_VALUE))
        wfi_tonband_take_marker(im, e);
    else if (e->id >= TBI_QUEUE_CREATED && e->id <= TBI_QUEUE_LENGTH)
        wfi_tonband_take_queue(im, e);
    else
        wfi_tonband_plain(im, e);
}
