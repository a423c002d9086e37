// SPDX-License-Identifier: MIT
// Transmission text with any contents through a session to its writers. The first byte chooses the
// writer; its upper bits choose where the input is split.

#include <stdint.h>
#include <stdlib.h>

#include "wallfly_host/wf_text_trace.h"
#include "fuzz_sinks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void drain(struct wf_session *s, struct wf_writer *w) {
    struct wf_item item;
    while (wf_session_next(s, &item)) {
        if (item.kind == WF_ITEM_RECORD && (item.record.left || item.record.missing)) {
            // QSPY's dialect does not have all rows; our own rows must be right.
            if (item.record.row && !item.record.row->own) abort();
        }
        wf_writer_item(w, &item);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    unsigned how = data[0];
    ++data;
    --size;
    size_t first = how / 8 % size;
    const struct wf_format *format = &wf_formats[how % wf_format_count];
    const struct wf_session_options options = {
        .size = sizeof options, .dialect = format->dialect, .info8 = format->info8};
    const struct wf_writer_options writer = {
        .size = sizeof writer, .objects = "lcd,?", .part = drop_part, .row = drop_row};
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_writer *w = wf_writer_open(format, s, &writer, drop, NULL, NULL);
    (void)wf_text_trace_is(data, size);
    if (wf_session_take_text(s) != WF_OK) abort();
    wf_session_feed(s, data, first);
    drain(s, w);
    if (how & 128) wf_session_relink(s);
    wf_session_feed(s, data + first, size - first);
    drain(s, w);
    wf_session_end(s);
    drain(s, w);
    const struct wf_ledger *l = wf_session_ledger(s);
    if (l->bytes != size || l->bytes != l->bytes_good + l->bytes_idle + l->bytes_bad) abort();
    int err = wf_writer_close(w);
    if (err != WF_OK && err != WF_ERR_CUT) abort();
    wf_session_close(s);
    return 0;
}
