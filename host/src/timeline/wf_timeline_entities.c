// SPDX-License-Identifier: MIT
// Rows, tracks and entities. Those of the model's tasks and objects are found by index, others by a
// hash. Names are looked up on demand, as they may be received late.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_hash.h"
#include "wallfly_host/wf_program.h"
#include "wfi_timeline.h"

const char *const wf_row_kind_names[WF_ROW_KINDS] = {
    "core", "irq", "task", "machine", "object", "counter", "records", "link", "load"};
const char *const wf_track_kind_names[WF_TRACK_KINDS] = {
    "runs",  "irqs", "states",  "holds",    "spans",    "machine", "steps", "holder", "level",
    "marks", "loss", "filters", "priority", "unpaired", "load",    "jobs",  "used"};
const char *const wf_entity_kind_names[WF_ENTITY_KINDS] = {
    "special", "task", "object", "irq", "text", "signal", "state", "core", "raise"};

// Makes room for one more in an array that doubles.
static bool make_room(struct wf_timeline *t, void **at, unsigned count, unsigned *cap,
                      size_t size) {
    if (count < *cap) return true;
    unsigned more = *cap ? 2 * *cap : 16;
    void *grown = realloc(*at, more * size);
    if (!grown) {
        t->err = WF_ERR_NOMEM;
        return false;
    }
    *at = grown;
    *cap = more;
    return true;
}

// ---- rows and tracks

uint32_t wfi_tl_row(struct wf_timeline *t, enum wf_row_kind kind, uint32_t entity, int core) {
    void *at = t->rows;
    bool good = make_room(t, &at, t->row_count, &t->row_cap, sizeof *t->rows);
    t->rows = at;
    if (!good) return WF_NO_TRACK;
    t->rows[t->row_count] = (struct wfi_tl_row){.kind = kind,
                                                .entity = entity,
                                                .core = core,
                                                .first_track = WF_NO_TRACK,
                                                .last_track = WF_NO_TRACK};
    ++t->revision;
    return t->row_count++;
}

// Returns null if the row has no such track. It may have one from an earlier task or object.
static struct wfi_track *find_track(const struct wf_timeline *t, uint32_t row,
                                    enum wf_track_kind kind, unsigned level) {
    uint32_t at = row == WF_NO_TRACK ? WF_NO_TRACK : t->rows[row].first_track;
    for (; at != WF_NO_TRACK; at = t->tracks[at]->next) {
        if (t->tracks[at]->kind == kind && t->tracks[at]->level == level) return t->tracks[at];
    }
    return NULL;
}

struct wfi_track *wfi_tl_track(struct wf_timeline *t, uint32_t row, enum wf_track_kind kind,
                               unsigned level) {
    struct wfi_track *there = find_track(t, row, kind, level);
    if (there) return there;
    void *at = t->tracks;
    struct wfi_track *track = row == WF_NO_TRACK ? NULL : calloc(1, sizeof *track);
    bool good = make_room(t, &at, t->track_count, &t->track_cap, sizeof *t->tracks);
    t->tracks = at;
    if (!track || !good) {
        t->err = WF_ERR_NOMEM;
        free(track);
        return NULL;
    }
    struct wfi_tl_row *r = &t->rows[row];
    track->number = t->track_count;
    track->row = row;
    track->kind = kind;
    track->level = level;
    track->next = WF_NO_TRACK;
    track->data.last_counts = kind == WF_TRACK_LEVEL || kind == WF_TRACK_USED;
    track->data.marks = kind == WF_TRACK_MARKS || kind == WF_TRACK_UNPAIRED;
    track->data.busy_is = kind == WF_TRACK_STATES   ? WFI_TL_BUSY_RUNNING
                          : kind == WF_TRACK_RUNS   ? WFI_TL_BUSY_NOT_IDLE
                          : kind == WF_TRACK_HOLDER ? WFI_TL_BUSY_KNOWN
                                                    : WFI_TL_BUSY_ALL;
    if (r->last_track == WF_NO_TRACK)
        r->first_track = track->number;
    else
        t->tracks[r->last_track]->next = track->number;
    r->last_track = track->number;
    t->tracks[t->track_count++] = track;
    ++t->revision;
    return track;
}

// ---- entities

static uint32_t add_entity(struct wf_timeline *t, const struct wfi_tl_entity *entity) {
    void *at = t->entities;
    bool good = make_room(t, &at, t->entity_count, &t->entity_cap, sizeof *t->entities);
    t->entities = at;
    if (!good) return WF_ENTITY_NONE;
    t->entities[t->entity_count] = *entity;
    ++t->revision;
    return t->entity_count++;
}

