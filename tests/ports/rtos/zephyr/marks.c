// SPDX-License-Identifier: MIT
// Marks of stacks, heaps and slabs of Zephyr in a simulated kernel.

#include <zephyr/kernel.h>

#include "marks_test.h"
#include "wf_zephyr_marks.h"

static struct k_thread threads[] = {{.name = "main", .stack_info = {0, 1024}},
                                    {.name = "dead", .stack_info = {0, 512}},
                                    {.name = "idle", .stack_info = {0, 256}}};
static int locked;

unsigned int irq_lock(void) { return (unsigned int)++locked; }
void irq_unlock(unsigned int was) { locked -= was == 1; }

int k_thread_stack_space_get(const struct k_thread *thread, size_t *unused) {
    ++looked;
    *unused = thread == threads ? 300 : 0;
    return thread == threads + 1 ? -22 : 0; // -EINVAL
}

void k_thread_foreach_unlocked(k_thread_user_cb_t function, void *data) {
    for (unsigned i = 0; i < 3; ++i) function(&threads[i], data);
}

int sys_heap_runtime_stats_get(struct sys_heap *heap, struct sys_memory_stats *stats) {
    ++looked;
    *stats = (struct sys_memory_stats){700, 300, 650};
    return heap->any;
}

static void run(void) {
    static struct k_heap heap, bad = {{-1}};
    static struct k_mem_slab slab = {5, 3, 7};
    for (unsigned i = 0; i < 3; ++i) WF_NAME(&threads[i], threads[i].name);
    WF_NAME(&heap, "system heap");
    WF_NAME(&slab, "slab");
    wf_zephyr_stack_marks();
    wf_zephyr_stack_mark(&threads[0]);
    wf_zephyr_heap_mark(&heap);
    wf_zephyr_heap_mark(&bad);
    wf_zephyr_slab_mark(&slab);
    CHECK(locked == 0);
}
