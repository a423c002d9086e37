// SPDX-License-Identifier: MIT
// The load of the cores: which task or interrupt had a core for how long, in any window of time. A
// core's time is a list of runs in the order of time. When there are too many of all cores, time is
// divided into steps of twice the length, and the runs within a step become one for each owner. So
// sums are exact for windows whose edges are multiples of a step, and memory is limited for a trace
// of any length. Unknown time is in no run.

#include "wfi_timeline.h"

#include <stdlib.h>

#include "core/wfi_activity.h"
#include "util/wfi_grow.h"

enum { MOST = 1 << 18, STEPS = MOST / 8 }; // runs of all cores; steps when a step begins to be used
static const uint64_t STEP_MOST = UINT64_C(1) << 62;

// ---- the list

// One of a step or longer covers whole steps. A shorter one lies in one step, anywhere in it.
static bool is_whole(const struct wfi_load *l, const struct wf_load_run *r) {
    return r->ticks >= l->step;
}

static uint64_t run_end(const struct wfi_load *l, const struct wf_load_run *r) {
    return r->begin + (is_whole(l, r) ? r->ticks : l->step);
}

static void append_run(struct wf_timeline *t, struct wfi_load_core *c, uint64_t begin,
                       uint64_t ticks, uint32_t entity) {
    if (!WFI_GROW(c->runs, &c->cap, c->count + 1)) {
        t->err = WF_ERR_NOMEM;
        return;
    }
    c->runs[c->count++] = (struct wf_load_run){begin, ticks, entity};
    ++t->load.count;
}

// Adds ticks that do not fill the step at `begin`.
static void add_part(struct wf_timeline *t, struct wfi_load_core *c, uint64_t begin, uint64_t ticks,
                     uint32_t entity) {
    for (size_t i = c->count; i-- > 0 && c->runs[i].begin >= begin;) {
        if (c->runs[i].entity != entity) continue;
        c->runs[i].ticks += ticks;
        return;
    }
    append_run(t, c, begin, ticks, entity);
}

static void add_whole(struct wf_timeline *t, struct wfi_load_core *c, uint64_t begin,
                      uint64_t ticks, uint32_t entity) {
    struct wf_load_run *last = c->count ? &c->runs[c->count - 1] : NULL;
    bool joins = last && last->entity == entity && is_whole(&t->load, last);
    if (joins && last->begin + last->ticks == begin)
        last->ticks += ticks;
    else
        append_run(t, c, begin, ticks, entity);
}

static void add_run(struct wf_timeline *t, struct wfi_load_core *c, uint64_t begin, uint64_t end,
                    uint32_t entity) {
    const uint64_t step = t->load.step;
    while (begin < end) {
        uint64_t over = (begin - t->load.base) & (step - 1), left = end - begin;
        uint64_t ticks = left & ~(step - 1);
        if (!over && ticks) {
            add_whole(t, c, begin, ticks, entity);
        } else {
            ticks = step - over < left ? step - over : left;
            add_part(t, c, begin - over, ticks, entity);
        }
        begin += ticks;
    }
}

// Makes the list of a core again, for a longer step.
static void divide_core(struct wf_timeline *t, struct wfi_load_core *c, uint64_t step_before) {
    struct wfi_load_core old = *c;
    c->runs = NULL;
    c->count = c->cap = 0;
    t->load.count -= old.count;
    for (size_t i = 0; i < old.count; ++i) {
        const struct wf_load_run *r = &old.runs[i];
        uint64_t over = (r->begin - t->load.base) & (t->load.step - 1);
        if (r->ticks >= step_before)
            add_run(t, c, r->begin, r->begin + r->ticks, r->entity);
        else
            add_part(t, c, r->begin - over, r->ticks, r->entity);
    }
    free(old.runs);
}

// The step is so long at once that few runs are cut by its ends: these would be more than before.
static void limit_runs(struct wf_timeline *t, uint64_t now) {
    while (t->load.count >= MOST && t->load.step < STEP_MOST) {
        uint64_t before = t->load.step;
        do t->load.step *= 2;
        while ((now - t->load.base) / t->load.step > STEPS && t->load.step < STEP_MOST);
        for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
            if (t->cores[i]) divide_core(t, &t->cores[i]->load, before);
        }
    }
}

// ---- changes

static bool is_known(const struct wfi_load_core *c) { return c->owner.kind != WFI_LOAD_UNKNOWN; }

