// SPDX-License-Identifier: MIT
// Arrows, kept in pages as slices are, ordered by their ends. Flows (wf_model.h) link begin and
// end; the begins of the last WFI_TL_FLOWS flows are kept.

#include "wfi_timeline.h"

const char *const wf_arrow_kind_names[WF_ARROW_KINDS] = {"preempt", "post", "give", "wake"};

enum { KIND_BITS = 2, ROW_BITS = 31 };

void wfi_tl_arrow(struct wf_timeline *t, const struct wf_arrow *a) {
    uint64_t value = (uint64_t)a->to_row << (KIND_BITS + ROW_BITS) |
                     (uint64_t)a->from_row << KIND_BITS | (uint64_t)a->kind;
    uint64_t begin = a->begin, end = a->end;
    if (a->from_row == WF_NO_TRACK || a->to_row == WF_NO_TRACK) return;
    if (end < t->arrows.last_end) end = t->arrows.last_end;
    if (begin > end) begin = end;
    wfi_series_add(t, &t->arrows, begin, end, (int64_t)value, a->entity, 0);
}

static struct wf_arrow arrow_of(const struct wfi_slice *s) {
    uint64_t value = (uint64_t)s->value, rows = ((uint64_t)1 << ROW_BITS) - 1;
    return (struct wf_arrow){.kind = (enum wf_arrow_kind)(value & 3),
                             .begin = s->begin,
                             .end = s->end,
                             .from_row = (uint32_t)(value >> KIND_BITS & rows),
                             .to_row = (uint32_t)(value >> (KIND_BITS + ROW_BITS)),
                             .entity = s->more};
}

// ---- flows

uint32_t wfi_tl_actor_row(struct wf_timeline *t, struct wf_task *task, unsigned core,
                          uint32_t other) {
    uint32_t row = task ? wfi_tl_task_row(t, task) : wfi_tl_irq_row(t, core);
    return row == WF_NO_TRACK ? other : row;
}

void wfi_tl_flow_begin(struct wf_timeline *t, uint64_t flow, uint64_t tick, uint32_t row) {
    t->flows[flow % WFI_TL_FLOWS] = (struct wfi_tl_flow){flow, tick, row};
}

void wfi_tl_flow_end(struct wf_timeline *t, uint64_t flow, enum wf_arrow_kind kind, uint64_t tick,
                     uint32_t row, uint32_t entity) {
    const struct wfi_tl_flow *f = &t->flows[flow % WFI_TL_FLOWS];
    if (f->flow != flow) return;
    struct wf_arrow a = {.kind = kind, .begin = f->tick, .end = tick, .to_row = row};
    a.from_row = f->row;
    a.entity = entity;
    wfi_tl_arrow(t, &a);
}

// ---- queries

struct query {
    struct wf_timeline *t;
    uint64_t from, until, count;
    struct wf_arrow *arrows;
    size_t cap;
};

static void add_arrow(struct query *q, const struct wfi_slice *s) {
    bool begins = s->begin >= q->from && s->begin < q->until;
    bool ends = s->end >= q->from && s->end < q->until;
    if (!begins && !ends) return;
    if (q->count < q->cap) q->arrows[q->count] = arrow_of(s);
    ++q->count;
}

static void visit_page(struct query *q, const struct wfi_sum *sum) {
    struct wfi_page *page = wfi_page_open(q->t, sum);
    for (unsigned g = 0; page && g < WFI_TL_GROUPS; ++g) {
        if (page->groups[g].begin >= q->until || page->groups[g].end < q->from) continue;
        const struct wfi_slice *slices = wfi_page_group(page, g);
        for (unsigned k = 0; slices && k < WFI_TL_WAYS; ++k) add_arrow(q, &slices[k]);
    }
}

// s is summary i of its level.
static void visit_sum(struct query *q, unsigned level, size_t i, const struct wfi_sum *s) {
    if (s->begin >= q->until || s->end < q->from) return;
    if (q->count > q->cap) { // over the capacity: only an upper bound is needed
        q->count += s->count;
        return;
    }
    const struct wfi_sum *below = level ? wfi_series_block(&q->t->arrows, level - 1, i) : NULL;
    for (unsigned k = 0; below && k < WFI_TL_WAYS; ++k)
        visit_sum(q, level - 1, i * WFI_TL_WAYS + k, &below[k]);
    if (!level) visit_page(q, s);
}

static void visit_all(struct query *q) {
    const struct wfi_series *se = &q->t->arrows;
    for (unsigned level = se->level_count; level-- > 0;) {
        for (size_t i = wfi_series_tail(se, level); i < se->levels[level].count; ++i)
            visit_sum(q, level, i, wfi_series_sum(se, level, i));
    }
    for (unsigned i = 0; i < se->fill; ++i) add_arrow(q, &se->page[i]);
}

uint64_t wf_timeline_arrows(struct wf_timeline *t, uint64_t from, uint64_t until,
                            struct wf_arrow *arrows, size_t cap) {
    struct query q = {.t = t, .from = from, .until = until, .arrows = arrows, .cap = cap};
    visit_all(&q);
    return q.count;
}
