// SPDX-License-Identifier: MIT
// The merge's first pass: lists blocks, with the reader's state at the start of each.

#include "wfi_merge.h"

#include <stdlib.h>

void wfi_merge_forget_notes(struct wf_merge *m) {
    for (size_t i = 0; i < m->notes_count; ++i) {
        if (m->notes[i].kind == WF_SLOTS_DAMAGE) free((char *)(uintptr_t)m->notes[i].damage.why);
    }
    m->notes_count = 0;
}

static bool keep_note(struct wf_merge *m, const struct wf_slots_item *item) {
    void *more = realloc(m->notes, (m->notes_count + 1) * sizeof *m->notes);
    if (!more) return false;
    m->notes = more;
    m->notes[m->notes_count++] = *item;
    if (item->kind != WF_SLOTS_DAMAGE) return true;
    size_t len = strlen(item->damage.why) + 1;
    char *why = malloc(len);
    m->notes[m->notes_count - 1].damage.why = why;
    if (why) memcpy(why, item->damage.why, len);
    return why != NULL;
}

static bool make_list(struct wf_merge *m) {
    m->stride = m->slots->cores;
    size_t each = sizeof *m->blocks + sizeof *m->saved + m->stride * sizeof *m->saved_cores;
    m->blocks_max = (WFI_LIST_MAX / each) & ~(size_t)1;
    m->blocks = malloc(m->blocks_max * sizeof *m->blocks);
    m->saved = malloc(m->blocks_max * sizeof *m->saved);
    m->saved_cores = malloc(m->blocks_max * m->stride * sizeof *m->saved_cores);
    m->block_bytes = WFI_BLOCK_LEAST;
    return m->blocks && m->saved && m->saved_cores;
}

// Joins pairs of blocks, so that the list stays within its limits.
static void halve_list(struct wf_merge *m) {
    size_t half = (m->blocks_count + 1) / 2, len = 0;
    for (size_t i = 0; i < half; ++i) {
        struct wfi_block block = m->blocks[2 * i];
        if (2 * i + 1 < m->blocks_count) {
            const struct wfi_block *next = &m->blocks[2 * i + 1];
            if (next->least < block.least) block.least = next->least;
            block.end = next->end;
        }
        memmove(m->chains + len, m->chains + block.chains, block.chains_len);
        block.chains = len;
        block.saved = i;
        len += block.chains_len;
        m->blocks[i] = block;
        m->saved[i] = m->saved[2 * i];
        memmove(wfi_merge_cores(m, i), wfi_merge_cores(m, 2 * i),
                m->stride * sizeof *m->saved_cores);
    }
    m->chains_len = len;
    m->blocks_count = half;
    m->block_bytes *= 2;
}

static bool make_chain_room(struct wf_merge *m, size_t len) {
    size_t room = m->chains_room ? m->chains_room : 1 << 12;
    while (room < m->chains_len + len) room *= 2;
    if (room == m->chains_room) return true;
    uint8_t *more = realloc(m->chains, room);
    if (!more) return false;
    m->chains = more;
    m->chains_room = room;
    return true;
}

static void begin_block(struct wf_merge *m) {
    size_t len = wfi_chains_size(m->slots);
    if (m->blocks_count) m->blocks[m->blocks_count - 1].end = wfi_at(&m->slots->in);
    // A single block keeps no chains: none is open where the slots begin.
    while (m->blocks_count == m->blocks_max || m->chains_len + len > WFI_CHAINS_KEPT) {
        halve_list(m);
    }
    if (!make_chain_room(m, len)) {
        wfi_merge_fail(m, WF_ERR_NOMEM);
        return;
    }
    size_t n = m->blocks_count++;
    m->blocks[n] = (struct wfi_block){UINT64_MAX, UINT64_MAX, m->chains_len, len, n};
    wfi_slots_save(m->slots, &m->saved[n], wfi_merge_cores(m, n));
    wfi_chains_save(m->slots, m->chains + m->chains_len);
    m->chains_len += len;
}

// Returns whether a block may end after this item.
static bool may_part(const struct wf_merge *m, const struct wf_slots_item *item) {
    if (wfi_merge_is_between(item) || !wfi_slots_quiet(m->slots)) return false;
    return wfi_chains_size(m->slots) <= WFI_CHAINS_EACH;
}

