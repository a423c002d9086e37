// SPDX-License-Identifier: MIT
// A thread of ThreadX that sends the recorder's bytes (../wf_drain.h). Add wf_threadx_drain.c to
// the program, and ports/transport/include to its include paths.
#ifndef WF_THREADX_DRAIN_H
#define WF_THREADX_DRAIN_H

#include "../wf_drain.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates the thread "wf_drain" of the lowest priority (TX_MAX_PRIORITIES - 1). `drain` must stay
// valid. Call it once: there is one thread. Returns false when ThreadX refuses. Context:
// tx_application_define or a thread.
bool wf_threadx_drain_start(struct wf_drain *drain);

// Reports that a piece was sent: the thread may send the next one. Context: the link's interrupt.
void wf_threadx_drain_done_isr(struct wf_drain *drain);

#ifdef __cplusplus
}
#endif
#endif
