// SPDX-License-Identifier: MIT
// A trace as rows of tables. JSON lines, CSV and the database have these tables and columns;
// docs/table-list.md is made from them. All data here is constant.
#ifndef WF_TABLES_H
#define WF_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum wf_cell_type {
    WF_CELL_NULL, // unknown, or does not apply
    WF_CELL_INT,
    WF_CELL_TEXT, // bytes as the target sent them, UTF-8 or not
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
    enum wf_cell_type type; // of a known value
    const char *sentence;
};

enum { WF_COLUMNS_MAX = 16 };

struct wf_table {
    const char *name, *sentence;
    bool numbered; // the first column is the number of the row, ascending; other tables refer to it
    const struct wf_column *columns;
    unsigned count;
};

extern const struct wf_table wf_tables[];
extern const unsigned wf_table_count;

// Receives a row, with a cell for each column of the table. Returns false if the row could not be
// stored; then no more rows follow, and wf_writer_close returns WF_ERR_WRITE.
typedef bool (*wf_row_fn)(void *ctx, const struct wf_table *table, const struct wf_cell *cells);

// Writes text as a JSON string with its quotes; `to` has room for 6 * len + 2 bytes. A byte that is
// not UTF-8 becomes a lone surrogate U+DC80 to U+DCFF, as by Python's surrogateescape. Terminal
// controls (wf_utf8_shown) are escaped. Returns the length of the string.
size_t wf_table_json_text(const char *text, size_t len, char *to);
// Writes text as a field of CSV; `to` has room for 4 * len + 3 bytes. The field is quoted if it
// contains a quote, a comma or an end of line, or if it is empty (an unknown value is not quoted).
// Unless raw, terminal controls and bytes that are not UTF-8 become visible escapes (wf_utf8_show),
// and a text that a spreadsheet reads as a formula (it begins with = + - @ and is no number) gets
// an apostrophe in front. Returns the length of the field.
size_t wf_table_csv_text(const char *text, size_t len, bool raw, char *to);

#ifdef __cplusplus
}
#endif
#endif
