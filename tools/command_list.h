// SPDX-License-Identifier: MIT
// The commands that targets take, by name (wf_command_rows), on standard output.
#ifndef COMMAND_LIST_H
#define COMMAND_LIST_H

#include <stdbool.h>

void command_list(bool markdown); // as text, or as docs/command-list.md
// Describes a command. Lists similar names if there is none of this name.
void command_describe(const char *name);

#endif
