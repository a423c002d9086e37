// SPDX-License-Identifier: MIT
// Collects what is measured: a sum for each row of the statistics, whatever its name is, as the
// name may come later. The names select at the end; before, only which failures are kept.

#include "wfi_check.h"

#include "util/wfi_grow.h"

#include <math.h>
#include <stdlib.h>

// ---- sums

static struct wfi_sum *new_sum(struct wfi_rule *r) {
    struct wfi_sum *s = calloc(1, sizeof *s);
    bool percentiles = r->r.p50.set || r->r.p95.set || r->r.p99.set;
    if (s && percentiles) s->histogram = calloc(1, sizeof *s->histogram);
    if (!s || (percentiles && !s->histogram)) {
        free(s);
        return NULL;
    }
    s->first_failure = UINT64_MAX;
    s->core = s->irq = -1;
    s->min = INFINITY;
    s->max = -INFINITY;
    return s;
}

struct wfi_sum *wfi_sum_at(struct wfi_rule *r, size_t number) {
    struct wfi_sums *all = &r->sums;
    if (number >= all->count) {
        if (!WFI_GROW(all->at, &all->cap, number + 1)) {
            r->c->err = WF_ERR_NOMEM;
            return NULL;
        }
        all->count = number + 1;
    }
    if (!all->at[number]) all->at[number] = new_sum(r);
    if (!all->at[number]) r->c->err = WF_ERR_NOMEM;
    return all->at[number];
}

void wfi_sums_close(struct wfi_rule *r) {
    for (size_t i = 0; i < r->sums.count; ++i) {
        struct wfi_sum *s = r->sums.at[i];
        if (s && s->histogram) wf_histogram_close(s->histogram);
        if (s) free(s->histogram);
        free(s);
    }
    free(r->sums.at);
    wfi_keys_close(&r->keys);
}

// Returns whether a name fits. Sets *unnamed if it does not because it is not known.
static bool fits(const char *pattern, const char *name, bool *unnamed) {
    if (!pattern) return true;
    if (name && wfi_name_fits(pattern, name)) return true;
    *unnamed |= name && wfi_name_is_number(name) && !wfi_name_is_number(pattern);
    return false;
}

static bool names_fit(struct wfi_rule *r, struct wfi_sum *s) {
    const struct wf_check_rule *k = &r->r;
    struct wf_check *c = r->c;
    char text[256], irq[40];
    const char *object = k->machine ? k->machine : k->object;
    bool is = true;
    s->unnamed = false;
    is &= fits(k->task, s->task ? wf_task_name(c->m, s->task) : NULL, &s->unnamed);
    is &= fits(k->by, s->by ? wf_task_name(c->m, s->by) : NULL, &s->unnamed);
    is &= fits(object, s->object ? wf_object_name(c->m, s->object) : NULL, &s->unnamed);
    if (k->name)
        is &= fits(k->name, wfi_check_text_name(c, s->text, text, sizeof text), &s->unnamed);
    if (k->irq && !wfi_irq_fits(c, k->irq, s->irq))
        is &= fits(k->irq, wfi_check_irq_name(c, s->irq, irq), &s->unnamed);
    return is;
}

bool wfi_sum_selected(struct wfi_rule *r, struct wfi_sum *s) {
    if (!s->selected || s->names != r->c->names) {
        s->selected = names_fit(r, s) ? 2 : 1;
        s->names = r->c->names;
    }
    return s->selected == 2;
}

// ---- values

// Inversions depend on the order of priorities, as far as it is known. Loads were reported at their
// first window.
static bool is_certain(struct wfi_rule *r, const struct wfi_place *p) {
    struct wf_stats_about about;
    if (r->r.kind != WF_CHECK_NO_INVERSION) return !r->load;
    wf_stats_report(r->c->stats, &about);
    return about.priorities != WF_PRIORITIES_UNKNOWN &&
           p->low_is_first == (about.priorities == WF_PRIORITIES_LOW);
}

void wfi_sum_fail(struct wfi_rule *r, struct wfi_sum *s, struct wfi_place *p) {
    p->low = p->value < r->limit[WFI_MIN];
    p->badness = p->low ? r->limit[WFI_MIN] - p->value : p->value - r->limit[WFI_MAX];
    if (s->sync != r->c->syncs) s->fresh = 0;
    s->sync = r->c->syncs;
    ++s->failures;
    ++s->fresh;
    if (s->first_failure == UINT64_MAX || p->badness > s->worst.badness) s->worst = *p;
    if (p->to < s->first_failure) s->first_failure = p->to;
    if (!wfi_sum_selected(r, s)) return;
    wfi_places_add(&r->broken, p);
    if (is_certain(r, p)) wfi_failure_report(r, p);
}

