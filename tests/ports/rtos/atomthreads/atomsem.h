// SPDX-License-Identifier: MIT
// Stand-in for Atomthreads' header: names used by the drain thread. No text of Atomthreads.
#ifndef ATOMSEM_H
#define ATOMSEM_H

#include "atom.h"

typedef struct {
    uint8_t count;
} ATOM_SEM;

uint8_t atomSemCreate(ATOM_SEM *sem, uint8_t count);
uint8_t atomSemGet(ATOM_SEM *sem, int32_t timeout);
uint8_t atomSemPut(ATOM_SEM *sem);

#endif
