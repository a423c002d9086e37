// SPDX-License-Identifier: MIT
// Names. An address differs from build to build, so all is compared by name. Names may arrive after
// their first use: entities get theirs at the end of the trace. Tasks and objects whose name is
// known earlier are named at once, so that those that are created again and again share an entry.

#include "wfi_collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_program.h"

enum { TEXT = 256 };

// A name that the model makes from a key is not one.
static bool is_name(const char *name) {
    return !(name[0] == '0' && name[1] == 'x' &&
             strspn(name + 2, "0123456789ABCDEFabcdef") == strlen(name + 2));
}

struct wfi_own_task *wfi_own_task(struct wf_behaviour_sink *k, struct wf_task *t) {
    struct wfi_own_task *own = wfi_per_entry(&k->tasks, t->index, sizeof *own);
    if (!own) k->err = WF_ERR_NOMEM;
    return own;
}

struct wfi_own_object *wfi_own_object(struct wf_behaviour_sink *k, struct wf_object *o) {
    struct wfi_own_object *own = wfi_per_entry(&k->objects, o->index, sizeof *own);
    if (!own) k->err = WF_ERR_NOMEM;
    return own;
}

uint32_t wfi_own_entity(struct wf_behaviour_sink *k, struct wf_object *o) {
    struct wfi_own_object *own = wfi_own_object(k, o);
    if (!own) return 0;
    if (own->named || own->tries > WFI_NAME_TRIES) return own->entity;
    ++own->tries;
    const char *name = wf_object_name(k->m, o);
    own->named = is_name(name);
    own->entity = own->named ? wfi_collect_text(k, name, strlen(name))
                             : wfi_collect_entity(k, WFI_ENTITY_OBJECT, o->index, 0);
    return own->entity;
}

uint32_t wfi_own_actor(struct wf_behaviour_sink *k, struct wf_task *t) {
    struct wfi_own_task *own = wfi_own_task(k, t);
    if (!own || own->run.actor) return own ? own->run.actor : 0;
    const char *name = wf_task_name(k->m, t);
    uint32_t entity = is_name(name) ? wfi_collect_text(k, name, strlen(name))
                                    : wfi_collect_entity(k, WFI_ENTITY_TASK, t->index, 0);
    own->run.actor = wfi_behaviour_actor(k->own, WFI_ACTOR_TASK, k->o.lane, entity);
    return own->run.actor;
}

// ---- at the end

static size_t copy_name(const char *name, char text[TEXT]) {
    return (size_t)snprintf(text, TEXT, "%.250s", name);
}

// Facts without a name that exist for the whole trace are numbered by kind, in the order of their
// creation, which is the same in each run of a program. Others have their kind as their name.
struct naming {
    struct wf_behaviour_sink *k;
    uint64_t unnamed;
    uint32_t *objects, *tasks; // by index; 0: no number
};

static bool number_unnamed(struct naming *n) {
    const struct wf_model *m = n->k->m;
    uint32_t counts[WF_OBJECT_KINDS] = {0}, tasks = 0;
    n->objects = calloc(wf_model_objects(m) + 1, sizeof *n->objects);
    n->tasks = calloc(wf_model_tasks(m) + 1, sizeof *n->tasks);
    for (unsigned i = 0; n->objects && i < wf_model_objects(m); ++i) {
        const struct wf_object *o = wf_model_object(m, i);
        if (o->created && !o->ended) n->objects[i] = ++counts[o->kind];
    }
    for (unsigned i = 0; n->tasks && i < wf_model_tasks(m); ++i) {
        const struct wf_task *t = wf_model_task(m, i);
        if (t->created && t->state != WF_TASK_ENDED) n->tasks[i] = ++tasks;
    }
    return n->objects && n->tasks;
}

static size_t name_by_number(struct naming *n, const char *kind, uint32_t number, char text[TEXT]) {
    ++n->unnamed;
    if (!number) return copy_name(kind, text);
    return (size_t)snprintf(text, TEXT, "%s #%" PRIu32, kind, number);
}

static size_t name_constant(struct naming *n, uint64_t address, char text[TEXT]) {
    struct wf_behaviour_sink *k = n->k;
    const char *at, *name;
    size_t len;
    if (wf_session_text_at(k->s, address, &at, &len))
        return (size_t)snprintf(text, TEXT, "%.*s", len < 250 ? (int)len : 250, at);
    name = wf_session_name(k->s, WF_EFFECT_NAME_OBJECT, address, 0);
    if (name) return copy_name(name, text);
    ++n->unnamed;
    return copy_name("text without a name", text);
}

