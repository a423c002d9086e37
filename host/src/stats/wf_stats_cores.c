// SPDX-License-Identifier: MIT
// Time of the cores. Before changes are counted, the time up to now is added to the activity that
// each core was last known to have: a task, an interrupt, idle or unknown. Afterwards the present
// activity of each core is read from the model.

#include "wfi_stats.h"

#include "core/wfi_activity.h"
#include "util/wfi_grow.h"

// Most often it is the one of the last call.
static struct wfi_entry *irq_entry(struct wf_stats *st, unsigned core, uint16_t irq) {
    struct wfi_entry **last = &st->cores[core].last_irq;
    if (!*last || (*last)->key.a != irq)
        *last = wfi_stat_entry(st, (struct wfi_key){.kind = WF_STATS_IRQ, .a = irq, .b = core});
    return *last;
}

__attribute__((noinline)) static void report_run(const struct wf_stats *st,
                                                 const struct wfi_stat_core *c, uint64_t from,
                                                 uint64_t ticks) {
    if (!ticks) return;
    struct wf_stats_run run = {.core = (unsigned)(c - st->cores),
                               .activity = c->activity,
                               .task = c->task,
                               .irq = c->irq,
                               .from = from > st->begin ? from : st->begin,
                               .to = st->now < st->end ? st->now : st->end};
    st->o.on_run(st->o.ctx, &run);
}

static void charge_core(struct wf_stats *st, struct wfi_stat_core *c) {
    uint64_t from = c->since, ticks = wfi_overlap(st, from, st->now);
    c->since = st->now;
    if (st->now == from || !st->begun) return;
    if (st->o.on_run) report_run(st, c, from, ticks);
    c->ticks[c->activity] += ticks;
    struct wfi_stat_task *t = c->task ? wfi_stat_task(st, c->task) : NULL;
    if (c->activity == WF_CPU_UNKNOWN && t) t->exec_known = t->run_known = false;
    if (c->activity == WF_CPU_TASK) {
        t->cpu += ticks;
        t->exec += st->now - from;
        t->run += st->now - from;
        if (st->waiting_count) wfi_add_inversions(st, t, from);
    } else if (c->activity == WF_CPU_IRQ) {
        irq_entry(st, (unsigned)(c - st->cores), c->irq)->cpu += ticks;
        if (c->depth < WF_IRQ_DEPTH) {
            c->self[c->depth] += st->now - from;
            c->counted[c->depth] += ticks;
        }
    }
}

void wfi_stat_cores_charge(struct wf_stats *st) {
    st->changed = true;
    for (unsigned i = 0; i < st->core_count; ++i) charge_core(st, &st->cores[i]);
}

void wfi_stat_new_core(struct wf_stats *st, unsigned core) {
    if (core >= WF_MODEL_CORES) return;
    for (; st->core_count <= core; ++st->core_count) {
        st->cores[st->core_count].since = st->begun ? st->first : st->now;
        charge_core(st, &st->cores[st->core_count]);
    }
}

static void read_core(struct wf_stats *st, unsigned core) {
    struct wfi_stat_core *c = &st->cores[core];
    const struct wf_core *is = wf_model_core(st->m, core);
    if (!is->used) return;
    c->used = true;
    c->irqs_known = is->irqs_known;
    c->task = is->known ? is->task : NULL;
    c->activity = wfi_core_activity(is, c->has_irqs);
    if (c->activity != WF_CPU_IRQ) return;
    c->depth = is->irqs - 1;
    c->irq = wfi_core_irq(is);
}

static unsigned core_of(const struct wf_item *item) {
    if (item->kind == WF_ITEM_EVENT) return item->event->core;
    const struct wf_record *r = &item->record;
    for (unsigned i = 0; i < r->row->count; ++i) {
        if (r->row->fields[i].kind == WF_KIND_CORE) return r->value[i] & 255;
    }
    return r->core;
}

void wfi_stat_cores_read(struct wf_stats *st, const struct wf_item *item) {
    if (wfi_changes_core(st->m, item)) {
        wfi_stat_core_add(st, core_of(item));
        if (!st->changed) wfi_stat_cores_charge(st);
    }
    for (unsigned i = 0; st->changed && i < st->core_count; ++i) read_core(st, i);
}

// ---- interrupts

// The exit of an interrupt is missing: its time so far becomes unknown, as its end is.
static void uncount_irq(struct wf_stats *st, struct wfi_stat_core *core, struct wfi_entry *e,
                        unsigned at) {
    uint64_t ticks = core->counted[at] < e->cpu ? core->counted[at] : e->cpu;
    if (ticks > core->ticks[WF_CPU_IRQ]) ticks = core->ticks[WF_CPU_IRQ];
    e->cpu -= ticks;
    core->ticks[WF_CPU_IRQ] -= ticks;
    core->ticks[WF_CPU_UNKNOWN] += ticks;
    core->counted[at] = 0;
    if (!core->task) return;
    struct wfi_stat_task *t = wfi_stat_task(st, core->task);
    t->run_known = t->exec_known = false;
}

void wfi_irq_change(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_stat_core *core = &st->cores[c->core];
    struct wfi_entry *e = irq_entry(st, c->core, c->irq);
    unsigned at = c->level - 1; // deeper ones are not kept
    core->has_irqs = true;
    if (c->kind == WF_CHANGE_IRQ_BEGIN) {
        if (at < WF_IRQ_DEPTH) core->self[at] = core->counted[at] = 0;
        if (wfi_in_window(st, st->now, st->now)) ++e->n[WFI_IRQ_BEGINS];
        bool next = e->epoch == wfi_epoch(st, c->core);
        if (e->last_known) wfi_add_interval(st, &e->spread[WFI_IRQ_PERIOD], e->last, true, next);
        e->last_known = true;
        e->last = st->now;
        e->epoch = wfi_epoch(st, c->core);
        return;
    }
    bool known = c->from_known && !c->cut;
    wfi_add_change(st, &e->spread[WFI_IRQ_DURATION], c);
    if (c->why && at < WF_IRQ_DEPTH) uncount_irq(st, core, e, at);
    if (known && at < WF_IRQ_DEPTH && wfi_in_window(st, c->from, st->now))
        wfi_add_value(st, &e->spread[WFI_IRQ_EXECUTION], c->from, core->self[at]);
    else if (!known)
        wfi_add_change(st, &e->spread[WFI_IRQ_EXECUTION], c);
}

static void keep_unpaired(struct wf_stats *st, const struct wf_stats_unpaired *u) {
    st->unpaired_count += u->count;
    if (st->unpaired_kept >= WF_STATS_UNPAIRED) return;
    void *kept = st->unpaired;
    if (!wfi_grow(&kept, &st->unpaired_cap, sizeof *u, st->unpaired_kept + 1)) {
        st->err = WF_ERR_NOMEM;
        return;
    }
    st->unpaired = kept;
    st->unpaired[st->unpaired_kept++] = *u;
}

void wfi_irq_unpaired(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_entry *e = irq_entry(st, c->core, c->irq);
    const struct wf_stats_unpaired u = {.offset = c->record ? c->record->offset : 0,
                                        .tick = c->got && c->from_known ? c->from : c->tick,
                                        .count = (uint64_t)c->value,
                                        .core = c->core,
                                        .irq = c->irq,
                                        .enter = c->got};
    st->cores[c->core].has_irqs = true;
    if (!wfi_in_window(st, u.tick, u.tick)) return;
    e->n[c->got ? WFI_IRQ_ENTERS_ALONE : WFI_IRQ_EXITS_ALONE] += u.count;
    keep_unpaired(st, &u);
}
