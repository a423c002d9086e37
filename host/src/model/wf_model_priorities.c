// SPDX-License-Identifier: MIT
// Priorities: the effective one, and for an inherited one the base priority, the waiter and the
// mutex it comes from. Kernels only report the new effective priority. It is inherited if the
// holder of a mutex gets the priority of one of its waiters.

#include "wfi_model.h"

enum { LOOKS_MOST = 256 };

// ---- inheritance

static bool are_comparable(const struct wf_task *a, const struct wf_task *b) {
    return a->by_priority == b->by_priority && a->prio_known && b->prio_known;
}

// Finds the waiter for a mutex held by t that has t's priority; the earliest one. Returns null also
// if it is not among the first LOOKS_MOST: a damaged trace may have any number.
static struct wf_task *find_lender(const struct wf_task *t, struct wf_object **mutex) {
    unsigned looks = LOOKS_MOST;
    for (struct wf_object *o = t->holds; o && looks; o = o->next_held) {
        for (struct wf_task *w = o->waiters; w && looks; w = w->next_waiting, --looks) {
            if (w == t || !are_comparable(w, t) || w->prio != t->prio) continue;
            *mutex = o;
            return w;
        }
        looks -= looks > 0;
    }
    return NULL;
}

static void end_lending(struct wf_task *t) {
    t->raised = t->base_known = false;
    t->raised_by = NULL;
    t->raised_for = NULL;
    wfi_task(t)->changed = false;
}

static void lend_priority(struct wf_task *t, struct wf_task *by, struct wf_object *mutex,
                          bool base_known, int base) {
    if (!t->raised) {
        t->base_known = base_known;
        t->base_prio = base;
    }
    t->raised = true;
    t->raised_by = by;
    t->raised_for = mutex;
}

static struct wf_change *report_priority(struct wf_model *m, struct wf_task *t, bool known,
                                         int before) {
    struct wf_change *c = wfi_change(m, WF_CHANGE_PRIORITY);
    c->task = t;
    c->value = before;
    c->from_known = known;
    c->by = t->raised_by;
    c->object = t->raised_for;
    return c;
}

// ---- reports

void wfi_priority_set(struct wf_model *m, struct wf_task *t, bool known, int prio) {
    struct wfi_task *own = wfi_task(t);
    struct wf_object *mutex = NULL;
    const struct wf_core *c = &m->cores[m->core];
    bool before_known = t->prio_known;
    int before = t->prio;
    t->prio_known = known;
    t->prio = known ? prio : WF_PRIO_UNKNOWN;
    struct wf_task *by = known ? find_lender(t, &mutex) : NULL;
    bool own_again = t->raised && t->base_known && t->base_prio == prio;
    if (by && !own_again && (t->raised || !before_known || before != prio))
        lend_priority(t, by, mutex, before_known, before);
    else
        end_lending(t);
    own->changed = known && !by && before_known && before != prio;
    own->before_known = before_known;
    own->prio_before = before;
    own->changed_on = c->known && (!c->irqs_known || !c->irqs) ? c->task : NULL;
    wfi_task_inform(m, t);
    (void)report_priority(m, t, before_known, before);
}

// Some kernels raise the holder before they record the wait.
void wfi_priority_wait(struct wf_model *m, struct wf_task *w) {
    struct wf_object *o = w->waits;
    struct wf_task *t = o ? o->holder : NULL;
    if (!t || t == w || !wfi_task(t)->changed || wfi_task(t)->changed_on != w) return;
    if (!are_comparable(w, t) || w->prio != t->prio) return;
    lend_priority(t, w, o, wfi_task(t)->before_known, wfi_task(t)->prio_before);
    wfi_task(t)->changed = false;
    (void)report_priority(m, t, true, t->prio);
}

void wfi_priority_forget(struct wf_model *m, struct wf_task *t) {
    end_lending(t);
    if (!t->prio_known) return;
    t->prio_known = false;
    report_priority(m, t, true, t->prio)->cut = true;
}
