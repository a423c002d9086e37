// SPDX-License-Identifier: MIT
// Temporary files of windows, in a folder of the program. All are removed at its end, also by a
// signal. One thread.
#ifndef FLEET_FILES_H
#define FLEET_FILES_H

#include <stdio.h>

// Makes the folder, in $TMPDIR or /tmp. most: files at a time. Returns an exit code, after an error
// message.
int fleet_files_open(int most);
const char *fleet_files_folder(void);
// Creates a file for a device, of a name of its own.
//   name     set, valid until it is removed
//   returns  null with errno on an error
FILE *fleet_file_create(const char *device, const char *ending, const char **name);
void fleet_file_remove(const char *name); // null: does nothing

#endif
