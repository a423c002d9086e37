// SPDX-License-Identifier: MIT
// Which change explains others: a run with two locks in the other order is a new kind of run and
// follows others for the first time; all this is one change.

#include "wfi_compare.h"

#include <stdlib.h>
#include <string.h>

// ---- explained by a change

// The first actions that differ: the one that comes now, and the one that came before.
void wfi_order_pair(const struct wf_behaviour_diff *d, const struct wfi_change *c, uint32_t *now,
                    uint32_t *was) {
    const struct wf_behaviour *b = d->b;
    const uint32_t *an = b->list + wfi_fact(b, c->fact)->part[0],
                   *aw = b->list + wfi_fact(b, c->like)->part[0];
    uint32_t i = 0, count = wfi_fact(b, c->fact)->part[1];
    while (i + 1 < count && an[i] == aw[i]) ++i;
    *now = an[i];
    *was = aw[i];
}

static bool comes_before(const struct wf_behaviour *b, uint32_t run, uint32_t x, uint32_t y) {
    const struct wfi_fact *t = wfi_fact(b, run);
    const uint32_t *actions = b->list + t->part[0];
    uint32_t i = 0;
    while (i < t->part[1] && actions[i] != x && actions[i] != y) ++i;
    return i < t->part[1] && actions[i] == x && wfi_run_has_action(b, run, y);
}

static bool order_explains(const struct wf_behaviour_diff *d, const struct wfi_change *c,
                           uint32_t run) {
    uint32_t now, was;
    const struct wfi_case *of = &d->cases[run];
    wfi_order_pair(d, c, &now, &was);
    return (!of->sides[WFI_GOOD].count && comes_before(d->b, run, now, was)) ||
           (!of->sides[WFI_NEW].count && comes_before(d->b, run, was, now));
}

static bool run_explained(const struct wf_behaviour_diff *d, const struct wfi_change *c,
                          uint32_t run) {
    const struct wf_behaviour *b = d->b;
    const struct wfi_fact *t = wfi_fact(b, c->fact);
    uint32_t enters;
    switch (c->pub.kind) {
    case WF_BEHAVIOUR_LOCK_ORDER:
        return wfi_run_has_locks(b, run, t->part[0], t->part[1]) ||
               wfi_run_has_locks(b, run, t->part[1], t->part[0]);
    case WF_BEHAVIOUR_STATE:
    case WF_BEHAVIOUR_TRANSITION:
        enters = wfi_behaviour_find_action(b, WFI_VERB_ENTERS,
                                           t->part[c->pub.kind == WF_BEHAVIOUR_TRANSITION]);
        return enters && wfi_run_has_action(b, run, enters);
    case WF_BEHAVIOUR_WAKE_UP:
    case WF_BEHAVIOUR_ACTION:
        return t->kind == WFI_FACT_ACTION && wfi_run_has_action(b, run, t->part[0]);
    case WF_BEHAVIOUR_ORDER: return run == c->like || order_explains(d, c, run);
    case WF_BEHAVIOUR_RUN: return run == c->fact || run == c->like;
    default: return false;
    }
}

// Taking and giving the same object go together.
static bool is_counterpart(const struct wf_behaviour *b, uint32_t x, uint32_t y) {
    return wfi_action_text(b, x) == wfi_action_text(b, y) && wfi_action_text(b, x) &&
           (wfi_action_verb(b, x) == WFI_VERB_GIVES || wfi_action_verb(b, y) == WFI_VERB_GIVES);
}

// An action whose runs are all explained.
static bool action_explained(const struct wf_behaviour_diff *d, const struct wfi_change *c,
                             const struct wfi_fact *action) {
    const struct wf_behaviour *b = d->b;
    const struct wfi_fact *t = wfi_fact(b, c->fact);
    if (t->kind == WFI_FACT_ACTION && is_counterpart(b, action->part[0], t->part[0])) return true;
    for (uint32_t i = 1; i <= b->fact_count; ++i) {
        const struct wfi_fact *run = wfi_fact(b, i);
        if (run->kind == WFI_FACT_RUN && run->actor == action->actor &&
            wfi_run_has_action(b, i, action->part[0]) && !run_explained(d, c, i))
            return false;
    }
    return true;
}

// A task waits for what only a task gives that waits in vain itself.
static bool stuck_explained(const struct wf_behaviour_diff *d, const struct wfi_change *c,
                            const struct wfi_fact *stuck) {
    const struct wf_behaviour *b = d->b;
    uint32_t gives = wfi_behaviour_find_action(b, WFI_VERB_GIVES, stuck->part[0]);
    return gives && wfi_fact(b, c->fact)->kind == WFI_FACT_STUCK &&
           wfi_behaviour_find(b, WFI_FACT_ACTION, wfi_fact(b, c->fact)->actor, gives, 0, 0);
}

// An object is used for the first time, or no longer, by an action that has changed.
static bool object_explained(const struct wf_behaviour_diff *d, const struct wfi_change *c,
                             const struct wfi_fact *object) {
    const struct wfi_fact *t = wfi_fact(d->b, c->fact);
    if (t->kind == WFI_FACT_ACTION)
        return wfi_action_text(d->b, t->part[0]) == object->part[1] ||
               wfi_action_text2(d->b, t->part[0]) == object->part[1];
    return c->pub.kind == WF_BEHAVIOUR_TASK && wfi_actor_text(d->b, t->actor) == object->part[1];
}

