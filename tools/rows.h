// SPDX-License-Identifier: MIT
// Rows of the table record as the page wants them: JSON objects as `convert --to jsonl` has them,
// made by the same writer, with `t`, ticks since the trace's first.
#ifndef ROWS_H
#define ROWS_H

#include <stdio.h>

#include "wallfly_host/wf_writer.h"

// The item's tick; false: it has none.
bool row_tick(const struct wf_item *item, uint64_t *tick);
// Where its bytes are in the stream. len 0: it has none.
struct row_bytes {
    uint64_t offset, len;
};
struct row_bytes row_bytes(const struct wf_item *item);

struct rows {
    uint64_t t0;
    FILE *out;        // null: the present row is left out
    const char *text; // null, or only rows with it in their name or words
    bool found;       // the present one has it
    // The rest is its own.
    struct wf_writer *writer;
    int64_t t; // of the row before, for those without a time
    char *quoted;
    size_t quoted_cap;
    bool failed;
};

// Takes an item of a session, the same in all calls. number: of its row.
//   returns  false when out of memory
bool rows_take(struct rows *r, struct wf_session *s, const struct wf_item *item, uint64_t number);
void rows_close(struct rows *r); // before the session is

#endif
