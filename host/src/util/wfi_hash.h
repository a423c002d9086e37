// SPDX-License-Identifier: MIT
// The hash of all tables whose keys come from a target. The seed is the address of the table's
// memory, which a target cannot know, so it cannot choose colliding keys.
#ifndef WFI_HASH_H
#define WFI_HASH_H

#include <stdint.h>

static inline uint64_t wfi_hash(uint64_t key, uint64_t with, const void *seed) {
    uint64_t h = (key ^ (uint64_t)(uintptr_t)seed) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29 ^ with) * UINT64_C(0xD6E8FEB86659FD93);
    return h ^ h >> 32;
}

// Hash of bytes.
static inline uint64_t wfi_hash_text(const char *text, uint64_t len, const void *seed) {
    uint64_t h = len;
    for (uint64_t i = 0; i < len; ++i) h = wfi_hash(h, (unsigned char)text[i], seed);
    return h;
}

#endif
