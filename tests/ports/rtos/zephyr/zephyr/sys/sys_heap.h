// SPDX-License-Identifier: MIT
// Stand-in for Zephyr's header: the names used by the port, by the documentation. No text of
// Zephyr.
#ifndef SYS_HEAP_H
#define SYS_HEAP_H

#include <zephyr/kernel.h>

struct sys_memory_stats {
    size_t free_bytes, allocated_bytes, max_allocated_bytes;
};
int sys_heap_runtime_stats_get(struct sys_heap *heap, struct sys_memory_stats *stats);

#endif
