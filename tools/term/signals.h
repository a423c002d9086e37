// SPDX-License-Identifier: MIT
// Signals that end a command in an orderly way: SIGINT (Ctrl-C), SIGTERM, and SIGHUP unless it is
// ignored (nohup).
#ifndef SIGNALS_H
#define SIGNALS_H

#include <uv.h>

enum { SIGNALS = 3 };

struct signals {
    void (*act)(void *ctx);
    void *ctx;
    uv_signal_t signals[SIGNALS];
};

void signals_open(struct signals *s, uv_loop_t *loop, void (*act)(void *ctx), void *ctx);
void signals_close(struct signals *s); // run the loop once more afterwards

// Sets the handler of these signals, for commands without a loop.
void signals_catch(void (*on_signal)(int number));
// Ignores SIGPIPE, for commands that write to targets and files: a closed pipe is then a write
// error and does not end the program.
void signals_ignore_pipes(void);

#endif
