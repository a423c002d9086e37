// SPDX-License-Identifier: MIT
// Options structs begin with their size, so that they can grow: a caller built with an older header
// passes a shorter struct, whose missing members are 0.
#ifndef WFB_OPTIONS_H
#define WFB_OPTIONS_H

#include <string.h>

#include "wallfly_host/wf_error.h"

// Copies options into `own`, as wfi_options_copy of the library. Null is all 0. Returns WF_OK, or
// WF_ERR_USAGE when the caller's size is not set.
static inline int wfb_copy_options(void *own, size_t own_size, const void *options,
                                   struct wf_error *error) {
    size_t size = own_size;
    memset(own, 0, own_size);
    if (options) memcpy(&size, options, sizeof size);
    if (size < sizeof size) return wf_error_set(error, WF_ERR_USAGE, "the options have no size");
    if (options) memcpy(own, options, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return WF_OK;
}

#endif
