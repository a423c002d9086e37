// SPDX-License-Identifier: MIT
// A Grasp trace from the model's changes. A job of a task arrives when the task becomes ready after
// a wait. It completes when the task blocks, sleeps or ends, unless the task holds a mutex or waits
// for one.
//
// Each core shows one job: that of the innermost interrupt, or else of the running task. The line
// of a job that leaves a core names the next job of the same tick as its target, so it is written
// when the next job is known. Lines then have the order that players expect: arrived, completed,
// preempted, resumed.
//
// The contents of a hole are unknown: a running job is drawn up to the hole and has no end. When
// its task runs again, it starts another job, without an arrival.

#include <inttypes.h>
#include <stdlib.h>

#include "wallfly_host/wf_text_trace.h"
#include "wfi_grasp.h"

enum {
    LOSS_MAX = 511,  // bytes of a message about losses
    LOSS_FULL = 413, // no loss is added to a longer one
};

static const struct wfi_job no_job = {.of = WFI_NONE};

static void end_line(struct wf_writer *w, unsigned core) {
    if (wfi_grasp(w)->core[core].declared) wfi_strbuf_printf(&w->text, " -processor core%u", core);
    wfi_strbuf_put(&w->text, "\n");
}

static void put_event(struct wf_writer *w, unsigned core, const char *event, struct wfi_job job,
                      uint64_t tick) {
    wfi_grasp_plot(w, tick, event, job);
    end_line(w, core);
}

static void put_preempted(struct wf_writer *w, unsigned core, struct wfi_job job, struct wfi_job by,
                          uint64_t tick) {
    wfi_grasp_plot(w, tick, "jobPreempted", job);
    if (by.of != WFI_NONE) {
        wfi_strbuf_put(&w->text, " -target ");
        wfi_grasp_job(w, by);
    }
    end_line(w, core);
}

// ---- switches

// Writes the line of a job that left. to: the next job on the core.
static void end_leave(struct wf_writer *w, unsigned core, struct wfi_job to) {
    struct wfi_grasp_core *c = &wfi_grasp(w)->core[core];
    if (!c->leave.open) return;
    c->leave.open = false;
    if (c->leave.completes)
        put_event(w, core, "jobCompleted", c->leave.job, c->leave.tick);
    else if (c->leave.drawn)
        put_preempted(w, core, c->leave.job, to, c->leave.tick);
}

static void end_leaves(struct wf_writer *w) {
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) end_leave(w, i, no_job);
}

static struct wfi_job job_of(struct wf_writer *w, const struct wf_task *task) {
    struct wfi_grasp_task *t = wfi_grasp_task(w, task);
    if (t && !t->open) wfi_grasp_new_job(w, task, NULL);
    return t ? (struct wfi_job){task->index, t->jobs, false} : no_job;
}

static bool keeps_job(const struct wf_change *c, const struct wfi_grasp_task *t) {
    const struct wf_object *waits = c->task->waits;
    return t->held || (waits && waits->kind == WF_OBJECT_MUTEX);
}

static bool completes_job(const struct wf_change *c, const struct wfi_grasp_task *t) {
    if (c->cut) return false;
    if (c->is == WF_TASK_ENDED) return true;
    bool waits = c->reason == WF_REASON_blocked || c->reason == WF_REASON_delayed;
    return waits && !keeps_job(c, t);
}

static void task_leaves(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_grasp_core *core = &wfi_grasp(w)->core[c->core];
    struct wfi_grasp_task *t = wfi_grasp_task(w, c->task);
    end_leave(w, c->core, no_job);
    if (!t || !t->open) return;
    core->leave.open = true;
    core->leave.job = (struct wfi_job){c->task->index, t->jobs, false};
    core->leave.completes = completes_job(c, t);
    core->leave.drawn = core->drawn && !core->irqs;
    core->leave.tick = c->tick;
    core->job = no_job;
    core->drawn = false;
    if (core->leave.completes || c->cut) t->open = false;
}

// Writes the line of a task that moves to another core in the same tick.
static void end_leave_of(struct wf_writer *w, uint32_t task, unsigned but) {
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        if (i != but && wfi_grasp(w)->core[i].leave.job.of == task) end_leave(w, i, no_job);
    }
}

static void task_enters(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_grasp_core *core = &wfi_grasp(w)->core[c->core];
    struct wfi_grasp_task *t = wfi_grasp_task(w, c->task);
    bool waited = c->was == WF_TASK_BLOCKED || c->was == WF_TASK_DELAYED;
    wfi_grasp_declare_core(w, c->core);
    end_leave_of(w, c->task->index, c->core);
    if (t && !t->open && waited) wfi_grasp_new_job(w, c->task, &c->tick);
    core->job = job_of(w, c->task);
    end_leave(w, c->core, core->job);
    core->drawn = !core->irqs && core->job.of != WFI_NONE;
    if (core->drawn) put_event(w, c->core, "jobResumed", core->job, c->tick);
}

