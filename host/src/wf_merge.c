// SPDX-License-Identifier: MIT
// Merges the cores of a slot trace. A first pass notes blocks: where each begins, what the reader
// knows there, and between which ticks its events lie. Blocks are then decoded by their first tick;
// what lies before the first tick of the next goes out. Of a stream, what all cores have passed
// goes out.

#include "wallfly_host/wf_merge.h"

#include <stdlib.h>

#include "wfi_window.h"

enum {
    PIECE = 1 << 16,       // bytes read at a time
    BLOCK_LEAST = 1 << 16, // bytes of a block
    LIST_MAX = 12 << 20,   // bytes of the list of blocks
    BATCH = 256,           // events of a stream before it is looked at what may go
    MEMORY = 24 << 20
};

struct block {
    uint64_t least, end; // tick, offset
    size_t saved;        // number of what is saved
};

struct wf_merge {
    struct wf_merge_options options;
    struct wf_slots *slots, *part; // all; of a block
    struct wfi_window window;
    struct wf_merge_source source;
    bool reading, ended, finished;
    int err;
    uint64_t limit; // what lies before it may go out
    bool all;       // everything may
    uint64_t last, late;
    bool any;

    struct block *blocks;
    size_t blocks_count, blocks_max, blocks_at;
    size_t block_bytes;
    unsigned stride; // cores in what is saved
    struct wfi_saved *saved;
    struct wfi_saved_core *saved_cores;
    uint8_t *piece;

    struct wf_slots_item *notes; // header and what is wrong with it, from the first pass
    size_t notes_count, notes_at;
    uint64_t passed[WF_SLOT_CORES], newest; // stream: the last ticks
    bool seen[WF_SLOT_CORES];
    uint64_t tick_of[WF_SLOT_CORES]; // of the last event put, for what is no event
    void *given;                     // to be freed with the next call
    uint32_t words[2], *long_words;
    struct wfi_entry entry;
};

struct wf_merge *wf_merge_open(const struct wf_merge_options *options, int *err) {
    struct wf_merge *m = calloc(1, sizeof *m);
    *err = WF_ERR_NOMEM;
    if (!m) return NULL;
    m->options = *options;
    if (!m->options.memory) m->options.memory = MEMORY;
    struct wf_slots_options slots = options->slots;
    slots.with_control = true; // a stream's cores pass by them
    m->slots = wf_slots_open(&slots, err);
    m->piece = malloc(PIECE);
    m->long_words = malloc(WF_SLOT_WORDS_MAX * sizeof(uint32_t));
    wfi_window_open(&m->window, m->options.memory);
    if (m->slots && m->piece && m->long_words) {
        *err = WF_OK;
        return m;
    }
    *err = WF_ERR_NOMEM;
    wf_merge_close(m);
    return NULL;
}

void wf_merge_close(struct wf_merge *m) {
    if (!m) return;
    wf_slots_close(m->slots);
    wf_slots_close(m->part);
    wfi_window_close(&m->window);
    for (size_t i = 0; i < m->notes_count; ++i) {
        if (m->notes[i].kind == WF_SLOTS_DAMAGE) free((char *)(uintptr_t)m->notes[i].damage.why);
    }
    free(m->notes);
    free(m->blocks);
    free(m->saved);
    free(m->saved_cores);
    free(m->piece);
    free(m->long_words);
    free(m->given);
    free(m);
}

static void fail(struct wf_merge *m, int err) {
    if (m->err == WF_OK) m->err = err;
}

static int64_t read_piece(struct wf_merge *m, uint64_t offset) {
    int64_t n = m->source.read_at(m->source.ctx, offset, m->piece, PIECE);
    if (n < 0 || n > PIECE) fail(m, WF_ERR_READ);
    return m->err == WF_OK ? n : 0;
}

// ---- the first pass

static bool note(struct wf_merge *m, const struct wf_slots_item *item) {
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
    m->blocks_max = (LIST_MAX / each) & ~(size_t)1;
    m->blocks = malloc(m->blocks_max * sizeof *m->blocks);
    m->saved = malloc(m->blocks_max * sizeof *m->saved);
    m->saved_cores = malloc(m->blocks_max * m->stride * sizeof *m->saved_cores);
    m->block_bytes = BLOCK_LEAST;
    return m->blocks && m->saved && m->saved_cores;
}

