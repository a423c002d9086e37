// SPDX-License-Identifier: MIT
// The thread sleeps, sends, and sleeps again; it runs when only idle is ready.

#include "wf_atomthreads_drain.h"

#include "atom.h"
#include "atomsem.h"
#include "atomtimer.h"

#ifndef WF_ATOM_DRAIN_STACK
#define WF_ATOM_DRAIN_STACK 256 // bytes
#endif
#ifndef WF_ATOM_DRAIN_PRIORITY
#define WF_ATOM_DRAIN_PRIORITY 254 // 255 is the priority of idle
#endif

static ATOM_TCB drain_thread;
static ATOM_SEM drain_done;
static uint8_t drain_stack[WF_ATOM_DRAIN_STACK];
static struct wf_drain *drained;

static void wait_for_done(struct wf_drain *drain) {
    (void)drain;
    atomSemGet(&drain_done, 0);
}

static void run_drain(uint32_t arg) {
    (void)arg; // has 32 bits, too few for a pointer on some hosts
    uint32_t ticks = wfi_drain_period_ms(drained) * SYSTEM_TICKS_PER_SEC / 1000u;
    for (;;) {
        wfi_drain_pass(drained);
        atomTimerDelay(ticks ? ticks : 1);
    }
}

bool wf_atom_drain_start(struct wf_drain *drain) {
    drain->wait = wait_for_done;
    drained = drain;
    return atomSemCreate(&drain_done, 0) == ATOM_OK &&
           atomThreadCreate(&drain_thread, WF_ATOM_DRAIN_PRIORITY, run_drain, 0, drain_stack,
                            WF_ATOM_DRAIN_STACK, 1) == ATOM_OK;
}

void wf_atom_drain_done_isr(struct wf_drain *drain) {
    (void)drain;
    atomSemPut(&drain_done);
}
