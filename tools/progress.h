// SPDX-License-Identifier: MIT
// A line on standard error that says how far a long work is, twice a second.
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
    bool on, shown;
    uint64_t total; // bytes there are; 0: unknown
    struct timespec begun, last;
};

// always: also if standard error is no terminal. file: what is read, or null.
void progress_begin(struct progress *p, bool always, const char *file);
void progress_tell(struct progress *p, uint64_t bytes, uint64_t records);
// Takes the line away, so that what is said next stands alone.
void progress_end(struct progress *p);

#endif
