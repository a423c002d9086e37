// SPDX-License-Identifier: MIT
// Slots of a lane, merged by time or as they are stored. Each becomes an item of the session;
// counts that the session's ledger lacks are kept by core here.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_kept_names.h"
#include "wallfly_host/wf_merge.h"
#include "wallfly_host/wf_slot_memory.h"
#include "wallfly_host/wf_slot_record.h"
#include "wfi_trace.h"

enum { DELAY_MS = 1000 }; // events of a stream wait this long for silent cores

struct wfi_slots_state {
    struct wf_merge *merge;
    bool ended, own;
    struct wf_slots_item from; // the item points into it
    struct wf_lane_slots counts;
    struct wf_kept_names names; // of an image: applied when their time comes
    size_t names_given;
    struct wf_merge_span image; // the slots copied from it
};

static struct wfi_slots_state *state_of(const struct wf_lane *l) { return l->state[WF_LANE_SLOTS]; }

static enum wfi_sniff sniff_slots(const uint8_t *bytes, size_t len) {
    static const char word[] = "TRACE_HEADER_BEGIN::";
    size_t n = len < sizeof word - 1 ? len : sizeof word - 1;
    if (memcmp(bytes, word, n) != 0) return WFI_SNIFF_NO;
    return n == sizeof word - 1 ? WFI_SNIFF_YES : WFI_SNIFF_PERHAPS;
}

static void close_merge(struct wfi_slots_state *s) {
    wf_merge_close(s->merge);
    s->merge = NULL;
    s->counts.slots = NULL;
}

static int open_slots(struct wf_lane *l) {
    const struct wf_trace_options *o = &l->trace->options;
    struct wf_slots_options slots = {
        .size = sizeof slots, .clock = o->clock, .hz = o->session->hz, .with_control = true};
    struct wf_merge_options options = {
        .size = sizeof options, .slots = &slots, .delay_ms = DELAY_MS, .as_stored = o->as_stored};
    struct wf_error error;
    struct wfi_slots_state *s = state_of(l);
    if (!s) l->state[WF_LANE_SLOTS] = s = calloc(1, sizeof *s);
    if (!s) return WF_ERR_NOMEM;
    close_merge(s);
    s->merge = wf_merge_open(&options, &error);
    if (s->merge) s->counts.slots = wf_merge_slots(s->merge);
    s->ended = error.code != WF_OK;
    return error.code;
}

static void feed_slots(struct wf_lane *l, const uint8_t *bytes, size_t len) {
    struct wfi_slots_state *s = state_of(l);
    if (s->ended) { // another connection
        int err = open_slots(l);
        wfi_fail(l->trace, err);
        if (err != WF_OK) return;
    }
    wf_merge_feed(s->merge, bytes, len);
}

static void end_slots(struct wf_lane *l) {
    struct wfi_slots_state *s = state_of(l);
    if (s->ended) return; // or never begun
    s->ended = true;
    wf_merge_end(s->merge);
    wf_merge_feed(s->merge, NULL, 0);
}

void wfi_slots_end_counts(struct wf_lane *l) {
    if (state_of(l)) close_merge(state_of(l));
}

static void close_slots(struct wf_lane *l) {
    struct wfi_slots_state *s = state_of(l);
    if (!s) return;
    close_merge(s);
    wf_kept_names_free(&s->names);
    free((void *)(uintptr_t)s->image.bytes);
    free(s);
    l->state[WF_LANE_SLOTS] = NULL;
}

// ---- items

static void count_event(struct wfi_slots_state *s, const struct wf_slot_event *e) {
    struct wf_lane_slots *c = &s->counts;
    bool of_trace = e->cls == WF_SLOT_CLASS_CONTROL || (s->own && e->cls == WF_SLOT_CLASS_OWN);
    if (of_trace) return;
    ++c->events[e->core][e->cls];
    if (!e->timed) return;
    if (!c->timed[e->core]) c->tick_first[e->core] = e->tick;
    c->timed[e->core] = true;
    c->tick_last[e->core] = e->tick;
}

static void count_loss(struct wf_lane_slots *c, const struct wf_slots_loss *l) {
    c->lost[l->core] += l->events;
    c->refused[l->core] += l->refused;
    c->gone[l->core] += l->slots;
    c->chunks[l->core] += l->chunks;
    c->not_exact[l->core] |= !l->exact;
}

// Applies the image's names announced up to this event: a name of an object that does not exist yet
// would be wrong.
static void give_names(struct wf_lane *l, const struct wf_slot_event *e) {
    struct wfi_slots_state *s = state_of(l);
    if (!e->timed) return;
    for (; s->names_given < s->names.count; ++s->names_given) {
        const struct wf_kept_name *n = &s->names.names[s->names_given];
        if (n->since > e->tick) return;
        wf_session_learn(l->session, n->id, n->payload, n->len);
    }
}

