// SPDX-License-Identifier: MIT
// Spans and counters by their text, and the steps of state machines: from an event's dispatch to
// the record that says what became of it.

#include "wfi_stats.h"

static void counter(struct wf_stats *st, const struct wf_change *c) {
    struct wfi_entry *e =
        wfi_stat_entry(st, (struct wfi_key){.kind = WF_STATS_COUNTER, .a = c->text});
    if (!wfi_in_window(st, st->now, st->now)) return;
    if (e->n[0] == 0 || c->value < e->least) e->least = c->value;
    if (e->n[0] == 0 || c->value > e->most) e->most = c->value;
    e->latest = c->value;
    e->total += (double)c->value;
    ++e->n[0];
}

void wfi_note_change(struct wf_stats *st, const struct wf_change *c) {
    if (c->kind == WF_CHANGE_COUNTER) counter(st, c);
    if (c->kind != WF_CHANGE_SPAN_END) return;
    struct wfi_entry *e = wfi_stat_entry(st, (struct wfi_key){.kind = WF_STATS_SPAN, .a = c->text});
    wfi_interval(st, &e->spread[0], c->from, st->now, c->from_known && !c->cut);
}

void wfi_machine(struct wf_stats *st, const struct wf_record *r) {
    enum wf_effect effect = r->row->effect;
    bool ends = effect == WF_EFFECT_TRANSITION || effect == WF_EFFECT_INTERNAL ||
                effect == WF_EFFECT_IGNORE;
    if (!ends && effect != WF_EFFECT_DISPATCH) return;
    int at = -1;
    bool stamp = false; // steps within a transition have none
    for (unsigned i = 0; i < r->row->count; ++i) {
        if (r->row->fields[i].kind == WF_KIND_OBJECT) at = (int)i;
        stamp |= r->row->fields[i].kind == WF_KIND_STAMP;
    }
    if (at < 0 || !stamp) return;
    struct wfi_entry *e =
        wfi_stat_entry(st, (struct wfi_key){.kind = WF_STATS_MACHINE, .a = r->value[at]});
    bool whole = e->last_known && e->epoch == st->epoch;
    if (effect == WF_EFFECT_DISPATCH) {
        if (e->last_known) wfi_left_out(st, &e->spread[0]); // its end is not here
    } else {
        wfi_interval(st, &e->spread[0], e->last, st->now, whole);
    }
    e->last_known = effect == WF_EFFECT_DISPATCH;
    e->last = st->now;
    e->epoch = st->epoch;
}
