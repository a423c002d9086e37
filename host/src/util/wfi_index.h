// SPDX-License-Identifier: MIT
// Finds entries of a list by a hash, for lists whose entries are compared by more than a number.
// Entries are never removed. An entry may be added under several hashes.
#ifndef WFI_INDEX_H
#define WFI_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "wfi_hash.h"

struct wfi_index { // zeros: empty; its address is the seed of its hashes
    struct wfi_index_slot {
        uint32_t hash, entry; // entry 0: free
    } * slots;
    size_t mask, used;
};

static inline void wfi_index_close(struct wfi_index *x) {
    free(x->slots);
    *x = (struct wfi_index){NULL, 0, 0};
}

// Returns the next candidate entry, 0 if there is none. *step starts as 0.
static inline uint32_t wfi_index_next(const struct wfi_index *x, uint64_t hash, size_t *step) {
    if (!x->slots) return 0;
    for (;;) {
        const struct wfi_index_slot *slot = &x->slots[((uint32_t)hash + (*step)++) & x->mask];
        if (!slot->entry || slot->hash == (uint32_t)hash) return slot->entry;
    }
}

// Returns false when out of memory. entry must not be 0.
static inline bool wfi_index_add(struct wfi_index *x, uint64_t hash, uint32_t entry) {
    if (!x->slots || 2 * x->used > x->mask) {
        size_t count = x->slots ? x->mask + 1 : 0, cap = count ? 2 * count : 64;
        struct wfi_index more = {calloc(cap, sizeof *more.slots), cap - 1, 0};
        if (!more.slots) return false;
        for (size_t i = 0; i < count; ++i) {
            if (x->slots[i].entry) wfi_index_add(&more, x->slots[i].hash, x->slots[i].entry);
        }
        free(x->slots);
        *x = more;
    }
    size_t at = (uint32_t)hash & x->mask;
    while (x->slots[at].entry) at = (at + 1) & x->mask;
    x->slots[at] = (struct wfi_index_slot){(uint32_t)hash, entry};
    ++x->used;
    return true;
}

#endif
