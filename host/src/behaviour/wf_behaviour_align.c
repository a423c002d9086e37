// SPDX-License-Identifier: MIT
// The lines around a divergence: the sequences of both sides are aligned by their longest common
// subsequence, so that runs in between, another number of equal runs in a row and another begin do
// not shift the rest. Sequences have at most WF_BEHAVIOUR_SEQUENCE entries.

#include "wfi_compare.h"

#include <stdlib.h>

enum { BEFORE = 2 }; // entries shown before the divergence

// ---- alignment

enum step { STEP_BOTH, STEP_A, STEP_B };

bool wfi_align(const struct wfi_entry *a, size_t na, const struct wfi_entry *b, size_t nb,
               uint32_t *match) {
    uint8_t *steps = malloc(na * nb + 1);
    uint32_t *rows = calloc(2 * (nb + 1), sizeof *rows);
    bool good = steps && rows;
    // From the end, so that the alignment can be followed from the begin.
    for (size_t i = na; good && i-- > 0;) {
        uint32_t *row = rows + (i & 1) * (nb + 1), *below = rows + (~i & 1) * (nb + 1);
        row[nb] = 0;
        for (size_t n = nb; n-- > 0;) {
            bool same = a[i].run && a[i].run == b[n].run;
            enum step step = same ? STEP_BOTH : below[n] >= row[n + 1] ? STEP_A : STEP_B;
            row[n] = same ? below[n + 1] + 1 : step == STEP_A ? below[n] : row[n + 1];
            steps[i * nb + n] = (uint8_t)step;
        }
    }
    for (size_t i = 0, n = 0; good && i < na; ++i) {
        match[i] = 0;
        while (n < nb && steps[i * nb + n] == STEP_B) ++n;
        if (n < nb && steps[i * nb + n] == STEP_BOTH) match[i] = (uint32_t)++n;
    }
    free(steps);
    free(rows);
    return good;
}

// ---- the divergence

struct view {
    const struct wfi_sequence *sequence[WFI_SIDES]; // null: none
    size_t at[WFI_SIDES];                           // the entries where they diverge
    uint32_t *match;                                // of the entries of `from`
    unsigned from;                                  // the side that has the changed run
};

static const struct wfi_sequence *find_sequence(const struct wf_behaviour_diff *d, uint32_t actor,
                                                unsigned side, uint32_t fact) {
    const struct wfi_sequence *found = NULL;
    struct wf_behaviour_place place = wfi_place_first(d, fact, side);
    for (size_t i = 0; i < d->b->sequence_count; ++i) {
        const struct wfi_sequence *q = &d->b->sequences[i];
        if (q->actor != actor || wfi_side(d, q->trace) != side || !q->count) continue;
        const char *source = wfi_behaviour_text_at(d->b, d->b->traces[q->trace - 1].source);
        if (place.known && source == place.source) return q;
        if (!found) found = q;
    }
    return found;
}

static bool is_changed_run(const struct wf_behaviour_diff *d, const struct wfi_change *c,
                           unsigned side, uint32_t run) {
    const struct wfi_fact *t = wfi_fact(d->b, c->fact);
    if (!run || t->kind == WFI_FACT_STUCK) return false;
    if (t->kind == WFI_FACT_FOLLOWS) return run == t->part[1];
    if (c->pub.kind == WF_BEHAVIOUR_LOCK_ORDER)
        return side == WFI_NEW ? wfi_run_has_locks(d->b, run, t->part[0], t->part[1])
                               : wfi_run_has_locks(d->b, run, t->part[1], t->part[0]);
    if (t->kind == WFI_FACT_RUN) return run == c->fact || run == c->like;
    return wfi_change_explains(d, c, run);
}

// Finds the first entry with the changed run. Returns false if it is not in the sequence.
static bool find_entry(const struct wf_behaviour_diff *d, const struct wfi_change *c,
                       const struct wfi_sequence *q, size_t *at) {
    const struct wfi_fact *t = wfi_fact(d->b, c->fact);
    for (*at = 0; *at < q->count; ++*at) {
        bool follows =
            t->kind != WFI_FACT_FOLLOWS || (*at && q->entries[*at - 1].run == t->part[0]);
        unsigned side = wfi_side(d, q->trace);
        if (follows && is_changed_run(d, c, side, q->entries[*at].run)) return true;
    }
    return false;
}

// The entry of the other side that stands where the changed run is.
static size_t opposite(const struct view *v) {
    size_t at = v->at[v->from];
    while (at > 0 && !v->match[at - 1]) --at;
    size_t other = at ? v->match[at - 1] : 0, count = v->sequence[!v->from]->count;
    return other < count ? other : count - 1;
}

static struct wf_behaviour_line make_line(struct wf_behaviour_diff *d, const struct wfi_change *c,
                                          const struct wfi_sequence *q, size_t at, bool same) {
    const struct wfi_entry *e = &q->entries[at];
    return (struct wf_behaviour_line){
        .same = same,
        .changed = is_changed_run(d, c, wfi_side(d, q->trace), e->run),
        .times = e->times,
        .place = wfi_place(d, q->trace, e->tick, e->record, e->number),
        .text = e->run ? wfi_words_run(d, e->run) : "runs that are not known"};
}

static bool is_matched(const struct view *v, unsigned side, size_t at) {
    if (side == v->from) return v->match[at] != 0;
    for (size_t i = 0; i < v->sequence[v->from]->count; ++i) {
        if (v->match[i] == at + 1) return true;
    }
    return false;
}

