// SPDX-License-Identifier: MIT
// Pairs the rows of both profiles, compares their figures, and gives verdicts. Thousands of
// measures are compared, so a small probability alone means little: Holm's procedure corrects it
// for their number.

#include "wfi_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "util/wfi_options.h"

const char *const wf_diff_measure_names[WF_DIFF_MEASURES] = {
    "mean", "median", "p95", "p99", "max", "min", "rate", "share", "value"};
const char *const wf_diff_verdict_names[WF_DIFF_VERDICTS] = {"chance", "small", "few", "marked",
                                                             "changed"};

// ---- measures

bool wfi_diff_judged(enum wf_diff_measure measure) {
    return measure != WF_DIFF_P95 && measure != WF_DIFF_MIN && measure != WF_DIFF_VALUE;
}

// Each job has one of these, so their rates are that of another figure.
static bool counts_same(const char *figure) {
    static const char *const names[] = {"execution",    "start", "period",  "jitter",
                                        "start jitter", "run",   "duration"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strcmp(figure, names[i]) == 0) return true;
    }
    return false;
}

bool wfi_diff_applies(const char *figure, enum wf_figure_form form, enum wf_unit unit,
                      enum wf_diff_measure measure) {
    bool spread = form == WF_FIGURE_SPREAD, one = form == WF_FIGURE_ONE;
    switch (measure) {
    case WF_DIFF_MEDIAN:
    case WF_DIFF_P95:
    case WF_DIFF_P99: return spread;
    case WF_DIFF_MEAN:
    case WF_DIFF_MAX:
    case WF_DIFF_MIN: return !one;
    case WF_DIFF_RATE: return one ? unit == WF_UNIT_COUNT : !spread || !counts_same(figure);
    case WF_DIFF_SHARE: return one && unit == WF_UNIT_TICKS;
    default: return one && unit == WF_UNIT_VALUE;
    }
}

void wfi_diff_measure(const struct wfi_side *a, const struct wfi_side *b,
                      enum wf_diff_measure measure, struct wf_diff_change *c) {
    struct wfi_sample x, y;
    bool good, now;
    c->p = c->p_least = c->p_all = 1;
    c->good = wfi_diff_value(a, measure, &good);
    c->now = wfi_diff_value(b, measure, &now);
    c->known = good && now;
    if (!c->known) return;
    double difference = c->now - c->good;
    c->effect = fabs(difference) > 0 ? 100 * difference / fabs(c->good) : 0;
    if (!wfi_diff_sample(a, b, measure, &x, &y)) return;
    struct wfi_chance chance;
    wfi_diff_test(&x, &y, &chance);
    c->p = chance.p;
    c->p_least = chance.least;
    c->noise = chance.noise;
}

// ---- figures

static struct wf_diff_figure *add_item(struct wf_diff *d) {
    if (!WFI_GROW(d->items, &d->cap, d->count + 1)) return NULL;
    return &d->items[d->count++].figure;
}

static void describe_row(struct wf_diff_figure *f, const struct wf_profile *p,
                         const struct wfi_profile_row *row) {
    f->lane = p->lanes[row->lane].is.lane;
    f->kind = row->kind;
    f->name = row->texts[WFI_TEXT_NAME];
    f->what = row->texts[WFI_TEXT_WHAT];
    f->task = row->texts[WFI_TEXT_TASK];
    f->object = row->texts[WFI_TEXT_OBJECT];
    f->by = row->texts[WFI_TEXT_BY];
    f->over = row->texts[WFI_TEXT_OVER];
    f->core = row->core;
}

static double count_of(const struct wfi_profile_figure *f) {
    return !f ? 0 : f->form == WF_FIGURE_SPREAD ? (double)f->histogram.count : f->count;
}

static struct wfi_side side_of(const struct wf_profile *p, const struct wfi_profile_row *row,
                               const struct wfi_profile_lane *lane, const char *figure,
                               double seconds) {
    struct wfi_side s = {.lane = lane, .scale = seconds, .tick = 1};
    (void)p;
    s.figure = row ? wfi_profile_figure(row, figure) : NULL;
    return s;
}

