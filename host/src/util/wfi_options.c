// SPDX-License-Identifier: MIT
// See wfi_options.h.

#include "wfi_options.h"

#include <string.h>

#include "wallfly_host/wf_err.h"

int wfi_options_copy(void *own, size_t own_size, const void *options) {
    size_t size = sizeof size;
    if (options) memcpy(&size, options, sizeof size);
    if (size < sizeof size) return WF_ERR_USAGE;
    memset(own, 0, own_size);
    if (options) memcpy(own, options, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return WF_OK;
}
