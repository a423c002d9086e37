// SPDX-License-Identifier: MIT
// An explanation of a job as JSON, for `wallfly stats` and for answers to the page
// (docs/page-protocol.md has its members).
#ifndef EXPLAIN_DATA_H
#define EXPLAIN_DATA_H

#include <stdio.h>

#include "wallfly_host/wf_explain.h"

struct explain_out {
    FILE *out;
    uint64_t zero; // tick of time 0
    uint64_t hz;   // of ticks, for times in nanoseconds; 0: times in ticks
    size_t most;   // parts that are written; the rest is counted
};

// Writes the members of an object, without its braces.
void explain_json(const struct explain_out *o, const struct wf_explain *e,
                  const struct wf_explained *job);

#endif
