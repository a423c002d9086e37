// SPDX-License-Identifier: MIT
// Queries for the values of one figure of the statistics: how often each value occurs, and the
// intervals whose values lie in a range. Each is a reading of the whole trace, as for the figures
// themselves, so that both have the same values.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "page_parts.h"
#include "wallfly_host/wf_stats.h"
#include "wallfly_server/json.h"

enum { INTERVALS = 1000, FIGURE = 32, ROWS = 4096 };

struct search {
    const struct page_query_context *a;
    struct wf_stats_options options;
    struct wf_stats *figures;
    FILE *out;
    enum wf_stats_kind kind;
    char figure[FIGURE]; // as wf_figure.name
    uint64_t index;      // of the row among those of its kind
    bool found;
    // Intervals of rows.
    bool lists;
    uint32_t rows[ROWS]; // ascending
    size_t row_count;
    uint64_t low, high, count, most;
    int err;
};

static bool read_names(struct search *q, const cJSON *ask, struct wf_error *error) {
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(ask, "kind");
    const cJSON *figure = cJSON_GetObjectItemCaseSensitive(ask, "figure");
    unsigned k = 0;
    if (!cJSON_IsString(kind) || !cJSON_IsString(figure)) {
        wf_error_set(error, WF_ERR_USAGE, "'kind' and 'figure' are texts");
        return false;
    }
    while (k < WF_STATS_KINDS && strcmp(wf_stats_kind_names[k], kind->valuestring) != 0) ++k;
    if (k == WF_STATS_KINDS || strlen(figure->valuestring) >= FIGURE) {
        wf_error_set(error, WF_ERR_USAGE, "there is no such figure");
        return false;
    }
    q->kind = (enum wf_stats_kind)k;
    snprintf(q->figure, sizeof q->figure, "%s", figure->valuestring);
    for (char *c = q->figure; *c; ++c) {
        if (*c == '_') *c = ' '; // as in the statistics' JSON
    }
    return true;
}

// ---- intervals

