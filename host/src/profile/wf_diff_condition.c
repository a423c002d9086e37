// SPDX-License-Identifier: MIT
// Conditions of --fail-on: FIGURE[PATTERN] MEASURE LIMIT. A condition is asked for one figure, so
// its probabilities are corrected only for the rows that it fits.

#include "wfi_diff.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_glob.h"

static int fail(struct wf_error *error, const char *format, const char *text) {
    char shown[80];
    strncpy(shown, text, sizeof shown - 1);
    shown[sizeof shown - 1] = 0;
    // Text from the command line: only what can be shown.
    for (char *c = shown; *c; ++c) *c = isprint((unsigned char)*c) ? *c : '?';
    return wf_error_set(error, WF_ERR_USAGE, format, shown);
}

static const char *skip_blanks(const char *p) {
    while (*p == ' ' || *p == '\t') ++p;
    return p;
}

// Takes a word up to a blank or one of `ends`. Returns false if it is empty or too long.
static bool take_word(const char **p, const char *ends, char *word, size_t size) {
    size_t len = 0;
    for (; (*p)[len] && !isspace((unsigned char)(*p)[len]) && !strchr(ends, (*p)[len]); ++len) {
    }
    if (!len || len >= size) return false;
    memcpy(word, *p, len);
    word[len] = 0;
    *p += len;
    return true;
}

// ---- figure and pattern

// Figures, and the unit of their limits.
static const struct {
    const char *name;
    enum wf_unit unit;
    bool one; // a single number or a sum
} figures[] = {{"response", WF_UNIT_TICKS, false},     {"execution", WF_UNIT_TICKS, false},
               {"start", WF_UNIT_TICKS, false},        {"period", WF_UNIT_TICKS, false},
               {"jitter", WF_UNIT_TICKS, false},       {"start jitter", WF_UNIT_TICKS, false},
               {"run", WF_UNIT_TICKS, false},          {"duration", WF_UNIT_TICKS, false},
               {"step", WF_UNIT_TICKS, false},         {"hold", WF_UNIT_TICKS, false},
               {"wait", WF_UNIT_TICKS, false},         {"blocked", WF_UNIT_TICKS, false},
               {"inversion", WF_UNIT_TICKS, false},    {"raised", WF_UNIT_TICKS, false},
               {"span", WF_UNIT_TICKS, false},         {"bytes", WF_UNIT_VALUE, false},
               {"depth", WF_UNIT_VALUE, false},        {"counter", WF_UNIT_VALUE, false},
               {"cpu", WF_UNIT_PERCENT, true},         {"tasks", WF_UNIT_PERCENT, true},
               {"interrupts", WF_UNIT_PERCENT, true},  {"idle", WF_UNIT_PERCENT, true},
               {"lost", WF_UNIT_PERCENT, true},        {"stack free", WF_UNIT_VALUE, true},
               {"least free", WF_UNIT_VALUE, true},    {"runs", WF_UNIT_COUNT, true},
               {"preempted", WF_UNIT_COUNT, true},     {"sliced", WF_UNIT_COUNT, true},
               {"yielded", WF_UNIT_COUNT, true},       {"abandoned", WF_UNIT_COUNT, true},
               {"begins", WF_UNIT_COUNT, true},        {"waits", WF_UNIT_COUNT, true},
               {"got", WF_UNIT_COUNT, true},           {"gave up", WF_UNIT_COUNT, true},
               {"refused", WF_UNIT_COUNT, true},       {"taken", WF_UNIT_COUNT, true},
               {"given", WF_UNIT_COUNT, true},         {"expired", WF_UNIT_COUNT, true},
               {"started", WF_UNIT_COUNT, true},       {"allocated", WF_UNIT_COUNT, true},
               {"freed", WF_UNIT_COUNT, true},         {"unpaired enters", WF_UNIT_COUNT, true},
               {"unpaired exits", WF_UNIT_COUNT, true}};

static bool take_figure(const char **p, struct wf_diff_condition *c, unsigned *index) {
    if (!take_word(p, "[", c->figure, sizeof c->figure)) return false;
    for (char *at = c->figure; *at; ++at) *at = *at == '_' ? ' ' : *at;
    for (*index = 0; *index < sizeof figures / sizeof *figures; ++*index) {
        if (strcmp(figures[*index].name, c->figure) == 0) return true;
    }
    return false;
}

