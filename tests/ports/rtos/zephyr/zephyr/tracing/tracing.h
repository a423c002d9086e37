// SPDX-License-Identifier: MIT
// Stand-in for Zephyr's header of this name in older releases: all hooks are empty.
#include "tracing_hooks.h"
#undef sys_port_trace_k_heap_alloc_helper_blocking
