// SPDX-License-Identifier: MIT
// The queue of an item's changes, and whether a change covers its record.

#include "wfi_model.h"

#include "util/wfi_grow.h"

// Clears the members one by one: for the whole struct, compilers use a string instruction, which is
// slower.
static void clear_change(struct wf_change *c) {
    c->from = c->text = c->sender = c->flow = 0;
    c->value = 0;
    c->from_known = c->cut = c->got = false;
    c->task = c->by = NULL;
    c->object = NULL;
    c->was = c->is = WF_TASK_UNKNOWN;
    c->was_called = c->is_called = c->why = NULL;
    c->reason = 0;
    c->irq = 0;
    c->level = 0;
}

struct wf_change *wfi_change(struct wf_model *m, enum wf_change_kind kind) {
    if (!WFI_GROW(m->queue, &m->queue_cap, m->queued + 1)) {
        m->err = WF_ERR_NOMEM;
        return &m->spare;
    }
    struct wf_change *c = &m->queue[m->queued++];
    clear_change(c);
    c->kind = kind;
    c->tick = m->now;
    c->core = m->core;
    c->record = m->record;
    return c;
}

void wfi_inconsistent(struct wf_model *m, struct wf_task *t, struct wf_object *o, const char *why) {
    struct wf_change *c = wfi_change(m, WF_CHANGE_INCONSISTENT);
    c->task = t;
    c->object = o;
    c->why = why;
}

bool wf_model_next(struct wf_model *m, struct wf_change *change) {
    if (m->handed == m->queued) return false;
    *change = m->queue[m->handed++];
    return true;
}

const struct wf_change *wf_model_changes(const struct wf_model *m, size_t *count) {
    *count = m->queued;
    return m->queue;
}

bool wf_change_covers(const struct wf_change *c) {
    const struct wf_row *row = c->record ? c->record->row : NULL;
    int at;
    if (!row || row->effect == WF_EFFECT_FLAGS_CLEAR) return false;
    switch (c->kind) {
    case WF_CHANGE_LOSS:
    case WF_CHANGE_INCONSISTENT:
    case WF_CHANGE_UNPAIRED:
    case WF_CHANGE_HOLDER:
    case WF_CHANGE_USED: return false; // WF_CHANGE_MEMORY does
    case WF_CHANGE_PRIORITY: return !c->cut;
    case WF_CHANGE_TASK: return row->group == WF_GROUP_TASK || row->group == WF_GROUP_SC;
    case WF_CHANGE_WAIT_END:
        at = wf_row_place(row, WF_KIND_OBJECT);
        return at >= 0 && c->record->value[at] == c->object->key;
    case WF_CHANGE_COUNT: return c->got;
    default: return true;
    }
}
