// SPDX-License-Identifier: MIT
// Shared by the host's benchmarks: the clock, and a block of frames of two tasks.
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

// CPU time in seconds, including system time: other processes may run at the same time.
static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// Two tasks switch, take and give a mutex and wait, and one is interrupted: 2^21 records. At their
// end the 32-bit clock has its first value again, so that the block can be repeated. The caller
// frees it.
enum { TASKS_RECORDS = 1 << 21 };
uint8_t *make_tasks(size_t *size);

#endif
