// SPDX-License-Identifier: MIT
// Lines of standard input when it is not a terminal, as they arrive.
#ifndef LINES_H
#define LINES_H

#include <uv.h>

struct lines_handlers {
    void *ctx;
    void (*line)(void *ctx, const char *line);
    void (*end)(void *ctx);
};

// Begins to poll standard input without changing its flags. libuv would make it non-blocking, and
// with it standard output if both are one terminal; then writes to a slow terminal would fail.
// Returns 0 or a libuv error, as uv_poll_init().
int lines_poll_input(uv_loop_t *loop, uv_poll_t *poll);
// Starts reading lines; only one reader exists. Returns 0 or a libuv error.
int lines_open(uv_loop_t *loop, const struct lines_handlers *on);
void lines_close(void);

#endif
