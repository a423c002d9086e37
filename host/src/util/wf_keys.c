// SPDX-License-Identifier: MIT
// See wfi_keys.h.

#include "wfi_keys.h"

#include "wfi_grow.h"

uint32_t wfi_keys_number(struct wfi_keys *k, uint64_t key, uint64_t with) {
    uint64_t hash = wfi_hash(key, with, &k->index);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&k->index, hash, &step)) != 0;) {
        if (k->list[n - 1].key == key && k->list[n - 1].with == with) return n;
    }
    uint32_t number = (uint32_t)k->count + 1;
    if (!WFI_GROW(k->list, &k->cap, number)) return 0;
    if (!wfi_index_add(&k->index, hash, number)) return 0;
    k->list[k->count++] = (struct wfi_key){key, with};
    return number;
}

void wfi_keys_close(struct wfi_keys *k) {
    free(k->list);
    wfi_index_close(&k->index);
}
