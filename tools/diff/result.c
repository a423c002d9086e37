// SPDX-License-Identifier: MIT
// Compares the sides, puts figures and behaviour in one order, and decides.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"

const char *const diff_states[DIFF_STATES] = {"changed", "cannot tell", "suspected", "unchanged"};

static bool add_entry(struct diff_result *r, const struct diff_entry *e) {
    struct diff_entry *more = realloc(r->entries, (r->count + 1) * sizeof *more);
    if (!more) return false;
    r->entries = more;
    r->entries[r->count++] = *e;
    ++r->states[e->state];
    return true;
}

// ---- figures

bool diff_is_timed(const struct diff_result *r, unsigned lane) {
    struct wf_profile_lane of;
    for (unsigned side = 0; side < DIFF_SIDES; ++side) {
        for (size_t i = 0; wf_profile_lane(r->sides[side].profile, i, &of); ++i) {
            if (of.lane == lane) return of.hz != 0;
        }
    }
    return false;
}

// A figure that lost data may have changed is no change. It is listed if it differs as one would.
static bool would_have_changed(const struct wf_diff_figure *f, size_t measures) {
    for (unsigned m = 0; m < WF_DIFF_MEASURES; ++m) {
        const struct wf_diff_change *c = &f->measures[m];
        bool judged = m != WF_DIFF_P95 && m != WF_DIFF_MIN && m != WF_DIFF_VALUE;
        if (judged && c->known && fabs(c->effect) >= 1 && c->p * (double)(measures + 1) < 0.01)
            return true;
    }
    return false;
}

static enum diff_state figure_state(const struct wf_diff_figure *f, size_t measures) {
    if (f->verdict == WF_DIFF_CHANGED) return DIFF_CHANGED;
    if (f->verdict == WF_DIFF_MARKED && would_have_changed(f, measures)) return DIFF_CANNOT_TELL;
    return DIFF_SAME;
}

