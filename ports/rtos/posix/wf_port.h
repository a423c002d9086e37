// SPDX-License-Identifier: MIT
// The recorder's port inside a traced program: as ports/arch/host with the slot recorder, with two
// differences. The helper process can record past events, on a core of its choice; and the lock of
// CPUs without atomics is not a mutex of the program.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "wallfly/wf_recorder.h"

#define wf_port_core wfx_port_cpu
#include "../../arch/host/wf_port_slots.h"
#undef wf_port_core

#define WF_PORT_SHARED 1 // with the helper

#ifdef WFX_LOCKED // tests the code of other CPUs
#undef WF_PORT_ATOMIC
#endif
#ifndef WF_PORT_ATOMIC
#define WF_PORT_BARRIER() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

enum { WF_PORT_HZ = 1000000000 };

struct wfx_port {
    uint64_t time; // not 0: stamp of the next record, in the helper
    bool placed;   // record on `core`, in the helper
    uint8_t core;  // used if placed
    uint8_t first; // core of the trace that is CPU 0
    uint8_t cores; // number of CPUs from there on; others use the first
};
extern struct wfx_port wfx_port;

static inline wf_stamp wf_port_now(void) {
    struct timespec t;
    if (__builtin_expect(wfx_port.time != 0, 0)) return wfx_port.time;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (wf_stamp)t.tv_sec * WF_PORT_HZ + (wf_stamp)t.tv_nsec;
}

static inline uint8_t wf_port_core(void) {
    if (__builtin_expect(wfx_port.placed, 0)) return wfx_port.core;
    const uint8_t cpu = wfx_port_cpu();
    return (uint8_t)(wfx_port.first + (cpu < wfx_port.cores ? cpu : 0));
}

// Blocks all signals, so that a handler may record. wfx_lock: in memory shared by program and
// helper.
extern bool *wfx_lock;
uint32_t wfx_port_lock(void);
void wfx_port_unlock(uint32_t was);
static inline uint32_t wf_port_lock(void) { return wfx_port_lock(); }
static inline void wf_port_unlock(uint32_t was) { wfx_port_unlock(was); }

// The state of the table of names: also shared (posix_names.c).
extern void *wfx_names_state;
#define WF_PORT_NAMES      wfx_names_state
#define WF_PORT_NAMES_SIZE 512

#endif
