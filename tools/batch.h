// SPDX-License-Identifier: MIT
// Commands of `wallfly send`, from a file and from operands.
#ifndef BATCH_H
#define BATCH_H

#include "cmd.h"

struct batch {
    const struct args *args; // the operands
    const char *file;        // name of the file; null: none
    char *text;              // its contents
};

// Reads the file, or standard input for "-". Returns an exit code, after an error message.
int batch_open(struct batch *b, const struct args *args, const char *file);
void batch_close(struct batch *b);
// Passes each command to a function, which returns false to stop. Returns false then, and after an
// error message.
typedef bool batch_fn(void *ctx, char *const word[], unsigned count);
bool batch_each(const struct batch *b, batch_fn *take, void *ctx);

#endif
