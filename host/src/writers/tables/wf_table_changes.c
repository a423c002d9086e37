// SPDX-License-Identifier: MIT
// Changes of the model as rows: an interval when it ends, an action at once.

#include <stdlib.h>

#include "wfi_tables.h"

// ---- cells

static void put_task(struct wf_cell *cell, const struct wf_task *task) {
    if (task) wfi_cell_int(cell, (uint64_t)task->index + 1);
}

static void put_object(struct wf_cell *cell, const struct wf_object *object) {
    if (object) wfi_cell_int(cell, (uint64_t)object->index + 1);
}

// The columns of WFI_STRETCH, which are the last ones of each table of stretches.
static void put_stretch(struct wf_writer *w, enum wfi_table table, struct wf_cell *cells,
                        const struct wf_change *c) {
    enum { TICK, END_TICK, NS, END_NS, KNOWN, END_KNOWN, LENGTH, COUNT };
    struct wf_cell *to = cells + wf_tables[table].count - COUNT;
    uint64_t from = wf_scale_ns(&w->scale, c->from), until = wfi_ns(w, c->tick);
    wfi_cell_int(&to[TICK], c->from);
    wfi_cell_int(&to[END_TICK], c->tick);
    wfi_cell_int(&to[NS], from);
    wfi_cell_int(&to[END_NS], until);
    wfi_cell_int(&to[KNOWN], c->from_known);
    wfi_cell_int(&to[END_KNOWN], !c->cut);
    if (c->from_known && !c->cut) wfi_cell_int(&to[LENGTH], until - from);
    wfi_tables(w)->put(w, table, cells);
}

// The name of a signal, a function, a text: appended to the scratch text.
static void begin_name(struct wf_writer *w) { wfi_tables(w)->words.end = wfi_tables(w)->words.buf; }

static void put_name(struct wf_writer *w, struct wf_cell *cell) {
    const struct wfi_strbuf *t = &wfi_tables(w)->words;
    wfi_cell_text(cell, t->buf, (size_t)(t->end - t->buf));
}

static void put_signal(struct wf_writer *w, struct wf_cell *cell, const struct wf_change *c) {
    uint64_t of = c->object ? c->object->key : 0;
    const struct wfi_name *name = wfi_signal_get(&w->s->names, c->text, of);
    if (name) wfi_cell_text(cell, name->text, name->len);
}

// ---- state of a task or an object: the flow to the present run or step, the priority

static void keep(struct wf_writer *w, struct wfi_kept *kept, unsigned index, uint64_t value) {
    void *of = kept->of;
    if (value && !wfi_grow(&of, &kept->cap, sizeof *kept->of, (size_t)index + 1)) w->failed = true;
    kept->of = of;
    if (index < kept->cap) kept->of[index] = value;
}

static void put_kept(const struct wfi_kept *kept, unsigned index, struct wf_cell *cell) {
    if (index < kept->cap && kept->of[index]) wfi_cell_int(cell, kept->of[index]);
}

// ---- stretches

static void put_run(struct wf_writer *w, const struct wf_change *c) {
    struct wf_cell cells[WFI_run_count] = {{0}};
    put_task(&cells[WFI_run_task], c->task);
    wfi_cell_int(&cells[WFI_run_core], c->core);
    wfi_cell_word(&cells[WFI_run_reason], wf_reasons[c->reason].name);
    put_kept(&wfi_tables(w)->runs, c->task->index, &cells[WFI_run_flow]);
    put_stretch(w, WFI_TABLE_run, cells, c);
}

static void put_task_state(struct wf_writer *w, const struct wf_change *c) {
    struct wf_cell cells[WFI_state_count] = {{0}};
    if (c->was == WF_TASK_RUNNING) put_run(w, c);
    if (c->is == WF_TASK_RUNNING) keep(w, &wfi_tables(w)->runs, c->task->index, c->flow);
    if (c->was == WF_TASK_UNKNOWN || c->was == WF_TASK_ENDED) return;
    put_task(&cells[WFI_state_task], c->task);
    wfi_cell_word(&cells[WFI_state_state], wf_task_state_names[c->was]);
    if (c->was == WF_TASK_RUNNING) wfi_cell_int(&cells[WFI_state_core], c->core);
    put_stretch(w, WFI_TABLE_state, cells, c);
}

static void put_machine_state(struct wf_writer *w, const struct wf_change *c) {
    struct wf_cell cells[WFI_state_count] = {{0}};
    if (!c->text) return; // the state was unknown
    put_object(&cells[WFI_state_object], c->object);
    begin_name(w);
    wfi_put_function(w->s, c->text, &wfi_tables(w)->words);
    put_name(w, &cells[WFI_state_state]);
    put_stretch(w, WFI_TABLE_state, cells, c);
}

