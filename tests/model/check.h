// SPDX-License-Identifier: MIT
// The host's model against the truth of the simulated kernel, and its changes against its state.
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

// How much is known, of what could be: parts of all times behind records.
struct known {
    uint64_t cores[2], states[2], waits[2], holders[2], counts[2], irqs[2];
};

// Is all that the model claims true? exact: and does it know all of it?
// Returns null, or what is wrong.
const char *check_claims(const struct wf_model *m, const struct k_truth *truth, unsigned cores,
                         bool exact, struct known *known);

// What the changes say, followed from the first on.
struct follower;
struct follower *follower_open(void);
void follower_close(struct follower *f);
unsigned follower_odd(const struct follower *f); // records so far that cannot be
// Takes the changes of an item; null, or what is wrong with them or with the state behind them.
const char *follower_take(struct follower *f, struct wf_model *m);

#endif