static void count_item(struct wf_lane *l, const struct wf_slots_item *from) {
    struct wfi_slots_state *s = state_of(l);
    switch (from->kind) {
    case WF_SLOTS_HEADER: s->own = wf_slots_find(s->counts.slots, "WALLFLY") != NULL; break;
    case WF_SLOTS_EVENT:
        count_event(s, &from->event);
        if (s->names_given < s->names.count) give_names(l, &from->event);
        break;
    case WF_SLOTS_LOSS: count_loss(&s->counts, &from->loss); break;
    default: break;
    }
}

static bool next_slots(struct wf_lane *l, struct wf_item *item) {
    struct wfi_slots_state *s = state_of(l);
    if (l->trace->error.code != WF_OK) return false;
    while (wf_merge_next(s->merge, &s->from)) {
        count_item(l, &s->from);
        if (l->trace->options.raw_slots) {
            item->kind = WF_ITEM_SLOT;
            item->slot = &s->from;
            return true;
        }
        if (wf_session_take_slot(l->session, s->counts.slots, &s->from, item)) return true;
    }
    wfi_fail(l->trace, wf_merge_error(s->merge));
    return false;
}

const struct wf_lane_slots *wf_lane_get_slots(struct wf_lane *l) {
    struct wfi_slots_state *s = state_of(l);
    if (!s || !s->counts.slots) return NULL;
    s->counts.late = wf_merge_late(s->merge);
    return &s->counts;
}

// ---- complete inputs

static int read_all(struct wf_lane *l, const struct wf_merge_source *source,
                    struct wf_error *error) {
    struct wfi_slots_state *s = state_of(l);
    int err = wf_merge_read(s->merge, source);
    s->ended = true; // the merge finds the end itself
    return wfi_input_error(error, err);
}

// Slots are read twice, to sort them by time.
static int read_slots(struct wf_lane *l, const struct wf_merge_source *source,
                      struct wf_error *error) {
    if (!l->trace->options.as_stored) return read_all(l, source, error);
    return wf_error_code(error, wfi_feed_source(l->trace, l, source));
}

static int read_names(struct wf_lane *l, const uint8_t *image, size_t len,
                      const struct wf_slot_memory_info *info) {
    uint8_t sync[WF_KEPT_SYNC_LEN];
    struct wf_kept_names *names = &state_of(l)->names;
    int err = wf_kept_names_read(image, len, true, info->build_id, names);
    wf_kept_names_sync(names->sizes, info->hz, info->build_id, sync);
    if (names->count) wf_session_learn(l->session, WF_KEPT_SYNC_ID, sync, sizeof sync);
    return err;
}

int wfi_slots_read_memory(struct wf_lane *l, const uint8_t *image, size_t len,
                          struct wf_error *error) {
    struct wf_error why;
    struct wf_slot_memory *m = wf_slot_memory_open(image, len, NULL, &why);
    if (!m) return wf_error_set(error, why.code, "%s", why.text);
    struct wf_merge_span *all = &state_of(l)->image;
    int err = read_names(l, image, len, wf_slot_memory_get_info(m));
    if (err == WF_OK) all->bytes = wf_slot_memory_read_all(m, &all->len);
    wf_slot_memory_close(m);
    if (!all->bytes) return wf_error_code(error, WF_ERR_NOMEM);
    return read_all(l, &(struct wf_merge_source){all, wf_merge_span_at}, error);
}

static int read_memory(struct wf_lane *l, const struct wf_merge_source *source,
                       struct wf_error *error) {
    struct wf_merge_span all;
    int err = wfi_load_source(l->trace, source, &all, error);
    return err == WF_OK ? wfi_slots_read_memory(l, all.bytes, all.len, error) : err;
}

const struct wfi_reader wfi_reader_slots = {
    .format = WF_LANE_SLOTS,
    .sniff = sniff_slots,
    .open = open_slots,
    .feed = feed_slots,
    .next = next_slots,
    .end = end_slots,
    .close = close_slots,
    .stays = true,
    .is_file = wf_slots_has_attributes,
    .read = read_slots,
};

// A file with an image of slot memory.
const struct wfi_reader wfi_reader_slot_memory = {
    .format = WF_LANE_SLOTS,
    .open = open_slots,
    .feed = feed_slots,
    .next = next_slots,
    .end = end_slots,
    .is_file = wf_slots_has_memory,
    .read = read_memory,
};