// A task's name may have blanks.
static bool take_pattern(const char **p, struct wf_diff_condition *c) {
    if (**p != '[') return true;
    const char *end = strchr(*p, ']');
    size_t len = end ? (size_t)(end - *p - 1) : 0;
    if (!len || len >= sizeof c->pattern) return false;
    memcpy(c->pattern, *p + 1, len);
    c->pattern[len] = 0;
    *p = end + 1;
    return true;
}

// ---- measure

static enum wf_diff_measure default_measure(unsigned figure) {
    if (!figures[figure].one) return WF_DIFF_MEAN;
    return figures[figure].unit == WF_UNIT_PERCENT ? WF_DIFF_SHARE
           : figures[figure].unit == WF_UNIT_COUNT ? WF_DIFF_RATE
                                                   : WF_DIFF_VALUE;
}

static bool find_measure(const char *word, enum wf_diff_measure *measure) {
    static const struct {
        const char *word;
        enum wf_diff_measure measure;
    } others[] = {{"p50", WF_DIFF_MEDIAN}, {"count", WF_DIFF_RATE}};
    for (unsigned m = 0; m < WF_DIFF_MEASURES; ++m) {
        *measure = (enum wf_diff_measure)m;
        if (strcmp(word, wf_diff_measure_names[m]) == 0) return true;
    }
    for (unsigned i = 0; i < sizeof others / sizeof *others; ++i) {
        *measure = others[i].measure;
        if (strcmp(word, others[i].word) == 0) return true;
    }
    return false;
}

static int take_measure(const char **p, unsigned figure, struct wf_diff_condition *c,
                        struct wf_error *error) {
    char word[16];
    c->measure = default_measure(figure);
    c->any_measure = **p == '+' || **p == '-';
    if (c->any_measure) return WF_OK;
    const char *from = *p;
    if (!take_word(p, "+-", word, sizeof word) || !find_measure(word, &c->measure))
        return fail(error,
                    "'%s' does not begin with mean, median, p95, p99, max, min, rate, share, value "
                    "or a limit such as +10 %%",
                    from);
    bool fits =
        figures[figure].one ? c->measure == default_measure(figure) : c->measure <= WF_DIFF_RATE;
    if (!fits) return fail(error, "the figure '%s' has no such measure", c->figure);
    bool percentile = c->measure >= WF_DIFF_MEDIAN && c->measure <= WF_DIFF_P99;
    if (percentile && (!strcmp(c->figure, "depth") || !strcmp(c->figure, "counter")))
        return fail(error, "the figure '%s' has no percentiles: mean, min and max", c->figure);
    return WF_OK;
}

// ---- limit

static enum wf_unit unit_of(const struct wf_diff_condition *c, unsigned figure) {
    return c->measure == WF_DIFF_RATE ? WF_UNIT_COUNT : figures[figure].unit;
}

// Units of absolute limits; times become seconds.
static bool find_unit(const char *word, enum wf_unit unit, double *factor) {
    static const struct {
        const char *word;
        enum wf_unit unit;
        double factor;
    } units[] = {
        {"ns", WF_UNIT_TICKS, 1e-9}, {"us", WF_UNIT_TICKS, 1e-6}, {"ms", WF_UNIT_TICKS, 1e-3},
        {"s", WF_UNIT_TICKS, 1},     {"pp", WF_UNIT_PERCENT, 1},  {"", WF_UNIT_VALUE, 1},
        {"B", WF_UNIT_VALUE, 1},     {"/s", WF_UNIT_COUNT, 1},    {"ticks", WF_UNIT_TICKS, 1}};
    for (unsigned i = 0; i < sizeof units / sizeof *units; ++i) {
        *factor = units[i].factor;
        if (units[i].unit == unit && strcmp(word, units[i].word) == 0) return true;
    }
    return false;
}

// Only decimals: strtod also reads "0x10", "inf" and "nan".
static bool take_number(const char **p, double *value) {
    char text[32], *end;
    if (**p != '+' && **p != '-') return false;
    size_t len = 1 + strspn(*p + 1, "0123456789.");
    if (len < 2 || len >= sizeof text) return false;
    memcpy(text, *p, len);
    text[len] = 0;
    *value = strtod(text, &end);
    *p += len;
    return !*end && fabs(*value) > 0;
}

