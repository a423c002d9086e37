// SPDX-License-Identifier: MIT
// Makes the rows. Only this file defines the figures of each kind.

#include "wfi_stats.h"

#include "util/wfi_figure.h"
#include "wallfly_host/wf_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const wf_stats_kind_names[WF_STATS_KINDS] = {
    "core", "task",    "interrupt", "machine", "object", "hold",
    "wait", "blocked", "inversion", "raised",  "span",   "counter"};
const char *const wf_unit_names[] = {"count", "ticks", "percent", "value"};

// ---- figures

static struct wf_figure *add_figure(struct wf_stats_row *row, const char *name, enum wf_unit unit,
                                    enum wf_figure_form form) {
    struct wf_figure *f = &row->figures[row->count++];
    *f = (struct wf_figure){.name = name, .unit = unit, .form = form, .known = true};
    return f;
}

static void put_value(struct wf_stats_row *row, const char *name, enum wf_unit unit, double value) {
    add_figure(row, name, unit, WF_FIGURE_ONE)->value = value;
}

// `value` lies in the statistics: its address finds its blocks.
static void put_number(const struct wf_stats *st, struct wf_stats_row *row, const char *name,
                       enum wf_unit unit, const uint64_t *value) {
    struct wf_figure *f = add_figure(row, name, unit, WF_FIGURE_ONE);
    f->value = (double)*value;
    f->blocks = wfi_timing_blocks(st, value);
}

static void set_places(struct wf_figure *f, const struct wfi_extremes *at) {
    f->min_at = at->min;
    f->max_at = at->max;
}

static void put_spread(const struct wf_stats *st, struct wf_stats_row *row, const char *name,
                       enum wf_unit unit, const struct wfi_spread *s) {
    struct wf_figure *f = add_figure(row, name, unit, WF_FIGURE_SPREAD);
    f->known = s->histogram.count > 0;
    wfi_figure_set(f, &s->histogram);
    set_places(f, &s->at);
    f->blocks = wfi_timing_blocks(st, &s->histogram);
}

static void put_counts(const struct wf_stats *st, struct wf_stats_row *row,
                       const char *const *names, const uint64_t *counts, unsigned count) {
    for (unsigned i = 0; i < count; ++i) put_number(st, row, names[i], WF_UNIT_COUNT, &counts[i]);
}

static void put_intervals(const struct wf_stats *st, struct wf_stats_row *row,
                          const char *const *names, const struct wfi_spread *intervals,
                          unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        put_spread(st, row, names[i], WF_UNIT_TICKS, &intervals[i]);
}

static void put_share(const struct wf_stats *st, struct wf_stats_row *row, const uint64_t *ticks,
                      uint64_t of) {
    put_number(st, row, "cpu", WF_UNIT_TICKS, ticks);
    struct wf_figure *f = add_figure(row, "share", WF_UNIT_PERCENT, WF_FIGURE_ONE);
    f->known = of != 0;
    if (of) f->value = 100 * (double)*ticks / (double)of;
}

static void put_low(struct wf_stats_row *row, const char *free, const char *size,
                    const struct wfi_low *l) {
    struct wf_figure *f = add_figure(row, free, WF_UNIT_VALUE, WF_FIGURE_ONE);
    f->known = l->known;
    f->value = (double)l->free;
    f = add_figure(row, size, WF_UNIT_VALUE, WF_FIGURE_ONE);
    f->known = l->known && l->size;
    f->value = (double)l->size;
}

// ---- names

static const char *name_or_key(struct wf_stats *st, const char *name, uint64_t key) {
    if (name && *name) return name;
    snprintf(st->text[0], sizeof st->text[0], "0x%" PRIX64, key);
    return st->text[0];
}

static const char *find_text(struct wf_stats *st, uint64_t address) {
    const char *text;
    size_t len;
    bool is = wf_session_text_at(st->s, address, &text, &len);
    return name_or_key(st, is ? text : NULL, address);
}

static const char *task_name(const struct wf_stats *st, const struct wf_task *t) {
    return t ? wf_task_name(st->m, t) : NULL;
}

// ---- rows

