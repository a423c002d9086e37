// SPDX-License-Identifier: MIT
// A file of names or memory, read whole (wf_input.h).
#ifndef MAPPED_H
#define MAPPED_H

#include "wallfly_backend/wf_input.h"

// Complains itself, also of an empty file. Returns an exit code. wf_input_close() frees.
int map_file(const char *name, struct wf_input *m);

#endif
