// SPDX-License-Identifier: MIT
// Interrupts, spans, counters, user records and log texts, losses and filters.

#include <string.h>

#include "wfi_timeline.h"

// ---- interrupts: a row for each interrupt of a core

static uint32_t irq_entity(struct wf_timeline *t, unsigned core, unsigned irq) {
    uint32_t entity = wfi_tl_entity(t, WF_ENTITY_IRQ, irq, core, NULL);
    if (entity == WF_ENTITY_NONE || t->entities[entity].row != WF_NO_TRACK) return entity;
    uint32_t row = wfi_tl_row(t, WF_ROW_IRQ, entity, (int)core);
    struct wfi_track *track = wfi_tl_track(t, row, WF_TRACK_IRQS, 0);
    t->entities[entity].row = row;
    t->entities[entity].track = track;
    return entity;
}

static void begin_irq(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_core *own) {
    const struct wf_core *core = wf_model_core(t->m, c->core);
    if (own->irq_count == WF_IRQ_DEPTH || core->irqs > WF_IRQ_DEPTH) return;
    uint32_t entity = irq_entity(t, c->core, c->irq);
    if (entity == WF_ENTITY_NONE) return;
    own->irqs[own->irq_count++] = entity;
    struct wfi_tl_entity *n = &t->entities[entity];
    // An interrupt may nest in itself.
    if (n->nest++ == 0) wfi_tl_begin(n->track, c->tick, 1, core->irqs ? core->irqs - 1 : 0, false);
}

static void end_irq(struct wf_timeline *t, const struct wf_change *c, struct wfi_tl_core *own) {
    uint32_t entity = irq_entity(t, c->core, c->irq);
    if (entity == WF_ENTITY_NONE) return;
    if (c->from_known && own->irq_count) {
        uint32_t began = own->irqs[--own->irq_count];
        struct wfi_tl_entity *n = &t->entities[began];
        if (c->why && n->track) n->track->now.value = 2;
        if (--n->nest == 0) wfi_tl_end(t, n->track, c->tick, c->cut || began != entity);
        if (began == entity) return;
    }
    if (t->entities[entity].nest) return;
    struct wfi_slice s = {.begin = c->from ? c->from : c->tick, .end = c->tick, .value = 1};
    s.flags = WF_PIECE_BEGIN_CUT | (c->cut ? WF_PIECE_END_CUT : 0u);
    wfi_tl_slice(t, t->entities[entity].track, &s);
}

void wfi_tl_take_irq(struct wf_timeline *t, const struct wf_change *c) {
    struct wfi_tl_core *own = wfi_tl_core(t, c->core);
    if (!own) return;
    if (c->kind == WF_CHANGE_IRQ_BEGIN)
        begin_irq(t, c, own);
    else
        end_irq(t, c, own);
}

void wfi_tl_take_unpaired(struct wf_timeline *t, const struct wf_change *c) {
    uint32_t entity = irq_entity(t, c->core, c->irq);
    if (entity == WF_ENTITY_NONE) return;
    struct wfi_track *track = wfi_tl_track(t, t->entities[entity].row, WF_TRACK_UNPAIRED, 0);
    struct wfi_slice s = {.begin = c->tick, .end = c->tick, .value = c->got ? 1 : 2};
    s.more = (uint32_t)c->value;
    wfi_tl_slice(t, track, &s);
}

uint32_t wfi_tl_irq_row(struct wf_timeline *t, unsigned core) {
    const struct wf_core *c = wf_model_core(t->m, core);
    if (!c->irqs_known || !c->irqs || c->irqs > WF_IRQ_DEPTH) return WF_NO_TRACK;
    uint32_t entity = irq_entity(t, core, c->irq[c->irqs - 1]);
    return entity == WF_ENTITY_NONE ? WF_NO_TRACK : t->entities[entity].row;
}

// ---- spans: nested ones are a stack, as in the model

static struct wfi_track *span_track(struct wf_timeline *t, const struct wf_change *c,
                                    struct wfi_track **first, unsigned level) {
    struct wfi_track **at = first;
    for (unsigned i = 0; *at && i < level; ++i) at = &(*at)->above;
    if (*at) return *at;
    uint32_t row = WF_NO_TRACK;
    if (c->task) {
        row = wfi_tl_task_row(t, c->task);
    } else {
        wfi_tl_core_row(t, c->core);
        row = t->cores[c->core] ? t->cores[c->core]->row : WF_NO_TRACK;
    }
    *at = wfi_tl_track(t, row, WF_TRACK_SPANS, level);
    return *at;
}