static size_t slot_of(const struct wf_timeline *t, enum wf_entity_kind kind, uint64_t key,
                      uint64_t with, const void *of) {
    uint64_t rest = wfi_hash(with ^ (uint64_t)kind << 56, (uint64_t)(uintptr_t)of, t->slots);
    return (size_t)wfi_hash(key, rest, t->slots) & t->slot_mask;
}

static bool grow_slots(struct wf_timeline *t) {
    size_t mask = t->slot_mask ? 2 * t->slot_mask + 1 : 255;
    uint32_t *slots = calloc(mask + 1, sizeof *slots);
    if (!slots) {
        t->err = WF_ERR_NOMEM;
        return false;
    }
    free(t->slots);
    t->slots = slots;
    t->slot_mask = mask;
    for (uint32_t i = WF_ENTITY_FIRST; i < t->entity_count; ++i) {
        const struct wfi_tl_entity *n = &t->entities[i];
        if (n->kind == WF_ENTITY_TASK || n->kind == WF_ENTITY_OBJECT) continue;
        size_t at = slot_of(t, n->kind, n->key, n->with, n->of);
        while (slots[at]) at = (at + 1) & mask;
        slots[at] = i;
    }
    return true;
}

uint32_t wfi_tl_entity(struct wf_timeline *t, enum wf_entity_kind kind, uint64_t key, uint64_t with,
                       const void *of) {
    if (2 * t->entity_count >= t->slot_mask && !grow_slots(t)) return WF_ENTITY_NONE;
    size_t at = slot_of(t, kind, key, with, of);
    for (; t->slots[at]; at = (at + 1) & t->slot_mask) {
        const struct wfi_tl_entity *n = &t->entities[t->slots[at]];
        if (n->kind == kind && n->key == key && n->with == with && n->of == of) return t->slots[at];
    }
    struct wfi_tl_entity n = {.kind = kind, .key = key, .with = with, .of = of, .row = WF_NO_TRACK};
    uint32_t number = add_entity(t, &n);
    if (number != WF_ENTITY_NONE && kind != WF_ENTITY_SPECIAL) t->slots[at] = number;
    return number;
}

struct wfi_tl_task *wfi_tl_task(struct wf_timeline *t, struct wf_task *task) {
    struct wfi_tl_task *own = wfi_tl_known_task(t, task);
    if (own) return own;
    own = wfi_per_add(&t->tasks, task->index, sizeof *own);
    if (!own) {
        t->err = WF_ERR_NOMEM;
        return NULL;
    }
    struct wfi_tl_entity n = {.kind = WF_ENTITY_TASK, .key = task->key, .of = task};
    if (task->tid) n.with = task->pid;
    n.row = WF_NO_TRACK;
    n.prio = task->prio;
    n.prio_known = task->prio_known;
    own->entity = add_entity(t, &n);
    own->row = WF_NO_TRACK;
    return own;
}

uint32_t wfi_tl_task_entity(struct wf_timeline *t, const struct wf_task *task) {
    const struct wfi_tl_task *own = wfi_tl_task(t, (struct wf_task *)(uintptr_t)task);
    return own ? own->entity : WF_ENTITY_NONE;
}

// Ends the slices that an earlier task or object left open in its row. Existing slices keep their
// entity.
static void take_over(struct wf_timeline *t, uint32_t row, uint32_t entity) {
    for (uint32_t at = t->rows[row].first_track; at != WF_NO_TRACK; at = t->tracks[at]->next)
        wfi_tl_end(t, t->tracks[at], wf_model_tick(t->m), true);
    t->rows[row].entity = entity;
    ++t->revision;
}

// Finds the row of the previous task with the same key and name: after a restart of the target, or
// when a task is created again, its row continues. Names are those known when the row is needed.
static const struct wfi_tl_task *row_task_before(const struct wf_timeline *t,
                                                 struct wf_task *task) {
    const struct wf_task *before = wf_task_before(task);
    const struct wfi_tl_task *own = wfi_tl_known_task(t, before);
    if (!own) return NULL;
    const char *name = wf_task_name(t->m, before);
    return strcmp(name, wf_task_name(t->m, task)) == 0 ? own : NULL;
}

