// SPDX-License-Identifier: MIT
// Counts the intervals and values of all spreads, and reports each to the observer.

#include "wfi_stats.h"

const char *const wf_stats_spread_names[WF_SPREADS] = {
#define WF_X(spread, name) name,
    WF_STATS_SPREADS(WF_X)
#undef WF_X
};

// The first spread of each kind; the others follow.
static const uint8_t first_spread[WF_STATS_KINDS] = {
    [WF_STATS_TASK] = WF_SPREAD_RESPONSE,    [WF_STATS_OBJECT] = WF_SPREAD_HELD,
    [WF_STATS_IRQ] = WF_SPREAD_IRQ_DURATION, [WF_STATS_MACHINE] = WF_SPREAD_STEP,
    [WF_STATS_HOLD] = WF_SPREAD_HOLD,        [WF_STATS_WAIT] = WF_SPREAD_WAIT,
    [WF_STATS_BLOCKED] = WF_SPREAD_BLOCKED,  [WF_STATS_INVERSION] = WF_SPREAD_INVERSION,
    [WF_STATS_RAISED] = WF_SPREAD_RAISED,    [WF_STATS_SPAN] = WF_SPREAD_SPAN,
};

void wfi_own_spreads(struct wf_stats *st, struct wfi_owner *w, enum wf_stats_kind kind,
                     struct wfi_spread *spreads, unsigned count) {
    *w = (struct wfi_owner){kind, st->rows++};
    for (unsigned i = 0; i < count; ++i) {
        spreads[i].owner = w;
        spreads[i].which = (enum wf_stats_spread)(first_spread[kind] + i);
    }
}

// ---- the observer

static bool is_observed(const struct wf_stats *st, const struct wfi_spread *s) {
    return !st->o.spreads || (st->o.spreads >> s->which & 1);
}

static void set_entry(struct wf_stats_interval *to, const struct wfi_entry *e) {
    to->task = e->task;
    to->by = e->by;
    to->over = e->over;
    to->object = e->object;
    to->low_is_first = e->low;
    if (e->key.kind == WF_STATS_SPAN) to->text = e->key.a;
    if (e->key.kind != WF_STATS_IRQ) return;
    to->irq = (uint16_t)e->key.a;
    to->core = e->key.b;
}

static void set_owner(struct wf_stats_interval *to, const struct wfi_owner *w) {
    to->kind = w->kind;
    to->row = w->row;
    if (w->kind == WF_STATS_TASK)
        to->task = ((const struct wfi_stat_task *)(const void *)w)->t;
    else if (w->kind == WF_STATS_OBJECT)
        to->object = ((const struct wfi_stat_object *)(const void *)w)->o;
    else
        set_entry(to, (const struct wfi_entry *)(const void *)w);
}

static void report(const struct wf_stats *st, const struct wfi_spread *s,
                   struct wf_stats_interval *i) {
    i->spread = s->which;
    i->to = st->now;
    set_owner(i, s->owner);
    st->o.on_interval(st->o.ctx, i);
}

// Returns whether the spread's value is the time from begin to end.
static bool is_time(const struct wfi_spread *s) {
    switch (s->which) {
    case WF_SPREAD_EXECUTION:
    case WF_SPREAD_JITTER:
    case WF_SPREAD_START_JITTER:
    case WF_SPREAD_RUN:
    case WF_SPREAD_BYTES:
    case WF_SPREAD_IRQ_EXECUTION:
    case WF_SPREAD_INVERSION: return false;
    default: return true;
    }
}

