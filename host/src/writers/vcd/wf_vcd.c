// SPDX-License-Identifier: MIT
// A VCD file from the model. After each item, the values that its changes concern are read from the
// model and written if they differ. The variables are known only at the end, so the header with the
// first values is part 0, written last; the changes are part 1.

#include <stdlib.h>
#include <string.h>

#include "wfi_vcd.h"

// ---- values of variables, from the model

struct value {
    bool known;
    uint64_t value;
};

static struct value wire(bool known, bool on) { return (struct value){known, on}; }

// The value of an interrupt's wire; unknown if an active interrupt without a number may be this
// one.
static struct value eval_irq(const struct wf_core *c, unsigned irq) {
    unsigned kept = c->irqs < WF_IRQ_DEPTH ? c->irqs : WF_IRQ_DEPTH;
    bool sure = c->irqs == kept;
    if (!c->irqs_known) return wire(false, false);
    for (unsigned i = 0; i < kept; ++i) {
        if (c->irq[i] == irq) return wire(true, true);
        if (c->irq[i] == WF_IRQ_UNKNOWN) sure = false;
    }
    return wire(sure, false);
}

static struct value eval_task(const struct wf_task *t, enum wfi_vcd_aspect aspect) {
    bool known = t->state != WF_TASK_UNKNOWN;
    switch (aspect) {
    case WFI_VCD_RUNS: return wire(known, t->state == WF_TASK_RUNNING);
    case WFI_VCD_STATE: return (struct value){known, t->state};
    case WFI_VCD_PRIORITY: return (struct value){t->prio_known, (uint32_t)t->prio};
    case WFI_VCD_STACK: return (struct value){t->stack_known, t->stack_free};
    default: return (struct value){t->waits_known, t->waits ? t->waits->index + 1u : 0};
    }
}

static struct value eval_object(const struct wf_object *o, enum wfi_vcd_aspect aspect) {
    switch (aspect) {
    case WFI_VCD_HOLDER:
        return (struct value){o->holder_known, o->holder ? o->holder->index + 1u : 0};
    case WFI_VCD_COUNT: return (struct value){o->count_known, o->count};
    case WFI_VCD_FREE: return (struct value){o->free_known, o->free};
    case WFI_VCD_LOW: return (struct value){o->low_known, o->low};
    case WFI_VCD_MACHINE: return (struct value){o->state_known, o->state};
    default: return (struct value){o->in_step, o->signal + 1}; // the end of a step comes by changes
    }
}

static void set_task(struct wf_writer *w, const struct wf_task *t, enum wfi_vcd_aspect aspect) {
    struct value is = eval_task(t, aspect);
    wfi_vcd_set(w, aspect, t->index, is.known, is.value);
}

static void set_object(struct wf_writer *w, const struct wf_object *o, enum wfi_vcd_aspect aspect) {
    struct value is = eval_object(o, aspect);
    wfi_vcd_set(w, aspect, o->index, is.known, is.value);
}

// ---- cores

static void add_wire(struct wf_writer *w, unsigned core, unsigned irq) {
    struct wfi_vcd *v = w->own;
    struct wfi_vcd_core *own = &v->core[core];
    uint64_t of = (uint64_t)core << 16 | irq;
    if (own->wires == WFI_VCD_IRQS || wfi_vcd_find(v, WFI_VCD_IRQ, of)) return;
    wfi_vcd_set(w, WFI_VCD_IRQ, of, true, 1);
    uint32_t var = wfi_vcd_find(v, WFI_VCD_IRQ, of);
    if (!var) return;
    v->vars[var].sibling = own->irq;
    own->irq = var;
    ++own->wires;
}

static void set_irqs(struct wf_writer *w, unsigned core, const struct wf_core *c) {
    struct wfi_vcd *v = w->own;
    unsigned kept = c->irqs < WF_IRQ_DEPTH ? c->irqs : WF_IRQ_DEPTH;
    unsigned top = c->irqs > WF_IRQ_DEPTH ? WF_IRQ_UNKNOWN : kept ? c->irq[kept - 1] : 0;
    struct wfi_vcd_core *own = &v->core[core];
    bool same = own->irqs_known == c->irqs_known && own->irqs == c->irqs && own->top == top;
    if (same || !v->shows_irqs) return;
    own->irqs_known = c->irqs_known;
    own->irqs = c->irqs;
    own->top = (uint16_t)top;
    wfi_vcd_set(w, WFI_VCD_CORE_IRQ, core, c->irqs_known, kept ? top + 1 : 0);
    wfi_vcd_set(w, WFI_VCD_CORE_DEPTH, core, c->irqs_known, c->irqs);
    for (unsigned i = 0; c->irqs_known && i < kept; ++i) add_wire(w, core, c->irq[i]);
    for (uint32_t var = own->irq; var; var = v->vars[var].sibling) {
        struct value is = eval_irq(c, v->vars[var].of & 0xFFFF);
        wfi_vcd_set_var(w, var, is.known, is.value);
    }
}

