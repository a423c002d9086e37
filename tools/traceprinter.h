// SPDX-License-Identifier: MIT
// Slot traces as text in the style of QNX's traceprinter.
#ifndef TRACEPRINTER_H
#define TRACEPRINTER_H

#include "stream.h"
#include "wallfly_host/wf_sat.h"

struct traceprinter_options {
    struct wf_sat_options text; // release, order and rate are taken from the log
    bool strict, quiet;
};

// Reads the source of the arguments (as for stream_open) to its end. Prints errors itself; returns
// an exit code.
int traceprinter_run(const struct args *args, const struct traceprinter_options *options);

#endif
