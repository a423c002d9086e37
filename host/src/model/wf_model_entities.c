// SPDX-License-Identifier: MIT
// Tasks and objects. Each has memory that does not move; a hash finds the latest one of each key.
// Those with known state are in a list, so that the cost of a hole depends on the state it
// invalidates, not on the number of tasks and objects.

#include "wfi_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "util/wfi_hash.h"

enum { SLOTS_LEAST = 64 };

// ---- pieces and keys

static bool open_entities(struct wfi_entities *t, size_t size) {
    t->size = size;
    t->slot_mask = SLOTS_LEAST - 1;
    t->slots = calloc(SLOTS_LEAST, sizeof *t->slots);
    return t->slots != NULL;
}

bool wfi_entities_open(struct wf_model *m) {
    return open_entities(&m->tasks, sizeof(struct wfi_task)) &&
           open_entities(&m->processes, sizeof(struct wfi_process)) &&
           open_entities(&m->objects, sizeof(struct wfi_object));
}

static void *entity_at(const struct wfi_entities *t, unsigned index) {
    return t->pieces[index / WFI_ENTITIES] + index % WFI_ENTITIES * t->size;
}

static void close_entities(struct wfi_entities *t) {
    for (unsigned i = 0; i < t->count; i += WFI_ENTITIES) free(t->pieces[i / WFI_ENTITIES]);
    free(t->pieces);
    free(t->slots);
    free(t->informed);
}

void wfi_entities_close(struct wf_model *m) {
    for (unsigned i = 0; i < m->tasks.count; ++i) {
        struct wfi_task *t = entity_at(&m->tasks, i);
        free(t->name);
        free(t->spans);
    }
    for (unsigned i = 0; i < m->objects.count; ++i) {
        struct wfi_object *o = entity_at(&m->objects, i);
        wfi_flows_close(&o->pub);
        wfi_heap_close(&o->pub);
        free(o->name);
    }
    for (unsigned i = 0; i < m->processes.count; ++i) {
        free(((struct wfi_process *)entity_at(&m->processes, i))->name);
    }
    close_entities(&m->tasks);
    close_entities(&m->processes);
    close_entities(&m->objects);
}

static struct wfi_slot *slot_of(const struct wfi_entities *t, uint64_t key) {
    for (size_t i = (size_t)wfi_hash(key, 0, t->slots);; ++i) {
        struct wfi_slot *slot = &t->slots[i & t->slot_mask];
        if (!slot->entity || slot->key == key) return slot;
    }
}

static bool grow_slots(struct wfi_entities *t) {
    if (2 * t->used <= t->slot_mask) return true;
    struct wfi_entities more = *t;
    more.slot_mask = 2 * t->slot_mask + 1;
    more.slots = calloc(more.slot_mask + 1, sizeof *more.slots);
    if (!more.slots) return false;
    for (size_t i = 0; i <= t->slot_mask; ++i) {
        if (t->slots[i].entity) *slot_of(&more, t->slots[i].key) = t->slots[i];
    }
    free(t->slots);
    *t = more;
    return true;
}

static bool add_piece(struct wfi_entities *t) {
    unsigned pieces = t->cap / WFI_ENTITIES;
    if (!WFI_GROW(t->pieces, &t->pieces_cap, pieces + 1)) return false;
    t->pieces[pieces] = calloc(WFI_ENTITIES, t->size);
    if (!t->pieces[pieces]) return false;
    t->cap += WFI_ENTITIES;
    return true;
}

static void *new_entity(struct wf_model *m, struct wfi_entities *t) {
    if (t->count == t->cap && !add_piece(t)) {
        m->err = WF_ERR_NOMEM;
        return NULL;
    }
    return entity_at(t, t->count++);
}

// Returns the slot for a new entity with this key; null when out of memory.
static struct wfi_slot *renew_slot(struct wf_model *m, struct wfi_entities *t, uint64_t key) {
    if (!grow_slots(t)) {
        m->err = WF_ERR_NOMEM;
        return NULL;
    }
    struct wfi_slot *slot = slot_of(t, key);
    slot->key = key;
    return slot;
}

// ---- entities

