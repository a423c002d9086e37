// SPDX-License-Identifier: MIT
// Slot traces (docs/slots.md) for the commands: kernel-event logs, from any source, as text.
#ifndef SLOTS_H
#define SLOTS_H

#include "cmd.h"
#include "wallfly_host/wf_sat.h"

struct slots_options {
    struct wf_sat_options text; // release, order and rate are the log's
    uint64_t hz;                // 0: as the log says
    bool strict, quiet;
};

// Is there a file of this name that holds slots?
bool slots_is_file(const char *name);
// Reads the source to its end. Complains itself; returns an exit code.
int slots_print(const char *name, const struct slots_options *options);

#endif
