// SPDX-License-Identifier: MIT
// Tracks. All belong to one process, the target, in groups of a fixed order. A track is declared
// before its first event. Readers use the last name of a track, so names that came later are
// written at the end.

#include <stdlib.h>

#include "wfi_perfetto.h"

// The number of a track: its kind in the low bits, the index of its owner above.
enum { KIND_BITS = 5 };
enum {
    ONE = 1,
    CORE,
    IRQ = CORE + (int)WFI_PF_CORE_TRACKS,
    TASK,
    OBJECT = TASK + (int)WFI_PF_TASK_TRACKS,
    COUNTER = OBJECT + (int)WFI_PF_OBJECT_TRACKS
};

// The single tracks, in order. O(name, text, is a group)
#define ONES(O)                                                                                    \
    O(PROCESS, "target", true)                                                                     \
    O(CORES, "cores", true)                                                                        \
    O(TASKS, "tasks", true)                                                                        \
    O(IRQS, "interrupts", true)                                                                    \
    O(MACHINES, "state machines", true) /* active objects are some */                              \
    O(OBJECTS, "objects", true)                                                                    \
    O(COUNTERS, "counters", true)                                                                  \
    O(MESSAGES, "messages", false)                                                                 \
    O(APPLICATION, "application records", false)                                                   \
    O(LOSSES, "losses", false)                                                                     \
    O(ODD, "odd records", false)
enum one {
#define O(name, text, group) ONE_##name,
    ONES(O)
#undef O
};
static const struct {
    const char *name;
    bool group;
} ones[] = {
#define O(name, text, group) {text, group},
    ONES(O)
#undef O
};

struct track {
    uint64_t uuid, parent;
    const char *name; // null: it is in wfi_pf(w)->words
    uint64_t rank;
    bool group, counter, process;
    const char *unit;
};

static uint64_t uuid(unsigned kind, uint64_t index) { return index << KIND_BITS | kind; }

static void declare(struct wf_writer *w, const struct track *t) {
    struct wfi_pf *g = wfi_pf(w);
    const char *name = t->name ? t->name : g->words.buf;
    size_t len = t->name ? strlen(name) : (size_t)(g->words.end - g->words.buf), at;
    wfi_pf_packet(w, g->now_ns);
    size_t block = wfi_pf_block(w, WFI_PF_PACKET_TRACK);
    wfi_pf_uint(w, WFI_PF_TRACK_UUID, t->uuid);
    if (t->parent) wfi_pf_uint(w, WFI_PF_TRACK_PARENT, t->parent);
    if (!t->process) wfi_pf_text(w, WFI_PF_TRACK_NAME, name, len);
    if (t->group) wfi_pf_uint(w, WFI_PF_TRACK_ORDER, WFI_PF_ORDER_BY_RANK);
    wfi_pf_uint(w, WFI_PF_TRACK_RANK, t->rank & INT32_MAX);
    wfi_pf_uint(w, WFI_PF_TRACK_MERGE, WFI_PF_MERGE_NONE);
    if (t->process) {
        at = wfi_pf_block(w, WFI_PF_TRACK_PROCESS);
        wfi_pf_uint(w, WFI_PF_PROCESS_PID, WFI_PF_PID);
        wfi_pf_text(w, WFI_PF_PROCESS_NAME, name, len);
        wfi_pf_block_end(w, at);
    }
    if (t->counter) {
        at = wfi_pf_block(w, WFI_PF_TRACK_COUNTER);
        if (t->unit)
            wfi_pf_text(w, WFI_PF_COUNTER_UNIT_NAME, t->unit, strlen(t->unit));
        else
            wfi_pf_uint(w, WFI_PF_COUNTER_UNIT, WFI_PF_UNIT_COUNT);
        wfi_pf_block_end(w, at);
    }
    wfi_pf_block_end(w, block);
    wfi_pf_packet_end(w);
}

// ---- single tracks