static size_t name_by_key(struct wf_behaviour_sink *k, enum wf_effect dict, const char *kind,
                          uint64_t key, uint64_t with, char text[TEXT]) {
    const char *name = wf_session_name(k->s, dict, key, with);
    if (name) return copy_name(name, text);
    return (size_t)snprintf(text, TEXT, "%s %" PRIu64, kind, key);
}

static size_t name_state(struct naming *n, uint64_t address, char text[TEXT]) {
    const char *name = wf_session_name(n->k->s, WF_EFFECT_NAME_FUNCTION, address, 0);
    n->unnamed += !name;
    return copy_name(name ? name : "state without a name", text);
}

static size_t name_user(struct wf_behaviour_sink *k, uint64_t id, char text[TEXT]) {
    const char *name = wf_session_user_name(k->s, (unsigned)id);
    if (name) return copy_name(name, text);
    return (size_t)snprintf(text, TEXT, "record %" PRIu64, id);
}

static size_t name_task(struct naming *n, uint64_t index, char text[TEXT]) {
    const char *name = wf_task_name(n->k->m, wf_model_task(n->k->m, (unsigned)index));
    return is_name(name) ? copy_name(name, text) : name_by_number(n, "task", n->tasks[index], text);
}

static size_t name_object(struct naming *n, uint64_t index, char text[TEXT]) {
    const struct wf_object *o = wf_model_object(n->k->m, (unsigned)index);
    const char *name = wf_object_name(n->k->m, o);
    if (is_name(name)) return copy_name(name, text);
    return name_by_number(n, wf_object_kind_names[o->kind], n->objects[index], text);
}

static size_t name_entity(struct naming *n, const struct wfi_key *e, char text[TEXT]) {
    struct wf_behaviour_sink *k = n->k;
    uint64_t with = e->with >> 8;
    switch ((enum wfi_entity)(e->with & 0xFF)) {
    case WFI_ENTITY_TASK: return name_task(n, e->key, text);
    case WFI_ENTITY_OBJECT: return name_object(n, e->key, text);
    case WFI_ENTITY_KIND: return copy_name(wf_object_kind_names[e->key], text);
    case WFI_ENTITY_CONSTANT: return name_constant(n, e->key, text);
    case WFI_ENTITY_SIGNAL:
        return name_by_key(k, WF_EFFECT_NAME_SIGNAL, "signal", e->key, with, text);
    case WFI_ENTITY_STATE: return name_state(n, e->key, text);
    case WFI_ENTITY_USER: return name_user(k, e->key, text);
    case WFI_ENTITY_IRQ: return name_by_key(k, WF_EFFECT_NAME_IRQ, "interrupt", e->key, 0, text);
    case WFI_ENTITY_ROW: return copy_name(wf_rows[e->key].name, text);
    default: return copy_name(wfi_behaviour_text_at(k->own, (uint32_t)e->key), text);
    }
}

static struct wfi_trace_info trace_info(struct wf_behaviour_sink *k) {
    return (struct wfi_trace_info){.source = 0,
                                   .lane = k->o.lane,
                                   .hz = wf_session_target(k->s)->hz,
                                   .first = k->first,
                                   .last = k->now < k->end ? k->now : k->end,
                                   .zero = wf_time_zero(k->s, k->o.target_clock),
                                   .records = k->record,
                                   .holes = k->holes,
                                   .touched = k->touched,
                                   .block_bits = k->block_bits,
                                   .full = k->full};
}

void wfi_collect_join(struct wf_behaviour_sink *k) {
    size_t count = k->entities.count;
    uint32_t *texts = calloc(count + 2, sizeof *texts);
    struct naming n = {.k = k};
    struct wfi_trace_info trace = trace_info(k);
    char text[TEXT];
    bool good = number_unnamed(&n) && texts;
    for (size_t i = 0; good && i < count; ++i) {
        size_t len = name_entity(&n, &k->entities.list[i], text);
        texts[i + 1] = wfi_behaviour_text(k->to, text, len < TEXT ? len : TEXT - 1);
    }
    if (good) {
        trace.source = (uint32_t)count + 1;
        trace.unnamed = n.unnamed;
        texts[count + 1] = wfi_behaviour_text(k->to, k->source, strlen(k->source));
        wfi_behaviour_new_trace(k->own, &trace);
        if (k->own->err == WF_OK && k->to->err == WF_OK) wfi_behaviour_import(k->to, k->own, texts);
    }
    if (k->own->err != WF_OK) k->err = k->own->err;
    if (!good || k->to->err != WF_OK) k->err = WF_ERR_NOMEM;
    free(n.objects);
    free(n.tasks);
    free(texts);
}
