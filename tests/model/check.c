// SPDX-License-Identifier: MIT
// A claim is a part of the model's state that is known. Truth and model are compared by key: after
// a loss it is unknown which life of a key it is.

#include "check.h"

static char wrong[256];

__attribute__((format(printf, 1, 2))) static const char *say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(wrong, sizeof wrong, format, list);
    va_end(list);
    return wrong;
}

static const struct wf_task *tasks[K_TASKS];
static const struct wf_object *objects[K_OBJECTS];

// The newest life of each key. Lives come in order, so the last ones are the present ones.
static void find_present(const struct wf_model *m) {
    unsigned left = K_TASKS;
    memset(tasks, 0, sizeof tasks);
    memset(objects, 0, sizeof objects);
    for (unsigned i = wf_model_tasks(m); i-- > 0 && left;) {
        const struct wf_task *t = wf_model_task(m, i);
        uint64_t n = (t->key - KEY_TASK) / KEY_STEP;
        if (n >= K_TASKS || tasks[n]) continue;
        tasks[n] = t;
        --left;
    }
    left = K_OBJECTS;
    for (unsigned i = wf_model_objects(m); i-- > 0 && left;) {
        const struct wf_object *o = wf_model_object(m, i);
        uint64_t n = (o->key - KEY_OBJECT) / KEY_STEP;
        if (n >= K_OBJECTS || objects[n]) continue;
        objects[n] = o;
        --left;
    }
}

static void count(uint64_t of[2], bool known) {
    ++of[0];
    of[1] += known;
}

static const char *check_task(int n, const struct k_truth_task *is, bool exact,
                              struct known *known) {
    const struct wf_task *t = tasks[n];
    enum wf_task_state state = is->live && !is->told ? WF_TASK_UNKNOWN : is->state;
    if (is->live) {
        count(known->states, t && t->state != WF_TASK_UNKNOWN);
        count(known->waits, t && t->waits_known);
    }
    if (!t) return exact && is->life ? say("task %d is not known", n) : NULL;
    // A later life, without a record yet.
    if (!exact && is->live && t->state == WF_TASK_ENDED && t->life + 1 < is->life) return NULL;
    if (t->state != state && (exact || t->state != WF_TASK_UNKNOWN) &&
        !(t->state == WF_TASK_ENDED && (!is->live || (is->deleted && !exact))))
        return say("task %d: %s, is %s", n, wf_task_state_names[t->state],
                   wf_task_state_names[state]);
    if (t->state == WF_TASK_ENDED) return NULL;
    if (exact && (t->life + 1 != is->life || !t->created))
        return say("task %d: life %u", n, t->life);
    if (t->state == WF_TASK_RUNNING && (int)t->core != is->core)
        return say("task %d runs on core %u, is on %d", n, t->core, is->core);
    if (exact && is->told && (!t->since_known || t->since != is->state_since))
        return say("task %d in its state since %lu, is since %lu", n, (unsigned long)t->since,
                   (unsigned long)is->state_since);
    if ((t->prio_known || exact) && t->prio != is->prio)
        return say("task %d: priority %d, is %d", n, t->prio, is->prio);
    if (exact && t->reason != is->reason) return say("task %d: reason %u", n, t->reason);
    const struct wf_object *waits = is->waits < 0 ? NULL : objects[is->waits];
    bool claims = t->waits_known || exact;
    if (!t->waits_known && t->waits) return say("task %d: waits for what is not known", n);
    if (claims && (t->waits != waits || (exact && !t->waits_known)))
        return say("task %d waits for %llx, is %d", n, t->waits ? (long long)t->waits->key : 0,
                   is->waits);
    if (t->waits && (t->waits_since != is->waits_since || t->waits_to_give != is->to_give))
        return say("task %d waits otherwise", n);
    return NULL;
}

