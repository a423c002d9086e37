// SPDX-License-Identifier: MIT
// Converts ticks to nanoseconds and seconds to ticks. Nanoseconds have no drift: each time is
// computed from the ticks alone, rounded down, and never summed up. If the rate changes (a target
// that restarts with another clock), the scale continues from where it was. Without a rate a tick
// is a nanosecond.
#ifndef WF_TIME_H
#define WF_TIME_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wf_scale {
    uint64_t hz;       // ticks per second; 0: unknown
    uint64_t tick, ns; // begin of the scale
    uint64_t whole;    // nanoseconds of a tick; 0: no whole number
};

// Sets the rate from this tick on. If none was known before, it applies from the beginning.
void wf_scale_set(struct wf_scale *s, uint64_t hz, uint64_t tick);
// Returns the nanoseconds of a tick, at most INT64_MAX. A tick before the begin of the scale is
// converted by the scale's rate.
uint64_t wf_scale_ns(const struct wf_scale *s, uint64_t tick);
// Returns the tick nearest to a time in seconds, at hz ticks per second; hz 0: the time is in
// ticks. Clamped to the first and last tick; NaN gives the first.
uint64_t wf_time_to_ticks(double seconds, uint64_t hz);
// Returns the tick `seconds` after the tick `zero`, at most UINT64_MAX.
uint64_t wf_time_tick_at(double seconds, uint64_t hz, uint64_t zero);

#ifdef __cplusplus
}
#endif
#endif
