// SPDX-License-Identifier: MIT
// A device's traces in a project's tables as a source of all commands:
//   clickhouse://[USER@]HOST[:PORT]/PROJECT/DEVICE[?from=TIME&until=TIME&stream=NUMBER]
#ifndef FLEET_WINDOW_H
#define FLEET_WINDOW_H

#include "../cmd.h"

extern const char fleet_window_source[], fleet_window_sentence[]; // for help

// Gets what such operands name, as recordings in temporary files that are removed at the end of the
// program, and puts their names in place of the operands. Sets --from, --until and --at of the
// command from those of a single one. Returns an exit code, after a message if it is not good.
int fleet_window_operands(struct args *args);

#endif
