// SPDX-License-Identifier: MIT
// What commands have to say of slot traces (docs/slots.md).
#ifndef SLOTS_H
#define SLOTS_H

#include "cmd.h"
#include "wallfly_host/wf_trace.h"

enum slots_kind { SLOTS_NONE, SLOTS_QNX, SLOTS_OWN };

// What a file of this name holds; of standard input only if it can be read at any place. Complains
// of nothing.
enum slots_kind slots_in_file(const char *name);

// --clock=global|percpu. False after complaining.
bool slots_clock(const char *text, enum wf_slots_clock *clock);

// Was there a slot at all? Complains if not. Returns an exit code.
int slots_judge(const char *name, const struct wf_lane_slots *s);
// What arrived and what did not, on standard error.
void slots_summary(const char *name, const struct wf_lane_slots *s);

// Adds what the messages below speak of.
void slots_add(struct wf_slots_ledger *sum, const struct wf_slots_ledger *l);
// What did not arrive: "3 lost, 0 found no room; 1 damages".
struct slots_text {
    char text[160];
};
struct slots_text slots_missing(const struct wf_slots_ledger *l);
// Is anything lost or damaged?
bool slots_lossy(const struct wf_slots_ledger *l);
uint64_t slots_damages(const struct wf_slots_ledger *l);

#endif
