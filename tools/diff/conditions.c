// SPDX-License-Identifier: MIT
// The conditions of --fail-on.

#include <stdlib.h>
#include <string.h>

#include "diff.h"

// Repeated options are joined with commas; a comma between brackets belongs to a name.
static size_t condition_length(const char *text) {
    unsigned depth = 0;
    size_t len = 0;
    for (; text[len]; ++len) {
        depth += text[len] == '[';
        depth -= text[len] == ']' && depth;
        if (text[len] == ',' && !depth) break;
    }
    return len;
}

static bool add_condition(struct diff_result *r, const char *text, size_t len) {
    struct diff_condition *more = realloc(r->conditions, (r->condition_count + 1) * sizeof *more);
    if (more) r->conditions = more;
    char *copy = malloc(len + 1);
    if (!more || !copy) {
        free(copy);
        return out_of_memory() == EXIT_GOOD;
    }
    memcpy(copy, text, len);
    copy[len] = 0;
    struct diff_condition *c = &r->conditions[r->condition_count++];
    struct wf_error error;
    *c = (struct diff_condition){.text = copy, .behaviour = strcmp(copy, "behaviour") == 0};
    if (c->behaviour || wf_diff_condition_parse(copy, &c->of, &error) == WF_OK) return true;
    diag_error(EXIT_USAGE, "--fail-on: %s", error.text);
    return false;
}

bool diff_conditions(struct diff_result *r, const char *text) {
    while (text && *text) {
        size_t len = condition_length(text);
        if (!add_condition(r, text, len)) return false;
        text += len + (text[len] == ',');
    }
    return true;
}

// ---- deciding

static bool keep_entry(struct diff_condition *c, const struct diff_entry *e) {
    struct diff_entry *more = realloc(c->entries, (c->count + 1) * sizeof *more);
    if (!more) return false;
    c->entries = more;
    c->entries[c->count++] = *e;
    return true;
}

static bool decide_behaviour(struct diff_result *r, struct diff_condition *c) {
    bool fails = false, open = !r->behaviour;
    for (size_t i = 0; i < r->count; ++i) {
        const struct diff_entry *e = &r->entries[i];
        if (e->is_figure || e->state > DIFF_CANNOT_TELL) continue;
        fails |= e->state == DIFF_CHANGED;
        open |= e->state == DIFF_CANNOT_TELL;
        if (!keep_entry(c, e)) return false;
    }
    c->answer = fails ? WF_DIFF_FAILS : open ? WF_DIFF_CANNOT_TELL : WF_DIFF_HOLDS;
    return true;
}

static bool decide_figures(struct diff_result *r, struct diff_condition *c) {
    struct diff_entry e = {.is_figure = true};
    enum wf_diff_answer answer;
    for (size_t at = 0; wf_diff_condition_next(r->figures, &c->of, &at, &e.figure, &answer);) {
        if (!c->of.any_measure) e.figure.leading = c->of.measure;
        e.timed = diff_is_timed(r, e.figure.lane);
        e.state = answer == WF_DIFF_FAILS ? DIFF_CHANGED : DIFF_CANNOT_TELL;
        if (!keep_entry(c, &e)) return false;
    }
    c->answer = answer;
    return true;
}

bool diff_decide_conditions(struct diff_result *r) {
    bool good = true;
    for (size_t i = 0; i < r->condition_count && good; ++i) {
        struct diff_condition *c = &r->conditions[i];
        good = c->behaviour ? decide_behaviour(r, c) : decide_figures(r, c);
    }
    return good;
}
