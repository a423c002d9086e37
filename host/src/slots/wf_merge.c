// SPDX-License-Identifier: MIT
// Merges the cores of a slot trace. A first pass lists blocks: the start of each, the reader's
// state there, and the first tick of the events that end in it. Blocks are then decoded in the
// order of their first ticks; events before the first tick of the next block are returned. Of a
// stream, events that all cores have passed are returned.

#include "wfi_merge.h"

#include <stdlib.h>

#include "util/wfi_options.h"

struct wf_merge *wf_merge_open(const struct wf_merge_options *options, struct wf_error *error) {
    struct wf_merge *m = calloc(1, sizeof *m);
    int err = m ? wfi_options_copy(&m->options, sizeof m->options, options) : WF_ERR_NOMEM;
    if (err == WF_OK)
        err = wfi_options_copy(&m->slots_options, sizeof m->slots_options, m->options.slots);
    if (err != WF_OK) {
        wf_error_code(error, err);
        free(m);
        return NULL;
    }
    m->options.slots = &m->slots_options;
    if (!m->options.memory) m->options.memory = WFI_MEMORY;
    struct wf_slots_options slots = m->slots_options;
    if (!m->options.as_stored) slots.with_control = true; // they advance the cores of a stream
    m->slots = wf_slots_open(&slots, NULL);
    m->piece = malloc(WFI_MERGE_PIECE);
    m->long_words = malloc(WF_SLOT_WORDS_MAX * sizeof(uint32_t));
    wfi_reorder_open(&m->reorder, m->options.memory);
    if (m->slots && m->piece && m->long_words) {
        wf_error_code(error, WF_OK);
        return m;
    }
    wf_error_code(error, WF_ERR_NOMEM);
    wf_merge_close(m);
    return NULL;
}

void wf_merge_close(struct wf_merge *m) {
    if (!m) return;
    wf_slots_close(m->slots);
    wf_slots_close(m->part);
    wfi_reorder_close(&m->reorder);
    wfi_merge_forget_notes(m);
    free(m->notes);
    free(m->blocks);
    free(m->saved);
    free(m->saved_cores);
    free(m->chains);
    free(m->piece);
    free(m->long_words);
    free(m->returned);
    free(m);
}

void wfi_merge_fail(struct wf_merge *m, int err) {
    if (m->err == WF_OK) m->err = err;
}

int64_t wfi_merge_piece(struct wf_merge *m, uint64_t offset) {
    int64_t n = m->source.read_at(m->source.ctx, offset, m->piece, WFI_MERGE_PIECE);
    if (n < 0 || n > WFI_MERGE_PIECE) wfi_merge_fail(m, WF_ERR_READ);
    return m->err == WF_OK ? n : 0;
}

int64_t wf_merge_span_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    const struct wf_merge_span *s = ctx;
    if (offset >= s->len) return 0;
    if (len > s->len - offset) len = s->len - (size_t)offset;
    memcpy(buf, s->bytes + offset, len);
    return (int64_t)len;
}

// Feeds the next piece of the source to a reader.
static void feed_piece(struct wf_merge *m, struct wf_slots *s) {
    int64_t n = wfi_merge_piece(m, m->load_at);
    wf_slots_feed(s, m->piece, (size_t)n);
    m->load_at += (uint64_t)n;
    if (n == 0) wf_slots_end(s);
}

// ---- events into the reorder buffer

static void put_event(struct wf_merge *m, const struct wf_slot_event *e) {
    struct wfi_entry entry = {.tick = e->tick,
                              .offset = e->offset,
                              .head = e->head,
                              .count = (uint16_t)e->count,
                              .unused = (uint8_t)(4 * e->count - e->len),
                              .flags = e->timed ? WFI_ENTRY_TIMED : 0};
    if (e->count > 2) {
        entry.flags |= WFI_ENTRY_LONG;
        entry.at.longer = malloc((size_t)e->count * 4);
        if (!entry.at.longer) {
            wfi_merge_fail(m, WF_ERR_NOMEM);
            return;
        }
        memcpy(entry.at.longer, e->bytes, (size_t)e->count * 4);
    } else {
        memcpy(entry.at.raw, e->bytes, sizeof entry.at.raw);
    }
    wfi_reorder_put(&m->reorder, e->core, &entry);
}

