// SPDX-License-Identifier: MIT
// The outputs among a command's files (wf_outfile.h). folder: with its trailing slash, or "".
#ifndef WFB_FILES_H
#define WFB_FILES_H

#include "wallfly_backend/wf_outfile.h"

// Returns whether a name in a folder is already an output of this command. f may be null.
bool wfb_files_writes(const struct wf_files *f, const char *folder, const char *name);
// Notes an output. Returns false when out of memory.
bool wfb_files_write(struct wf_files *f, const char *folder, const char *name);

#endif