static void take_task(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_grasp_task *t = wfi_grasp_task(w, c->task);
    if (!t) return;
    if (c->was == WF_TASK_RUNNING)
        task_leaves(w, c);
    else if (c->cut)
        t->open = false; // the end of its job is unknown
    if (c->is == WF_TASK_RUNNING) task_enters(w, c);
    if (c->is == WF_TASK_READY && !t->open) wfi_grasp_new_job(w, c->task, &c->tick);
    if (c->is == WF_TASK_ENDED) t->open = false;
}

// ---- interrupts

static struct wfi_job *top_irq(struct wfi_grasp_core *c) {
    return &c->irq[(c->irqs < WF_IRQ_DEPTH ? c->irqs : WF_IRQ_DEPTH) - 1];
}

static void irq_begins(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_grasp_core *core = &wfi_grasp(w)->core[c->core];
    if (core->irqs >= WF_IRQ_DEPTH) return;
    wfi_grasp_declare_core(w, c->core);
    struct wfi_job job = wfi_grasp_irq(w, c->irq, c->tick);
    if (core->irq_drawn)
        put_preempted(w, c->core, *top_irq(core), job, c->tick);
    else if (core->drawn)
        put_preempted(w, c->core, core->job, job, c->tick);
    core->drawn = false;
    core->irq_drawn = true;
    core->irq[core->irqs++] = job;
    put_event(w, c->core, "jobResumed", job, c->tick);
}

// If a hole ends the interrupt, it is drawn up to the hole and does not complete, and the
// interrupts that it preempted are not drawn any more.
static void irq_ends(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_grasp_core *core = &wfi_grasp(w)->core[c->core];
    if (!core->irqs) return;
    if (!c->cut)
        put_event(w, c->core, "jobCompleted", *top_irq(core), c->tick);
    else if (core->irq_drawn)
        put_preempted(w, c->core, *top_irq(core), no_job, c->tick);
    --core->irqs;
    core->irq_drawn = core->irqs && !c->cut;
    if (core->irq_drawn) put_event(w, c->core, "jobResumed", *top_irq(core), c->tick);
    core->drawn = !core->irqs && !c->cut && core->job.of != WFI_NONE;
    if (core->drawn) put_event(w, c->core, "jobResumed", core->job, c->tick);
}

struct wfi_job wfi_grasp_doer(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_grasp_core *core = &wfi_grasp(w)->core[c->core];
    if (c->task) return job_of(w, c->task);
    return core->irqs ? *top_irq(core) : no_job;
}

// ---- notes

static void put_first_line(struct wf_writer *w) {
    if (wfi_grasp(w)->begun) return;
    wfi_grasp(w)->begun = true;
    wfi_grasp(w)->hz = w->s->target.hz;
    wfi_strbuf_printf(&w->text, "# Grasp trace, written by wallfly; times are %s\n",
                      wfi_grasp(w)->hz ? "milliseconds" : "ticks, the rate is not known");
}

#define HOLE_BEGINS "hole begins: "

static void hole_begins(struct wf_writer *w, uint64_t tick) {
    struct wfi_strbuf *t = &wfi_grasp(w)->loss;
    if (!wfi_strbuf_len(t)) wfi_strbuf_put(t, HOLE_BEGINS);
    size_t len = wfi_strbuf_len(t);
    wfi_grasp_message(w, tick, t->buf, len < LOSS_MAX ? len : LOSS_MAX, "red");
    wfi_strbuf_clear(t);
}

// Collects losses. The model reports the hole with the next record.
static void note_loss(struct wf_writer *w, const struct wf_loss *l) {
    struct wfi_strbuf *t = &wfi_grasp(w)->loss;
    if (l->kind == WF_LOSS_LATE || l->kind == WF_LOSS_REPEATED) return;
    if (wfi_strbuf_len(t) > LOSS_FULL) return;
    wfi_strbuf_put(t, wfi_strbuf_len(t) ? "; " : HOLE_BEGINS);
    if (l->records)
        wfi_strbuf_printf(t, "%s%" PRIu64 " records missing", l->exact ? "" : "at least ",
                          l->records);
    else if (l->why)
        wfi_strbuf_printf(t, "%" PRIu64 " bytes dropped: %.120s", l->bytes, l->why);
    else if (l->kind == WF_LOSS_RESTART)
        wfi_strbuf_printf(t, "the target started anew");
    else if (l->kind == WF_LOSS_BEGINNING)
        wfi_strbuf_printf(t, "older records were overwritten");
    else
        wfi_strbuf_printf(t, "%" PRIu64 " bytes damaged or lost", l->bytes + l->lost);
    // In slots other cores continue before the hole ends, so its start is written now.
    uint64_t now = wf_model_tick(w->model);
    if (!w->s->slots.on || l->core >= WF_MODEL_CORES) return;
    if (!w->scope.begun || w->ending || now > w->scope.until) return;
    put_first_line(w);
    end_leaves(w);
    hole_begins(w, now);
    wfi_grasp(w)->core[l->core].hole = true;
}