static struct wfi_saved_core *cores_of(const struct wf_merge *m, size_t saved) {
    return m->saved_cores + saved * m->stride;
}

// Two blocks become one, so that the list stays within its bounds.
static void halve_list(struct wf_merge *m) {
    for (size_t i = 0; i < m->blocks_count / 2; ++i) {
        const struct block *a = &m->blocks[2 * i], *b = a + 1;
        m->blocks[i] = (struct block){a->least < b->least ? a->least : b->least, b->end, i};
        m->saved[i] = m->saved[2 * i];
        memmove(cores_of(m, i), cores_of(m, 2 * i), m->stride * sizeof *m->saved_cores);
    }
    m->blocks_count /= 2;
    m->block_bytes *= 2;
}

static void begin_block(struct wf_merge *m) {
    if (m->blocks_count) m->blocks[m->blocks_count - 1].end = wfi_at(&m->slots->in);
    if (m->blocks_count == m->blocks_max) halve_list(m);
    size_t n = m->blocks_count++;
    m->blocks[n] = (struct block){UINT64_MAX, UINT64_MAX, n};
    wfi_slots_save(m->slots, &m->saved[n], cores_of(m, n));
}

// May a block end here? Chains that have been open for long will not be closed.
static bool may_part(const struct wf_merge *m, uint64_t size) {
    if (!wfi_slots_quiet(m->slots)) return false;
    return !wfi_slots_open_chains(m->slots) || size > 2 * m->block_bytes + BLOCK_LEAST;
}

static void note_item(struct wf_merge *m, const struct wf_slots_item *item) {
    if (!m->blocks_count) {
        if (!note(m, item)) fail(m, WF_ERR_NOMEM);
        return;
    }
    if (item->kind != WF_SLOTS_EVENT) return;
    if (wfi_is_control(m->slots, item->event.cls) && !m->options.slots.with_control) return;
    struct block *b = &m->blocks[m->blocks_count - 1];
    if (item->event.tick < b->least) b->least = item->event.tick;
}

// Does the next slot begin the first block?
static bool is_at_slots(const struct wf_merge *m) {
    const struct wf_slots *s = m->slots;
    return !m->blocks_count && s->state == WFI_ANNOUNCE && m->notes_count && !s->refused &&
           s->notes_at == s->notes_count;
}

// Takes all that the bytes handed in give.
static void pass_bytes(struct wf_merge *m) {
    struct wf_slots_item item;
    for (;;) {
        if (is_at_slots(m)) {
            if (!m->blocks && !make_list(m)) fail(m, WF_ERR_NOMEM);
            if (m->err == WF_OK) begin_block(m);
        }
        if (m->err != WF_OK || !wf_slots_next(m->slots, &item)) break;
        note_item(m, &item);
        uint64_t from = m->blocks_count ? m->saved[m->blocks_count - 1].offset : 0;
        uint64_t size = wfi_at(&m->slots->in) - from;
        if (m->blocks_count && size >= m->block_bytes && may_part(m, size)) begin_block(m);
    }
    if (wf_slots_error(m->slots) != WF_OK) fail(m, WF_ERR_NOMEM);
}

static void pass(struct wf_merge *m) {
    uint64_t offset = 0;
    int64_t n;
    while (m->err == WF_OK && (n = read_piece(m, offset)) > 0) {
        wf_slots_feed(m->slots, m->piece, (size_t)n);
        offset += (uint64_t)n;
        pass_bytes(m);
    }
    wf_slots_end(m->slots);
    wf_slots_feed(m->slots, NULL, 0);
    pass_bytes(m);
}

// Has an OFFSET come only after events of its core? It holds for those, too.
static bool is_shifted_late(const struct wf_merge *m) {
    for (unsigned i = 0; i < WF_SLOT_CORES; ++i) {
        const struct wfi_core *c = &m->slots->core[i];
        if (c->shifted && c->late_offset) return true;
    }
    return false;
}