// Compares a figure of a pair of rows, of which one may be null.
static int compare_figure(struct wf_diff *d, const struct wfi_profile_row *good,
                          const struct wfi_profile_row *now, struct wfi_side a, struct wfi_side b,
                          enum wf_diff_presence presence) {
    const struct wfi_profile_figure *any = a.figure ? a.figure : b.figure;
    if (strcmp(any->name, "share") == 0) return WF_OK; // of the same time as `cpu`
    struct wf_diff_figure *f = add_item(d);
    if (!f) return WF_ERR_NOMEM;
    describe_row(f, good ? d->good : d->now, good ? good : now);
    f->figure = any->name;
    f->unit = any->unit;
    f->presence = presence;
    f->marked = (good && good->marked) || (now && now->marked) ||
                (!good && a.lane && a.lane->is.holes) || (!now && b.lane && b.lane->is.holes);
    f->good_count = count_of(a.figure);
    f->now_count = count_of(b.figure);
    if (any->unit == WF_UNIT_TICKS) {
        a.tick = a.scale;
        b.tick = b.scale;
    }
    for (unsigned m = 0; m < WF_DIFF_MEASURES; ++m) {
        if (wfi_diff_applies(any->name, any->form, any->unit, (enum wf_diff_measure)m))
            wfi_diff_measure(&a, &b, (enum wf_diff_measure)m, &f->measures[m]);
    }
    return WF_OK;
}

// ---- rows and lanes

struct pair {
    const struct wfi_profile_lane *good, *now;
    uint32_t good_index, now_index;
    double good_seconds, now_seconds; // of a tick
};

// Figures that tell how often a row's subject occurred, in order of preference.
static const struct wfi_profile_figure *main_figure(const struct wfi_profile_row *row) {
    static const char *const names[] = {"runs", "begins", "known"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
        const struct wfi_profile_figure *f = wfi_profile_figure(row, names[i]);
        if (f && f->known && f->value > 0) return f;
    }
    const struct wfi_profile_figure *best = NULL;
    for (unsigned i = 0; i < row->count; ++i) {
        const struct wfi_profile_figure *f = &row->figures[i];
        if (!f->blocks || f->unit == WF_UNIT_PERCENT) continue;
        if (!best || (f->known && !best->known)) best = f;
    }
    return best ? best : row->count ? &row->figures[0] : NULL;
}

static int compare_rows(struct wf_diff *d, const struct pair *pair,
                        const struct wfi_profile_row *good, const struct wfi_profile_row *now) {
    const struct wfi_profile_row *row = good ? good : now;
    enum wf_diff_presence presence = !good ? WF_DIFF_NEW : !now ? WF_DIFF_VANISHED : WF_DIFF_BOTH;
    const struct wfi_profile_figure *only = presence == WF_DIFF_BOTH ? NULL : main_figure(row);
    d->new_rows += !good;
    d->vanished_rows += !now;
    for (unsigned i = 0; i < row->count; ++i) {
        const char *name = row->figures[i].name;
        struct wfi_side a = side_of(d->good, good, pair->good, name, pair->good_seconds);
        struct wfi_side b = side_of(d->now, now, pair->now, name, pair->now_seconds);
        if (presence == WF_DIFF_BOTH ? !a.figure || !b.figure : &row->figures[i] != only) continue;
        if (presence == WF_DIFF_BOTH && a.figure->form != b.figure->form) continue;
        int err = compare_figure(d, good, now, a, b, presence);
        if (err != WF_OK) return err;
    }
    return WF_OK;
}

// The row of the other profile with the same texts, which are other addresses there.
static const struct wfi_profile_row *find_same(const struct wf_profile *in, uint32_t lane,
                                               const struct wfi_profile_row *row) {
    struct wfi_profile_row like = *row;
    like.lane = lane;
    for (unsigned i = 0; i < WFI_TEXTS; ++i) {
        uint32_t n = wfi_profile_text_number(in, row->texts[i]);
        if (row->texts[i] && !n) return NULL;
        like.texts[i] = n ? in->texts[n - 1] : NULL;
    }
    return wfi_profile_find(in, &like);
}

