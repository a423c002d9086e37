// SPDX-License-Identifier: MIT
// A progress line.

#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static double since(const struct timespec *from, const struct timespec *now) {
    return (double)(now->tv_sec - from->tv_sec) + 1e-9 * (double)(now->tv_nsec - from->tv_nsec);
}

void progress_begin(struct progress *p, bool always, const char *file) {
    struct stat st;
    *p = (struct progress){.on = always || isatty(2)};
    if (file && stat(file, &st) == 0 && S_ISREG(st.st_mode)) p->total = (uint64_t)st.st_size;
    clock_gettime(CLOCK_MONOTONIC, &p->begun);
    p->last = p->begun;
}

void progress_update(struct progress *p, uint64_t bytes, uint64_t records) {
    struct timespec now;
    char share[32] = "";
    p->bytes = bytes;
    if (!p->on) return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (since(&p->last, &now) < 0.5) return;
    p->last = now;
    p->shown = true;
    // Bytes that a recording does not pass on (times, peers) make it end a little before 100.
    if (p->total && bytes <= p->total)
        snprintf(share, sizeof share, "%.0f %%, ", 100.0 * (double)bytes / (double)p->total);
    fprintf(stderr, "\rwallfly: %s%" PRIu64 " records, %.1f million/s\033[K", share, records,
            1e-6 * (double)records / since(&p->begun, &now));
    fflush(stderr);
}

void progress_end(struct progress *p) {
    if (p->shown) fputs("\r\033[K", stderr);
    p->shown = false;
}
