// SPDX-License-Identifier: MIT
// PROJECT/DEVICE, as in the paths of uploads and in a gateway's URL.
#ifndef FLEET_PLACE_H
#define FLEET_PLACE_H

#include <stdbool.h>

#include "wallfly_host/wf_fleet_sql.h"

struct fleet_place {
    char project[WF_FLEET_PROJECT_MAX + 1], device[WF_FLEET_DEVICE_MAX + 1];
};

// Splits a text. Returns false if it does not have two parts. A part that is no name of a project,
// or of a device, is empty then.
bool fleet_place_parse(const char *text, struct fleet_place *place);

#endif