// The lane's own figures: the part of records that is lost, and the rate of records.
static int compare_losses(struct wf_diff *d, const struct pair *pair) {
    struct wf_diff_figure *f = add_item(d);
    if (!f) return WF_ERR_NOMEM;
    struct wf_diff_change *c = &f->measures[WF_DIFF_SHARE];
    struct wfi_sample of[2];
    double value[2];
    *f = (struct wf_diff_figure){.lane = pair->good->is.lane,
                                 .kind = WF_STATS_KINDS,
                                 .core = -1,
                                 .figure = "lost",
                                 .unit = WF_UNIT_PERCENT};
    for (unsigned side = 0; side < 2; ++side) {
        const struct wfi_profile_lane *l = side ? pair->now : pair->good;
        double all = (double)l->is.records + (double)l->is.lost;
        value[side] = all > 0 ? 100 * (double)l->is.lost / all : 0;
        of[side].count = l->count;
        for (unsigned i = 0; i < l->count; ++i) {
            of[side].value[i] = l->lost.sum[i];
            of[side].weight[i] = l->lost.sum[i] + l->records.sum[i];
        }
    }
    f->good_count = (double)pair->good->is.lost;
    f->now_count = (double)pair->now->is.lost;
    *c = (struct wf_diff_change){.known = true, .good = value[0], .now = value[1], .p_all = 1};
    double difference = c->now - c->good;
    c->effect = fabs(difference) > 0 ? 100 * difference / c->good : 0;
    struct wfi_chance chance;
    wfi_diff_test(&of[0], &of[1], &chance);
    c->p = chance.p;
    c->p_least = chance.least;
    c->noise = chance.noise;
    return WF_OK;
}

static int compare_lanes(struct wf_diff *d, const struct pair *pair) {
    int err = pair->good && pair->now ? compare_losses(d, pair) : WF_OK;
    for (size_t i = 0; err == WF_OK && pair->good && i < d->good->row_count; ++i) {
        const struct wfi_profile_row *row = &d->good->rows[i];
        if (row->lane != pair->good_index) continue;
        err =
            compare_rows(d, pair, row, pair->now ? find_same(d->now, pair->now_index, row) : NULL);
    }
    for (size_t i = 0; err == WF_OK && pair->now && i < d->now->row_count; ++i) {
        const struct wfi_profile_row *row = &d->now->rows[i];
        if (row->lane != pair->now_index) continue;
        if (!pair->good || !find_same(d->good, pair->good_index, row))
            err = compare_rows(d, pair, NULL, row);
    }
    return err;
}

static int set_rates(struct wf_diff *d, struct pair *pair, struct wf_error *error) {
    uint64_t good = pair->good ? pair->good->is.hz : 0, now = pair->now ? pair->now->is.hz : 0;
    if (pair->good && pair->now && !good != !now)
        return wf_error_set(error, WF_ERR_USAGE,
                            "the rate of ticks of the %s trace is not known, so its times cannot "
                            "be compared: give --rate",
                            good ? "new" : "good");
    pair->good_seconds = good ? 1 / (double)good : 1;
    pair->now_seconds = now ? 1 / (double)now : 1;
    d->tick = fmax(d->tick, fmax(pair->good_seconds, pair->now_seconds));
    return WF_OK;
}

// Lanes with the same number are compared; a single one on both sides is, whatever its number.
static int compare_lane(struct wf_diff *d, uint32_t good, uint32_t now, struct wf_error *error) {
    struct pair pair = {.good_index = good, .now_index = now};
    if (good < d->good->lane_count) pair.good = &d->good->lanes[good];
    if (now < d->now->lane_count) pair.now = &d->now->lanes[now];
    int err = set_rates(d, &pair, error);
    if (err != WF_OK) return err;
    err = compare_lanes(d, &pair);
    return err == WF_OK ? err : wf_error_code(error, err);
}

static uint32_t lane_like(const struct wf_profile *in, unsigned number) {
    uint32_t i = 0;
    while (i < in->lane_count && in->lanes[i].is.lane != number) ++i;
    return i;
}

static int compare_all(struct wf_diff *d, struct wf_error *error) {
    int err = WF_OK;
    if (d->good->lane_count == 1 && d->now->lane_count == 1) return compare_lane(d, 0, 0, error);
    for (uint32_t i = 0; err == WF_OK && i < d->good->lane_count; ++i)
        err = compare_lane(d, i, lane_like(d->now, d->good->lanes[i].is.lane), error);
    for (uint32_t i = 0; err == WF_OK && i < d->now->lane_count; ++i) {
        uint32_t like = lane_like(d->good, d->now->lanes[i].is.lane);
        if (like == d->good->lane_count) err = compare_lane(d, like, i, error);
    }
    return err;
}

// ---- verdicts

static int compare_p(const void *x, const void *y) {
    const struct wf_diff_change *a = *(struct wf_diff_change *const *)x;
    const struct wf_diff_change *b = *(struct wf_diff_change *const *)y;
    return (a->p > b->p) - (a->p < b->p);
}

