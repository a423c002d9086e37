// SPDX-License-Identifier: MIT
// Counts losses, by core. Chunk numbers show gaps; wallfly's recorder also records the number of
// events made before each chunk (MADE), which makes the account exact, the number refused for lack
// of room (REFUSED) and the places of lost slots (GONE).

#include "wfi_slots.h"

enum {
    RESTART_BACK = 4096, // chunk numbers that go back further are of another trace
    MIXED = 8,           // weight of a chunk with events of several cores
    SURE = 1 << 20       // limit of the count of agreements
};

static void set_exact(struct wf_slots *s) { s->ledger.exact = !s->open_cores && !s->doubt; }

static void set_open(struct wf_slots *s, unsigned core, bool open) {
    s->open_cores += (unsigned)open - (unsigned)s->core[core].open;
    s->core[core].open = open;
    set_exact(s);
}

static void set_doubt(struct wf_slots *s) {
    s->doubt = true;
    set_exact(s);
}

static struct wf_slots_loss *open_loss(struct wf_slots *s, unsigned core) {
    struct wfi_core *c = &s->core[core];
    if (!c->lossy) {
        memset(&c->loss, 0, sizeof c->loss);
        c->loss.core = (uint8_t)core;
        c->loss.tick_before = wfi_place(c);
        c->lossy = true;
        c->counted = false;
        c->ready = false;
    }
    return &c->loss;
}

static void note_missing(struct wf_slots *s, unsigned core, uint32_t chunks) {
    open_loss(s, core)->chunks += chunks;
    s->core[core].counted = false;
    set_open(s, core, true);
}

enum step { FIRST, NEXT, GAP, LATE, RESTART };

// Classifies a number in a row of numbers, which then contains it. *gap: missing numbers.
static enum step classify_number(struct wfi_numbers *n, uint32_t number, uint32_t *gap) {
    int32_t ahead = (int32_t)(number - n->last - 1);
    enum step step = !n->any                                ? FIRST
                     : ahead == 0                           ? NEXT
                     : ahead > 0                            ? GAP
                     : ahead < -RESTART_BACK || number <= 1 ? RESTART
                                                            : LATE;
    *gap = (uint32_t)ahead;
    n->any = true;
    if (step != LATE) n->last = number;
    return step;
}

// Returns whether the chunk that ends here has events of several cores.
static bool was_mixed(struct wf_slots *s, unsigned core) {
    uint64_t all = s->ledger.events - s->chunk.events;
    uint64_t own = s->ledger.by_core[s->chunk.core] - s->chunk.of_core;
    bool mixed = s->chunk.known && all != own;
    s->chunk.known = true;
    s->chunk.core = core;
    s->chunk.events = s->ledger.events;
    s->chunk.of_core = s->ledger.by_core[core];
    return mixed;
}

// wallfly numbers chunks by core; others may number them all together. The evidence: the row that
// has no gaps while cores take turns, numbers that come again on another core, and events of
// several cores in one chunk.
void wfi_account_buffer(struct wf_slots *s, unsigned core, uint32_t number) {
    uint32_t gap, gap_all;
    struct wfi_core *c = &s->core[core];
    int64_t offset = c->shifted ? 0 : c->first_offset; // each chunk has an OFFSET, if any
    if (c->offset != offset) wfi_clock_offset(c, offset);
    enum step step = classify_number(&c->chunks, number, &gap);
    enum step all = classify_number(&s->chunks, number, &gap_all);
    if (!s->wallfly) {
        bool again = step == FIRST && (all == LATE || all == RESTART);
        s->rows_agree += (step == NEXT || again) - (all == NEXT);
        if (was_mixed(s, core)) s->rows_agree -= MIXED;
        if (s->rows_agree > SURE) s->rows_agree = SURE;
        if (s->rows_agree < -SURE) s->rows_agree = -SURE;
        if (s->rows_agree < 0) {
            step = all;
            gap = gap_all;
        }
    }
    if (step == GAP) note_missing(s, core, gap);
    if (step == RESTART || (step == LATE && s->wallfly)) set_doubt(s);
    if (step == RESTART) c->refused = 0;
    if (step == LATE && s->guessed) { // it was counted as lost
        --s->guessed;
        --s->ledger.lost;
        --s->core[core].account;
    }
}

static void take_made(struct wf_slots *s, unsigned core, uint64_t made) {
    struct wfi_core *c = &s->core[core];
    uint64_t account = made - s->ledger.by_core[core];
    int64_t lost = (int64_t)(account - c->account);
    if (lost > 0) {
        open_loss(s, core)->events += (uint64_t)lost;
        s->ledger.lost += (uint64_t)lost;
    } else if (lost < 0) {
        set_doubt(s); // fewer than before: another trace, or events came twice
    }
    c->account = account;
    c->counted = true;
    set_open(s, core, false);
}

void wfi_account_own(struct wf_slots *s, unsigned core, unsigned event, uint64_t value) {
    struct wfi_core *c = &s->core[core];
    if (event != WF_SLOT_OWN_OFFSET && value > WFI_COUNT_MAX) { // a good slot, but damaged
        set_doubt(s);
        return;
    }
    switch (event) {
    case WF_SLOT_OWN_MADE: take_made(s, core, value); break;
    case WF_SLOT_OWN_REFUSED:
        // A writer that is held up while it opens a chunk reads the number after the writer of the
        // next chunk: then that one has the lower number.
        if (value <= c->refused) break;
        open_loss(s, core)->refused += value - c->refused;
        s->ledger.refused += value - c->refused;
        c->refused = value;
        break;
    case WF_SLOT_OWN_GONE:
        open_loss(s, core)->slots += value;
        s->ledger.gone += value;
        c->counted = false;
        set_open(s, core, true);
        break;
    case WF_SLOT_OWN_OFFSET:
        if (!c->shifted) {
            c->late_offset = c->any && c->first_offset != (int64_t)value;
            c->first_offset = (int64_t)value;
            c->shifted = true;
        }
        wfi_clock_offset(c, (int64_t)value);
        break;
    default: break;
    }
}

void wfi_account_doubt(struct wf_slots *s, unsigned core) {
    unsigned from = core < WF_SLOT_CORES ? core : 0, to = core < WF_SLOT_CORES ? core + 1 : core;
    for (unsigned i = from; i < to; ++i) {
        if (s->core[i].any || s->core[i].chunks.any) set_open(s, i, true);
    }
    if (core == WF_SLOT_CORES && !s->open_cores) set_doubt(s);
}

bool wfi_account_loss(struct wf_slots *s, unsigned core, struct wf_slots_item *item) {
    struct wfi_core *c = &s->core[core];
    if (!c->lossy) return false;
    struct wf_slots_loss *l = &c->loss;
    // The number of events is unknown: at least one a chunk. A later MADE counts them as accounted.
    if (!c->counted && l->chunks > l->events) {
        s->ledger.lost += l->chunks - l->events;
        s->guessed += l->chunks - l->events;
        c->account += l->chunks - l->events;
        l->events = l->chunks;
    }
    l->any_core = l->chunks && !s->wallfly && s->cores > 1 && s->rows_agree <= 0;
    l->exact = c->counted || (!l->chunks && !l->slots);
    l->offset = wfi_at(&s->in);
    c->lossy = false;
    item->kind = WF_SLOTS_LOSS;
    item->loss = *l;
    return true;
}
