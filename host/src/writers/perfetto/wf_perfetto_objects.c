// SPDX-License-Identifier: MIT
// Objects: holders of mutexes, waits of tasks, levels of queues; states and steps of state
// machines; and causes, as flows between instants and slices.

#include <inttypes.h>

#include "wfi_perfetto.h"

static void mark(struct wf_writer *w, const struct wf_change *c, uint64_t track, uint32_t name,
                 enum wfi_pf_category category) {
    struct wfi_pf_event e = {.type = WFI_PF_INSTANT,
                             .track = track,
                             .name = name,
                             .category = category,
                             .flow = c->flow};
    wfi_pf_event(w, wfi_pf_ns(w, c->tick), &e);
}

// An action of a task or an interrupt on the object; its value is an annotation.
static void act(struct wf_writer *w, const struct wf_change *c, enum wfi_pf_word word) {
    uint32_t name = wfi_pf_name(w, word, c->object->index, 0);
    mark(w, c, wfi_pf_doer(w, c->task, c->core), name, WFI_PF_CAT_object);
    if (c->kind != WF_CHANGE_REFUSED) wfi_pf_arg_int(w, WFI_PF_ARG_value, c->value);
    if (c->kind == WF_CHANGE_MEMORY) wfi_pf_arg_address(w, WFI_PF_ARG_address, c->text);
    wfi_pf_event_end(w);
}

// An event of the object itself.
static void befall(struct wf_writer *w, const struct wf_change *c, const char *what) {
    uint64_t track = wfi_pf_object_track(w, c->object, WFI_PF_OBJECT_STATES);
    mark(w, c, track, wfi_pf_literal(w, what), WFI_PF_CAT_object);
    if (c->kind == WF_CHANGE_OBJECT && c->got) wfi_pf_arg_int(w, WFI_PF_ARG_value, c->value);
    wfi_pf_event_end(w);
}

static void wait_ends(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf_task *t = wfi_pf_task(w, c->task);
    if (!t) return;
    struct wfi_pf_event e = {.track = wfi_pf_task_track(w, c->task, WFI_PF_TASK_WAITS),
                             .name = wfi_pf_name(w, WFI_PF_OBJECT, c->object->index, 0),
                             .category = WFI_PF_CAT_wait};
    const char *ended = c->cut ? NULL : c->got ? "got it" : "without it";
    wfi_pf_slice(w, &t->waits, c, &e, WFI_PF_ARG_ended, ended);
}

static void hold_ends(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf_object *o = wfi_pf_object(w, c->object);
    if (!o) return;
    struct wfi_pf_event e = {.track = wfi_pf_object_track(w, c->object, WFI_PF_OBJECT_STATES),
                             .name = wfi_pf_name(w, WFI_PF_TASK, c->task->index, 0),
                             .category = WFI_PF_CAT_hold};
    wfi_pf_slice(w, &o->states, c, &e, WFI_PF_NO_ARG, NULL);
}

// ---- state machines

static void state_ends(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf_object *o = wfi_pf_object(w, c->object);
    if (!o || !c->text) return;
    struct wfi_pf_event e = {.track = wfi_pf_object_track(w, c->object, WFI_PF_OBJECT_STATES),
                             .name = wfi_pf_name(w, WFI_PF_STATE, c->text, 0),
                             .category = WFI_PF_CAT_state};
    wfi_pf_slice(w, &o->states, c, &e, WFI_PF_NO_ARG, NULL);
}

static void step_ends(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf_object *o = wfi_pf_object(w, c->object);
    if (!o) return;
    struct wfi_pf_event e = {.track = wfi_pf_object_track(w, c->object, WFI_PF_OBJECT_STEPS),
                             .name = wfi_pf_name(w, WFI_PF_SIGNAL, c->text, c->object->key),
                             .category = WFI_PF_CAT_step,
                             .flow = o->flow};
    o->flow = 0;
    const char *ended = c->cut || !c->record ? NULL : c->record->row->name;
    wfi_pf_slice(w, &o->steps, c, &e, WFI_PF_ARG_ended, ended);
}

