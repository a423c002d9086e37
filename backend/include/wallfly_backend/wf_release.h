// SPDX-License-Identifier: MIT
// Gets the figures of a version of the firmware, of all devices together, out of a project's tables
// as a profile (wf_profile.h), to compare it with that of another version (wf_diff.h).
//
// Its blocks, whose differences show how much chance changes a figure, are groups of devices; with
// fewer than WF_RELEASE_DEVICES devices groups of segments. Segments with a hole in the data are
// left out. A figure of which they have more than a tenth of the values is marked.
//
// Context: one thread; waits for the engine.
#ifndef WF_RELEASE_H
#define WF_RELEASE_H

#include "wallfly_host/wf_profile.h"
#include "wf_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_RELEASE_DEVICES = 8 };

struct wf_release_about {
    uint64_t devices, segments, with_holes; // with_holes: segments that are left out
    uint64_t records;
    int64_t missing;
};

// about: set, may be null
// returns  null with `error`: the errors of wf_engine_run; WF_ERR_USAGE (no name of a project);
//          WF_ERR_READ (no segment has this version); WF_ERR_NOMEM
struct wf_profile *wf_release_read(struct wf_engine *engine, const char *project,
                                   const char *version, struct wf_release_about *about,
                                   struct wf_error *error);

#ifdef __cplusplus
}
#endif
#endif
