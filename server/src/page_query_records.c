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

struct looking {
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

static struct looking *open_search(const struct page_query_context *a, FILE *out,
                                   struct wf_error *error) {
    struct looking *k = calloc(1, sizeof *k);
    if (k) k->stream = memory_stream(&k->made.bytes, &k->made.len);
    if (k && k->stream) {
        k->a = a;
        k->out = out;
        k->rows.t0 = a->t0;
        k->rows.out = k->stream;
        return k;
    }
    free(k);
    wf_error_code(error, WF_ERR_NOMEM);
    return NULL;
}

static void close_search(struct looking *k) {
    for (unsigned i = 0; i <= PAGE_QUERY_ROWS; ++i) free(k->ring[i].bytes);
    memory_close(k->stream);
    free(k->made.bytes);
    free(k);
}

static void end(void *ctx) {
    struct looking *k = ctx;
    rows_close(&k->rows);
}

static int read_rows(struct looking *k, uint64_t row,
                     bool (*item)(void *ctx, struct wf_session *s, const struct wf_item *item,
                                  uint64_t number),
                     struct wf_error *error) {
    const struct replay_reading on = {
        .ctx = k, .item = item, .end = end, .progress = k->a->progress};
    int err = replay_run(k->a->replay, row, &on, error);
    if (err != WF_OK || k->err == WF_OK) return err;
    return wf_error_code(error, k->err);
}

// Formats the row as a JSON object; the text is empty if the row does not match.
static bool format_row(struct looking *k, struct wf_session *s, const struct wf_item *item,
                       uint64_t number, struct text *to) {
    rewind(k->stream);
    bool good = rows_take(&k->rows, s, item, number) && fflush(k->stream) == 0;
    long len = ftell(k->stream);
    char *bytes = good && len >= 0 ? realloc(to->bytes, (size_t)len + 1) : NULL;
    if (!bytes) {
        k->err = WF_ERR_NOMEM;
        return false;
    }
    memcpy(bytes, k->made.bytes, (size_t)len);
    *to = (struct text){bytes, (size_t)len};
    return true;
}

// Returns whether the item is at or after the requested place.
static bool is_reached(const struct looking *k, const struct wf_item *item, uint64_t number) {
    uint64_t tick;
    if (k->by_number) return number >= k->number;
    return row_tick(item, &tick) && tick >= k->tick;
}

// ---- records

static void write_row(struct looking *k, const struct text *t, uint64_t number) {
    if (k->given++) fputs(",\n", k->out);
    if (k->given == 1) k->first = number;
    k->last = number;
    fwrite(t->bytes, 1, t->len, k->out);
}

static void write_kept(struct looking *k, uint64_t number) {
    uint64_t n = k->kept < k->before ? k->kept : k->before;
    for (uint64_t i = k->kept - n; i < k->kept; ++i)
        write_row(k, &k->ring[i % PAGE_QUERY_ROWS], number - (k->kept - i));
}

static bool take_around(void *ctx, struct wf_session *s, const struct wf_item *item,
                        uint64_t number) {
    struct looking *k = ctx;
    if (item->kind == WF_ITEM_DAMAGE || number + 1 < k->from) return true;
    if (!k->hit && is_reached(k, item, number)) {
        k->hit = true;
        write_kept(k, number);
    }
    if (k->hit && k->after == 0) return false;
    struct text *to = &k->ring[k->hit ? PAGE_QUERY_ROWS : k->kept % PAGE_QUERY_ROWS];
    if (!format_row(k, s, item, number, to)) return false;
    if (number < k->from) return true; // an item that marks the next as late
    if (!k->hit) {
        ++k->kept;
        return true;
    }
    write_row(k, to, number);
    return --k->after > 0;
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
static bool read_place(struct looking *k, const cJSON *ask, struct wf_error *error) {
    const int64_t most = INT64_C(1) << 53;
    int64_t n;
    k->by_number = cJSON_GetObjectItemCaseSensitive(ask, "number") != NULL;
    if (!page_query_number(ask, k->by_number ? "number" : "at", k->by_number ? 0 : -most, most, &n,
                           error))
        return false;
    k->number = (uint64_t)n;
    k->tick = page_query_tick(k->a, n);
    return true;
}

static uint64_t first_row(const struct looking *k) {
    return k->by_number ? k->number : replay_near(k->a->replay, k->tick);
}

int page_query_records(const struct page_query_context *a, const cJSON *ask, FILE *out,
                       struct wf_error *error) {
    struct looking *k = open_search(a, out, error);
    if (!k) return WF_ERR_NOMEM;
    int err = WF_ERR_USAGE;
    if (read_place(k, ask, error) && read_count(ask, "before", &k->before, error) &&
        read_count(ask, "after", &k->after, error)) {
        uint64_t row = first_row(k), least = replay_gone(a->replay) + 1;
        k->from = row > k->before ? row - k->before : 1;
        if (k->from < least) k->from = least;
        fputs("\"records\":[", out);
        err = read_rows(k, k->from, take_around, error);
        if (err == WF_OK && !k->hit) write_kept(k, replay_rows(a->replay) + 1);
        bool begin = !k->given || k->first == least;
        bool last = !k->given || k->last >= replay_rows(a->replay);
        fprintf(out, "],\"first\":%s,\"last\":%s", begin ? "true" : "false",
                last ? "true" : "false");
    }
    close_search(k);
    return err;
}

// ---- one record

static bool take_requested(void *ctx, struct wf_session *s, const struct wf_item *item,
                           uint64_t number) {
    struct looking *k = ctx;
    if (item->kind == WF_ITEM_DAMAGE || number + 1 < k->number) return true;
    if (number > k->number || !format_row(k, s, item, number, &k->ring[0])) return false;
    if (number < k->number) return true;
    k->hit = true;
    k->bytes = row_bytes(item);
    return false;
}

static int put_raw(struct looking *k) {
    uint8_t *bytes = malloc(k->bytes.len ? k->bytes.len : 1);
    if (!bytes) return WF_ERR_NOMEM;
    size_t n = replay_raw(k->a->replay, k->number, k->bytes.offset, bytes, k->bytes.len);
    fputs(",\"raw\":\"", k->out);
    for (size_t i = 0; i < n; ++i) fprintf(k->out, "%02x", bytes[i]);
    fprintf(k->out, "\",\"at\":%" PRIu64, k->bytes.offset);
    free(bytes);
    return WF_OK;
}

int page_query_record(const struct page_query_context *a, const cJSON *ask, FILE *out,
                      struct wf_error *error) {
    struct looking *k = open_search(a, out, error);
    int64_t number;
    int err = k ? WF_ERR_USAGE : WF_ERR_NOMEM;
    if (k && page_query_number(ask, "number", 1, INT64_C(1) << 53, &number, error)) {
        k->number = (uint64_t)number;
        err = read_rows(k, k->number, take_requested, error);
        if (err == WF_OK && !k->hit)
            err = wf_error_set(error, WF_ERR_USAGE, "there is no record %" PRIu64, k->number);
        if (err == WF_OK) {
            fputs("\"record\":", out);
            fwrite(k->ring[0].bytes, 1, k->ring[0].len, out);
            err = k->bytes.len ? put_raw(k) : WF_OK;
            if (err == WF_OK && !k->bytes.len) fputs(",\"raw\":null,\"at\":null", out);
        }
    }
    if (k) close_search(k);
    return err;
}

// ---- find

// After the first row past the place, all later rows count as past it.
static bool is_past(struct looking *k, const struct wf_item *item, uint64_t number) {
    uint64_t tick;
    if (k->by_number) return number > k->number;
    if (row_tick(item, &tick) && tick > k->tick) k->behind = true;
    return k->behind;
}

static bool match_row(struct looking *k, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    if (!format_row(k, s, item, number, &k->ring[1]) || !k->rows.found) return false;
    struct text other = k->ring[0];
    k->ring[0] = k->ring[1];
    k->ring[1] = other;
    return true;
}

static bool take_next(void *ctx, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    struct looking *k = ctx;
    if (item->kind == WF_ITEM_DAMAGE) return true;
    bool is_behind = is_past(k, item, number);
    // From the first row past the place, every row is formatted, because this counts the rows.
    k->begun |= is_behind;
    if (!k->begun) return true;
    bool found = match_row(k, s, item, number);
    k->hit = found && (is_behind || item->kind == WF_ITEM_LOSS);
    return !k->hit && k->err == WF_OK;
}

// Searches a whole part of the trace and keeps the last match.
static bool take_last(void *ctx, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    struct looking *k = ctx;
    if (item->kind == WF_ITEM_DAMAGE) return true;
    if (number > k->last || is_reached(k, item, number)) return false;
    k->hit |= match_row(k, s, item, number);
    return k->err == WF_OK;
}

static int search_back(struct looking *k, struct wf_error *error) {
    const struct page_query_context *a = k->a;
    uint64_t begin = first_row(k), row = begin, gone = replay_gone(a->replay);
    int err = WF_OK;
    k->last = UINT64_MAX;
    if (k->by_number) k->last = k->number ? k->number - 1 : 0;
    while (!k->hit && err == WF_OK && row > gone) {
        err = read_rows(k, row, take_last, error);
        row = replay_start(a->replay, row) - 1;
        k->last = row;
        if (!replay_report(&a->progress, begin - row, begin)) return WF_ERR_STOPPED;
    }
    return err;
}

int page_query_find(const struct page_query_context *a, const cJSON *ask, FILE *out,
                    struct wf_error *error) {
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(ask, "text");
    struct looking *k = open_search(a, out, error);
    int64_t way;
    int err = k ? WF_ERR_USAGE : WF_ERR_NOMEM;
    bool named = cJSON_IsString(text) && *text->valuestring;
    if (!named) wf_error_set(error, WF_ERR_USAGE, "'text' is missing");
    if (k && named && read_place(k, ask, error) &&
        page_query_number(ask, "way", -1, 1, &way, error)) {
        k->rows.text = text->valuestring;
        err = way < 0 ? search_back(k, error) : read_rows(k, first_row(k), take_next, error);
        fputs("\"record\":", out);
        if (k->hit)
            fwrite(k->ring[0].bytes, 1, k->ring[0].len, out);
        else
            fputs("null", out);
    }
    if (k) close_search(k);
    return err;
}
