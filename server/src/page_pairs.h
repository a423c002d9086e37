// SPDX-License-Identifier: MIT
// Records of two traces that belong together by an id that both have: messages, sent by one target
// and received by the other one, or a moment that both have recorded.
#ifndef PAGE_PAIRS_H
#define PAGE_PAIRS_H

#include "wallfly_host/wf_matcher.h"
#include "wallfly_server/page_query.h"

enum {
    PAIR_KINDS_MAX = 8,    // kinds of pairs in a query
    PAIR_RECORDS = 2 << 20 // most records of a trace that are kept
};

struct pair_record {
    uint64_t id; // the first whole number in its words
    uint64_t tick;
    uint32_t task; // that ran on its core: index in the model, plus 1; 0: none, or not known
    uint8_t kind, core;
    bool twice; // another one has the same id: it has no pair
};

// The records of one trace.
struct pair_side {
    const struct page_query_context *a;
    const char *text[PAIR_KINDS_MAX]; // in the name or the words of the records of each kind
    unsigned kinds;
    struct pair_record *records; // ordered by kind and id
    size_t count, cap;
    uint64_t nameless[PAIR_KINDS_MAX]; // records without a number
    bool full;                         // there are more
    uint32_t *entity;                  // of each task: in the timeline; 0: none
};

// Reads the trace. Returns as replay_run; the caller frees `records` and `entity` in any case.
int pair_side_read(struct pair_side *side, const struct replay_progress *progress,
                   struct wf_error *error);

#endif
