// SPDX-License-Identifier: MIT
// QP's state machines, active objects, event queues and pools. Dispatch, initial transition and end
// of a transition record a machine's state; between dispatch and end it is in a step. Records
// within a transition have no time and change nothing.

#include "wfi_model.h"

static struct wf_object *find_machine(struct wf_model *m) {
    return wfi_object_of(m, wfi_value(m, WF_KIND_OBJECT), false);
}

static void set_state(struct wf_model *m, struct wf_object *o, uint64_t state, bool since,
                      bool cut) {
    bool known = state != 0;
    if (o->state_known == known && (!known || o->state == state)) return;
    struct wf_change *c = wfi_change(m, WF_CHANGE_STATE);
    c->object = o;
    c->text = o->state_known ? o->state : 0;
    c->value = (int64_t)state;
    c->from = o->state_known ? o->state_since : m->now;
    c->from_known = o->state_known && o->state_since_known;
    c->cut = cut;
    o->state_known = known;
    o->state_since_known = known && since;
    o->state = state;
    o->state_since = m->now;
    if (known) wfi_object_inform(m, o);
}

static void end_step(struct wf_model *m, struct wf_object *o, bool transition, bool cut) {
    struct wf_change *c = wfi_change(m, WF_CHANGE_STEP_END);
    c->object = o;
    c->text = o->in_step ? o->signal : wfi_value(m, WF_KIND_SIGNAL);
    c->from = o->in_step ? o->step_since : m->now;
    c->from_known = o->in_step;
    c->got = transition;
    c->cut = cut;
    o->in_step = false;
}

static void begin_step(struct wf_model *m, struct wf_object *o) {
    if (o->in_step) end_step(m, o, false, true); // its end is not in the trace
    o->in_step = true;
    o->signal = wfi_value(m, WF_KIND_SIGNAL);
    o->step_since = m->now;
    wfi_object_inform(m, o);
    struct wf_change *c = wfi_change(m, WF_CHANGE_STEP);
    c->object = o;
    c->text = o->signal;
    c->flow = wfi_object(o)->coming;
    wfi_object(o)->coming = 0;
}

void wfi_take_machine(struct wf_model *m) {
    bool timed = wfi_has(m, WF_KIND_STAMP);
    struct wf_object *o = timed ? find_machine(m) : NULL;
    if (!o || m->err != WF_OK) return;
    uint64_t state = wfi_value(m, WF_KIND_STATE);
    switch (m->record->row->effect) {
    case WF_EFFECT_DISPATCH:
        wfi_qp_handle_event(m, o);
        set_state(m, o, state, false, o->state_known);
        begin_step(m, o);
        break;
    case WF_EFFECT_TRANSITION:
        if (m->role->second_state >= 0) state = m->record->value[m->role->second_state];
        end_step(m, o, true, false);
        set_state(m, o, state, true, false);
        break;
    case WF_EFFECT_INTERNAL: end_step(m, o, false, false); break; // may be of a superstate
    case WF_EFFECT_IGNORE:
        end_step(m, o, false, false);
        set_state(m, o, state, false, o->state_known);
        break;
    default: set_state(m, o, state, true, false); // INIT_DONE
    }
}

// ---- queues and pools

static struct wf_change *report_event(struct wf_model *m, enum wf_change_kind kind,
                                      struct wf_object *o, uint64_t flow) {
    struct wf_change *c = wfi_change(m, kind);
    c->object = o;
    c->text = wfi_value(m, WF_KIND_SIGNAL);
    c->sender = wfi_value(m, WF_KIND_SENDER);
    c->flow = flow;
    return c;
}

static void get_event(struct wf_model *m, struct wf_object *o, bool last) {
    uint64_t flow = wfi_flow_out(m, o);
    report_event(m, WF_CHANGE_GET, o, flow);
    wfi_object(o)->coming = flow;
    if (last) wfi_flows_set_empty(m, o);
    if (!last)
        wfi_object_count(m, o, WF_CHANGE_FREE, wfi_value(m, WF_KIND_LEVEL));
    else if (o->free_known) // the record of the last one has no count
        wfi_object_count(m, o, WF_CHANGE_FREE, o->free + 1);
}

void wfi_take_qp_queue(struct wf_model *m) {
    struct wf_object *o = find_machine(m);
    if (!o || m->err != WF_OK) return;
    switch (m->record->row->effect) {
    case WF_EFFECT_POST:
    case WF_EFFECT_QUEUE_POST:
        wfi_qp_post_event(m, o);
        report_event(m, WF_CHANGE_POST, o, wfi_flow_in(m, o, false))->got = true;
        break;
    case WF_EFFECT_POST_LIFO:
    case WF_EFFECT_QUEUE_POST_LIFO:
        wfi_qp_post_event(m, o);
        report_event(m, WF_CHANGE_POST, o, wfi_flow_in(m, o, true))->got = true;
        break;
    case WF_EFFECT_POST_FAIL:
    case WF_EFFECT_QUEUE_POST_FAIL: report_event(m, WF_CHANGE_POST, o, 0); break;
    case WF_EFFECT_GET:
    case WF_EFFECT_QUEUE_GET: get_event(m, o, false); return;
    case WF_EFFECT_GET_LAST:
    case WF_EFFECT_QUEUE_GET_LAST: get_event(m, o, true); return;
    default: break; // pools
    }
    wfi_object_count(m, o, WF_CHANGE_FREE, wfi_value(m, WF_KIND_LEVEL));
}

// ---- losses

void wfi_machine_forget(struct wf_model *m, struct wf_object *o, bool cut) {
    if (o->in_step) end_step(m, o, false, cut);
    set_state(m, o, 0, false, cut);
    if (o->free_known) {
        o->free_known = false;
        wfi_change(m, WF_CHANGE_FREE)->object = o;
    }
    wfi_object(o)->coming = 0;
    wfi_flows_invalidate(o);
}
