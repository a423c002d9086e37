// SPDX-License-Identifier: MIT
// Profiles: how much of its trace a device sends. The text is the same on the command line, in the
// table `device`, in MQTT messages and in the header of an HTTP answer (docs/fleet-chunks.md):
//
//   stream                all of it
//   stats=SECONDS/PERIOD  the first SECONDS of each PERIOD, both in s: stats=10/3600
//   box                   black boxes alone
//
// Pure functions, for any thread.
#ifndef WF_FLEET_PROFILE_H
#define WF_FLEET_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum wf_fleet_profile_kind {
    WF_FLEET_PROFILE_STREAM,
    WF_FLEET_PROFILE_STATS,
    WF_FLEET_PROFILE_BOX
};

enum {
    WF_FLEET_PROFILE_PERIOD_MAX = 86400, // s
    WF_FLEET_PROFILE_MAX = 24            // bytes of a text, with its end
};

#define WF_FLEET_PROFILE_HEADER "Wallfly-Profile" // of an answer of the agent over HTTP

// One of zeros is `stream`.
struct wf_fleet_profile {
    enum wf_fleet_profile_kind kind;
    uint32_t seconds, period; // of STATS, in s: 1 <= seconds < period <= PERIOD_MAX; else 0
};

// Reads the text of a profile. Numbers have no sign and no zero in front, so that each profile has
// one text.
//   error    what is wrong; may be null
//   returns  WF_OK, WF_ERR_USAGE (*profile is unchanged)
int wf_fleet_profile_parse(const char *text, size_t len, struct wf_fleet_profile *profile,
                           struct wf_error *error);
void wf_fleet_profile_print(const struct wf_fleet_profile *profile,
                            char text[WF_FLEET_PROFILE_MAX]);
bool wf_fleet_profile_is(const struct wf_fleet_profile *a, const struct wf_fleet_profile *b);

// Returns whether a device sends its trace at a time.
//   now_s    time in s since 1970 UTC
//   shift_s  how much earlier than those of 1970 the periods begin: each device has another one,
//            so that not all send at once
bool wf_fleet_profile_is_open(const struct wf_fleet_profile *profile, uint64_t now_s,
                              uint64_t shift_s);

#ifdef __cplusplus
}
#endif
#endif
