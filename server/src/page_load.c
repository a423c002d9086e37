// SPDX-License-Identifier: MIT
// The load of cores: sums of windows for a page, and for a file all runs that they are sums of.

#include <inttypes.h>
#include <stdlib.h>

#include "packed.h"
#include "page_parts.h"

enum { WINDOWS_MAX = 512, OWNERS_MAX = 4096, TIME_BITS = 53 };

static void put_loads(FILE *out, const struct wf_load *loads, size_t n) {
    putc('[', out);
    for (size_t i = 0; i < n; ++i)
        fprintf(out, "%s%" PRIu32 ",%" PRIu64, i ? "," : "", loads[i].entity, loads[i].ticks);
    putc(']', out);
}

struct asked {
    int64_t core, from, width, count;
};

static bool read_asked(const cJSON *ask, struct asked *to, struct wf_error *error) {
    const int64_t most = INT64_C(1) << TIME_BITS;
    return page_query_number(ask, "core", -1, WF_MODEL_CORES - 1, &to->core, error) &&
           page_query_number(ask, "from", 0, most, &to->from, error) &&
           page_query_number(ask, "width", 1, most / WINDOWS_MAX, &to->width, error) &&
           page_query_number(ask, "count", 1, WINDOWS_MAX, &to->count, error);
}

int page_query_load(const struct page_query_context *a, const cJSON *ask, FILE *out,
                    struct wf_error *error) {
    struct asked of;
    struct wf_timeline_span span;
    bool exact = true, one;
    if (!read_asked(ask, &of, error)) return WF_ERR_USAGE;
    struct wf_load *loads = malloc(OWNERS_MAX * sizeof *loads);
    if (!loads) return wf_error_code(error, WF_ERR_NOMEM);
    wf_timeline_extent(a->timeline, &span);
    fputs("\"loads\":[", out);
    for (int64_t i = 0; i < of.count; ++i) {
        uint64_t from = page_query_tick(a, of.from + i * of.width);
        uint64_t until = page_query_tick(a, of.from + (i + 1) * of.width);
        size_t n =
            wf_timeline_load(a->timeline, (int)of.core, from, until, loads, OWNERS_MAX, &one);
        exact = exact && one;
        if (i) putc(',', out);
        put_loads(out, loads, n < OWNERS_MAX ? n : OWNERS_MAX);
    }
    fprintf(out, "],\"exact\":%s,\"step\":%" PRIu64 ",\"last\":%.0f", exact ? "true" : "false",
            wf_timeline_load_step(a->timeline), page_query_time(a, span.last));
    free(loads);
    return WF_OK;
}

// ---- in a file

static void put_run(struct packed *to, const struct page_query_context *a,
                    const struct wf_load_run *r, const char *comma) {
    char text[96];
    int len = snprintf(text, sizeof text, "%s%.0f,%" PRIu64 ",%" PRIu32, comma,
                       page_query_time(a, r->begin), r->ticks, r->entity);
    packed_put(to, text, (size_t)len);
}

static int put_core(struct page_export *k, struct packed *to, const struct wf_timeline_row *row,
                    const char *comma) {
    uint64_t from = page_query_tick(k->a, k->from), until = page_query_tick(k->a, k->until);
    unsigned core = (unsigned)row->core;
    size_t n = wf_timeline_load_runs(k->a->timeline, core, from, until, NULL, 0);
    struct wf_load_run *runs = malloc((n + 1) * sizeof *runs);
    if (!runs) return WF_ERR_NOMEM;
    wf_timeline_load_runs(k->a->timeline, core, from, until, runs, n);
    char head[64];
    int len = snprintf(head, sizeof head, "%s{\"core\":%u,\"runs\":[", comma, core);
    packed_put(to, head, (size_t)len);
    for (size_t i = 0; i < n; ++i) put_run(to, k->a, &runs[i], i ? "," : "");
    packed_put(to, "]}", 2);
    free(runs);
    return WF_OK;
}

int page_export_put_loads(struct page_export *k, struct wf_error *error) {
    struct packed packed;
    fprintf(k->out, ",\n\"step\":%" PRIu64 ",\n\"loads\":\"",
            wf_timeline_load_step(k->a->timeline));
    if (!packed_begin(&packed, k->out)) return wf_error_code(error, WF_ERR_NOMEM);
    int err = WF_OK;
    packed_put(&packed, "[", 1);
    const char *comma = "";
    for (unsigned i = 0; i < wf_timeline_rows(k->a->timeline) && err == WF_OK; ++i) {
        struct wf_timeline_row row;
        wf_timeline_row(k->a->timeline, i, &row);
        if (row.kind != WF_ROW_LOAD || row.core < 0) continue;
        err = put_core(k, &packed, &row, comma);
        comma = ",";
    }
    packed_put(&packed, "]", 1);
    if (!packed_end(&packed) && err == WF_OK) err = WF_ERR_NOMEM;
    putc('"', k->out);
    return err == WF_OK ? WF_OK : wf_error_code(error, err);
}
