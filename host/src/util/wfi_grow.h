// SPDX-License-Identifier: MIT
// Arrays that grow.
#ifndef WFI_GROW_H
#define WFI_GROW_H

#include <stdbool.h>
#include <stddef.h>

// Grows an array to `count` elements of size bytes each; new ones are zero. `array` points to the
// pointer to the first element, which may move. Returns false when out of memory: nothing has
// changed.
bool wfi_grow_more(void *array, size_t *cap, size_t size, size_t count);
static inline bool wfi_grow(void *array, size_t *cap, size_t size, size_t count) {
    return count <= *cap || wfi_grow_more(array, cap, size, count);
}
#define WFI_GROW(array, cap, count) wfi_grow(&(array), (cap), sizeof *(array), (count))

#endif
