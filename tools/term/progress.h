// SPDX-License-Identifier: MIT
// A progress line on standard error for long operations, updated twice a second.
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
    bool on, shown;
    uint64_t total; // bytes there are; 0: unknown
    uint64_t bytes; // read so far
    struct timespec begun, last;
};

// always: also if standard error is not a terminal. file: the input, or null.
void progress_begin(struct progress *p, bool always, const char *file);
void progress_update(struct progress *p, uint64_t bytes, uint64_t records);
// Removes the line before other output.
void progress_end(struct progress *p);

#endif
