// SPDX-License-Identifier: MIT
// Rules that a good trace keeps, with margins, for `wallfly check --learn`.
#ifndef CHECK_LEARN_H
#define CHECK_LEARN_H

#include <stdio.h>

#include "wallfly_host/wf_check.h"

struct learned {
    struct wf_check_rule rule; // its texts are of `name`
    char *name;                // of the task, interrupt, object, ...
    unsigned lane;
    uint64_t seen;         // number of values
    double low, high, p99; // values that were seen, in the unit of the rule
    bool passes;           // the rule passes on the trace
    char why[240];         // ... why not
};

struct learned_list {
    struct learned *list;
    unsigned count, room;
};

// Adds the rules that the figures of a lane suggest. Returns false when out of memory.
bool learn_lane(struct learned_list *l, struct wf_stats *figures, unsigned lane, uint64_t hz);
void learn_free(struct learned_list *l);
// Writes the rules as a script, those that do not pass as comments. lanes: the trace has several.
void learn_write(FILE *f, const struct learned_list *l, const char *source, bool lanes);

#endif
