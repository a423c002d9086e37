// SPDX-License-Identifier: MIT
// Statistics as text: for each kind one table of its single figures and one of its distributions.
// Empty columns are left out. Each table is made twice: first to measure the column widths, so that
// figures never touch, then to print it. A line has at most 100 columns, unless the digits need
// more.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stats.h"

enum { LABEL = 30, LABEL_LEAST = 20, CELL = 9, LOST = 5 };
enum { COLUMNS = WF_FIGURES_MAX + 1 }; // the last one: priority

struct columns {
    bool measures; // measure the widths instead of printing
    int width[COLUMNS];
    uint32_t shown; // bits of the single figures that are shown
    bool marked;    // any row is marked
};

static void widen(int *width, const char *text, int more) {
    int len = (int)strlen(text) + more;
    if (len > *width) *width = len;
}

static uint64_t rows_of(enum wf_stats_kind kind) { return (uint64_t)kind << 32; }

static bool next_of(const struct stats *s, enum wf_stats_kind kind, uint64_t *at,
                    struct wf_stats_row *row) {
    return stats_next(s, at, row) && row->kind == kind;
}

// ---- tables of single figures

static void priority_text(const struct wf_stats_row *row, char text[CELL_TEXT]) {
    snprintf(text, CELL_TEXT, "?");
    if (row->prio_known) snprintf(text, CELL_TEXT, "%d", row->prio);
    if (!row->prio_known || !row->raised) return;
    char base[16] = "?";
    if (row->base_known) snprintf(base, sizeof base, "%d", row->base_prio);
    snprintf(text, CELL_TEXT, "%d (%s)", row->prio, base);
}

static void single_text(const struct stats *s, const struct wf_figure *f, char text[CELL_TEXT]) {
    snprintf(text, CELL_TEXT, "-");
    if (f->known) cell_value(s, f->unit, f->value, text);
}

// Finds the columns that have a value in any row, and their widths.
static void find_columns(const struct stats *s, enum wf_stats_kind kind, struct columns *c) {
    struct wf_stats_row row;
    char text[CELL_TEXT];
    for (uint64_t at = rows_of(kind); next_of(s, kind, &at, &row);) {
        for (unsigned i = 0; i < row.count; ++i) {
            const struct wf_figure *f = &row.figures[i];
            if (f->form != WF_FIGURE_ONE) continue;
            bool shown = f->value != 0 || f->unit == WF_UNIT_VALUE; // for these, 0 is meaningful
            if (f->known && shown) c->shown |= UINT32_C(1) << i;
            single_text(s, f, text);
            widen(&c->width[i], text, row.marked); // the mark is in the gap, then a blank
            widen(&c->width[i], f->name, 0);
        }
        priority_text(&row, text);
        widen(&c->width[COLUMNS - 1], text, 0);
        c->marked |= row.marked;
    }
    if (c->shown && kind == WF_STATS_TASK) c->shown |= UINT32_C(1) << (COLUMNS - 1);
    for (unsigned i = 0; i < COLUMNS; ++i) {
        if (c->width[i] < CELL) c->width[i] = CELL;
    }
}

static bool is_shown(const struct columns *c, unsigned i) { return c->shown >> i & 1; }

// Returns the width left by the other columns.
static int label_width(const struct columns *c) {
    int width = 100 - c->marked;
    for (unsigned i = 0; i < COLUMNS; ++i) width -= is_shown(c, i) ? c->width[i] + 1 : 0;
    if (width > LABEL) return LABEL;
    return width < LABEL_LEAST ? LABEL_LEAST : width;
}

static void put_single_head(const struct wf_stats_row *row, const char *title,
                            const struct columns *c) {
    printf("\n%-*s", label_width(c), title);
    if (is_shown(c, COLUMNS - 1)) printf(" %*s", c->width[COLUMNS - 1], "priority");
    for (unsigned i = 0; i < row->count; ++i) {
        if (is_shown(c, i)) printf(" %*s", c->width[i], row->figures[i].name);
    }
    putchar('\n');
}

