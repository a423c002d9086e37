// SPDX-License-Identifier: MIT
// Shared by the host's benchmarks: the clock, and a block of frames of two tasks.
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// CPU time in seconds, including system time: other processes may run at the same time.
static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// Reads a whole file; the caller frees it. Ends the program if it cannot be read.
static inline uint8_t *read_frames(const char *name, size_t *size) {
    FILE *f = fopen(name, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) exit(3);
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *data = malloc(*size);
    if (!data || fread(data, 1, *size, f) != *size) exit(3);
    fclose(f);
    return data;
}

enum { COPY_BLOCK = 65536, COPY_RUNS = 5 };

// Copies into one buffer, in blocks like the decoder's: the minimum cost of reading the bytes. The
// best of COPY_RUNS, in seconds.
static inline double copy_best(const uint8_t *data, size_t size) {
    uint8_t *to = malloc(COPY_BLOCK);
    double least = 1e9;
    for (int i = 0; to && i < COPY_RUNS; ++i) {
        double start = now();
        for (size_t at = 0; at < size; at += COPY_BLOCK) {
            memcpy(to, data + at, size - at < COPY_BLOCK ? size - at : COPY_BLOCK);
            __asm__ volatile("" : : "r"(to) : "memory");
        }
        if (now() - start < least) least = now() - start;
    }
    free(to);
    return least;
}

// Two tasks switch, take and give a mutex and wait, and one is interrupted: 2^21 records. At their
// end the 32-bit clock has its first value again, so that the block can be repeated. The caller
// frees it.
enum { TASKS_RECORDS = 1 << 21 };
uint8_t *make_tasks(size_t *size);

#endif
