// SPDX-License-Identifier: MIT
// Adds statistics and other profiles to a profile. Statistics become a profile of their own first:
// so there is one way to join.

#include "wfi_profile.h"

#include <stdlib.h>
#include <string.h>

// How the blocks of both sides become one list: each side's are merged pairwise so many times, and
// the second side's come after the first's.
struct plan {
    unsigned halve_to, halve_from, at;
};

// ---- figures

static struct wf_blocks *copy_blocks(const struct wf_blocks *from, const struct plan *plan) {
    struct wf_blocks *b = calloc(1, sizeof *b);
    struct wf_blocks own = *from;
    own.entries = from->used ? malloc(from->used * sizeof *own.entries) : NULL;
    own.cap = from->used;
    bool good = b && (own.entries || !from->used);
    if (good && from->used) memcpy(own.entries, from->entries, from->used * sizeof *own.entries);
    for (unsigned i = 0; good && i < plan->halve_from; ++i) wfi_blocks_halve(&own);
    good = good && wfi_blocks_add(b, &own, plan->at);
    free(own.entries);
    if (good) return b;
    if (b) wfi_blocks_close(b);
    free(b);
    return NULL;
}

static bool join_blocks(struct wf_blocks **to, const struct wf_blocks *from,
                        const struct plan *plan) {
    if (!from) return true;
    struct wf_blocks *b = copy_blocks(from, plan);
    if (!*to) {
        *to = b;
        return b != NULL;
    }
    bool good = b && wfi_blocks_add(*to, b, 0);
    if (b) wfi_blocks_close(b);
    free(b);
    return good;
}

static double sum_of(const struct wf_blocks *b) {
    double sum = 0;
    for (unsigned i = 0; b && i < WFI_BLOCKS; ++i) sum += b->sum[i];
    return sum;
}

// The mean of both, by weights; without any, the plain one.
static double mean_of(double a, double weight_a, double b, double weight_b) {
    double sum = weight_a + weight_b;
    return sum > 0 ? a + (b - a) * (weight_b / sum) : (a + b) / 2;
}

// Bytes that were never used: the least of both. All others are sums; shares are computed later.
static void join_one(struct wfi_profile_figure *to, const struct wfi_profile_figure *from) {
    if (!from->known) return;
    if (!to->known)
        to->value = from->value;
    else if (to->unit == WF_UNIT_VALUE)
        to->value = from->value < to->value ? from->value : to->value;
    else
        to->value += from->value;
    to->known = true;
}

// Before the blocks are joined.
static void join_level(struct wfi_profile_figure *to, const struct wfi_profile_figure *from) {
    if (!from->known) return;
    if (!to->known || from->min < to->min) to->min = from->min;
    if (!to->known || from->max > to->max) to->max = from->max;
    to->mean = to->known ? mean_of(to->mean, sum_of(to->weights), from->mean, sum_of(from->weights))
                         : from->mean;
    to->count += from->count;
    to->value = from->value;
    to->known = true;
}

static bool join_figure(struct wfi_profile_figure *to, const struct wfi_profile_figure *from,
                        const struct plan *plan) {
    bool good = true;
    if (from->form == WF_FIGURE_ONE) join_one(to, from);
    if (from->form == WF_FIGURE_LEVEL) join_level(to, from);
    if (from->form == WF_FIGURE_SPREAD) {
        good = wf_histogram_join(&to->histogram, &from->histogram);
        to->known |= from->known;
    }
    return good && join_blocks(&to->blocks, from->blocks, plan) &&
           join_blocks(&to->weights, from->weights, plan);
}

// ---- rows

// Adds an empty row like `like`, whose texts may be another profile's.
static struct wfi_profile_row *add_empty_row(struct wf_profile *p,
                                             const struct wfi_profile_row *like, int *err) {
    struct wfi_profile_row row = *like;
    row.marked = false;
    row.tasks = row.by_tasks = row.over_tasks = 0;
    row.figures = calloc(like->count ? like->count : 1, sizeof *row.figures);
    bool good = row.figures != NULL;
    for (unsigned i = 0; good && i < like->count; ++i) {
        const struct wfi_profile_figure *f = &like->figures[i];
        row.figures[i] = (struct wfi_profile_figure){.unit = f->unit, .form = f->form};
        row.figures[i].name = wfi_profile_text(p, f->name, strlen(f->name));
        good = row.figures[i].name != NULL;
    }
    *err = good ? wfi_profile_add_row(p, &row) : WF_ERR_NOMEM;
    if (*err == WF_OK) return &p->rows[p->row_count - 1];
    free(row.figures);
    return NULL;
}

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// same: of the same time, as two tasks with one name.
static int join_row(struct wf_profile *p, const struct wfi_profile_row *from, bool same,
                    const struct plan *plan) {
    int err = WF_OK;
    struct wfi_profile_row *to = wfi_profile_find(p, from);
    if (!to) to = add_empty_row(p, from, &err);
    if (!to) return err;
    to->marked |= from->marked;
    to->tasks = same ? to->tasks + from->tasks : most(to->tasks, from->tasks);
    to->by_tasks = most(to->by_tasks, from->by_tasks);
    to->over_tasks = most(to->over_tasks, from->over_tasks);
    for (unsigned i = 0; i < from->count; ++i) {
        struct wfi_profile_figure *f = wfi_profile_figure(to, from->figures[i].name);
        if (!f || f->form != from->figures[i].form || f->unit != from->figures[i].unit) continue;
        if (!join_figure(f, &from->figures[i], plan)) return WF_ERR_NOMEM;
    }
    return WF_OK;
}

