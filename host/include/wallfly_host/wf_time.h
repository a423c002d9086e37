// SPDX-License-Identifier: MIT
// Ticks to nanoseconds and seconds to ticks. Nanoseconds are without drift: each time is computed
// from the ticks alone, rounded down, and never summed up. If the rate changes (a target that comes
// back with another clock), the scale goes on from where it was. Without a rate a tick counts as a
// nanosecond.
#ifndef WF_TIME_H
#define WF_TIME_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wf_scale {
    uint64_t hz;       // ticks a second; 0: unknown
    uint64_t tick, ns; // where it begins
};

// From this tick on the rate is hz; if none was known before, it was so from the beginning.
void wf_scale_set(struct wf_scale *s, uint64_t hz, uint64_t tick);
// Nanoseconds of a tick, at most INT64_MAX. A tick before the scale's beginning counts by its rate.
uint64_t wf_scale_ns(const struct wf_scale *s, uint64_t tick);
// The tick next to a time in seconds, at hz ticks a second; hz 0: the time is ticks. What is before
// the first or behind the last tick is that one; no number (NaN) is the first.
uint64_t wf_ticks_of(double seconds, uint64_t hz);
// The tick that lies so many seconds behind the tick `zero`, at most UINT64_MAX.
uint64_t wf_tick_at(double seconds, uint64_t hz, uint64_t zero);

#ifdef __cplusplus
}
#endif
#endif
