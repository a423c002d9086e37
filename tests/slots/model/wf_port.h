// SPDX-License-Identifier: MIT
// Port of the model: clock and slots are shared as well.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdbool.h>

#include "wallfly/wf_recorder.h"

#define WF_PORT_ATOMIC 1

uint64_t model_now(void);
void model_put(void *to, uint64_t low, uint64_t high);
void model_get(const void *from, uint64_t half[2]);

static inline wf_stamp wf_port_now(void) { return model_now(); }
static inline uint32_t wf_port_lock(void) { return 0; }
static inline void wf_port_unlock(uint32_t was) { (void)was; }
static inline uint8_t wf_port_core(void) { return 0; }
static inline bool wf_port_can_atomic(void) { return true; }
static inline void wf_port_put_slot(void *to, uint64_t low, uint64_t high) {
    model_put(to, low, high);
}
static inline void wf_port_get_slot(const void *from, uint64_t half[2]) { model_get(from, half); }

#endif
