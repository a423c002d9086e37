// SPDX-License-Identifier: MIT
// Statistics for people: per kind a table of its single figures, and one of its spreads. Columns in
// which nothing is told are left out. A line has at most 100 columns.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stats.h"

enum { LABEL = 30, LABEL_LEAST = 20, CELL = 9, LOST = 5, CELL_TEXT = 32 };

// ---- cells

static void time_cell(const struct stats *s, double ticks, char text[CELL_TEXT]) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    unsigned unit = 0;
    if (!s->about.hz) {
        snprintf(text, CELL_TEXT, "%.10g", ticks);
        return;
    }
    double value = ticks * 1e9 / (double)s->about.hz;
    while (unit < 3 && value >= 999.95) {
        value /= 1000;
        ++unit;
    }
    snprintf(text, CELL_TEXT, value < 1000 ? "%.4g %s" : "%.0f %s", value, units[unit]);
}

// A point in time, as print shows it.
static void point(const struct stats *s, uint64_t tick, char text[CELL_TEXT]) {
    double since = (double)(int64_t)(tick - s->about.zero);
    if (s->about.hz)
        snprintf(text, CELL_TEXT, "%.6f s", since / (double)s->about.hz);
    else
        snprintf(text, CELL_TEXT, "%" PRIu64, tick);
}

static void value_cell(const struct stats *s, enum wf_unit unit, double value,
                       char text[CELL_TEXT]) {
    if (unit == WF_UNIT_TICKS)
        time_cell(s, value, text);
    else if (unit == WF_UNIT_PERCENT)
        snprintf(text, CELL_TEXT, "%.2f %%", value);
    else
        snprintf(text, CELL_TEXT, "%.10g", value);
}

static void label_of(const struct wf_stats_row *row, char text[256]) {
    switch (row->kind) {
    case WF_STATS_CORE: snprintf(text, 256, "core %d", row->core); break;
    case WF_STATS_IRQ:
        snprintf(text, 256, "interrupt %s%s", row->name, row->core ? " of core " : "");
        if (row->core) snprintf(text + strlen(text), 256 - strlen(text), "%d", row->core);
        break;
    case WF_STATS_OBJECT: snprintf(text, 256, "%s %.200s", row->what, row->name); break;
    case WF_STATS_HOLD: snprintf(text, 256, "%.100s: %.100s", row->object, row->task); break;
    case WF_STATS_WAIT: snprintf(text, 256, "%.100s: %.100s", row->object, row->task); break;
    case WF_STATS_BLOCKED:
        snprintf(text, 256, "%.80s: %.80s by %.80s", row->object, row->task, row->by);
        break;
    case WF_STATS_INVERSION:
        snprintf(text, 256, "%.80s, %.80s, %.80s", row->task, row->by, row->over);
        break;
    default: snprintf(text, 256, "%.250s", row->name);
    }
}

// Names are cut at the end of a column; a byte that would move the cursor is shown as '?'.
static void put_label(const struct wf_stats_row *row, int width) {
    char text[256];
    label_of(row, text);
    for (char *p = text; *p; ++p) {
        if ((unsigned char)*p < 0x20 || *p == 0x7F) *p = '?';
    }
    bool cut = (int)strlen(text) > width;
    printf("%-*.*s%s", cut ? 0 : width, cut ? width - 2 : width, text, cut ? ".." : "");
}

// ---- tables of single figures

static bool is_of(const struct wf_stats_row *row, enum wf_stats_kind kind) {
    return row->kind == kind;
}

// Which columns have anything in any row.
static unsigned find_columns(const struct stats *s, enum wf_stats_kind kind) {
    struct wf_stats_row row;
    unsigned columns = 0;
    for (uint64_t at = (uint64_t)kind << 32; stats_next(s, &at, &row) && is_of(&row, kind);) {
        for (unsigned i = 0; i < row.count; ++i) {
            const struct wf_figure *f = &row.figures[i];
            if (f->form == WF_FIGURE_ONE && f->known && f->value != 0) columns |= 1u << i;
        }
    }
    return columns;
}

// As wide as the other columns leave.
static int label_width(enum wf_stats_kind kind, unsigned columns) {
    int width = 100 - (kind == WF_STATS_TASK ? CELL + 1 : 0);
    for (; columns; columns &= columns - 1) width -= CELL + 1;
    if (width > LABEL) return LABEL;
    return width < LABEL_LEAST ? LABEL_LEAST : width;
}

