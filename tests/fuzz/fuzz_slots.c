// SPDX-License-Identifier: MIT
// Slot traces with any contents, with or without attributes, in either byte order. The first byte
// chooses this and where the input is split. The ledger must account for every byte and slot.

#include <stdint.h>
#include <stdlib.h>

#include "wallfly_host/wf_slots.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Returns the number of slots in events; reads all memory of the items.
static uint64_t drain(struct wf_slots *s) {
    struct wf_slots_item item;
    uint64_t slots = 0;
    volatile uint32_t sum = 0;
    while (wf_slots_next(s, &item)) {
        if (item.kind == WF_SLOTS_DAMAGE && !item.damage.why[0]) abort();
        if (item.kind != WF_SLOTS_EVENT) continue;
        const struct wf_slot_event *e = &item.event;
        if (e->count == 0 || e->count > WF_SLOT_WORDS_MAX || e->len > 4 * e->count) abort();
        if (e->core >= WF_SLOT_CORES) abort();
        for (unsigned i = 0; i < e->count; ++i) sum = sum + e->words[i];
        for (unsigned i = 0; i < e->len; ++i) sum = sum + e->bytes[i];
        slots += e->count / 2;
    }
    return slots;
}

static void read_all(const struct wf_slots_options *options, const uint8_t *data, size_t size,
                     size_t first) {
    struct wf_slots *s = wf_slots_open(options, NULL);
    if (!s) abort();
    const char *key, *value;
    wf_slots_feed(s, data, first);
    uint64_t slots = drain(s);
    wf_slots_feed(s, data + first, size - first);
    slots += drain(s);
    wf_slots_end(s);
    slots += drain(s);
    for (size_t n = 0; wf_slots_attribute(s, n, &key, &value); ++n) {
        if (!wf_slots_find(s, key) || !value) abort();
    }
    const struct wf_slots_ledger *l = wf_slots_get_ledger(s);
    if (l->bytes != size || l->slots != slots + l->control + l->empty + l->damaged) abort();
    wf_slots_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    unsigned how = data[0];
    ++data;
    --size;
    size_t first = how / 4 % size;
    struct wf_slots_options options = {
        .size = sizeof options, .clock = how & 1 ? WF_SLOTS_CLOCK_GLOBAL : WF_SLOTS_CLOCK_GUESS};
    (void)wf_slots_is(data, size);
    read_all(&options, data, size, first);
    options.no_header = true;
    options.order = how & 2 ? WF_SLOTS_BIG : WF_SLOTS_LITTLE;
    read_all(&options, data, size, first);
    return 0;
}
