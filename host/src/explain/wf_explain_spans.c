// SPDX-License-Identifier: MIT
// Jobs as lists of points, and their parts and sums.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "wfi_explain.h"

// ---- points

// Adds ticks to the sum of their path, beyond the points.
static void add_rest(struct wf_explain *e, struct wfi_span *span, uint32_t path, uint64_t from,
                     uint64_t to) {
    struct wfi_rest *r = NULL;
    if (from == to) return;
    for (size_t i = 0; i < span->rest_count && !r; ++i) {
        if (span->rest[i].path == path) r = &span->rest[i];
    }
    if (!r && !WFI_GROW(span->rest, &span->rest_cap, span->rest_count + 1)) {
        e->err = WF_ERR_NOMEM;
        return;
    }
    if (!r) {
        r = &span->rest[span->rest_count++];
        *r = (struct wfi_rest){.path = path};
    }
    r->ticks += to - from;
    ++r->count;
    if (to - from <= r->longest_to - r->longest_from) return;
    r->longest_from = from;
    r->longest_to = to;
}

static void add_point(struct wf_explain *e, struct wfi_span *span, uint64_t tick, uint32_t path) {
    if (span->count == WF_EXPLAIN_PARTS) { // the last point becomes the present one
        struct wfi_point *last = &span->points[span->count - 1];
        if (!span->rest_count) span->rest_from = last->from;
        add_rest(e, span, last->path, last->from, tick);
        *last = (struct wfi_point){tick, path};
        return;
    }
    if (!WFI_GROW(span->points, &span->cap, span->count + 1)) {
        e->err = WF_ERR_NOMEM;
        return;
    }
    span->points[span->count++] = (struct wfi_point){tick, path};
}

void wfi_span_go(struct wf_explain *e, struct wfi_span *span, uint64_t tick, uint32_t path) {
    if (!span->count) {
        add_point(e, span, span->from, path);
        return;
    }
    struct wfi_point *last = &span->points[span->count - 1];
    if (last->path == path) return;
    if (last->from < tick) {
        add_point(e, span, tick, path);
        return;
    }
    last->path = path;
    bool same = span->count > 1 && !span->rest_count && last[-1].path == path;
    if (same) --span->count;
}

// Removes what lies after `tick`: a hole began there.
void wfi_span_end(struct wf_explain *e, struct wfi_span *span, uint64_t tick, enum wf_job_end end) {
    span->to = tick > span->from ? tick : span->from;
    span->end = end;
    if (span->rest_count && span->points[span->count - 1].from <= span->to) {
        const struct wfi_point *last = &span->points[--span->count];
        add_rest(e, span, last->path, last->from, span->to);
        return;
    }
    // The hole began within what is not listed.
    if (span->rest_count && span->to > span->rest_from) span->to = span->rest_from;
    span->rest_count = 0;
    while (span->count && span->points[span->count - 1].from >= span->to) --span->count;
}

// ---- interrupts whose end is not known

static bool is_of(const struct wf_explain *e, uint32_t path, unsigned core, int irq) {
    const struct wf_explain_path *p = &e->paths[path]->shown;
    return p->cause == WF_CAUSE_IRQ && p->core == core && (irq < 0 || p->irq == irq);
}

// Splits the part that contains a tick, so that one begins there.
static void split(struct wf_explain *e, struct wfi_span *span, uint64_t tick) {
    size_t i = span->count;
    while (i && span->points[i - 1].from >= tick) --i;
    bool there = i < span->count && span->points[i].from == tick;
    if (!i || there || span->count == WF_EXPLAIN_PARTS) return;
    if (!WFI_GROW(span->points, &span->cap, span->count + 1)) {
        e->err = WF_ERR_NOMEM;
        return;
    }
    memmove(&span->points[i + 1], &span->points[i], (span->count - i) * sizeof *span->points);
    span->points[i] = (struct wfi_point){tick, span->points[i - 1].path};
    ++span->count;
}

void wfi_span_doubt(struct wf_explain *e, struct wfi_span *span, unsigned core, int irq,
                    uint64_t from) {
    if (from >= span->to) return;
    if (from > span->from) split(e, span, from);
    for (size_t i = span->count; i-- > 0 && span->points[i].from >= from;) {
        if (is_of(e, span->points[i].path, core, irq))
            span->points[i].path = wfi_explain_unknown(e, span->points[i].path);
    }
    // What is not listed has no times: all of that interrupt is unknown.
    for (size_t i = 0; i < span->rest_count; ++i) {
        if (is_of(e, span->rest[i].path, core, irq))
            span->rest[i].path = wfi_explain_unknown(e, span->rest[i].path);
    }
}

// ---- waits

