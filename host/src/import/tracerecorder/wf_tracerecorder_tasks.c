// SPDX-License-Identifier: MIT
// Tasks and interrupts. Interrupts have handles: their numbers here are in the order of their first
// use. An interrupt that does not return to another one ends with the next activation of a task.

#include "wfi_tracerecorder.h"

enum { NO_TASK = 2 }; // handle of the current task before the scheduler runs

struct wfi_tr_core *wfi_tr_core(struct wfi_import *im) {
    struct wfi_tr *t = im->state;
    return &t->core[im->core % WFI_TR_CORES];
}

// If no call is recorded that waits, the task was preempted or gave way. Only for FreeRTOS the
// codes of all such calls are known.
static uint8_t usual_reason(const struct wfi_tr *t) {
    return t->reasons ? WF_REASON_preempted : WF_REASON_unknown;
}

static bool in_task(const struct wfi_import *im) {
    const struct wfi_import_core *c = &im->cores[im->core];
    return c->known && !c->irqs;
}

static void note_wait(struct wfi_import *im, uint8_t why, uint64_t object) {
    const struct wfi_tr *t = im->state;
    struct wfi_tr_core *c = wfi_tr_core(im);
    if (im->cores[im->core].irqs) return;
    c->why = why;
    if (!in_task(im) || !c->task) return;
    c->task->waits = object;
    c->task->epoch = t->epoch;
}

void wfi_tr_acts(struct wfi_import *im) { note_wait(im, usual_reason(im->state), 0); }

void wfi_tr_waits(struct wfi_import *im, uint64_t object) {
    note_wait(im, WF_REASON_blocked, object);
}

bool wfi_tr_waited(struct wfi_import *im, uint64_t object, bool *known) {
    const struct wfi_tr *t = im->state;
    const struct wfi_tr_handle *task = in_task(im) ? wfi_tr_core(im)->task : NULL;
    *known = task && task->epoch == t->epoch;
    return task && task->waits == object;
}

// ---- tasks

void wfi_tr_is_task(struct wfi_import *im, struct wfi_tr_handle *h) {
    if (h->kind == WFI_TR_TASK) return;
    h->kind = WFI_TR_TASK;
    if (!h->from_table) return;
    h->from_table = false;
    h->has_priority = true;
    WFI_IMPORT(im, task_priority, h->key, h->priority);
}

static void set_priority(struct wfi_import *im, struct wfi_tr_handle *h, uint64_t priority) {
    h->from_table = false;
    wfi_tr_is_task(im, h);
    uint32_t value = priority <= INT16_MAX ? (uint32_t)priority : (uint16_t)WF_PRIO_UNKNOWN;
    if (h->has_priority && h->priority == value) return;
    h->has_priority = true;
    h->priority = value;
    WFI_IMPORT(im, task_priority, h->key, value);
}

// The task runs, since when is not known.
static void find_running(struct wfi_import *im, struct wfi_tr_handle *h) {
    struct wfi_import_core *c = &im->cores[im->core];
    c->known = true;
    c->task = h->key;
    wfi_tr_core(im)->task = h;
    wfi_tr_core(im)->why = usual_reason(im->state);
}

static void switch_to(struct wfi_import *im, struct wfi_tr_handle *h) {
    const struct wfi_import_core *c = &im->cores[im->core];
    struct wfi_tr_core *core = wfi_tr_core(im);
    if (!c->known || c->task != h->key)
        wfi_import_switch(im, h->key, c->known && core->task ? core->why : WF_REASON_unknown);
    core->task = h;
    core->why = usual_reason(im->state);
}

// The tasks that run when tracing starts, one of each core.
void wfi_tr_on_start(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    unsigned own = im->core;
    for (unsigned i = 0; i < e->n && i < t->cores; ++i) {
        uint64_t key = wfi_tr_word(t, e, i);
        im->core = t->cores > 1 ? i : own;
        if (key == NO_TASK) {
            im->cores[im->core].known = true;
            im->cores[im->core].task = 0;
            wfi_tr_core(im)->task = NULL;
        } else if (key) {
            struct wfi_tr_handle *h = wfi_tr_handle(im, key);
            wfi_tr_is_task(im, h);
            switch_to(im, h);
        }
    }
    im->core = own;
}

