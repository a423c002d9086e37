// SPDX-License-Identifier: MIT
// There is no C library, but a compiler may call two of its functions for large initializers and
// assignments. volatile keeps it from replacing their own loops by calls of them.

#include "memory.h"

#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t len);
void *memset(void *to, int byte, size_t len);

extern uint8_t data_start[], data_end[], bss_start[], bss_end[];
extern const uint8_t data_load[];

void *memcpy(void *to, const void *from, size_t len) {
    volatile uint8_t *p = to;
    const uint8_t *q = from;
    while (len--) *p++ = *q++;
    return to;
}

void *memset(void *to, int byte, size_t len) {
    volatile uint8_t *p = to;
    while (len--) *p++ = (uint8_t)byte;
    return to;
}

void memory_start(void) {
    memcpy(data_start, data_load, (size_t)(data_end - data_start));
    memset(bss_start, 0, (size_t)(bss_end - bss_start));
}
