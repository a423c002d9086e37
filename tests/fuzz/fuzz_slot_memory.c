// SPDX-License-Identifier: MIT
// Images of the slot recorder's memory. The output goes through the reader of slots, in pieces, and
// its length is limited by the size of the rings.

#include <stdint.h>
#include <stdlib.h>

#include "wallfly_host/wf_slot_memory.h"
#include "wallfly_host/wf_slots.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(struct wf_slot_memory *m, struct wf_slots *s) {
    const struct wf_slot_memory_info *info = wf_slot_memory_get_info(m);
    uint64_t most = (uint64_t)info->cores * (2 * (uint64_t)info->slots + 3) * 16 + 512, all = 0;
    static uint8_t buf[WF_SLOT_MEMORY_LEAST];
    struct wf_slots_item item;
    size_t n;
    while ((n = wf_slot_memory_read(m, buf, sizeof buf)) > 0) {
        if ((all += n) > most) abort();
        wf_slots_feed(s, buf, n);
        while (wf_slots_next(s, &item)) {
        }
    }
    if (!wf_slot_memory_done(m)) abort();
    wf_slots_end(s);
    while (wf_slots_next(s, &item)) {
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wf_error error;
    struct wf_slot_memory *m = wf_slot_memory_open(data, size, NULL, &error);
    if (!m) {
        if (error.code != WF_ERR_BAD_BOX || !error.text[0]) abort();
        return 0;
    }
    struct wf_slots *s = wf_slots_open(NULL, NULL);
    if (!s) abort();
    read_all(m, s);
    wf_slots_close(s);
    wf_slot_memory_close(m);
    return 0;
}
