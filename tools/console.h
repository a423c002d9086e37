// SPDX-License-Identifier: MIT
// Input of commands for a target: typed on a terminal below the trace, with history and completion,
// or read from standard input.
#ifndef CONSOLE_H
#define CONSOLE_H

#include "talk.h"

struct console {
    struct talk *talk; // the commands go there
    bool interactive;  // standard input and output are a terminal
    bool ended;        // no more commands will come
    int *code;         // set to EXIT_NO by an invalid line that was not typed
};

// Returns an exit code, after an error message. Close it also after an error.
int console_open(struct console *c);
void console_close(void);
// Ends talk_run when there are no more commands and all are answered.
void console_stop_if_done(const struct console *c);

#endif
