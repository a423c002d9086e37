// SPDX-License-Identifier: MIT
// Failed allocations: reported when they occur, and remembered for the exit code.
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stdio.h>

// Reports out of memory on standard error, once. Allocates nothing. Safe to call from any thread.
void memory_is_out(void);
// Returns whether any allocation has failed; then no command may report success.
bool memory_was_out(void);
// As open_memstream(), but a write without memory sets ferror(); glibc's stream only loses the
// bytes. Returns null when out of memory. The caller frees *text.
FILE *memory_stream(char **text, size_t *len);
// Closes the stream. Returns false when not all bytes were stored.
bool memory_close(FILE *stream);

#endif