static void put_single_row(const struct stats *s, const struct wf_stats_row *row,
                           const struct columns *c) {
    char text[CELL_TEXT], mark = ' '; // of the previous figure, in the gap after it
    label_put(row, label_width(c));
    priority_text(row, text);
    if (is_shown(c, COLUMNS - 1)) printf(" %*s", c->width[COLUMNS - 1], text);
    for (unsigned i = 0; i < row->count; ++i) {
        if (!is_shown(c, i)) continue;
        single_text(s, &row->figures[i], text);
        printf("%c%*s", mark, c->width[i], text);
        if (row->marked) mark = '*';
    }
    puts(row->marked ? "*" : "");
}

static void put_singles(const struct stats *s, enum wf_stats_kind kind, const char *title) {
    struct wf_stats_row row;
    struct columns columns = {.marked = false};
    bool first = true;
    find_columns(s, kind, &columns);
    if (!columns.shown) return;
    for (uint64_t at = rows_of(kind); next_of(s, kind, &at, &row);) {
        if (first) put_single_head(&row, title, &columns);
        first = false;
        put_single_row(s, &row, &columns);
    }
}

// ---- tables of distributions: count, lost, then the values

enum { VALUES = 6, COUNT_AT = VALUES, LOST_AT };

static bool has_histogram(const struct wf_figure *f) {
    return f->form != WF_FIGURE_ONE && (f->known || f->open + f->in_holes > 0);
}

static void histogram_text(const struct stats *s, const struct wf_figure *f, unsigned i,
                           char text[CELL_TEXT]) {
    const double values[VALUES] = {f->min, f->mean, f->p50, f->p95, f->p99, f->max};
    bool none = !f->known || (f->form == WF_FIGURE_LEVEL && i >= 2 && i <= 4);
    snprintf(text, CELL_TEXT, "-");
    if (i == COUNT_AT) snprintf(text, CELL_TEXT, "%.15g", f->count);
    if (i == LOST_AT) snprintf(text, CELL_TEXT, "%.0f", f->in_holes);
    if (i < VALUES && !none) cell_value(s, f->unit, values[i], text);
}

static void put_histogram_row(const struct stats *s, const struct wf_stats_row *row,
                              const struct wf_figure *f, bool several, struct columns *c) {
    char text[CELL_TEXT];
    int lost = c->width[LOST_AT];
    for (unsigned i = 0; i <= LOST_AT && c->measures; ++i) {
        histogram_text(s, f, i, text);
        if (c->width[i]) widen(&c->width[i], text, 1);
    }
    if (c->measures) return;
    label_put(row, (several ? LABEL - 6 : LABEL + 7) - (lost ? LOST : 0));
    if (several) printf(" %-12s", f->name);
    histogram_text(s, f, COUNT_AT, text);
    printf("%*s%c", c->width[COUNT_AT], text, row->marked ? '*' : ' ');
    histogram_text(s, f, LOST_AT, text);
    if (lost) printf("%*s", lost, text);
    for (unsigned i = 0; i < VALUES; ++i) {
        histogram_text(s, f, i, text);
        printf("%*s", c->width[i], text);
    }
    putchar('\n');
}

static void put_histogram_head(const char *title, const struct columns *c) {
    static const char *const names[VALUES] = {"min", "mean", "p50", "p95", "p99", "max"};
    int lost = c->width[LOST_AT];
    printf("\n%-*s%*s ", LABEL + 7 - (lost ? LOST : 0), title, c->width[COUNT_AT], "count");
    if (lost) printf("%*s", lost, "lost");
    for (unsigned n = 0; n < VALUES; ++n) printf("%*s", c->width[n], names[n]);
    putchar('\n');
}

static bool walk_histograms(const struct stats *s, enum wf_stats_kind kind, const char *title,
                            bool several, struct columns *c) {
    struct wf_stats_row row;
    bool any = false;
    for (uint64_t at = rows_of(kind); next_of(s, kind, &at, &row);) {
        for (unsigned i = 0; i < row.count; ++i) {
            const struct wf_figure *f = &row.figures[i];
            // The length of a stretch is of no interest when whole jobs are known.
            bool doubled = strcmp(f->name, "run") == 0 && row.count > 8 && row.figures[8].known;
            if (!has_histogram(f) || doubled) continue;
            if (!any && !c->measures) put_histogram_head(title, c);
            any = true;
            put_histogram_row(s, &row, f, several, c);
        }
    }
    return any;
}

