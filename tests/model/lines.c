// SPDX-License-Identifier: MIT
// A picture of the model after the last item of a tick is valid up to the next tick. Some pictures
// are kept; at the end of the trace they are compared with the slices that cover their ticks.

#include "lines.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/wfi_timeline.h"

enum { TASKS = 256, OBJECTS = 256, CORES = 4, PICTURES = 512, ONE_OF = 16, PIECES = 1 << 14 };

struct picture {
    uint64_t tick;
    bool core_known[CORES];
    int core[CORES]; // task, -1: idle
    struct wf_core irqs[CORES];
    unsigned tasks, objects;
    uint8_t state[TASKS];
    int waits[TASKS], waiting[OBJECTS]; // -1: none, or unknown
    int holder[OBJECTS];                // -1: free; -2: unknown
    unsigned holds[TASKS];
    int64_t count[OBJECTS];    // or the free space, or a heap's mark; -1: unknown
    uint64_t machine[OBJECTS]; // state; 0: unknown
    bool in_step[OBJECTS];
    uint64_t signal[OBJECTS];
};

struct lines {
    struct wf_timeline *t;
    struct wf_session *s;
    struct picture *pictures;
    unsigned count;
    uint32_t random;
    struct wf_piece pieces[PIECES];
    struct { // a store in memory
        uint8_t *bytes;
        size_t cap;
    } store;
};

static char wrong[256];

static bool write_at(void *ctx, uint64_t at, const void *bytes, size_t len) {
    struct lines *l = ctx;
    if (at + len > l->store.cap) {
        l->store.cap = 2 * (at + len);
        l->store.bytes = realloc(l->store.bytes, l->store.cap);
        if (!l->store.bytes) abort();
    }
    memcpy(l->store.bytes + at, bytes, len);
    return true;
}

static bool read_at(void *ctx, uint64_t at, void *bytes, size_t len) {
    const struct lines *l = ctx;
    memcpy(bytes, l->store.bytes + at, len);
    return true;
}

struct lines *lines_open(struct wf_session *s) {
    struct lines *l = calloc(1, sizeof *l);
    struct wf_timeline_options options = {.size = sizeof options, .store = {l, write_at, read_at}};
    if (!l) abort();
    l->s = s;
    l->t = wf_timeline_open(s, &options, NULL);
    l->pictures = calloc(PICTURES, sizeof *l->pictures);
    l->random = 1;
    if (!l->t || !l->pictures) abort();
    return l;
}

void lines_close(struct lines *l) {
    wf_timeline_close(l->t);
    free(l->store.bytes);
    free(l->pictures);
    free(l);
}

// ---- pictures

static void draw_tasks(struct picture *p, const struct wf_model *m) {
    p->tasks = wf_model_tasks(m) < TASKS ? wf_model_tasks(m) : TASKS;
    for (unsigned i = 0; i < p->tasks; ++i) {
        const struct wf_task *t = wf_model_task(m, i);
        p->state[i] = (uint8_t)t->state;
        p->waits[i] = t->waits ? (int)t->waits->index : -1;
        p->holds[i] = 0;
        for (const struct wf_object *o = t->holds; o; o = o->next_held) ++p->holds[i];
    }
}

static void draw_objects(struct picture *p, const struct wf_model *m) {
    p->objects = wf_model_objects(m) < OBJECTS ? wf_model_objects(m) : OBJECTS;
    for (unsigned i = 0; i < p->objects; ++i) {
        const struct wf_object *o = wf_model_object(m, i);
        bool mutex = o->kind == WF_OBJECT_MUTEX && !o->ended;
        p->holder[i] = o->holder ? (int)o->holder->index : mutex && !o->holder_known ? -2 : -1;
        p->count[i] = o->count_known              ? (int64_t)o->count
                      : o->free_known             ? (int64_t)o->free
                      : o->low_known && !o->ended ? (int64_t)o->low
                                                  : -1;
        p->machine[i] = o->state_known ? o->state : 0;
        p->in_step[i] = o->in_step;
        p->signal[i] = o->signal;
        p->waiting[i] = 0;
        for (const struct wf_task *t = o->waiters; t; t = t->next_waiting) ++p->waiting[i];
    }
}

static void draw(struct picture *p, const struct wf_model *m) {
    p->tick = wf_model_tick(m);
    for (unsigned i = 0; i < CORES; ++i) {
        const struct wf_core *c = wf_model_core(m, i);
        p->core_known[i] = c->known;
        p->irqs[i] = *c;
        p->core[i] = c->task ? (int)c->task->index : -1;
    }
    draw_tasks(p, m);
    draw_objects(p, m);
}

