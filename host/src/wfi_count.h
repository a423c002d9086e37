// SPDX-License-Identifier: MIT
// What a target counts. A larger number than this (a thousand million a second for two years) is
// damage that a checksum has missed.
#ifndef WFI_COUNT_H
#define WFI_COUNT_H

#include <stdint.h>

#define WFI_COUNT_MAX (UINT64_C(1) << 56)

#endif
