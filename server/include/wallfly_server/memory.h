// SPDX-License-Identifier: MIT
// Failed allocations, which are remembered for the exit code; and streams to memory.
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stdio.h>

// Sets a function that is called at the first failure, from any thread. It must not allocate.
void memory_on_failure(void (*report)(void));
// Notes a failed allocation. Safe to call from any thread.
void memory_is_out(void);
// Returns whether any allocation has failed; then no command may report success.
bool memory_was_out(void);
// As open_memstream(), but a write without memory sets ferror(); glibc's stream only loses the
// bytes. Returns null when out of memory. The caller frees *text.
FILE *memory_stream(char **text, size_t *len);
// Closes the stream. Returns false when not all bytes were stored.
bool memory_close(FILE *stream);

#endif
