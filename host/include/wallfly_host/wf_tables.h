// SPDX-License-Identifier: MIT
// A trace as rows of tables: what JSON lines, CSV and the database hold is this one list of tables
// and columns (docs/tables.md is made from it). All of it is constant data.
#ifndef WF_TABLES_H
#define WF_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum wf_cell_type {
    WF_CELL_NULL, // not known, or does not apply
    WF_CELL_INT,
    WF_CELL_TEXT, // UTF-8 or not: bytes as the target sent them
    WF_CELL_JSON, // text that is a JSON value
};

struct wf_cell {
    enum wf_cell_type type;
    int64_t number;   // of INT
    const char *text; // of TEXT and JSON: not terminated; valid during the call
    size_t len;       // its bytes
};

struct wf_column {
    const char *name;
    enum wf_cell_type type; // what it holds if it is known
    const char *sentence;
};

enum { WF_COLUMNS_MAX = 16 };

struct wf_table {
    const char *name, *sentence;
    bool numbered; // the first column is the number of a row, which ascends; others refer to it
    const struct wf_column *columns;
    unsigned count;
};

extern const struct wf_table wf_tables[];
extern const unsigned wf_table_count;

// Takes a row: a cell for each column of the table. False: it could not be kept; there is no other
// row then, and wf_writer_close returns WF_ERR_WRITE.
typedef bool (*wf_row_fn)(void *ctx, const struct wf_table *table, const struct wf_cell *cells);

// Writes text as a JSON string with its quotes; `to` has room for 6 * len + 2 bytes. What is no
// UTF-8 becomes the lone surrogates U+DC80 to U+DCFF, a byte each, as Python's surrogateescape has
// it, so that it is visible and can be got back. What a terminal would obey (wf_utf8_shown) is
// escaped, too. Returns the string's length.
size_t wf_table_json_text(const char *text, size_t len, char *to);
// Writes text as a field of CSV; `to` has room for 4 * len + 3 bytes. It stands in quotes if it has
// a quote, a comma or an end of line in it, or is empty: what is not known has none. Unless raw,
// what a terminal would obey, and what is no UTF-8, becomes a visible escape (wf_utf8_show), and a
// text that a spreadsheet takes for a formula (it begins with = + - @, and is no number) gets an
// apostrophe in front. Returns the field's length.
size_t wf_table_csv_text(const char *text, size_t len, bool raw, char *to);

#ifdef __cplusplus
}
#endif
#endif
