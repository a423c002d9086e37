// SPDX-License-Identifier: MIT
// Sinks for the writers of fuzz targets: they drop the output, but read all of it.
#ifndef FUZZ_SINKS_H
#define FUZZ_SINKS_H

#include <stdlib.h>

#include "wallfly_host/wf_writer.h"

static inline bool drop(void *ctx, const char *bytes, size_t len) {
    volatile char last = len ? bytes[len - 1] : 0;
    (void)ctx;
    (void)last;
    return bytes && len;
}

static inline bool drop_part(void *ctx, unsigned part, const char *name, const char *bytes,
                             size_t len) {
    (void)part;
    return name && *name && drop(ctx, bytes, len);
}

// Reads all of it, so that a sanitizer detects invalid memory.
static inline bool drop_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells) {
    unsigned sum = 0;
    (void)ctx;
    for (unsigned i = 0; i < table->count; ++i) {
        bool known = cells[i].type != WF_CELL_NULL;
        if (known && cells[i].type != table->columns[i].type) abort();
        if (!known || cells[i].type == WF_CELL_INT) continue;
        for (size_t c = 0; c < cells[i].len; ++c) sum += (unsigned char)cells[i].text[c];
    }
    return sum != UINT32_MAX;
}

#endif