static void put_histograms(const struct stats *s, enum wf_stats_kind kind, const char *title,
                           bool several) {
    struct columns c = {.measures = true};
    for (unsigned i = 0; i < VALUES; ++i) c.width[i] = CELL;
    c.width[COUNT_AT] = CELL - 1;
    c.width[LOST_AT] = s->about.hole_count ? LOST : 0;
    if (!walk_histograms(s, kind, title, several, &c)) return;
    c.measures = false;
    walk_histograms(s, kind, title, several, &c);
}

// ---- inherited priorities

// Explains the current priority: base priority, the raising task, and its mutex.
static void put_raise(const struct wf_stats_row *row, const char *by, const char *mutex) {
    char base[16] = "?";
    if (row->base_known) snprintf(base, sizeof base, "%d", row->base_prio);
    printf("%d (%s, raised by %s for %s)", row->prio, base, by ? shown_text(by) : "?",
           mutex ? shown_text(mutex) : "?");
}

static void put_raised(const struct stats *s) {
    struct wf_stats_row row;
    char task[128], by[128], sum[CELL_TEXT], most[CELL_TEXT];
    const char *title = "\npriorities raised\n";
    for (uint64_t at = rows_of(WF_STATS_RAISED); next_of(s, WF_STATS_RAISED, &at, &row);) {
        const struct wf_figure *f = &row.figures[0];
        cell_time(s, f->mean * f->count, sum);
        cell_time(s, f->max, most);
        printf("%s  %s: ", title, shown_text(label_tasks(row.task, row.tasks, task)));
        put_raise(&row, label_tasks(row.by, row.by_tasks, by), row.object);
        printf(", %.15g times", f->count);
        if (f->known) printf(", %s in all, at most %s", sum, most);
        if (f->open + f->in_holes > 0) printf(", %.15g not whole", f->open + f->in_holes);
        puts(row.marked ? " *" : "");
        title = "";
    }
    for (uint64_t at = rows_of(WF_STATS_TASK); next_of(s, WF_STATS_TASK, &at, &row);) {
        if (!row.prio_known || !row.raised) continue;
        printf("%s  %s at the end: ", title, shown_text(label_tasks(row.name, row.tasks, task)));
        put_raise(&row, row.raised_by, row.raised_for);
        putchar('\n');
        title = "";
    }
}

// ---- unpaired interrupts

static double figure_value(const struct wf_stats_row *row, const char *name) {
    for (unsigned i = 0; i < row->count; ++i) {
        if (strcmp(row->figures[i].name, name) == 0) return row->figures[i].value;
    }
    return 0;
}

// Returns the first of them, or null if it is beyond the kept ones.
static const struct wf_stats_unpaired *first_unpaired(const struct stats *s,
                                                      const struct wf_stats_row *row, bool enter) {
    for (size_t i = 0; i < s->about.unpaired_kept; ++i) {
        const struct wf_stats_unpaired *u = &s->about.unpaired[i];
        if (u->irq == row->key && (int)u->core == row->core && u->enter == enter) return u;
    }
    return NULL;
}

static void put_unpaired(const struct stats *s) {
    static const char *const names[] = {"unpaired exits", "unpaired enters"};
    struct wf_stats_row row;
    char label[256], at_text[CELL_TEXT];
    if (!s->about.unpaired_count) return;
    printf("\nunpaired: %" PRIu64 " enters or exits of interrupts lack their other half; time that "
           "depends\non them is not counted for interrupts, but as unknown\n",
           s->about.unpaired_count);
    for (uint64_t at = rows_of(WF_STATS_IRQ); next_of(s, WF_STATS_IRQ, &at, &row);) {
        label_row(&row, label);
        for (unsigned enter = 0; enter < 2; ++enter) {
            double count = figure_value(&row, names[enter]);
            const struct wf_stats_unpaired *u = first_unpaired(s, &row, enter);
            if (count == 0) continue;
            printf("  %s: %.15g %s without %s", shown_text(label), count,
                   enter ? "enters" : "exits", enter ? "an exit" : "an enter");
            if (u) cell_point(s, u->tick, at_text);
            if (u) printf(", the first at byte %" PRIu64 ", %s", u->offset, at_text);
            putchar('\n');
        }
    }
}

// ---- the rest

