// SPDX-License-Identifier: MIT
// Stand-in for Zephyr's header of this name.
#define sys_trace_named_event(...)