// ---- lanes

static void halve_figures(struct wf_profile *p, uint32_t lane) {
    for (size_t i = 0; i < p->row_count; ++i) {
        struct wfi_profile_row *row = &p->rows[i];
        for (unsigned f = 0; row->lane == lane && f < row->count; ++f) {
            if (row->figures[f].blocks) wfi_blocks_halve(row->figures[f].blocks);
            if (row->figures[f].weights) wfi_blocks_halve(row->figures[f].weights);
        }
    }
}

static unsigned halve_ticks(uint64_t ticks[WFI_BLOCKS], unsigned count) {
    for (unsigned i = 0; i < WFI_BLOCKS; ++i)
        ticks[i] = 2 * i < WFI_BLOCKS ? ticks[2 * i] + ticks[2 * i + 1] : 0;
    return (count + 1) / 2;
}

// Merges blocks until both sides' are about equally long and fit into one list.
static struct plan plan_join(struct wfi_profile_lane *to, const struct wfi_profile_lane *from,
                             uint64_t ticks[WFI_BLOCKS], unsigned *count) {
    struct plan plan = {0, 0, 0};
    memcpy(ticks, from->ticks, sizeof from->ticks);
    *count = from->count;
    for (;;) {
        bool full = to->count + *count > WFI_BLOCKS;
        bool short_to = to->count > 1 && to->ticks[0] <= ticks[0] / 2;
        bool short_from = *count > 1 && ticks[0] <= to->ticks[0] / 2;
        if (!full && !(to->count && (short_to || short_from))) break;
        if (short_to || (full && !short_from)) {
            to->count = halve_ticks(to->ticks, to->count);
            ++plan.halve_to;
        }
        if (short_from || (full && !short_to)) {
            *count = halve_ticks(ticks, *count);
            ++plan.halve_from;
        }
    }
    plan.at = to->count;
    return plan;
}

static bool join_sums(struct wf_blocks *to, const struct wf_blocks *from, const struct plan *plan) {
    for (unsigned i = 0; i < plan->halve_to; ++i) wfi_blocks_halve(to);
    struct wf_blocks *b = copy_blocks(from, plan);
    bool good = b && wfi_blocks_add(to, b, 0);
    if (b) wfi_blocks_close(b);
    free(b);
    return good;
}

static int join_lane(struct wf_profile *p, const struct wfi_profile_lane *from, uint32_t *index,
                     struct plan *plan, struct wf_error *error) {
    uint64_t ticks[WFI_BLOCKS];
    unsigned count;
    for (*index = 0; *index < p->lane_count; ++*index) {
        if (p->lanes[*index].is.lane == from->is.lane) break;
    }
    if (*index == WFI_PROFILE_LANES) return wf_error_code(error, WF_ERR_TOO_MANY);
    bool fresh = *index == p->lane_count;
    if (fresh && !wfi_profile_add_lane(p, from->is.lane)) return wf_error_code(error, WF_ERR_NOMEM);
    struct wfi_profile_lane *to = &p->lanes[*index];
    if (fresh) to->is.hz = from->is.hz;
    if (to->is.hz != from->is.hz)
        return wf_error_set(error, WF_ERR_USAGE,
                            "lane %u has %llu ticks a second in one trace and %llu in another; "
                            "only traces with the same rate can be joined",
                            from->is.lane, (unsigned long long)to->is.hz,
                            (unsigned long long)from->is.hz);
    *plan = plan_join(to, from, ticks, &count);
    for (unsigned i = 0; i < plan->halve_to; ++i) halve_figures(p, *index);
    memcpy(to->ticks + plan->at, ticks, count * sizeof *ticks);
    to->count = plan->at + count;
    to->is.traces += from->is.traces;
    to->is.ticks += from->is.ticks;
    to->is.records += from->is.records;
    to->is.lost += from->is.lost;
    to->is.holes += from->is.holes;
    bool good = join_sums(&to->records, &from->records, plan);
    good = good && join_sums(&to->lost, &from->lost, plan);
    return wf_error_code(error, good ? WF_OK : WF_ERR_NOMEM);
}

static int own_texts(struct wf_profile *p, struct wfi_profile_row *row) {
    for (unsigned i = 0; i < WFI_TEXTS; ++i) {
        const char *text = row->texts[i];
        if (text && !(row->texts[i] = wfi_profile_text(p, text, strlen(text)))) return WF_ERR_NOMEM;
    }
    return WF_OK;
}