static void put_key(const struct wf_model *m, char *to, uint64_t key) {
    int digits = 2 * (int)m->s->names.objects.key_bytes;
    snprintf(to, 24, "0x%0*llX", digits > 16 ? 16 : digits, (unsigned long long)key);
}

static void begin_task(struct wf_model *m, struct wfi_task *t, uint64_t key) {
    t->pub.index = m->tasks.count - 1;
    t->pub.key = key;
    t->epoch = m->epoch;
    t->readied = WFI_PERHAPS_READIED;
}

struct wf_task *wfi_task_new(struct wf_model *m, uint64_t key, bool created) {
    struct wfi_slot *slot = renew_slot(m, &m->tasks, key);
    struct wfi_task *t = slot ? new_entity(m, &m->tasks) : NULL;
    if (!t) return NULL;
    struct wfi_task *before = slot->entity;
    begin_task(m, t, key);
    put_key(m, t->key_text, key);
    t->pub.life = before ? before->pub.life + 1 : 0;
    t->before = before;
    t->pub.created = created;
    m->tasks.used += !before;
    slot->entity = t;
    if (!before) wfi_task_keep_name(m, &t->pub);
    return &t->pub;
}

struct wf_task *wfi_task_known(const struct wf_model *m, uint64_t key) {
    struct wfi_task *t = slot_of(&m->tasks, key)->entity;
    return t ? &t->pub : NULL;
}

struct wf_task *wfi_task_of(struct wf_model *m, uint64_t key) {
    struct wf_task *t = wfi_task_known(m, key);
    if (key == 0) return NULL;
    if (t && t->state != WF_TASK_ENDED) {
        wfi_task(t)->epoch = m->epoch;
        return t;
    }
    bool contradicts = t && wfi_task(t)->epoch == m->epoch;
    t = wfi_task_new(m, key, false);
    if (t && contradicts) wfi_inconsistent(m, t, NULL, "a task that has ended does something");
    return t;
}

struct wf_task *wfi_task_of_prio(struct wf_model *m, uint64_t prio) {
    struct wfi_task *t = prio < 256 ? m->by_prio[prio] : NULL;
    if (t || prio == 0 || prio > 255) return t ? &t->pub : NULL;
    t = new_entity(m, &m->tasks);
    if (!t) return NULL;
    begin_task(m, t, prio);
    snprintf(t->key_text, sizeof t->key_text, "priority %u", (unsigned)prio);
    t->pub.by_priority = t->pub.prio_known = true;
    t->pub.prio = (int)prio;
    t->before = m->prio_before[prio];
    m->by_prio[prio] = m->prio_before[prio] = t;
    if (prio >= m->prio_end) m->prio_end = (unsigned)prio + 1;
    return &t->pub;
}

struct wf_object *wfi_object_new(struct wf_model *m, uint64_t key, bool created) {
    struct wfi_slot *slot = renew_slot(m, &m->objects, key);
    struct wfi_object *o = slot ? new_entity(m, &m->objects) : NULL;
    if (!o) return NULL;
    struct wfi_object *before = slot->entity;
    o->pub.index = m->objects.count - 1;
    o->pub.key = key;
    o->epoch = m->epoch;
    put_key(m, o->key_text, key);
    o->pub.life = before ? before->pub.life + 1 : 0;
    o->before = before;
    o->pub.created = created;
    m->objects.used += !before;
    slot->entity = o;
    if (!before) wfi_object_keep_name(m, &o->pub);
    return &o->pub;
}

struct wf_object *wfi_object_known(const struct wf_model *m, uint64_t key) {
    struct wfi_object *o = slot_of(&m->objects, key)->entity;
    return o ? &o->pub : NULL;
}

struct wfi_process *wfi_process_of(struct wf_model *m, uint32_t pid, bool begins) {
    struct wfi_process *p = slot_of(&m->processes, pid)->entity;
    if (p && !(begins && p->ended)) return p;
    struct wfi_slot *slot = renew_slot(m, &m->processes, pid);
    p = slot ? new_entity(m, &m->processes) : NULL;
    if (!p) return NULL;
    m->processes.used += !slot->entity;
    slot->entity = p;
    return p;
}

