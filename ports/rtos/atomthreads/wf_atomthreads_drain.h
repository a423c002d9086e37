// SPDX-License-Identifier: MIT
// A thread of Atomthreads that sends the recorder's bytes (../wf_drain.h). Add
// wf_atomthreads_drain.c to the program, and ports/transport/include to its include paths.
#ifndef WF_ATOMTHREADS_DRAIN_H
#define WF_ATOMTHREADS_DRAIN_H

#include "../wf_drain.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates the drain thread, of priority 254: the lowest above idle. `drain` must stay valid. Call
// it once: there is one thread. Returns false when the kernel refuses. Context: after atomOSInit,
// in main or a thread.
bool wf_atom_drain_start(struct wf_drain *drain);

// Reports that a piece was sent: the thread may send the next one. Context: the link's interrupt,
// between atomIntEnter and atomIntExit.
void wf_atom_drain_done_isr(struct wf_drain *drain);

#ifdef __cplusplus
}
#endif
#endif
