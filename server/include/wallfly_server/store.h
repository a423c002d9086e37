// SPDX-License-Identifier: MIT
// Files without a name, removed at program exit, for data too large for memory: among them the
// parts of the time line that are not in memory (wf_timeline.h).
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"
#include "wallfly_host/wf_timeline.h"

const char *temporary_folder(void);         // $TMPDIR, or /tmp
int temporary_open(struct wf_error *error); // -1 on an error
// Writes all bytes. Returns false with errno set on an error.
bool temporary_write(int fd, uint64_t at, const void *bytes, size_t len);

struct store {
    int fd;
    bool reported; // the write error was reported
    // Reports a problem for the user. May be null.
    void (*warn)(void *ctx, const char *text);
    void *ctx;
};

// Set `warn` and `ctx` before.
//   returns  false on an error
bool store_open(struct store *s, struct wf_error *error);
void store_close(struct store *s);
struct wf_timeline_store store_functions(struct store *s);

#endif