void wfi_tl_take_span(struct wf_timeline *t, const struct wf_change *c) {
    struct wfi_tl_task *task = c->task ? wfi_tl_task(t, c->task) : NULL;
    struct wfi_tl_core *core = c->task ? NULL : wfi_tl_core(t, c->core);
    if (!task && !core) return;
    struct wfi_track **first = task ? &task->spans : &core->spans;
    unsigned *count = task ? &task->span_count : &core->span_count;
    uint32_t text = wfi_tl_entity(t, WF_ENTITY_TEXT, c->text, 0, NULL);
    if (c->kind == WF_CHANGE_SPAN) {
        if (*count == WF_SPANS_OPEN) return; // the model does not keep it
        wfi_tl_begin(span_track(t, c, first, (*count)++), c->tick, text, 0, false);
    } else if (c->from_known && *count) {
        wfi_tl_end(t, span_track(t, c, first, --*count), c->tick, c->cut);
    } else if (!*count) { // it began in a hole
        struct wfi_slice s = {.begin = c->tick,
                              .end = c->tick,
                              .value = text,
                              .flags = WF_PIECE_BEGIN_CUT | (c->cut ? WF_PIECE_END_CUT : 0u)};
        wfi_tl_slice(t, span_track(t, c, first, 0), &s);
    }
}

// ---- counters

void wfi_tl_take_counter(struct wf_timeline *t, const struct wf_change *c) {
    uint32_t entity = wfi_tl_entity(t, WF_ENTITY_TEXT, c->text, 0, NULL);
    if (entity == WF_ENTITY_NONE) return;
    if (t->entities[entity].row == WF_NO_TRACK) {
        uint32_t row = wfi_tl_row(t, WF_ROW_COUNTER, entity, -1);
        t->entities[entity].row = row;
        t->entities[entity].track = wfi_tl_track(t, row, WF_TRACK_LEVEL, 0);
    }
    struct wfi_track *track = t->entities[entity].track;
    if (!track) return;
    wfi_tl_level(t, track, c->tick, c->value);
    // A core with a loss may change it at any time.
    if (wf_model_is_blind(t->m)) wfi_tl_end(t, track, c->tick, true);
    if (track->listed || !track->open) return;
    track->above = t->counters;
    track->listed = true;
    t->counters = track;
}

// Visits only the open counters, so that a loss costs no more than it invalidates.
static void cut_counters(struct wf_timeline *t, uint64_t tick) {
    for (struct wfi_track *c = t->counters; c; c = c->above) {
        wfi_tl_end(t, c, tick, true);
        c->listed = false;
    }
    t->counters = NULL;
}

// ---- user records, log texts, assertions

static uint32_t entity_of(struct wf_timeline *t, const struct wf_record *r) {
    if (r->row == &wf_user_row) return WF_ENTITY_NONE;
    int at = wf_row_place(r->row, WF_KIND_ACTOR);
    const struct wf_task *task = at < 0 ? NULL : wf_model_find_task(t->m, r->value[at]);
    return task ? wfi_tl_task_entity(t, task) : WF_ENTITY_NONE;
}

static void add_mark(struct wf_timeline *t, int64_t number, uint32_t entity) {
    if (!t->records_track) {
        uint32_t row = wfi_tl_row(t, WF_ROW_RECORDS, WF_ENTITY_NONE, -1);
        t->records_track = wfi_tl_track(t, row, WF_TRACK_MARKS, 0);
    }
    uint64_t tick = wf_model_tick(t->m);
    struct wfi_slice s = {.begin = tick, .end = tick, .value = number, .more = entity};
    wfi_tl_slice(t, t->records_track, &s);
}

void wfi_tl_mark_record(struct wf_timeline *t, const struct wf_record *r) {
    if (!t->known || !r->row) return;
    bool user = r->row->group == WF_GROUP_USER || r->row->group == WF_GROUP_FAIL;
    if (user || r->row->effect == WF_EFFECT_LOG) add_mark(t, r->id, entity_of(t, r));
}

void wfi_tl_mark_event(struct wf_timeline *t, const struct wf_slot_event *e) {
    if (t->known && e->cls == WF_SLOT_CLASS_USER)
        add_mark(t, WF_MARK_EVENT + e->event, WF_ENTITY_NONE);
}

