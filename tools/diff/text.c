// SPDX-License-Identifier: MIT
// The result as text for people: a line for each change, the most important first; then for each
// change of behaviour both sides next to each other.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"

enum { COLUMN = 49, ROWS = 128, MOST = 20 }; // MOST: entries of a kind without --all

// ---- two columns

struct column {
    char rows[ROWS][4 * COLUMN];
    unsigned count;
};

// Adds a text, wrapped at blanks, further rows indented.
static void add_rows(struct column *c, const char *text, unsigned indent) {
    const char *p = shown_text(text);
    unsigned width = 0;
    char *to = NULL;
    while (*p && c->count <= ROWS) {
        size_t len = strcspn(p, " ");
        char word[2 * COLUMN];
        snprintf(word, sizeof word, "%.*s", (int)len, p);
        unsigned wide = (unsigned)shown_width(word);
        if (!to || width + 1 + wide > COLUMN - 2) {
            if (c->count == ROWS) return;
            to = c->rows[c->count++];
            width = p == text ? 0 : indent;
            snprintf(to, 4 * COLUMN, "%*s", (int)(c->count && p != text ? indent : 0), "");
            width = (unsigned)strlen(to);
        } else {
            strncat(to, " ", 4 * COLUMN - strlen(to) - 1);
            ++width;
        }
        strncat(to, word, 4 * COLUMN - strlen(to) - 1);
        width += wide;
        p += len;
        while (*p == ' ') ++p;
    }
}

static void put_columns(const struct column *left, const struct column *right) {
    for (unsigned i = 0; i < left->count || i < right->count; ++i) {
        const char *l = i < left->count ? left->rows[i] : "",
                   *r = i < right->count ? right->rows[i] : "";
        int gap = COLUMN - (int)shown_width(l);
        printf("    %s", l);
        if (*r) printf("%*s%s", gap > 0 ? gap : 1, "", r);
        putchar('\n');
    }
}

// ---- both sides of a change of behaviour

static void place_text(const struct wf_behaviour_place *p, char text[DIFF_TEXT]) {
    snprintf(text, DIFF_TEXT, p->seconds ? "%.6f s" : "tick %.0f", p->at_s);
}

static void add_line(struct column *c, const struct wf_behaviour_line *line) {
    char text[DIFF_TEXT], at[DIFF_TEXT], times[32] = "";
    place_text(&line->place, at);
    if (line->times > 1) snprintf(times, sizeof times, ", %" PRIu64 " times", line->times);
    snprintf(text, sizeof text, "%s %.40s run %" PRIu64 "%s: %.800s", line->changed ? ">" : "-", at,
             line->place.run, times, line->text);
    add_rows(c, text, 2);
}

static void fill_column(struct column *c, const char *label, const struct wf_behaviour_side *side,
                        const char *unit) {
    char text[DIFF_TEXT];
    snprintf(text, sizeof text, "%s: %" PRIu64 " of %" PRIu64 " %s", label, side->count, side->of,
             unit);
    add_rows(c, text, 2);
    snprintf(text, sizeof text, "never");
    if (side->first.known && side->count) {
        place_text(&side->first, text);
        size_t len = strlen(text);
        snprintf(text + len, sizeof text - len, ", record %" PRIu64 ", for the first time",
                 side->first.record);
    }
    add_rows(c, text, 2);
    for (unsigned i = 0; i < side->line_count; ++i) add_line(c, &side->lines[i]);
}

// The place to look at: the changed run among the lines, or the first occurrence.
static const struct wf_behaviour_place *place_of(const struct wf_behaviour_side *side) {
    for (unsigned i = 0; i < side->line_count; ++i) {
        if (side->lines[i].changed) return &side->lines[i].place;
    }
    if (side->first.known) return &side->first;
    return side->line_count ? &side->lines[side->line_count - 1].place : &side->first;
}

static void put_detail(const struct wf_behaviour_difference *b, size_t number) {
    bool lane = !b->actor;
    struct column *columns = calloc(DIFF_SIDES, sizeof *columns);
    char text[DIFF_TEXT];
    printf("\n%zu: %s\n", number, shown_text(b->text));
    if (b->hint) printf("    %s\n", shown_text(b->hint));
    for (unsigned i = 0; columns && i < DIFF_SIDES; ++i)
        fill_column(&columns[i], i ? "new" : "good", &b->sides[i], lane ? "records" : "runs");
    if (columns) put_columns(&columns[0], &columns[1]);
    free(columns);
    for (unsigned i = 0; i < DIFF_SIDES; ++i) {
        diff_command(place_of(&b->sides[i]), text);
        if (*text) printf("    %s\n", shown_text(text));
    }
}