uint32_t wfi_tl_task_row(struct wf_timeline *t, struct wf_task *task) {
    struct wfi_tl_task *own = wfi_tl_task(t, task);
    if (!own) return WF_NO_TRACK;
    if (own->row != WF_NO_TRACK) return own->row;
    const struct wfi_tl_task *before = row_task_before(t, task);
    if (before && before->row != WF_NO_TRACK) {
        own->row = before->row;
        take_over(t, own->row, own->entity);
    } else {
        own->row = wfi_tl_row(t, WF_ROW_TASK, own->entity, -1);
    }
    return own->row;
}

struct wfi_tl_object *wfi_tl_object(struct wf_timeline *t, struct wf_object *o) {
    struct wfi_tl_object *own = wfi_tl_known_object(t, o);
    if (own) return own;
    own = wfi_per_add(&t->objects, o->index, sizeof *own);
    if (!own) {
        t->err = WF_ERR_NOMEM;
        return NULL;
    }
    struct wfi_tl_entity n = {.kind = WF_ENTITY_OBJECT, .key = o->key, .of = o, .row = WF_NO_TRACK};
    own->entity = add_entity(t, &n);
    own->row = WF_NO_TRACK;
    return own;
}

static const struct wfi_tl_object *object_before(const struct wf_timeline *t, struct wf_object *o) {
    const struct wf_object *before = wf_object_before(o);
    const struct wfi_tl_object *own = wfi_tl_known_object(t, before);
    if (!own) return NULL;
    const char *name = wf_object_name(t->m, before);
    return strcmp(name, wf_object_name(t->m, o)) == 0 ? own : NULL;
}

uint32_t wfi_tl_object_row(struct wf_timeline *t, struct wf_object *o) {
    struct wfi_tl_object *own = wfi_tl_object(t, o);
    bool machine = o->kind == WF_OBJECT_MACHINE || o->kind == WF_OBJECT_ACTIVE;
    enum wf_row_kind kind = machine ? WF_ROW_MACHINE : WF_ROW_OBJECT;
    if (!own) return WF_NO_TRACK;
    if (own->row != WF_NO_TRACK) return own->row;
    const struct wfi_tl_object *before = object_before(t, o);
    if (before && before->row != WF_NO_TRACK && t->rows[before->row].kind == kind) {
        own->row = before->row;
        take_over(t, own->row, own->entity);
    } else {
        own->row = wfi_tl_row(t, kind, own->entity, -1);
    }
    return own->row;
}

struct wfi_tl_core *wfi_tl_core(struct wf_timeline *t, unsigned core) {
    if (core >= WF_MODEL_CORES) return NULL;
    if (!t->cores[core]) {
        t->cores[core] = calloc(1, sizeof *t->cores[core]);
        if (!t->cores[core]) {
            t->err = WF_ERR_NOMEM;
            return NULL;
        }
    }
    return t->cores[core];
}

void wfi_tl_entities_close(struct wf_timeline *t) {
    wfi_per_close(&t->tasks);
    wfi_per_close(&t->objects);
    for (unsigned i = 0; i < t->track_count; ++i) {
        wfi_series_close(&t->tracks[i]->data);
        free(t->tracks[i]);
    }
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        if (t->cores[i]) free(t->cores[i]->load.runs);
        free(t->cores[i]);
    }
    free(t->tracks);
    free(t->rows);
    free(t->entities);
    free(t->slots);
}

// ---- public access

unsigned wf_timeline_rows(const struct wf_timeline *t) { return t->row_count; }
unsigned wf_timeline_tracks(const struct wf_timeline *t) { return t->track_count; }
unsigned wf_timeline_entities(const struct wf_timeline *t) { return t->entity_count; }
uint64_t wf_timeline_revision(const struct wf_timeline *t) { return t->revision; }
void wf_timeline_names_changed(struct wf_timeline *t) { ++t->revision; }

void wf_timeline_row(const struct wf_timeline *t, unsigned row, struct wf_timeline_row *out) {
    const struct wfi_tl_row *r = &t->rows[row];
    *out = (struct wf_timeline_row){
        .kind = r->kind, .entity = r->entity, .core = r->core, .first_track = r->first_track};
}

void wf_timeline_track(const struct wf_timeline *t, unsigned track, struct wf_track *out) {
    const struct wfi_track *of = t->tracks[track];
    *out = (struct wf_track){
        .row = of->row, .kind = of->kind, .level = of->level, .slices = of->data.slices + of->held};
}

