// SPDX-License-Identifier: MIT
// Prints what `wallfly info` shows of a slot trace: attributes, cores, classes, losses by core.
#ifndef INFO_SLOTS_H
#define INFO_SLOTS_H

#include "stream.h"

void info_slots_text(const struct lane *l);
void info_slots_json(const struct lane *l); // a member of the lane's object, with a comma after it

#endif