// Above a limit of the mean or a percentile, but within max.
static void add_above(struct wfi_rule *r, struct wfi_sum *s, struct wfi_place *p) {
    for (unsigned i = WFI_MIN + 1; i < WFI_LIMITS; ++i) s->over[i] += p->value > r->limit[i];
    p->badness = p->value;
    if (wfi_sum_selected(r, s)) wfi_places_add(&r->above, p);
}

// Counts a value. Returns whether it is above a limit, or below the lower one.
static inline bool count_value(struct wfi_rule *r, struct wfi_sum *s, double v) {
    ++s->count;
    s->total += v;
    if (v < s->min) s->min = v;
    if (v > s->max) s->max = v;
    if (s->histogram && !wf_histogram_add(s->histogram, (uint64_t)v)) r->c->err = WF_ERR_NOMEM;
    return v > r->lowest || v > r->limit[WFI_MAX] || v < r->limit[WFI_MIN];
}

static void add_broken(struct wfi_rule *r, struct wfi_sum *s, struct wfi_place *p) {
    if (p->value > r->lowest) add_above(r, s, p);
    if (p->value > r->limit[WFI_MAX] || p->value < r->limit[WFI_MIN]) wfi_sum_fail(r, s, p);
}

void wfi_sum_add(struct wfi_rule *r, struct wfi_sum *s, struct wfi_place *p) {
    if (count_value(r, s, p->value)) add_broken(r, s, p);
}

void wfi_sum_add_part(struct wfi_rule *r, struct wfi_sum *s, struct wfi_place *p) {
    p->part = true;
    if (p->value > s->max && p->value > r->limit[WFI_MAX]) s->max = p->value;
    if (p->value > r->limit[WFI_MAX]) wfi_sum_fail(r, s, p);
}

void wfi_sums_retract(struct wfi_rule *r, uint64_t since) {
    for (size_t i = 0; i < r->sums.count; ++i) {
        struct wfi_sum *s = r->sums.at[i];
        if (!s || !s->failures) continue;
        uint64_t fresh = s->sync == r->c->syncs ? s->fresh : 0;
        bool all = s->first_failure > since;
        s->failures = all || fresh >= s->failures ? !all : s->failures - fresh;
        s->fresh = 0;
        if (all) s->first_failure = UINT64_MAX;
    }
    wfi_places_retract(&r->broken, since);
    wfi_places_retract(&r->above, since);
}

// ---- intervals of the statistics

// Spans are measured for each text and task, the others for each row.
static struct wfi_sum *sum_of(struct wfi_rule *r, const struct wf_stats_interval *i) {
    size_t number = i->row;
    if (r->r.kind == WF_CHECK_SPAN) {
        uint32_t key = wfi_keys_number(&r->keys, i->text, i->task ? i->task->index + 1ull : 0);
        if (!key) {
            r->c->err = WF_ERR_NOMEM;
            return NULL;
        }
        number = key;
    }
    if (number < r->sums.count && r->sums.at[number]) return r->sums.at[number];
    struct wfi_sum *s = wfi_sum_at(r, number);
    if (!s) return NULL;
    s->task = i->task;
    s->by = i->by;
    s->object = i->object;
    s->text = i->text;
    s->low_is_first = i->low_is_first;
    bool irq = i->kind == WF_STATS_IRQ;
    s->irq = irq ? i->irq : -1;
    s->core = irq ? (int)i->core : -1;
    return s;
}

void wfi_inversion_take(struct wfi_rule *r, const struct wf_change *c) {
    static const char prio[] = "the priority of a task is not known";
    if (c->kind == WF_CHANGE_TASK && c->is == WF_TASK_RUNNING && r->waits && !c->task->prio_known)
        r->doubt = prio;
    bool mutex = c->object && c->object->kind == WF_OBJECT_MUTEX;
    if (c->kind == WF_CHANGE_HOLD && mutex && c->object->waiters && !c->task->prio_known)
        r->doubt = prio;
    if (c->kind != WF_CHANGE_WAIT || !mutex || !wfi_check_in_window(r->c, c->tick, c->tick)) return;
    struct wfi_sum s = {.task = c->task, .object = c->object, .irq = -1};
    if (!names_fit(r, &s)) return;
    const struct wf_task *holder = c->object->holder;
    ++r->waits;
    if (!c->object->holder_known)
        r->doubt = "the holder of a mutex that a task waits for is not known";
    else if (!c->task->prio_known || (holder && !holder->prio_known))
        r->doubt = prio;
}

