// SPDX-License-Identifier: MIT
// Profiles from sums of intervals that are already counted, block by block.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "wfi_profile.h"

static const char *const spread_names[] = {
#define WF_X(spread, name) name,
    WF_STATS_SPREADS(WF_X)
#undef WF_X
};

int wf_profile_put_lane(struct wf_profile *p, const struct wf_profile_block *blocks, unsigned count,
                        struct wf_error *error) {
    if (p->lane_count || count > WF_PROFILE_BLOCKS)
        return wf_error_set(error, WF_ERR_USAGE, "a profile of sums has one lane of %d blocks",
                            WF_PROFILE_BLOCKS);
    struct wfi_profile_lane *l = wfi_profile_add_lane(p, 0);
    if (!l) return wf_error_code(error, WF_ERR_NOMEM);
    l->is.traces = 1;
    l->is.hz = 1000000000;
    l->count = count;
    for (unsigned i = 0; i < count; ++i) {
        l->ticks[i] = blocks[i].ns;
        l->records.sum[i] = (double)blocks[i].records;
        l->lost.sum[i] = (double)blocks[i].lost;
        l->is.ticks += blocks[i].ns;
        l->is.records += blocks[i].records;
        l->is.lost += blocks[i].lost;
    }
    return wf_error_code(error, WF_OK);
}

// ---- rows

// Adds a row with the figure.
static struct wfi_profile_row *add_row(struct wf_profile *p, const struct wfi_profile_row *like,
                                       int *err) {
    struct wfi_profile_row row = *like;
    row.figures = calloc(WF_FIGURES_MAX, sizeof *row.figures);
    *err = row.figures ? wfi_profile_add_row(p, &row) : WF_ERR_NOMEM;
    if (*err == WF_OK) return &p->rows[p->row_count - 1];
    free(row.figures);
    return NULL;
}

static struct wfi_profile_row *find_row(struct wf_profile *p, const struct wf_profile_sums *sums,
                                        int *err) {
    struct wfi_profile_row row = {.kind = sums->kind, .core = -1};
    row.texts[WFI_TEXT_NAME] = wfi_profile_text(p, sums->name, strlen(sums->name));
    if (!row.texts[WFI_TEXT_NAME]) *err = WF_ERR_NOMEM;
    if (*err != WF_OK) return NULL;
    struct wfi_profile_row *found = wfi_profile_find(p, &row);
    return found ? found : add_row(p, &row, err);
}

static struct wfi_profile_figure *find_figure(struct wf_profile *p, struct wfi_profile_row *row,
                                              enum wf_stats_spread spread, int *err) {
    const char *name = spread_names[spread];
    struct wfi_profile_figure *f = wfi_profile_figure(row, name);
    if (f) return f;
    if (row->count == WF_FIGURES_MAX || p->figures >= WFI_PROFILE_FIGURES) {
        *err = WF_ERR_TOO_MANY;
        return NULL;
    }
    struct wfi_profile_figure figure = {.name = wfi_profile_text(p, name, strlen(name)),
                                        .unit = WF_UNIT_TICKS,
                                        .form = WF_FIGURE_SPREAD,
                                        .blocks = calloc(1, sizeof *figure.blocks)};
    if (!figure.name || !figure.blocks) {
        free(figure.blocks);
        *err = WF_ERR_NOMEM;
        return NULL;
    }
    ++p->figures;
    row->figures[row->count] = figure;
    return &row->figures[row->count++];
}

// ---- values

static bool are_valid(const struct wf_profile *p, const struct wf_profile_sums *s) {
    uint64_t count = 0;
    if (!p->lane_count || s->block >= p->lanes[0].count || s->kind >= WF_STATS_KINDS ||
        s->spread >= sizeof spread_names / sizeof *spread_names || s->least > s->most)
        return false;
    for (size_t i = 0; i < s->class_count; ++i) {
        if (s->classes[i] >= WFI_CLASSES || (i && s->classes[i] <= s->classes[i - 1])) return false;
        count += s->class_counts[i];
    }
    if (count != s->count) return false;
    return !count || (s->classes[0] == wfi_class_of(s->least) &&
                      s->classes[s->class_count - 1] == wfi_class_of(s->most));
}

// Where in its class a length is, is known of the least and the greatest one alone.
static bool add_classes(struct wf_histogram *h, const struct wf_profile_sums *s) {
    for (size_t i = 0; i < s->class_count; ++i) {
        const unsigned class = (unsigned)s->classes[i];
        const uint64_t begin = wfi_class_begin(class), last = wfi_class_begin(class + 1) - 1;
        const uint64_t low = begin > s->least ? begin : s->least,
                       high = last < s->most ? last : s->most;
        if (s->class_counts[i] && !wf_histogram_add_class(h, low, high, s->class_counts[i]))
            return false;
    }
    h->sum[0] += s->sum;
    h->sum[1] += h->sum[0] < s->sum;
    h->open += s->open;
    h->in_holes += s->in_holes;
    return true;
}

static bool add_block(struct wf_blocks *b, const struct wf_profile_sums *s) {
    if (!WFI_GROW(b->entries, &b->cap, b->used + s->class_count)) return false;
    for (size_t i = 0; i < s->class_count; ++i)
        b->entries[b->used++] = (struct wfi_block_entry){
            s->class_counts[i], (uint16_t)(s->classes[i] >> b->shift), (uint8_t)s->block};
    b->sum[s->block] += (double)s->sum;
    wfi_blocks_fit(b);
    return true;
}

int wf_profile_put_sums(struct wf_profile *p, const struct wf_profile_sums *sums,
                        struct wf_error *error) {
    int err = WF_OK;
    if (!are_valid(p, sums))
        return wf_error_set(error, WF_ERR_USAGE, "sums of '%.80s' that do not fit each other",
                            sums->name);
    struct wfi_profile_row *row = find_row(p, sums, &err);
    struct wfi_profile_figure *f = row ? find_figure(p, row, sums->spread, &err) : NULL;
    if (!f) return wf_error_code(error, err);
    row->marked |= sums->marked;
    if (!add_classes(&f->histogram, sums) || !add_block(f->blocks, sums))
        return wf_error_code(error, WF_ERR_NOMEM);
    f->known = f->histogram.count != 0;
    return wf_error_code(error, WF_OK);
}