static int compare_rows(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool read_rows(struct search *q, const cJSON *ask, struct wf_error *error) {
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(ask, "rows"), *row;
    bool good = cJSON_IsArray(rows) && cJSON_GetArraySize(rows) <= ROWS;
    for (row = good ? rows->child : NULL; row && good; row = row->next) {
        good = cJSON_IsNumber(row) && row->valuedouble >= 0 && row->valuedouble <= UINT32_MAX;
        if (good) q->rows[q->row_count++] = (uint32_t)row->valuedouble;
    }
    if (!good) wf_error_set(error, WF_ERR_USAGE, "'rows' are at most %d numbers of rows", ROWS);
    qsort(q->rows, q->row_count, sizeof *q->rows, compare_rows);
    return good;
}

static void take_interval(void *ctx, const struct wf_stats_interval *i) {
    struct search *q = ctx;
    if (i->kind != q->kind || i->part != WF_PART_WHOLE || i->value < q->low || i->value > q->high ||
        strcmp(wf_stats_spread_names[i->spread], q->figure) != 0 ||
        !bsearch(&i->row, q->rows, q->row_count, sizeof *q->rows, compare_rows))
        return;
    if (q->count++ >= q->most) return;
    fprintf(q->out, "%s[%.0f,%.0f,%" PRIu64 ",", q->count > 1 ? "," : "",
            page_query_time(q->a, i->from), page_query_time(q->a, i->to), i->value);
    if (i->task)
        json_text(q->out, wf_task_name(wf_stats_model(q->figures), i->task));
    else
        fputs("null", q->out);
    putc(']', q->out);
}

// ---- classes

static void put_classes(const struct wf_histogram *s, FILE *out) {
    const char *comma = "";
    if (!s->pages && s->count)
        fprintf(out, "[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", s->min, s->max, s->count);
    for (unsigned page = 0; s->pages && page < WF_HISTOGRAM_PAGES; ++page) {
        const unsigned wide = page ? page - 1 : 0, unit = wide > 32 ? wide - 32 : 0;
        for (uint64_t i = 0; s->pages[page] && i < WF_HISTOGRAM_PAGE; ++i) {
            const struct wf_histogram_class *c = &s->pages[page][i];
            const uint64_t begin = (i + (page ? WF_HISTOGRAM_PAGE : 0)) << wide;
            if (!c->count) continue;
            fprintf(out, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", comma,
                    begin + ((uint64_t)c->low << unit), begin + ((uint64_t)c->high << unit),
                    c->count);
            comma = ",";
        }
    }
}

static void put_rows(struct search *q, const struct wf_stats_row *row) {
    size_t count = wf_stats_joined(q->figures, row, q->rows, ROWS);
    for (size_t i = 0; i < count && i < ROWS; ++i)
        fprintf(q->out, "%s%" PRIu32, i ? "," : "", q->rows[i]);
}

static const struct wf_figure *find_figure(const struct search *q, const struct wf_stats_row *row) {
    for (unsigned i = 0; i < row->count; ++i) {
        if (row->figures[i].form == WF_FIGURE_SPREAD &&
            strcmp(row->figures[i].name, q->figure) == 0)
            return &row->figures[i];
    }
    return NULL;
}

static void put_distribution(struct search *q) {
    struct wf_stats_row row;
    uint64_t at = 0, n = 0;
    while (wf_stats_next(q->figures, &at, &row)) {
        if (row.kind != q->kind || n++ != q->index) continue;
        const struct wf_figure *f = find_figure(q, &row);
        if (!f) return;
        q->found = true;
        fputs("\"rows\":[", q->out);
        put_rows(q, &row);
        fprintf(q->out, "],\"tasks\":%" PRIu64 ",\"times\":%s,\"classes\":[", row.tasks,
                f->unit == WF_UNIT_TICKS ? "true" : "false");
        if (f->histogram) put_classes(f->histogram, q->out);
        putc(']', q->out);
        return;
    }
}

// ---- the reading

static bool take_item(void *ctx, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    struct search *q = ctx;
    struct wf_error error;
    (void)number;
    if (!q->figures) q->figures = wf_stats_open(s, &q->options, &error);
    if (!q->figures) q->err = error.code;
    if (q->figures) wf_stats_take(q->figures, item);
    return q->figures != NULL;
}

static void end_items(void *ctx) {
    struct search *q = ctx;
    if (!q->figures) return;
    wf_stats_end(q->figures);
    if (q->err == WF_OK) q->err = wf_stats_error(q->figures);
    if (q->err == WF_OK && !q->lists) put_distribution(q);
    wf_stats_close(q->figures);
    q->figures = NULL;
}

static int read_trace(struct search *q, const cJSON *ask, struct wf_error *error) {
    if (!page_query_window(q->a, ask, &q->options.from_tick, &q->options.until_tick, error))
        return WF_ERR_USAGE;
    q->options.size = sizeof q->options;
    q->options.has_from = q->options.has_until = q->options.has_ticks = true;
    const struct replay_reading on = {.ctx = q,
                                      .item = take_item,
                                      .end = end_items,
                                      .progress = q->a->progress,
                                      .names_in_order = true};
    int err = replay_run(q->a->replay, REPLAY_ALL, &on, error);
    return err == WF_OK && q->err != WF_OK ? wf_error_code(error, q->err) : err;
}

int page_query_distribution(const struct page_query_context *a, const cJSON *ask, FILE *out,
                            struct wf_error *error) {
    struct search q = {.a = a, .out = out};
    int64_t index;
    if (!read_names(&q, ask, error) ||
        !page_query_number(ask, "index", 0, UINT32_MAX, &index, error))
        return WF_ERR_USAGE;
    q.index = (uint64_t)index;
    int err = read_trace(&q, ask, error);
    if (err == WF_OK && !q.found)
        err = wf_error_set(error, WF_ERR_USAGE, "there is no such figure");
    return err;
}

int page_query_intervals(const struct page_query_context *a, const cJSON *ask, FILE *out,
                         struct wf_error *error) {
    struct search q = {.a = a, .out = out, .lists = true};
    const int64_t far = INT64_C(1) << 53;
    int64_t low, high, most;
    if (!read_names(&q, ask, error) || !read_rows(&q, ask, error) ||
        !page_query_number(ask, "low", 0, far, &low, error) ||
        !page_query_number(ask, "high", low, far, &high, error) ||
        !page_query_number(ask, "most", 0, INTERVALS, &most, error))
        return WF_ERR_USAGE;
    q.low = (uint64_t)low;
    q.high = (uint64_t)high;
    q.most = (uint64_t)most;
    q.options.on_interval = take_interval;
    q.options.ctx = &q;
    q.options.no_spreads = true;
    fputs("\"intervals\":[", out);
    int err = read_trace(&q, ask, error);
    fprintf(out, "],\"count\":%" PRIu64, q.count);
    return err;
}
