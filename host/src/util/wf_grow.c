// SPDX-License-Identifier: MIT
// The capacity doubles, so that n additions copy fewer than 2n elements.

#include "wfi_grow.h"

#include <stdlib.h>
#include <string.h>

bool wfi_grow_more(void *array, size_t *cap, size_t size, size_t count) {
    size_t more = *cap ? 2 * *cap : 16;
    char *elements;
    while (more < count) more *= 2;
    memcpy(&elements, array, sizeof elements); // a pointer of another type
    elements = realloc(elements, more * size);
    if (!elements) return false;
    memset(elements + *cap * size, 0, (more - *cap) * size);
    memcpy(array, &elements, sizeof elements);
    *cap = more;
    return true;
}
