// SPDX-License-Identifier: MIT
// Signals that end a command in an orderly way: SIGINT (Ctrl-C), SIGTERM, and SIGHUP unless it is
// ignored (nohup).
#ifndef ENDING_H
#define ENDING_H

#include <uv.h>

enum { ENDING_SIGNALS = 3 };

struct ending {
    void (*act)(void *ctx);
    void *ctx;
    uv_signal_t signals[ENDING_SIGNALS];
};

void ending_open(struct ending *e, uv_loop_t *loop, void (*act)(void *ctx), void *ctx);
void ending_close(struct ending *e); // run the loop once more afterwards

// Sets the handler of these signals, for commands without a loop.
void ending_catch(void (*on_signal)(int number));
// Ignores SIGPIPE, for commands that write to targets and files: a closed pipe is then a write
// error and does not end the program.
void ending_ignore_pipes(void);

#endif
