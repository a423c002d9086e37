// SPDX-License-Identifier: MIT
// A trace out of an image of a target's memory, as a source.
#ifndef IMAGE_H
#define IMAGE_H

#include "mapped.h"
#include "source.h"

// Hands on the stream that the black box in `name` holds, or the image if it holds the slot
// recorder's memory. program: the program's ELF file, or null.
// Complains itself. Returns an exit code.
int image_run(const char *name, const struct wf_input *program, const struct source_handlers *on);

#endif
