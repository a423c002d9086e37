// SPDX-License-Identifier: MIT
// The work of a C library before main().
#ifndef MEMORY_H
#define MEMORY_H

// Initializes variables, by the addresses of sections.ld.
void memory_start(void);

#endif