void lines_take(struct lines *l, const struct wf_model *m, const struct wf_item *item) {
    struct picture *last = &l->pictures[l->count];
    wf_timeline_take(l->t, item);
    if (wf_model_tick(m) != last->tick) { // after the last item of its tick
        l->random = l->random * 1664525u + 1013904223u;
        l->count += l->count + 1 < PICTURES && (l->random >> 16) % ONE_OF == 0;
    }
    draw(&l->pictures[l->count], m);
}

// ---- the slices

__attribute__((format(printf, 2, 3))) static const char *say(uint64_t tick, const char *format,
                                                             ...) {
    va_list list;
    va_start(list, format);
    int n = snprintf(wrong, sizeof wrong, "time line at %llu: ", (unsigned long long)tick);
    vsnprintf(wrong + n, sizeof wrong - (size_t)n, format, list);
    va_end(list);
    return wrong;
}

// Returns the piece that covers the tick, or null.
static const struct wf_piece *covers(struct lines *l, const struct wfi_track *track,
                                     uint64_t tick) {
    if (!track) return NULL;
    size_t n = wf_timeline_range(l->t, track->number, tick, tick + 1, 1, l->pieces, PIECES);
    for (size_t i = 0; i < n && i < PIECES; ++i) {
        if (l->pieces[i].begin <= tick && l->pieces[i].end > tick) return &l->pieces[i];
    }
    return NULL;
}

static const struct wfi_tl_task *task_of(struct lines *l, unsigned i) {
    const struct wf_task *t = wf_model_task(l->t->m, i);
    return wfi_tl_known_task(l->t, t);
}

static const struct wfi_tl_object *object_of(struct lines *l, int i) {
    const struct wf_object *o = i < 0 ? NULL : wf_model_object(l->t->m, (unsigned)i);
    return wfi_tl_known_object(l->t, o);
}

static const char *check_cores(struct lines *l, const struct picture *p) {
    for (unsigned i = 0; i < CORES; ++i) {
        const struct wfi_tl_core *own = l->t->cores[i];
        const struct wf_piece *of = covers(l, own ? own->runs : NULL, p->tick);
        if (!p->core_known[i]) {
            if (of) return say(p->tick, "core %u is not known", i);
            continue;
        }
        const struct wfi_tl_task *task = p->core[i] < 0 ? NULL : task_of(l, (unsigned)p->core[i]);
        uint32_t entity = task ? task->entity : WF_ENTITY_IDLE;
        if (!of || of->value != entity) return say(p->tick, "core %u: %d runs", i, p->core[i]);
    }
    return NULL;
}

static bool is_on_top(const struct wf_core *c, uint64_t irq, bool seen) {
    for (unsigned i = 0; i < c->irqs && i < WF_IRQ_DEPTH; ++i) {
        if (c->irq[i] == irq && (!seen || c->irq_since_known[i])) return true;
    }
    return false;
}

// Interrupts with a recorded begin are drawn, and none that is not active. One without a recorded
// begin is drawn when it ends, as only its end may have its number.
static const char *check_irqs(struct lines *l, const struct picture *p) {
    for (uint32_t i = WF_ENTITY_FIRST; i < l->t->entity_count; ++i) {
        const struct wfi_tl_entity *n = &l->t->entities[i];
        if (n->kind != WF_ENTITY_IRQ || n->with >= CORES) continue;
        const struct wf_core *c = &p->irqs[n->with];
        bool drawn = covers(l, n->track, p->tick) != NULL;
        bool may = is_on_top(c, n->key, false) || is_on_top(c, WF_IRQ_UNKNOWN, false);
        if (drawn ? !may : is_on_top(c, n->key, true))
            return say(p->tick, "core %d: interrupt %d", (int)n->with, (int)n->key);
    }
    return NULL;
}

// Tasks with the same name share a row, which shows the last one.
static bool is_over(unsigned i, unsigned other, unsigned there) {
    return other != i && other < there && (other > i || i >= there);
}

static const char *check_task(struct lines *l, const struct picture *p, unsigned i) {
    const struct wfi_tl_task *own = task_of(l, i);
    for (unsigned k = 0; own && own->row != WF_NO_TRACK && k < p->tasks; ++k) {
        if (is_over(i, k, p->tasks) && task_of(l, k) && task_of(l, k)->row == own->row) return NULL;
    }
    const struct wf_piece *of = covers(l, own ? own->states : NULL, p->tick);
    bool known = p->state[i] != WF_TASK_UNKNOWN && p->state[i] != WF_TASK_ENDED;
    if (!known && of) return say(p->tick, "task %u is not known", i);
    if (known && (!of || of->value != p->state[i])) return say(p->tick, "task %u: state", i);
    const struct wfi_tl_object *waits = object_of(l, p->waits[i]);
    // It may still be blocked when it already has the object.
    if (p->state[i] == WF_TASK_BLOCKED && waits && of->more != waits->entity)
        return say(p->tick, "task %u is blocked on another", i);
    unsigned holds = 0;
    for (const struct wfi_track *h = own ? own->holds : NULL; h; h = h->above)
        holds += covers(l, h, p->tick) != NULL;
    if (holds != p->holds[i]) return say(p->tick, "task %u holds %u", i, p->holds[i]);
    return NULL;
}

