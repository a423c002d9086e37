// SPDX-License-Identifier: MIT
// Options of public functions: structs that begin with their size.
#ifndef WFI_OPTIONS_H
#define WFI_OPTIONS_H

#include <stddef.h>

// Copies the caller's options to `own`. Members that are missing in an older, smaller struct are 0,
// members of a newer, larger one are ignored; null is all 0. own's size becomes own_size. Returns
// WF_OK, or WF_ERR_USAGE if the caller's size is not set.
int wfi_options_copy(void *own, size_t own_size, const void *options);

#endif
