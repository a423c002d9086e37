// SPDX-License-Identifier: MIT
// A thread of Zephyr that sends the recorder's bytes (../wf_drain.h). CONFIG_WALLFLY_DRAIN adds it.
#ifndef WF_ZEPHYR_DRAIN_H
#define WF_ZEPHYR_DRAIN_H

#include "../wf_drain.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates the thread "wf_drain" of the lowest application priority. `drain` must stay valid. Call
// it once: there is one thread. Context: after wf_zephyr_start; a thread, or SYS_INIT at
// POST_KERNEL or later.
void wf_zephyr_drain_start(struct wf_drain *drain);

// Reports that a piece was sent: the thread may send the next one. Context: the link's interrupt or
// callback.
void wf_zephyr_drain_done_isr(struct wf_drain *drain);

#ifdef __cplusplus
}
#endif
#endif
