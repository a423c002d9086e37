// SPDX-License-Identifier: MIT
// A clock that is a variable.
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include "wallfly/wf_recorder.h"

enum { WF_PORT_HZ = 1000000 };

extern volatile wf_stamp bench_clock;

static inline wf_stamp wf_port_now(void) { return bench_clock; }

#endif
