// SPDX-License-Identifier: MIT
// State that the hooks of wf_atomthreads.h need: the running thread, and why it may be about to
// leave.

#include "wf_atomthreads.h"

#if WF_CFG_ON

enum { WFI_WOKEN = 0xFF }; // was about to leave, but was made ready before the switch

static const void *running;
static uint8_t why; // of WF_REASONS, or WFI_WOKEN; 0: not about to leave
static bool ticked; // the scheduler was called by the tick

void wf_atom_start(const void *thread) {
    running = thread;
    WF_TASK_SWITCH(NULL, thread, WF_SWITCH_unknown);
}

void wf_atom_leaves(unsigned reason) { why = (uint8_t)reason; }
void wf_atom_sched(bool tick) { ticked = tick; }

// A thread that is put back because another one preempts it is not recorded as ready.
void wf_atom_ready(const void *thread) {
    if (thread == running)
        why = WFI_WOKEN;
    else
        WF_TASK_READY(thread);
}

static unsigned reason(int from_prio, int to_prio, bool suspended, bool ended) {
    if (ended) return WF_SWITCH_ended;
    if (why != WFI_WOKEN && why) return why;
    if (why != WFI_WOKEN && suspended) return WF_SWITCH_blocked;
    return from_prio == to_prio && ticked ? WF_SWITCH_sliced : WF_SWITCH_preempted;
}

void wf_atom_switch(const void *from, const void *to, int from_prio, int to_prio, bool suspended,
                    bool ended) {
    if (from != to) {
        unsigned left = reason(from_prio, to_prio, suspended, ended);
        running = to;
        if (ended) WF_TASK_DELETE(from);
        WF_TASK_SWITCH(from, to, left);
    }
    why = 0;
}

#endif
