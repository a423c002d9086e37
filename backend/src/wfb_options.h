// SPDX-License-Identifier: MIT
// Options structs begin with their size, so that they can grow: a caller built with an older header
// passes a shorter struct, whose missing members are 0.
#ifndef WFB_OPTIONS_H
#define WFB_OPTIONS_H

#include <stddef.h>
#include <string.h>

// Copies options into `to`, of `room` bytes.
static inline void wfb_copy_options(void *to, size_t room, const void *options) {
    size_t size;
    memcpy(&size, options, sizeof size);
    memset(to, 0, room);
    memcpy(to, options, size < room ? size : room);
}

#endif
