// SPDX-License-Identifier: MIT
// Signals that end a command in an orderly way: Ctrl-C, SIGTERM, and a terminal that has been
// closed, unless that is ignored (nohup).
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
void ending_close(struct ending *e); // the loop has to run once more

// For commands without a loop: sets the function for these signals.
void ending_catch(void (*on_signal)(int number));
// For those that write to targets and files: one that goes as it is written to is an error there,
// and no end of the program.
void ending_ignore_pipes(void);

#endif
