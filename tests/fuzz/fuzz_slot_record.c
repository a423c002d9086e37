// SPDX-License-Identifier: MIT
// Slot traces with any contents through a session to its writers: records, events, losses. The
// first byte chooses the writer; its upper bits choose where the input is split.

#include <stdint.h>
#include <stdlib.h>

#include "fuzz_sinks.h"
#include "wallfly_host/wf_slot_record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void drain(struct wf_slots *slots, struct wf_session *s, struct wf_writer *w) {
    struct wf_slots_item from;
    struct wf_item item;
    while (wf_slots_next(slots, &from)) {
        if (!wf_session_take_slot(s, slots, &from, &item)) continue;
        if (item.kind == WF_ITEM_RECORD && item.record.len > 4 * WF_SLOT_WORDS_MAX + 8) abort();
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
    const struct wf_slots_options none = {.size = sizeof none, .with_control = true};
    const struct wf_session_options options = {
        .size = sizeof options, .dialect = format->dialect, .info8 = format->info8};
    const struct wf_writer_options writer = {
        .size = sizeof writer, .objects = "table,?", .part = drop_part, .row = drop_row};
    struct wf_slots *slots = wf_slots_open(&none, NULL);
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_writer *w = wf_writer_open(format, s, &writer, drop, NULL, NULL);
    wf_slots_feed(slots, data, first);
    drain(slots, s, w);
    wf_slots_feed(slots, data + first, size - first);
    drain(slots, s, w);
    wf_slots_end(slots);
    drain(slots, s, w);
    const struct wf_ledger *l = wf_session_ledger(s);
    if (l->bytes != l->bytes_good + l->bytes_bad) abort();
    int err = wf_writer_close(w);
    if (err != WF_OK && err != WF_ERR_CUT) abort();
    wf_session_close(s);
    wf_slots_close(slots);
    return 0;
}