enum wf_model_kind wfi_object_kind(const struct wf_row *row) {
    switch (row->group) {
    case WF_GROUP_MTX:
    case WF_GROUP_MUT: return WF_OBJECT_MUTEX;
    case WF_GROUP_SEM:
    case WF_GROUP_SEMA: return WF_OBJECT_SEMAPHORE;
    case WF_GROUP_QUE: return WF_OBJECT_QUEUE;
    case WF_GROUP_EVT: return WF_OBJECT_EVENTS;
    case WF_GROUP_TMR: return WF_OBJECT_TIMER;
    case WF_GROUP_HEAP: return WF_OBJECT_HEAP;
    case WF_GROUP_SM: return WF_OBJECT_MACHINE;
    case WF_GROUP_AO: return WF_OBJECT_ACTIVE;
    case WF_GROUP_EQ: return WF_OBJECT_EVENT_QUEUE;
    case WF_GROUP_MP: return WF_OBJECT_POOL;
    default: return WF_OBJECT_UNKNOWN;
    }
}

// A state machine may be recorded before or after it is known to have a queue.
static bool same_kind(struct wf_object *o, enum wf_model_kind kind) {
    if (o->kind == WF_OBJECT_MACHINE && kind == WF_OBJECT_ACTIVE) o->kind = kind;
    return o->kind == kind || (o->kind == WF_OBJECT_ACTIVE && kind == WF_OBJECT_MACHINE);
}

struct wf_object *wfi_object_of(struct wf_model *m, uint64_t key, bool ended_too) {
    enum wf_model_kind kind = wfi_object_kind(m->record->row);
    struct wf_object *o = wfi_object_known(m, key);
    bool gone = o && o->ended && !ended_too, other = o && !same_kind(o, kind);
    if (o && !gone && !other) {
        wfi_object(o)->epoch = m->epoch;
        return o;
    }
    bool contradicts = o && wfi_object(o)->epoch == m->epoch;
    if (o && !o->ended) wfi_object_end(m, o, true);
    o = wfi_object_new(m, key, false);
    if (!o) return NULL;
    o->kind = kind;
    if (contradicts)
        wfi_inconsistent(m, NULL, o,
                         gone ? "of an object that is deleted" : "another kind of object");
    return o;
}

void wfi_entities_restart(struct wf_model *m) {
    for (; m->tasks.first < m->tasks.count; ++m->tasks.first) {
        struct wfi_task *t = entity_at(&m->tasks, m->tasks.first);
        if (t->pub.state != WF_TASK_ENDED) wfi_task_end(m, &t->pub, true);
    }
    for (; m->processes.first < m->processes.count; ++m->processes.first) {
        ((struct wfi_process *)entity_at(&m->processes, m->processes.first))->ended = true;
    }
    for (; m->objects.first < m->objects.count; ++m->objects.first) {
        struct wfi_object *o = entity_at(&m->objects, m->objects.first);
        if (!o->pub.ended) wfi_object_end(m, &o->pub, true);
    }
    memset(m->by_prio, 0, sizeof m->by_prio);
    m->prio_end = 0;
}

// ---- names

void wfi_set_name(struct wf_model *m, char **name, const char *text) {
    size_t len = strlen(text) + 1;
    char *copy = malloc(len);
    if (!copy) {
        m->err = WF_ERR_NOMEM;
        return;
    }
    memcpy(copy, text, len);
    free(*name);
    *name = copy;
}

// Replaces the name by the dictionary's, if that has one.
static void keep_name(struct wf_model *m, char **name, uint64_t key) {
    const char *text = wf_session_name(m->s, WF_EFFECT_NAME_OBJECT, key, 0);
    if (text) wfi_set_name(m, name, text);
}

void wfi_task_keep_name(struct wf_model *m, struct wf_task *t) {
    if (!t->by_priority && !wfi_task(t)->process) keep_name(m, &wfi_task(t)->name, t->key);
}

void wfi_object_keep_name(struct wf_model *m, struct wf_object *o) {
    keep_name(m, &wfi_object(o)->name, o->key);
}

