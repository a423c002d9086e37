// SPDX-License-Identifier: MIT
// Shared by the tests with a simulated kernel: a check, and the core and time that the test's port
// returns.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"

#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

uint8_t test_core;
uint32_t test_clock;

#endif
