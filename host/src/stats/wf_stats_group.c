// SPDX-License-Identifier: MIT
// Ended tasks with the same name: a program that creates a task for each request has thousands of
// them. At the end their figures are added to those of the first one, and so are the entries of
// tasks and objects that refer to them.

#include "wfi_stats.h"

#include <stdlib.h>
#include <string.h>

struct named {
    const char *name;
    struct wf_task *task;
};

static int compare_names(const void *x, const void *y) {
    const struct named *a = x, *b = y;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->task->index > b->task->index) - (a->task->index < b->task->index);
}

static bool is_earlier(const struct wf_stats_place *x, const struct wf_stats_place *y) {
    return x->known && (!y->known || x->from < y->from || (x->from == y->from && x->to < y->to));
}

// Takes the place of another row's extreme that lies beyond, or is equal and earlier.
static void join_place(struct wf_stats_place *to, const struct wf_stats_place *from, bool beyond,
                       bool equal) {
    if (from->known && (!to->known || beyond || (equal && is_earlier(from, to)))) *to = *from;
}

static void join_spread_places(struct wfi_spread *to, const struct wfi_spread *from) {
    const struct wf_histogram *x = &from->histogram, *y = &to->histogram;
    join_place(&to->at.min, &from->at.min, x->min < y->min, x->min == y->min);
    join_place(&to->at.max, &from->at.max, x->max > y->max, x->max == y->max);
}

static void join_spreads(struct wf_stats *st, struct wfi_spread *to, const struct wfi_spread *from,
                         unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        join_spread_places(&to[i], &from[i]); // before their values are joined
        if (!wf_histogram_join(&to[i].histogram, &from[i].histogram)) st->err = WF_ERR_NOMEM;
        wfi_timing_join(st, &to[i].histogram, &from[i].histogram);
    }
}

static void join_counts(struct wf_stats *st, uint64_t *to, const uint64_t *from, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        to[i] += from[i];
        wfi_timing_join(st, &to[i], &from[i]);
    }
}

static void join_task(struct wf_stats *st, struct wf_task *first, struct wf_task *task) {
    struct wfi_stat_task *to = wfi_stat_of_task(st, first), *from = wfi_stat_of_task(st, task);
    bool same = to->last.known && from->last.known && to->last.prio == from->last.prio;
    from->joined_to = first;
    ++to->tasks;
    join_counts(st, &to->cpu, &from->cpu, 1);
    join_counts(st, to->n, from->n, WFI_TASK_COUNTS);
    join_spreads(st, to->spread, from->spread, WFI_TASK_SPREADS);
    to->marked |= wfi_stat_marked(st, from->born, from->died);
    if (from->stack.known && (!to->stack.known || from->stack.free < to->stack.free))
        to->stack = from->stack;
    to->last.known = same;
    to->last.raised = false;
}

static struct wf_task *first_of(const struct wf_stats *st, struct wf_task *t) {
    const struct wfi_stat_task *own = wfi_stat_of_task(st, t);
    return own && own->joined_to ? own->joined_to : t;
}

static void join_entry(struct wf_stats *st, struct wfi_entry *e) {
    struct wf_task *task = first_of(st, e->task), *by = first_of(st, e->by);
    struct wf_task *over = first_of(st, e->over);
    if (!e->task || !e->object || (task == e->task && by == e->by && over == e->over)) return;
    struct wfi_entry *to = wfi_stat_pair(st, e->key.kind, task, e->object, by, over);
    if (to == e || st->err != WF_OK) return;
    bool fresh = to->most == 0 && to->least == 0 && !to->low;
    if (fresh) to->low = e->low;
    if (to->low != e->low) return; // for the other order of priorities
    if (fresh || e->most > to->most) {
        to->most = e->most;
        to->least = e->least;
        to->last_known = e->last_known;
    }
    join_counts(st, to->n, e->n, 3);
    join_place(&to->gave_up, &e->gave_up, false, true);
    join_spreads(st, to->spread, e->spread, 3);
    e->joined = true;
}

void wfi_stat_group(struct wf_stats *st) {
    unsigned all = wf_model_tasks(st->m), count = 0;
    struct named *ended = all ? malloc(all * sizeof *ended) : NULL;
    if (all && !ended) st->err = WF_ERR_NOMEM;
    for (unsigned i = 0; ended && i < all; ++i) {
        struct wf_task *t = wf_model_task(st->m, i);
        if (wfi_stat_of_task(st, t) && t->state == WF_TASK_ENDED && !t->by_priority)
            ended[count++] = (struct named){wf_task_name(st->m, t), t};
    }
    if (count > 1) qsort(ended, count, sizeof *ended, compare_names);
    for (unsigned i = 1, first = 0; i < count; ++i) {
        if (strcmp(ended[i].name, ended[first].name) == 0)
            join_task(st, ended[first].task, ended[i].task);
        else
            first = i;
    }
    free(ended);
    for (size_t i = 0, n = st->entry_count; i < n && st->err == WF_OK; ++i)
        join_entry(st, st->entries[i]);
}

size_t wf_stats_joined(const struct wf_stats *st, const struct wf_stats_row *row, uint32_t *numbers,
                       size_t most) {
    size_t count = 0;
    if (count++ < most) numbers[0] = row->number;
    if (row->kind != WF_STATS_TASK || row->tasks < 2) return count;
    for (unsigned i = 0; i < wf_model_tasks(st->m); ++i) {
        const struct wfi_stat_task *own = wfi_stat_of_task(st, wf_model_task(st->m, i));
        if (!own || !own->joined_to) continue;
        if (wfi_stat_of_task(st, own->joined_to)->owner.row != row->number) continue;
        if (count++ < most) numbers[count - 1] = own->owner.row;
    }
    return count;
}