static void set_core(struct wf_writer *w, unsigned core) {
    const struct wf_core *c = wf_model_core(w->model, core);
    struct wfi_vcd_core *own = &wfi_vcd(w)->core[core];
    set_irqs(w, core, c);
    if ((own->known == c->known && own->task == c->task) || !wfi_vcd(w)->shows_tasks) return;
    own->known = c->known;
    own->task = c->task;
    wfi_vcd_set(w, WFI_VCD_CORE_TASK, core, c->known, c->task ? c->task->index + 1u : 0);
}

// The running task and the top interrupt may become known without a change. The model is in the
// same state for all changes of an item and for the item itself, so one check is enough.
static void set_cores(struct wf_writer *w, unsigned seen) {
    struct wfi_vcd *v = w->own;
    bool more = seen >= v->cores && seen < WF_MODEL_CORES;
    if (!w->fresh && !more) return;
    if (more) v->cores = seen + 1;
    for (unsigned i = 0; i < v->cores; ++i) set_core(w, i);
    w->fresh = false;
}

// ---- losses

static void set_losses(struct wf_writer *w) {
    wfi_vcd_set(w, WFI_VCD_MISSING, 0, true, wfi_vcd(w)->missing);
    wfi_vcd_set(w, WFI_VCD_BAD, 0, true, wfi_vcd(w)->bad);
}

static void count_loss(struct wfi_vcd *v, const struct wf_loss *l) {
    v->missing += l->records;
    if (l->kind == WF_LOSS_LATE && v->missing) --v->missing;
    if (l->kind != WF_LOSS_REPEATED) v->bad += l->bytes;
}

static void forget(struct wf_writer *w, uint32_t var) {
    const struct wfi_vcd_var *it = &wfi_vcd(w)->vars[var];
    struct value is = {false, 0};
    switch (it->aspect) {
    case WFI_VCD_RUNS:
    case WFI_VCD_STATE:
    case WFI_VCD_PRIORITY:
    case WFI_VCD_WAITS:
    case WFI_VCD_STACK:
        is = eval_task(wf_model_task(w->model, (unsigned)it->of), it->aspect);
        break;
    case WFI_VCD_HOLDER:
    case WFI_VCD_COUNT:
    case WFI_VCD_FREE:
    case WFI_VCD_LOW:
    case WFI_VCD_MACHINE:
        is = eval_object(wf_model_object(w->model, (unsigned)it->of), it->aspect);
        break;
    case WFI_VCD_STEP:
    case WFI_VCD_COUNTER: break;
    default: return; // cores: see set_cores
    }
    wfi_vcd_set_var(w, var, is.known, is.value);
}

// Sets the values to unknown that a hole may have changed; not all of them have a change. unstored:
// only values that the model does not store.
static void take_hole(struct wf_writer *w, bool unstored) {
    struct wfi_vcd *v = w->own;
    for (uint32_t var = v->first_known, next; var; var = next) {
        next = v->vars[var].next;
        unsigned aspect = v->vars[var].aspect;
        bool kept = aspect != WFI_VCD_STEP && aspect != WFI_VCD_COUNTER;
        if (kept != unstored) forget(w, var);
    }
}

// In slots several cores may have holes at once, and the other cores continue during a hole. So the
// start of a hole is written at once, before the model reports the hole.
static void see_hole(struct wf_writer *w) {
    struct wfi_vcd *v = w->own;
    if (!w->s->slots.on || v->epoch == wf_model_losses(w->model)) return;
    v->epoch = wf_model_losses(w->model);
    if (wf_model_hole_begin(w->model) > w->scope.until) return;
    v->now = wf_scale_ns(&w->scale, wf_model_hole_begin(w->model));
    wfi_vcd_set(w, WFI_VCD_HOLE, 0, true, 1);
    take_hole(w, true);
}

