// SPDX-License-Identifier: MIT
// A board for the host port: a thread simulates the interrupt, standard output the UART.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "board.h"

static pthread_t thread;
static bool running, stop; // running: of the main thread; stop: passed atomically
static long period_ns;

// Ticks have fixed times: a late tick on a busy machine does not delay later ones.
static void *tick(void *arg) {
    struct timespec at;
    (void)arg;
    clock_gettime(CLOCK_MONOTONIC, &at);
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
        at.tv_nsec += period_ns;
        at.tv_sec += at.tv_nsec / 1000000000;
        at.tv_nsec %= 1000000000;
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) continue;
        board_tick();
    }
    return NULL;
}

void board_start(void) {}

bool board_put(uint8_t byte) { return putchar(byte) >= 0; }

bool board_get(uint8_t *byte) {
    (void)byte;
    return false;
}

void board_end(int code) { exit(code); }

void board_tick_start(uint32_t hz) {
    if (running) {
        __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
        pthread_join(thread, NULL);
        running = stop = false;
    }
    if (!hz) return;
    period_ns = 1000000000L / (long)hz;
    running = pthread_create(&thread, NULL, tick, NULL) == 0;
}
