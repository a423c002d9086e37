// SPDX-License-Identifier: MIT
// Lines of standard input that is no terminal, as they come.
#ifndef LINES_H
#define LINES_H

#include <uv.h>

struct lines_handlers {
    void *ctx;
    void (*line)(void *ctx, const char *line);
    void (*end)(void *ctx);
};

// Begins to poll standard input, which keeps its flags: libuv would make it non-blocking, and with
// it standard output where both are one terminal, so that a slow terminal would refuse what is
// written. Returns 0 or a libuv error, as uv_poll_init().
int lines_poll_input(uv_loop_t *loop, uv_poll_t *poll);
// There is one. Returns 0 or a libuv error.
int lines_open(uv_loop_t *loop, const struct lines_handlers *on);
void lines_close(void);

#endif
