// SPDX-License-Identifier: MIT
// The query `pairs` (docs/page-protocol.md): pairs of records of this trace and another one of the
// site, and how the clocks of both correspond by them.

#include "page_pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "page_parts.h"

enum { PAIRS_MAX = 20000, TEXT_MAX = 256 };

enum how { HOW_SENT, HOW_RECEIVED, HOW_SAME, HOWS };
static const char *const how_names[HOWS] = {"sent", "received", "same"};

struct pair {
    const struct pair_record *mine, *other;
};

struct pairing {
    struct pair_side mine, other;
    enum how how[PAIR_KINDS_MAX];
    uint64_t twice[PAIR_KINDS_MAX];
    struct pair *pairs; // ordered by the time of `mine`
    size_t count;
    struct wf_align *align;
    struct wf_align_result result;
};

// ---- the request

static const char *text_of(const cJSON *kind, const char *name) {
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(kind, name);
    size_t len = cJSON_IsString(text) ? strlen(text->valuestring) : 0;
    return len >= 1 && len <= TEXT_MAX ? text->valuestring : NULL;
}

static bool read_kind(struct pairing *all, unsigned i, const cJSON *kind) {
    const cJSON *how = cJSON_GetObjectItemCaseSensitive(kind, "how");
    unsigned k = 0;
    while (k < HOWS && !(cJSON_IsString(how) && strcmp(how->valuestring, how_names[k]) == 0)) ++k;
    all->how[i] = (enum how)k;
    all->mine.text[i] = text_of(kind, "text");
    all->other.text[i] = text_of(kind, "other");
    return k < HOWS && all->mine.text[i] && all->other.text[i];
}

static int read_request(struct pairing *all, const struct page_query_context *a, const cJSON *ask,
                        struct wf_error *error) {
    const struct site *site = a->page->site;
    const cJSON *kinds = cJSON_GetObjectItemCaseSensitive(ask, "kinds"), *kind;
    int64_t with;
    unsigned n = 0;
    if (!site || site->count < 2)
        return wf_error_set(error, WF_ERR_USAGE, "no other trace is served");
    if (!page_query_number(ask, "with", 0, (int64_t)site->count - 1, &with, error))
        return WF_ERR_USAGE;
    all->mine.a = a;
    all->other.a = &site->pages[with]->about;
    if (!cJSON_IsArray(kinds) || !kinds->child || cJSON_GetArraySize(kinds) > PAIR_KINDS_MAX)
        return wf_error_set(error, WF_ERR_USAGE, "'kinds' is not a list of 1 to %d",
                            PAIR_KINDS_MAX);
    cJSON_ArrayForEach(kind, kinds) {
        if (!read_kind(all, n++, kind))
            return wf_error_set(error, WF_ERR_USAGE,
                                "a kind has 'how' (sent, received, same), 'text' and 'other', of 1 "
                                "to %d bytes",
                                TEXT_MAX);
    }
    all->mine.kinds = all->other.kinds = n;
    if (a->hz && all->other.a->hz && a->ended && all->other.a->ended) return WF_OK;
    return wf_error_set(error, WF_ERR_USAGE,
                        a->ended && all->other.a->ended
                            ? "the rate of the ticks of a trace is not known (--rate)"
                            : "a trace is still being read");
}

// ---- pairs

static int by_time(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    return x->mine->tick < y->mine->tick ? -1 : x->mine->tick > y->mine->tick;
}

