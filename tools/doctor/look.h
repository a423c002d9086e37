// SPDX-License-Identifier: MIT
// A look at a source: reads it for a while, decodes the bytes, and keeps what diagnoses need.
#ifndef LOOK_H
#define LOOK_H

#include "doctor.h"

struct look_limits {
    double first_s; // most time to wait for the first byte
    double run_s;   // time to read after it
    bool trial;     // end as soon as there are frames, or enough bytes without any
};

// Looks at a live source or a file; a file is read to its end. Fills `look`, also if the source
// cannot be opened. Free it with look_free.
void look_at(struct doctor *d, const char *source, const struct look_limits *limits,
             struct doctor_look *look);
void look_free(struct doctor_look *look);
// Returns whether the bytes are a trace.
bool look_has_trace(const struct doctor_look *look);
// Returns the seconds that are left of d->seconds.
double look_seconds_left(const struct doctor *d);

// (seen.c) What was seen on a lane, besides its ledger.
struct doctor_seen *seen_open(struct wf_session *session);
void seen_close(struct doctor_seen *seen);
// now_s: time of arrival.
void seen_take(struct doctor_seen *seen, const struct wf_item *item, double now_s);

#endif
