// SPDX-License-Identifier: MIT
// Slot traces in the text of QNX's traceprinter.
#ifndef TRACEPRINTER_H
#define TRACEPRINTER_H

#include "stream.h"
#include "wallfly_host/wf_sat.h"

struct traceprinter_options {
    struct wf_sat_options text; // release, order and rate are the log's
    bool strict, quiet;
};

// Reads what the arguments name, those of stream_open, to its end. Complains itself; returns an
// exit code.
int traceprinter_run(const struct args *args, const struct traceprinter_options *options);

#endif
