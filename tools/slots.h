// SPDX-License-Identifier: MIT
// Messages about slot traces for the commands (docs/slots.md).
#ifndef SLOTS_H
#define SLOTS_H

#include "cmd.h"
#include "wallfly_host/wf_trace.h"

enum slots_kind { SLOTS_NONE, SLOTS_QNX, SLOTS_OWN };

// Returns the kind of slots in a file. Standard input is checked only if it is seekable. Prints no
// errors.
enum slots_kind slots_in_file(const char *name);
// Returns whether the file must be read with random access (wf_trace_read).
bool slots_is_whole_file(const char *name);

// Returns the format of a file of another tracer; UNKNOWN for any other source.
enum wf_lane_format slots_foreign_format(const char *name);

// Parses --clock=global|percpu. Returns false after an error message.
bool slots_clock(const char *text, enum wf_slots_clock *clock);

// Prints received and missing slots on standard error.
void slots_summary(const char *name, const struct wf_lane_slots *s);

// Adds the counts used by the messages below.
void slots_add(struct wf_slots_ledger *sum, const struct wf_slots_ledger *l);
// Describes the losses: "3 lost, 0 found no room; 1 damages".
struct slots_text {
    char text[160];
};
struct slots_text slots_missing(const struct wf_slots_ledger *l);

#endif
