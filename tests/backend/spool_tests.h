// SPDX-License-Identifier: MIT
// What tests of the agent's spool share: a temporary folder (setup and teardown for cmocka),
// numbers that follow from a seed, the content of streams.
#ifndef SPOOL_TESTS_H
#define SPOOL_TESTS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[64];

static inline int make_folder(void **state) {
    (void)state;
    strcpy(folder, "spool-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static uint32_t seed;

static inline uint32_t chance(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % below;
}

// Byte n of a stream follows from n.
static inline uint8_t byte_of(unsigned device, uint64_t n) {
    return (uint8_t)(n * 7 + device + (n >> 9));
}

#endif
