// SPDX-License-Identifier: MIT
// Slot traces in the text of QNX's traceprinter.
#ifndef TRACEPRINTER_H
#define TRACEPRINTER_H

#include "slots.h"

struct traceprinter_options {
    struct wf_sat_options text; // release, order and rate are the log's
    struct slots_options slots;
    bool strict, quiet;
};

// Reads the source, or if `image` that image of memory, to its end. Complains itself; returns an
// exit code.
int traceprinter_run(const char *name, bool image, const struct traceprinter_options *options);

#endif
