// SPDX-License-Identifier: MIT
// Handles an item: the model takes it, and its changes are passed to the functions that make
// slices. A slice is added when it ends; its track keeps the open one. Cores are checked after each
// item, because a switch to idle is not a change of the model.

#include "util/wfi_options.h"
#include "wfi_timeline.h"

#include <stdlib.h>
#include <string.h>

static void take_change(struct wf_timeline *t, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_TASK:
    case WF_CHANGE_CREATE:
    case WF_CHANGE_PRIORITY:
    case WF_CHANGE_WAKE: wfi_tl_take_task(t, c); break;
    case WF_CHANGE_IRQ_BEGIN:
    case WF_CHANGE_IRQ_END: wfi_tl_take_irq(t, c); break;
    case WF_CHANGE_UNPAIRED: wfi_tl_take_unpaired(t, c); break;
    case WF_CHANGE_SPAN:
    case WF_CHANGE_SPAN_END: wfi_tl_take_span(t, c); break;
    case WF_CHANGE_COUNTER: wfi_tl_take_counter(t, c); break;
    case WF_CHANGE_LOSS: wfi_tl_take_loss(t, c); break;
    case WF_CHANGE_LOW:
        if (c->task)
            wfi_tl_take_task(t, c);
        else if (c->got)
            wfi_tl_take_object(t, c);
        if (c->got) ++t->revision;
        break;
    default: wfi_tl_take_object(t, c);
    }
}

static void take_changes(struct wf_timeline *t) {
    size_t count;
    const struct wf_change *changes = wf_model_changes(t->m, &count);
    for (size_t i = 0; i < count; ++i) {
        wfi_tl_load_change(t, &changes[i], i == 0);
        take_change(t, &changes[i]);
    }
    if (count) t->load.changed_at = wf_model_tick(t->m);
    if (wf_model_error(t->m) != WF_OK) t->err = wf_model_error(t->m);
}

// Returns true if names may have changed.
static bool may_change_names(const struct wf_item *item) {
    if (item->kind == WF_ITEM_EVENT) // numbers of thread states are below those of processes
        return item->event->cls == WF_SLOT_CLASS_PR_TH && (item->event->event & 0x1FF) >= 64;
    const struct wf_row *row = item->record.row;
    return row && (row->group == WF_GROUP_DICT || row->effect == WF_EFFECT_TARGET_INFO);
}

static void count_item(struct wf_timeline *t, const struct wf_item *item) {
    const struct wf_slot_event *event = item->kind == WF_ITEM_EVENT ? item->event : NULL;
    bool timed = event ? event->timed : item->record.stamped || wf_session_has_time(t->s);
    uint64_t tick = event ? event->tick : item->record.tick;
    ++t->records;
    if (may_change_names(item)) ++t->revision;
    if (timed && (!t->known || tick < t->first)) t->first = tick;
    if (timed && (!t->known || tick > t->last)) t->last = tick;
    t->known |= timed;
}

static bool is_from_target(const struct wf_item *item) {
    return item->kind == WF_ITEM_RECORD || item->kind == WF_ITEM_EVENT;
}

static bool is_closed(const struct wf_timeline *t) { return t->err == WF_ERR_NOMEM || t->ended; }

static void before_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_timeline *t = (struct wf_timeline *)sink;
    if (is_closed(t)) return;
    if (is_from_target(item)) count_item(t, item);
    t->losses = wf_model_losses(t->m);
}

static void take_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_timeline *t = (struct wf_timeline *)sink;
    if (is_closed(t)) return;
    bool lost = t->losses != wf_model_losses(t->m);
    if (lost) wfi_tl_extend_hole(t, item);
    take_changes(t);
    t->dirty |= is_from_target(item) && !lost
                    ? (uint64_t)1 << wf_model_item_core(t->m) % WF_MODEL_CORES
                    : UINT64_MAX;
    wfi_tl_watch_cores(t);
    if (item->kind == WF_ITEM_RECORD) wfi_tl_mark_record(t, &item->record);
    if (item->kind == WF_ITEM_EVENT) wfi_tl_mark_event(t, item->event);
}

static void take_end(struct wfi_sink *sink) {
    struct wf_timeline *t = (struct wf_timeline *)sink;
    if (is_closed(t)) return;
    t->ended = true;
    wfi_tl_load_end(t);
    take_changes(t);
    for (unsigned i = 0; i < t->track_count; ++i)
        wfi_tl_end(t, t->tracks[i], wf_model_tick(t->m), true);
}

void wf_timeline_take(struct wf_timeline *t, const struct wf_item *item) {
    if (!is_closed(t)) wf_sinks_item(t->sinks, item);
}

void wf_timeline_end(struct wf_timeline *t) { wf_sinks_end(t->sinks); }

struct wf_timeline *wf_timeline_open(struct wf_session *s,
                                     const struct wf_timeline_options *options,
                                     struct wf_error *error) {
    struct wf_timeline_options o;
    struct wf_timeline *t = calloc(1, sizeof *t);
    int err = t ? wfi_options_copy(&o, sizeof o, options) : WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err != WF_OK) {
        free(t);
        return NULL;
    }
    t->s = s;
    t->memory_limit = o.memory_limit;
    t->sink = (struct wfi_sink){.before = before_item, .item = take_item, .end = take_end};
    t->sinks = wfi_sink_join(&t->sink, s, o.sinks, &t->own_sinks);
    if (t->sinks) t->m = wfi_sinks_model(t->sinks);
    t->flows = calloc(WFI_TL_FLOWS, sizeof *t->flows);
    t->cache = calloc(WFI_TL_CACHE, sizeof *t->cache);
    t->scratch = malloc(WFI_TL_PAGE_MOST);
    bool good = wfi_store_open(&t->store, &o) && t->m && t->flows && t->cache && t->scratch;
    for (unsigned i = 0; good && i < WFI_TL_CACHE; ++i) t->cache[i].at = WFI_TL_NOWHERE;
    if (good) {
        wfi_tl_entity(t, WF_ENTITY_SPECIAL, WF_ENTITY_NONE, 0, NULL);
        wfi_tl_entity(t, WF_ENTITY_SPECIAL, WF_ENTITY_IDLE, 0, NULL);
        good = t->err == WF_OK;
    }
    if (good) return t;
    wf_error_code(error, WF_ERR_NOMEM);
    wf_timeline_close(t);
    return NULL;
}

void wf_timeline_close(struct wf_timeline *t) {
    if (!t) return;
    wfi_tl_load_close(t);
    wfi_tl_entities_close(t);
    wfi_series_close(&t->arrows);
    for (unsigned i = 0; i < WFI_TL_LEVELS; ++i) free(t->fifos[i].at);
    wfi_sink_leave(&t->sink, t->sinks, t->own_sinks);
    free(t->flows);
    wfi_store_close(&t->store);
    for (unsigned i = 0; t->cache && i < WFI_TL_CACHE; ++i) free(t->cache[i].bytes);
    free(t->cache);
    free(t->scratch);
    free(t);
}

int wf_timeline_error(const struct wf_timeline *t) { return t->err; }

void wf_timeline_extent(const struct wf_timeline *t, struct wf_timeline_span *span) {
    uint64_t model = wf_model_tick(t->m); // without some events that have a time
    *span = (struct wf_timeline_span){.known = t->known,
                                      .first = t->first,
                                      .last = model > t->last ? model : t->last,
                                      .hz = wf_session_target(t->s)->hz,
                                      .records = t->records,
                                      .kept = t->kept > t->first ? t->kept : t->first};
}
