// SPDX-License-Identifier: MIT
// The records of the window, with their bytes. All bytes are read together when their offsets are
// known, and inserted into the rows' objects before the closing brace.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "packed.h"
#include "page_parts.h"
#include "rows.h"
#include "wallfly_server/memory.h"

enum { RAW_MAX = 64 << 20 }; // bytes of the stream between the first and the last record

struct row {
    size_t end; // in `texts`
    struct row_bytes bytes;
};

struct collecting {
    const struct page_export *k;
    uint64_t from, until; // ticks
    struct rows rows;
    FILE *stream;
    char *texts;
    size_t len;
    struct row *list;
    size_t count, cap;
    uint64_t first; // row
    bool begun, nomem;
    uint64_t left;
};

static bool grow_list(struct collecting *c) {
    if (c->count < c->cap) return true;
    size_t cap = c->cap ? 2 * c->cap : 1024;
    struct row *more = realloc(c->list, cap * sizeof *more);
    if (!more) return false;
    c->list = more;
    c->cap = cap;
    return true;
}

static bool collect_row(void *ctx, struct wf_session *s, const struct wf_item *item,
                        uint64_t number) {
    struct collecting *c = ctx;
    uint64_t tick = 0;
    bool timed = row_tick(item, &tick);
    if (item->kind == WF_ITEM_DAMAGE || (!c->begun && (!timed || tick < c->from))) return true;
    if (timed && tick > c->until) return false;
    if (!c->begun) c->first = number;
    c->begun = true;
    if (c->count == c->k->most) {
        ++c->left;
        return true;
    }
    bool good = grow_list(c) && rows_take(&c->rows, s, item, number);
    long end = good ? ftell(c->stream) : -1;
    if (end < 0 || ferror(c->stream)) {
        c->nomem = true;
        return false;
    }
    c->list[c->count++] = (struct row){(size_t)end, row_bytes(item)};
    return true;
}

static void end(void *ctx) {
    struct collecting *c = ctx;
    rows_close(&c->rows);
}

// ---- bytes

struct raw {
    uint8_t *bytes;
    uint64_t at;
    size_t len;
};

static struct raw read_raw(const struct collecting *c) {
    uint64_t from = UINT64_MAX, until = 0;
    for (size_t i = 0; i < c->count; ++i) {
        const struct row_bytes *b = &c->list[i].bytes;
        if (!b->len) continue;
        if (b->offset < from) from = b->offset;
        if (b->offset + b->len > until) until = b->offset + b->len;
    }
    struct raw raw = {NULL, from, 0};
    if (until <= from || until - from > RAW_MAX) return raw;
    raw.bytes = malloc((size_t)(until - from));
    if (raw.bytes)
        raw.len = replay_raw(c->k->a->replay, c->first, from, raw.bytes, (size_t)(until - from));
    return raw;
}

static void put_hex(struct packed *p, const struct raw *raw, const struct row_bytes *row) {
    static const char digits[] = "0123456789abcdef";
    uint64_t at = row->offset - raw->at;
    if (!row->len || at > raw->len || row->len > raw->len - at) return;
    packed_put(p, ",\"raw\":\"", 8);
    for (uint64_t i = 0; i < row->len; ++i) {
        uint8_t byte = raw->bytes[at + i];
        const char hex[] = {digits[byte >> 4], digits[byte & 15]};
        packed_put(p, hex, 2);
    }
    packed_put(p, "\"", 1);
}

static bool put_rows(const struct collecting *c) {
    struct raw raw = read_raw(c);
    struct packed p;
    char tail[64];
    size_t at = 0;
    if (!packed_begin(&p, c->k->out)) {
        free(raw.bytes);
        return false;
    }
    packed_put(&p, "{\"records\":[", 12);
    for (size_t i = 0; i < c->count; ++i) {
        const struct row *row = &c->list[i];
        if (i) packed_put(&p, ",\n", 2);
        packed_put(&p, c->texts + at, row->end - at - 1);
        put_hex(&p, &raw, &row->bytes);
        packed_put(&p, "}", 1);
        at = row->end;
    }
    packed_put(&p, tail, (size_t)snprintf(tail, sizeof tail, "],\"left\":%" PRIu64 "}", c->left));
    free(raw.bytes);
    return packed_end(&p);
}

int page_export_put_records(struct page_export *k, struct wf_error *error) {
    struct collecting c = {.k = k, .rows = {.t0 = k->a->t0}};
    c.from = page_query_tick(k->a, k->from);
    c.until = page_query_tick(k->a, k->until);
    c.begun = k->from == 0; // items without a time come first
    if (c.begun) c.first = 1;
    c.stream = c.rows.out = memory_stream(&c.texts, &c.len);
    const struct replay_reading on = {
        .ctx = &c, .item = collect_row, .end = end, .progress = k->a->progress};
    uint64_t row = c.begun ? 1 : replay_near(k->a->replay, c.from);
    int err = c.stream ? replay_run(k->a->replay, row, &on, error) : WF_ERR_NOMEM;
    if (c.stream && fflush(c.stream) != 0) c.nomem = true;
    fputs(",\n\"records\":\"", k->out);
    if (err == WF_OK && (c.nomem || !put_rows(&c))) err = WF_ERR_NOMEM;
    fputs("\"", k->out);
    k->records_left = c.left;
    if (c.stream && !memory_close(c.stream) && err == WF_OK) err = WF_ERR_NOMEM;
    free(c.texts);
    free(c.list);
    return err == WF_ERR_NOMEM ? wf_error_code(error, err) : err;
}
