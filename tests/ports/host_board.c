// SPDX-License-Identifier: MIT
// A board for the host port: a thread plays the interrupt, standard output the UART.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "board.h"

static pthread_t thread;
static bool running, stop; // running: the main thread's; stop: handed over atomically
static long period_ns;

static void *tick(void *arg) {
    (void)arg;
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
        nanosleep(&(struct timespec){0, period_ns}, NULL);
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
