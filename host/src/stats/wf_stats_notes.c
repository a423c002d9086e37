// SPDX-License-Identifier: MIT
// Spans and counters by their text, and the steps of state machines: from the dispatch of an event
// to the record of its result.

#include "wfi_stats.h"

static void count_value(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_entry *e =
        wfi_stat_entry(st, (struct wfi_key){.kind = WF_STATS_COUNTER, .a = c->text});
    if (!wfi_in_window(st, st->now, st->now)) return;
    bool less = e->n[0] == 0 || c->value < e->least, more = e->n[0] == 0 || c->value > e->most;
    wfi_note_place(&e->at, less, more, st->now, st->now);
    if (less) e->least = c->value;
    if (more) e->most = c->value;
    e->latest = c->value;
    e->total += (double)c->value;
    ++e->n[0];
}

void wfi_note_change(struct wf_stats *st, const struct wf_change *c) {
    if (c->kind == WF_CHANGE_COUNTER) count_value(st, c);
    if (c->kind != WF_CHANGE_SPAN_END) return;
    struct wfi_entry *e = wfi_stat_entry(st, (struct wfi_key){.kind = WF_STATS_SPAN, .a = c->text});
    e->task = c->task;
    st->lasting = c->cut && c->task && c->task->state == WF_TASK_ENDED;
    wfi_add_change(st, &e->spread[0], c);
    st->lasting = false;
}

void wfi_machine_change(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_entry *e =
        wfi_stat_entry(st, (struct wfi_key){.kind = WF_STATS_MACHINE, .a = c->object->key});
    e->object = c->object;
    wfi_add_change(st, &e->spread[0], c);
}