static void put_wait(struct wf_writer *w, const struct wf_change *c) {
    struct wf_cell cells[WFI_wait_count] = {{0}};
    put_task(&cells[WFI_wait_task], c->task);
    put_object(&cells[WFI_wait_object], c->object);
    if (c->got || !c->cut) wfi_cell_int(&cells[WFI_wait_got], c->got);
    put_stretch(w, WFI_TABLE_wait, cells, c);
}

static void put_hold(struct wf_writer *w, const struct wf_change *c) {
    struct wf_cell cells[WFI_hold_count] = {{0}};
    put_task(&cells[WFI_hold_task], c->task);
    put_object(&cells[WFI_hold_object], c->object);
    put_stretch(w, WFI_TABLE_hold, cells, c);
}

static void put_irq(struct wf_writer *w, const struct wf_change *c) {
    struct wf_cell cells[WFI_irq_count] = {{0}};
    const struct wfi_name *name = wfi_irq_name(w->s, c->irq);
    if (c->irq != WF_IRQ_UNKNOWN) wfi_cell_int(&cells[WFI_irq_irq], c->irq);
    if (name) wfi_cell_text(&cells[WFI_irq_name], name->text, name->len);
    wfi_cell_int(&cells[WFI_irq_core], c->core);
    put_stretch(w, WFI_TABLE_irq, cells, c);
}

static void put_span(struct wf_writer *w, const struct wf_change *c) {
    struct wf_cell cells[WFI_span_count] = {{0}};
    put_task(&cells[WFI_span_task], c->task);
    wfi_cell_int(&cells[WFI_span_core], c->core);
    begin_name(w);
    wfi_put_constant(w->s, c->text, &wfi_tables(w)->words);
    put_name(w, &cells[WFI_span_name]);
    put_stretch(w, WFI_TABLE_span, cells, c);
}

static void put_step(struct wf_writer *w, const struct wf_change *c) {
    struct wf_cell cells[WFI_step_count] = {{0}};
    put_object(&cells[WFI_step_object], c->object);
    wfi_cell_int(&cells[WFI_step_signal], c->text);
    put_signal(w, &cells[WFI_step_name], c);
    if (!c->cut) wfi_cell_int(&cells[WFI_step_moved], c->got);
    put_kept(&wfi_tables(w)->steps, c->object->index, &cells[WFI_step_flow]);
    put_stretch(w, WFI_TABLE_step, cells, c);
}

static void put_hole(struct wf_writer *w, const struct wf_change *c) {
    struct wf_cell cells[WFI_hole_count] = {{0}};
    wfi_cell_int(&cells[WFI_hole_core], c->core);
    put_stretch(w, WFI_TABLE_hole, cells, c);
}

// ---- values

static void put_counter(struct wf_writer *w, const struct wf_change *c, const char *kind,
                        bool known) {
    struct wf_cell cells[WFI_counter_count] = {{0}};
    wfi_cell_int(&cells[WFI_counter_tick], c->tick);
    wfi_cell_int(&cells[WFI_counter_ns], wfi_ns(w, c->tick));
    wfi_cell_int(&cells[WFI_counter_core], c->core);
    wfi_cell_word(&cells[WFI_counter_kind], kind);
    put_object(&cells[WFI_counter_object], c->object);
    if (c->kind == WF_CHANGE_COUNTER) {
        begin_name(w);
        wfi_put_constant(w->s, c->text, &wfi_tables(w)->words);
        put_name(w, &cells[WFI_counter_name]);
    }
    if (known) wfi_cell_int(&cells[WFI_counter_value], (uint64_t)c->value);
    wfi_tables(w)->put(w, WFI_TABLE_counter, cells);
}

// ---- actions

static const char *const action_kinds[WF_CHANGES] = {
    [WF_CHANGE_CREATE] = "create",
    [WF_CHANGE_PRIORITY] = "priority",
    [WF_CHANGE_WAKE] = "wake",
    [WF_CHANGE_TAKE] = "take",
    [WF_CHANGE_GIVE] = "give",
    [WF_CHANGE_REFUSED] = "refused",
    [WF_CHANGE_OBJECT] = "object",
    [WF_CHANGE_POST] = "post",
    [WF_CHANGE_GET] = "get",
    [WF_CHANGE_ALARM] = "alarm",
    [WF_CHANGE_ALARM_SET] = "alarm_set",
    [WF_CHANGE_MEMORY] = "memory",
    [WF_CHANGE_INCONSISTENT] = "odd",
    [WF_CHANGE_UNPAIRED] = "unpaired",
};