static uint32_t owner_entity(struct wf_timeline *t, unsigned core) {
    const struct wfi_load_owner *o = &t->cores[core]->load.owner;
    if (o->kind == WFI_LOAD_IRQ) return wfi_tl_entity(t, WF_ENTITY_IRQ, o->irq, core, NULL);
    return o->task ? wfi_tl_task_entity(t, o->task) : WF_ENTITY_IDLE;
}

// Adds the time up to `tick` to the owner.
static void charge(struct wf_timeline *t, unsigned core, uint64_t tick) {
    struct wfi_load_core *c = &t->cores[core]->load;
    uint64_t from = c->since > t->first ? c->since : t->first;
    if (!is_known(c) || !t->known || tick <= from) return;
    c->since = tick;
    if (!t->load.step) {
        t->load.step = 1;
        t->load.base = t->first;
    }
    add_run(t, c, from, tick, owner_entity(t, core));
    if (t->load.count >= MOST) limit_runs(t, tick);
}

static struct wfi_load_owner owner_of(const struct wfi_load_core *c, const struct wf_core *now) {
    switch (wfi_core_activity(now, c->has_irqs)) {
    case WF_CPU_IRQ: return (struct wfi_load_owner){.kind = WFI_LOAD_IRQ, .irq = wfi_core_irq(now)};
    case WF_CPU_TASK:
    case WF_CPU_IDLE: return (struct wfi_load_owner){.kind = WFI_LOAD_TASK, .task = now->task};
    default: return (struct wfi_load_owner){.kind = WFI_LOAD_UNKNOWN};
    }
}

// The row of all cores comes with the second one.
static void add_rows(struct wf_timeline *t, unsigned core) {
    unsigned shown = 1;
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) shown += t->cores[i] && t->cores[i]->load.shown;
    t->cores[core]->load.shown = true;
    for (unsigned all = 0; all <= (shown == 2); ++all) {
        uint32_t row = wfi_tl_row(t, WF_ROW_LOAD, WF_ENTITY_NONE, all ? -1 : (int)core);
        wfi_tl_track(t, row, WF_TRACK_LOAD, 0);
    }
}

void wfi_tl_load_watch(struct wf_timeline *t, unsigned core) {
    const struct wf_core *now = wf_model_core(t->m, core);
    if (!t->cores[core] && (!now->used || !wfi_tl_core(t, core))) return;
    struct wfi_load_core *c = &t->cores[core]->load;
    c->irqs_known = now->irqs_known;
    struct wfi_load_owner o = owner_of(c, now);
    if (o.kind == c->owner.kind && o.irq == c->owner.irq && o.task == c->owner.task) return;
    charge(t, core, wf_model_tick(t->m));
    c->owner = o;
    if (!c->shown) add_rows(t, core);
    c->since = wf_model_tick(t->m);
    t->load.changed_at = c->since;
}

// The exit of an interrupt is missing: its time since `from` is unknown.
static void forget_irq(struct wf_timeline *t, const struct wf_change *change) {
    uint32_t entity = wfi_tl_entity(t, WF_ENTITY_IRQ, change->irq, change->core, NULL);
    struct wfi_load_core *c = &t->cores[change->core]->load;
    charge(t, change->core, change->tick);
    for (size_t i = c->count; i-- > 0 && run_end(&t->load, &c->runs[i]) > change->from;) {
        struct wf_load_run *r = &c->runs[i];
        uint64_t keep = change->from > r->begin ? change->from - r->begin : 0;
        if (r->entity != entity || r->ticks <= keep) continue;
        if (keep)
            r->ticks = keep;
        else
            r->entity = WF_ENTITY_NONE;
    }
}

void wfi_tl_load_change(struct wf_timeline *t, const struct wf_change *change, bool first) {
    bool irq = change->kind == WF_CHANGE_IRQ_END || change->kind == WF_CHANGE_IRQ_BEGIN;
    bool unpaired = change->kind == WF_CHANGE_UNPAIRED;
    struct wfi_tl_core *own = irq || unpaired ? wfi_tl_core(t, change->core) : NULL;
    if (!own) return;
    struct wfi_load_core *c = &own->load;
    bool ends = change->kind == WF_CHANGE_IRQ_END;
    bool of_unknown_begin = ends && !change->from_known && !change->cut && !c->irqs_known;
    if (first && ((unpaired && !change->got) || of_unknown_begin)) {
        charge(t, change->core, t->load.changed_at);
        if (c->since < change->tick) c->since = change->tick;
    }
    if (ends && change->why) forget_irq(t, change);
    c->has_irqs = true;
}

