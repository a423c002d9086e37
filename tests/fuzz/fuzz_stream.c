// SPDX-License-Identifier: MIT
// Bytes of a link: decoded in both dialects and written in every format, in two pieces. The first
// byte chooses where the pieces part. Every byte must be in the ledger.

#include <stdint.h>
#include <stdlib.h>

#include "wallfly_host/wf_writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool drop(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    return bytes && len;
}

static bool drop_part(void *ctx, unsigned part, const char *name, const char *bytes, size_t len) {
    (void)part;
    return name && *name && drop(ctx, bytes, len);
}

// Looks at all of it, so that a sanitizer sees what is not there.
static bool drop_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells) {
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    size_t first = data[0] % size;
    for (unsigned f = 0; f < wf_format_count; ++f) {
        struct wf_options options = {.dialect = wf_formats[f].dialect,
                                     .info8 = wf_formats[f].info8};
        struct wf_writer_options wo = {
            .objects = "?,a,b", .part = drop_part, .row = drop_row, .source = "fuzz"};
        struct wf_item item;
        int err;
        struct wf_session *s = wf_open(&options, &err);
        struct wf_writer *w = wf_writer_open(&wf_formats[f], s, &wo, drop, NULL, &err);
        if (!s || !w) abort();
        wf_feed(s, data, first);
        while (wf_next(s, &item)) wf_writer_item(w, &item);
        wf_feed(s, data + first, size - first);
        while (wf_next(s, &item)) wf_writer_item(w, &item);
        wf_end(s);
        while (wf_next(s, &item)) wf_writer_item(w, &item);
        const struct wf_ledger *l = wf_get_ledger(s);
        if (l->bytes != l->bytes_good + l->bytes_bad + l->bytes_idle + l->bytes_repeated) abort();
        wf_writer_close(w);
        wf_close(s);
    }
    return 0;
}
