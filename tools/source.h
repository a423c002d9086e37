// SPDX-License-Identifier: MIT
// Where bytes come from: a file, standard input, or a target that connects over TCP.
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_handlers {
    void *ctx;
    bool (*bytes)(void *ctx, const uint8_t *bytes, size_t len); // false: stop
    void (*link)(void *ctx, bool up, const char *peer);         // a target came or left
    bool once; // tcp-listen: end when the first target has left
};

// True if more may come at any time, so output must not wait in buffers.
bool source_is_live(const char *name);

// Reads NAME ("-", "tcp-listen:[HOST:]PORT", or a file) to its end or until Ctrl-C or SIGTERM.
// Complains itself. Returns an exit code: EXIT_GOOD also after a signal.
int source_run(const char *name, const struct source_handlers *on);

#endif
