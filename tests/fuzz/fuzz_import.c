// SPDX-License-Identifier: MIT
// An importer (host/src/core/wfi_import.h) on any input, in pieces and as a file. One target for
// each format: WF_FUZZ_FORMAT is its name. Seeds are the captures. "DESC", a length of two bytes
// and a description file may come first.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_sinks.h"
#include "wallfly_host/wf_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const formats[] = {"jsonl", "text", "tables"};
enum { WRITERS = sizeof formats / sizeof *formats };

struct reading {
    struct wf_trace *trace;
    struct wf_writer *writers[WRITERS];
    uint64_t items, hash;
};

static bool open_reading(struct reading *r, const struct wf_trace_options *options) {
    const struct wf_writer_options how = {.size = sizeof how, .part = drop_part, .row = drop_row};
    struct wf_error error;
    *r = (struct reading){.trace = wf_trace_open(options, &error)};
    if (!r->trace) return false; // the format has no reader in this build
    struct wf_session *s = wf_lane_session(wf_trace_lane(r->trace, 0, &error));
    for (unsigned i = 0; i < WRITERS; ++i) {
        const struct wf_format *f = wf_format_find(formats[i]);
        r->writers[i] = f ? wf_writer_open(f, s, &how, drop, NULL, NULL) : NULL;
    }
    return true;
}

static void note(struct reading *r, uint64_t value) {
    r->hash = (r->hash ^ value) * 1099511628211u;
}

static void drain(struct reading *r) {
    struct wf_item item;
    while (wf_trace_next(r->trace, &item)) {
        ++r->items;
        note(r, item.kind);
        if (item.kind == WF_ITEM_RECORD) {
            note(r, item.record.tick);
            note(r, item.record.id);
            for (size_t i = 0; i < item.record.len; ++i) note(r, item.record.payload[i]);
            if (!item.record.row || item.record.left || item.record.missing) abort();
        }
        for (unsigned i = 0; i < WRITERS; ++i)
            if (r->writers[i]) wf_writer_item(r->writers[i], &item);
    }
}

static void close_reading(struct reading *r) {
    struct wf_error error;
    const struct wf_ledger *l =
        wf_session_ledger(wf_lane_session(wf_trace_lane(r->trace, 0, &error)));
    bool good = wf_trace_error(r->trace, &error) == WF_OK;
    if (good && l->bytes != l->bytes_good + l->bytes_idle + l->bytes_bad + l->bytes_repeated)
        abort();
    if (!good && !error.text[0]) abort();
    for (unsigned i = 0; i < WRITERS; ++i)
        if (r->writers[i]) (void)wf_writer_close(r->writers[i]);
    wf_trace_close(r->trace);
}

static void read_pieces(struct reading *r, const uint8_t *data, size_t size, size_t piece) {
    for (size_t at = 0; at < size; at += piece) {
        size_t n = size - at < piece ? size - at : piece;
        uint8_t *copy = malloc(n); // exact size for the sanitizer
        memcpy(copy, data + at, n);
        (void)wf_trace_feed(r->trace, 0, copy, n);
        drain(r);
        free(copy);
    }
    wf_trace_end(r->trace);
    drain(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wf_trace_options options = {.size = sizeof options};
    if (!wf_lane_find_format(WF_FUZZ_FORMAT, &options.format)) abort();
    char *describe = NULL;
    if (size > 6 && memcmp(data, "DESC", 4) == 0) {
        size_t len = data[4] | (size_t)data[5] << 8;
        if (len > size - 6) len = size - 6;
        describe = malloc(len ? len : 1);
        memcpy(describe, data + 6, len);
        options.describe = describe;
        options.describe_len = len;
        data += 6 + len;
        size -= 6 + len;
    }
    struct reading pieces, whole;
    struct wf_error error;
    if (size && open_reading(&pieces, &options) && open_reading(&whole, &options)) {
        struct wf_merge_span span = {data, size};
        const struct wf_merge_source source = {&span, wf_merge_span_at};
        read_pieces(&pieces, data, size, 1 + size % 61);
        (void)wf_trace_read(whole.trace, 0, &source, &error);
        drain(&whole);
        if (pieces.items != whole.items || pieces.hash != whole.hash) abort();
        close_reading(&pieces);
        close_reading(&whole);
    }
    free(describe);
    return 0;
}