// Returns the track of a post: that of the sender, else of the interrupt, else of the receiver.
static uint64_t sender_track(struct wf_writer *w, const struct wf_change *c) {
    const struct wf_object *sender = c->sender ? wf_model_find_object(w->model, c->sender) : NULL;
    if (sender) return wfi_pf_object_track(w, sender, WFI_PF_OBJECT_STATES);
    if (wfi_pf_in_irq(w, c->core)) return wfi_pf_core_track(w, c->core, WFI_PF_CORE_IRQS);
    return wfi_pf_object_track(w, c->object, WFI_PF_OBJECT_STATES);
}

static void arg_object(struct wf_writer *w, const struct wf_object *o) {
    const char *name = wf_object_name(w->model, o);
    wfi_pf_arg_text(w, WFI_PF_ARG_object, name, strlen(name));
}

static void take_post(struct wf_writer *w, const struct wf_change *c) {
    enum wfi_pf_word word = c->got ? WFI_PF_POSTS : WFI_PF_CANNOT_POST;
    uint64_t track = sender_track(w, c);
    mark(w, c, track, wfi_pf_name(w, word, c->text, c->object->key), WFI_PF_CAT_object);
    arg_object(w, c->object);
    wfi_pf_event_end(w);
}

static void take_get(struct wf_writer *w, const struct wf_change *c) {
    uint64_t track = wfi_pf_object_track(w, c->object, WFI_PF_OBJECT_STATES);
    mark(w, c, track, wfi_pf_name(w, WFI_PF_GETS, c->text, c->object->key), WFI_PF_CAT_object);
    wfi_pf_event_end(w);
}

// ---- all

static void draw_count(struct wf_writer *w, const struct wf_change *c,
                       enum wfi_pf_object_track track) {
    wfi_pf_count(w, c->tick, wfi_pf_object_track(w, c->object, track), c->got ? c->value : -1);
}

void wfi_pf_take_object(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf_object *o;
    switch (c->kind) {
    case WF_CHANGE_WAIT_END: wait_ends(w, c); break;
    case WF_CHANGE_HOLD_END: hold_ends(w, c); break;
    case WF_CHANGE_TAKE: act(w, c, WFI_PF_TAKES); break;
    case WF_CHANGE_GIVE: act(w, c, WFI_PF_GIVES); break;
    case WF_CHANGE_REFUSED: act(w, c, WFI_PF_REFUSED); break;
    case WF_CHANGE_ALARM_SET: act(w, c, c->got ? WFI_PF_STARTS : WFI_PF_STOPS); break;
    case WF_CHANGE_MEMORY: act(w, c, c->got ? WFI_PF_ALLOCATES : WFI_PF_FREES); break;
    case WF_CHANGE_COUNT: draw_count(w, c, WFI_PF_OBJECT_COUNT); break;
    case WF_CHANGE_FREE: draw_count(w, c, WFI_PF_OBJECT_FREE); break;
    case WF_CHANGE_LOW:
        if (c->task)
            wfi_pf_count(w, c->tick, wfi_pf_task_track(w, c->task, WFI_PF_TASK_STACK), c->value);
        else
            wfi_pf_count(w, c->tick, wfi_pf_object_track(w, c->object, WFI_PF_OBJECT_LOW),
                         c->value);
        break;
    case WF_CHANGE_OBJECT: befall(w, c, c->got ? "created" : "ended"); break;
    case WF_CHANGE_ALARM: befall(w, c, "expires"); break;
    case WF_CHANGE_STATE: state_ends(w, c); break;
    case WF_CHANGE_STEP:
        o = wfi_pf_object(w, c->object);
        if (o) o->flow = c->flow;
        break;
    case WF_CHANGE_STEP_END: step_ends(w, c); break;
    case WF_CHANGE_POST: take_post(w, c); break;
    case WF_CHANGE_GET: take_get(w, c); break;
    default: break; // WAIT, HOLD: drawn at their end
    }
}
