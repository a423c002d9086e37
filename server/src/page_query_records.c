// SPDX-License-Identifier: MIT
// Queries for single records: those around a time, one with its bytes, the next one that contains a
// text. Rows before the requested one are kept in a ring of texts, so that a single reading is
// enough.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "wallfly_server/memory.h"
#include "wallfly_server/page_query.h"

struct text {
    char *bytes;
    size_t len;
};

struct search {
    const struct page_query_context *a;
    struct rows rows;
    FILE *out;
    FILE *stream; // text of the current row, in `made`
    struct text made;
    int err;
    bool by_number;
    uint64_t number, tick; // the requested row or time
    bool behind;           // the reading has passed it
    uint64_t before, after;
    uint64_t from; // first row to format
    bool begun;    // rows are being formatted
    bool hit;
    struct text ring[PAGE_QUERY_ROWS + 1];
    uint64_t kept;               // rows in the ring
    uint64_t first, last, given; // rows written
    struct row_bytes bytes;      // of the requested row
};

// ---- reading

static struct search *open_search(const struct page_query_context *a, FILE *out,
                                  struct wf_error *error) {
    struct search *q = calloc(1, sizeof *q);
    if (q) q->stream = memory_stream(&q->made.bytes, &q->made.len);
    if (q && q->stream) {
        q->a = a;
        q->out = out;
        q->rows.t0 = a->t0;
        q->rows.out = q->stream;
        return q;
    }
    free(q);
    wf_error_code(error, WF_ERR_NOMEM);
    return NULL;
}

static void close_search(struct search *q) {
    for (unsigned i = 0; i <= PAGE_QUERY_ROWS; ++i) free(q->ring[i].bytes);
    memory_close(q->stream);
    free(q->made.bytes);
    free(q);
}

static void end(void *ctx) {
    struct search *q = ctx;
    rows_close(&q->rows);
}

static int read_rows(struct search *q, uint64_t row,
                     bool (*item)(void *ctx, struct wf_session *s, const struct wf_item *item,
                                  uint64_t number),
                     struct wf_error *error) {
    const struct replay_reading on = {
        .ctx = q, .item = item, .end = end, .progress = q->a->progress};
    int err = replay_run(q->a->replay, row, &on, error);
    if (err != WF_OK || q->err == WF_OK) return err;
    return wf_error_code(error, q->err);
}

// Formats the row as a JSON object; the text is empty if the row does not match.
static bool format_row(struct search *q, struct wf_session *s, const struct wf_item *item,
                       uint64_t number, struct text *to) {
    rewind(q->stream);
    bool good = rows_take(&q->rows, s, item, number) && fflush(q->stream) == 0;
    long len = ftell(q->stream);
    char *bytes = good && len >= 0 ? realloc(to->bytes, (size_t)len + 1) : NULL;
    if (!bytes) {
        q->err = WF_ERR_NOMEM;
        return false;
    }
    memcpy(bytes, q->made.bytes, (size_t)len);
    *to = (struct text){bytes, (size_t)len};
    return true;
}

// Returns whether the item is at or after the requested place.
static bool is_reached(const struct search *q, const struct wf_item *item, uint64_t number) {
    uint64_t tick;
    if (q->by_number) return number >= q->number;
    return row_tick(item, &tick) && tick >= q->tick;
}

// ---- records

static void write_row(struct search *q, const struct text *t, uint64_t number) {
    if (q->given++) fputs(",\n", q->out);
    if (q->given == 1) q->first = number;
    q->last = number;
    fwrite(t->bytes, 1, t->len, q->out);
}

static void write_kept(struct search *q, uint64_t number) {
    uint64_t n = q->kept < q->before ? q->kept : q->before;
    for (uint64_t i = q->kept - n; i < q->kept; ++i)
        write_row(q, &q->ring[i % PAGE_QUERY_ROWS], number - (q->kept - i));
}

