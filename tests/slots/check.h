// SPDX-License-Identifier: MIT
// Follows the slots of one core as the recorder returns them, and ends the program at the first
// error: a broken chain without a loss before it, a stamp that goes back, more events than were
// made. It uses only the format, none of the recorder's code.
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
    uint64_t made, refused, slots; // from the last report; slots seen, including GONE
    uint64_t since;                // delivered since the last MADE
    bool hole;                     // slots have been lost since then
    uint32_t high;
    uint64_t tick, offset;
    bool closed;              // the last MADE has come
    bool open;                // a chain
    struct check_event event; // being assembled
    bool chained;             // waits for a first slot: the chain's begin is lost
    void (*on)(void *ctx, const struct check_event *event);
    void *ctx;
};

void check_slot(struct check *c, const struct wf_slot *slot);
void check_fail(const char *why, uint64_t a, uint64_t b);

#endif
