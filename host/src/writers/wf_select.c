// SPDX-License-Identifier: MIT
// Filters. Records are selected by number, object and time. Changes of the model are selected by
// the groups of their records, and cut at the ends of the window.

#include <string.h>

#include "wfi_writer.h"

void wfi_scope_open(struct wf_writer *w) {
    struct wfi_scope *v = &w->scope;
    v->until = UINT64_MAX;
    for (unsigned i = 0; i < wf_row_count; ++i)
        v->group[wf_rows[i].group] |= !w->filtered || w->filter.id[wf_rows[i].id];
    wfi_scope_clock(w);
}

void wfi_scope_clock(struct wf_writer *w) {
    struct wfi_scope *v = &w->scope;
    const struct wf_filter *f = &w->filter;
    v->hz = w->s->target.hz;
    v->zero = wfi_time_zero(w->s, w->options.target_clock);
    if (f->has_from)
        v->from = f->has_ticks ? f->from_tick : wf_time_tick_at(f->from_s, v->hz, v->zero);
    if (f->has_until)
        v->until = f->has_ticks ? f->until_tick : wf_time_tick_at(f->until_s, v->hz, v->zero);
}

bool wfi_scope_span(const struct wf_writer *w, uint64_t *first, uint64_t *last) {
    const struct wfi_scope *v = &w->scope;
    *first = v->first > v->from ? v->first : v->from;
    *last = v->last < v->until ? v->last : v->until;
    return v->timed && *first <= *last;
}

// Slots have times of their own; the session's clock is that of records.
static bool is_time_known(const struct wf_writer *w) { return w->s->clock.known || w->s->slots.on; }

static bool in_time(const struct wf_writer *w, uint64_t tick) {
    if (w->filter.has_from && !is_time_known(w)) return false;
    return tick >= w->scope.from && tick <= w->scope.until;
}

static bool concerns_object(const struct wf_writer *w, const struct wf_record *r) {
    for (unsigned i = 0; r->row && i < r->row->count; ++i) {
        if (r->row->fields[i].type != WF_TYPE_OBJ) continue;
        const struct wfi_name *name = wfi_object_name(w->s, r->value[i]);
        if (name && strcmp(name->text, w->filter.object) == 0) return true;
    }
    return false;
}

// A hole lasts from the last time before it to the next time, which the session already knows.
static bool loss_shown(const struct wf_writer *w, const struct wf_loss *l) {
    uint64_t to = w->s->clock.last > l->tick_before ? w->s->clock.last : l->tick_before;
    bool known = is_time_known(w) || l->kind == WF_LOSS_RESTART;
    if (w->filter.has_from && !known) return false;
    return to >= w->scope.from && l->tick_before <= w->scope.until;
}

bool wfi_selected(const struct wf_writer *w, const struct wf_item *item) {
    if (item->kind == WF_ITEM_LOSS) return loss_shown(w, &item->loss);
    if (item->kind == WF_ITEM_EVENT) {
        bool none = w->filter.no_events || w->filter.has_object;
        return !none && in_time(w, item->event->tick);
    }
    if (item->kind != WF_ITEM_RECORD) return true;
    const struct wf_record *r = &item->record;
    if (!w->filter.id[r->id]) return false;
    if (w->filter.has_object && !concerns_object(w, r)) return false;
    return in_time(w, r->tick);
}

// ---- changes

// The groups of the records that cause a change. END: none, and the change is always shown.
static void groups_of(const struct wf_change *c, enum wf_group to[2]) {
    static const uint8_t of_object[WF_OBJECT_KINDS][2] = {
        [WF_OBJECT_UNKNOWN] = {WF_GROUP_END, WF_GROUP_END},
        [WF_OBJECT_MUTEX] = {WF_GROUP_MUT, WF_GROUP_MTX},
        [WF_OBJECT_SEMAPHORE] = {WF_GROUP_SEMA, WF_GROUP_SEM},
        [WF_OBJECT_QUEUE] = {WF_GROUP_QUE, WF_GROUP_QUE},
        [WF_OBJECT_EVENTS] = {WF_GROUP_EVT, WF_GROUP_EVT},
        [WF_OBJECT_TIMER] = {WF_GROUP_TMR, WF_GROUP_TMR},
        [WF_OBJECT_HEAP] = {WF_GROUP_HEAP, WF_GROUP_HEAP},
        [WF_OBJECT_MACHINE] = {WF_GROUP_SM, WF_GROUP_SM},
        [WF_OBJECT_ACTIVE] = {WF_GROUP_AO, WF_GROUP_AO},
        [WF_OBJECT_EVENT_QUEUE] = {WF_GROUP_EQ, WF_GROUP_EQ},
        [WF_OBJECT_POOL] = {WF_GROUP_MP, WF_GROUP_MP},
    };
    to[0] = to[1] = WF_GROUP_END;
    switch (c->kind) {
    case WF_CHANGE_TASK:
    case WF_CHANGE_CREATE:
    case WF_CHANGE_PRIORITY:
    case WF_CHANGE_WAKE: to[0] = WF_GROUP_TASK, to[1] = WF_GROUP_SC; break;
    case WF_CHANGE_IRQ_BEGIN:
    case WF_CHANGE_IRQ_END:
    case WF_CHANGE_UNPAIRED: to[0] = WF_GROUP_ISR, to[1] = WF_GROUP_QF; break;
    case WF_CHANGE_SPAN:
    case WF_CHANGE_SPAN_END:
    case WF_CHANGE_COUNTER:
    case WF_CHANGE_LOG: to[0] = to[1] = WF_GROUP_NOTE; break;
    case WF_CHANGE_STATE:
    case WF_CHANGE_STEP:
    case WF_CHANGE_STEP_END: to[0] = to[1] = WF_GROUP_SM; break;
    case WF_CHANGE_LOSS:
    case WF_CHANGE_INCONSISTENT: break;
    default:
        if (c->kind == WF_CHANGE_LOW && c->task) to[0] = to[1] = WF_GROUP_TASK;
        if (!c->object) break;
        to[0] = (enum wf_group)of_object[c->object->kind][0];
        to[1] = (enum wf_group)of_object[c->object->kind][1];
    }
}

static bool has_length(enum wf_change_kind kind) {
    switch (kind) {
    case WF_CHANGE_TASK:
    case WF_CHANGE_IRQ_END:
    case WF_CHANGE_WAIT_END:
    case WF_CHANGE_HOLD_END:
    case WF_CHANGE_SPAN_END:
    case WF_CHANGE_STATE:
    case WF_CHANGE_STEP_END:
    case WF_CHANGE_LOSS: return true;
    default: return false;
    }
}

bool wfi_change_shown(const struct wf_writer *w, struct wf_change *c) {
    const struct wfi_scope *v = &w->scope;
    enum wf_group group[2];
    if (!w->filtered) return true;
    groups_of(c, group);
    if (group[0] != WF_GROUP_END && !v->group[group[0]] && !v->group[group[1]]) return false;
    if (!has_length(c->kind)) return in_time(w, c->tick);
    if (c->tick < v->from || c->from > v->until) return false;
    if (c->from < v->from) {
        c->from = v->from;
        c->from_known = false;
    }
    if (c->tick > v->until) {
        c->tick = v->until;
        c->cut = true;
        if (c->kind == WF_CHANGE_TASK) { // what follows is not shown
            c->is = WF_TASK_UNKNOWN;
            c->is_called = NULL;
        }
        if (c->kind == WF_CHANGE_STATE) c->value = 0;
    }
    return true;
}
