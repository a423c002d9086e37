// SPDX-License-Identifier: MIT
// Mutexes, semaphores and queues in a Grasp trace.

#include <inttypes.h>

#include "wfi_grasp.h"

enum { ADJUST_MAX = 256 }; // a level that differs by more is not corrected

// Writes "plot TIME EVENT JOB OBJECT".
static void put_plot(struct wf_writer *w, const struct wf_change *c, const char *event,
                     struct wfi_job job, const char *kind) {
    wfi_grasp_plot(w, c->tick, event, job);
    wfi_strbuf_printf(&w->text, " %s%u", kind, c->object->index + 1);
}

static bool same_job(struct wfi_job a, struct wfi_job b) {
    return a.of == b.of && a.number == b.number && a.isr == b.isr;
}

// A mutex that was taken in a hole is not drawn: the start is unknown.
static void draw_hold(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_grasp_task *t = wfi_grasp_task(w, c->task);
    if (t) ++t->held;
    if (!c->from_known) return;
    wfi_grasp_declare_object(w, c->object, c->tick);
    struct wfi_job job = wfi_grasp_doer(w, c);
    struct wfi_grasp_object *o = wfi_grasp_object(w, c->object);
    if (!o || job.of == WFI_NONE) return;
    o->holder = job;
    put_plot(w, c, "jobAcquiredMutex", job, "mutex");
    wfi_strbuf_put(&w->text, "\n");
}

static void draw_hold_end(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_grasp_task *t = wfi_grasp_task(w, c->task);
    struct wfi_grasp_object *o = wfi_grasp_object(w, c->object);
    if (!t || !o) return;
    if (t->held) --t->held;
    const struct wfi_job job = {c->task->index, t->jobs, false};
    bool drawn = o->declared && t->open && same_job(o->holder, job);
    o->holder.of = WFI_NONE;
    if (c->cut || !drawn) return;
    put_plot(w, c, "jobReleasedMutex", job, "mutex");
    wfi_strbuf_put(&w->text, "\n");
}

static void draw_semaphore(struct wf_writer *w, const struct wf_change *c, const char *event) {
    bool counted = c->kind == WF_CHANGE_WAIT ? c->object->count_known : true;
    uint64_t count = c->kind == WF_CHANGE_WAIT ? c->object->count : (uint64_t)c->value;
    struct wfi_job job = wfi_grasp_doer(w, c);
    if (job.of == WFI_NONE) return; // an interrupt that is not in the trace
    wfi_grasp_declare_object(w, c->object, c->tick);
    put_plot(w, c, event, job, "sem");
    if (counted) wfi_strbuf_printf(&w->text, " -state %" PRIu64, count);
    wfi_strbuf_put(&w->text, "\n");
}

static void push_item(struct wf_writer *w, const struct wf_change *c, const char *item,
                      uint64_t n) {
    struct wfi_grasp_object *o = wfi_grasp_object(w, c->object);
    wfi_grasp_begin(w, "bufferplot", c->tick);
    wfi_strbuf_printf(&w->text, "push buffer%u %s", c->object->index + 1, item);
    if (n) wfi_strbuf_printf(&w->text, "%" PRIu64, n);
    wfi_strbuf_put(&w->text, "\n");
    ++o->count;
}

static void pop_item(struct wf_writer *w, const struct wf_change *c, bool unknown) {
    struct wfi_grasp_object *o = wfi_grasp_object(w, c->object);
    wfi_grasp_begin(w, "bufferplot", c->tick);
    if (unknown)
        wfi_strbuf_printf(&w->text, "drop buffer%u 0\n", c->object->index + 1);
    else
        wfi_strbuf_printf(&w->text, "pop buffer%u\n", c->object->index + 1);
    --o->count;
}

// The fill level is unknown at the start and after a loss, until a record reports it.
static void draw_queue(struct wf_writer *w, const struct wf_change *c, bool give) {
    uint64_t behind = (uint64_t)c->value, before = give ? behind - 1 : behind + 1;
    wfi_grasp_declare_object(w, c->object, c->tick);
    struct wfi_grasp_object *o = wfi_grasp_object(w, c->object);
    if (!o || (give && !behind)) return; // given to a waiting task
    uint64_t differs = o->count < before ? before - o->count : o->count - before;
    if (differs > ADJUST_MAX) return;
    while (o->count < before) push_item(w, c, "unknown", 0);
    while (o->count > before) pop_item(w, c, true);
    if (give)
        push_item(w, c, "item", ++o->items);
    else
        pop_item(w, c, false);
}

void wfi_grasp_take_object(struct wf_writer *w, const struct wf_change *c) {
    bool sem = c->object->kind == WF_OBJECT_SEMAPHORE, que = c->object->kind == WF_OBJECT_QUEUE;
    switch (c->kind) {
    case WF_CHANGE_HOLD: draw_hold(w, c); break;
    case WF_CHANGE_HOLD_END: draw_hold_end(w, c); break;
    case WF_CHANGE_WAIT:
        if (sem) draw_semaphore(w, c, "jobSuspendedOnSemaphore");
        break;
    case WF_CHANGE_TAKE:
        if (sem) draw_semaphore(w, c, "jobAcquiredSemaphore");
        if (que) draw_queue(w, c, false);
        break;
    case WF_CHANGE_GIVE:
        if (sem) draw_semaphore(w, c, "jobReleasedSemaphore");
        if (que) draw_queue(w, c, true);
        break;
    default: break;
    }
}
