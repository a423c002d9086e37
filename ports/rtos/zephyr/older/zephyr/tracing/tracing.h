// SPDX-License-Identifier: MIT
// Found before Zephyr's header of this name, in releases without a choice of the format: includes
// its empty macros, and replaces some by those of wf_zephyr_format.h.
#ifndef WF_ZEPHYR_OLDER
#define WF_ZEPHYR_OLDER
#pragma GCC system_header // #include_next is an extension of GCC and Clang
#include_next <zephyr/tracing/tracing.h>

#include "wf_zephyr_format.h"
#endif
