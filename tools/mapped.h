// SPDX-License-Identifier: MIT
// A file of names or memory, read as a whole (wf_input.h).
#ifndef MAPPED_H
#define MAPPED_H

#include "wallfly_backend/wf_input.h"

// Prints errors itself, also for an empty file. Returns an exit code. Free with wf_input_close().
int map_file(const char *name, struct wf_input *m);

#endif
