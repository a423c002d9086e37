// SPDX-License-Identifier: MIT
// High-water marks of stacks. ThreadX measures them with TX_ENABLE_STACK_CHECKING when a thread is
// suspended or resumed. Call these about once a second from a thread of low priority; README.md has
// the cost. ThreadX has no low-water marks of its pools.
#ifndef WF_THREADX_MARKS_H
#define WF_THREADX_MARKS_H

#include "tx_api.h"
#include "tx_thread.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"

#ifdef __cplusplus
extern "C" {
#endif

#if WF_CFG_ON && defined TX_ENABLE_STACK_CHECKING

// Reads the mark of one thread, with interrupts off, and moves on to the next. Returns false when
// it was deleted meanwhile.
static inline bool wfi_threadx_mark(TX_THREAD **at, const void **thread, uint32_t *unused,
                                    uint32_t *size) {
    TX_INTERRUPT_SAVE_AREA
    TX_THREAD *t = *at;
    TX_DISABLE
    const bool there = t && t->tx_thread_id == TX_THREAD_ID;
    if (there) {
        *thread = t;
        *unused = (uint32_t)((const UCHAR *)t->tx_thread_stack_highest_ptr -
                             (const UCHAR *)t->tx_thread_stack_start);
        *size = (uint32_t)t->tx_thread_stack_size;
        *at = t->tx_thread_created_next;
    }
    TX_RESTORE
    return there;
}

// Records the marks of all threads that exist when it is called. If one is deleted meanwhile, those
// after it may be missing. Cost per thread: a few loads with interrupts off, and a record. Context:
// a thread.
static inline void wf_threadx_stack_marks(void) {
    TX_THREAD *at = _tx_thread_created_ptr;
    const void *thread;
    uint32_t unused, size;
    if (!wfi_on(WF_ID_task_stack, 0)) return;
    for (ULONG i = _tx_thread_created_count; i && wfi_threadx_mark(&at, &thread, &unused, &size);
         --i)
        WF_TASK_STACK(thread, unused, size);
}

#endif

#ifdef __cplusplus
}
#endif
#endif
