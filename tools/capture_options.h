// SPDX-License-Identifier: MIT
// Options of commands that record: number of files, and replacing existing files.
#ifndef CAPTURE_OPTIONS_H
#define CAPTURE_OPTIONS_H

#include "cmd.h"
#include "wallfly_backend/wf_capture.h"

enum { CAPTURE_OPTIONS = 3 };
#define CAPTURE_ROWS                                                                               \
    {"force", 'f', NULL, "overwrite existing files"},                                              \
        {"split", 0, "LIMIT",                                                                      \
         "start a new file at this size (100M; K, M, G) or age (10m; s, m, h), or both with a "    \
         "comma. FILE gets numbers: trace-0001.wfr"},                                              \
    {                                                                                              \
        "ring", 0, "N", "with --split: keep the last N files"                                      \
    }

// first: index of the first of CAPTURE_ROWS. Returns false after an error message.
bool capture_parse(const struct args *args, unsigned first, struct wf_capture_options *o);

#endif
