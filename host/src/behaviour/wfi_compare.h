// SPDX-License-Identifier: MIT
// The comparison of two collections: they are joined to one, in which traces up to good_traces are
// the good ones. wf_behaviour_facts.c derives from runs what they consist of,
// wf_behaviour_chance.c tests each fact, wf_behaviour_compare.c selects and orders the changes,
// wf_behaviour_causes.c finds which change explains others, wf_behaviour_align.c the lines shown,
// wf_behaviour_words.c their texts.
#ifndef WFI_COMPARE_H
#define WFI_COMPARE_H

#include "wfi_behaviour.h"

enum { WFI_GOOD, WFI_NEW, WFI_SIDES };

// How often a fact was seen on a side: blocks of time with it, of all.
struct wfi_share {
    uint64_t count;
    unsigned blocks, of; // without blocks that holes touch
    unsigned all, all_of;
    unsigned pairs, both; // adjacent blocks; those of them that both have it
    unsigned gap;         // the longest series of blocks without it
};

// A fact and its test.
struct wfi_case {
    struct wfi_share sides[WFI_SIDES];
    double p, p_all; // p_all: with the blocks that holes touch
};

struct wfi_lane_blocks {
    unsigned lane;
    double seconds; // of a common block; in ticks if a rate is not known
    double ticks;   // the same in ticks of the latest trace
    bool timed;     // all rates are known
    unsigned of[WFI_SIDES], all[WFI_SIDES];
};

struct wfi_change {
    struct wf_behaviour_difference pub; // the first member
    uint32_t fact, reverse;             // reverse: the order that LOCK_ORDER replaces, or 0
    uint32_t like;                      // ORDER, RUN: the run of the other side, or 0
    uint64_t since;                     // tick, for the order
    size_t number;                      // before sorting
};

struct wf_behaviour_diff {
    struct wf_behaviour *b;
    uint32_t good_traces;
    struct wfi_case *cases; // by fact, from 1
    struct wfi_lane_blocks *lanes;
    size_t lane_count, lane_cap;
    struct wfi_change *changes;
    size_t change_count, change_cap;
    double alarms, limit; // limit: of p, for any fact
    char **texts;
    size_t text_count, text_cap;
    int err;
};

static inline unsigned wfi_side(const struct wf_behaviour_diff *d, uint32_t trace) {
    return trace <= d->good_traces ? WFI_GOOD : WFI_NEW;
}

// ---- facts
// Adds ACTION, LOCKS, NESTS and VARIETY of all runs. A TASK is seen wherever it has a run, an
// OBJECT wherever a run uses it.
void wfi_facts_derive(struct wf_behaviour *b, uint32_t good_traces);
bool wfi_run_has_action(const struct wf_behaviour *b, uint32_t run, uint32_t action);
bool wfi_run_has_locks(const struct wf_behaviour *b, uint32_t run, uint32_t first, uint32_t then);

// ---- chance
// Probability of at least this difference of two shares, if both are of one population.
double wfi_chance(unsigned k1, unsigned n1, unsigned k2, unsigned n2);
void wfi_chance_test(struct wf_behaviour_diff *d); // sets cases, lanes, limit
void wfi_share_of(const struct wf_behaviour_diff *d, uint32_t fact, unsigned side,
                  struct wfi_share *share);
const struct wfi_lane_blocks *wfi_lane_blocks(const struct wf_behaviour_diff *d, unsigned lane);
static inline bool wfi_rare(uint64_t few, unsigned few_of, uint64_t many, unsigned many_of) {
    return !few || (few_of && many_of && 10.0 * (double)few / few_of <= (double)many / many_of);
}

// ---- changes
struct wfi_change *wfi_change_add(struct wf_behaviour_diff *d, enum wf_behaviour_kind kind,
                                  uint32_t fact, bool vanished);
void wfi_changes_explain(struct wf_behaviour_diff *d);
// Returns whether a change explains that a fact is new or has vanished.
bool wfi_change_explains(const struct wf_behaviour_diff *d, const struct wfi_change *c,
                         uint32_t fact);
// ORDER: the action that comes earlier now, and the one that came earlier before.
void wfi_order_pair(const struct wf_behaviour_diff *d, const struct wfi_change *c, uint32_t *now,
                    uint32_t *was);
// Sets `first` and the lines of both sides.
void wfi_change_show(struct wf_behaviour_diff *d, struct wfi_change *c);
// Pairs the entries of two sequences: match[i] is the index in b + 1 of entry i of a, or 0. Returns
// false when out of memory.
bool wfi_align(const struct wfi_entry *a, size_t na, const struct wfi_entry *b, size_t nb,
               uint32_t *match);
// Places of `fact` on a side; not known: it was not seen there.
struct wf_behaviour_place wfi_place_first(const struct wf_behaviour_diff *d, uint32_t fact,
                                          unsigned side);
struct wf_behaviour_place wfi_place(const struct wf_behaviour_diff *d, uint32_t trace,
                                    uint64_t tick, uint64_t record, uint64_t run);

// ---- texts: kept by the comparison; never null, "" when out of memory
const char *wfi_words_run(struct wf_behaviour_diff *d, uint32_t run);
const char *wfi_words_hint(struct wf_behaviour_diff *d, uint32_t run);
const char *wfi_words_change(struct wf_behaviour_diff *d, const struct wfi_change *c);

#endif
