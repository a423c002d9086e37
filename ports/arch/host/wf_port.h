// SPDX-License-Identifier: MIT
// Port for programs on a POSIX host with threads. Clock: CLOCK_MONOTONIC in units of 0.1 us
// (WF_PORT_HZ), cut to the stamp's size; for the slot recorder in nanoseconds. Lock: one mutex, so
// WF_BEGIN ... WF_END must not nest. On x86-64 the slot recorder needs no lock; elsewhere it takes
// the mutex, and signal handlers must not record.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

#ifndef WF_RECORDER_H // the wallfly.h of the single pair contains it already
#include "wallfly/wf_recorder.h"
#endif

#if WF_CFG_SLOTS
enum { WF_PORT_HZ = 1000000000 };
#else
enum { WF_PORT_HZ = 10000000 };
#endif

extern pthread_mutex_t wf_port_mutex; // ports/arch/host/wf_port.c

static inline wf_stamp wf_port_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (wf_stamp)((uint64_t)t.tv_sec * WF_PORT_HZ +
                      (uint64_t)t.tv_nsec / (1000000000 / WF_PORT_HZ));
}

static inline uint32_t wf_port_lock(void) {
    pthread_mutex_lock(&wf_port_mutex);
    return 0;
}

static inline void wf_port_unlock(uint32_t was) {
    (void)was;
    pthread_mutex_unlock(&wf_port_mutex);
}

#if !WF_CFG_SLOTS
static inline uint8_t wf_port_core(void) { return 0; }
#else
#include "wf_port_slots.h"
#endif

#endif
