// SPDX-License-Identifier: MIT
// The table formats: rows as JSON lines, as CSV of the records or of all tables, or passed to the
// caller.

#include <stdio.h>
#include <stdlib.h>

#include "wfi_tables.h"

static bool open_own(struct wf_writer *w, void (*row)(struct wf_writer *w, enum wfi_table table,
                                                      const struct wf_cell *cells)) {
    struct wfi_tables *own = calloc(1, sizeof *own);
    if (!own) return false;
    w->own = own;
    own->put = row;
    own->records = w->options.rows;
    own->fields = wfi_fields_open();
    return own->fields && wfi_sentences_open(&w->sentences, WFI_STYLE_WALLFLY) &&
           wfi_strbuf_open(&own->words, &w->failed) && wfi_strbuf_open(&own->json, &w->failed);
}

static void close_own(struct wf_writer *w) {
    struct wfi_tables *own = w->own;
    if (!own) return;
    for (unsigned i = 0; own->parts && i < WFI_TABLE_END; ++i) wfi_strbuf_close(&own->parts[i]);
    wfi_strbuf_close(&own->words);
    wfi_strbuf_close(&own->json);
    wfi_fields_close(own->fields);
    free(own->runs.of);
    free(own->steps.of);
    free(own->priorities.of);
    free(own->parts);
    free(own->keys);
    free(own);
}

// ---- JSON lines

static void json_row(struct wf_writer *w, enum wfi_table table, const struct wf_cell *cells) {
    const struct wf_table *of = &wf_tables[table];
    char(*key)[WFI_KEY] = &wfi_tables(w)->keys[table * (WF_COLUMNS_MAX + 1)];
    struct wfi_strbuf *t = &w->text;
    wfi_strbuf_put(t, *key);
    for (unsigned i = 0; i < of->count; ++i) {
        if (cells[i].type == WF_CELL_NULL) continue;
        if (!wfi_strbuf_room(t, 2 * WFI_KEY)) return;
        size_t len = (uint8_t)key[i + 1][WFI_KEY - 1];
        t->end = wfi_copy_padded(t->end, key[i + 1], len);
        switch (cells[i].type) {
        case WF_CELL_INT: t->end = wfi_signed(t->end, cells[i].number); break;
        case WF_CELL_TEXT: wfi_put_json(cells[i].text, cells[i].len, t); break;
        default: wfi_strbuf_bytes(cells[i].text, cells[i].len, t);
        }
    }
    wfi_strbuf_put(t, "}\n");
    if (t->end - t->buf > WFI_STRBUF_CAP / 2) wf_writer_flush(w);
}

// The text before each value, with its length in the last byte; first the start of a row.
static bool open_keys(struct wfi_tables *own) {
    own->keys = calloc(WFI_TABLE_END * (WF_COLUMNS_MAX + 1), WFI_KEY);
    if (!own->keys) return false;
    for (unsigned i = 0; i < WFI_TABLE_END; ++i) {
        char(*key)[WFI_KEY] = &own->keys[i * (WF_COLUMNS_MAX + 1)];
        snprintf(*key, WFI_KEY, "{\"table\":\"%s\"", wf_tables[i].name);
        for (unsigned c = 0; c < wf_tables[i].count; ++c) {
            int len = snprintf(key[c + 1], WFI_KEY, ",\"%s\":", wf_tables[i].columns[c].name);
            key[c + 1][WFI_KEY - 1] = (char)len;
        }
    }
    return true;
}

static int open_jsonl(struct wf_writer *w) {
    if (!open_own(w, json_row) || !open_keys(w->own)) return WF_ERR_NOMEM;
    wfi_strbuf_printf(&w->text, "{\"wallfly\":%d", WFI_TABLES_VERSION);
    if (w->options.source) {
        wfi_strbuf_put(&w->text, ",\"source\":");
        wfi_put_json(w->options.source, strlen(w->options.source), &w->text);
    }
    wfi_strbuf_put(&w->text, "}\n");
    return WF_OK;
}

// ---- CSV

