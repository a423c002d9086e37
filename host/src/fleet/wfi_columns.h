// SPDX-License-Identifier: MIT
// Rows of a table, kept by columns, and their block in ClickHouse's format Native
// (clickhouse.com/docs/interfaces/formats#native): numbers of columns and rows, then for each
// column its name, its type and its values; of an array first where each one ends, then all
// elements. A column of type LowCardinality has a dictionary of its texts, and the number of each
// row's text in it; the first text of a dictionary is the empty one.
#ifndef WFI_COLUMNS_H
#define WFI_COLUMNS_H

#include "util/wfi_index.h"
#include "wallfly_host/wf_fleet.h"

struct wfi_words {
    struct wfi_index index;
    struct wfi_word {
        size_t at, len; // in the bytes of the column
    } * list;
    size_t count, cap;
    uint32_t *numbers; // of each row
    size_t numbers_cap;
};

struct wfi_column {
    uint8_t *bytes; // values as in the block; of arrays the elements, of words the dictionary
    size_t len, cap;
    uint8_t *ends; // of arrays: 8 bytes a row
    size_t ends_len, ends_cap;
    uint64_t elements; // of arrays, in all rows
    struct wfi_words words;
};

// The values of a row are put in the order of the columns, then the row is ended.
struct wfi_columns {
    const struct wf_fleet_table *table;
    struct wfi_column columns[WF_FLEET_COLUMNS_MAX];
    unsigned at; // column of the next value
    uint64_t rows;
    bool failed; // out of memory: rows are not complete
};

void wfi_columns_close(struct wfi_columns *c);
void wfi_columns_clear(struct wfi_columns *c);
void wfi_columns_number(struct wfi_columns *c, uint64_t value); // of any type that is a number
void wfi_columns_text(struct wfi_columns *c, const void *text, size_t len);
void wfi_columns_array(struct wfi_columns *c, const uint64_t *values, size_t count);
void wfi_columns_end_row(struct wfi_columns *c);

struct wfi_block {
    uint8_t *bytes;
    size_t len, cap;
};
// Returns false when out of memory.
bool wfi_columns_block(const struct wfi_columns *c, struct wfi_block *to);

#endif
