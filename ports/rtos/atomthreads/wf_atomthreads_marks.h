// SPDX-License-Identifier: MIT
// High-water marks of stacks. Atomthreads measures them with ATOM_STACK_CHECKING. Call this about
// once a second from a thread of low priority, for each thread: Atomthreads keeps no list of them.
// README.md has the cost. Atomthreads has no heap.
#ifndef WF_ATOMTHREADS_MARKS_H
#define WF_ATOMTHREADS_MARKS_H

#include "atom.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"

#ifdef __cplusplus
extern "C" {
#endif

#if WF_CFG_ON && defined ATOM_STACK_CHECKING

// Records the mark of a thread created with stack_check; for others nothing is recorded. Cost:
// reads its stack up to the mark, with interrupts on. Context: a thread.
static inline void wf_atom_stack_mark(ATOM_TCB *thread) {
    uint32_t used, unused;
    if (!wfi_on(WF_ID_task_stack, 0)) return;
    if (atomThreadStackCheck(thread, &used, &unused) != ATOM_OK) return;
    WF_TASK_STACK(thread, unused, used + unused);
}

#endif

#ifdef __cplusplus
}
#endif
#endif