// Time with known activity, averaged over the cores.
static uint64_t known_ticks(const struct wf_stats *st) {
    uint64_t sum = 0, cores = 0;
    for (unsigned i = 0; i < st->core_count; ++i) {
        const struct wfi_stat_core *c = &st->cores[i];
        if (!c->used) continue;
        ++cores;
        sum += c->ticks[WF_CPU_IDLE] + c->ticks[WF_CPU_TASK] + c->ticks[WF_CPU_IRQ];
    }
    return cores ? sum / cores : 0;
}

static bool put_core(struct wf_stats *st, unsigned core, struct wf_stats_row *row) {
    const struct wfi_stat_core *c = &st->cores[core];
    uint64_t known = c->ticks[WF_CPU_IDLE] + c->ticks[WF_CPU_TASK] + c->ticks[WF_CPU_IRQ];
    if (!c->used) return false;
    row->kind = WF_STATS_CORE;
    row->core = (int)core;
    row->key = core;
    row->marked = c->marks > 0;
    put_value(row, "known", WF_UNIT_TICKS, (double)known);
    put_number(st, row, "unknown", WF_UNIT_TICKS, &c->ticks[WF_CPU_UNKNOWN]);
    put_number(st, row, "tasks", WF_UNIT_TICKS, &c->ticks[WF_CPU_TASK]);
    put_number(st, row, "interrupts", WF_UNIT_TICKS, &c->ticks[WF_CPU_IRQ]);
    put_number(st, row, "idle", WF_UNIT_TICKS, &c->ticks[WF_CPU_IDLE]);
    return true;
}

// Returns true if there was a hole during its lifetime.
bool wfi_stat_marked(const struct wf_stats *st, uint64_t born, uint64_t died) {
    return (died < st->hole_count ? died : st->hole_count) > born;
}

static bool put_task(struct wf_stats *st, struct wf_task *t, struct wf_stats_row *row) {
    static const char *const counts[WFI_TASK_COUNTS] = {"runs", "preempted", "sliced", "yielded",
                                                        "abandoned"};
    static const char *const intervals[WFI_TASK_SPREADS] = {
        "response", "execution", "start", "period", "jitter", "start jitter", "run"};
    const struct wfi_stat_task *own = wfi_stat_of_task(st, t);
    if (!own || own->joined_to) return false;
    row->kind = WF_STATS_TASK;
    row->tasks = 1 + own->tasks;
    row->name = row->task = task_name(st, t);
    row->number = own->owner.row;
    row->key = t->key;
    row->marked = own->marked || wfi_stat_marked(st, own->born, own->died);
    row->prio_known = own->last.known;
    row->prio = own->last.prio;
    row->raised = own->last.raised;
    row->base_known = own->last.base_known;
    row->base_prio = own->last.base;
    row->raised_by = task_name(st, own->last.by);
    row->raised_for = own->last.mutex ? wf_object_name(st->m, own->last.mutex) : NULL;
    put_share(st, row, &own->cpu, known_ticks(st));
    put_counts(st, row, counts, own->n, WFI_TASK_COUNTS);
    put_intervals(st, row, intervals, own->spread, WFI_TASK_SPREADS);
    put_low(row, "stack free", "stack size", &own->stack);
    return true;
}

static bool put_object(struct wf_stats *st, struct wf_object *o, struct wf_stats_row *row) {
    static const char *const counts[WFI_OBJECT_COUNTS] = {
        "waits", "got",     "gave up", "refused",   "taken",
        "given", "expired", "started", "allocated", "freed"};
    static const char *const intervals[WFI_BYTES] = {"hold", "wait", "period"};
    const struct wfi_stat_object *own = wfi_stat_of_object(st, o);
    if (!own) return false;
    row->kind = WF_STATS_OBJECT;
    row->name = row->object = wf_object_name(st->m, o);
    row->number = own->owner.row;
    row->what = wf_object_kind_names[o->kind];
    row->key = o->key;
    row->marked = wfi_stat_marked(st, own->born, own->died);
    put_counts(st, row, counts, own->n, WFI_OBJECT_COUNTS);
    row->figures[WFI_GAVE_UP].first_at = own->gave_up;
    put_intervals(st, row, intervals, own->spread, WFI_BYTES);
    put_spread(st, row, "bytes", WF_UNIT_VALUE, &own->spread[WFI_BYTES]);
    struct wf_figure *f = add_figure(row, "depth", WF_UNIT_VALUE, WF_FIGURE_LEVEL);
    f->known = own->depth_seen;
    f->count = (double)own->depth_count;
    f->min = (double)own->depth_min;
    f->max = (double)own->depth_max;
    f->mean = own->known ? own->depth_ticks / (double)own->known : (double)own->depth;
    f->value = (double)own->depth;
    set_places(f, &own->depth_at);
    f->blocks = wfi_timing_blocks(st, &own->depth_ticks);
    f->weights = wfi_timing_blocks(st, &own->known);
    put_low(row, "least free", "size", &own->low);
    return true;
}

