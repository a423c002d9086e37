// SPDX-License-Identifier: MIT
// Measures an uncontended pair of lock and unlock. Prints nanoseconds, the least of many rounds.
// Usage: pairs

#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 400, PAIRS = 1000, PAUSE_US = 500 };

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// glibc locks without atomics while there is only one thread.
static void *be_there(void *arg) {
    pause();
    return arg;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, be_there, NULL) != 0) return 1;
    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    uint64_t least = UINT64_MAX;
    for (unsigned round = 0; round < ROUNDS; ++round) {
        const uint64_t from = now();
        for (unsigned i = 0; i < PAIRS; ++i) {
            pthread_mutex_lock(&m);
            pthread_mutex_unlock(&m);
        }
        const uint64_t took = now() - from;
        if (took < least) least = took;
        nanosleep(&(struct timespec){0, PAUSE_US * 1000}, NULL); // for the reader
    }
    printf("%.1f\n", (double)least / PAIRS);
    return 0;
}
