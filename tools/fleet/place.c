// SPDX-License-Identifier: MIT
// See place.h.

#include "place.h"

#include <string.h>

// Copies a part that has room; one that has none is no name.
static void copy_part(char *to, size_t cap, const char *from, size_t len) {
    to[0] = 0;
    if (len >= cap) return;
    memcpy(to, from, len);
    to[len] = 0;
}

bool fleet_place_parse(const char *text, struct fleet_place *place) {
    const size_t project = strcspn(text, "/");
    if (!project || !text[project]) return false;
    const char *device = text + project + 1;
    if (!*device || strchr(device, '/')) return false;
    copy_part(place->project, sizeof place->project, text, project);
    copy_part(place->device, sizeof place->device, device, strlen(device));
    if (!wf_fleet_is_project(place->project)) place->project[0] = 0;
    if (!wf_fleet_is_device(place->device)) place->device[0] = 0;
    return true;
}