static uint64_t one(struct wf_writer *w, enum one which) {
    struct wfi_pf *g = wfi_pf(w);
    uint64_t id = uuid(ONE, which);
    if (g->tracks & 1u << which) return id;
    g->tracks |= 1u << which;
    struct track t = {.uuid = id,
                      .parent = which == ONE_PROCESS ? 0 : one(w, ONE_PROCESS),
                      .name = ones[which].name,
                      .rank = which,
                      .group = ones[which].group,
                      .process = which == ONE_PROCESS};
    declare(w, &t);
    return id;
}

void wfi_pf_process(struct wf_writer *w) { one(w, ONE_PROCESS); }

uint64_t wfi_pf_track(struct wf_writer *w, enum wfi_pf_track track) {
    return one(w, ONE_MESSAGES + track);
}

// ---- cores

struct wfi_pf_core *wfi_pf_core(struct wf_writer *w, unsigned core) {
    struct wfi_pf *g = wfi_pf(w);
    if (core >= WF_MODEL_CORES) return NULL;
    if (g->cores[core]) return g->cores[core];
    g->cores[core] = calloc(1, sizeof *g->cores[core]);
    if (!g->cores[core]) {
        g->failed = true;
        return NULL;
    }
    g->cores[core]->load.written = WFI_PF_LOAD_UNWRITTEN;
    if (core >= g->core_count) g->core_count = core + 1;
    return g->cores[core];
}

static const char *const core_names[] = {"core",    "interrupts", "interrupts' spans",
                                         "records", "load",       "losses"};

uint64_t wfi_pf_core_track(struct wf_writer *w, unsigned core, enum wfi_pf_core_track track) {
    struct wfi_pf_core *c = wfi_pf_core(w, core);
    uint64_t id = uuid(CORE + track, core);
    if (!c || c->tracks & 1u << track) return id;
    c->tracks |= 1u << track;
    bool main = track == WFI_PF_CORE_RUNS;
    struct track t = {.uuid = id, .rank = main ? core : track, .group = main};
    t.parent = main ? one(w, ONE_CORES) : wfi_pf_core_track(w, core, WFI_PF_CORE_RUNS);
    t.counter = track == WFI_PF_CORE_LOAD;
    t.unit = "%";
    struct wfi_strbuf *name = &wfi_pf(w)->words;
    name->end = name->buf;
    if (main)
        wfi_strbuf_printf(name, "core %u", core);
    else
        wfi_strbuf_printf(name, "core %u %s", core, core_names[track]);
    declare(w, &t);
    return id;
}

static void declare_irq(struct wf_writer *w, unsigned core, unsigned irq) {
    uint64_t of = (uint64_t)core << 16 | irq;
    struct track t = {.uuid = uuid(IRQ, of), .parent = one(w, ONE_IRQS), .rank = of};
    wfi_pf_put_name(w, WFI_PF_IRQ, irq, 0);
    if (core) wfi_strbuf_printf(&wfi_pf(w)->words, " on core %u", core);
    declare(w, &t);
}

uint64_t wfi_pf_irq_track(struct wf_writer *w, unsigned core, unsigned irq) {
    struct wfi_pf_core *c = wfi_pf_core(w, core);
    uint64_t id = uuid(IRQ, (uint64_t)core << 16 | irq), bit = (uint64_t)1 << irq % 64;
    if (!c) return id;
    if (!c->irq_tracks) c->irq_tracks = calloc(65536 / 64, sizeof *c->irq_tracks);
    if (!c->irq_tracks) {
        wfi_pf(w)->failed = true;
        return id;
    }
    if (c->irq_tracks[irq / 64] & bit) return id;
    c->irq_tracks[irq / 64] |= bit;
    declare_irq(w, core, irq);
    return id;
}

// ---- tasks and objects

