// SPDX-License-Identifier: MIT
#ifndef FLEET_CLOCK_H
#define FLEET_CLOCK_H

#include <stdint.h>
#include <time.h>

// ms of a clock that is never set.
static inline uint64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

#endif
