// SPDX-License-Identifier: MIT
// Limit of a target's counters. A larger number (10^9 per second for two years) is damage that a
// checksum did not detect.
#ifndef WFI_COUNT_H
#define WFI_COUNT_H

#include <stdint.h>

#define WFI_COUNT_MAX (UINT64_C(1) << 56)

#endif