bool wfi_change_explains(const struct wf_behaviour_diff *d, const struct wfi_change *c,
                         uint32_t fact) {
    const struct wfi_fact *t = wfi_fact(d->b, c->fact), *of = wfi_fact(d->b, fact);
    if (of->kind == WFI_FACT_OBJECT) return object_explained(d, c, of);
    if (of->kind == WFI_FACT_STUCK && of->actor != t->actor) return stuck_explained(d, c, of);
    if (of->actor != t->actor) return false;
    bool stuck = t->kind == WFI_FACT_STUCK;
    if (c->pub.kind == WF_BEHAVIOUR_TASK || stuck) return true;
    switch (of->kind) {
    case WFI_FACT_RUN: return run_explained(d, c, fact);
    case WFI_FACT_FOLLOWS:
        return run_explained(d, c, of->part[0]) || run_explained(d, c, of->part[1]);
    case WFI_FACT_TRANSITION:
        return c->pub.kind == WF_BEHAVIOUR_STATE &&
               (of->part[0] == t->part[0] || of->part[1] == t->part[0]);
    case WFI_FACT_ACTION: return action_explained(d, c, of);
    case WFI_FACT_LOCKS:
        return c->pub.kind == WF_BEHAVIOUR_LOCK_ORDER && of->part[0] == t->part[1] &&
               of->part[1] == t->part[0];
    case WFI_FACT_VARIETY: return true; // single kinds of runs were found
    default: return false;
    }
}

// ---- pairs of runs

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool same_actions(const struct wf_behaviour *b, uint32_t x, uint32_t y) {
    const struct wfi_fact *tx = wfi_fact(b, x), *ty = wfi_fact(b, y);
    uint32_t ax[WFI_RUN_ACTIONS], ay[WFI_RUN_ACTIONS], count = tx->part[1];
    if (ty->part[1] != count) return false;
    memcpy(ax, b->list + tx->part[0], count * sizeof *ax);
    memcpy(ay, b->list + ty->part[0], count * sizeof *ay);
    qsort(ax, count, sizeof *ax, by_number);
    qsort(ay, count, sizeof *ay, by_number);
    return memcmp(ax, ay, count * sizeof *ax) == 0;
}

// The number of equal actions at the begin and the end of both.
static uint32_t likeness(const struct wf_behaviour *b, uint32_t x, uint32_t y) {
    const struct wfi_fact *tx = wfi_fact(b, x), *ty = wfi_fact(b, y);
    const uint32_t *ax = b->list + tx->part[0], *ay = b->list + ty->part[0];
    uint32_t nx = tx->part[1], ny = ty->part[1], head = 0, rear = 0;
    while (head < nx && head < ny && ax[head] == ay[head]) ++head;
    while (rear + head < nx && rear + head < ny && ax[nx - 1 - rear] == ay[ny - 1 - rear]) ++rear;
    return 2 * (head + rear) + same_actions(b, x, y);
}

// The run of the other side that is most like this one: with the same actions in another order, or
// else one that has vanished, too.
static uint32_t find_like(const struct wf_behaviour_diff *d, uint32_t run, unsigned side) {
    const struct wf_behaviour *b = d->b;
    uint32_t best = 0, most = 0;
    for (uint32_t i = 1; i <= b->fact_count; ++i) {
        const struct wfi_fact *t = wfi_fact(b, i);
        if (t->kind != WFI_FACT_RUN || t->actor != wfi_fact(b, run)->actor || i == run) continue;
        if (!d->cases[i].sides[side].count) continue;
        uint32_t like = likeness(b, run, i) + (d->cases[i].sides[!side].count ? 0 : 4);
        if (like <= most) continue;
        most = like;
        best = i;
    }
    return best;
}

static void pair_run(struct wf_behaviour_diff *d, struct wfi_change *c) {
    unsigned other = c->pub.vanished ? WFI_NEW : WFI_GOOD;
    c->like = find_like(d, c->fact, other);
    bool never = c->like && !d->cases[c->like].sides[!other].count;
    if (c->pub.kind == WF_BEHAVIOUR_RUN && !c->pub.vanished && never &&
        same_actions(d->b, c->fact, c->like))
        c->pub.kind = WF_BEHAVIOUR_ORDER;
}

// ---- all changes

static void explain(struct wf_behaviour_diff *d, size_t at) {
    struct wfi_change *c = &d->changes[at];
    c->pub.because_of = at;
    for (size_t i = 0; i < at; ++i) {
        const struct wfi_change *by = &d->changes[i];
        bool root = by->pub.because_of == i && by->pub.certainty <= c->pub.certainty;
        if (!root || !wfi_change_explains(d, by, c->fact)) continue;
        c->pub.because_of = i;
        return;
    }
}

static int by_kind(const void *a, const void *b) {
    const struct wfi_change *x = a, *y = b;
    if (x->pub.certainty != y->pub.certainty) return x->pub.certainty < y->pub.certainty ? -1 : 1;
    if (x->pub.kind != y->pub.kind) return x->pub.kind < y->pub.kind ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

void wfi_changes_explain(struct wf_behaviour_diff *d) {
    for (size_t i = 0; i < d->change_count; ++i) {
        d->changes[i].number = i; // keeps the order among equals
        if (d->changes[i].pub.kind == WF_BEHAVIOUR_RUN) pair_run(d, &d->changes[i]);
    }
    if (d->change_count) qsort(d->changes, d->change_count, sizeof *d->changes, by_kind);
    for (size_t i = 0; i < d->change_count; ++i) explain(d, i);
}
