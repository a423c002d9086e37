// SPDX-License-Identifier: MIT
// High-water marks of stacks and low-water marks of heaps and slabs, as Zephyr measures them. Call
// these about once a second from a thread of low priority; README.md has the cost. Each function
// exists only if the configuration has its marks.
#ifndef WF_ZEPHYR_MARKS_H
#define WF_ZEPHYR_MARKS_H

#include <zephyr/kernel.h>
#ifdef CONFIG_SYS_HEAP_RUNTIME_STATS
#include <zephyr/sys/sys_heap.h>
#endif

#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"

#ifdef __cplusplus
extern "C" {
#endif

#if WF_CFG_ON && defined CONFIG_INIT_STACKS && defined CONFIG_THREAD_STACK_INFO

// Records the mark of one thread, which must not end during the call. Cost: reads its stack up to
// the mark, with interrupts on. Context: a thread.
static inline void wf_zephyr_stack_mark(const struct k_thread *thread) {
    size_t unused;
    if (!wfi_on(WF_ID_task_stack, 0) || k_thread_stack_space_get(thread, &unused) != 0) return;
    WF_TASK_STACK(thread, unused, thread->stack_info.size);
}

#ifdef CONFIG_THREAD_MONITOR

static inline void wfi_zephyr_mark(const struct k_thread *thread, void *data) {
    (void)data;
    wf_zephyr_stack_mark(thread);
}

// Records the marks of all threads. No thread may be created or end during the call, as for
// k_thread_foreach_unlocked. Context: a thread.
static inline void wf_zephyr_stack_marks(void) { k_thread_foreach_unlocked(wfi_zephyr_mark, NULL); }

#endif
#endif
#if WF_CFG_ON && defined CONFIG_SYS_HEAP_RUNTIME_STATS

// Records the fewest bytes of a heap that were ever free. Context: a thread.
static inline void wf_zephyr_heap_mark(struct k_heap *heap) {
    struct sys_memory_stats stats;
    if (!wfi_on(WF_ID_heap_low, 0) || sys_heap_runtime_stats_get(&heap->heap, &stats) != 0) return;
    WF_HEAP_LOW(heap, stats.free_bytes + stats.allocated_bytes - stats.max_allocated_bytes);
}

#endif
#if WF_CFG_ON && defined CONFIG_MEM_SLAB_TRACE_MAX_UTILIZATION

// Records the fewest blocks of a slab that were ever free. Context: any.
static inline void wf_zephyr_slab_mark(struct k_mem_slab *slab) {
    if (!wfi_on(WF_ID_heap_low, 0)) return;
    const unsigned int was = irq_lock(); // three values of one moment
    const uint32_t all = k_mem_slab_num_free_get(slab) + k_mem_slab_num_used_get(slab);
    const uint32_t most = k_mem_slab_max_used_get(slab);
    irq_unlock(was);
    WF_HEAP_LOW(slab, all - most);
}

#endif

#ifdef __cplusplus
}
#endif
#endif