static void head_of_ones(const struct wf_stats_row *row, const char *title, unsigned columns) {
    printf("\n%-*s", label_width(row->kind, columns), title);
    if (row->kind == WF_STATS_TASK) printf(" %*s", CELL, "priority");
    for (unsigned i = 0; i < row->count; ++i) {
        if (columns >> i & 1) printf(" %*s", CELL, row->figures[i].name);
    }
    putchar('\n');
}

static void ones_row(const struct stats *s, const struct wf_stats_row *row, unsigned columns) {
    char text[CELL_TEXT] = "?", mark = ' '; // of the figure before, in the gap behind it
    put_label(row, label_width(row->kind, columns));
    if (row->prio_known) snprintf(text, sizeof text, "%d", row->prio);
    if (row->kind == WF_STATS_TASK) printf(" %*s", CELL, text);
    for (unsigned i = 0; i < row->count; ++i) {
        if (!(columns >> i & 1)) continue;
        value_cell(s, row->figures[i].unit, row->figures[i].value, text);
        printf("%c%*s", mark, CELL, row->figures[i].known ? text : "-");
        if (row->marked) mark = '*';
    }
    puts(row->marked ? "*" : "");
}

static void ones(const struct stats *s, enum wf_stats_kind kind, const char *title) {
    struct wf_stats_row row;
    unsigned columns = find_columns(s, kind);
    bool first = true;
    if (!columns) return;
    for (uint64_t at = (uint64_t)kind << 32; stats_next(s, &at, &row) && is_of(&row, kind);) {
        if (first) head_of_ones(&row, title, columns);
        first = false;
        ones_row(s, &row, columns);
    }
}

// ---- tables of spreads

static bool has_spread(const struct wf_figure *f) {
    return f->form != WF_FIGURE_ONE && (f->known || f->open + f->in_holes > 0);
}

static void spread_row(const struct stats *s, const struct wf_stats_row *row,
                       const struct wf_figure *f, bool several) {
    const double values[] = {f->min, f->mean, f->p50, f->p95, f->p99, f->max};
    char text[CELL_TEXT];
    int lost = s->about.hole_count ? LOST : 0;
    put_label(row, (several ? LABEL - 6 : LABEL + 7) - lost);
    if (several) printf(" %-12s", f->name);
    snprintf(text, CELL_TEXT, "%.10g%s", f->count, row->marked ? "*" : "");
    printf(" %*s", row->marked ? CELL - 1 : CELL - 2, text);
    if (!row->marked) putchar(' ');
    if (lost) printf("%*.0f", LOST, f->in_holes);
    for (unsigned i = 0; i < 6; ++i) {
        bool none = !f->known || (f->form == WF_FIGURE_LEVEL && i >= 2 && i <= 4);
        if (!none) value_cell(s, f->unit, values[i], text);
        printf("%*s", CELL, none ? "-" : text);
    }
    putchar('\n');
}

static void spreads(const struct stats *s, enum wf_stats_kind kind, const char *title,
                    bool several) {
    static const char *const names[] = {"min", "mean", "p50", "p95", "p99", "max"};
    struct wf_stats_row row;
    bool first = true;
    for (uint64_t at = (uint64_t)kind << 32; stats_next(s, &at, &row) && is_of(&row, kind);) {
        for (unsigned i = 0; i < row.count; ++i) {
            const struct wf_figure *f = &row.figures[i];
            // How long a stretch was tells nothing where whole jobs are known.
            bool doubled = strcmp(f->name, "run") == 0 && row.count > 8 && row.figures[8].known;
            if (!has_spread(f) || doubled) continue;
            if (first) {
                int lost = s->about.hole_count ? LOST : 0;
                printf("\n%-*s %*s ", LABEL + 7 - lost, title, CELL - 2, "count");
                if (lost) printf("%*s", lost, "lost");
                for (unsigned n = 0; n < 6; ++n) printf("%*s", CELL, names[n]);
                putchar('\n');
            }
            first = false;
            spread_row(s, &row, f, several);
        }
    }
}

// ---- the rest

