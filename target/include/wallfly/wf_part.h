// SPDX-License-Identifier: MIT
// Part tracing: which tasks are shown. Without it all are, at no cost.
#ifndef WF_PART_H
#define WF_PART_H

#include <stdbool.h>

#include "wallfly/wf_config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_part_switch {
    const void *last, *next; // tasks; in and out
    unsigned reason;         // why last left, of WF_REASONS
};

static inline bool wf_part_shows(const void *task) {
    (void)task;
    return true;
}

// False: nothing is to be recorded of it. True: record it as it stands there afterwards.
static inline bool wf_part_switched(struct wf_part_switch *s) {
    (void)s;
    return true;
}

static inline void wf_part_gone(const void *task) { (void)task; }

#ifdef __cplusplus
}
#endif
#endif
