// SPDX-License-Identifier: MIT
// A task of FreeRTOS that sends the recorder's bytes (../wf_drain.h). Add wf_freertos_drain.c to
// the program, and ports/transport/include to its include paths.
#ifndef WF_FREERTOS_DRAIN_H
#define WF_FREERTOS_DRAIN_H

#include "../wf_drain.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates the task "wf_drain" with the idle task's priority. `drain` must stay valid. It waits by
// notifications of index 0. Returns false when there is no memory for the task. Context: after
// wf_start, before or while the scheduler runs; not an interrupt.
bool wf_freertos_drain_start(struct wf_drain *drain);

// Reports that a piece was sent: the task may send the next one. Returns true when a switch is due;
// pass it to portYIELD_FROM_ISR. Context: the link's interrupt, of a priority that may call
// FreeRTOS.
bool wf_freertos_drain_done_isr(struct wf_drain *drain);

#ifdef __cplusplus
}
#endif
#endif
