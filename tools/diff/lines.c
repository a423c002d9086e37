// SPDX-License-Identifier: MIT
// Texts of a comparison. Foreign names are escaped where they are printed.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../stats.h"
#include "diff.h"

void diff_label(const struct wf_diff_figure *f, char text[DIFF_LABEL]) {
    const struct wf_stats_row row = {.kind = f->kind,
                                     .name = f->name,
                                     .what = f->what ? f->what : "object",
                                     .task = f->task,
                                     .object = f->object,
                                     .by = f->by,
                                     .over = f->over,
                                     .core = f->core};
    char label[256] = "records";
    if (f->kind < WF_STATS_KINDS) label_row(&row, label);
    snprintf(text, DIFF_LABEL, "%s", label);
}

static void time_text(double seconds, char text[DIFF_VALUE]) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double value = seconds * 1e9;
    unsigned unit = 0;
    for (; unit < 3 && fabs(value) >= 999.95; ++unit) value /= 1000;
    snprintf(text, DIFF_VALUE, "%.4g %s", value, units[unit]);
}

void diff_value(const struct diff_entry *e, enum wf_diff_measure m, double value,
                char text[DIFF_VALUE]) {
    bool time = e->figure.unit == WF_UNIT_TICKS && (m <= WF_DIFF_MIN || m == WF_DIFF_VALUE);
    if (m == WF_DIFF_SHARE || (e->figure.unit == WF_UNIT_PERCENT && m == WF_DIFF_VALUE))
        snprintf(text, DIFF_VALUE, "%.3g %%", value);
    else if (m == WF_DIFF_RATE)
        snprintf(text, DIFF_VALUE, e->timed ? "%.4g/s" : "%.4g/tick", value);
    else if (time && e->timed)
        time_text(value, text);
    else
        snprintf(text, DIFF_VALUE, "%.6g", value);
}

static void put_figure(const struct diff_entry *e, char text[DIFF_TEXT]) {
    const struct wf_diff_figure *f = &e->figure;
    const struct wf_diff_change *c = &f->measures[f->leading];
    char label[DIFF_LABEL], good[DIFF_VALUE], now[DIFF_VALUE], effect[DIFF_VALUE] = "from none";
    const char *measure = wf_diff_measure_names[f->leading];
    diff_label(f, label);
    diff_value(e, f->leading, c->good, good);
    diff_value(e, f->leading, c->now, now);
    if (isfinite(c->effect)) snprintf(effect, sizeof effect, "%+.1f %%", c->effect);
    if (f->presence == WF_DIFF_BOTH)
        snprintf(text, DIFF_TEXT, "%s: %s %s %s -> %s, %s", label, f->figure, measure, good, now,
                 effect);
    else
        snprintf(text, DIFF_TEXT, "%s %s: %s %s %s", label,
                 f->presence == WF_DIFF_NEW ? "is new" : "has vanished", f->figure, measure,
                 f->presence == WF_DIFF_NEW ? now : good);
}

void diff_sentence(const struct diff_entry *e, char text[DIFF_TEXT]) {
    if (e->is_figure)
        put_figure(e, text);
    else
        snprintf(text, DIFF_TEXT, "%s", e->behaviour.text);
}

void diff_certainty(const struct diff_entry *e, char text[DIFF_TEXT]) {
    const struct wf_diff_figure *f = &e->figure;
    double p = e->is_figure ? f->measures[f->leading].p : e->behaviour.p;
    const char *why = e->is_figure || p > 0 ? "by chance: %.1g" : "created at the start";
    if (e->state == DIFF_CANNOT_TELL)
        snprintf(text, DIFF_TEXT, "touched by lost data, no verdict");
    else if (e->state == DIFF_SUSPECTED)
        snprintf(text, DIFF_TEXT, "chance may explain it");
    else if (p > 0 && p < 1e-12)
        snprintf(text, DIFF_TEXT, "by chance: below 1e-12");
    else
        snprintf(text, DIFF_TEXT, why, p);
}

// Names with other characters stand between quotes.
static bool is_plain(const char *name) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+";
    return *name && strspn(name, plain) == strlen(name);
}

void diff_command(const struct wf_behaviour_place *place, char text[DIFF_TEXT]) {
    *text = 0;
    if (!place->known || strchr(place->source, '\'')) return;
    const char *quote = is_plain(place->source) ? "" : "'";
    snprintf(text, DIFF_TEXT,
             place->seconds ? "wallfly serve %s%s%s --at=%.6f" : "wallfly serve %s%s%s --at=%.0f",
             quote, place->source, quote, place->at_s);
}
