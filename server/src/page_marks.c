// SPDX-License-Identifier: MIT
// Queries about marks and rules. A window with more marks than the page asks for is answered with
// counts: how many of each kind touch each part of it.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "page_parts.h"
#include "wallfly_server/json.h"

enum { MARKS_MOST = 500, BINS_MOST = 4096, TIME_BITS = 53 };

// ---- rules

static void put_rule(FILE *out, const struct mark_rule *r) {
    fputs("{\"title\":", out);
    json_text(out, r->title);
    fprintf(out, ",\"verdict\":\"%s\",\"text\":", mark_kind_names[r->verdict]);
    json_text(out, r->text);
    fprintf(out, ",\"live\":%s", r->live ? "true" : "false");
    if (r->has_margin)
        fprintf(out, ",\"margin\":%.6g", r->margin);
    else
        fputs(",\"margin\":null", out);
    fprintf(out, ",\"failures\":%" PRIu64 "}", r->failures);
}

int page_query_rules(const struct page_query_context *a, const cJSON *ask, FILE *out,
                     struct wf_error *error) {
    struct mark_rule rule;
    (void)ask;
    (void)error;
    fprintf(out, "\"rev\":%" PRIu64 ",\"left\":%" PRIu64 ",\"counts\":[", marks_revision(a->marks),
            marks_left(a->marks));
    for (unsigned kind = 0; kind < MARK_KINDS; ++kind)
        fprintf(out, "%s%" PRIu64, kind ? "," : "", marks_of_kind(a->marks, kind));
    fputs("],\"rules\":[", out);
    for (unsigned i = 0; marks_get_rule(a->marks, i, &rule); ++i) {
        if (i) fputs(",\n", out);
        put_rule(out, &rule);
    }
    putc(']', out);
    return WF_OK;
}

// ---- single marks

// Its number counts the marks that were removed, too: no other mark ever has it.
static void put_mark(FILE *out, const struct page_query_context *a, size_t index,
                     const struct mark *m) {
    const uint64_t number = marks_removed(a->marks) + index;
    fprintf(out, "[%" PRIu64 ",%u,\"%s\",%.0f,%.0f,", number, m->rule, mark_kind_names[m->kind],
            page_query_time(a, m->from), page_query_time(a, m->until));
    if (m->row) {
        fprintf(out, "\"%s\",", wf_row_kind_names[m->row_kind]);
        json_text(out, m->row);
    } else {
        fputs("null,null", out);
    }
    fprintf(out, ",%d,", m->core);
    json_text(out, m->text);
    putc(']', out);
}

int page_query_failures(const struct page_query_context *a, const cJSON *ask, FILE *out,
                        struct wf_error *error) {
    const int64_t rules = marks_rules(a->marks);
    int64_t rule, first, most, count = 0;
    struct mark m;
    if (!page_query_number(ask, "rule", 0, rules - 1, &rule, error) ||
        !page_query_number(ask, "first", 0, MARKS_MAX, &first, error) ||
        !page_query_number(ask, "most", 0, MARKS_MOST, &most, error))
        return WF_ERR_USAGE;
    fputs("\"marks\":[", out);
    for (size_t i = 0; marks_get(a->marks, i, &m); ++i) {
        if (m.rule != (unsigned)rule) continue;
        if (count >= first && count - first < most) {
            if (count > first) fputs(",\n", out);
            put_mark(out, a, i, &m);
        }
        ++count;
    }
    fprintf(out, "],\"count\":%" PRId64, count);
    return WF_OK;
}

static bool read_kind(const cJSON *ask, enum mark_kind *kind, struct wf_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(ask, "kind");
    for (unsigned i = 0; cJSON_IsString(item) && i < MARK_KINDS; ++i) {
        if (strcmp(item->valuestring, mark_kind_names[i]) != 0) continue;
        *kind = (enum mark_kind)i;
        return true;
    }
    wf_error_set(error, WF_ERR_USAGE, "'kind' is not fail, cannot tell or note");
    return false;
}

// The first mark of a rule (-1: of any) among those that were added after the first `since` ones.
int page_query_added(const struct page_query_context *a, const cJSON *ask, FILE *out,
                     struct wf_error *error) {
    const uint64_t removed = marks_removed(a->marks);
    const int64_t most = INT64_C(1) << TIME_BITS, rules = marks_rules(a->marks);
    int64_t since, rule;
    struct mark m;
    if (!page_query_number(ask, "since", 0, most, &since, error) ||
        !page_query_number(ask, "rule", -1, rules - 1, &rule, error))
        return WF_ERR_USAGE;
    size_t i = (uint64_t)since > removed ? (size_t)((uint64_t)since - removed) : 0;
    while (marks_get(a->marks, i, &m) && rule >= 0 && m.rule != (unsigned)rule) ++i;
    fputs("\"mark\":", out);
    if (i < marks_count(a->marks))
        put_mark(out, a, i, &m);
    else
        fputs("null", out);
    fprintf(out, ",\"added\":%" PRIu64, removed + marks_count(a->marks));
    return WF_OK;
}