// ---- the lines

static void put_sources(const struct diff_side *side) {
    char text[DIFF_TEXT] = "";
    size_t len = 0;
    for (unsigned i = 0; i < side->count && i < 4 && len < sizeof text - 8; ++i)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%.200s%s", i ? ", " : "",
                                side->sources[i].name, side->sources[i].saved ? " (saved)" : "");
    printf("%-5s %s", side->label, shown_text(text));
    if (side->count > 4) printf(" and %u more", side->count - 4);
    putchar('\n');
}

static bool is_shown(const struct diff_result *r, enum diff_state state) {
    return state != DIFF_SAME || r->args->value[DIFF_ALL];
}

static void put_entries(const struct diff_result *r, enum diff_state state, const char *title) {
    size_t shown = 0, most = r->args->value[DIFF_ALL] ? SIZE_MAX : MOST;
    char text[DIFF_TEXT], certainty[DIFF_TEXT];
    if (!r->states[state] || !is_shown(r, state)) return;
    printf("\n%s\n", title);
    for (size_t i = 0; i < r->count; ++i) {
        bool hidden = r->entries[i].follows && !r->args->value[DIFF_ALL];
        if (r->entries[i].state != state || hidden || ++shown > most) continue;
        diff_sentence(&r->entries[i], text);
        diff_certainty(&r->entries[i], certainty);
        printf("%4zu  %s", i + 1, shown_text(text));
        if (state == DIFF_CHANGED) printf("  (%s)", certainty);
        putchar('\n');
    }
    if (shown > most) printf("      and %zu more; --all shows them\n", shown - most);
}

static void put_details(const struct diff_result *r) {
    size_t shown = 0, most = r->args->value[DIFF_ALL] ? SIZE_MAX : MOST;
    for (size_t i = 0; i < r->count; ++i) {
        const struct diff_entry *e = &r->entries[i];
        if (!e->is_figure && e->state != DIFF_SAME && ++shown <= most)
            put_detail(&e->behaviour, i + 1);
    }
}

static void put_condition(const struct diff_condition *c) {
    static const char *const answers[] = {[WF_DIFF_HOLDS] = "holds",
                                          [WF_DIFF_FAILS] = "FAILS",
                                          [WF_DIFF_CANNOT_TELL] = ("cannot tell: lost data, or too "
                                                                   "few values"),
                                          [WF_DIFF_NO_FIGURE] = "cannot tell: no figure fits"};
    char text[DIFF_TEXT];
    printf("  %s: %s\n", shown_text(c->text), answers[c->answer]);
    for (size_t i = 0; i < c->count && i < MOST; ++i) {
        diff_sentence(&c->entries[i], text);
        printf("      %s\n", shown_text(text));
    }
}

static void put_verdict(const struct diff_result *r) {
    struct wf_diff_about about;
    wf_diff_report(r->figures, &about);
    printf("\n%zu figures compared: %zu changed, %zu marked because of lost data, %zu with too few "
           "values\n",
           about.figures, about.verdicts[WF_DIFF_CHANGED], about.verdicts[WF_DIFF_MARKED],
           about.verdicts[WF_DIFF_FEW]);
    if (!r->behaviour)
        printf("behaviour was not compared: %s\n",
               r->without_behaviour ? r->without_behaviour : "a profile was saved without it");
    else
        printf("changes of behaviour, with their consequences: %zu\n",
               wf_behaviour_diff_count(r->behaviour, WF_BEHAVIOUR_CHANGED));
    puts(r->verdict == DIFF_CHANGED       ? "verdict: changed"
         : r->verdict == DIFF_CANNOT_TELL ? "verdict: cannot tell, because of lost data"
                                          : "verdict: nothing changed beyond chance");
}

void diff_text(const struct diff_result *r) {
    for (unsigned i = 0; i < DIFF_SIDES; ++i) put_sources(&r->sides[i]);
    put_entries(r, DIFF_CHANGED, "changed, the most important first");
    put_entries(r, DIFF_CANNOT_TELL, "touched by lost data, no verdict");
    put_entries(r, DIFF_SUSPECTED, "new, but so rare that chance may explain it");
    put_entries(r, DIFF_SAME, "not changed beyond chance");
    put_details(r);
    if (r->condition_count) puts("\nconditions");
    for (size_t i = 0; i < r->condition_count; ++i) put_condition(&r->conditions[i]);
    put_verdict(r);
}
