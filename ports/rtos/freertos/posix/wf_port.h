// SPDX-License-Identifier: MIT
// Port for FreeRTOS' simulator on POSIX hosts (portable/ThirdParty/GCC/Posix). Its interrupts are
// signals; only SIGALRM, the tick, enters the kernel. The lock blocks SIGALRM, and nests. Its tasks
// run one at a time. Clock: CLOCK_MONOTONIC in units of 0.1 us, cut to the stamp's size.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

#ifndef WF_RECORDER_H // the wallfly.h of the single pair contains it already
#include "wallfly/wf_recorder.h"
#endif

enum { WF_PORT_HZ = 10000000 };

static inline wf_stamp wf_port_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (wf_stamp)((uint64_t)t.tv_sec * WF_PORT_HZ + (uint64_t)t.tv_nsec / 100);
}

static inline uint32_t wf_port_lock(void) {
    sigset_t tick, was;
    sigemptyset(&tick);
    sigaddset(&tick, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &tick, &was);
    return (uint32_t)sigismember(&was, SIGALRM);
}

static inline void wf_port_unlock(uint32_t was) {
    sigset_t tick;
    if (was) return;
    sigemptyset(&tick);
    sigaddset(&tick, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &tick, NULL);
}

static inline uint8_t wf_port_core(void) { return 0; }

#endif
