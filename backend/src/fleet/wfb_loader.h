// SPDX-License-Identifier: MIT
// wf_loader.c has the batches, wf_loading.c the streams.
#ifndef WFB_LOADER_H
#define WFB_LOADER_H

#include "wallfly_backend/wf_loader.h"

// A stream whose origin is fixed. Its row may still be in the batch.
struct wfb_known {
    char *device, *version;
    uint64_t stream, origin_ns;
    struct wf_session_options session;
};

struct wf_loader {
    struct wf_loader_options o;
    char *project;
    struct wf_fleet *fleet;          // the rows of the batch
    uint64_t bytes;                  // of segments in it
    bool has_tokens, has_partitions; // settings of the engine
    struct wfb_known *known;
    size_t known_count, known_cap;
    struct wf_loader_totals totals;
    struct wf_error error; // the first one
};

// Returns the loader's error, or sets it.
int wfb_loader_fail(struct wf_loader *l, const struct wf_error *error);
int wfb_loader_error(const struct wf_loader *l, struct wf_error *error);

// Finds out whether the stream was loaded before, and with what.
//   known  set to it; or null
int wfb_loader_find(struct wf_loader *l, const char *device, uint64_t stream,
                    const struct wfb_known **known, struct wf_error *error);
// Fixes the origin of a stream: adds its row to the batch. Returns null when out of memory.
const struct wfb_known *wfb_loader_add(struct wf_loader *l, const struct wf_fleet_stream *stream,
                                       const char *source);
// Adds the rows of a segment, and sends the batch when it is full.
int wfb_loader_put(struct wf_loader *l, const struct wf_fleet_stream *stream,
                   const struct wf_segment *previous, const struct wf_segment *segment,
                   struct wf_error *error);

#endif