static const char *check_machine(struct lines *l, const struct picture *p, unsigned i,
                                 const struct wfi_tl_object *own) {
    struct wf_entity of;
    const struct wf_piece *state = covers(l, own ? own->machine : NULL, p->tick);
    if ((state != NULL) != (p->machine[i] != 0)) return say(p->tick, "object %u: state", i);
    if (state) {
        wf_timeline_entity(l->t, (uint32_t)state->value, &of);
        if (of.key != p->machine[i]) return say(p->tick, "object %u: another state", i);
    }
    const struct wf_piece *step = covers(l, own ? own->steps : NULL, p->tick);
    if ((step != NULL) != p->in_step[i]) return say(p->tick, "object %u: step", i);
    if (!step) return NULL;
    wf_timeline_entity(l->t, (uint32_t)step->value, &of);
    return of.key == p->signal[i] ? NULL : say(p->tick, "object %u: another step", i);
}

static const char *check_object(struct lines *l, const struct picture *p, unsigned i) {
    const struct wfi_tl_object *own = object_of(l, (int)i);
    for (unsigned k = 0; own && own->row != WF_NO_TRACK && k < p->objects; ++k) {
        const struct wfi_tl_object *other = object_of(l, (int)k);
        if (is_over(i, k, p->objects) && other && other->row == own->row) return NULL;
    }
    const struct wf_piece *of = covers(l, own ? own->holder : NULL, p->tick);
    if ((of != NULL) != (p->holder[i] != -1)) return say(p->tick, "object %u: holder", i);
    if (of && (of->value == WF_ENTITY_NONE) != (p->holder[i] == -2))
        return say(p->tick, "object %u: an unknown holder", i);
    if (of && of->value != WF_ENTITY_NONE) {
        const struct wfi_tl_task *holder = task_of(l, (unsigned)p->holder[i]);
        if (of->value != holder->entity) return say(p->tick, "object %u: another holder", i);
    }
    of = covers(l, own ? own->level : NULL, p->tick);
    if ((of != NULL) != (p->count[i] >= 0)) return say(p->tick, "object %u: count", i);
    if (of && of->value != p->count[i]) return say(p->tick, "object %u: another count", i);
    if (check_machine(l, p, i, own)) return wrong;
    if (!own || !own->waiters) return NULL;
    of = covers(l, own->waiters, p->tick);
    if ((of ? of->value : 0) != p->waiting[i]) return say(p->tick, "object %u: waiting", i);
    return NULL;
}

// Slices do not overlap, all are within the trace, and none is missing.
static const char *check_tracks(struct lines *l) {
    struct wf_timeline_span span;
    wf_timeline_extent(l->t, &span);
    for (unsigned i = 0; i < wf_timeline_tracks(l->t); ++i) {
        struct wf_track track;
        wf_timeline_track(l->t, i, &track);
        size_t n = wf_timeline_range(l->t, i, 0, UINT64_MAX, 1, l->pieces, PIECES);
        if (n != track.slices || n > PIECES) return say(span.last, "track %u: %zu slices", i, n);
        for (size_t k = 0; k < n; ++k) {
            const struct wf_piece *p = &l->pieces[k];
            bool good = p->count == 1 && p->begin <= p->end && p->end <= span.last;
            if (!good || (k && p->begin < p[-1].end)) return say(p->begin, "track %u", i);
        }
    }
    return NULL;
}

unsigned lines_pictures(const struct lines *l) { return l->count; }

const char *lines_end(struct lines *l) {
    const char *bad = NULL;
    wf_timeline_end(l->t);
    if (wf_timeline_error(l->t) != WF_OK) return "time line: out of memory";
    for (unsigned i = 0; i < l->count && !bad; ++i) {
        const struct picture *p = &l->pictures[i];
        bad = check_cores(l, p);
        if (!bad) bad = check_irqs(l, p);
        for (unsigned k = 0; k < p->tasks && !bad; ++k) bad = check_task(l, p, k);
        for (unsigned k = 0; k < p->objects && !bad; ++k) bad = check_object(l, p, k);
    }
    return bad ? bad : check_tracks(l);
}