static void take_loss(struct wf_writer *w, const struct wf_change *c) {
    static const char known[] = "hole ends";
    bool *begun = &wfi_grasp(w)->core[c->core < WF_MODEL_CORES ? c->core : 0].hole;
    if (!*begun) hole_begins(w, c->from);
    *begun = false;
    wfi_grasp_message(w, c->tick, known, sizeof known - 1, "red");
}

// The text of an application or log record, as `wallfly print` shows it.
static void put_words(struct wf_writer *w, const struct wf_record *r) {
    struct wfi_strbuf *t = &wfi_grasp(w)->words;
    struct wfi_record_name name;
    if (r->left || r->missing) return;
    wfi_strbuf_clear(t);
    if (r->row == &wf_user_row) {
        wfi_record_name(w->s, r, &name);
        wfi_strbuf_put(t, name.text);
        wfi_put_elements(w->s, r, WFI_STYLE_WALLFLY, t, NULL, NULL);
    } else {
        wfi_put_log(w->s, r, t);
    }
    wfi_grasp_message(w, r->tick, t->buf, wfi_strbuf_len(t), NULL);
}

// ---- the writer

static void draw_change(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_grasp *g = w->own;
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        bool later = c->kind != WF_CHANGE_TASK || c->tick != g->core[i].leave.tick;
        bool waits = c->kind == WF_CHANGE_WAKE || c->kind == WF_CHANGE_COUNT;
        if (later && !waits) end_leave(w, i, no_job);
    }
    switch (c->kind) {
    case WF_CHANGE_TASK: take_task(w, c); break;
    case WF_CHANGE_IRQ_BEGIN: irq_begins(w, c); break;
    case WF_CHANGE_IRQ_END: irq_ends(w, c); break;
    case WF_CHANGE_LOSS: take_loss(w, c); break;
    case WF_CHANGE_LOG: put_words(w, c->record); break;
    case WF_CHANGE_WAIT:
    case WF_CHANGE_HOLD:
    case WF_CHANGE_HOLD_END:
    case WF_CHANGE_TAKE:
    case WF_CHANGE_GIVE: wfi_grasp_take_object(w, c); break;
    default: break;
    }
}

static int open_grasp(struct wf_writer *w) {
    struct wfi_grasp *g = w->own;
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) g->core[i].job = no_job;
    return wfi_strbuf_open(&g->loss, &w->failed) && wfi_strbuf_open(&g->words, &w->failed)
               ? WF_OK
               : WF_ERR_NOMEM;
}

// Draws the jobs that run at the start of the window (--from).
static void begin_window(struct wf_writer *w, uint64_t tick) {
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        const struct wf_core *core = wf_model_core(w->model, i);
        if (!core->known || !core->task) continue;
        put_first_line(w);
        wfi_grasp_declare_core(w, i);
        struct wfi_grasp_core *c = &wfi_grasp(w)->core[i];
        c->job = job_of(w, core->task);
        c->drawn = c->job.of != WFI_NONE;
        if (c->drawn)
            put_event(w, i, "jobResumed", c->job, tick > w->scope.from ? w->scope.from : tick);
    }
}

static void take_change(struct wf_writer *w, const struct wf_change *c) {
    if (w->ending) return;
    put_first_line(w);
    draw_change(w, c);
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind == WF_ITEM_LOSS) note_loss(w, &item->loss);
    bool user = item->kind == WF_ITEM_RECORD && item->record.row == &wf_user_row;
    if (!user || wf_text_trace_is_style(w->s, item->record.id)) return;
    put_first_line(w);
    end_leaves(w);
    put_words(w, &item->record);
}

// Jobs that are open at the end of the trace have no end. The last line marks the trace's length.
static void end_grasp(struct wf_writer *w) {
    static const char text[] = "end of the trace";
    put_first_line(w);
    end_leaves(w);
    uint64_t last = wf_model_tick(w->model);
    wfi_grasp_message(w, last < w->scope.until ? last : w->scope.until, text, sizeof text - 1,
                      NULL);
}

static void close_grasp(struct wf_writer *w) {
    struct wfi_grasp *g = w->own;
    wfi_strbuf_close(&g->loss);
    wfi_strbuf_close(&g->words);
    wfi_per_close(&g->tasks);
    wfi_per_close(&g->objects);
    free(g->irq_jobs);
}

const struct wfi_ops wfi_grasp_ops = {.own_bytes = sizeof(struct wfi_grasp),
                                      .open = open_grasp,
                                      .begin = begin_window,
                                      .change = take_change,
                                      .item = take_item,
                                      .end = end_grasp,
                                      .close = close_grasp};
