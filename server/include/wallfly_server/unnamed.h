// SPDX-License-Identifier: MIT
// A file without a name, removed at program exit, for data too large for memory.
#ifndef UNNAMED_H
#define UNNAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"

const char *temporary_folder(void);       // $TMPDIR, or /tmp
int unnamed_open(struct wf_error *error); // -1 on an error
// Writes all bytes. Returns false with errno set on an error.
bool unnamed_write(int fd, uint64_t at, const void *bytes, size_t len);

#endif