// Cells that depend on the kind of change.
static void put_details(struct wf_writer *w, const struct wf_change *c, struct wf_cell *cells) {
    struct wf_cell *value = &cells[WFI_action_value], *name = &cells[WFI_action_name];
    switch (c->kind) {
    case WF_CHANGE_PRIORITY:
        if (c->task->prio_known) wfi_cell_int(value, (uint64_t)(int64_t)c->task->prio);
        break;
    case WF_CHANGE_TAKE:
    case WF_CHANGE_GIVE: wfi_cell_int(value, (uint64_t)c->value); break;
    case WF_CHANGE_OBJECT:
    case WF_CHANGE_ALARM_SET:
    case WF_CHANGE_MEMORY:
        wfi_cell_int(&cells[WFI_action_done], c->got);
        if (c->got || c->kind == WF_CHANGE_MEMORY) wfi_cell_int(value, (uint64_t)c->value);
        if (c->kind != WF_CHANGE_MEMORY) break;
        begin_name(w);
        wfi_strbuf_printf(&wfi_tables(w)->words, "0x%llX", (unsigned long long)c->text);
        put_name(w, name);
        break;
    case WF_CHANGE_POST:
    case WF_CHANGE_GET:
        wfi_cell_int(value, c->text);
        put_signal(w, name, c);
        if (c->kind == WF_CHANGE_POST) wfi_cell_int(&cells[WFI_action_done], c->got);
        if (!c->sender) break;
        begin_name(w);
        wfi_put_object(w->s, c->sender, &wfi_tables(w)->words);
        put_name(w, &cells[WFI_action_sender]);
        break;
    case WF_CHANGE_INCONSISTENT: wfi_cell_word(name, c->why); break;
    case WF_CHANGE_UNPAIRED:
        wfi_cell_word(name, c->why);
        if (c->irq != WF_IRQ_UNKNOWN) wfi_cell_int(value, c->irq);
        break;
    default: break;
    }
}

static void put_action(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_tables *own = wfi_tables(w);
    bool prio = c->kind == WF_CHANGE_CREATE || c->kind == WF_CHANGE_PRIORITY;
    if (prio && c->task->prio_known)
        keep(w, &own->priorities, c->task->index, WFI_PRIORITY(c->task->prio));
    struct wf_cell cells[WFI_action_count] = {{0}};
    wfi_cell_int(&cells[WFI_action_tick], c->tick);
    wfi_cell_int(&cells[WFI_action_ns], wfi_ns(w, c->tick));
    wfi_cell_int(&cells[WFI_action_core], c->core);
    wfi_cell_word(&cells[WFI_action_kind], action_kinds[c->kind]);
    put_task(&cells[WFI_action_task], c->task);
    put_task(&cells[WFI_action_waker], c->by);
    put_object(&cells[WFI_action_object], c->object);
    put_details(w, c, cells);
    if (c->flow) wfi_cell_int(&cells[WFI_action_flow], c->flow);
    if (c->record && w->shown) wfi_cell_int(&cells[WFI_action_record], own->records + 1);
    own->put(w, WFI_TABLE_action, cells);
}

void wfi_table_change(struct wf_writer *w, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_TASK: put_task_state(w, c); break;
    case WF_CHANGE_STATE: put_machine_state(w, c); break;
    case WF_CHANGE_WAIT_END: put_wait(w, c); break;
    case WF_CHANGE_HOLD_END: put_hold(w, c); break;
    case WF_CHANGE_IRQ_END: put_irq(w, c); break;
    case WF_CHANGE_SPAN_END: put_span(w, c); break;
    case WF_CHANGE_STEP: keep(w, &wfi_tables(w)->steps, c->object->index, c->flow); break;
    case WF_CHANGE_STEP_END: put_step(w, c); break;
    case WF_CHANGE_LOSS: put_hole(w, c); break;
    case WF_CHANGE_COUNTER: put_counter(w, c, "counter", true); break;
    case WF_CHANGE_COUNT: put_counter(w, c, "count", c->got); break;
    case WF_CHANGE_FREE: put_counter(w, c, "free", c->got); break;
    case WF_CHANGE_PRIORITY:
        if (!c->cut) put_action(w, c);
        break;
    default:
        if (action_kinds[c->kind]) put_action(w, c);
    }
}
