// SPDX-License-Identifier: MIT
// Keeps the rows of profiles. Traces are joined as if one followed the other: the blocks of one
// come after those of the other, pairs of them merged until all fit.

#include "wfi_profile.h"

#include <stdlib.h>
#include <string.h>

#include "util/wfi_figure.h"
#include "util/wfi_grow.h"

struct wf_profile *wf_profile_open(struct wf_error *error) {
    struct wf_profile *p = calloc(1, sizeof *p);
    wf_error_code(error, p ? WF_OK : WF_ERR_NOMEM);
    return p;
}

static void close_blocks(struct wf_blocks **b) {
    if (*b) wfi_blocks_close(*b);
    free(*b);
    *b = NULL;
}

void wfi_profile_close_figure(struct wfi_profile_figure *f) {
    wf_histogram_close(&f->histogram);
    close_blocks(&f->blocks);
    close_blocks(&f->weights);
}

void wf_profile_close(struct wf_profile *p) {
    if (!p) return;
    for (size_t i = 0; i < p->row_count; ++i) {
        struct wfi_profile_row *row = &p->rows[i];
        for (unsigned f = 0; f < row->count; ++f) wfi_profile_close_figure(&row->figures[f]);
        free(row->figures);
    }
    for (size_t i = 0; i < p->text_count; ++i) free(p->texts[i]);
    for (size_t i = 0; i < p->lane_count; ++i) {
        wfi_blocks_close(&p->lanes[i].records);
        wfi_blocks_close(&p->lanes[i].lost);
    }
    free(p->lanes);
    free(p->rows);
    free(p->texts);
    wfi_index_close(&p->text_index);
    wfi_index_close(&p->row_index);
    free(p);
}

// ---- texts

static uint32_t find_text(const struct wf_profile *p, const char *text, size_t len) {
    uint64_t hash = wfi_hash_text(text, len, p);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&p->text_index, hash, &step)) != 0;) {
        const char *is = p->texts[n - 1];
        if (strlen(is) == len && memcmp(is, text, len) == 0) return n;
    }
    return 0;
}

const char *wfi_profile_text(struct wf_profile *p, const char *text, size_t len) {
    if (!text) return NULL;
    if (len > WFI_PROFILE_TEXT) len = WFI_PROFILE_TEXT;
    uint32_t n = find_text(p, text, len);
    if (n) return p->texts[n - 1];
    char *copy = malloc(len + 1);
    if (!copy || !WFI_GROW(p->texts, &p->text_cap, p->text_count + 1) ||
        !wfi_index_add(&p->text_index, wfi_hash_text(text, len, p), (uint32_t)p->text_count + 1)) {
        free(copy);
        return NULL;
    }
    memcpy(copy, text, len);
    copy[len] = 0;
    return p->texts[p->text_count++] = copy;
}

uint32_t wfi_profile_text_number(const struct wf_profile *p, const char *text) {
    return text ? find_text(p, text, strlen(text)) : 0;
}

// ---- lanes and rows

struct wfi_profile_lane *wfi_profile_add_lane(struct wf_profile *p, unsigned lane) {
    if (!WFI_GROW(p->lanes, &p->lane_cap, p->lane_count + 1)) return NULL;
    struct wfi_profile_lane *l = &p->lanes[p->lane_count++];
    l->is.lane = lane;
    return l;
}

static uint64_t hash_row(const struct wf_profile *p, const struct wfi_profile_row *row) {
    uint64_t hash = wfi_hash(row->lane, (uint64_t)row->kind << 32 | (uint32_t)row->core, p);
    for (unsigned i = 0; i < WFI_TEXTS; ++i)
        hash = wfi_hash(hash, (uint64_t)(uintptr_t)row->texts[i], p);
    return hash;
}

struct wfi_profile_row *wfi_profile_find(const struct wf_profile *p,
                                         const struct wfi_profile_row *row) {
    size_t step = 0;
    uint64_t hash = hash_row(p, row);
    for (uint32_t n; (n = wfi_index_next(&p->row_index, hash, &step)) != 0;) {
        struct wfi_profile_row *is = &p->rows[n - 1];
        if (is->lane == row->lane && is->kind == row->kind && is->core == row->core &&
            memcmp(is->texts, row->texts, sizeof row->texts) == 0)
            return is;
    }
    return NULL;
}