static const char *check_waiters(int n, const struct k_truth_object *is) {
    unsigned at = 0;
    for (const struct wf_task *t = objects[n]->waiters; t; t = t->next_waiting) {
        while (at < is->waiting && tasks[is->waiters[at]] != t) {
            if (objects[n]->waiters_known) return say("object %d: a waiter is missing", n);
            ++at;
        }
        if (at++ == is->waiting) return say("object %d: waiters in another order", n);
    }
    if (objects[n]->waiters_known && at < is->waiting) return say("object %d: waiters", n);
    return NULL;
}

static const char *check_object(int n, const struct k_truth_object *is, bool exact,
                                struct known *known) {
    const struct wf_object *o = objects[n];
    bool mutex = is->kind == WF_OBJECT_MUTEX;
    bool counts = is->kind == WF_OBJECT_SEMAPHORE || is->kind == WF_OBJECT_QUEUE;
    if (is->live && mutex) count(known->holders, o && o->holder_known);
    if (is->live && counts) count(known->counts, o && o->count_known);
    if (!o) return exact && is->life ? say("object %d is not known", n) : NULL;
    if (!exact && is->live && o->ended && o->life + 1 < is->life) return NULL;
    if (o->ended && is->live) return say("object %d has not ended", n);
    if (exact && !is->live && !o->ended) return say("object %d has ended", n);
    if (!is->live) return o->holder_known || o->count_known ? say("object %d is no more", n) : NULL;
    if (exact && (o->life + 1 != is->life || o->kind != is->kind || !o->waiters_known))
        return say("object %d: another life or kind", n);
    if (o->kind != is->kind && (o->holder_known || o->count_known || o->waiters))
        return say("object %d: kind %d, is %d", n, o->kind, is->kind);
    if (mutex && (exact || o->holder_known)) {
        const struct wf_task *holder = is->holder < 0 ? NULL : tasks[is->holder];
        if (!o->holder_known || o->holder != holder) return say("mutex %d: holder", n);
        if (o->nest != is->nest && (exact || o->nest)) return say("mutex %d: depth %u", n, o->nest);
        if (o->holder && (exact || o->held_since_known) && o->held_since != is->held_since)
            return say("mutex %d: held since %lu", n, (unsigned long)o->held_since);
    }
    if (counts && (exact || o->count_known) && (!o->count_known || o->count != is->count))
        return say("object %d: count %lu, is %u", n, (unsigned long)o->count, is->count);
    return check_waiters(n, is);
}

static const char *check_core(const struct wf_model *m, unsigned n, const struct k_truth_core *is,
                              bool exact, struct known *known) {
    const struct wf_core *c = wf_model_core(m, n);
    const struct wf_task *runs = is->task < 0 ? NULL : tasks[is->task];
    count(known->cores, c->known);
    count(known->irqs, c->irqs_known);
    if (c->known && c->task != runs) return say("core %u: another task", n);
    if (exact && !c->known && runs) return say("core %u is not known", n);
    if (!c->irqs_known) return exact && is->irqs ? say("core %u: interrupts", n) : NULL;
    if (c->irqs != is->irqs) return say("core %u: %u interrupts", n, c->irqs);
    for (unsigned i = 0; i < is->irqs; ++i) {
        if (c->irq[i] != is->irq[i] && (exact || c->irq[i] != WF_IRQ_UNKNOWN))
            return say("core %u: interrupt %u", n, c->irq[i]);
    }
    return NULL;
}

const char *check_claims(const struct wf_model *m, const struct k_truth *truth, unsigned cores,
                         bool exact, struct known *known) {
    const char *bad = NULL;
    find_present(m);
    for (unsigned c = 0; c < cores && !bad; ++c)
        bad = check_core(m, c, &truth->core[c], exact, known);
    for (int t = 0; t < K_TASKS && !bad; ++t) bad = check_task(t, &truth->task[t], exact, known);
    for (int o = 0; o < K_OBJECTS && !bad; ++o)
        bad = check_object(o, &truth->object[o], exact, known);
    return bad;
}

// ---- changes

struct follower {
    uint64_t tick;
    unsigned odd, cap;
    struct {
        enum wf_task_state state;
        uint64_t since;
        bool since_known;
        const struct wf_object *waits;
        unsigned holds;
    } * task;
    unsigned object_cap;
    const struct wf_task **holder;
};