// ---- losses

static uint32_t link_row(struct wf_timeline *t, int core) {
    for (unsigned i = 0; i < t->row_count; ++i) {
        if (t->rows[i].kind == WF_ROW_LINK && t->rows[i].core == core) return i;
    }
    return wfi_tl_row(t, WF_ROW_LINK, WF_ENTITY_NONE, core);
}

static unsigned core_of(const struct wf_timeline *t, const struct wf_item *item) {
    if (!wf_session_has_slots(t->s)) return 0;
    switch (item->kind) {
    case WF_ITEM_LOSS: return item->loss.core;
    case WF_ITEM_RECORD: return item->record.core;
    case WF_ITEM_EVENT: return item->event->core;
    default: return 0;
    }
}

// Merges holes that begin at the same tick: the page could neither distinguish nor select them. All
// holes before the first time begin at the same tick.
static void begin_hole(struct wf_timeline *t, struct wfi_tl_core *own) {
    uint64_t tick = wf_model_tick(t->m), first = t->known ? t->first : tick;
    struct wfi_track *loss = own->loss;
    if (loss && loss->held && (tick <= first || loss->now.begin == tick)) {
        loss->held = false;
    } else {
        wfi_tl_end(t, loss, tick, false);
        wfi_tl_begin(loss, tick, 0, 0, false);
        own->exact = true;
        own->lost = 0;
    }
    own->lost_any = true;
    own->counted = false;
}

// Begins a hole or extends it.
void wfi_tl_extend_hole(struct wf_timeline *t, const struct wf_item *item) {
    unsigned core = core_of(t, item);
    struct wfi_tl_core *own = wfi_tl_core(t, core);
    if (!own) return;
    cut_counters(t, wf_model_tick(t->m));
    bool by_core = wf_session_has_slots(t->s) && wf_session_target(t->s)->cores > 1;
    if (!own->loss)
        own->loss = wfi_tl_track(t, link_row(t, by_core ? (int)core : -1), WF_TRACK_LOSS, 0);
    if (!own->lost_any) begin_hole(t, own);
    if (item->kind == WF_ITEM_LOSS) { // damage comes before the loss that it is part of
        own->lost += item->loss.records;
        own->exact &= item->loss.exact;
        own->counted = true;
    }
    if (!own->loss) return;
    own->loss->now.value = (int64_t)own->lost;
    own->loss->now.more = own->exact && own->counted;
}

void wfi_tl_take_loss(struct wf_timeline *t, const struct wf_change *c) {
    struct wfi_tl_core *own = wfi_tl_core(t, wf_session_has_slots(t->s) ? c->core : 0);
    if (!own || !own->lost_any) return;
    own->lost_any = false;
    wfi_tl_hold(own->loss, c->tick);
}

// ---- filters

// A group is off if all of its filterable records are.
static int64_t groups_off(const uint8_t bitmap[16]) {
    uint64_t any = 0, on = 0;
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        uint64_t group = (uint64_t)1 << row->group;
        any |= group;
        if (row->id < 128 && bitmap[row->id / 8] & 1u << row->id % 8) on |= group;
    }
    uint64_t user = (uint64_t)1 << WF_GROUP_USER;
    any |= user;
    for (unsigned id = WF_USER_FIRST; id <= WF_USER_LAST; ++id) {
        if (bitmap[id / 8] & 1u << id % 8) on |= user;
    }
    const uint64_t always = (uint64_t)1 << WF_GROUP_INFO | (uint64_t)1 << WF_GROUP_DICT |
                            (uint64_t)1 << WF_GROUP_TEST | (uint64_t)1 << WF_GROUP_FAIL |
                            (uint64_t)1 << WF_GROUP_WF;
    return (int64_t)(any & ~on & ~always);
}

void wf_timeline_filters(struct wf_timeline *t, const uint8_t bitmap[16]) {
    int64_t off = groups_off(bitmap);
    uint64_t tick = wf_model_tick(t->m);
    if (t->err == WF_ERR_NOMEM || t->ended || (!off && !t->filters)) return;
    if (!t->filters) t->filters = wfi_tl_track(t, link_row(t, -1), WF_TRACK_FILTERS, 0);
    if (!t->filters || (t->filters->open && t->filters->now.value == off)) return;
    wfi_tl_end(t, t->filters, tick, false);
    if (off) wfi_tl_begin(t->filters, tick, off, 0, false);
}