static bool pass_again(struct wf_merge *m) {
    struct wf_slots *old = m->slots;
    int err;
    m->slots = wf_slots_open(&old->options, &err);
    if (!m->slots) {
        m->slots = old;
        return false;
    }
    for (unsigned i = 0; i < WF_SLOT_CORES; ++i) {
        m->slots->core[i].first_offset = old->core[i].first_offset;
        wfi_clock_offset(&m->slots->core[i], old->core[i].first_offset);
    }
    wf_slots_close(old);
    for (size_t i = 0; i < m->notes_count; ++i) {
        if (m->notes[i].kind == WF_SLOTS_DAMAGE) free((char *)(uintptr_t)m->notes[i].damage.why);
    }
    m->notes_count = m->blocks_count = 0;
    pass(m);
    return true;
}

static int by_least(const void *a, const void *b) {
    const struct block *x = a, *y = b;
    if (x->least != y->least) return x->least < y->least ? -1 : 1;
    return x->saved < y->saved ? -1 : x->saved > y->saved;
}

int wf_merge_read(struct wf_merge *m, const struct wf_merge_source *source) {
    int err;
    m->source = *source;
    m->reading = true;
    pass(m);
    if (m->err == WF_OK && is_shifted_late(m) && !pass_again(m)) fail(m, WF_ERR_NOMEM);
    // A block without events stays where it is, by the one before.
    for (size_t i = 0; i < m->blocks_count; ++i) {
        if (m->blocks[i].least == UINT64_MAX) m->blocks[i].least = i ? m->blocks[i - 1].least : 0;
    }
    if (m->blocks_count) qsort(m->blocks, m->blocks_count, sizeof *m->blocks, by_least);
    struct wf_slots_options options = m->options.slots;
    m->part = wf_slots_open(&options, &err);
    if (!m->part) fail(m, err);
    return m->err;
}

// ---- events into the window

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
            fail(m, WF_ERR_NOMEM);
            return;
        }
        memcpy(entry.at.longer, e->bytes, (size_t)e->count * 4);
    } else {
        memcpy(entry.at.raw, e->bytes, sizeof entry.at.raw);
    }
    m->tick_of[e->core] = e->tick;
    wfi_window_put(&m->window, e->core, &entry);
}

// What is no event waits with the events of its core.
static void put_other(struct wf_merge *m, const struct wf_slots_item *item) {
    bool loss = item->kind == WF_SLOTS_LOSS;
    unsigned core = loss ? item->loss.core : item->damage.core;
    struct wfi_entry entry = {.tick = m->tick_of[core],
                              .offset = loss ? item->loss.offset : item->damage.offset,
                              .flags = WFI_ENTRY_ITEM};
    entry.at.item = malloc(sizeof *item);
    if (!entry.at.item) {
        fail(m, WF_ERR_NOMEM);
        return;
    }
    *entry.at.item = *item;
    wfi_window_put(&m->window, core, &entry);
}

static uint64_t place_of(const struct wf_slots_item *item) {
    if (item->kind == WF_SLOTS_EVENT) return item->event.offset;
    return item->kind == WF_SLOTS_LOSS ? item->loss.offset : item->damage.offset;
}

// Decodes the next block.
static void load_block(struct wf_merge *m) {
    const struct block *b = &m->blocks[m->blocks_at++];
    const struct wfi_saved_core *cores = cores_of(m, b->saved);
    struct wf_slots *s = m->part;
    struct wf_slots_item item;
    uint64_t offset = m->saved[b->saved].offset;
    bool more = true, ended = false;
    wfi_slots_restore(s, m->slots, &m->saved[b->saved], cores);
    for (unsigned i = 0; i < m->stride; ++i) {
        if (cores[i].any) m->tick_of[i] = cores[i].last;
    }
    while (more && m->err == WF_OK) {
        int64_t n = ended ? 0 : read_piece(m, offset);
        wf_slots_feed(s, m->piece, (size_t)n);
        offset += (uint64_t)n;
        ended = n == 0;
        if (ended) wf_slots_end(s);
        more = !ended;
        while (m->err == WF_OK && wf_slots_next(s, &item)) {
            if (place_of(&item) >= b->end) {
                more = false;
                break;
            }
            if (item.kind == WF_SLOTS_EVENT)
                put_event(m, &item.event);
            else
                put_other(m, &item);
        }
        if (wf_slots_error(s) != WF_OK || m->window.failed) fail(m, WF_ERR_NOMEM);
        if (offset >= b->end && wfi_at(&s->in) >= b->end) more = false;
    }
    while (m->err == WF_OK && wfi_chain_give_up(s, WF_SLOT_CORES, &item)) {
        if (place_of(&item) < b->end) put_other(m, &item);
    }
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

// What all cores have passed may go out.
static void set_limit(struct wf_merge *m) {
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < WF_SLOT_CORES; ++i) {
        if (!m->seen[i] && (!m->slots->told_cores || i >= m->slots->cores)) continue;
        if (m->passed[i] < least) least = m->passed[i];
    }
    if (m->options.delay && m->newest > m->options.delay && least < m->newest - m->options.delay) {
        least = m->newest - m->options.delay;
    }
    if (least != UINT64_MAX && least > m->limit) m->limit = least;
}