static void put_head(const struct stats *s) {
    const struct wf_stats_about *a = &s->about;
    char from[CELL_TEXT], until[CELL_TEXT], len[CELL_TEXT];
    if (!a->known) {
        printf("time        nothing with a time stamp in what is looked at\n");
        return;
    }
    cell_point(s, a->from, from);
    cell_point(s, a->until, until);
    cell_time(s, (double)(a->until - a->from), len);
    printf("time        %s to %s, %s long%s\n", from, until, len,
           a->hz ? "" : ", in ticks (--rate=HZ sets their length)");
}

static void put_priorities(const struct wf_stats_about *a) {
    const char *which = a->priorities == WF_PRIORITIES_LOW ? "low" : "high";
    if (a->priorities == WF_PRIORITIES_UNKNOWN && a->for_low + a->for_high)
        printf(
            "\ninversions: not looked for; %" PRIu64 " of %" PRIu64 " preemptions are by a lower "
            "number, the others by\na higher one; --priorities sets which numbers are the better "
            "priorities\n",
            a->for_low, a->for_low + a->for_high);
    else if (a->priorities == WF_PRIORITIES_UNKNOWN)
        printf("\ninversions: not looked for, as no preemption shows which numbers are the better "
               "priorities;\n--priorities sets them\n");
    else if (a->given)
        printf("\ninversions: %s numbers are the better priorities, by --priorities\n", which);
    else
        printf("\ninversions: %s numbers are the better priorities, by %" PRIu64 " of %" PRIu64
               " preemptions\n",
               which, a->priorities == WF_PRIORITIES_LOW ? a->for_low : a->for_high,
               a->for_low + a->for_high);
}

static void put_holes(const struct stats *s) {
    enum { SHOWN = 10 };
    const struct wf_stats_about *a = &s->about;
    char at[CELL_TEXT], len[CELL_TEXT];
    if (a->inconsistent)
        printf("\nodd: %" PRIu64 " records that cannot be, from what was known\n", a->inconsistent);
    if (!a->hole_count) return;
    printf("\n* %" PRIu64
           " hole%s in the data may have changed these figures; intervals that reach "
           "into one\n  are not counted (their number: lost)\n",
           a->hole_count, a->hole_count == 1 ? "" : "s");
    for (size_t i = 0; i < a->holes_kept && i < SHOWN; ++i) {
        const struct wf_stats_hole *h = &a->holes[i];
        cell_point(s, h->from, at);
        cell_time(s, (double)(h->to - h->from), len);
        printf("  at byte %" PRIu64 ", %s: %s long, %" PRIu64 " records missing%s, %" PRIu64
               " bytes damaged\n",
               h->offset, at, len, h->records, h->exact ? "" : " or more", h->bytes);
    }
    if (a->hole_count > SHOWN) printf("  and %" PRIu64 " more\n", a->hole_count - SHOWN);
}

static bool has_mutex_wait(const struct stats *s) {
    struct wf_stats_row row;
    uint64_t at = rows_of(WF_STATS_BLOCKED);
    return stats_next(s, &at, &row) && row.kind <= WF_STATS_INVERSION;
}

bool stats_end_lane(struct lane *l, const char *task, struct stats *s) {
    *s = (struct stats){.lane = l->number, .figures = l->user, .task = task, .out = stdout};
    if (!l->user) return false;
    wf_stats_end(l->user);
    int err = wf_stats_error(l->user);
    if (err == WF_OK)
        wf_stats_report(s->figures, &s->about);
    else
        l->stream->code = diag_error(EXIT_INPUT, "%s", wf_err_text(err));
    return err == WF_OK;
}

void stats_text(const struct stats *s) {
    static const struct {
        const char *ones, *histograms;
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
    put_head(s);
    for (unsigned i = 0; i < WF_STATS_KINDS; ++i) {
        enum wf_stats_kind kind = (enum wf_stats_kind)i;
        if (titles[i].ones) put_singles(s, kind, titles[i].ones);
        if (titles[i].histograms) put_histograms(s, kind, titles[i].histograms, titles[i].several);
        if (kind == WF_STATS_INVERSION && has_mutex_wait(s)) put_priorities(&s->about);
        if (kind == WF_STATS_RAISED) put_raised(s);
    }
    put_unpaired(s);
    put_holes(s);
}
