// SPDX-License-Identifier: MIT
// Constants of the bytes of a profile (docs/profile.md).
#ifndef WFI_PROFILE_BYTES_H
#define WFI_PROFILE_BYTES_H

#include <stdint.h>

enum { WFI_PROFILE_HEAD = 12, WFI_PROFILE_CONTENTS = 64 << 20 };
enum { WFI_FIGURE_KNOWN = 1, WFI_FIGURE_BLOCKS = 2, WFI_FIGURE_WEIGHTS = 4 };

static const uint8_t wfi_profile_magic[7] = {'w', 'f', 's', 't', 'a', 't', 's'};

#endif