static void put_irq(struct wf_stats *st, const struct wfi_entry *e, struct wf_stats_row *row) {
    static const char *const counts[] = {"begins", "unpaired enters", "unpaired exits"};
    static const char *const intervals[] = {"duration", "execution", "period"};
    const char *name = wf_session_name(st->s, WF_EFFECT_NAME_IRQ, e->key.a, 0);
    snprintf(st->text[0], sizeof st->text[0], "%u", (unsigned)e->key.a);
    row->name = e->key.a == WF_IRQ_UNKNOWN ? "unknown" : name && *name ? name : st->text[0];
    row->core = (int)e->key.b;
    row->marked = st->cores[e->key.b].marks > 0;
    put_share(st, row, &e->cpu, known_ticks(st));
    put_counts(st, row, counts, e->n, 3);
    put_intervals(st, row, intervals, e->spread, 3);
}

// Number of tasks in a row.
static uint64_t tasks_of(const struct wf_stats *st, const struct wf_task *t) {
    const struct wfi_stat_task *own = wfi_stat_of_task(st, t);
    return own ? 1 + own->tasks : t != NULL;
}

static void put_pair(struct wf_stats *st, const struct wfi_entry *e, struct wf_stats_row *row) {
    static const char *const waits[] = {"waits", "got", "gave up"};
    static const char *const names[WF_STATS_KINDS] = {[WF_STATS_HOLD] = "hold",
                                                      [WF_STATS_WAIT] = "wait",
                                                      [WF_STATS_BLOCKED] = "blocked",
                                                      [WF_STATS_RAISED] = "raised",
                                                      [WF_STATS_INVERSION] = "inversion"};
    const struct wfi_stat_task *t = wfi_stat_of_task(st, e->task);
    const struct wfi_stat_object *o = wfi_stat_of_object(st, e->object);
    row->task = task_name(st, e->task);
    row->object = wf_object_name(st->m, e->object);
    bool blocked = e->key.kind == WF_STATS_BLOCKED, inverted = e->key.kind == WF_STATS_INVERSION;
    row->by = e->by || !(blocked || inverted) ? task_name(st, e->by) : "several";
    row->over = e->over || !inverted ? task_name(st, e->over) : "several";
    row->tasks = tasks_of(st, e->task);
    row->by_tasks = tasks_of(st, e->by);
    row->over_tasks = tasks_of(st, e->over);
    row->key = e->object->key;
    row->marked = t && o &&
                  wfi_stat_marked(st, t->born > o->born ? t->born : o->born,
                                  t->died < o->died ? t->died : o->died);
    if (e->key.kind == WF_STATS_WAIT) {
        put_counts(st, row, waits, e->n, 3);
        row->figures[WFI_WAIT_GAVE_UP].first_at = e->gave_up;
    }
    put_spread(st, row, names[e->key.kind], WF_UNIT_TICKS, &e->spread[0]);
    if (e->key.kind != WF_STATS_RAISED) return;
    row->prio_known = row->raised = true;
    row->prio = (int)e->most;
    row->base_known = e->last_known;
    row->base_prio = (int)e->least;
}

static void put_counter(struct wf_stats *st, const struct wfi_entry *e, struct wf_stats_row *row) {
    struct wf_figure *f = add_figure(row, "counter", WF_UNIT_VALUE, WF_FIGURE_LEVEL);
    f->known = e->n[0] > 0;
    f->count = (double)e->n[0];
    f->min = (double)e->least;
    f->max = (double)e->most;
    f->mean = e->n[0] ? e->total / (double)e->n[0] : 0;
    f->value = (double)e->latest;
    set_places(f, &e->at);
    f->blocks = wfi_timing_blocks(st, &e->total);
    f->weights = wfi_timing_blocks(st, &e->n[0]);
    row->name = find_text(st, e->key.a);
}