static bool take_around(void *ctx, struct wf_session *s, const struct wf_item *item,
                        uint64_t number) {
    struct search *q = ctx;
    if (item->kind == WF_ITEM_DAMAGE || number + 1 < q->from) return true;
    if (!q->hit && is_reached(q, item, number)) {
        q->hit = true;
        write_kept(q, number);
    }
    if (q->hit && q->after == 0) return false;
    struct text *to = &q->ring[q->hit ? PAGE_QUERY_ROWS : q->kept % PAGE_QUERY_ROWS];
    if (!format_row(q, s, item, number, to)) return false;
    if (number < q->from) return true; // an item that marks the next as late
    if (!q->hit) {
        ++q->kept;
        return true;
    }
    write_row(q, to, number);
    return --q->after > 0;
}

static bool read_count(const cJSON *ask, const char *name, uint64_t *count,
                       struct wf_error *error) {
    int64_t n = 0;
    bool there = cJSON_GetObjectItemCaseSensitive(ask, name) != NULL;
    if (there && !page_query_number(ask, name, 0, PAGE_QUERY_ROWS, &n, error)) return false;
    *count = (uint64_t)n;
    return true;
}

// Reads the requested place: `number` or `at`.
static bool read_place(struct search *q, const cJSON *ask, struct wf_error *error) {
    const int64_t most = INT64_C(1) << 53;
    int64_t n;
    q->by_number = cJSON_GetObjectItemCaseSensitive(ask, "number") != NULL;
    if (!page_query_number(ask, q->by_number ? "number" : "at", q->by_number ? 0 : -most, most, &n,
                           error))
        return false;
    q->number = (uint64_t)n;
    q->tick = page_query_tick(q->a, n);
    return true;
}

static uint64_t first_row(const struct search *q) {
    return q->by_number ? q->number : replay_near(q->a->replay, q->tick);
}

int page_query_records(const struct page_query_context *a, const cJSON *ask, FILE *out,
                       struct wf_error *error) {
    struct search *q = open_search(a, out, error);
    if (!q) return WF_ERR_NOMEM;
    int err = WF_ERR_USAGE;
    if (read_place(q, ask, error) && read_count(ask, "before", &q->before, error) &&
        read_count(ask, "after", &q->after, error)) {
        uint64_t row = first_row(q), least = replay_gone(a->replay) + 1;
        q->from = row > q->before ? row - q->before : 1;
        if (q->from < least) q->from = least;
        fputs("\"records\":[", out);
        err = read_rows(q, q->from, take_around, error);
        if (err == WF_OK && !q->hit) write_kept(q, replay_rows(a->replay) + 1);
        bool begin = !q->given || q->first == least;
        bool last = !q->given || q->last >= replay_rows(a->replay);
        fprintf(out, "],\"first\":%s,\"last\":%s", begin ? "true" : "false",
                last ? "true" : "false");
    }
    close_search(q);
    return err;
}

// ---- one record

static bool take_requested(void *ctx, struct wf_session *s, const struct wf_item *item,
                           uint64_t number) {
    struct search *q = ctx;
    if (item->kind == WF_ITEM_DAMAGE || number + 1 < q->number) return true;
    if (number > q->number || !format_row(q, s, item, number, &q->ring[0])) return false;
    if (number < q->number) return true;
    q->hit = true;
    q->bytes = row_bytes(item);
    return false;
}

static int put_raw(struct search *q) {
    uint8_t *bytes = malloc(q->bytes.len ? q->bytes.len : 1);
    if (!bytes) return WF_ERR_NOMEM;
    size_t n = replay_raw(q->a->replay, q->number, q->bytes.offset, bytes, q->bytes.len);
    fputs(",\"raw\":\"", q->out);
    for (size_t i = 0; i < n; ++i) fprintf(q->out, "%02x", bytes[i]);
    fprintf(q->out, "\",\"at\":%" PRIu64, q->bytes.offset);
    free(bytes);
    return WF_OK;
}