void wfi_model_apply_name(struct wf_model *m, const struct wf_record *r) {
    struct wf_task *t = wfi_task_known(m, r->value[0]);
    struct wf_object *o = wfi_object_known(m, r->value[0]);
    if (t && t->state != WF_TASK_ENDED) wfi_task_keep_name(m, t);
    if (o && !o->ended) wfi_object_keep_name(m, o);
}

// Returns the kept name; else, unless a later task has the key, the name that the session knows
// now.
const char *wf_task_name(const struct wf_model *m, const struct wf_task *task) {
    struct wfi_task *t = wfi_task((struct wf_task *)(uintptr_t)task);
    wfi_qnx_name_thread((struct wf_model *)(uintptr_t)m, t);
    const char *name = t->name;
    bool by_key = !task->by_priority && !t->process;
    bool newest = by_key && wfi_task_known(m, task->key) == task;
    if (!name && newest) name = wf_session_name(m->s, WF_EFFECT_NAME_OBJECT, task->key, 0);
    return name ? name : t->key_text;
}

const char *wf_object_name(const struct wf_model *m, const struct wf_object *object) {
    const struct wfi_object *o = (const struct wfi_object *)(const void *)object;
    const char *name = o->name;
    if (!name && wfi_object_known(m, object->key) == object) {
        name = wf_session_name(m->s, WF_EFFECT_NAME_OBJECT, object->key, 0);
    }
    return name ? name : o->key_text;
}

// ---- entities with known state

static void add_informed(struct wf_model *m, struct wfi_entities *t, void *entity,
                         unsigned *place) {
    if (*place) return;
    if (!WFI_GROW(t->informed, &t->informed_cap, t->informed_count + 1)) {
        m->err = WF_ERR_NOMEM;
        return;
    }
    t->informed[t->informed_count++] = entity;
    *place = t->informed_count;
}

void wfi_task_inform(struct wf_model *m, struct wf_task *t) {
    add_informed(m, &m->tasks, t, &wfi_task(t)->informed);
}

void wfi_object_inform(struct wf_model *m, struct wf_object *o) {
    add_informed(m, &m->objects, o, &wfi_object(o)->informed);
}

void wfi_task_uninform(struct wf_model *m, struct wf_task *t) {
    struct wfi_entities *all = &m->tasks;
    unsigned *place = &wfi_task(t)->informed;
    if (!*place) return;
    struct wf_task *last = all->informed[--all->informed_count];
    all->informed[*place - 1] = last;
    wfi_task(last)->informed = *place;
    *place = 0;
}

void wfi_object_uninform(struct wf_model *m, struct wf_object *o) {
    struct wfi_entities *all = &m->objects;
    unsigned *place = &wfi_object(o)->informed;
    if (!*place) return;
    struct wf_object *last = all->informed[--all->informed_count];
    all->informed[*place - 1] = last;
    wfi_object(last)->informed = *place;
    *place = 0;
}

// ---- public access

unsigned wf_model_tasks(const struct wf_model *m) { return m->tasks.count; }
unsigned wf_model_objects(const struct wf_model *m) { return m->objects.count; }

struct wf_task *wf_model_task(const struct wf_model *m, unsigned index) {
    return index < m->tasks.count ? entity_at(&m->tasks, index) : NULL;
}

struct wf_object *wf_model_object(const struct wf_model *m, unsigned index) {
    return index < m->objects.count ? entity_at(&m->objects, index) : NULL;
}

struct wf_task *wf_model_find_task(const struct wf_model *m, uint64_t key) {
    return wfi_task_known(m, key);
}

struct wf_object *wf_model_find_object(const struct wf_model *m, uint64_t key) {
    return wfi_object_known(m, key);
}

const struct wf_task *wf_task_before(const struct wf_task *task) {
    const struct wfi_task *before = ((const struct wfi_task *)(const void *)task)->before;
    return before ? &before->pub : NULL;
}

const struct wf_object *wf_object_before(const struct wf_object *object) {
    const struct wfi_object *before = ((const struct wfi_object *)(const void *)object)->before;
    return before ? &before->pub : NULL;
}
