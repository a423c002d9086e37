// SPDX-License-Identifier: MIT
// Tasks and interrupts of the text. A line says that a task leaves its core, and another one, of
// the same time, which one follows. If none follows at that time, the core is idle from then on;
// FreeRTOS-BTF-Trace writes the next task a few ticks later.
//
// The end of a job is no end of its task: the task waits for the next activation, which OSEK calls
// suspended. An active wait ("poll") keeps the core.

#include "wfi_btf.h"

void wfi_btf_settle(struct wfi_import *im, uint64_t tick, bool all) {
    struct wfi_btf *b = wfi_btf_of(im);
    for (unsigned i = 0; i < WFI_IMPORT_CORES; ++i) {
        struct wfi_btf_left *left = &b->left[i];
        if (!left->pending || (!all && (left->holds || left->tick == tick))) continue;
        left->pending = false;
        im->core = i;
        im->tick = left->tick;
        im->offset = left->offset;
        wfi_import_switch(im, 0, left->reason);
    }
}

static bool runs(const struct wfi_import *im, uint64_t key) {
    const struct wfi_import_core *c = &im->cores[im->core];
    return c->known && c->task == key;
}

static void leave_core(struct wfi_import *im, const struct wfi_btf_job *job, unsigned reason,
                       bool holds) {
    struct wfi_btf_left *left = &wfi_btf_of(im)->left[im->core];
    if (!runs(im, job->key)) wfi_import_switch(im, job->key, WF_REASON_unknown);
    *left = (struct wfi_btf_left){true, holds, im->tick, im->offset, reason};
}

static void take_core(struct wfi_import *im, struct wfi_btf_job *job) {
    struct wfi_btf_left *left = &wfi_btf_of(im)->left[im->core];
    wfi_import_switch(im, job->key, left->pending ? left->reason : WF_REASON_unknown);
    left->pending = false;
    job->core = (uint8_t)im->core;
    job->seen = true;
}

// The OS event that the task waited for has been set.
static void end_wait(struct wfi_import *im, struct wfi_btf_job *job) {
    if (!job->waits) return;
    struct wfi_import_core *c = &im->cores[im->core], before = *c;
    *c = (struct wfi_import_core){.known = true, .task = job->key};
    WFI_IMPORT(im, cond_take, job->waits);
    *c = before;
    job->waits = 0;
}

// The line before may say which task has triggered the stimulus; else it is not the running one.
// A core without a running task then records it, as a model derives the waker from the core.
static void make_ready(struct wfi_import *im, const struct wfi_btf_line *l,
                       const struct wfi_btf_job *job) {
    const struct wfi_btf *b = wfi_btf_of(im);
    const struct wfi_btf_entity *e = wfi_btf_find(b, l->source);
    bool known = e && e->by && e->triggered == l->tick, free_core = !b->irqs;
    for (unsigned i = 0; i < WFI_IMPORT_CORES && (known || !free_core); ++i) {
        const struct wfi_import_core *c = &im->cores[i];
        if (!(b->cores >> i & 1)) continue;
        bool use = known ? c->known && c->task == e->by : !c->known || !c->task || c->irqs;
        if (!use) continue;
        im->core = i;
        known = false;
        free_core = true;
    }
    if (!free_core) wfi_import_irq_enter(im, WF_IRQ_UNKNOWN);
    WFI_IMPORT(im, task_ready, job->key);
    if (!free_core) wfi_import_irq_exit(im);
}

static void begin_job(struct wfi_import *im, const struct wfi_btf_job *job) {
    const struct wfi_import_field fields[] = {
        {"task", WFI_FIELD_ADDRESS, job->key, NULL, 0},
        {"instance", WFI_FIELD_SIGNED, job->instance, NULL, 0}};
    wfi_import_event(im, "job", 3, fields, 2);
}

