// SPDX-License-Identifier: MIT
// Interrupts and spans are nested, so their beginnings and ends are written at once. An interrupt
// with an unknown start is drawn from the time at which it is known.

#include "wfi_perfetto.h"

// ---- interrupts: each on its core's track and on one of its own

static void irq_event(struct wf_writer *w, unsigned core, unsigned irq, uint64_t tick, bool begins,
                      bool seen) {
    struct wfi_pf_event e = {.type = begins ? WFI_PF_BEGIN : WFI_PF_END};
    uint64_t tracks[] = {wfi_pf_core_track(w, core, WFI_PF_CORE_IRQS),
                         wfi_pf_irq_track(w, core, irq)};
    if (begins) {
        e.name = wfi_pf_name(w, WFI_PF_IRQ, irq, 0);
        e.category = WFI_PF_CAT_irq;
    }
    for (unsigned i = 0; i < 2; ++i) {
        e.track = tracks[i];
        wfi_pf_event(w, wfi_pf_ns(w, tick), &e);
        if (!seen) wfi_pf_arg_bool(w, begins ? WFI_PF_ARG_begin_seen : WFI_PF_ARG_end_seen, false);
        wfi_pf_event_end(w);
    }
}

static void push_irq(struct wf_writer *w, unsigned core, unsigned irq, uint64_t tick, bool seen) {
    struct wfi_pf_nest *n = &wfi_pf_core(w, core)->irqs;
    if (n->open == WF_IRQ_DEPTH) return;
    n->at[n->open].tick = tick;
    n->at[n->open++].irq = (uint16_t)irq;
    irq_event(w, core, irq, tick, true, seen);
}

static void pop_irq(struct wf_writer *w, unsigned core, uint64_t tick, bool seen) {
    struct wfi_pf_nest *n = &wfi_pf_core(w, core)->irqs;
    --n->open;
    irq_event(w, core, n->at[n->open].irq, tick, false, seen);
}

// Ends drawn interrupts, or begins new ones, until the first `count` of the model are drawn.
static void level(struct wf_writer *w, unsigned core, unsigned count, uint64_t tick) {
    const struct wf_core *c = wf_model_core(w->model, core);
    const struct wfi_pf_nest *n = &wfi_pf_core(w, core)->irqs;
    if (count > WF_IRQ_DEPTH) count = WF_IRQ_DEPTH;
    while (n->open > count) pop_irq(w, core, tick, false);
    while (n->open < count) {
        uint64_t since = c->irq_since[n->open], from = w->scope.from;
        push_irq(w, core, c->irq[n->open], since < from ? from : since, false);
    }
}

// Draws an interrupt that is not drawn yet, after those that it preempted.
static void unseen_irq(struct wf_writer *w, const struct wf_change *c) {
    unsigned below = wf_model_core(w->model, c->core)->irqs;
    const struct wfi_pf_nest *n = &wfi_pf_core(w, c->core)->irqs;
    if (below < n->open || below >= WF_IRQ_DEPTH) return;
    level(w, c->core, below, c->from);
    push_irq(w, c->core, c->irq, c->from, false);
    pop_irq(w, c->core, c->tick, !c->cut);
}

void wfi_pf_take_irq(struct wf_writer *w, const struct wf_change *c) {
    const struct wfi_pf_core *own = wfi_pf_core(w, c->core);
    const struct wf_core *now = wf_model_core(w->model, c->core);
    if (!own) return;
    const struct wfi_pf_nest *n = &own->irqs;
    if (c->kind == WF_CHANGE_IRQ_BEGIN) {
        if (now->irqs) level(w, c->core, now->irqs - 1, c->tick);
        push_irq(w, c->core, c->irq, c->tick, true);
    } else if (n->open && (c->from_known || n->at[n->open - 1].tick == c->from)) {
        pop_irq(w, c->core, c->tick, !c->cut);
    } else {
        unseen_irq(w, c);
    }
}

// ---- spans, of a task or of the interrupts of a core

static struct wfi_pf_nest *spans_of(struct wf_writer *w, const struct wf_task *t, unsigned core,
                                    uint64_t *track) {
    struct wfi_pf_task *task = t ? wfi_pf_task(w, t) : NULL;
    struct wfi_pf_core *c = t ? NULL : wfi_pf_core(w, core);
    if (!task && !c) return NULL;
    *track = t ? wfi_pf_task_track(w, t, WFI_PF_TASK_SPANS)
               : wfi_pf_core_track(w, core, WFI_PF_CORE_SPANS);
    return t ? &task->spans : &c->spans;
}

static void push_span(struct wf_writer *w, struct wfi_pf_nest *n, uint64_t track, uint64_t text,
                      uint64_t tick, bool seen) {
    if (n->open == WF_IRQ_DEPTH) return;
    struct wfi_pf_event e = {.type = WFI_PF_BEGIN,
                             .track = track,
                             .name = wfi_pf_name(w, WFI_PF_CONSTANT, text, 0),
                             .category = WFI_PF_CAT_span};
    n->at[n->open++].tick = tick;
    wfi_pf_event(w, wfi_pf_ns(w, tick), &e);
    if (!seen) wfi_pf_arg_bool(w, WFI_PF_ARG_begin_seen, false);
    wfi_pf_event_end(w);
}

void wfi_pf_take_span(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf_event e = {.type = WFI_PF_END};
    struct wfi_pf_nest *n = spans_of(w, c->task, c->core, &e.track);
    if (!n) return;
    if (c->kind == WF_CHANGE_SPAN) {
        push_span(w, n, e.track, c->text, c->tick, true);
        return;
    }
    if (n->open && (c->from_known || n->at[n->open - 1].tick == c->from)) {
        --n->open;
        wfi_pf_event(w, wfi_pf_ns(w, c->tick), &e);
        if (c->cut) wfi_pf_arg_bool(w, WFI_PF_ARG_end_seen, false);
        wfi_pf_event_end(w);
        return;
    }
    e.type = WFI_PF_INSTANT; // it began in a hole, or too deep
    e.name = wfi_pf_name(w, WFI_PF_SPAN_ENDS, c->text, 0);
    e.category = WFI_PF_CAT_span;
    wfi_pf_mark(w, c->tick, &e);
}

// ---- the window begins

static void begin_spans(struct wf_writer *w, const struct wf_task *t, unsigned core,
                        uint64_t tick) {
    struct wf_open_span spans[WF_SPANS_OPEN];
    unsigned count = wf_model_open_spans(w->model, t, core, spans);
    uint64_t track;
    struct wfi_pf_nest *n = count ? spans_of(w, t, core, &track) : NULL;
    for (unsigned i = 0; n && i < count; ++i) push_span(w, n, track, spans[i].text, tick, false);
}

void wfi_pf_nests_begin(struct wf_writer *w, uint64_t tick) {
    const bool *shown = w->scope.group;
    for (unsigned i = 0; i < wf_model_cores(w->model); ++i) {
        const struct wf_core *c = wf_model_core(w->model, i);
        bool irqs = (shown[WF_GROUP_ISR] || shown[WF_GROUP_QF]) && c->irqs_known && c->irqs;
        if (irqs && wfi_pf_core(w, i)) level(w, i, c->irqs, tick);
        if (shown[WF_GROUP_NOTE]) begin_spans(w, NULL, i, tick);
    }
    for (unsigned i = 0; shown[WF_GROUP_NOTE] && i < wf_model_tasks(w->model); ++i) {
        begin_spans(w, wf_model_task(w->model, i), 0, tick);
    }
}
