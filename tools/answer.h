// SPDX-License-Identifier: MIT
// Answers to those questions of the page that need the records themselves (docs/page-protocol.md):
// each reads a stretch of the trace again and writes the members of its JSON answer.
#ifndef ANSWER_H
#define ANSWER_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "replay.h"
#include "wallfly_host/wf_timeline.h"

enum { ANSWER_ROWS = 500 }; // before, and behind, at most

struct answering {
    struct replay *replay;
    struct wf_timeline *timeline;
    const char *source; // its name
    unsigned lane;
    uint64_t t0;                                         // tick of time 0
    uint64_t hz;                                         // 0: unknown
    bool target_clock;                                   // times shown are of the target's clock
    bool ended;                                          // wf_timeline_end was called
    bool (*tell)(void *ctx, uint64_t done, uint64_t of); // as in struct replay_reading
    void *tell_ctx;
};

// Writes `"records":[...],"first":true` and so on.
//   ask      the request
//   why      on an error what is wrong, for the user
//   returns  WF_OK; WF_ERR_STOPPED: `tell` gave up; WF_ERR_USAGE: the request makes no sense;
//            WF_ERR_READ, WF_ERR_NOMEM
typedef int answer_fn(const struct answering *a, const cJSON *ask, FILE *out, char why[256]);
answer_fn answer_records, answer_record, answer_find, answer_stats, answer_sequence, answer_machine;

struct answer {
    const char *op;
    answer_fn *answer;
};
extern const struct answer answers[]; // the last one has no name

// A whole number of the request in least..most; false: it is not there, `why` is set.
bool answer_number(const cJSON *ask, const char *name, int64_t least, int64_t most, int64_t *value,
                   char why[256]);
// A time of the page's as a tick of the target.
uint64_t answer_tick(const struct answering *a, int64_t t);
// And back.
static inline double answer_time(const struct answering *a, uint64_t tick) {
    return tick >= a->t0 ? (double)(tick - a->t0) : -(double)(a->t0 - tick);
}
// `from` and `until`, as ticks of the target.
bool answer_window(const struct answering *a, const cJSON *ask, uint64_t *from, uint64_t *until,
                   char why[256]);

#endif
