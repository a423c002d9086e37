// SPDX-License-Identifier: MIT
// What was seen on a lane, besides its ledger.
#ifndef SEEN_H
#define SEEN_H

#include "look.h"

enum {
    SEEN_KEYS = 1024,  // most objects and functions that are remembered
    SEEN_ARRIVALS = 64 // most arrivals
};

// When a stamp arrived, in seconds.
struct seen_arrival {
    double at;
    uint64_t tick;
};

struct seen_key {
    enum wf_effect dict; // WF_EFFECT_NAME_OBJECT or WF_EFFECT_NAME_FUNCTION
    uint64_t key;
    bool task;
};

struct doctor_seen {
    struct wf_session *session;
    uint64_t stamped; // records with a time stamp
    uint64_t tick_first, tick_last;
    double at_first, at_last; // when the first stamp and the last one arrived, in seconds
    // Some arrivals, evenly over the look; the first one is behind the records that had waited in
    // the target's ring.
    struct seen_arrival arrivals[SEEN_ARRIVALS];
    unsigned arrival_count;
    double arrival_gap; // between two of them, in seconds
    uint64_t stamp_last;
    uint64_t wraps; // stamps lower than the one before, without a restart
    unsigned resets_last;
    uint64_t malformed;    // records, while the target's sizes were known
    unsigned resets;       // of the target
    bool info;             // a target info came during the look
    struct seen_key *keys; // that records refer to, each once
    unsigned key_count;
    bool begins_within; // the first bytes are the rest of a frame
    bool failed;        // out of memory
    // Losses in the target: by the counts of SYNC records.
    bool synced;
    uint64_t lost_bytes;  // of the last SYNC
    uint64_t burst_bytes; // most of one hole
    uint64_t bursts;      // holes with records that the target gave up
    uint64_t total_bytes; // lost during the look
    uint64_t unreported;  // records missing behind the last SYNC
    uint64_t texts;       // damages with printable pieces
    char text[120];       // a sample of them
};

#endif