// Takes an interval that is not whole, or breaks a limit.
__attribute__((noinline)) static void take_place(struct wfi_rule *r, struct wfi_sum *s,
                                                 const struct wf_stats_interval *i) {
    struct wfi_place p = {.from = i->from,
                          .to = i->to,
                          .record = r->c->record,
                          .value = (double)i->value,
                          .task = i->task,
                          .by = i->by,
                          .object = i->object,
                          .text = i->text,
                          .core = i->task ? (int)i->task->core : s->core,
                          .irq = s->irq,
                          .low_is_first = i->low_is_first};
    if (r->r.kind == WF_CHECK_NO_INVERSION) { // part of one is one
        if (!i->value) p.value = 1;
        wfi_sum_add(r, s, &p);
        return;
    }
    if (i->part == WF_PART_WHOLE) {
        add_broken(r, s, &p);
        return;
    }
    bool hole = i->part == WF_PART_IN_HOLE ||
                (i->part == WF_PART_UNCOUNTED && i->lost && r->c->all_holes + r->c->pending);
    bool before = i->from_known && i->from < r->c->begin; // it does not count
    s->open += !hole && !i->lost;
    s->in_hole += hole && !before;
    s->lost += i->lost && !hole;
    if (i->value) wfi_sum_add_part(r, s, &p);
}

void wfi_figure_take(struct wfi_rule *r, const struct wf_stats_interval *i) {
    if (r->r.kind == WF_CHECK_NO_INVERSION && i->spread == WF_SPREAD_BLOCKED) {
        if (!i->by) r->doubt = "too many tasks wait for mutexes at once";
        return;
    }
    struct wfi_sum *s = sum_of(r, i);
    if (!s) return;
    bool whole = i->part == WF_PART_WHOLE && r->r.kind != WF_CHECK_NO_INVERSION;
    if (!whole || count_value(r, s, (double)i->value)) take_place(r, s, i);
}

// ---- what is not known when the range begins

static bool task_may_be(struct wfi_rule *r, const struct wf_task *t) {
    struct wfi_sum s = {.task = t, .irq = -1};
    return names_fit(r, &s) || s.unnamed;
}

static bool object_may_be(struct wfi_rule *r, const struct wf_object *o) {
    bool unnamed = false;
    const char *name = wf_object_name(r->c->m, o);
    return fits(r->r.machine ? r->r.machine : r->r.object, name, &unnamed) || unnamed;
}

static bool object_is_unknown(const struct wfi_rule *r, const struct wf_object *o) {
    switch (r->r.kind) {
    case WF_CHECK_BLOCKED: return o->kind == WF_OBJECT_MUTEX && !o->holder_known;
    case WF_CHECK_QUEUE:
        return (o->kind == WF_OBJECT_SEMAPHORE || o->kind == WF_OBJECT_QUEUE) && !o->count_known;
    case WF_CHECK_STATE:
        return (o->kind == WF_OBJECT_MACHINE || o->kind == WF_OBJECT_ACTIVE) && !o->state_known;
    default: return false;
    }
}

bool wfi_rule_is_unknown(struct wfi_rule *r) {
    const struct wf_model *m = r->c->m;
    enum wf_stats_spread spread = wfi_rule_spread(&r->r);
    bool irqs = spread == WF_SPREAD_IRQ_DURATION || spread == WF_SPREAD_IRQ_PERIOD;
    for (unsigned i = 0; spread <= WF_SPREAD_RUN && i < wf_model_tasks(m); ++i) {
        const struct wf_task *t = wf_model_task(m, i);
        if (t->state == WF_TASK_UNKNOWN && task_may_be(r, t)) return true;
    }
    for (unsigned i = 0; i < wf_model_objects(m); ++i) {
        const struct wf_object *o = wf_model_object(m, i);
        if (!o->ended && object_is_unknown(r, o) && object_may_be(r, o)) return true;
    }
    for (unsigned i = 0; irqs && i < wf_model_cores(m); ++i) {
        if (wf_model_core(m, i)->used && !wf_model_core(m, i)->irqs_known) return true;
    }
    return false;
}

bool wfi_rule_has_strangers(struct wfi_rule *r) {
    const struct wf_model *m = r->c->m;
    enum wf_stats_spread spread = wfi_rule_spread(&r->r);
    for (unsigned i = r->c->tasks; spread <= WF_SPREAD_RUN && i < wf_model_tasks(m); ++i) {
        const struct wf_task *t = wf_model_task(m, i);
        if (!t->created && task_may_be(r, t)) return true;
    }
    for (unsigned i = r->c->objects; i < wf_model_objects(m); ++i) {
        const struct wf_object *o = wf_model_object(m, i);
        bool unknown = o->kind == WF_OBJECT_MUTEX ? r->r.kind == WF_CHECK_BLOCKED
                                                  : r->r.kind == WF_CHECK_QUEUE;
        if (unknown && !o->created && object_may_be(r, o)) return true;
    }
    return false;
}