static bool put_entry(struct wf_stats *st, struct wfi_entry *e, struct wf_stats_row *row) {
    row->kind = e->key.kind;
    row->key = e->key.a;
    row->number = e->owner.row;
    row->marked = st->hole_count > 0;
    switch (row->kind) {
    case WF_STATS_IRQ: put_irq(st, e, row); break;
    case WF_STATS_MACHINE:
        row->name =
            name_or_key(st, wf_session_name(st->s, WF_EFFECT_NAME_OBJECT, e->key.a, 0), e->key.a);
        put_spread(st, row, "step", WF_UNIT_TICKS, &e->spread[0]);
        break;
    case WF_STATS_SPAN:
        row->name = find_text(st, e->key.a);
        put_spread(st, row, "span", WF_UNIT_TICKS, &e->spread[0]);
        break;
    case WF_STATS_COUNTER: put_counter(st, e, row); break;
    case WF_STATS_INVERSION:
        if (wfi_priority_order(st) != (e->low ? WF_PRIORITIES_LOW : WF_PRIORITIES_HIGH))
            return false;
        // fallthrough
    default: put_pair(st, e, row);
    }
    const struct wf_figure *f = &row->figures[0];
    return row->kind != WF_STATS_INVERSION || f->count + f->in_holes + f->open > 0;
}

// Gets row `n` of a kind. *more is set if there may be further rows.
static bool get_row(struct wf_stats *st, enum wf_stats_kind kind, size_t n,
                    struct wf_stats_row *row, bool *more) {
    if (kind == WF_STATS_CORE) {
        *more = n < st->core_count;
        return *more && put_core(st, (unsigned)n, row);
    }
    if (kind == WF_STATS_TASK) {
        *more = n < wf_model_tasks(st->m);
        return *more && put_task(st, wf_model_task(st->m, (unsigned)n), row);
    }
    if (kind == WF_STATS_OBJECT) {
        *more = n < wf_model_objects(st->m);
        return *more && put_object(st, wf_model_object(st->m, (unsigned)n), row);
    }
    *more = n < st->entry_count;
    return *more && st->entries[n]->key.kind == kind && !st->entries[n]->joined &&
           put_entry(st, st->entries[n], row);
}

bool wf_stats_next(struct wf_stats *st, uint64_t *at, struct wf_stats_row *row) {
    uint64_t kind = *at >> 32, n = *at & UINT32_MAX;
    for (bool more; kind < WF_STATS_KINDS; ++kind, n = 0) {
        do {
            memset(row, 0, sizeof *row);
            row->core = -1;
            bool is = get_row(st, (enum wf_stats_kind)kind, (size_t)n++, row, &more);
            *at = kind << 32 | n;
            if (is) return true;
        } while (more);
    }
    *at = kind << 32;
    return false;
}

void wf_stats_report(struct wf_stats *st, struct wf_stats_about *about) {
    uint64_t last = wf_model_tick(st->m);
    uint64_t from = st->first > st->begin ? st->first : st->begin;
    uint64_t until = last < st->end ? last : st->end;
    *about = (struct wf_stats_about){
        .from = from,
        .until = until,
        .known = st->begun && from <= until,
        .hz = st->hz,
        .zero = st->zero,
        .priorities = wfi_priority_order(st),
        .given = st->o.priorities != WF_PRIORITIES_UNKNOWN,
        .for_low = st->low,
        .for_high = st->high,
        .inconsistent = st->inconsistent,
        .unpaired = st->unpaired,
        .unpaired_kept = st->unpaired_kept,
        .unpaired_count = st->unpaired_count,
        .holes = st->holes,
        .holes_kept = st->hole_count < WF_STATS_HOLES ? (size_t)st->hole_count : WF_STATS_HOLES,
        .hole_count = st->hole_count,
        .records = st->records,
        .lost = st->lost,
        .blocks = st->o.blocks ? st->timing.ticks : NULL,
        .block_count = st->timing.count,
        .record_blocks = wfi_timing_blocks(st, &st->records),
        .lost_blocks = wfi_timing_blocks(st, &st->lost),
    };
}