int wf_profile_join(struct wf_profile *p, const struct wf_profile *from, struct wf_error *error) {
    wf_error_code(error, WF_OK);
    for (size_t l = 0; l < from->lane_count; ++l) {
        struct plan plan;
        uint32_t index;
        int err = join_lane(p, &from->lanes[l], &index, &plan, error);
        for (size_t i = 0; err == WF_OK && i < from->row_count; ++i) {
            struct wfi_profile_row row = from->rows[i];
            if (row.lane != l) continue;
            row.lane = index;
            err = own_texts(p, &row);
            if (err == WF_OK) err = join_row(p, &row, false, &plan);
            if (err != WF_OK) wf_error_code(error, err);
        }
        if (err != WF_OK) return err;
    }
    wfi_profile_settle(p);
    return WF_OK;
}

// ---- statistics

static void read_figure(struct wfi_profile_figure *to, const struct wf_figure *f) {
    *to = (struct wfi_profile_figure){.name = f->name,
                                      .unit = f->unit,
                                      .form = f->form,
                                      .known = f->known,
                                      .value = f->value,
                                      .count = f->count,
                                      .min = f->min,
                                      .mean = f->mean,
                                      .max = f->max};
    // Borrowed, as are the blocks: only read.
    if (f->histogram) to->histogram = *f->histogram;
    memcpy(&to->blocks, &f->blocks, sizeof to->blocks);
    memcpy(&to->weights, &f->weights, sizeof to->weights);
}

static int take_row(struct wf_profile *p, const struct wf_stats_row *is, const struct plan *plan) {
    struct wfi_profile_figure figures[WF_FIGURES_MAX];
    struct wfi_profile_row row = {
        .kind = is->kind,
        .texts = {is->name, is->what, is->task, is->object, is->by, is->over},
        .core = is->core,
        .marked = is->marked,
        .tasks = is->tasks,
        .by_tasks = is->by_tasks,
        .over_tasks = is->over_tasks,
        .figures = figures,
        .count = is->count};
    for (unsigned i = 0; i < is->count; ++i) read_figure(&figures[i], &is->figures[i]);
    int err = own_texts(p, &row);
    return err == WF_OK ? join_row(p, &row, true, plan) : err;
}

static int take_lane(struct wf_profile *p, const struct wf_stats_about *about, unsigned lane) {
    const struct plan whole = {0, 0, 0};
    struct wfi_profile_lane *l = wfi_profile_add_lane(p, lane);
    if (!l) return WF_ERR_NOMEM;
    l->is = (struct wf_profile_lane){.lane = lane,
                                     .traces = 1,
                                     .hz = about->hz,
                                     .ticks = about->known ? about->until - about->from : 0,
                                     .records = about->records,
                                     .lost = about->lost,
                                     .holes = about->hole_count};
    l->count = about->block_count;
    memcpy(l->ticks, about->blocks, l->count * sizeof *l->ticks);
    if (about->record_blocks && !join_sums(&l->records, about->record_blocks, &whole))
        return WF_ERR_NOMEM;
    return !about->lost_blocks || join_sums(&l->lost, about->lost_blocks, &whole) ? WF_OK
                                                                                  : WF_ERR_NOMEM;
}

// Least and greatest value of a class are rounded where that hardly matters, or they would be half
// of a profile's bytes: to the ends of a class that they nearly fill, and to eighths of one with
// few values. A percentile changes by at most a 512th.
static void round_class(struct wf_histogram_class *c, uint32_t last) {
    uint32_t part = last / 8;
    if (c->count < 8 && part > 0) {
        c->low -= c->low % (part + 1);
        c->high -= c->high % (part + 1);
    } else if (c->low != c->high && c->low <= part && last - c->high <= part) {
        c->low = 0;
        c->high = last;
    }
}

static void round_classes(struct wf_histogram *h) {
    for (unsigned i = 0; h->pages && i < WFI_CLASSES; ++i) {
        struct wf_histogram_class *page = h->pages[i / WF_HISTOGRAM_PAGE];
        struct wf_histogram_class *c = page ? &page[i % WF_HISTOGRAM_PAGE] : NULL;
        if (c && c->count) round_class(c, wfi_class_last(i));
    }
}

static void round_rows(struct wf_profile *p) {
    for (size_t i = 0; i < p->row_count; ++i) {
        for (unsigned f = 0; f < p->rows[i].count; ++f)
            round_classes(&p->rows[i].figures[f].histogram);
    }
}

int wf_profile_add(struct wf_profile *p, struct wf_stats *st, unsigned lane,
                   struct wf_error *error) {
    const struct plan whole = {0, 0, 0};
    struct wf_stats_about about;
    struct wf_stats_row row;
    wf_stats_report(st, &about);
    if (!about.blocks)
        return wf_error_set(error, WF_ERR_USAGE, "the statistics have no blocks for a profile");
    struct wf_profile *one = wf_profile_open(error);
    if (!one) return WF_ERR_NOMEM;
    int err = take_lane(one, &about, lane);
    for (uint64_t at = 0; err == WF_OK && wf_stats_next(st, &at, &row);)
        err = take_row(one, &row, &whole);
    wf_error_code(error, err);
    round_rows(one);
    if (err == WF_OK) err = wf_profile_join(p, one, error);
    wf_profile_close(one);
    return err;
}
