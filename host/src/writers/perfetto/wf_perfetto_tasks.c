// SPDX-License-Identifier: MIT
// Tasks and cores. A slice is written when it ends; an unknown state has no slice. The model has no
// change for an idle core, so each item checks for idle cores.

#include "wfi_perfetto.h"

bool wfi_pf_in_irq(const struct wf_writer *w, unsigned core) {
    const struct wf_core *c = wf_model_core(w->model, core);
    return c->irqs_known && c->irqs;
}

uint64_t wfi_pf_doer(struct wf_writer *w, const struct wf_task *t, unsigned core) {
    if (t) return wfi_pf_task_track(w, t, WFI_PF_TASK_STATES);
    bool irq = wfi_pf_in_irq(w, core);
    return wfi_pf_core_track(w, core, irq ? WFI_PF_CORE_IRQS : WFI_PF_CORE_RUNS);
}

// ---- idle cores

static void idle_ends(struct wf_writer *w, unsigned core, bool known, uint64_t tick) {
    struct wfi_pf_core *own = wfi_pf_core(w, core);
    struct wf_change c = {
        .tick = tick, .from = own->idle_tick, .from_known = own->idle_seen, .cut = !known};
    struct wfi_pf_event e = {.track = wfi_pf_core_track(w, core, WFI_PF_CORE_RUNS),
                             .name = wfi_pf_literal(w, "idle"),
                             .category = WFI_PF_CAT_idle};
    own->idle = false;
    uint64_t from = wfi_pf_slice(w, &own->runs, &c, &e, WFI_PF_NO_ARG, NULL);
    wfi_pf_load(w, core, from, own->runs.ns, false);
    wfi_pf_sched_idle(w, core, known ? WF_TASK_READY : WF_TASK_UNKNOWN, own->runs.ns);
}

static void idle_begins(struct wf_writer *w, unsigned core, const struct wf_core *now) {
    struct wfi_pf_core *own = wfi_pf_core(w, core);
    if (!own) return;
    bool before = now->since < w->scope.from;
    own->idle = true;
    own->idle_seen = now->since_known && !before;
    own->idle_tick = before ? w->scope.from : now->since;
    wfi_pf_sched_idle(w, core, WF_TASK_RUNNING, wfi_pf_ns(w, own->idle_tick));
}

void wfi_pf_watch_cores(struct wf_writer *w) {
    const bool *shown = w->scope.group;
    uint64_t tick = wf_model_tick(w->model);
    bool over = tick > w->scope.until;
    if (!w->scope.begun || (!shown[WF_GROUP_TASK] && !shown[WF_GROUP_SC])) return;
    if (over) tick = w->scope.until;
    for (unsigned i = 0; i < wf_model_cores(w->model); ++i) {
        const struct wf_core *now = wf_model_core(w->model, i);
        const struct wfi_pf_core *own = wfi_pf(w)->cores[i];
        bool idle = now->used && now->known && !now->task, was = own && own->idle;
        if (was && (!idle || over)) idle_ends(w, i, now->known && !over, tick);
        if (idle && !was && !over) idle_begins(w, i, now);
    }
}

// ---- tasks

static uint32_t state_name(struct wf_writer *w, const struct wf_change *c,
                           const struct wf_object *on) {
    if (c->was == WF_TASK_BLOCKED && on) return wfi_pf_name(w, WFI_PF_BLOCKED_ON, on->index, 0);
    return wfi_pf_literal(w, wf_task_state_names[c->was]);
}

static void state_ends(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf_task *t = wfi_pf_task(w, c->task);
    bool ran = c->was == WF_TASK_RUNNING;
    struct wfi_pf_event e = {.track = wfi_pf_task_track(w, c->task, WFI_PF_TASK_STATES),
                             .name = state_name(w, c, t->on),
                             .category = ran ? WFI_PF_CAT_run : WFI_PF_CAT_state,
                             .flow = ran ? t->flow : 0};
    const char *reason = ran && !c->cut ? wf_reasons[c->reason].sentence : NULL;
    wfi_pf_slice(w, &t->states, c, &e, WFI_PF_ARG_reason, reason);
}

static void run_ends(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf_core *core = wfi_pf_core(w, c->core);
    if (!core) return;
    struct wfi_pf_event e = {.track = wfi_pf_core_track(w, c->core, WFI_PF_CORE_RUNS),
                             .name = wfi_pf_name(w, WFI_PF_TASK, c->task->index, 0),
                             .category = WFI_PF_CAT_run};
    uint64_t from = wfi_pf_slice(w, &core->runs, c, &e, WFI_PF_NO_ARG, NULL);
    wfi_pf_load(w, c->core, from, core->runs.ns, true);
}

static void take_state(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf_task *t = wfi_pf_task(w, c->task);
    if (!t) return;
    if (c->was != WF_TASK_UNKNOWN && c->was != WF_TASK_ENDED) state_ends(w, c);
    if (c->was == WF_TASK_RUNNING) run_ends(w, c);
    t->on = c->is == WF_TASK_BLOCKED ? c->task->waits : NULL;
    t->flow = c->is == WF_TASK_RUNNING ? c->flow : 0;
    wfi_pf_sched_task(w, c->task, c->is, c->core, wfi_pf_ns(w, c->tick));
}

static struct wfi_pf_event mark(uint64_t track, uint32_t name) {
    return (struct wfi_pf_event){
        .type = WFI_PF_INSTANT, .track = track, .name = name, .category = WFI_PF_CAT_state};
}

static void take_priority(struct wf_writer *w, const struct wf_change *c) {
    bool created = c->kind == WF_CHANGE_CREATE;
    uint64_t track = wfi_pf_task_track(w, c->task, WFI_PF_TASK_STATES);
    struct wfi_pf_event e = mark(track, wfi_pf_literal(w, created ? "created" : "priority"));
    wfi_pf_event(w, wfi_pf_ns(w, c->tick), &e);
    if (c->task->prio_known) wfi_pf_arg_int(w, WFI_PF_ARG_value, c->task->prio);
    if (!created && c->from_known) wfi_pf_arg_int(w, WFI_PF_ARG_before, c->value);
    wfi_pf_event_end(w);
}

// The waker: the recorded one if known; else the current interrupt; else the woken task.
static void take_wake(struct wf_writer *w, const struct wf_change *c) {
    const struct wf_task *teller = c->by || wfi_pf_in_irq(w, c->core) ? c->by : c->task;
    struct wfi_pf_event e =
        mark(wfi_pf_doer(w, teller, c->core), wfi_pf_name(w, WFI_PF_WAKES, c->task->index, 0));
    e.flow = c->flow;
    wfi_pf_mark(w, c->tick, &e);
}

void wfi_pf_take_task(struct wf_writer *w, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_TASK: take_state(w, c); break;
    case WF_CHANGE_WAKE: take_wake(w, c); break;
    default: take_priority(w, c);
    }
}
