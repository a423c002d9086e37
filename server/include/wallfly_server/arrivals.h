// SPDX-License-Identifier: MIT
// The clock of the computer that recorded a trace: when the blocks of a recording arrived gives the
// time of day of each of its ticks, with an error (docs/align.md).
#ifndef ARRIVALS_H
#define ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "wallfly_host/wf_align.h"
#include "wallfly_host/wf_recording.h"
#include "wallfly_host/wf_timeline.h"

struct arrivals;

enum { ARRIVALS_PIECES = 64 }; // connections with a result of their own; later ones have none

struct arrivals *arrivals_open(void); // null when out of memory
void arrivals_close(struct arrivals *a);

// Pass all chunks of the lane, and its items, in their order. `hz` is the rate known so far.
//   start_ns  the begin of the recording, UTC since 1970
void arrivals_chunk(struct arrivals *a, const struct wf_chunk *chunk, uint64_t start_ns);
void arrivals_item(struct arrivals *a, const struct wf_item *item, uint64_t hz);
// The recording has ended: computes the result. Returns WF_OK, WF_ERR_NOMEM.
int arrivals_end(struct arrivals *a);

// Returns whether the time of day is known of any tick.
bool arrivals_known(const struct arrivals *a);
// Converts a tick to ns since the begin of the recording. Before, between and after connections it
// is not known.
struct wf_align_time arrivals_time(const struct arrivals *a, uint64_t tick);

// Writes the object `wall` of the page's protocol, or null. t0: tick of time 0.
void arrivals_put(FILE *out, const struct arrivals *a, uint64_t t0);

// Writes a piece of `wall` for another alignment: from the first to the last tick of `span`, time 0
// is the first one. x of `align` is in ns from there on. error_ns is added to the errors.
void arrivals_put_line(FILE *out, struct wf_align *align, const struct wf_align_result *result,
                       const struct wf_timeline_span *span, uint64_t error_ns);

#endif
