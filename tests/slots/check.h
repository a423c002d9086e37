// SPDX-License-Identifier: MIT
// Follows the slots of one core as they come out of the recorder, and fails the program at the
// first thing that cannot be: a broken chain without a loss in front, a stamp that goes back, more
// events than were made. Knows nothing of the recorder's code but the format.
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "wf_slot.h"

enum { CHECK_WORDS = 128 };

struct check_event {
    unsigned cls, event, core, count; // count of words
    uint64_t tick;
    uint32_t word[CHECK_WORDS];
};

struct check {
    unsigned core;
    bool opened;                   // a chunk has begun
    uint64_t delivered, lost;      // events
    uint64_t made, refused, slots; // as told last; slots seen, GONE included
    uint64_t since;                // delivered since MADE was told
    bool hole;                     // slots are gone since then
    uint32_t high;
    uint64_t tick, offset;
    bool closed;              // the closing MADE has come
    bool open;                // a chain
    struct check_event event; // being put together
    bool chained;             // a first slot is waited for: the chain's begin is lost
    void (*on)(void *ctx, const struct check_event *event);
    void *ctx;
};

void check_slot(struct check *c, const struct wf_slot *slot);
void check_fail(const char *why, uint64_t a, uint64_t b);

#endif