// Measures of figures that a hole touches get no verdict, so they are not counted.
static int correct(struct wf_diff *d) {
    struct wf_diff_change **all = malloc((d->count + 1) * WF_DIFF_MEASURES * sizeof *all);
    if (!all) return WF_ERR_NOMEM;
    for (size_t i = 0; i < d->count; ++i) {
        struct wf_diff_figure *f = &d->items[i].figure;
        for (unsigned m = 0; !f->marked && m < WF_DIFF_MEASURES; ++m) {
            if (f->measures[m].known && wfi_diff_judged((enum wf_diff_measure)m))
                all[d->measures++] = &f->measures[m];
        }
    }
    if (d->measures) qsort(all, d->measures, sizeof(struct wf_diff_change *), compare_p);
    double p = 0;
    for (size_t i = 0; i < d->measures; ++i) {
        p = fmax(p, fmin(1, all[i]->p * (double)(d->measures - i)));
        all[i]->p_all = p;
    }
    free(all);
    return WF_OK;
}

static enum wf_diff_verdict verdict_of(const struct wf_diff *d, const struct wf_diff_figure *f,
                                       enum wf_diff_measure measure) {
    const struct wf_diff_change *c = &f->measures[measure];
    bool value = measure <= WF_DIFF_MIN;
    double difference = fabs(c->now - c->good);
    if (f->marked) return WF_DIFF_MARKED;
    if (measure == WF_DIFF_VALUE)
        return fabs(c->effect) < d->o.least ? WF_DIFF_CHANCE : WF_DIFF_FEW;
    if (!wfi_diff_judged(measure)) return WF_DIFF_CHANCE;
    if (c->p_all < d->o.alarms) {
        bool tick = value && f->unit == WF_UNIT_TICKS && difference < d->tick;
        return fabs(c->effect) < d->o.least || tick ? WF_DIFF_SMALL : WF_DIFF_CHANGED;
    }
    bool few = c->p_least * (double)d->measures >= d->o.alarms;
    return few && difference > 0 ? WF_DIFF_FEW : WF_DIFF_CHANCE;
}

// The measure that leads: the best verdict, then the first.
static void judge(const struct wf_diff *d, struct wf_diff_figure *f) {
    bool any = false;
    f->verdict = f->marked ? WF_DIFF_MARKED : WF_DIFF_CHANCE;
    for (unsigned m = 0; m < WF_DIFF_MEASURES; ++m) {
        struct wf_diff_change *c = &f->measures[m];
        if (!c->known) continue;
        c->verdict = verdict_of(d, f, (enum wf_diff_measure)m);
        if (!wfi_diff_judged((enum wf_diff_measure)m) && m != WF_DIFF_VALUE) continue;
        const struct wf_diff_change *lead = &f->measures[f->leading];
        if (any && c->verdict <= lead->verdict) continue;
        any = true;
        f->leading = (enum wf_diff_measure)m;
        f->verdict = c->verdict;
    }
}

static int check_options(struct wf_diff *d, const struct wf_diff_options *options) {
    int err = wfi_options_copy(&d->o, sizeof d->o, options);
    if (err == WF_OK && (d->o.alarms < 0 || d->o.alarms >= 1 || !(d->o.least >= 0)))
        err = WF_ERR_USAGE;
    if (!(d->o.alarms > 0)) d->o.alarms = 0.01;
    if (!(d->o.least > 0)) d->o.least = 1;
    return err;
}

struct wf_diff *wf_diff_open(const struct wf_profile *good, const struct wf_profile *now,
                             const struct wf_diff_options *options, struct wf_error *error) {
    struct wf_diff *d = calloc(1, sizeof *d);
    int err = d ? check_options(d, options) : WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err == WF_OK) {
        d->good = good;
        d->now = now;
        err = compare_all(d, error);
    }
    if (err == WF_OK && (err = correct(d)) != WF_OK) wf_error_code(error, err);
    for (size_t i = 0; err == WF_OK && i < d->count; ++i) judge(d, &d->items[i].figure);
    if (err == WF_OK) {
        wfi_diff_order(d);
        return d;
    }
    wf_diff_close(d);
    return NULL;
}

void wf_diff_close(struct wf_diff *d) {
    if (d) free(d->items);
    free(d);
}

bool wf_diff_next(const struct wf_diff *d, size_t *at, struct wf_diff_figure *figure) {
    if (*at >= d->count) return false;
    *figure = d->items[(*at)++].figure;
    return true;
}

void wf_diff_report(const struct wf_diff *d, struct wf_diff_about *about) {
    *about = (struct wf_diff_about){.figures = d->count,
                                    .measures = d->measures,
                                    .new_rows = d->new_rows,
                                    .vanished_rows = d->vanished_rows};
    for (size_t i = 0; i < d->count; ++i) ++about->verdicts[d->items[i].figure.verdict];
}