struct wfi_pf_task *wfi_pf_task(struct wf_writer *w, const struct wf_task *t) {
    struct wfi_pf *g = wfi_pf(w);
    void *array = g->tasks;
    if (!wfi_grow(&array, &g->tasks_cap, sizeof *g->tasks, (size_t)t->index + 1)) g->failed = true;
    g->tasks = array;
    return t->index < g->tasks_cap ? &g->tasks[t->index] : NULL;
}

struct wfi_pf_object *wfi_pf_object(struct wf_writer *w, const struct wf_object *o) {
    struct wfi_pf *g = wfi_pf(w);
    void *array = g->objects;
    if (!wfi_grow(&array, &g->objects_cap, sizeof *g->objects, (size_t)o->index + 1))
        g->failed = true;
    g->objects = array;
    return o->index < g->objects_cap ? &g->objects[o->index] : NULL;
}

enum { MIXED = 1 }; // in place of a hash: the tracks have several names

static uint64_t hash_of_name(const struct wfi_pf *g) {
    return wfi_pf_hash(g->words.buf, (size_t)(g->words.end - g->words.buf));
}

static void declare_task(struct wf_writer *w, const struct wf_task *task,
                         enum wfi_pf_task_track track) {
    static const char *const names[] = {NULL, "spans", "waits", "stack free"};
    struct track t = {.uuid = uuid(TASK + track, task->index), .name = names[track]};
    bool main = track == WFI_PF_TASK_STATES;
    t.parent = main ? one(w, ONE_TASKS) : uuid(TASK, task->index);
    t.rank = main ? task->index : track;
    t.group = main;
    t.counter = track == WFI_PF_TASK_STACK;
    if (main) {
        wfi_pf_put_name(w, WFI_PF_TASK, task->index, 0);
        wfi_pf_task(w, task)->hash = hash_of_name(wfi_pf(w));
    }
    declare(w, &t);
}

uint64_t wfi_pf_task_track(struct wf_writer *w, const struct wf_task *task,
                           enum wfi_pf_task_track track) {
    struct wfi_pf_task *t = wfi_pf_task(w, task);
    uint64_t id = uuid(TASK + track, task->index);
    if (!t || t->tracks & 1u << track) return id;
    t->tracks |= 1u << track;
    if (track != WFI_PF_TASK_STATES) wfi_pf_task_track(w, task, WFI_PF_TASK_STATES);
    declare_task(w, task, track);
    return id;
}

static enum one group_of(const struct wf_object *o) {
    bool machine = o->kind == WF_OBJECT_ACTIVE || o->kind == WF_OBJECT_MACHINE;
    return machine ? ONE_MACHINES : ONE_OBJECTS;
}

static void declare_object(struct wf_writer *w, const struct wf_object *o,
                           enum wfi_pf_object_track track) {
    static const char *const suffixes[] = {"", "", " count", " free", " least free"};
    struct wfi_strbuf *name = &wfi_pf(w)->words;
    struct wfi_pf_object *own = wfi_pf_object(w, o);
    struct track t = {.uuid = uuid(OBJECT + track, o->index)};
    bool main = track == WFI_PF_OBJECT_STATES, steps = track == WFI_PF_OBJECT_STEPS;
    enum one group = (enum one)own->group;
    t.counter = !main && !steps;
    t.parent = main ? one(w, group) : steps ? uuid(OBJECT, o->index) : one(w, ONE_COUNTERS);
    t.rank = steps ? 1 : (uint64_t)o->kind << 24 | o->index;
    t.group = main;
    t.name = steps ? "steps" : NULL;
    wfi_pf_put_name(w, WFI_PF_OBJECT, o->index, 0);
    uint64_t hash = hash_of_name(wfi_pf(w));
    own->hash = !own->hash || own->hash == hash ? hash : MIXED;
    if (group == ONE_OBJECTS && o->kind != WF_OBJECT_UNKNOWN) { // prefixed by its kind, as "mutex"
        const char *kind = wf_object_kind_names[o->kind];
        size_t len = strlen(kind) + 1, had = (size_t)(name->end - name->buf);
        if (!wfi_strbuf_room(name, len)) return;
        memmove(name->buf + len, name->buf, had);
        memcpy(name->buf, kind, len - 1);
        name->buf[len - 1] = ' ';
        name->end += len;
    }
    wfi_strbuf_put(name, suffixes[track]);
    declare(w, &t);
}

