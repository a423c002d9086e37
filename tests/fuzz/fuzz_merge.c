// SPDX-License-Identifier: MIT
// Slot traces through the merge, in both modes: every event of the reader and all damage comes out
// of both, and in the order of time in the mode that reads twice. The first byte chooses where the
// stream is split.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_merge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Returns the number of events; adds damage to *damage.
static uint64_t drain(struct wf_merge *m, bool in_order, uint64_t *damage) {
    struct wf_slots_item item;
    uint64_t events = 0, last = 0;
    while (wf_merge_next(m, &item)) {
        *damage += item.kind == WF_SLOTS_DAMAGE;
        if (item.kind != WF_SLOTS_EVENT) continue;
        if (in_order && item.event.tick < last) abort();
        last = item.event.tick;
        ++events;
    }
    if (wf_merge_error(m) != WF_OK) abort();
    return events;
}

static void check(const struct wf_merge *m, uint64_t events, uint64_t damage) {
    const struct wf_slots_ledger *ledger = wf_slots_get_ledger(wf_merge_slots(m));
    for (unsigned i = 0; i < WF_SLOTS_DAMAGE_END; ++i) damage -= ledger->damage[i];
    if (events != ledger->events || damage) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    struct wf_merge_options options = {.size = sizeof options},
                            small = {.size = sizeof small, .memory = 1 << 13, .delay = 1 << 20};
    struct wf_merge_span span = {data + 1, size - 1};
    struct wf_merge_source source = {&span, wf_merge_span_at};
    size_t first = span.len * data[0] / 256;
    struct wf_merge *m = wf_merge_open(&options, NULL);
    if (!m || wf_merge_read(m, &source) != WF_OK) abort();
    uint64_t damage = 0, events = drain(m, true, &damage);
    check(m, events, damage);
    if (wf_merge_late(m)) abort();
    wf_merge_close(m);
    m = wf_merge_open(&small, NULL);
    if (!m) abort();
    wf_merge_feed(m, span.bytes, first);
    damage = 0;
    events = drain(m, false, &damage);
    wf_merge_feed(m, span.bytes + first, span.len - first);
    events += drain(m, false, &damage);
    wf_merge_end(m);
    events += drain(m, false, &damage);
    check(m, events, damage);
    wf_merge_close(m);
    return 0;
}
