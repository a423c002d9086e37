// SPDX-License-Identifier: MIT
// The list of tables and columns as data, from the one in wfi_tables.h.

#include "wfi_tables.h"

#define COLUMN(table, name, type, sentence) {#name, WF_CELL_##type, sentence},
#define X(name, numbered, sentence)                                                                \
    static const struct wf_column name##_columns[] = {WFI_COLUMNS_##name(COLUMN, name)};           \
    _Static_assert(sizeof name##_columns / sizeof(struct wf_column) <= WF_COLUMNS_MAX,             \
                   "WF_COLUMNS_MAX");
WFI_TABLES(X)
#undef X
#undef COLUMN

const struct wf_table wf_tables[] = {
#define X(name, numbered, sentence) {#name, sentence, numbered, name##_columns, WFI_##name##_count},
    WFI_TABLES(X)
#undef X
};
const unsigned wf_table_count = WFI_TABLE_END;
