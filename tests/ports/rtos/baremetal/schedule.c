// SPDX-License-Identifier: MIT
// A main loop of two phases with nested interrupts.

#include "run.h"
#include "wf_baremetal.h"

static uint8_t depth;
static int input, control;
static const char filter[] = "filter";

static void inner(void) {
    WF_ISR_ENTER_N(depth, 7);
    WF_ISR_EXIT_N(depth, 7);
}

static void outer(void) {
    WF_ISR_ENTER(depth);
    inner();
    WF_ISR_EXIT(depth);
}

static void schedule(void) {
    WF_PHASE_CREATE(&input, "input");
    WF_PHASE_CREATE(&control, "control");
    WF_NAME(filter, "filter");
    outer();
    WF_PHASE(NULL, &input);
    WF_PHASE(&input, &control);
    WF_SPAN_BEGIN(&control, filter);
    outer();
    WF_SPAN_END(&control, filter);
    WF_PHASE(&control, NULL);
    inner();
    WF_PHASE(NULL, &input);
}
