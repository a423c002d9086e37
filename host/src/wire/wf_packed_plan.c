// SPDX-License-Identifier: MIT
// The kinds of events in packed frames, made from the rows of the records: which fields an event
// has, in which form. And the object numbers that a target has sent.

#include <string.h>

#include "core/wfi_session.h"

static enum wfi_operand operand_of(const struct wf_field *f) {
    switch (f->type) {
    case WF_TYPE_TIME: return WFI_OPERAND_STAMP;
    case WF_TYPE_WHICH: return WFI_OPERAND_CONSTANT;
    case WF_TYPE_CORE: return WFI_OPERAND_CORE;
    case WF_TYPE_U8: return WFI_OPERAND_BYTE;
    case WF_TYPE_OBJ:
        if (f->kind == WF_KIND_ACTOR) return WFI_OPERAND_ACTOR;
        return f->kind == WF_KIND_ADDRESS ? WFI_OPERAND_POINTER : WFI_OPERAND_NUMBER;
    default: return f->kind == WF_KIND_SIGNED ? WFI_OPERAND_SIGNED : WFI_OPERAND_VALUE;
    }
}

// Adds a field to the constants, or to those of the event's bytes.
static void add_field(struct wfi_event_plan *plan, const struct wfi_event_field *f) {
    if (f->operand != WFI_OPERAND_CONSTANT)
        plan->field[WFI_CONSTANTS + plan->operands++] = *f;
    else if (plan->constants < WFI_CONSTANTS)
        plan->field[plan->constants++] = *f;
}

static void plan_kind(struct wfi_event_plan *to, const struct wfi_plan *plan) {
    memset(to, 0, sizeof *to);
    to->row = plan->row;
    to->len = plan->len;
    to->fields = plan->count;
    to->runs = plan->row->effect == WF_EFFECT_TASK_SWITCH;
    to->enters = plan->row->effect == WF_EFFECT_IRQ_ENTER;
    to->applies = plan->row->effect <= WF_EFFECT_NAME_ENUM;
    for (unsigned i = 0; i < WFI_OPERANDS_MAX; ++i)
        to->at[i] = i < plan->count ? (uint8_t)plan->field[i].at : WFI_EVENT_PAD;
    for (unsigned i = 0; i < plan->count; ++i) {
        const struct wfi_event_field f = {
            .operand = (uint8_t)operand_of(&plan->row->fields[i]),
            .index = (uint8_t)i,
            .mask = plan->field[i].mask,
            .constant = plan->row->select < 0 ? 0 : (uint8_t)plan->row->select};
        if (f.operand == WFI_OPERAND_CORE)
            to->core = (uint8_t)i;
        else if (f.operand != WFI_OPERAND_STAMP)
            add_field(to, &f);
    }
    for (unsigned i = to->constants; i < WFI_CONSTANTS; ++i) to->field[i].index = WFI_UNUSED_FIELD;
}

// Adds a kind whose field of this meaning has another operand: a constant, or the interrupt entered
// last.
static void plan_short(struct wf_session *s, unsigned kind, unsigned of, enum wf_kind meaning,
                       enum wfi_operand operand, unsigned constant) {
    const struct wfi_event_plan copy = s->packed.kinds[of], *const from = &copy;
    struct wfi_event_plan *plan = &s->packed.kinds[kind];
    *plan = *from;
    plan->operands = 0;
    for (unsigned i = 0; i < from->operands; ++i) {
        struct wfi_event_field f = from->field[WFI_CONSTANTS + i];
        if (from->row->fields[f.index].kind == meaning) {
            f.operand = (uint8_t)operand;
            f.constant = (uint8_t)constant;
        }
        add_field(plan, &f);
    }
}

static enum wfi_shape shape_of(const struct wfi_event_plan *plan) {
    const struct wfi_event_field *f = plan->field + WFI_CONSTANTS;
    const unsigned n = plan->operands;
    if (n == 1 && f[0].operand == WFI_OPERAND_IRQ) return WFI_SHAPE_IRQ;
    if (n == 1 && f[0].operand == WFI_OPERAND_VALUE) return WFI_SHAPE_VALUE;
    if (!n || n > 3 || f[0].operand != WFI_OPERAND_NUMBER) return WFI_SHAPE_OTHER;
    if (n == 1) return WFI_SHAPE_NUMBER;
    if (f[1].operand != WFI_OPERAND_ACTOR) return WFI_SHAPE_OTHER;
    if (n == 2) return WFI_SHAPE_ACTOR;
    return f[2].operand == WFI_OPERAND_VALUE ? WFI_SHAPE_ACTOR_VALUE : WFI_SHAPE_OTHER;
}

