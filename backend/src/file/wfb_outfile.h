// SPDX-License-Identifier: MIT
// Internals of outputs (wf_outfile.h): the outputs among a command's files (wf_files.c), temporary
// files and folders, and leftovers of killed programs (wfb_leftover.c). folder: with its trailing
// slash, or "".
#ifndef WFB_OUTFILE_H
#define WFB_OUTFILE_H

#include "wallfly_backend/wf_outfile.h"

// Returns whether a name in a folder is already an output of this command. f may be null.
bool wfb_files_writes(const struct wf_files *f, const char *folder, const char *name);
// Notes an output. Returns false when out of memory.
bool wfb_files_write(struct wf_files *f, const char *folder, const char *name);

// Creates .NAME.wallfly-XXXXXX in a folder and locks it.
//   path     set to the new name; the caller frees it
//   returns  a descriptor, of a file for reading and writing or of the folder; -1 with errno set
int wfb_temporary(const char *folder, const char *name, bool directory, char **path);
// Removes the temporary files and folders of a folder that no process has locked.
void wfb_remove_leftovers(const char *folder);
// Removes a folder and the files in it.
void wfb_remove_folder(const char *path);

#endif