static void note_item(struct wf_merge *m, const struct wf_slots_item *item) {
    if (!m->blocks_count) {
        if (!keep_note(m, item)) wfi_merge_fail(m, WF_ERR_NOMEM);
        return;
    }
    if (item->kind != WF_SLOTS_EVENT) return;
    if (wfi_is_control(m->slots, item->event.cls) && !m->slots_options.with_control) return;
    struct wfi_block *b = &m->blocks[m->blocks_count - 1];
    if (item->event.tick < b->least) b->least = item->event.tick;
}

// Returns whether the next slot begins the first block.
static bool is_at_slots(const struct wf_merge *m) {
    const struct wf_slots *s = m->slots;
    return !m->blocks_count && s->state == WFI_ANNOUNCE && m->notes_count && !s->refused &&
           s->notes_at == s->notes_count;
}

// Reads all items of the bytes fed.
static void read_bytes(struct wf_merge *m) {
    struct wf_slots_item item;
    for (;;) {
        if (is_at_slots(m)) {
            if (!m->blocks && !make_list(m)) wfi_merge_fail(m, WF_ERR_NOMEM);
            if (m->err == WF_OK) begin_block(m);
        }
        if (m->err != WF_OK || !wf_slots_next(m->slots, &item)) break;
        note_item(m, &item);
        uint64_t from = m->blocks_count ? m->saved[m->blocks_count - 1].offset : 0;
        uint64_t size = wfi_at(&m->slots->in) - from;
        // Items at the end belong to the block before.
        if (m->slots->in.ending) continue;
        if (m->blocks_count && size >= m->block_bytes && may_part(m, &item)) begin_block(m);
    }
    if (wf_slots_error(m->slots) != WF_OK) wfi_merge_fail(m, WF_ERR_NOMEM);
}

static void read_all(struct wf_merge *m) {
    uint64_t offset = 0;
    int64_t n;
    while (m->err == WF_OK && (n = wfi_merge_piece(m, offset)) > 0) {
        wf_slots_feed(m->slots, m->piece, (size_t)n);
        offset += (uint64_t)n;
        read_bytes(m);
    }
    wf_slots_end(m->slots);
    wf_slots_feed(m->slots, NULL, 0);
    read_bytes(m);
}

// Returns whether an OFFSET came only after events of its core, for which it also holds.
static bool is_shifted_late(const struct wf_merge *m) {
    for (unsigned i = 0; i < WF_SLOT_CORES; ++i) {
        const struct wfi_core *c = &m->slots->core[i];
        if (c->shifted && c->late_offset) return true;
    }
    return false;
}

static bool read_all_again(struct wf_merge *m) {
    struct wf_slots *old = m->slots;
    m->slots = wf_slots_open(&old->options, NULL);
    if (!m->slots) {
        m->slots = old;
        return false;
    }
    for (unsigned i = 0; i < WF_SLOT_CORES; ++i) {
        m->slots->core[i].first_offset = old->core[i].first_offset;
        wfi_clock_offset(&m->slots->core[i], old->core[i].first_offset);
    }
    wf_slots_close(old);
    wfi_merge_forget_notes(m);
    m->blocks_count = m->chains_len = 0;
    read_all(m);
    return true;
}

static int by_least(const void *a, const void *b) {
    const struct wfi_block *x = a, *y = b;
    if (x->least != y->least) return x->least < y->least ? -1 : 1;
    return x->saved < y->saved ? -1 : x->saved > y->saved;
}

int wf_merge_read(struct wf_merge *m, const struct wf_merge_source *source) {
    struct wf_error error;
    m->source = *source;
    m->reading = true;
    if (m->options.as_stored) return WF_OK;
    read_all(m);
    if (m->err == WF_OK && is_shifted_late(m) && !read_all_again(m))
        wfi_merge_fail(m, WF_ERR_NOMEM);
    // A block without events stays after the one before.
    for (size_t i = 0; i < m->blocks_count; ++i) {
        if (m->blocks[i].least == UINT64_MAX) m->blocks[i].least = i ? m->blocks[i - 1].least : 0;
    }
    if (m->blocks_count) qsort(m->blocks, m->blocks_count, sizeof *m->blocks, by_least);
    m->part = wf_slots_open(&m->slots_options, &error);
    if (!m->part) wfi_merge_fail(m, error.code);
    return m->err;
}