static void head(const struct stats *s) {
    const struct wf_stats_about *a = &s->about;
    char from[CELL_TEXT], until[CELL_TEXT], len[CELL_TEXT];
    if (!a->known) {
        printf("time        nothing with a time stamp in what is looked at\n");
        return;
    }
    point(s, a->from, from);
    point(s, a->until, until);
    time_cell(s, (double)(a->until - a->from), len);
    printf("time        %s to %s, %s long%s\n", from, until, len,
           a->hz ? "" : ", in ticks (--rate=HZ tells how long one is)");
}

static void priorities(const struct wf_stats_about *a) {
    const char *which = a->priorities == WF_PRIORITIES_LOW ? "low" : "high";
    if (a->priorities == WF_PRIORITIES_UNKNOWN && a->for_low + a->for_high)
        printf("\ninversions: not looked for, as %" PRIu64 " preemptions tell that low numbers are "
               "the better\npriorities, and %" PRIu64 " that high ones are; --priorities tells\n",
               a->for_low, a->for_high);
    else if (a->priorities == WF_PRIORITIES_UNKNOWN)
        printf("\ninversions: not looked for, as no preemption tells which priorities are better; "
               "--priorities does\n");
    else if (a->given)
        printf("\ninversions: %s numbers are the better priorities, as --priorities says\n", which);
    else
        printf("\ninversions: %s numbers are the better priorities, as %" PRIu64 " of %" PRIu64
               " preemptions tell\n",
               which, a->priorities == WF_PRIORITIES_LOW ? a->for_low : a->for_high,
               a->for_low + a->for_high);
}

static void holes(const struct stats *s) {
    enum { SHOWN = 10 };
    const struct wf_stats_about *a = &s->about;
    char at[CELL_TEXT], len[CELL_TEXT];
    if (a->odd) printf("\nodd: %" PRIu64 " records that cannot be, from what was known\n", a->odd);
    if (!a->hole_count) return;
    printf("\n* %" PRIu64
           " hole%s in the data may have changed these figures; intervals that reach "
           "into one\n  are not counted (their number: lost)\n",
           a->hole_count, a->hole_count == 1 ? "" : "s");
    for (size_t i = 0; i < a->holes_kept && i < SHOWN; ++i) {
        const struct wf_stats_hole *h = &a->holes[i];
        point(s, h->from, at);
        time_cell(s, (double)(h->to - h->from), len);
        printf("  at byte %" PRIu64 ", %s: %s long, %" PRIu64 " records missing%s, %" PRIu64
               " bytes damaged\n",
               h->offset, at, len, h->records, h->exact ? "" : " or more", h->bytes);
    }
    if (a->hole_count > SHOWN) printf("  and %" PRIu64 " more\n", a->hole_count - SHOWN);
}

static bool has_mutex_wait(const struct stats *s) {
    struct wf_stats_row row;
    uint64_t at = (uint64_t)WF_STATS_BLOCKED << 32;
    return stats_next(s, &at, &row) && row.kind <= WF_STATS_INVERSION;
}

void stats_text(const struct stats *s) {
    static const struct {
        const char *ones, *spreads;
        bool several;
    } titles[WF_STATS_KINDS] = {
        [WF_STATS_CORE] = {"cores", NULL, false},
        [WF_STATS_TASK] = {"tasks", "times of tasks", true},
        [WF_STATS_IRQ] = {"interrupts", "times of interrupts", true},
        [WF_STATS_MACHINE] = {NULL, "steps of state machines", false},
        [WF_STATS_OBJECT] = {"objects", "of objects", true},
        [WF_STATS_HOLD] = {NULL, "mutex: held by", false},
        [WF_STATS_WAIT] = {"waits", "object: waited for by", false},
        [WF_STATS_BLOCKED] = {NULL, "mutex: blocked by its holder", false},
        [WF_STATS_INVERSION] = {NULL, "inversions: waits, holds, runs", false},
        [WF_STATS_SPAN] = {NULL, "spans", false},
        [WF_STATS_COUNTER] = {NULL, "counters", false},
    };
    head(s);
    for (unsigned i = 0; i < WF_STATS_KINDS; ++i) {
        enum wf_stats_kind kind = (enum wf_stats_kind)i;
        if (titles[i].ones) ones(s, kind, titles[i].ones);
        if (titles[i].spreads) spreads(s, kind, titles[i].spreads, titles[i].several);
        if (kind == WF_STATS_INVERSION && has_mutex_wait(s)) priorities(&s->about);
    }
    holes(s);
}
