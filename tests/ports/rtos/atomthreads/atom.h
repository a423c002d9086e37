// SPDX-License-Identifier: MIT
// Stand-in for Atomthreads' header: names used by the drain thread. No text of Atomthreads.
#ifndef ATOM_H
#define ATOM_H

#include <stdint.h>

#define SYSTEM_TICKS_PER_SEC 100
enum { ATOM_OK, ATOM_TIMEOUT };

// The members of its control blocks that the hooks use.
typedef struct {
    uint8_t priority, suspended, terminated;
} ATOM_TCB;

uint8_t atomThreadCreate(ATOM_TCB *tcb, uint8_t priority, void (*entry)(uint32_t), uint32_t arg,
                         void *stack, uint32_t size, uint8_t check);

// Used by wf_atomthreads_marks.h.
uint8_t atomThreadStackCheck(ATOM_TCB *tcb, uint32_t *used, uint32_t *unused);

#endif
