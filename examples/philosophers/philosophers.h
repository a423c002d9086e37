// SPDX-License-Identifier: MIT
// The dining philosophers: each thinks, gets hungry, asks the table, eats. The table gives forks to
// hungry philosophers whose neighbours do not eat, and can be paused.
#ifndef PHILOSOPHERS_H
#define PHILOSOPHERS_H

#include <stdbool.h>
#include <stdint.h>

enum { PHILOSOPHERS_MAX = 10 };

// Starts all objects. names: true: records all names first; false: only one function's, from which
// a host with the program's file finds all others. seed: of the random durations.
void philosophers_start(unsigned count, uint32_t seed, bool names);

// Starts receiving commands of the host: pass the bytes to wf_rx_put, then call wf_rx_parse. reset:
// called on RESET; may be null.
void philosophers_host_start(void (*reset)(void));

// Runs one clock tick (10 ms) and all its consequences.
void philosophers_tick(void);

#endif
