// SPDX-License-Identifier: MIT
// Takes cells from the writer and prints them as members of an object, named after their columns.

#include "rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "wallfly_host/wf_slot_record.h"

bool row_tick(const struct wf_item *item, uint64_t *tick) {
    if (item->kind == WF_ITEM_RECORD) *tick = item->record.tick;
    if (item->kind == WF_ITEM_EVENT) *tick = item->event->tick;
    return item->kind == WF_ITEM_RECORD || item->kind == WF_ITEM_EVENT;
}

struct row_bytes row_bytes(const struct wf_item *item) {
    if (item->kind == WF_ITEM_RECORD)
        return (struct row_bytes){item->record.offset, item->record.raw_len};
    if (item->kind != WF_ITEM_EVENT) return (struct row_bytes){0, 0};
    unsigned words = item->event->count;
    return (struct row_bytes){item->event->offset,
                              sizeof(struct wf_slot) * (words > 2 ? (words + 1) / 2 : 1)};
}

static bool put_quoted(struct rows *r, const char *text, size_t len) {
    if (r->quoted_cap < 6 * len + 2) {
        char *more = realloc(r->quoted, 6 * len + 2);
        if (!more) return false;
        r->quoted = more;
        r->quoted_cap = 6 * len + 2;
    }
    fwrite(r->quoted, 1, wf_table_json_text(text, len, r->quoted), r->out);
    return true;
}

static bool put_cell(struct rows *r, const struct wf_column *column, const struct wf_cell *cell) {
    if (cell->type == WF_CELL_NULL) return true;
    fprintf(r->out, ",\"%s\":", column->name);
    if (cell->type == WF_CELL_INT) fprintf(r->out, "%" PRId64, cell->number);
    if (cell->type == WF_CELL_JSON) fwrite(cell->text, 1, cell->len, r->out);
    return cell->type != WF_CELL_TEXT || put_quoted(r, cell->text, cell->len);
}

// Ignores the case of ASCII letters.
static bool contains(const struct wf_cell *cell, const char *text) {
    size_t len = strlen(text);
    for (size_t i = 0; cell->type == WF_CELL_TEXT && i + len <= cell->len; ++i) {
        if (strncasecmp(cell->text + i, text, len) == 0) return true;
    }
    return false;
}

static const struct wf_cell *find_cell(const struct wf_table *table, const struct wf_cell *cells,
                                       const char *name) {
    unsigned i = 0;
    while (i < table->count && strcmp(table->columns[i].name, name) != 0) ++i;
    return i < table->count ? &cells[i] : NULL;
}

static bool print_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells) {
    struct rows *r = ctx;
    const struct wf_cell *tick = find_cell(table, cells, "tick");
    if (tick->type == WF_CELL_INT) r->t = (int64_t)((uint64_t)tick->number - r->t0);
    r->found = r->text && (contains(find_cell(table, cells, "name"), r->text) ||
                           contains(find_cell(table, cells, "words"), r->text));
    if (!r->out || (r->text && !r->found)) return true;
    fprintf(r->out, "{\"t\":%" PRId64, r->t);
    for (unsigned i = 0; i < table->count; ++i) {
        if (!put_cell(r, &table->columns[i], &cells[i])) r->failed = true;
    }
    putc('}', r->out);
    return true;
}

static bool write_nothing(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    (void)bytes;
    (void)len;
    return false;
}

bool rows_take(struct rows *r, struct wf_session *s, const struct wf_item *item, uint64_t number) {
    if (item->kind == WF_ITEM_DAMAGE) return true;
    if (!r->writer) {
        const struct wf_writer_options o = {
            .size = sizeof o, .row = print_row, .records_only = true, .rows = number - 1};
        r->writer = wf_writer_open(wf_format_find("sqlite"), s, &o, write_nothing, r, NULL);
        if (!r->writer) return false;
    }
    r->found = false;
    wf_writer_item(r->writer, item);
    return !r->failed;
}

void rows_close(struct rows *r) {
    if (r->writer) wf_writer_close(r->writer);
    free(r->quoted);
    r->writer = NULL;
    r->quoted = NULL;
    r->quoted_cap = 0;
}