// An item that is no event waits with the events of its core.
static void put_other(struct wf_merge *m, const struct wf_slots *s,
                      const struct wf_slots_item *item) {
    bool loss = item->kind == WF_SLOTS_LOSS;
    unsigned core = loss ? item->loss.core : item->damage.core;
    struct wfi_entry entry = {.tick = loss ? item->loss.tick_before : wfi_place(&s->core[core]),
                              .offset = loss ? item->loss.offset : item->damage.offset,
                              .flags = WFI_ENTRY_ITEM};
    entry.at.item = malloc(sizeof *item);
    if (!entry.at.item) {
        wfi_merge_fail(m, WF_ERR_NOMEM);
        return;
    }
    *entry.at.item = *item;
    wfi_reorder_put(&m->reorder, core, &entry);
}

static void begin_load(struct wf_merge *m) {
    const struct wfi_block *b = m->loading = &m->blocks[m->blocks_at++];
    m->load_at = m->saved[b->saved].offset;
    wfi_slots_restore(m->part, m->slots, &m->saved[b->saved], wfi_merge_cores(m, b->saved));
    wfi_chains_restore(m->part, m->chains + b->chains, b->chains_len);
}

// The next item of the loaded block. Chains that are open at its end belong to the next block.
static bool next_of_block(struct wf_merge *m, struct wf_slots_item *item) {
    if (!wf_slots_next(m->part, item)) return false;
    uint64_t at = wfi_at(&m->part->in), end = m->loading->end;
    return at < end || (at == end && !wfi_merge_is_between(item));
}

// Returns whether the block exceeds the memory. It can only do so where so many chains were open
// that no block could begin.
static bool is_too_long(const struct wf_merge *m) {
    return m->load_at - m->saved[m->loading->saved].offset > WFI_BLOCKS_LONG * m->block_bytes &&
           wfi_reorder_full(&m->reorder);
}

// Decodes the next block, or more of one that is too long.
static void load_block(struct wf_merge *m) {
    struct wf_slots *s = m->part;
    struct wf_slots_item item;
    if (!m->loading) begin_load(m);
    for (;;) {
        while (m->err == WF_OK && next_of_block(m, &item)) {
            if (item.kind == WF_SLOTS_EVENT)
                put_event(m, &item.event);
            else
                put_other(m, s, &item);
            if (is_too_long(m)) return;
        }
        if (wf_slots_error(s) != WF_OK || m->reorder.failed) wfi_merge_fail(m, WF_ERR_NOMEM);
        if (m->err != WF_OK || s->in.ending || wfi_at(&s->in) >= m->loading->end) break;
        feed_piece(m, s);
    }
    m->loading = NULL;
    m->all = m->blocks_at == m->blocks_count;
    if (!m->all) m->limit = m->blocks[m->blocks_at].least;
}

// ---- streams

void wf_merge_feed(struct wf_merge *m, const void *bytes, size_t len) {
    wf_slots_feed(m->slots, bytes, len);
}

void wf_merge_end(struct wf_merge *m) {
    wf_slots_end(m->slots);
    m->ended = true;
}

// Events that all cores have passed may be returned.
static void set_limit(struct wf_merge *m) {
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < WF_SLOT_CORES; ++i) {
        if (!m->seen[i] && (!m->slots->cores_known || i >= m->slots->cores)) continue;
        if (m->passed[i] < least) least = m->passed[i];
    }
    uint64_t delay = m->options.delay;
    if (!delay) delay = wf_slots_hz(m->slots) / 1000 * m->options.delay_ms;
    if (delay && m->newest > delay && least < m->newest - delay) least = m->newest - delay;
    if (least != UINT64_MAX && least > m->limit) m->limit = least;
}

// What follows of a core has no earlier place, except a loss that was reported already.
static void set_passed(struct wf_merge *m, unsigned core) {
    const struct wfi_core *c = &m->slots->core[core];
    const uint64_t place = wfi_place(c);
    if (!c->timed || c->lossy || (!c->any && !c->mark)) return;
    m->seen[core] = true;
    if (place > m->passed[core]) m->passed[core] = place;
    if (place > m->newest) m->newest = place;
}