static int compare_ids(const struct pair_record *a, const struct pair_record *b) {
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static int64_t ns_of(const struct page_query_context *a, uint64_t tick) {
    const int64_t beyond = (INT64_C(1) << 62) + 1; // wf_align ignores that
    long double ns = (long double)page_query_time(a, tick) * 1e9L / (long double)a->hz;
    return ns > -0x1p62L && ns < 0x1p62L ? (int64_t)ns : beyond;
}

static int64_t ns_of_tick(const struct page_query_context *a) {
    return (int64_t)(1000000000 / a->hz + 1);
}

static void add_pair(struct pairing *all, const struct pair_record *mine,
                     const struct pair_record *other) {
    int64_t y = ns_of(all->mine.a, mine->tick), x = ns_of(all->other.a, other->tick);
    all->pairs[all->count++] = (struct pair){mine, other};
    // A time is a whole tick: the record was made within the tick that begins then.
    int64_t tick_x = ns_of_tick(all->other.a), tick_y = ns_of_tick(all->mine.a);
    switch (all->how[mine->kind]) {
    case HOW_SENT: wf_align_before(all->align, x + tick_x, y); break;
    case HOW_RECEIVED: wf_align_after(all->align, x, y + tick_y); break;
    default: wf_align_same(all->align, x + tick_x / 2, y + tick_y / 2); break;
    }
}

static int find_pairs(struct pairing *all, struct wf_error *error) {
    const struct pair_side *a = &all->mine, *b = &all->other;
    size_t most = a->count < b->count ? a->count : b->count, i = 0, k = 0;
    all->pairs = calloc(most ? most : 1, sizeof *all->pairs);
    all->align = wf_align_open();
    if (!all->pairs || !all->align) return wf_error_code(error, WF_ERR_NOMEM);
    while (i < a->count && k < b->count) {
        const struct pair_record *mine = &a->records[i], *other = &b->records[k];
        int order = compare_ids(mine, other);
        if (order == 0 && !mine->twice && !other->twice) add_pair(all, mine, other);
        if (order <= 0) ++i;
        if (order >= 0) ++k;
    }
    for (i = 0; i < a->count; ++i) all->twice[a->records[i].kind] += a->records[i].twice;
    for (k = 0; k < b->count; ++k) all->twice[b->records[k].kind] += b->records[k].twice;
    qsort(all->pairs, all->count, sizeof *all->pairs, by_time);
    return wf_align_solve(all->align, NULL, &all->result);
}

// ---- rows: that of the task that ran

struct row_index {
    const uint32_t *entity; // of each task
    uint32_t *of;           // by entity: its row as a task, plus 1; 0: none
    uint32_t core[256];     // their rows, plus 1
};

static bool index_rows(struct row_index *x, const struct pair_side *s) {
    struct wf_timeline *t = s->a->timeline;
    struct wf_timeline_row row;
    x->entity = s->entity;
    x->of = calloc(wf_timeline_entities(t) + (size_t)1, sizeof *x->of);
    for (unsigned i = 0; x->of && i < wf_timeline_rows(t); ++i) {
        wf_timeline_row(t, i, &row);
        if (row.kind == WF_ROW_TASK) x->of[row.entity] = i + 1;
        if (row.kind == WF_ROW_CORE && row.core >= 0 && row.core <= 255) x->core[row.core] = i + 1;
    }
    return x->of != NULL;
}

// Returns the row of the task; without one that of the core, or -1.
static int64_t row_of(const struct row_index *x, const struct pair_record *r) {
    uint32_t row = r->task ? x->of[x->entity[r->task - 1]] : 0;
    return (int64_t)(row ? row : x->core[r->core]) - 1;
}

static void put_pair(FILE *out, const struct pairing *all, const struct pair *p,
                     const struct row_index rows[2]) {
    fprintf(out, "[%u,%.0f,%" PRId64 ",%.0f,%" PRId64 "]", p->mine->kind,
            page_query_time(all->mine.a, p->mine->tick), row_of(&rows[0], p->mine),
            page_query_time(all->other.a, p->other->tick), row_of(&rows[1], p->other));
}

static bool put_pairs(FILE *out, const struct pairing *all) {
    struct row_index *rows = calloc(2, sizeof *rows);
    bool good = rows && index_rows(&rows[0], &all->mine) && index_rows(&rows[1], &all->other);
    size_t most = all->count < PAIRS_MAX ? all->count : PAIRS_MAX;
    fputs(",\"pairs\":[", out);
    for (size_t i = 0; good && i < most; ++i) {
        if (i) putc(',', out);
        put_pair(out, all, &all->pairs[i], rows);
    }
    fprintf(out, "],\"left\":%zu", all->count - most);
    if (rows) free(rows[0].of);
    if (rows) free(rows[1].of);
    free(rows);
    return good;
}

// ---- the answer

static void put_counts(FILE *out, const struct pairing *all) {
    uint64_t pairs[PAIR_KINDS_MAX] = {0}, mine[PAIR_KINDS_MAX] = {0}, other[PAIR_KINDS_MAX] = {0};
    for (size_t i = 0; i < all->count; ++i) ++pairs[all->pairs[i].mine->kind];
    for (size_t i = 0; i < all->mine.count; ++i) ++mine[all->mine.records[i].kind];
    for (size_t i = 0; i < all->other.count; ++i) ++other[all->other.records[i].kind];
    fputs("\"counts\":[", out);
    for (unsigned i = 0; i < all->mine.kinds; ++i)
        fprintf(out,
                "%s{\"pairs\":%" PRIu64 ",\"here\":%" PRIu64 ",\"there\":%" PRIu64
                ",\"twice\":%" PRIu64 ",\"without\":%" PRIu64 "}",
                i ? "," : "", pairs[i], mine[i] + all->mine.nameless[i],
                other[i] + all->other.nameless[i], all->twice[i],
                all->mine.nameless[i] + all->other.nameless[i]);
    fprintf(out, "],\"full\":%s", all->mine.full || all->other.full ? "true" : "false");
}

// Common moments are those in the middle of their ticks, which both may miss by half of one. The
// bounds of messages have it already.
static uint64_t half_ticks(const struct pairing *all) {
    bool same = all->result.basis == WF_ALIGN_SAME || all->result.basis == WF_ALIGN_FEW ||
                all->result.basis == WF_ALIGN_ONE;
    return same ? (uint64_t)(ns_of_tick(all->mine.a) + ns_of_tick(all->other.a)) / 2 : 0;
}

static bool put_answer(FILE *out, const struct pairing *all) {
    struct wf_timeline_span span;
    put_counts(out, all);
    bool good = put_pairs(out, all);
    fprintf(out,
            ",\"basis\":\"%s\",\"bounded\":%s,\"clock\":", wf_align_basis_name(all->result.basis),
            all->result.bounded ? "true" : "false");
    wf_timeline_extent(all->other.a->timeline, &span);
    span.hz = all->other.a->hz;
    if (wf_align_to_y(all->align, 0).known)
        arrivals_put_line(out, all->align, &all->result, &span, half_ticks(all));
    else
        fputs("null", out);
    return good;
}

int page_query_pairs(const struct page_query_context *a, const cJSON *ask, FILE *out,
                     struct wf_error *error) {
    struct pairing *all = calloc(1, sizeof *all);
    if (!all) return wf_error_code(error, WF_ERR_NOMEM);
    int err = read_request(all, a, ask, error);
    if (err == WF_OK) err = pair_side_read(&all->mine, &a->progress, error);
    if (err == WF_OK) err = pair_side_read(&all->other, &a->progress, error);
    if (err == WF_OK) err = find_pairs(all, error);
    if (err == WF_OK && !put_answer(out, all)) err = wf_error_code(error, WF_ERR_NOMEM);
    wf_align_close(all->align);
    free(all->pairs);
    free(all->mine.records);
    free(all->other.records);
    free(all->mine.entity);
    free(all->other.entity);
    free(all);
    return err;
}
