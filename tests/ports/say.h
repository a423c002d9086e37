// SPDX-License-Identifier: MIT
// Text over the UART of a board, for programs without a C library.
#ifndef SAY_H
#define SAY_H

#include "board.h"

static inline void say(const char *text) {
    for (; *text; ++text) {
        while (!board_put((uint8_t)*text)) continue;
    }
}

static inline void say_number(uint64_t n) {
    char digits[21];
    char *p = digits + sizeof digits - 1;
    *p = 0;
    do *--p = (char)('0' + n % 10);
    while (n /= 10);
    say(p);
}

static inline void say_figure(const char *name, uint64_t n) {
    say("     ");
    say(name);
    say(" ");
    say_number(n);
    say("\n");
}

static int say_failures;

static inline void say_check(const char *what, bool good) {
    say(good ? "PASS " : "FAIL ");
    say(what);
    say("\n");
    say_failures += !good;
}

#endif