static void add_lines(struct wf_behaviour_diff *d, const struct wfi_change *c, const struct view *v,
                      unsigned side, struct wf_behaviour_side *to) {
    const struct wfi_sequence *q = v->sequence[side];
    size_t from = v->at[side] > BEFORE ? v->at[side] - BEFORE : 0;
    for (size_t i = from; i < q->count && to->line_count < WF_BEHAVIOUR_LINES - 1; ++i)
        to->lines[to->line_count++] = make_line(d, c, q, i, is_matched(v, side, i));
}

// One of the sides has no sequence, or does not have the run in it: only the run itself is shown.
static void show_run(struct wf_behaviour_diff *d, struct wfi_change *c, unsigned side,
                     uint32_t run) {
    struct wf_behaviour_side *to = &c->pub.sides[side];
    if (!run || wfi_fact(d->b, run)->kind != WFI_FACT_RUN) return;
    struct wf_behaviour_place place = wfi_place_first(d, run, side);
    if (!place.known) return;
    to->lines[to->line_count++] =
        (struct wf_behaviour_line){.changed = true,
                                   .times = d->cases[run].sides[side].count,
                                   .place = place,
                                   .text = wfi_words_run(d, run)};
}

static void show_aligned(struct wf_behaviour_diff *d, struct wfi_change *c, struct view *v) {
    const struct wfi_sequence *a = v->sequence[v->from], *b = v->sequence[!v->from];
    v->match = calloc(a->count, sizeof *v->match);
    if (!v->match || !wfi_align(a->entries, a->count, b->entries, b->count, v->match)) {
        d->err = WF_ERR_NOMEM;
    } else {
        v->at[!v->from] = opposite(v);
        for (unsigned side = 0; side < WFI_SIDES; ++side)
            add_lines(d, c, v, side, &c->pub.sides[side]);
    }
    free(v->match);
}

static void show_lines(struct wf_behaviour_diff *d, struct wfi_change *c) {
    const struct wfi_fact *t = wfi_fact(d->b, c->fact);
    struct view v = {.from = c->pub.vanished ? WFI_GOOD : WFI_NEW};
    bool stuck = t->kind == WFI_FACT_STUCK, found = false;
    if (wfi_actor_kind(d->b, t->actor) == WFI_ACTOR_LANE) return;
    for (unsigned side = 0; side < WFI_SIDES; ++side)
        v.sequence[side] = find_sequence(d, t->actor, side, c->fact);
    const struct wfi_sequence *q = v.sequence[v.from];
    if (q && stuck) {
        v.at[v.from] = q->count - 1;
        found = !q->cut;
    } else if (q) {
        found = find_entry(d, c, q, &v.at[v.from]);
    }
    if (found && v.sequence[!v.from]) {
        show_aligned(d, c, &v);
        return;
    }
    show_run(d, c, v.from, c->fact);
    show_run(d, c, !v.from, c->like);
}

// A wake-up is lost where another task does what it never did before: the run nearest to the begin
// of the wait.
static void find_hint(struct wf_behaviour_diff *d, struct wfi_change *c) {
    uint32_t nearest = 0;
    uint64_t least = 0;
    struct wf_behaviour_place at = wfi_place_first(d, c->fact, WFI_NEW);
    for (uint32_t i = 1; i <= d->b->fact_count; ++i) {
        const struct wfi_fact *t = wfi_fact(d->b, i);
        if (t->kind != WFI_FACT_RUN || d->cases[i].sides[WFI_GOOD].count) continue;
        struct wf_behaviour_place run = wfi_place_first(d, i, WFI_NEW);
        if (!run.known || run.source != at.source) continue;
        uint64_t apart = run.tick > at.tick ? run.tick - at.tick : at.tick - run.tick;
        if (nearest && apart >= least) continue;
        nearest = i;
        least = apart;
    }
    const struct wfi_lane_blocks *l = wfi_lane_blocks(d, at.lane);
    if (nearest && l && (double)least <= l->ticks) c->pub.hint = wfi_words_hint(d, nearest);
}

// Runs of the actor on a side; of a lane its records.
static uint64_t total_of(const struct wf_behaviour_diff *d, uint32_t actor, unsigned side) {
    uint64_t total = 0;
    bool lane = wfi_actor_kind(d->b, actor) == WFI_ACTOR_LANE;
    for (uint32_t i = 1; i <= d->b->trace_count && lane; ++i) {
        const struct wfi_trace_info *t = &d->b->traces[i - 1];
        if (wfi_side(d, i) == side && t->lane == wfi_actor_lane(d->b, actor)) total += t->records;
    }
    for (uint32_t i = 1; i < d->b->fact_count && !lane; ++i) {
        const struct wfi_fact *t = wfi_fact(d->b, i);
        if (t->kind == WFI_FACT_RUN && t->actor == actor) total += d->cases[i].sides[side].count;
    }
    return total;
}

void wfi_change_show(struct wf_behaviour_diff *d, struct wfi_change *c) {
    uint32_t fact = c->fact;
    bool stuck = wfi_fact(d->b, fact)->kind == WFI_FACT_STUCK;
    for (unsigned side = 0; side < WFI_SIDES; ++side) {
        struct wf_behaviour_side *to = &c->pub.sides[side];
        const struct wfi_share *s = &d->cases[stuck ? c->reverse : fact].sides[side];
        to->count = s->count;
        to->of = total_of(d, wfi_fact(d->b, fact)->actor, side);
        // Its creation counts only if it never ran.
        if (c->pub.kind == WF_BEHAVIOUR_TASK && to->of) to->count = to->of;
        to->blocks = s->blocks;
        to->blocks_of = s->of;
        to->first = wfi_place_first(d, fact, side);
        if (!to->first.known && c->reverse && !stuck)
            to->first = wfi_place_first(d, c->reverse, side);
    }
    show_lines(d, c);
    if (stuck) find_hint(d, c);
}
