// SPDX-License-Identifier: MIT
// Counts and losses at the end of a command, on standard error, so that text in a pipe stays clean.
#ifndef SUMMARY_H
#define SUMMARY_H

#include "stream.h"
#include "wallfly_backend/wf_front.h"

void summary_lanes(const struct stream *s);
// name: of the source. Returns whether nothing is missing or damaged.
bool summary_link(const char *name, struct wf_lane *lane);
void summary_fronts(struct wf_front *front);

#endif
