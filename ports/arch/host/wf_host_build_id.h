// SPDX-License-Identifier: MIT
// The build id of a program on a POSIX host, for wf_config.build_id.
#ifndef WF_HOST_BUILD_ID_H
#define WF_HOST_BUILD_ID_H

#include <stdint.h>

// Returns 0 when the program was linked without -Wl,--build-id. Context: any thread, before
// wf_start.
uint32_t wf_host_build_id(void);

#endif
