// SPDX-License-Identifier: MIT
// `wallfly stats --explain`: why a job of a task took as long as it did.
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "cmd.h"

// Values of options of `wallfly stats`.
struct explain_args {
    const char *task;
    const char *job; // null: the longest
    bool json, once, target_clock;
};

// Reads the source and prints the explanation. Returns an exit code.
int explain_run(const struct args *args, const struct explain_args *a);

#endif