static unsigned kind_of(const struct wf_row *row) {
    return (row->id - (unsigned)WF_PACKED_FIRST) << 4 |
           (row->select < 0 ? 0 : (unsigned)row->select);
}

static unsigned kind_of_effect(unsigned id, enum wf_effect effect) {
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (wf_rows[i].id == id && wf_rows[i].effect == effect) return kind_of(&wf_rows[i]);
    }
    return 0;
}

static void plan_short_kinds(struct wf_session *s) {
    const unsigned runs = kind_of_effect(WF_RECORD_task_switch, WF_EFFECT_TASK_SWITCH);
    const unsigned enters = kind_of_effect(WF_RECORD_irq_enter, WF_EFFECT_IRQ_ENTER);
    const unsigned exits = kind_of_effect(WF_RECORD_irq_exit, WF_EFFECT_IRQ_EXIT);
    const unsigned takes = kind_of_effect(WF_RECORD_mutex_take, WF_EFFECT_TAKE);
    const unsigned gives = kind_of_effect(WF_RECORD_mutex_give, WF_EFFECT_GIVE);
    const enum wfi_operand constant = WFI_OPERAND_CONSTANT;
    for (unsigned reason = 0; reason < 8; ++reason)
        plan_short(s, (unsigned)WF_PACKED_SWITCH + reason, runs, WF_KIND_REASON, constant, reason);
    plan_short(s, WF_PACKED_IRQ_ENTER, enters, WF_KIND_NESTING, constant, 1);
    plan_short(s, WF_PACKED_IRQ_EXIT, exits, WF_KIND_NESTING, constant, 1);
    plan_short(s, WF_PACKED_IRQ_EXIT, WF_PACKED_IRQ_EXIT, WF_KIND_IRQ, WFI_OPERAND_IRQ, 0);
    plan_short(s, WF_PACKED_TAKE, takes, WF_KIND_NESTING, constant, 1);
    plan_short(s, WF_PACKED_GIVE, gives, WF_KIND_NESTING, constant, 0);
}

void wfi_packed_plan(struct wf_session *s) {
    if (!s->packed.kinds) return;
    memset(s->packed.kinds, 0, 256 * sizeof *s->packed.kinds);
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        if (row->id < WF_PACKED_FIRST || row->id > WF_PACKED_LAST || row->id == WF_RECORD_log)
            continue;
        if (row->select <= 15 && row->count < WFI_UNUSED_FIELD)
            plan_kind(&s->packed.kinds[kind_of(row)], &s->plans[i]);
    }
    plan_short_kinds(s);
    for (unsigned i = 0; i < 256; ++i)
        s->packed.kinds[i].shape = (uint8_t)shape_of(&s->packed.kinds[i]);
}

// ---- object numbers

void wfi_packed_forget(struct wf_session *s) {
    memset(s->packed.known, 0, sizeof s->packed.known);
    memset(s->packed.history, 0, sizeof s->packed.history);
    s->packed.known[0] = true;
    s->packed.pointers[0] = 0;
    s->packed.doubt = false;
}

unsigned wfi_packed_count(const struct wfi_packed *k) {
    unsigned count = 0;
    for (unsigned i = 1; i < WFI_NUMBERS; ++i) count += k->known[i];
    return count;
}

bool wfi_packed_learn(struct wf_session *s, const uint8_t *bytes, size_t len) {
    const unsigned size = s->target.bytes[WF_TYPE_OBJ], each = 1 + size;
    if (!size || len % each) return false;
    for (size_t at = 0; at < len; at += each) {
        const uint8_t number = bytes[at];
        if (number == 0 || number == WF_PACKED_NO_NUMBER) return false;
        s->packed.pointers[number] = wfi_load(bytes + at + 1, size);
        s->packed.known[number] = true;
    }
    return true;
}

size_t wf_session_next_numbers(const struct wf_session *s, unsigned *at, uint8_t *payload,
                               size_t max) {
    const struct wfi_packed *k = &s->packed;
    const unsigned size = s->target.bytes[WF_TYPE_OBJ];
    size_t len = 0;
    for (; *at < WFI_NUMBERS && len + 1 + size <= max; ++*at) {
        if (*at == 0 || !k->known[*at]) continue;
        payload[len++] = (uint8_t)*at;
        for (unsigned i = 0; i < size; ++i) payload[len++] = (uint8_t)(k->pointers[*at] >> 8 * i);
    }
    return len;
}
