// SPDX-License-Identifier: MIT
// Makes the records of a line of transmission text, as payloads, by the kinds of their rows'
// fields, so that only the schema defines their form.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_text_trace.h"
#include "util/wfi_grow.h"
#include "wfi_text_lines.h"
#include "wfi_text_trace.h"

// ---- state of tasks and mutexes

struct wfi_entity *wfi_entity_find(const struct wfi_lines *l, uint64_t key) {
    const struct wfi_name *name = wfi_dict_get(&l->keys, key);
    return name ? &l->entities[name - l->keys.names] : NULL;
}

// Returns null when out of memory, which is an error of the session.
struct wfi_entity *wfi_entity_of(struct wf_session *s, uint64_t key) {
    struct wfi_lines *l = s->lines;
    struct wfi_entity *entity = wfi_entity_find(l, key);
    if (entity) return entity;
    if (WFI_GROW(l->entities, &l->entities_cap, l->keys.count + 1) &&
        wfi_dict_put(&l->keys, key, "", 0))
        return wfi_entity_find(l, key);
    s->err = WF_ERR_NOMEM;
    return NULL;
}

// A user's event of that name counts as one, too.
bool wf_text_trace_is_style(const struct wf_session *s, uint8_t id) {
    return s->lines && s->lines->look == id && id < WF_USER_FIRST + WFI_TEXT_USERS;
}

struct wf_text_style wf_text_trace_style(const struct wf_session *s, uint64_t key) {
    const struct wfi_entity *entity = s->lines ? wfi_entity_find(s->lines, key) : NULL;
    if (!entity) return (struct wf_text_style){NULL, NULL};
    return (struct wf_text_style){entity->colour, entity->pattern};
}

// If the line has an identifier of more than 32 bits, all have 64 bits from here on.
void wfi_lines_widen(struct wf_session *s, const struct wfi_line *line) {
    uint64_t all = (line->ids > 0 ? line->id[0] : 0) | (line->ids > 1 ? line->id[1] : 0);
    const struct wfi_clock clock = s->clock;
    if (all <= UINT32_MAX || s->target.bytes[WF_TYPE_OBJ] == 8) return;
    s->target.bytes[WF_TYPE_OBJ] = s->target.bytes[WF_TYPE_FUN] = 8;
    wfi_follow_key_sizes(s);
    wfi_plan_all(s);
    s->clock = clock;
}

// ---- making records

// The first row of an effect; of objects the row of mutexes.
static const struct wf_row *row_of(enum wf_effect effect) {
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        bool object = row->group >= WF_GROUP_MUT && row->group <= WF_GROUP_HEAP;
        if (row->effect == effect && (!object || row->group == WF_GROUP_MUT)) return row;
    }
    return NULL;
}

static uint64_t value_of(const struct wf_row *row, const struct wf_field *f,
                         const struct wfi_made *m, const struct wfi_values *v) {
    switch (f->kind) {
    case WF_KIND_STAMP: return m->at.tick;
    case WF_KIND_SELECT: return (uint64_t)row->select;
    case WF_KIND_TASK:
    case WF_KIND_ACTOR: return v->task;
    case WF_KIND_OBJECT:
    case WF_KIND_VALUE: return v->object;
    case WF_KIND_PRIORITY: return v->prio;
    case WF_KIND_REASON: return v->reason;
    case WF_KIND_NESTING: return v->nest;
    default: return 0;
    }
}

void wfi_made_put(struct wfi_made *m, uint64_t value, unsigned bytes) {
    for (; bytes && m->len < WFI_MADE_LEN; --bytes, value >>= 8)
        m->payload[m->len++] = (uint8_t)value;
}

static void put_text(struct wfi_made *m, const char *text) {
    do wfi_made_put(m, (uint8_t)*text, 1);
    while (*text++);
}

// The first record of a line has the line's length.
static struct wfi_made *begin_record(struct wfi_lines *l, struct wfi_moment *at) {
    struct wfi_made *m = &l->out[l->made++];
    m->at = *at;
    m->len = 0;
    at->raw_len = 0;
    return m;
}

struct wfi_made *wfi_make(struct wf_session *s, enum wf_effect effect, struct wfi_moment *at,
                          const struct wfi_values *v) {
    const struct wf_row *row = row_of(effect);
    struct wfi_made *m = begin_record(s->lines, at);
    m->id = row->id;
    for (unsigned i = 0; i < row->count; ++i) {
        const struct wf_field *f = &row->fields[i];
        unsigned bytes =
            wf_types[f->type].letter ? s->target.bytes[f->type] : wf_types[f->type].bytes;
        if (f->type == WF_TYPE_STR)
            put_text(m, v->name);
        else
            wfi_made_put(m, value_of(row, f, m, v), bytes);
    }
    return m;
}

void wfi_make_name(struct wf_session *s, uint64_t key, const char *name) {
    const struct wfi_values v = {.object = key, .name = name};
    if (name) wfi_make(s, WF_EFFECT_NAME_OBJECT, &s->lines->now, &v);
}

void wfi_make_switch(struct wf_session *s, struct wfi_moment *at, uint64_t task, uint8_t reason) {
    const struct wfi_values v = {.task = task, .reason = reason};
    wfi_make(s, WF_EFFECT_TASK_SWITCH, at, &v);
    s->lines->running = task;
    s->lines->running_known = true;
}

// An application record of that name. When the numbers are used up, further names share the last
// number, and are part of the record.
struct wfi_made *wfi_make_user(struct wf_session *s, const char *name) {
    struct wfi_lines *l = s->lines;
    unsigned at = 0;
    while (at < l->user_count && strcmp(l->users[at], name) != 0) ++at;
    bool added = at == l->user_count && at < WFI_TEXT_USERS;
    if (added && (l->users[at] = strdup(name)) == NULL) s->err = WF_ERR_NOMEM;
    if (added && l->users[at]) {
        const struct wfi_values v = {.object = WF_USER_FIRST + at, .name = name};
        wfi_make(s, WF_EFFECT_NAME_USER, &l->now, &v);
        ++l->user_count;
    }
    struct wfi_made *m = begin_record(l, &l->now);
    m->id = (uint8_t)(WF_USER_FIRST + at);
    wfi_made_put(m, l->now.tick, s->target.bytes[WF_TYPE_TIME]);
    if (at == l->user_count) {
        m->id = WF_USER_FIRST + WFI_TEXT_USERS;
        wfi_made_put(m, WF_ELEMENT_str, 1);
        put_text(m, name);
    }
    return m;
}

void wfi_made_word(struct wfi_made *m, const char *word) {
    wfi_made_put(m, WF_ELEMENT_str, 1);
    put_text(m, word);
}