__attribute__((noinline)) static void report_left_out(const struct wf_stats *st,
                                                      const struct wfi_spread *s,
                                                      enum wf_stats_part part, uint64_t from,
                                                      bool begins, bool ends) {
    bool loss = !st->ending && (st->item->kind == WF_ITEM_LOSS || st->item->kind == WF_ITEM_DAMAGE);
    bool cutting = st->ending || st->lasting || loss;
    bool outside = st->now > st->end, lasted = ends || cutting || outside;
    struct wf_stats_interval i = {.part = part, .from = from, .from_known = begins};
    bool before = st->o.has_from && (from < st->begin || !begins); // it may begin before the window
    if (lasted && !before && is_time(s)) i.value = wfi_overlap(st, from, st->now);
    if (part == WF_PART_OPEN) {
        bool contradicted = st->inconsistent || st->unpaired_count || st->vague;
        i.lost = !st->ending && !st->lasting && !outside && (begins ? !ends : contradicted);
    } else if (part == WF_PART_UNCOUNTED) {
        i.lost = !st->ending && !ends;
    }
    if (is_observed(st, s)) report(st, s, &i);
}

void wfi_report_uncounted(struct wf_stats *st, const struct wfi_spread *s, uint64_t from,
                          bool begins, bool ends) {
    if (!st->o.on_interval || from > st->end || st->now < st->begin) return;
    report_left_out(st, s, WF_PART_UNCOUNTED, from, begins, ends);
}

// ---- counts

static void count_value(struct wf_stats *st, struct wfi_spread *s, uint64_t from, uint64_t value) {
    const struct wf_histogram *h = &s->histogram;
    bool first = h->count == 0;
    wfi_note_place(&s->at, first || value < h->min, first || value > h->max, from, st->now);
    if (!wf_histogram_add(&s->histogram, value)) st->err = WF_ERR_NOMEM;
}

// These two are not inlined, so that counting costs next to nothing without an observer.
__attribute__((noinline)) static void
report_whole(const struct wf_stats *st, const struct wfi_spread *s, uint64_t from, uint64_t value) {
    struct wf_stats_interval i = {
        .part = WF_PART_WHOLE, .from = from, .from_known = true, .value = value};
    report(st, s, &i);
}

__attribute__((noinline)) static void report_value(struct wf_stats *st, struct wfi_spread *s,
                                                   uint64_t from, uint64_t value) {
    if (!st->o.no_spreads) count_value(st, s, from, value);
    if (is_observed(st, s)) report_whole(st, s, from, value);
}

static inline void add_value(struct wf_stats *st, struct wfi_spread *s, uint64_t from,
                             uint64_t value) {
    if (st->o.on_interval)
        report_value(st, s, from, value);
    else
        count_value(st, s, from, value);
}

// Counts an interval that is not fully known or not in the window. The cause is a hole, or the
// begin or end of the trace or window. Before the first hole it can only be the begin or end.
__attribute__((noinline)) static void count_left_out(struct wf_stats *st, struct wfi_spread *s,
                                                     uint64_t from, bool begins, bool ends) {
    bool known = begins && ends, open = known || st->ending || !st->lossy || st->now > st->end;
    if (from > st->end || st->now < st->begin) return;
    ++*(open ? &s->histogram.open : &s->histogram.in_holes);
    if (st->o.on_interval)
        report_left_out(st, s, open ? WF_PART_OPEN : WF_PART_IN_HOLE, from, begins, ends);
}

void wfi_add_interval(struct wf_stats *st, struct wfi_spread *s, uint64_t from, bool begins,
                      bool ends) {
    if (begins & ends && wfi_in_window(st, from, st->now))
        add_value(st, s, from, st->now - from);
    else
        count_left_out(st, s, from, begins, ends);
}

void wfi_add_change(struct wf_stats *st, struct wfi_spread *s, const struct wf_change *c) {
    if (c->from_known & !c->cut && wfi_in_window(st, c->from, st->now))
        add_value(st, s, c->from, st->now - c->from);
    else
        count_left_out(st, s, c->from_known ? c->from : st->now, c->from_known, !c->cut);
}

void wfi_add_value(struct wf_stats *st, struct wfi_spread *s, uint64_t from, uint64_t value) {
    if (wfi_in_window(st, st->now, st->now)) add_value(st, s, from, value);
}
