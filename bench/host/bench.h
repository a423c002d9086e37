// SPDX-License-Identifier: MIT
// What the host's benchmarks share: the clock, and a block of frames of two tasks.
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

// Seconds of the processor's time, the system's included: others may run beside it.
static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// Tasks switch, take and give a mutex and wait, one is interrupted: 2^21 records, at whose end the
// clock of 32 bits is where it began, so that they can be taken again and again. The caller frees.
enum { TASKS_RECORDS = 1 << 21 };
uint8_t *make_tasks(size_t *size);

#endif