// Events of tasks and what they do.
enum act { READY, RUN, LEAVE, RELEASE, STAY };
static const struct event {
    const char *name;
    enum act act;
    unsigned reason;
} events[] = {
    {"activate", READY, 0},
    {"start", RUN, 0},
    {"resume", RUN, 0},
    {"preempt", LEAVE, WF_REASON_preempted},
    {"terminate", LEAVE, WF_REASON_suspended},
    {"wait", LEAVE, WF_REASON_blocked},
    {"park", LEAVE, WF_REASON_blocked},
    {"suspend", LEAVE, WF_REASON_suspended},
    {"run", STAY, 0},
    {"poll", STAY, 0},
    {"poll_parking", RUN, 0},
    {"release", RELEASE, 0},
    {"release_parking", RELEASE, 0},
};

static const struct event *find_event(struct wfi_part name) {
    for (unsigned i = 0; i < sizeof events / sizeof *events; ++i) {
        if (wfi_part_is(name, events[i].name)) return &events[i];
    }
    return NULL;
}

static bool apply(struct wfi_import *im, const struct wfi_btf_line *l, const struct event *e,
                  struct wfi_btf_job *job) {
    unsigned core;
    if (e->act == READY) {
        make_ready(im, l, job);
        return true;
    }
    if (!wfi_btf_core(im, l->source, &core)) return false;
    im->core = core;
    bool runs_on = wfi_part_is(e->name[0] == 'r' ? l->event : WFI_PART(""), "run");
    switch (e->act) {
    case RUN:
        take_core(im, job);
        if (wfi_part_is(l->event, "start")) begin_job(im, job);
        return true;
    case LEAVE: {
        const struct wfi_btf_entity *task = wfi_btf_find(wfi_btf_of(im), l->target);
        bool holds = task && task->freertos;
        leave_core(im, job, holds ? WF_REASON_unknown : e->reason, holds);
        if (wfi_part_is(l->event, "terminate")) job->alive = false;
        return true;
    }
    case RELEASE:
        end_wait(im, job);
        WFI_IMPORT(im, task_ready, job->key);
        return true;
    default: // it keeps the core
        if (!runs(im, job->key)) take_core(im, job);
        if (runs_on) end_wait(im, job);
        return false; // and is an event
    }
}

bool wfi_btf_task(struct wfi_import *im, const struct wfi_btf_line *l) {
    if (wfi_btf_freertos_task(im, l)) return true;
    const struct event *e = find_event(l->event);
    if (wfi_part_is(l->event, "mtalimitexceeded")) {
        struct wfi_btf_job *job = wfi_btf_job(im, l->target, l->instance);
        if (job) job->alive = false; // it will not start
    }
    if (!e) return false;
    struct wfi_btf_job *job = wfi_btf_job(im, l->target, l->instance);
    return job && apply(im, l, e, job);
}

// ---- interrupts

static bool number_irq(struct wfi_import *im, struct wfi_btf_entity *e) {
    struct wfi_btf *b = wfi_btf_of(im);
    if (e->irq) return true;
    if (b->irqs == WF_IRQ_UNKNOWN - 1) return false;
    e->irq = (uint16_t)++b->irqs;
    wfi_import_irq_name(im, e->irq, e->name.at, e->name.len);
    return true;
}

// Interrupts above it have ended without a line.
static void leave_irq(struct wfi_import *im, uint16_t irq) {
    const struct wfi_import_core *c = &im->cores[im->core];
    unsigned n = c->irqs < WFI_IMPORT_IRQS ? c->irqs : WFI_IMPORT_IRQS;
    while (n && c->irq[n - 1] != irq) --n;
    while (n && c->irqs >= n) wfi_import_irq_exit(im);
}

// An interrupt that is preempted by another one is below it, which the start of that shows.
bool wfi_btf_isr(struct wfi_import *im, const struct wfi_btf_line *l) {
    bool start = wfi_part_is(l->event, "start"), ends = wfi_part_is(l->event, "terminate");
    unsigned core;
    if (wfi_part_is(l->event, "preempt") || wfi_part_is(l->event, "resume")) return true;
    if ((!start && !ends) || !wfi_btf_core(im, l->source, &core)) return false;
    struct wfi_btf_entity *e = wfi_btf_entity(im, l->target);
    if (!e || !number_irq(im, e)) return false;
    im->core = core;
    e->core = (uint8_t)(core + 1);
    if (start)
        wfi_import_irq_enter(im, e->irq);
    else
        leave_irq(im, e->irq);
    return true;
}