static bool is_text(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

// Returns whether the row is new or has vanished because its task is, or has.
static bool follows_task(const struct diff_result *r, const struct wf_diff_figure *f) {
    if (f->presence == WF_DIFF_BOTH) return false;
    for (size_t i = 0; i < r->count; ++i) {
        const struct wf_behaviour_difference *b = &r->entries[i].behaviour;
        if (r->entries[i].is_figure || b->kind != WF_BEHAVIOUR_TASK || b->lane != f->lane) continue;
        if (is_text(b->actor, f->task) || is_text(b->actor, f->by) || is_text(b->actor, f->over))
            return true;
    }
    return false;
}

static bool add_figures(struct diff_result *r, enum diff_state state, bool follows) {
    struct wf_diff_about about;
    struct diff_entry e = {.is_figure = true};
    wf_diff_report(r->figures, &about);
    size_t measures = about.measures;
    for (size_t at = 0; wf_diff_next(r->figures, &at, &e.figure);) {
        e.timed = diff_is_timed(r, e.figure.lane);
        e.state = figure_state(&e.figure, measures);
        e.follows = follows_task(r, &e.figure);
        if (e.state == state && e.follows == follows && !add_entry(r, &e)) return false;
    }
    return true;
}

// ---- behaviour

// Adds the changes in one state: those that come before figures, or the others.
static bool add_behaviour(struct diff_result *r, enum diff_state state, bool causes) {
    static const enum diff_state states[WF_BEHAVIOUR_CERTAINTIES] = {
        [WF_BEHAVIOUR_CHANGED] = DIFF_CHANGED,
        [WF_BEHAVIOUR_SUSPECTED] = DIFF_SUSPECTED,
        [WF_BEHAVIOUR_MARKED] = DIFF_CANNOT_TELL};
    struct diff_entry e = {.is_figure = false};
    for (size_t at = 0; r->behaviour && wf_behaviour_diff_next(r->behaviour, &at, &e.behaviour);) {
        bool root = e.behaviour.because_of == at - 1;
        e.state = states[e.behaviour.certainty];
        if (!root || e.state != state || wf_behaviour_kind_is_cause(e.behaviour.kind) != causes)
            continue;
        if (!add_entry(r, &e)) return false;
    }
    return true;
}

static bool order_entries(struct diff_result *r) {
    for (unsigned state = 0; state < DIFF_STATES; ++state) {
        if (!add_behaviour(r, (enum diff_state)state, true) ||
            !add_figures(r, (enum diff_state)state, false) ||
            !add_behaviour(r, (enum diff_state)state, false) ||
            !add_figures(r, (enum diff_state)state, true))
            return false;
    }
    return true;
}

// ---- the verdict

static void decide(struct diff_result *r) {
    struct wf_diff_about about;
    wf_diff_report(r->figures, &about);
    r->marked = about.verdicts[WF_DIFF_MARKED];
    bool changed = r->states[DIFF_CHANGED], open = r->states[DIFF_CANNOT_TELL] || r->marked;
    if (r->condition_count) changed = open = false;
    for (size_t i = 0; i < r->condition_count; ++i) {
        changed |= r->conditions[i].answer == WF_DIFF_FAILS;
        open |= r->conditions[i].answer > WF_DIFF_FAILS;
    }
    r->verdict = changed ? DIFF_CHANGED : open ? DIFF_CANNOT_TELL : DIFF_SAME;
    r->code = changed ? EXIT_NO : open ? EXIT_UNDECIDED : EXIT_GOOD;
    bool lossy = r->sides[DIFF_SIDE_GOOD].lossy || r->sides[DIFF_SIDE_NEW].lossy;
    if (lossy && r->code == EXIT_GOOD) r->code = EXIT_LOSS;
}

// Without names on one side, all that has none looks new or vanished.
static uint64_t unnamed(const struct diff_side *side) {
    struct wf_behaviour_trace t;
    uint64_t count = 0;
    for (size_t i = 0; wf_behaviour_trace(side->behaviour, i, &t); ++i) count += t.unnamed;
    return count;
}

static void note_names(const struct diff_result *r) {
    bool good = unnamed(&r->sides[DIFF_SIDE_GOOD]) != 0, now = unnamed(&r->sides[DIFF_SIDE_NEW]);
    if (good == now) return;
    diag_note("names are missing on the %s side alone: give its program with %s, or changes are "
              "reported that are none",
              good ? "good" : "new", good ? "--good-elf" : "--elf");
}

static void note_full(const struct diff_side *side) {
    struct wf_behaviour_trace t;
    for (size_t i = 0; wf_behaviour_trace(side->behaviour, i, &t); ++i) {
        if (t.full)
            diag_note("%s: has more different runs than are kept; the others are not compared",
                      t.source);
    }
}

int diff_compare(struct diff_result *r) {
    struct diff_side *good = &r->sides[DIFF_SIDE_GOOD], *now = &r->sides[DIFF_SIDE_NEW];
    const struct wf_diff_options figures = {.size = sizeof figures, .alarms = 0.008};
    const struct wf_behaviour_compare_options behaviour = {.size = sizeof behaviour,
                                                           .alarms = 0.002};
    struct wf_error error;
    r->figures = wf_diff_open(good->profile, now->profile, &figures, &error);
    if (!r->figures) return diag_error(exit_code_of(error.code), "%s", error.text);
    if (!good->without_behaviour && !now->without_behaviour) {
        r->behaviour = wf_behaviour_compare(good->behaviour, now->behaviour, &behaviour, &error);
        if (!r->behaviour) return diag_error(exit_code_of(error.code), "%s", error.text);
    }
    note_names(r);
    note_full(good);
    note_full(now);
    if (!order_entries(r) || !diff_decide_conditions(r)) return out_of_memory();
    decide(r);
    return EXIT_GOOD;
}

void diff_close(struct diff_result *r) {
    for (unsigned i = 0; i < DIFF_SIDES; ++i) {
        struct diff_side *side = &r->sides[i];
        for (unsigned n = 0; n < side->count; ++n) free(side->sources[n].name);
        free(side->sources);
        wf_profile_close(side->profile);
        wf_behaviour_close(side->behaviour);
    }
    for (size_t i = 0; i < r->condition_count; ++i) {
        free(r->conditions[i].text);
        free(r->conditions[i].entries);
    }
    free(r->conditions);
    free(r->entries);
    wf_diff_close(r->figures);
    wf_behaviour_diff_close(r->behaviour);
}