// In frames the model reports a hole before anything after its start is written.
static void take_loss(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_vcd *v = w->own;
    if (!w->s->slots.on) {
        v->now = wf_scale_ns(&w->scale, c->from);
        wfi_vcd_set(w, WFI_VCD_HOLE, 0, true, 1);
        take_hole(w, true);
    }
    if (w->ending) return;
    v->now = wfi_ns(w, c->tick);
    wfi_vcd_set(w, WFI_VCD_HOLE, 0, true, wf_model_open_holes(w->model) != 0);
    set_losses(w);
    take_hole(w, false);
}

// ---- changes

static void set_changed(struct wf_writer *w, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_TASK:
    case WF_CHANGE_CREATE:
    case WF_CHANGE_PRIORITY:
        set_task(w, c->task, WFI_VCD_RUNS);
        set_task(w, c->task, WFI_VCD_STATE);
        set_task(w, c->task, WFI_VCD_PRIORITY);
        set_task(w, c->task, WFI_VCD_STACK);
        break;
    case WF_CHANGE_WAIT:
    case WF_CHANGE_WAIT_END: set_task(w, c->task, WFI_VCD_WAITS); break;
    case WF_CHANGE_HOLD:
    case WF_CHANGE_HOLD_END:
    case WF_CHANGE_HOLDER: set_object(w, c->object, WFI_VCD_HOLDER); break;
    case WF_CHANGE_COUNT: set_object(w, c->object, WFI_VCD_COUNT); break;
    case WF_CHANGE_FREE: set_object(w, c->object, WFI_VCD_FREE); break;
    case WF_CHANGE_LOW:
        if (c->task)
            set_task(w, c->task, WFI_VCD_STACK);
        else
            set_object(w, c->object, WFI_VCD_LOW);
        break;
    case WF_CHANGE_STATE: set_object(w, c->object, WFI_VCD_MACHINE); break;
    case WF_CHANGE_OBJECT:
        for (unsigned a = WFI_VCD_HOLDER; a <= WFI_VCD_STEP; ++a) set_object(w, c->object, a);
        break;
    case WF_CHANGE_STEP: wfi_vcd_set(w, WFI_VCD_STEP, c->object->index, true, c->text + 1); break;
    case WF_CHANGE_STEP_END: wfi_vcd_set(w, WFI_VCD_STEP, c->object->index, !c->cut, 0); break;
    case WF_CHANGE_COUNTER: wfi_vcd_set(w, WFI_VCD_COUNTER, c->text, true, (uint32_t)c->value);
    default: break;
    }
}

static void flush(struct wf_writer *w, size_t least) {
    size_t len = (size_t)(w->text.end - w->text.buf);
    if (len < least) return;
    wfi_put_part(w, 1, "changes.vcd", w->text.buf, len);
    w->text.end = w->text.buf;
}

static void take_change(struct wf_writer *w, const struct wf_change *c) {
    see_hole(w);
    if (c->kind == WF_CHANGE_LOSS) take_loss(w, c);
    // States that end after the window, or at the trace's end, continue in it.
    if (w->ending) return;
    wfi_vcd(w)->now = wfi_ns(w, c->tick);
    set_cores(w, c->core);
    set_changed(w, c);
    flush(w, WFI_STRBUF_CAP / 2);
}

static bool is_hole(const struct wf_item *item) {
    if (item->kind == WF_ITEM_EVENT) return false;
    return item->kind != WF_ITEM_RECORD || !wfi_is_whole(&item->record) || item->record.back;
}

// Frames have the core in a field, if at all.
static unsigned core_of(const struct wf_item *item) {
    const struct wf_record *r = &item->record;
    if (item->kind != WF_ITEM_RECORD || !r->row) return 0;
    for (unsigned i = 0; i < r->row->count; ++i) {
        if (r->row->fields[i].kind == WF_KIND_CORE) return (unsigned)r->value[i];
    }
    return r->core;
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind == WF_ITEM_LOSS) count_loss(w->own, &item->loss);
    if (!w->scope.begun || w->ending) return;
    see_hole(w);
    wfi_vcd(w)->now = wfi_ns(w, wf_model_tick(w->model));
    if (is_hole(item)) {
        set_losses(w);
        take_hole(w, false);
    }
    set_cores(w, core_of(item));
    flush(w, WFI_STRBUF_CAP / 2);
}