int page_query_record(const struct page_query_context *a, const cJSON *ask, FILE *out,
                      struct wf_error *error) {
    struct search *q = open_search(a, out, error);
    int64_t number;
    int err = q ? WF_ERR_USAGE : WF_ERR_NOMEM;
    if (q && page_query_number(ask, "number", 1, INT64_C(1) << 53, &number, error)) {
        q->number = (uint64_t)number;
        err = read_rows(q, q->number, take_requested, error);
        if (err == WF_OK && !q->hit)
            err = wf_error_set(error, WF_ERR_USAGE, "there is no record %" PRIu64, q->number);
        if (err == WF_OK) {
            fputs("\"record\":", out);
            fwrite(q->ring[0].bytes, 1, q->ring[0].len, out);
            err = q->bytes.len ? put_raw(q) : WF_OK;
            if (err == WF_OK && !q->bytes.len) fputs(",\"raw\":null,\"at\":null", out);
        }
    }
    if (q) close_search(q);
    return err;
}

// ---- find

// After the first row past the place, all later rows count as past it.
static bool is_past(struct search *q, const struct wf_item *item, uint64_t number) {
    uint64_t tick;
    if (q->by_number) return number > q->number;
    if (row_tick(item, &tick) && tick > q->tick) q->behind = true;
    return q->behind;
}

static bool match_row(struct search *q, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    if (!format_row(q, s, item, number, &q->ring[1]) || !q->rows.found) return false;
    struct text other = q->ring[0];
    q->ring[0] = q->ring[1];
    q->ring[1] = other;
    return true;
}

static bool take_next(void *ctx, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    struct search *q = ctx;
    if (item->kind == WF_ITEM_DAMAGE) return true;
    bool is_behind = is_past(q, item, number);
    // From the first row past the place, every row is formatted, because this counts the rows.
    q->begun |= is_behind;
    if (!q->begun) return true;
    bool found = match_row(q, s, item, number);
    q->hit = found && (is_behind || item->kind == WF_ITEM_LOSS);
    return !q->hit && q->err == WF_OK;
}

// Searches a whole part of the trace and keeps the last match.
static bool take_last(void *ctx, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    struct search *q = ctx;
    if (item->kind == WF_ITEM_DAMAGE) return true;
    if (number > q->last || is_reached(q, item, number)) return false;
    q->hit |= match_row(q, s, item, number);
    return q->err == WF_OK;
}

static int search_back(struct search *q, struct wf_error *error) {
    const struct page_query_context *a = q->a;
    uint64_t begin = first_row(q), row = begin, gone = replay_gone(a->replay);
    int err = WF_OK;
    q->last = UINT64_MAX;
    if (q->by_number) q->last = q->number ? q->number - 1 : 0;
    while (!q->hit && err == WF_OK && row > gone) {
        err = read_rows(q, row, take_last, error);
        row = replay_start(a->replay, row) - 1;
        q->last = row;
        if (!replay_report(&a->progress, begin - row, begin)) return WF_ERR_STOPPED;
    }
    return err;
}

int page_query_find(const struct page_query_context *a, const cJSON *ask, FILE *out,
                    struct wf_error *error) {
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(ask, "text");
    struct search *q = open_search(a, out, error);
    int64_t way;
    int err = q ? WF_ERR_USAGE : WF_ERR_NOMEM;
    bool named = cJSON_IsString(text) && *text->valuestring;
    if (!named) wf_error_set(error, WF_ERR_USAGE, "'text' is missing");
    if (q && named && read_place(q, ask, error) &&
        page_query_number(ask, "way", -1, 1, &way, error)) {
        q->rows.text = text->valuestring;
        err = way < 0 ? search_back(q, error) : read_rows(q, first_row(q), take_next, error);
        fputs("\"record\":", out);
        if (q->hit)
            fwrite(q->ring[0].bytes, 1, q->ring[0].len, out);
        else
            fputs("null", out);
    }
    if (q) close_search(q);
    return err;
}
