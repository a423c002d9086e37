// SPDX-License-Identifier: MIT
// Patterns of names: * matches any characters, ? one.
#ifndef WFI_GLOB_H
#define WFI_GLOB_H

#include <stdbool.h>
#include <stddef.h>

// Returns whether all of the text matches. text: of `len` bytes; pattern: zero-terminated.
bool wfi_glob(const char *pattern, const char *text, size_t len);

#endif