void wfi_tl_load_end(struct wf_timeline *t) {
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        if (!t->cores[i]) continue;
        charge(t, i, wf_model_tick(t->m));
        t->cores[i]->load.owner = (struct wfi_load_owner){.kind = WFI_LOAD_UNKNOWN};
    }
}

void wfi_tl_load_close(struct wf_timeline *t) { free(t->load.sums); }

// ---- queries

uint64_t wf_timeline_load_step(const struct wf_timeline *t) {
    return t->load.step ? t->load.step : 1;
}

// Index of the first run that ends after a tick.
static size_t first_run(const struct wf_timeline *t, const struct wfi_load_core *c, uint64_t tick) {
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run_end(&t->load, &c->runs[middle]) <= tick)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_core(const struct wf_timeline *t, int core, unsigned i) {
    return t->cores[i] && (core < 0 || (unsigned)core == i);
}

size_t wf_timeline_load_runs(const struct wf_timeline *t, unsigned core, uint64_t from,
                             uint64_t until, struct wf_load_run *runs, size_t cap) {
    size_t count = 0;
    if (core >= WF_MODEL_CORES || !t->cores[core]) return 0;
    const struct wfi_load_core *c = &t->cores[core]->load;
    for (size_t i = first_run(t, c, from); i < c->count && c->runs[i].begin < until; ++i) {
        if (c->runs[i].entity == WF_ENTITY_NONE) continue;
        if (count < cap) runs[count] = c->runs[i];
        ++count;
    }
    return count;
}

struct window {
    uint64_t from, until;
    bool exact;
    uint32_t least, most; // entities that have a sum
};

static void add_sum(struct wf_timeline *t, struct window *w, uint32_t entity, uint64_t ticks) {
    if (!ticks || entity == WF_ENTITY_NONE) return;
    t->load.sums[entity] += ticks;
    if (entity < w->least) w->least = entity;
    if (entity > w->most) w->most = entity;
}

static void sum_run(struct wf_timeline *t, struct window *w, const struct wf_load_run *r) {
    uint64_t end = run_end(&t->load, r), begin = r->begin > w->from ? r->begin : w->from;
    if (end > w->until) end = w->until;
    if (end <= begin) return;
    if (is_whole(&t->load, r)) {
        add_sum(t, w, r->entity, end - begin);
    } else if (end - begin == t->load.step) {
        add_sum(t, w, r->entity, r->ticks);
    } else {
        w->exact = false;
        long double share = (long double)(end - begin) / (long double)t->load.step;
        add_sum(t, w, r->entity, (uint64_t)((long double)r->ticks * share));
    }
}

static void sum_core(struct wf_timeline *t, struct window *w, unsigned core) {
    const struct wfi_load_core *c = &t->cores[core]->load;
    for (size_t i = first_run(t, c, w->from); i < c->count && c->runs[i].begin < w->until; ++i)
        sum_run(t, w, &c->runs[i]);
    if (!is_known(c) || !t->known) return;
    uint64_t begin = c->since > w->from ? c->since : w->from, end = wf_model_tick(t->m);
    if (begin < t->first) begin = t->first;
    if (end > w->until) end = w->until;
    if (end > begin) add_sum(t, w, owner_entity(t, core), end - begin);
}

// Makes room for a sum of each entity; all are 0.
static bool make_sums(struct wf_timeline *t) {
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        if (t->cores[i] && is_known(&t->cores[i]->load)) (void)owner_entity(t, i); // may be new
    }
    return WFI_GROW(t->load.sums, &t->load.sum_cap, t->entity_count);
}

size_t wf_timeline_load(struct wf_timeline *t, int core, uint64_t from, uint64_t until,
                        struct wf_load *loads, size_t cap, bool *exact) {
    struct window w = {.from = from, .until = until, .exact = true, .least = UINT32_MAX};
    size_t count = 0;
    if (exact) *exact = true;
    if (!make_sums(t)) return 0;
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        if (has_core(t, core, i)) sum_core(t, &w, i);
    }
    for (uint32_t i = w.least; i <= w.most; ++i) {
        if (!t->load.sums[i]) continue;
        if (count < cap) loads[count] = (struct wf_load){i, t->load.sums[i]};
        ++count;
        t->load.sums[i] = 0;
    }
    if (exact) *exact = w.exact;
    return count;
}
