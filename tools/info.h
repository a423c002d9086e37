// SPDX-License-Identifier: MIT
// The output of `wallfly info`, as text and as JSON.
#ifndef INFO_H
#define INFO_H

#include "stream.h"

void info_text(const struct stream *s);
void info_json(const struct stream *s);

// Slots: attributes, cores, classes, losses by core.
void info_slots_text(const struct lane *l);
void info_slots_json(const struct lane *l); // a member of the lane's object, with a comma after it

// Another tracer's recording; the JSON is members of the lane's object, with a comma after them.
bool info_is_foreign(const struct lane *l);
void info_foreign_target(const struct lane *l);
void info_foreign_losses(const struct lane *l);
void info_foreign_lacks(const struct lane *l);
void info_foreign_json(const struct lane *l);

// Returns SLOTS if any lane has it, otherwise TEXT or another tracer's format, otherwise FRAMES.
enum wf_lane_format info_format(const struct stream *s);
// Returns the name of a record; rows that differ only by a selector are counted together:
// "mutex_*".
const char *info_record_name(const struct lane *l, unsigned id, char text[64]);
// Returns the row of a record number that fits the version of the target best; null: unknown.
const struct wf_row *info_row(const struct lane *l, unsigned id);

#endif