// ---- begin and end

static bool shows(struct wf_writer *w, enum wf_change_kind kind, struct wf_object *o) {
    struct wf_change c = {.kind = kind, .object = o};
    c.tick = c.from = w->scope.from;
    return wfi_change_shown(w, &c);
}

static void begin_task(struct wf_writer *w, const struct wf_task *t) {
    static const enum wfi_vcd_aspect of_tasks[] = {WFI_VCD_RUNS, WFI_VCD_STATE, WFI_VCD_PRIORITY,
                                                   WFI_VCD_STACK};
    for (unsigned i = 0; wfi_vcd(w)->shows_tasks && i < 4; ++i) set_task(w, t, of_tasks[i]);
    if (t->waits && shows(w, WF_CHANGE_WAIT, t->waits)) set_task(w, t, WFI_VCD_WAITS);
}

static void begin_object(struct wf_writer *w, struct wf_object *o) {
    if (shows(w, WF_CHANGE_OBJECT, o)) {
        for (unsigned a = WFI_VCD_HOLDER; a <= WFI_VCD_LOW; ++a) set_object(w, o, a);
    }
    if (shows(w, WF_CHANGE_STATE, o)) {
        set_object(w, o, WFI_VCD_MACHINE);
        set_object(w, o, WFI_VCD_STEP);
    }
}

// Writes the state of the model at the start of the window. At the start of a trace it is unknown.
static void begin_vcd(struct wf_writer *w, uint64_t tick) {
    struct wfi_vcd *v = w->own;
    v->fixed = w->filter.has_from && wf_model_tick(w->model) > 0;
    v->from_ns = v->ns = v->now = wf_scale_ns(&w->scale, v->fixed ? w->scope.from : tick);
    v->dumping = true;
    v->shows_tasks = shows(w, WF_CHANGE_TASK, NULL);
    v->shows_irqs = shows(w, WF_CHANGE_IRQ_BEGIN, NULL);
    v->epoch = wf_model_losses(w->model);
    wfi_vcd_set(w, WFI_VCD_HOLE, 0, true, w->s->slots.on && wf_model_open_holes(w->model));
    set_losses(w);
    for (v->cores = 0; v->cores < WF_MODEL_CORES; ++v->cores) set_core(w, v->cores);
    while (v->cores > 1 && !wf_model_core(w->model, v->cores - 1)->used) --v->cores;
    for (unsigned i = 0; i < wf_model_tasks(w->model); ++i)
        begin_task(w, wf_model_task(w->model, i));
    for (unsigned i = 0; i < wf_model_objects(w->model); ++i)
        begin_object(w, wf_model_object(w->model, i));
    v->dumping = false;
    v->begun = v->count;
}

static int open_vcd(struct wf_writer *w) {
    struct wfi_vcd *v = calloc(1, sizeof *v);
    if (!v) return WF_ERR_NOMEM;
    w->own = v;
    bool good = wfi_strbuf_open(&v->dump, &w->failed) && wfi_strbuf_open(&v->word, &w->failed) &&
                wfi_vcd_vars_open(v);
    return good ? WF_OK : WF_ERR_NOMEM;
}

static void end_vcd(struct wf_writer *w) {
    struct wfi_vcd *v = w->own;
    uint64_t tick = wf_model_tick(w->model), until = w->scope.until;
    v->now = wf_scale_ns(&w->scale, tick < until ? tick : until);
    if (w->scope.begun) wfi_vcd_end(w);
    flush(w, 1);
    wfi_vcd_put_header(w, &w->text);
    if (v->failed) w->failed = true;
    wfi_put_part(w, 0, "header.vcd", w->text.buf, (size_t)(w->text.end - w->text.buf));
    w->text.end = w->text.buf;
}

static void close_vcd(struct wf_writer *w) {
    struct wfi_vcd *v = w->own;
    if (!v) return;
    wfi_strbuf_close(&v->dump);
    wfi_strbuf_close(&v->word);
    wfi_vcd_vars_close(v);
    free(v);
}

const struct wfi_ops wfi_vcd_ops = {.open = open_vcd,
                                    .begin = begin_vcd,
                                    .change = take_change,
                                    .item = take_item,
                                    .end = end_vcd,
                                    .close = close_vcd};