struct follower *follower_open(void) {
    return calloc(1, sizeof(struct follower));
}
void follower_close(struct follower *f) {
    free(f->task);
    free(f->holder);
    free(f);
}

static void make_room(struct follower *f, const struct wf_model *m) {
    while (f->cap < wf_model_tasks(m)) {
        f->task = realloc(f->task, 2 * (f->cap + 8) * sizeof *f->task);
        memset(f->task + f->cap, 0, (f->cap + 16) * sizeof *f->task);
        f->cap = 2 * (f->cap + 8);
    }
    while (f->object_cap < wf_model_objects(m)) {
        f->holder = realloc(f->holder, 2 * (f->object_cap + 8) * sizeof *f->holder);
        memset(f->holder + f->object_cap, 0, (f->object_cap + 16) * sizeof *f->holder);
        f->object_cap = 2 * (f->object_cap + 8);
    }
}

static const char *follow(struct follower *f, const struct wf_change *c) {
    const struct wf_task *t = c->task;
    const struct wf_object *o = c->object;
    if (c->tick < f->tick) return say("changes go back in time");
    f->tick = c->tick;
    switch (c->kind) {
    case WF_CHANGE_TASK:
        if (f->task[t->index].state != c->was || c->was == c->is) return say("from another state");
        if (c->from_known != f->task[t->index].since_known) return say("since is known or not");
        if (c->from_known && c->from != f->task[t->index].since) return say("since another tick");
        if (c->cut && c->is != WF_TASK_UNKNOWN && c->is != WF_TASK_ENDED) return say("cut");
        f->task[t->index].state = c->is;
        f->task[t->index].since = c->tick;
        f->task[t->index].since_known = c->is != WF_TASK_UNKNOWN;
        if (c->is == WF_TASK_RUNNING && t->state == c->is)
            f->task[t->index].since_known = t->since_known;
        break;
    case WF_CHANGE_WAIT:
        if (f->task[t->index].waits) return say("waits twice");
        f->task[t->index].waits = o;
        break;
    case WF_CHANGE_WAIT_END:
        if (f->task[t->index].waits != o) return say("a wait ends that was none");
        f->task[t->index].waits = NULL;
        break;
    case WF_CHANGE_HOLD:
        if (f->holder[o->index]) return say("held twice");
        f->holder[o->index] = t;
        ++f->task[t->index].holds;
        break;
    case WF_CHANGE_HOLD_END:
        if (f->holder[o->index] != t) return say("given by another one");
        f->holder[o->index] = NULL;
        --f->task[t->index].holds;
        break;
    case WF_CHANGE_INCONSISTENT:
    case WF_CHANGE_UNPAIRED: ++f->odd; break;
    default: break;
    }
    return NULL;
}

unsigned follower_odd(const struct follower *f) { return f->odd; }

static const char *compare(const struct follower *f, const struct wf_model *m) {
    for (unsigned i = wf_model_tasks(m), n = 0; i-- > 0 && n < 2 * K_TASKS; ++n) {
        const struct wf_task *t = wf_model_task(m, i);
        unsigned holds = 0;
        if (f->task[i].state != t->state || f->task[i].waits != t->waits)
            return say("changes do not lead to the state of a task");
        for (const struct wf_object *o = t->holds; o; o = o->next_held) ++holds;
        if (f->task[i].holds != holds) return say("changes do not lead to the mutexes held");
    }
    for (unsigned i = wf_model_objects(m), n = 0; i-- > 0 && n < 2 * K_OBJECTS; ++n) {
        const struct wf_object *o = wf_model_object(m, i);
        if (f->holder[i] != o->holder) return say("changes do not lead to the holder");
    }
    return NULL;
}

const char *follower_take(struct follower *f, struct wf_model *m) {
    struct wf_change c;
    const char *bad = NULL;
    make_room(f, m);
    while (wf_model_next(m, &c) && !bad) bad = follow(f, &c);
    return bad ? bad : compare(f, m);
}