// With one word it is the return from interrupts to the task that ran.
void wfi_tr_on_activate(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    const struct wfi_import_core *c = &im->cores[im->core];
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(t, e, 0));
    if (c->irqs) wfi_import_irq_exit_all(im);
    wfi_tr_is_task(im, h);
    if (e->n > 1 || (c->known && c->task != h->key))
        switch_to(im, h);
    else if (!c->known)
        find_running(im, h);
    if (e->n > 1) set_priority(im, h, wfi_tr_word(t, e, 1));
}

void wfi_tr_on_priority(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    set_priority(im, wfi_tr_handle(im, wfi_tr_word(t, e, 0)), wfi_tr_word(t, e, 1));
}

void wfi_tr_on_task_create(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(t, e, 0));
    uint64_t priority = wfi_tr_word(t, e, 1);
    if (e->n < 2 || priority > INT16_MAX) priority = (uint16_t)WF_PRIO_UNKNOWN;
    h->kind = WFI_TR_TASK;
    h->from_table = false;
    h->has_priority = true;
    h->priority = (uint32_t)priority;
    h->waits = 0;
    h->epoch = ((const struct wfi_tr *)im->state)->epoch;
    WFI_IMPORT(im, task_create, h->key, priority);
    wfi_tr_repeat_name(im, h);
}

void wfi_tr_on_task_delete(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(im->state, e, 0));
    if (in_task(im) && wfi_tr_core(im)->task == h) wfi_tr_core(im)->why = WF_REASON_ended;
    WFI_IMPORT(im, task_delete, h->key);
    h->stale = true;
    h->has_priority = false;
    h->waits = 0;
}

void wfi_tr_on_ready(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(im->state, e, 0));
    wfi_tr_is_task(im, h);
    WFI_IMPORT(im, task_ready, h->key);
}

void wfi_tr_on_delay(struct wfi_import *im, const struct wfi_tr_event *e) {
    (void)e;
    wfi_tr_acts(im);
    if (!im->cores[im->core].irqs) wfi_tr_core(im)->why = WF_REASON_delayed;
}

void wfi_tr_on_suspend(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(im->state, e, 0));
    wfi_tr_acts(im);
    wfi_tr_is_task(im, h);
    if (in_task(im) && wfi_tr_core(im)->task == h) wfi_tr_core(im)->why = WF_REASON_suspended;
    WFI_IMPORT(im, task_suspend, h->key);
}

// The size of the stack is not recorded.
void wfi_tr_on_stack(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(t, e, 0));
    uint64_t free = wfi_tr_word(t, e, 1) * t->word;
    wfi_tr_is_task(im, h);
    WFI_IMPORT(im, task_stack, h->key, free < UINT32_MAX ? free : UINT32_MAX, 0);
}

// ---- interrupts

static uint16_t irq_of(struct wfi_import *im, struct wfi_tr_handle *h) {
    struct wfi_tr *t = im->state;
    char room[24];
    size_t len;
    if (!h->irq && t->irqs >= WF_IRQ_UNKNOWN) return WF_IRQ_UNKNOWN;
    if (!h->irq) {
        h->irq = ++t->irqs;
        const char *name = wfi_tr_name_of(h, room, &len);
        wfi_import_irq_name(im, (uint16_t)(h->irq - 1), name, len);
    }
    return (uint16_t)(h->irq - 1);
}

void wfi_tr_on_irq_define(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(t, e, 0));
    bool numbered = h->irq;
    wfi_tr_set_name(im, h, e->words + 2 * (size_t)t->word, (size_t)(e->n - 2) * t->word);
    uint16_t irq = irq_of(im, h);
    if (numbered && h->name) wfi_import_irq_name(im, irq, h->name, h->name_len);
}

void wfi_tr_on_irq_begin(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(im->state, e, 0));
    wfi_import_irq_enter(im, irq_of(im, h));
}

// Back in an outer interrupt: those on top of it have ended.
void wfi_tr_on_irq_resume(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(im->state, e, 0));
    struct wfi_import_core *c = &im->cores[im->core];
    uint16_t irq = irq_of(im, h);
    if (!c->irqs) { // its begin is lost
        c->irqs = 1;
        c->irq[0] = irq;
        return;
    }
    do {
        if (c->irqs == 1) return;
        wfi_import_irq_exit(im);
    } while (c->irqs > WFI_IMPORT_IRQS || c->irq[c->irqs - 1] != irq);
}
