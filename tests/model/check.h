// SPDX-License-Identifier: MIT
// The host's model against the true state of the simulated kernel, and its changes against its
// state.
#ifndef CHECK_H
#define CHECK_H

#include "record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The known part of the state, and the total, summed over all records.
struct known {
    uint64_t cores[2], states[2], waits[2], holders[2], counts[2], irqs[2];
};

// Checks that all claims of the model are true; exact: and that it knows everything. Returns null
// or an error text.
const char *check_claims(const struct wf_model *m, const struct k_truth *truth, unsigned cores,
                         bool exact, struct known *known);

// Follows the changes from the first one on.
struct follower;
struct follower *follower_open(void);
void follower_close(struct follower *f);
unsigned follower_odd(const struct follower *f); // contradicting records so far
// Takes the changes of an item. Returns null, or an error text about them or the state after them.
const char *follower_take(struct follower *f, struct wf_model *m);

#endif
