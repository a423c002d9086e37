// SPDX-License-Identifier: MIT
// Temporary files and folders of outputs, and leftovers of killed programs.
#ifndef WFB_LEFTOVER_H
#define WFB_LEFTOVER_H

#include <stdbool.h>

// Creates .NAME.wallfly-XXXXXX in a folder and locks it. folder: with its trailing slash, or "".
//   path     set to the new name; the caller frees it
//   returns  a descriptor, of a file for reading and writing or of the folder; -1 with errno set
int wfb_temporary(const char *folder, const char *name, bool directory, char **path);
// Removes the temporary files and folders of a folder that no process has locked.
void wfb_remove_leftovers(const char *folder);
// Removes a folder and the files in it.
void wfb_remove_folder(const char *path);

#endif
