// SPDX-License-Identifier: MIT
// Runs while they are made, and the blocks of time. A sequence of actions that repeats at once
// counts as one: a loop that is run through three times instead of two is the same run.

#include "wfi_collect.h"

enum { LOOP = 4 }; // actions of the longest loop that is recognized

// ---- time

// Halves the number of blocks: two become one.
static uint64_t halve(uint64_t bits) {
    uint64_t half = 0;
    bits |= bits >> 1;
    for (unsigned i = 0; i < 32; ++i) half |= (bits >> 2 * i & 1) << i;
    return half;
}

static void widen_blocks(struct wf_behaviour_sink *k) {
    for (size_t i = 0; i < k->own->seen_count; ++i)
        k->own->seen[i].bits = halve(k->own->seen[i].bits);
    k->touched = halve(k->touched);
    ++k->block_bits;
}

// Ticks never decrease (wf_model.h).
static unsigned block_at(struct wf_behaviour_sink *k, uint64_t tick) {
    uint64_t since = tick > k->first ? tick - k->first : 0;
    while (since >> k->block_bits >= WF_BEHAVIOUR_BLOCKS) widen_blocks(k);
    return (unsigned)(since >> k->block_bits);
}

void wfi_collect_time(struct wf_behaviour_sink *k) {
    uint64_t now = wf_model_tick(k->m);
    if (now == k->now && k->begun) return;
    k->now = now;
    if (now < k->begin) return;
    if (!k->begun) k->first = now;
    k->begun = true;
    if (now <= k->end) k->block = block_at(k, now);
}

void wfi_collect_touch(struct wf_behaviour_sink *k, uint64_t from, uint64_t to) {
    if (!k->begun || from > k->end) return;
    unsigned last = block_at(k, to < k->end ? to : k->end), first = block_at(k, from);
    for (unsigned i = first; i <= last; ++i) k->touched |= UINT64_C(1) << i;
}

static bool in_window(const struct wf_behaviour_sink *k, uint64_t from) {
    return k->begun && from >= k->begin && k->now <= k->end;
}

// ---- numbers

uint32_t wfi_collect_entity(struct wf_behaviour_sink *k, enum wfi_entity kind, uint64_t key,
                            uint64_t with) {
    uint32_t number = wfi_keys_number(&k->entities, key, (uint64_t)kind | with << 8);
    if (!number) k->err = WF_ERR_NOMEM;
    return number;
}

uint32_t wfi_collect_text(struct wf_behaviour_sink *k, const char *text, size_t len) {
    return wfi_collect_entity(k, WFI_ENTITY_TEXT, wfi_behaviour_text(k->own, text, len), 0);
}

void wfi_collect_see_fact(struct wf_behaviour_sink *k, uint32_t fact, uint64_t tick,
                          uint64_t record, uint64_t run) {
    if (!fact) return;
    const struct wfi_fact *is = wfi_fact(k->own, fact);
    struct wfi_seen *seen =
        is->seen ? &k->own->seen[is->seen - 1] : wfi_behaviour_seen(k->own, fact, 1);
    if (!seen) return;
    if (!seen->count++) {
        seen->tick = tick;
        seen->record = record;
        seen->run = run;
    }
    seen->bits |= UINT64_C(1) << k->block;
}

void wfi_collect_see(struct wf_behaviour_sink *k, enum wfi_fact_kind kind, uint32_t actor,
                     uint32_t a, uint32_t b) {
    if (!actor || !in_window(k, k->now)) return;
    uint32_t fact = wfi_behaviour_fact(k->own, kind, actor, a, b, 0, &k->full);
    wfi_collect_see_fact(k, fact, k->now, k->record, 0);
}

// ---- runs

void wfi_run_begin(struct wf_behaviour_sink *k, struct wfi_run *r, bool whole) {
    r->open = true;
    r->whole = whole;
    r->ends = false;
    r->count = 0;
    r->tick = k->now;
    r->record = k->record;
}

void wfi_run_drop(struct wf_behaviour_sink *k, struct wfi_run *r) {
    struct wfi_entry gap = {0, 1, k->now, k->record, r->number + 1};
    if (r->sequence && r->prev) wfi_sequence_add(k->own, &k->own->sequences[r->sequence - 1], &gap);
    r->open = r->whole = r->ends = false;
    r->prev = 0;
}

static void fold_loop(struct wfi_run *r) {
    for (uint32_t n = 1; n <= LOOP && 2 * n <= r->count; ++n) {
        const uint32_t *end = r->actions + r->count;
        bool same = true;
        for (uint32_t i = 1; i <= n && same; ++i) same = end[-(int)i] == end[-(int)(i + n)];
        if (!same) continue;
        r->count -= n;
        return;
    }
}

void wfi_run_add(struct wf_behaviour_sink *k, struct wfi_run *r, enum wfi_verb verb, uint32_t a,
                 uint32_t with) {
    enum { ROOM = WFI_RUN_ACTIONS - 2 }; // for MORE and the end
    if (!r || !r->open || !r->whole || r->count > ROOM) return;
    if (r->count == ROOM) {
        verb = WFI_VERB_MORE;
        a = with = 0;
    }
    r->actions[r->count++] = wfi_behaviour_action(k->own, verb, a, with);
    fold_loop(r);
}

static void add_to_sequence(struct wf_behaviour_sink *k, struct wfi_run *r, uint32_t run) {
    if (!r->sequence) {
        const struct wfi_sequence *q = wfi_behaviour_sequence(k->own, r->actor, 1);
        if (!q) return;
        r->sequence = (uint32_t)(q - k->own->sequences) + 1;
    }
    struct wfi_entry e = {run, 1, r->tick, r->record, r->number};
    wfi_sequence_add(k->own, &k->own->sequences[r->sequence - 1], &e);
}

void wfi_run_end(struct wf_behaviour_sink *k, struct wfi_run *r, enum wfi_verb verb, uint32_t a,
                 bool follows) {
    bool counts = r->open && r->whole && in_window(k, r->tick) && r->actor;
    if (r->open && !counts) wfi_run_drop(k, r);
    r->open = r->ends = false;
    if (!counts) return;
    r->actions[r->count++] = wfi_behaviour_action(k->own, verb, a, 0);
    uint32_t run = wfi_behaviour_run(k->own, r->actor, r->actions, r->count, &k->full);
    ++r->number;
    wfi_collect_see_fact(k, run, r->tick, r->record, r->number);
    if (!follows) return;
    if (run && r->prev) {
        uint32_t after =
            wfi_behaviour_fact(k->own, WFI_FACT_FOLLOWS, r->actor, r->prev, run, 0, &k->full);
        wfi_collect_see_fact(k, after, r->tick, r->record, r->number);
    }
    add_to_sequence(k, r, run);
    r->prev = run;
}
