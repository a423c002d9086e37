// SPDX-License-Identifier: MIT
// Converts ticks to nanoseconds in integer arithmetic, and seconds to ticks.

#include "wallfly_host/wf_time.h"

#include <math.h>

enum { NS = 1000000000 };
__extension__ typedef unsigned __int128 wide;

static uint64_t ticks_to_ns(const struct wf_scale *s, uint64_t ticks) {
    uint64_t hz = s->hz;
    // Most rates divide 1e9 without a remainder: no division for each time.
    if (s->whole && ticks < INT64_MAX / NS * hz) return ticks * s->whole;
    if (!hz) return ticks > INT64_MAX ? INT64_MAX : ticks;
    uint64_t whole = ticks / hz, rest = ticks % hz;
    if (whole >= INT64_MAX / NS) return INT64_MAX;
    uint64_t part = hz <= UINT64_MAX / NS ? rest * NS / hz : (uint64_t)((wide)rest * NS / hz);
    return whole * NS + part;
}

void wf_scale_set(struct wf_scale *s, uint64_t hz, uint64_t tick) {
    if (hz == s->hz) return;
    bool late = s->hz == 0; // the rate applies from the start
    s->ns = late ? 0 : wf_scale_ns(s, tick);
    s->tick = late ? 0 : tick;
    s->hz = hz;
    s->whole = hz && NS % hz == 0 ? NS / hz : 0;
}

uint64_t wf_scale_ns(const struct wf_scale *s, uint64_t tick) {
    if (tick < s->tick) {
        uint64_t before = ticks_to_ns(s, s->tick - tick);
        return before < s->ns ? s->ns - before : 0;
    }
    uint64_t after = ticks_to_ns(s, tick - s->tick);
    return after > INT64_MAX - s->ns ? INT64_MAX : s->ns + after;
}

// A double holds 53 of a tick's 64 bits; a long double holds all of them on most machines.
uint64_t wf_time_to_ticks(double seconds, uint64_t hz) {
    long double ticks = (long double)seconds * (long double)(hz ? hz : 1);
    if (!(ticks > 0)) return 0;
    return ticks >= 18446744073709551615.0L ? UINT64_MAX : (uint64_t)roundl(ticks);
}

uint64_t wf_time_tick_at(double seconds, uint64_t hz, uint64_t zero) {
    uint64_t ticks = wf_time_to_ticks(seconds, hz);
    return ticks > UINT64_MAX - zero ? UINT64_MAX : zero + ticks;
}
