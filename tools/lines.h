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

// There is one. Returns 0 or a libuv error.
int lines_open(uv_loop_t *loop, const struct lines_handlers *on);
void lines_close(void);

#endif