// Takes some events of the stream. False: more bytes are needed, or it has ended. The header and
// what is wrong with it are handed out at once.
enum taken { NOTHING, SOME, AT_ONCE };
static enum taken take_some(struct wf_merge *m, struct wf_slots_item *item) {
    unsigned n = 0;
    for (; n < BATCH && m->err == WF_OK; ++n) {
        if (!wf_slots_next(m->slots, item)) break;
        if (item->kind != WF_SLOTS_EVENT) {
            bool header =
                item->kind == WF_SLOTS_HEADER ||
                (item->kind == WF_SLOTS_DAMAGE && item->damage.kind == WF_SLOTS_BAD_HEADER);
            if (header) return AT_ONCE;
            put_other(m, item);
            continue;
        }
        const struct wf_slot_event *e = &item->event;
        if (e->timed) {
            m->seen[e->core] = true;
            if (e->tick > m->passed[e->core]) m->passed[e->core] = e->tick;
            if (e->tick > m->newest) m->newest = e->tick;
        }
        if (!wfi_is_control(m->slots, e->cls) || m->options.slots.with_control) put_event(m, e);
    }
    if (wf_slots_error(m->slots) != WF_OK || m->window.failed) fail(m, WF_ERR_NOMEM);
    set_limit(m);
    if (n == 0 && m->ended) m->all = true;
    return n ? SOME : NOTHING;
}

// ---- out

static void hand_event(struct wf_merge *m, struct wf_slots_item *item) {
    struct wfi_entry *entry = &m->entry;
    struct wf_slot_event *e = &item->event;
    bool swap = m->slots->swap;
    const uint8_t *raw = entry->at.raw;
    uint32_t *words = m->words;
    if (entry->flags & WFI_ENTRY_LONG) {
        raw = m->given = entry->at.longer;
        words = m->long_words;
    }
    for (unsigned i = 0; i < entry->count; ++i) words[i] = wfi_load(raw + 4 * i, swap);
    item->kind = WF_SLOTS_EVENT;
    e->head = entry->head;
    e->cls = (uint8_t)wfi_class_of(entry->head);
    e->core = (uint8_t)wfi_core_of(entry->head);
    e->event = (uint16_t)(entry->head & WF_SLOT_EVENT);
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

static void hand_out(struct wf_merge *m, struct wf_slots_item *item) {
    wfi_window_take(&m->window, &m->entry);
    if (!(m->entry.flags & WFI_ENTRY_ITEM)) {
        hand_event(m, item);
        return;
    }
    *item = *m->entry.at.item;
    m->given = m->entry.at.item;
}

static bool may_go(const struct wf_merge *m) {
    if (!m->window.count) return false;
    return m->all || m->window.heap[0].tick < m->limit || wfi_window_full(&m->window);
}

bool wf_merge_next(struct wf_merge *m, struct wf_slots_item *item) {
    if (m->given) {
        free(m->given);
        m->given = NULL;
    }
    if (m->notes_at < m->notes_count) {
        *item = m->notes[m->notes_at++];
        return true;
    }
    while (m->err == WF_OK && !may_go(m)) {
        if (m->reading) {
            if (m->blocks_at == m->blocks_count) return false;
            load_block(m);
            continue;
        }
        enum taken taken = take_some(m, item);
        if (taken == AT_ONCE) return true;
        if (taken == NOTHING && !may_go(m)) return false;
    }
    if (m->err != WF_OK) return false;
    hand_out(m, item);
    return true;
}

int wf_merge_error(const struct wf_merge *m) { return m->err; }
uint64_t wf_merge_late(const struct wf_merge *m) { return m->late; }
const struct wf_slots *wf_merge_slots(const struct wf_merge *m) { return m->slots; }