// Takes some events of a stream into the reorder buffer. Returns NONE_TAKEN when it needs more
// bytes, or at the end; AT_ONCE for the header and its faults, which do not wait.
enum taken { NONE_TAKEN, SOME_TAKEN, AT_ONCE };
static enum taken take_some(struct wf_merge *m, struct wf_slots_item *item) {
    unsigned n = 0;
    for (; n < WFI_BATCH && m->err == WF_OK; ++n) {
        if (!wf_slots_next(m->slots, item)) break;
        if (item->kind != WF_SLOTS_EVENT) {
            bool header =
                item->kind == WF_SLOTS_HEADER ||
                (item->kind == WF_SLOTS_DAMAGE && item->damage.kind == WF_SLOTS_BAD_HEADER);
            if (header) return AT_ONCE;
            put_other(m, m->slots, item);
            continue;
        }
        const struct wf_slot_event *e = &item->event;
        set_passed(m, e->core);
        if (!wfi_is_control(m->slots, e->cls) || m->slots_options.with_control) put_event(m, e);
    }
    if (wf_slots_error(m->slots) != WF_OK || m->reorder.failed) wfi_merge_fail(m, WF_ERR_NOMEM);
    set_limit(m);
    if (n == 0 && m->ended) m->all = true;
    return n ? SOME_TAKEN : NONE_TAKEN;
}

// ---- out

static void fill_event(struct wf_merge *m, struct wf_slots_item *item) {
    struct wfi_entry *entry = &m->entry;
    struct wf_slot_event *e = &item->event;
    bool swap = m->slots->swap;
    const uint8_t *raw = entry->at.raw;
    uint32_t *words = m->words;
    if (entry->flags & WFI_ENTRY_LONG) {
        raw = m->returned = entry->at.longer;
        words = m->long_words;
    }
    for (unsigned i = 0; i < entry->count; ++i) words[i] = wfi_load(raw + 4 * i, swap);
    item->kind = WF_SLOTS_EVENT;
    wfi_event_head(e, entry->head);
    e->timed = entry->flags & WFI_ENTRY_TIMED;
    e->tick = entry->tick;
    e->offset = entry->offset;
    e->words = words;
    e->bytes = raw;
    e->count = entry->count;
    e->len = 4u * entry->count - entry->unused;
    if (m->any && e->tick < m->last)
        ++m->late;
    else
        m->last = e->tick;
    m->any = true;
}

static void take_earliest(struct wf_merge *m, struct wf_slots_item *item) {
    wfi_reorder_take(&m->reorder, &m->entry);
    if (!(m->entry.flags & WFI_ENTRY_ITEM)) {
        fill_event(m, item);
        return;
    }
    *item = *m->entry.at.item;
    m->returned = m->entry.at.item;
}

static bool may_return(const struct wf_merge *m) {
    if (!m->reorder.count) return false;
    return m->all || m->reorder.heap[0].tick < m->limit || wfi_reorder_full(&m->reorder);
}

static bool next_stored(struct wf_merge *m, struct wf_slots_item *item) {
    while (!wf_slots_next(m->slots, item)) {
        if (wf_slots_error(m->slots) != WF_OK) wfi_merge_fail(m, WF_ERR_NOMEM);
        if (m->err != WF_OK || !m->reading || m->slots->in.ending) return false;
        feed_piece(m, m->slots);
    }
    return m->err == WF_OK;
}

bool wf_merge_next(struct wf_merge *m, struct wf_slots_item *item) {
    if (m->options.as_stored) return next_stored(m, item);
    if (m->returned) {
        free(m->returned);
        m->returned = NULL;
    }
    if (m->notes_at < m->notes_count) {
        *item = m->notes[m->notes_at++];
        return true;
    }
    while (m->err == WF_OK && !may_return(m)) {
        if (m->reading) {
            if (!m->loading && m->blocks_at == m->blocks_count) return false;
            load_block(m);
            continue;
        }
        enum taken taken = take_some(m, item);
        if (taken == AT_ONCE) return true;
        if (taken == NONE_TAKEN && !may_return(m)) return false;
    }
    if (m->err != WF_OK) return false;
    take_earliest(m, item);
    return true;
}

int wf_merge_error(const struct wf_merge *m) { return m->err; }
uint64_t wf_merge_late(const struct wf_merge *m) { return m->late; }
const struct wf_slots *wf_merge_slots(const struct wf_merge *m) { return m->slots; }