static int take_limit(const char *p, unsigned figure, struct wf_diff_condition *c,
                      struct wf_error *error) {
    static const char *const examples[] = {
        [WF_UNIT_COUNT] = "'%s' is not a limit: +10 %%, or +5 /s",
        [WF_UNIT_TICKS] = "'%s' is not a limit: +10 %%, or a time such as +2 ms",
        [WF_UNIT_PERCENT] = "'%s' is not a limit: +10 %% of the good value, or points: +1 pp",
        [WF_UNIT_VALUE] = "'%s' is not a limit: +10 %%, or a number such as -64",
    };
    const char *from = p;
    char word[16] = "";
    double factor = 1;
    c->unit = unit_of(c, figure);
    bool good = take_number(&p, &c->limit);
    p = skip_blanks(p);
    if (good && *p) good = take_word(&p, "", word, sizeof word);
    c->relative = strcmp(word, "%") == 0;
    good = good && !*skip_blanks(p) && (c->relative || find_unit(word, c->unit, &factor));
    c->limit *= factor;
    return good ? WF_OK : fail(error, examples[c->unit], from);
}

int wf_diff_condition_parse(const char *text, struct wf_diff_condition *c, struct wf_error *error) {
    unsigned figure = 0;
    *c = (struct wf_diff_condition){.limit = 0};
    wf_error_code(error, WF_OK);
    const char *p = skip_blanks(text), *from = p;
    if (!take_figure(&p, c, &figure))
        return fail(error, "'%s' does not begin with a figure of docs/stats.md, or lost", from);
    from = p;
    if (!take_pattern(&p, c)) return fail(error, "'%s' is not a pattern such as [control]", from);
    p = skip_blanks(p);
    int err = take_measure(&p, figure, c, error);
    return err == WF_OK ? take_limit(skip_blanks(p), figure, c, error) : err;
}

// ---- evaluation

static bool fits_text(const char *pattern, const char *text) {
    return text && wfi_glob(pattern, text, strlen(text));
}

static bool fits(const struct wf_diff_figure *f, const struct wf_diff_condition *c) {
    if (strcmp(f->figure, c->figure) != 0 || f->presence != WF_DIFF_BOTH) return false;
    return !*c->pattern || fits_text(c->pattern, f->name) || fits_text(c->pattern, f->task) ||
           fits_text(c->pattern, f->object);
}

static bool crosses(const struct wf_diff_change *m, const struct wf_diff_condition *c) {
    double by = c->relative ? m->effect : m->now - m->good;
    return m->known && (c->limit > 0 ? by > c->limit : by < c->limit);
}

static enum wf_diff_answer answer_of(const struct wf_diff *d, const struct wf_diff_figure *f,
                                     const struct wf_diff_condition *c, double rows) {
    const struct wf_diff_change *m = &f->measures[c->measure];
    if (!crosses(m, c)) return f->marked ? WF_DIFF_CANNOT_TELL : WF_DIFF_HOLDS;
    if (f->marked) return WF_DIFF_CANNOT_TELL;
    if (c->measure == WF_DIFF_VALUE || m->p * rows < d->o.alarms) return WF_DIFF_FAILS;
    return m->p_least * rows >= d->o.alarms ? WF_DIFF_CANNOT_TELL : WF_DIFF_HOLDS;
}

static double rows_of(const struct wf_diff *d, const struct wf_diff_condition *c) {
    double rows = 0;
    for (size_t i = 0; i < d->count; ++i)
        rows += fits(&d->items[i].figure, c) && d->items[i].figure.measures[c->measure].known;
    return rows;
}

// FAILS decides over CANNOT_TELL, and this over HOLDS.
static enum wf_diff_answer answer_all(const struct wf_diff *d, const struct wf_diff_condition *c,
                                      double rows) {
    bool failed = false, open = false;
    for (size_t i = 0; i < d->count; ++i) {
        const struct wf_diff_figure *f = &d->items[i].figure;
        if (!fits(f, c) || !f->measures[c->measure].known) continue;
        enum wf_diff_answer a = answer_of(d, f, c, rows);
        failed |= a == WF_DIFF_FAILS;
        open |= a == WF_DIFF_CANNOT_TELL;
    }
    if (failed) return WF_DIFF_FAILS;
    return open ? WF_DIFF_CANNOT_TELL : rows > 0 ? WF_DIFF_HOLDS : WF_DIFF_NO_FIGURE;
}

bool wf_diff_condition_next(const struct wf_diff *d, const struct wf_diff_condition *c, size_t *at,
                            struct wf_diff_figure *figure, enum wf_diff_answer *answer) {
    double rows = rows_of(d, c);
    *answer = answer_all(d, c, rows);
    while (*at < d->count) {
        const struct wf_diff_figure *f = &d->items[(*at)++].figure;
        if (!fits(f, c) || !f->measures[c->measure].known) continue;
        enum wf_diff_answer a = answer_of(d, f, c, rows);
        if (a == WF_DIFF_HOLDS) continue;
        *figure = *f;
        *answer = a;
        return true;
    }
    return false;
}
