// SPDX-License-Identifier: MIT
// An input line at the bottom of the terminal, with history and completion, while other text
// scrolls above it. There is only one. It runs on the caller's libuv loop.
#ifndef PROMPT_H
#define PROMPT_H

#include <uv.h>

#include "wallfly_host/wf_command.h"

struct prompt_handlers {
    void *ctx;
    void (*line)(void *ctx, const char *line);
    void (*end)(void *ctx); // Ctrl-D, or the terminal was closed
    // Calls `offer` for each word that may end the text, as wf_command_complete.
    void (*complete)(void *ctx, const char *text, wf_offer_fn offer, void *offer_ctx);
};

// Standard input and output must be a terminal. Returns 0 or a libuv error.
int prompt_open(uv_loop_t *loop, const char *text, const struct prompt_handlers *on);
// Clears the input line before complete lines are written to standard output.
void prompt_clear(void);
// Draws the input line again, below them, and flushes standard output.
void prompt_show(void);
void prompt_close(void);

#endif
