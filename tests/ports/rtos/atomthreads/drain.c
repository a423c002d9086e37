// SPDX-License-Identifier: MIT
// The drain thread of Atomthreads in a simulated kernel.

#include "atom.h"
#include "atomsem.h"
#include "atomtimer.h"
#include "wf_atomthreads_drain.h"

#define START(drain) wf_atom_drain_start(drain)
#define DONE(drain)  wf_atom_drain_done_isr(drain)
static void run_task(void);
#include "drain_test.h"

static void (*thread_entry)(uint32_t);
static uint32_t thread_arg;

static void run_task(void) { thread_entry(thread_arg); }

uint8_t atomThreadCreate(ATOM_TCB *tcb, uint8_t priority, void (*entry)(uint32_t), uint32_t arg,
                         void *stack, uint32_t size, uint8_t check) {
    CHECK(tcb && stack && size >= 128 && check <= 1 && priority == 254);
    thread_entry = entry;
    thread_arg = arg;
    return ATOM_OK;
}

uint8_t atomTimerDelay(uint32_t ticks) {
    sleeps(ticks, 1); // 10 ms at 100 ticks a second
    return ATOM_OK;
}

uint8_t atomSemCreate(ATOM_SEM *sem, uint8_t count) {
    sem->count = count;
    return ATOM_OK;
}

uint8_t atomSemGet(ATOM_SEM *sem, int32_t timeout) {
    CHECK(timeout == 0 && sem->count == 0); // 0: for ever
    blocks();
    CHECK(sem->count-- == 1);
    return ATOM_OK;
}

uint8_t atomSemPut(ATOM_SEM *sem) {
    ++sem->count;
    return ATOM_OK;
}