uint32_t wf_timeline_next_track(const struct wf_timeline *t, unsigned track) {
    return t->tracks[track]->next;
}

// The name from a dictionary, else the key in hex.
static const char *dict_name(struct wf_timeline *t, enum wf_effect dict, uint64_t key,
                             uint64_t with) {
    const char *name = wf_session_name(t->s, dict, key, with);
    if (name) return name;
    snprintf(t->name, sizeof t->name, "0x%08" PRIX64, key);
    return t->name;
}

// The text of a span or counter, which may also be in the program.
static const char *text_name(struct wf_timeline *t, uint64_t address) {
    const char *text;
    size_t len;
    if (wf_session_text_at(t->s, address, &text, &len)) return text;
    return dict_name(t, WF_EFFECT_NAME_OBJECT, address, 0);
}

static const char *number_name(struct wf_timeline *t, const char *word, uint64_t number) {
    snprintf(t->name, sizeof t->name, "%s %" PRIu64, word, number);
    return t->name;
}

static const char *irq_name(struct wf_timeline *t, uint64_t irq) {
    const char *name = wf_session_name(t->s, WF_EFFECT_NAME_IRQ, irq, 0);
    if (irq == WF_IRQ_UNKNOWN) return "irq unknown";
    if (!name) return number_name(t, "irq", irq);
    snprintf(t->name, sizeof t->name, "irq %.100s", name);
    return t->name;
}

// The name of another entity, as part of a RAISE's name.
static const char *short_name(const struct wf_timeline *t, uint64_t entity) {
    const struct wfi_tl_entity *n =
        &t->entities[entity < t->entity_count ? entity : WF_ENTITY_NONE];
    if (n->kind == WF_ENTITY_TASK) return wf_task_name(t->m, n->of);
    return n->kind == WF_ENTITY_OBJECT ? wf_object_name(t->m, n->of) : "?";
}

static const char *raise_name(struct wf_timeline *t, const struct wfi_tl_entity *n) {
    char base[16] = "?";
    if (n->key != WFI_TL_NO_BASE) snprintf(base, sizeof base, "%d", (int)(uint32_t)n->key);
    snprintf(t->name, sizeof t->name, "%s, raised by %.80s for %.80s", base,
             short_name(t, n->with >> 32), short_name(t, n->with & UINT32_MAX));
    return t->name;
}

static const char *name_of(struct wf_timeline *t, const struct wfi_tl_entity *n) {
    switch (n->kind) {
    case WF_ENTITY_TASK: return wf_task_name(t->m, n->of);
    case WF_ENTITY_OBJECT: return wf_object_name(t->m, n->of);
    case WF_ENTITY_TEXT: return n->of ? n->of : text_name(t, n->key);
    case WF_ENTITY_SIGNAL: {
        const char *name = wf_session_name(t->s, WF_EFFECT_NAME_SIGNAL, n->key, n->with);
        return name ? name : number_name(t, "signal", n->key);
    }
    case WF_ENTITY_STATE: return dict_name(t, WF_EFFECT_NAME_FUNCTION, n->key, 0);
    case WF_ENTITY_IRQ: return irq_name(t, n->key);
    case WF_ENTITY_CORE: return number_name(t, "core", n->key);
    case WF_ENTITY_RAISE: return raise_name(t, n);
    default: return n == &t->entities[WF_ENTITY_IDLE] ? "idle" : "";
    }
}

static void copy_low(const struct wfi_tl_entity *n, struct wf_entity *out) {
    if (n->kind == WF_ENTITY_TASK) {
        const struct wf_task *task = n->of;
        out->low_known = task->stack_known;
        out->low = task->stack_free;
        out->size = task->stack_size;
    } else if (n->kind == WF_ENTITY_OBJECT) {
        const struct wf_object *object = n->of;
        out->low_known = object->low_known;
        out->low = object->low;
        out->size = object->room;
    }
}

void wf_timeline_entity(struct wf_timeline *t, uint32_t entity, struct wf_entity *out) {
    const struct wfi_tl_entity *n = &t->entities[entity];
    *out = (struct wf_entity){.kind = n->kind, .key = n->key, .name = name_of(t, n)};
    if (n->kind == WF_ENTITY_SIGNAL || n->kind == WF_ENTITY_TASK) out->with = n->with;
    if (n->kind == WF_ENTITY_OBJECT) out->sub = ((const struct wf_object *)n->of)->kind;
    copy_low(n, out);
    out->prio = n->prio;
    out->prio_known = n->prio_known;
}
