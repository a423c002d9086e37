// SPDX-License-Identifier: MIT
// Rows of the table record for the page: JSON objects as in `convert --to jsonl`, made by the same
// writer, with `t`, the ticks since the first one of the trace.
#ifndef ROWS_H
#define ROWS_H

#include <stdio.h>

#include "wallfly_host/wf_writer.h"

// Reads the item's tick. Returns false when it has none.
bool row_tick(const struct wf_item *item, uint64_t *tick);
// Offset and length of its bytes in the stream. len 0: none.
struct row_bytes {
    uint64_t offset, len;
};
struct row_bytes row_bytes(const struct wf_item *item);

struct rows {
    uint64_t t0;
    FILE *out;        // null: do not print the row
    const char *text; // null, or print only rows that contain it in their name or text
    bool found;       // the current row contains it
    // Private.
    struct wf_writer *writer;
    int64_t t; // of the previous row, for rows without a time
    char *quoted;
    size_t quoted_cap;
    bool failed;
};

// Takes an item; all calls must pass the same session. number: that of its row.
//   returns  false when out of memory
bool rows_take(struct rows *r, struct wf_session *s, const struct wf_item *item, uint64_t number);
void rows_close(struct rows *r); // call before the session is closed

#endif
