// SPDX-License-Identifier: MIT
// Aligns two clocks: estimates offset and drift of a clock x against a clock y from events that
// both have a time for, and bounds the error. docs/align.md describes the method. Both clocks are
// in ns, each from a zero of its own; y(x) is assumed to be a line as long as neither clock is set
// or restarted (one wf_align for each such time).
//
//   after:  y was read after the moment x. A block of a trace was received after its last record.
//   before: y was read before the moment x. A command was sent before the record of its effect.
//   same:   both sides report the same moment, with an unknown delay.
//
// Of a message, the sender's and the receiver's clock give `after` in one direction and `before` in
// the other one. Delays are not averaged: each event excludes lines, and the error is what is left.
// Memory is limited, however many events are added.
#ifndef WF_ALIGN_H
#define WF_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_align;

// What the result is based on.
enum wf_align_basis {
    WF_ALIGN_NOTHING,   // too few events: no result
    WF_ALIGN_ONE,       // one `same`: the offset; drift and error are not known
    WF_ALIGN_FEW,       // less than WF_ALIGN_SAME_MIN of `same`: the error is not known
    WF_ALIGN_SAME,      // `same`: the error is from their deviations
    WF_ALIGN_ONE_WAY,   // only one direction: the error holds if the shortest delay is not above
                        // `shortest_ns` of the result, which is taken from the spread of delays
    WF_ALIGN_STATED,    // only one direction, with shortest_ns of the options
    WF_ALIGN_BOTH_WAYS, // both directions
    WF_ALIGN_CONTRARY,  // no line agrees with the events: no result
    WF_ALIGN_BASES
};
// Returns "nothing", "one", "few", "same", "one-way", "stated", "both-ways", "contrary".
const char *wf_align_basis_name(enum wf_align_basis basis);

enum { WF_ALIGN_SAME_MIN = 12, WF_ALIGN_ONE_WAY_MIN = 32 }; // events that an error needs

struct wf_align *wf_align_open(void); // null when out of memory
void wf_align_close(struct wf_align *a);

// Add an event, in any order. Events without a place within 2^62 ns are ignored.
void wf_align_after(struct wf_align *a, int64_t x, int64_t y);
void wf_align_before(struct wf_align *a, int64_t x, int64_t y);
void wf_align_same(struct wf_align *a, int64_t x, int64_t y);

struct wf_align_options {
    size_t size;          // sizeof(struct wf_align_options)
    uint64_t shortest_ns; // in one direction: the shortest delay is not above this. 0: not known
};

struct wf_align_result {
    enum wf_align_basis basis;
    bool bounded;         // errors are known
    uint64_t events;      // all that were added
    int64_t from, until;  // x of the first and the last event
    double drift_ppm;     // y runs faster by this
    double drift_min_ppm; // bounded: the limits of it
    double drift_max_ppm;
    uint64_t shortest_ns; // ONE_WAY, STATED
};
// Computes the result of the events so far. `options` may be null. Returns WF_OK, WF_ERR_NOMEM,
// WF_ERR_USAGE (size 0).
int wf_align_solve(struct wf_align *a, const struct wf_align_options *options,
                   struct wf_align_result *result);

struct wf_align_time {
    bool known;   // else there is no result
    bool bounded; // `error` is known
    int64_t ns;
    uint64_t error_ns; // the true time is within ns - error .. ns + error
};
// Converts x to y, and y to x, by the last wf_align_solve. Outside the events the error grows with
// the uncertainty of the drift.
struct wf_align_time wf_align_to_y(const struct wf_align *a, int64_t x);
struct wf_align_time wf_align_to_x(const struct wf_align *a, int64_t y);

// Returns -1 if the moment `a` is certainly before `b`, 1 if after, 0 if the order is not known.
int wf_align_order(const struct wf_align_time *a, const struct wf_align_time *b);

#ifdef __cplusplus
}
#endif
#endif
