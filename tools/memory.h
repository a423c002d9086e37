// SPDX-License-Identifier: MIT
// Allocations that fail (memory.c): reported when they do, and remembered for the exit code.
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stdio.h>

// Before any command runs.
void memory_open(void);

// (memory_out.c) Reports it, once. Allocates nothing. Any thread.
void memory_is_out(void);
// Has any allocation failed? Then no command is right that seems to be.
bool memory_was_out(void);
// As open_memstream(), but a write that finds no memory makes ferror() true; glibc's only loses the
// bytes. Null: out of memory. The caller frees *text.
FILE *memory_stream(char **text, size_t *len);
// Closes it. False: it has not all that was written.
bool memory_close(FILE *stream);

#endif