uint64_t wfi_pf_object_track(struct wf_writer *w, const struct wf_object *o,
                             enum wfi_pf_object_track track) {
    struct wfi_pf_object *own = wfi_pf_object(w, o);
    uint64_t id = uuid(OBJECT + track, o->index);
    if (!own || own->tracks & 1u << track) return id;
    if (!own->tracks) own->group = (uint8_t)group_of(o);
    own->tracks |= 1u << track;
    if (track == WFI_PF_OBJECT_STEPS) wfi_pf_object_track(w, o, WFI_PF_OBJECT_STATES);
    declare_object(w, o, track);
    return id;
}

static void declare_counter(struct wf_writer *w, struct wfi_pf_name *n) {
    struct track t = {.uuid = uuid(COUNTER, n->number),
                      .parent = one(w, ONE_COUNTERS),
                      .rank = (uint64_t)WF_OBJECT_KINDS << 24 | n->number,
                      .counter = true};
    wfi_pf_put_name(w, (enum wfi_pf_word)n->word, n->key, n->with);
    n->hash = hash_of_name(wfi_pf(w));
    declare(w, &t);
}

uint64_t wfi_pf_counter_track(struct wf_writer *w, uint64_t text) {
    // Separate from the names of spans, which may have the same text.
    struct wfi_pf_name *n = wfi_pf_entry(w, WFI_PF_CONSTANT, text, UINT64_MAX);
    if (!n) return uuid(COUNTER, 0);
    uint64_t id = uuid(COUNTER, n->number);
    if (n->declared) return id;
    n->declared = true;
    declare_counter(w, n);
    return id;
}

// ---- names that came late

static bool renamed(struct wf_writer *w, enum wfi_pf_word word, unsigned index, uint64_t hash) {
    wfi_pf_put_name(w, word, index, 0);
    return hash_of_name(wfi_pf(w)) != hash;
}

static void irq_names_late(struct wf_writer *w) {
    const struct wfi_dict *d = &w->s->names.irqs;
    for (unsigned core = 0; core < WF_MODEL_CORES; ++core) {
        const struct wfi_pf_core *c = wfi_pf(w)->cores[core];
        for (size_t i = 0; c && c->irq_tracks && i < d->count; ++i) {
            unsigned irq = d->names[i].key & UINT16_MAX;
            if (c->irq_tracks[irq / 64] >> irq % 64 & 1) declare_irq(w, core, irq);
        }
    }
}

void wfi_pf_names_late(struct wf_writer *w) {
    struct wfi_pf *g = wfi_pf(w);
    irq_names_late(w);
    for (unsigned i = 0; i < wf_model_tasks(w->model) && i < g->tasks_cap; ++i) {
        if (g->tasks[i].tracks && renamed(w, WFI_PF_TASK, i, g->tasks[i].hash))
            declare_task(w, wf_model_task(w->model, i), WFI_PF_TASK_STATES);
    }
    for (unsigned i = 0; i < wf_model_objects(w->model) && i < g->objects_cap; ++i) {
        uint32_t tracks = g->objects[i].tracks;
        if (!tracks || !renamed(w, WFI_PF_OBJECT, i, g->objects[i].hash)) continue;
        for (unsigned track = 0; tracks; ++track, tracks >>= 1) {
            if (tracks & 1) declare_object(w, wf_model_object(w->model, i), track);
        }
    }
    for (size_t i = 0; i <= g->name_mask; ++i) {
        struct wfi_pf_name *n = &g->names[i];
        if (!n->declared) continue;
        wfi_pf_put_name(w, (enum wfi_pf_word)n->word, n->key, n->with);
        if (hash_of_name(g) != n->hash) declare_counter(w, n);
    }
}