static void csv_head(const struct wf_table *table, struct wfi_strbuf *t) {
    for (unsigned i = 0; i < table->count; ++i) {
        wfi_strbuf_put(t, i ? "," : "");
        wfi_strbuf_put(t, table->columns[i].name);
    }
    wfi_strbuf_put(t, "\r\n");
}

static void csv_row(const struct wf_writer *w, enum wfi_table of, const struct wf_cell *cells,
                    struct wfi_strbuf *t) {
    const struct wf_table *table = &wf_tables[of];
    for (unsigned i = 0; i < table->count; ++i) {
        if (!wfi_strbuf_room(t, 64)) return;
        if (i) *t->end++ = ',';
        if (cells[i].type == WF_CELL_INT)
            t->end = wfi_signed(t->end, cells[i].number);
        else if (cells[i].type != WF_CELL_NULL)
            wfi_put_csv(cells[i].text, cells[i].len, w->options.csv_raw, t);
    }
    wfi_strbuf_put(t, "\r\n");
}

static void csv_record(struct wf_writer *w, enum wfi_table table, const struct wf_cell *cells) {
    if (table == WFI_TABLE_record) csv_row(w, table, cells, &w->text);
}

static int open_csv(struct wf_writer *w) {
    if (!open_own(w, csv_record)) return WF_ERR_NOMEM;
    csv_head(&wf_tables[WFI_TABLE_record], &w->text);
    return WF_OK;
}

// ---- a folder of CSV

static void put_part(struct wf_writer *w, unsigned table, struct wfi_strbuf *t) {
    char name[40];
    snprintf(name, sizeof name, "%s.csv", wf_tables[table].name);
    wfi_put_part(w, table, name, t->buf, (size_t)(t->end - t->buf));
    t->end = t->buf;
}

static void csv_part(struct wf_writer *w, enum wfi_table table, const struct wf_cell *cells) {
    struct wfi_strbuf *t = &wfi_tables(w)->parts[table];
    csv_row(w, table, cells, t);
    if (t->end - t->buf > WFI_STRBUF_CAP / 2) put_part(w, table, t);
}

static int open_tables(struct wf_writer *w) {
    if (!open_own(w, csv_part)) return WF_ERR_NOMEM;
    struct wfi_strbuf *parts = calloc(WFI_TABLE_END, sizeof *parts);
    wfi_tables(w)->parts = parts;
    if (!parts) return WF_ERR_NOMEM;
    for (unsigned i = 0; i < WFI_TABLE_END; ++i) {
        if (!wfi_strbuf_open(&parts[i], &w->failed)) return WF_ERR_NOMEM;
        csv_head(&wf_tables[i], &parts[i]);
    }
    return WF_OK;
}

static void end_tables(struct wf_writer *w) {
    wfi_table_rest(w);
    for (unsigned i = 0; i < WFI_TABLE_END; ++i) put_part(w, i, &wfi_tables(w)->parts[i]);
}

// ---- rows

static void hand_on(struct wf_writer *w, enum wfi_table table, const struct wf_cell *cells) {
    if (w->options.records_only && table != WFI_TABLE_record) return;
    if (!w->failed && !w->options.row(w->ctx, &wf_tables[table], cells))
        w->failed = w->refused = true;
}

static int open_rows(struct wf_writer *w) {
    return w->options.row && open_own(w, hand_on) ? WF_OK : WF_ERR_NOMEM;
}

const struct wfi_ops wfi_jsonl_ops = {.open = open_jsonl,
                                      .change = wfi_table_change,
                                      .item = wfi_table_item,
                                      .end = wfi_table_rest,
                                      .close = close_own};
const struct wfi_ops wfi_csv_ops = {.open = open_csv, .item = wfi_table_item, .close = close_own};
const struct wfi_ops wfi_tables_ops = {.open = open_tables,
                                       .change = wfi_table_change,
                                       .item = wfi_table_item,
                                       .end = end_tables,
                                       .close = close_own};
const struct wfi_ops wfi_rows_ops = {.open = open_rows,
                                     .change = wfi_table_change,
                                     .item = wfi_table_item,
                                     .end = wfi_table_rest,
                                     .close = close_own};