int wfi_profile_add_row(struct wf_profile *p, const struct wfi_profile_row *row) {
    if (p->figures + row->count > WFI_PROFILE_FIGURES) return WF_ERR_TOO_MANY;
    if (!WFI_GROW(p->rows, &p->row_cap, p->row_count + 1) ||
        !wfi_index_add(&p->row_index, hash_row(p, row), (uint32_t)p->row_count + 1))
        return WF_ERR_NOMEM;
    p->rows[p->row_count++] = *row;
    p->figures += row->count;
    return WF_OK;
}

struct wfi_profile_figure *wfi_profile_figure(const struct wfi_profile_row *row, const char *name) {
    for (unsigned i = 0; i < row->count; ++i) {
        if (strcmp(row->figures[i].name, name) == 0) return &row->figures[i];
    }
    return NULL;
}

// The time with known activity, averaged over the cores.
static double known_ticks(const struct wf_profile *p, uint32_t lane) {
    double sum = 0, cores = 0;
    for (size_t i = 0; i < p->row_count; ++i) {
        const struct wfi_profile_row *row = &p->rows[i];
        if (row->kind != WF_STATS_CORE || row->lane != lane) continue;
        const struct wfi_profile_figure *f = wfi_profile_figure(row, "known");
        sum += f ? f->value : 0;
        ++cores;
    }
    return cores > 0 ? sum / cores : 0;
}

void wfi_profile_settle(struct wf_profile *p) {
    for (uint32_t lane = 0; lane < p->lane_count; ++lane) {
        double known = known_ticks(p, lane);
        for (size_t i = 0; i < p->row_count; ++i) {
            const struct wfi_profile_row *row = &p->rows[i];
            struct wfi_profile_figure *share = wfi_profile_figure(row, "share");
            const struct wfi_profile_figure *cpu = wfi_profile_figure(row, "cpu");
            if (row->lane != lane || !share || !cpu) continue;
            share->known = known > 0;
            share->value = known > 0 ? 100 * cpu->value / known : 0;
        }
    }
}

bool wf_profile_lane(const struct wf_profile *p, size_t index, struct wf_profile_lane *lane) {
    if (index >= p->lane_count) return false;
    *lane = p->lanes[index].is;
    return true;
}

static void fill_figure(struct wf_figure *to, const struct wfi_profile_figure *f) {
    *to = (struct wf_figure){.name = f->name,
                             .unit = f->unit,
                             .form = f->form,
                             .known = f->known,
                             .value = f->value,
                             .blocks = f->blocks,
                             .weights = f->weights};
    if (f->form == WF_FIGURE_SPREAD) {
        wfi_figure_set(to, &f->histogram);
    } else if (f->form == WF_FIGURE_LEVEL) {
        to->count = f->count;
        to->min = f->min;
        to->mean = f->mean;
        to->max = f->max;
    }
}

bool wf_profile_next(const struct wf_profile *p, uint64_t *at, unsigned *lane,
                     struct wf_stats_row *row) {
    if (*at >= p->row_count) return false;
    const struct wfi_profile_row *is = &p->rows[(*at)++];
    *lane = p->lanes[is->lane].is.lane;
    *row = (struct wf_stats_row){.kind = is->kind,
                                 .name = is->texts[WFI_TEXT_NAME],
                                 .what = is->texts[WFI_TEXT_WHAT],
                                 .task = is->texts[WFI_TEXT_TASK],
                                 .object = is->texts[WFI_TEXT_OBJECT],
                                 .by = is->texts[WFI_TEXT_BY],
                                 .over = is->texts[WFI_TEXT_OVER],
                                 .tasks = is->tasks,
                                 .by_tasks = is->by_tasks,
                                 .over_tasks = is->over_tasks,
                                 .core = is->core,
                                 .marked = is->marked,
                                 .count = is->count};
    for (unsigned i = 0; i < is->count; ++i) fill_figure(&row->figures[i], &is->figures[i]);
    return true;
}
