// SPDX-License-Identifier: MIT
// The dining philosophers: each thinks, gets hungry, asks the table, eats. The table gives forks to
// those whose neighbours do not eat, and can be paused.
#ifndef PHILOSOPHERS_H
#define PHILOSOPHERS_H

#include <stdbool.h>
#include <stdint.h>

enum { PHILOSOPHERS_MAX = 10 };

// Starts all objects. names: tells the names of everything first; else only one function's, by
// which a host that has the program's file finds all. seed: of the times they take.
void philosophers_start(unsigned count, uint32_t seed, bool names);

// Takes commands of the host from now on: wf_rx_put gives the bytes, wf_rx_parse obeys. reset: what
// to do on RESET; may be null.
void philosophers_host_start(void (*reset)(void));

// One clock tick (10 ms) and all that follows from it.
void philosophers_tick(void);

#endif