void wfi_span_wait(struct wf_explain *e, struct wfi_span *span, const struct wf_change *c) {
    if (span->wait_count == WF_EXPLAIN_PARTS) return;
    if (!WFI_GROW(span->waits, &span->wait_cap, span->wait_count + 1)) {
        e->err = WF_ERR_NOMEM;
        return;
    }
    const struct wf_task *holder = c->object->holder_known ? c->object->holder : NULL;
    if (holder == c->task) holder = NULL; // the model's state is that after the record
    span->waits[span->wait_count++] = (struct wf_explain_wait){
        .mutex = c->object, .holder = holder, .from = c->tick, .to = UINT64_MAX};
}

void wfi_span_wait_end(struct wfi_span *span, const struct wf_change *c) {
    for (size_t i = span->wait_count; i-- > 0;) {
        struct wf_explain_wait *w = &span->waits[i];
        if (w->mutex != c->object || w->to != UINT64_MAX) continue;
        w->to = c->tick;
        w->end = c->cut ? WF_WAIT_UNKNOWN : c->got ? WF_WAIT_ACQUIRED : WF_WAIT_GAVE_UP;
        return;
    }
}

// ---- memory

void wfi_span_clear(struct wfi_span *span) {
    span->count = span->rest_count = span->wait_count = 0;
}

void wfi_span_free(struct wfi_span *span) {
    free(span->points);
    free(span->rest);
    free(span->waits);
}

// ---- the view

static struct wf_explain_sum *sum_of(struct wf_explain *e, uint32_t path) {
    if (!e->sum_of[path]) {
        e->sum_of[path] = (uint32_t)++e->view.sum_count;
        e->sums[e->view.sum_count - 1] = (struct wf_explain_sum){.path = &e->paths[path]->shown};
    }
    return &e->sums[e->sum_of[path] - 1];
}

static void add_sum(struct wf_explain_sum *sum, uint64_t ticks, uint64_t count, uint64_t from,
                    uint64_t to) {
    sum->ticks += ticks;
    sum->count += count;
    if (to - from <= sum->longest_to - sum->longest_from) return;
    sum->longest_from = from;
    sum->longest_to = to;
}

// Parts whose path became the same are joined.
static void add_parts(struct wf_explain *e, const struct wfi_span *span) {
    struct wf_explained *v = &e->view;
    for (size_t i = 0; i < span->count; ++i) {
        uint64_t to = i + 1 < span->count ? span->points[i + 1].from : v->parts_until;
        const struct wf_explain_path *path = &e->paths[span->points[i].path]->shown;
        if (v->part_count && e->parts[v->part_count - 1].path == path)
            e->parts[v->part_count - 1].to = to;
        else
            e->parts[v->part_count++] = (struct wf_explain_part){span->points[i].from, to, path};
    }
}

static int compare_sums(const void *a, const void *b) {
    const struct wf_explain_sum *x = a, *y = b;
    if (x->ticks != y->ticks) return x->ticks < y->ticks ? 1 : -1;
    return (x->longest_from > y->longest_from) - (x->longest_from < y->longest_from);
}

// Parts begin at points, in the same order: the point of a part has the number of its path.
static void add_sums(struct wf_explain *e, const struct wfi_span *span) {
    const struct wf_explained *v = &e->view;
    size_t at = 0;
    memset(e->sum_of, 0, e->path_count * sizeof *e->sum_of);
    for (size_t i = 0; i < v->part_count; ++i) {
        const struct wf_explain_part *p = &e->parts[i];
        while (span->points[at].from != p->from) ++at;
        add_sum(sum_of(e, span->points[at].path), p->to - p->from, 1, p->from, p->to);
    }
    for (size_t i = 0; i < span->rest_count; ++i) {
        const struct wfi_rest *r = &span->rest[i];
        add_sum(sum_of(e, r->path), r->ticks, r->count, r->longest_from, r->longest_to);
    }
    qsort(e->sums, v->sum_count, sizeof *e->sums, compare_sums);
}

const struct wf_explained *wfi_explain_view(struct wf_explain *e, const struct wfi_span *span) {
    if (!WFI_GROW(e->parts, &e->part_cap, span->count + 1) ||
        !WFI_GROW(e->sums, &e->sum_cap, span->count + span->rest_count + 1) ||
        !WFI_GROW(e->sum_of, &e->sum_of_cap, e->path_count)) {
        e->err = WF_ERR_NOMEM;
        return NULL;
    }
    for (size_t i = 0; i < span->wait_count; ++i) {
        if (span->waits[i].to > span->to) span->waits[i].to = span->to; // it had not ended
    }
    e->view = (struct wf_explained){.task = span->task,
                                    .number = span->number,
                                    .from = span->from,
                                    .to = span->to,
                                    .from_known = span->from_known,
                                    .end = span->end,
                                    .parts = e->parts,
                                    .parts_until = span->rest_count ? span->rest_from : span->to,
                                    .sums = e->sums,
                                    .waits = span->waits,
                                    .wait_count = span->wait_count};
    add_parts(e, span);
    add_sums(e, span);
    return &e->view;
}