// Where a step begins: at the mark with `number`, if there is one and it begins at `at`; else at
// that time. A page may know a mark that has been removed, or one of an earlier server.
static bool read_place(const struct page_query_context *a, const cJSON *ask,
                       struct mark_place *place, struct wf_error *error) {
    const int64_t most = INT64_C(1) << TIME_BITS;
    const uint64_t removed = marks_removed(a->marks);
    int64_t at, number = -1;
    struct mark m;
    if (!page_query_number(ask, "at", -most, most, &at, error)) return false;
    if (cJSON_GetObjectItemCaseSensitive(ask, "number") &&
        !page_query_number(ask, "number", 0, most, &number, error))
        return false;
    // A time before tick 0 of the target has no tick.
    place->before_all = at < 0 && (uint64_t)-at > a->t0;
    if (place->before_all) return true;
    place->at = page_query_tick(a, at);
    if (number < 0 || (uint64_t)number < removed) return true;
    place->number = (size_t)((uint64_t)number - removed);
    place->has_number = marks_get(a->marks, place->number, &m) && m.from == place->at;
    return true;
}

int page_query_mark(const struct page_query_context *a, const cJSON *ask, FILE *out,
                    struct wf_error *error) {
    struct mark_place place = {0};
    struct mark_step step;
    enum mark_kind kind;
    struct mark m;
    int64_t way;
    if (!read_place(a, ask, &place, error) || !page_query_number(ask, "way", -1, 1, &way, error) ||
        !read_kind(ask, &kind, error))
        return WF_ERR_USAGE;
    int err = marks_step(a->marks, &place, way < 0 ? -1 : 1, kind, &step);
    if (err != WF_OK) return err;
    fputs("\"mark\":", out);
    if (step.found && marks_get(a->marks, step.number, &m))
        put_mark(out, a, step.number, &m);
    else
        fputs("null", out);
    fprintf(out, ",\"place\":%" PRIu64 ",\"of\":%" PRIu64, step.place, step.of);
    return WF_OK;
}

// ---- a window

struct window {
    const struct page_query_context *a;
    FILE *out;
    uint64_t from, until;
    uint64_t count, most;
    uint64_t bins;
    // For each kind a row of bins: how many more marks of it touch a bin than the one before.
    int64_t *changes;
};

static bool count_mark(void *ctx, size_t number, const struct mark *m) {
    struct window *w = ctx;
    (void)number;
    (void)m;
    ++w->count;
    return true;
}

static bool put_each(void *ctx, size_t number, const struct mark *m) {
    struct window *w = ctx;
    if (w->count++) fputs(",\n", w->out);
    put_mark(w->out, w->a, number, m);
    return true;
}

static uint64_t bin_of(const struct window *w, uint64_t tick) {
    double part = ((double)(tick - w->from) + 0.5) / ((double)(w->until - w->from) + 1);
    uint64_t bin = (uint64_t)(part * (double)w->bins);
    return bin < w->bins ? bin : w->bins - 1;
}

static bool count_bins(void *ctx, size_t number, const struct mark *m) {
    struct window *w = ctx;
    (void)number;
    int64_t *changes = w->changes + m->kind * (w->bins + 1);
    ++changes[bin_of(w, m->from > w->from ? m->from : w->from)];
    --changes[bin_of(w, m->until < w->until ? m->until : w->until) + 1];
    return true;
}

static void put_bins(const struct window *w) {
    int64_t counts[MARK_KINDS] = {0};
    const char *comma = "";
    for (uint64_t bin = 0; bin < w->bins; ++bin) {
        int64_t any = 0;
        for (unsigned kind = 0; kind < MARK_KINDS; ++kind) {
            counts[kind] += w->changes[kind * (w->bins + 1) + bin];
            any += counts[kind];
        }
        if (!any) continue;
        fprintf(w->out, "%s[%" PRIu64, comma, bin);
        for (unsigned kind = 0; kind < MARK_KINDS; ++kind)
            fprintf(w->out, ",%" PRId64, counts[kind]);
        putc(']', w->out);
        comma = ",";
    }
}

static int put_many(struct window *w) {
    w->changes = calloc(MARK_KINDS * (w->bins + 1), sizeof *w->changes);
    if (!w->changes) return WF_ERR_NOMEM;
    fputs(",\"marks\":[],\"bins\":[", w->out);
    int err = marks_within(w->a->marks, w->from, w->until, count_bins, w);
    put_bins(w);
    putc(']', w->out);
    free(w->changes);
    return err;
}

static int put_single(struct window *w) {
    fputs(",\"bins\":[],\"marks\":[", w->out);
    w->count = 0;
    int err = marks_within(w->a->marks, w->from, w->until, put_each, w);
    putc(']', w->out);
    return err;
}

int page_query_marks(const struct page_query_context *a, const cJSON *ask, FILE *out,
                     struct wf_error *error) {
    struct window w = {.a = a, .out = out};
    int64_t most, bins;
    if (!page_query_window(a, ask, &w.from, &w.until, error) ||
        !page_query_number(ask, "most", 0, MARKS_MOST, &most, error) ||
        !page_query_number(ask, "bins", 1, BINS_MOST, &bins, error))
        return WF_ERR_USAGE;
    w.most = (uint64_t)most;
    w.bins = (uint64_t)bins;
    int err = marks_within(a->marks, w.from, w.until, count_mark, &w);
    if (err != WF_OK) return err;
    fprintf(out, "\"count\":%" PRIu64, w.count);
    return w.count > w.most ? put_many(&w) : put_single(&w);
}

int page_marks_put(const struct page_query_context *a, uint64_t from, uint64_t until, FILE *out) {
    struct window w = {.a = a, .out = out, .from = from, .until = until};
    return marks_within(a->marks, from, until, put_each, &w);
}
