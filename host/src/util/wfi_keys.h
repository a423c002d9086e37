// SPDX-License-Identifier: MIT
// Numbers for pairs of values, from 1 in the order of their first use.
#ifndef WFI_KEYS_H
#define WFI_KEYS_H

#include "wfi_index.h"

struct wfi_keys { // zeros: empty
    struct wfi_key {
        uint64_t key, with;
    } * list; // number n is list[n - 1]
    size_t count, cap;
    struct wfi_index index;
};

// Returns 0 when out of memory.
uint32_t wfi_keys_number(struct wfi_keys *k, uint64_t key, uint64_t with);
void wfi_keys_close(struct wfi_keys *k);

#endif
