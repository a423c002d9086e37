// SPDX-License-Identifier: MIT
// Slot traces through the merge, both ways: every event the reader has comes out of both, and out
// of the one that reads twice in the order of time. The first byte says how the stream is cut.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_merge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct span {
    const uint8_t *bytes;
    size_t len;
};

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    const struct span *s = ctx;
    if (offset >= s->len) return 0;
    if (len > s->len - offset) len = s->len - (size_t)offset;
    memcpy(buf, s->bytes + offset, len);
    return (int64_t)len;
}

static uint64_t drain(struct wf_merge *m, bool in_order) {
    struct wf_slots_item item;
    uint64_t events = 0, last = 0;
    while (wf_merge_next(m, &item)) {
        if (item.kind != WF_SLOTS_EVENT) continue;
        if (in_order && item.event.tick < last) abort();
        last = item.event.tick;
        ++events;
    }
    if (wf_merge_error(m) != WF_OK) abort();
    return events;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    struct wf_merge_options options = {.memory = 0}, small = {.memory = 1 << 13, .delay = 1 << 20};
    struct span span = {data + 1, size - 1};
    struct wf_merge_source source = {&span, read_at};
    size_t first = span.len * data[0] / 256;
    int err;
    struct wf_merge *m = wf_merge_open(&options, &err);
    if (!m || wf_merge_read(m, &source) != WF_OK) abort();
    uint64_t events = drain(m, true), want = wf_slots_get_ledger(wf_merge_slots(m))->events;
    if (events != want || wf_merge_late(m)) abort();
    wf_merge_close(m);
    m = wf_merge_open(&small, &err);
    if (!m) abort();
    wf_merge_feed(m, span.bytes, first);
    events = drain(m, false);
    wf_merge_feed(m, span.bytes + first, span.len - first);
    events += drain(m, false);
    wf_merge_end(m);
    events += drain(m, false);
    if (events != wf_slots_get_ledger(wf_merge_slots(m))->events) abort();
    wf_merge_close(m);
    return 0;
}
