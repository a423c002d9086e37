// SPDX-License-Identifier: MIT
// The log of a run. It is written as it grows, so it survives a crash.
#ifndef TEST_LOG_H
#define TEST_LOG_H

#include "wallfly_backend/wf_outfile.h"

// Opens the log (*log is null without a name), and checks that the JUnit file may be written:
// neither replaces a file that is not an earlier one. Returns an exit code, after an error message.
int log_open(const char *name, const char *junit, struct wf_files *files, struct wf_outfile **log);
// log may be null. Returns code or, after an error message, another exit code.
int log_close(struct wf_outfile *log, int code);

#endif
