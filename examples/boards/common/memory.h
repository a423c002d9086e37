// SPDX-License-Identifier: MIT
// What a C library would do before main().
#ifndef MEMORY_H
#define MEMORY_H

// Gives variables their first values, by the addresses of sections.ld.
void memory_start(void);

#endif
