// SPDX-License-Identifier: MIT
// Rows of numbers in an engine's answer (format TabSeparated), and lists of what they hold.
#ifndef WFB_ANSWER_H
#define WFB_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Takes numbers, each with the tab or line feed behind it. Returns false at anything else.
static inline bool wfb_take_numbers(const char **at, uint64_t *const numbers[], size_t count) {
    char *end;
    for (size_t i = 0; i < count; ++i) {
        if (**at < '0' || **at > '9') return false;
        *numbers[i] = strtoull(*at, &end, 10);
        *at = end + (*end == '\t' || *end == '\n');
    }
    return true;
}

// Makes room for one more element. list: a pointer to the list; size: of an element. Returns false
// when out of memory: then nothing is changed.
static inline bool wfb_grow(void *list, size_t *cap, size_t count, size_t size) {
    if (count < *cap) return true;
    const size_t more = 2 * *cap + 16;
    void *elements;
    memcpy(&elements, list, sizeof elements); // a pointer of another type
    elements = realloc(elements, more * size);
    if (!elements) return false;
    memcpy(list, &elements, sizeof elements);
    *cap = more;
    return true;
}

#endif
