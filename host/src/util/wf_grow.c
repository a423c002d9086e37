// SPDX-License-Identifier: MIT
// The capacity doubles, so that n additions copy fewer than 2n elements.

#include "wfi_grow.h"

#include <stdlib.h>
#include <string.h>

bool wfi_grow(void **array, size_t *cap, size_t size, size_t count) {
    size_t more = *cap ? 2 * *cap : 16;
    if (count <= *cap) return true;
    while (more < count) more *= 2;
    char *grown = realloc(*array, more * size);
    if (!grown) return false;
    memset(grown + *cap * size, 0, (more - *cap) * size);
    *array = grown;
    *cap = more;
    return true;
}
