// SPDX-License-Identifier: MIT
// Gets the streams of a device, or a window of them, out of a project's tables (wf_loader.h), as a
// recording (wf_recording.h) that is read as any other: each stream is a lane, in the order of
// their origins. A lane has whole segments, with the one before the window, which sets what tasks
// and objects do when it begins; its times and places are shown as those of the whole stream.
// Segments that are not in the tables are lost bytes.
//
// Context: one thread; waits for the engine.
#ifndef WF_WINDOW_H
#define WF_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_writer.h"
#include "wf_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

// A time in ns: since 1970 UTC, or since the first time of each stream.
struct wf_window_bound {
    bool given, utc;
    uint64_t ns;
};

enum { WF_WINDOW_BOUND_MAX = 56 };

// Parses a time: since the beginning of the stream (12.5, 30ms, 2h), of the day
// (2026-01-02T03:04:05.678Z), or in ms since 1970 (12 or 13 digits). Returns false if it is none,
// or if the bound was given before.
bool wf_window_bound_parse(const char *text, size_t len, struct wf_window_bound *b);
// Writes a time so that wf_window_bound_parse gets the same one.
void wf_window_bound_put(const struct wf_window_bound *b, char to[WF_WINDOW_BOUND_MAX]);
// Parses the number of a stream.
bool wf_window_stream_parse(const char *text, size_t len, uint64_t *stream);

struct wf_window_options {
    size_t size; // sizeof(struct wf_window_options)
    struct wf_engine *engine;
    const char *project, *device;
    uint64_t stream; // 0: all
    struct wf_window_bound from, until;
    const char *tool;    // as of wf_recording_head
    uint64_t most_bytes; // of its segments; 0: no bound
};

struct wf_window_found {
    unsigned streams;
    uint64_t segments, bytes;
    // Of the first lane: what the bounds are since its first time.
    uint64_t from_ns, until_ns;
    uint64_t last_ns; // ... its last time
    uint64_t stream;  // ... its number
    uint32_t build;   // of its segments, one of them; 0: they have none
    bool several_builds;
};

// Passes the bytes of a recording to `write`.
//   found    set to what is in it; may be null
//   returns  WF_OK, the errors of wf_engine_run, WF_ERR_NOMEM, WF_ERR_WRITE,
//            WF_ERR_USAGE (no names of a project and a device),
//            WF_ERR_READ (no such device or stream, nothing in the window, more streams than a
//            recording has lanes), WF_ERR_TOO_MANY (more than most_bytes; nothing is written)
int wf_window_read(const struct wf_window_options *options, wf_write_fn write, void *ctx,
                   struct wf_window_found *found, struct wf_error *error);

// Passes the bytes of the program that is stored for a window's names (wf_fleet_build): that of its
// build; if it has none that of the version of its first stream, if only one has this version.
// There is none for segments of several builds.
//   found    of wf_window_read
//   len      set to the number of bytes; 0: none is stored
//   returns  as wf_window_read
int wf_window_program(const struct wf_window_options *options, const struct wf_window_found *found,
                      wf_write_fn write, void *ctx, size_t *len, struct wf_error *error);

#ifdef __cplusplus
}
#endif
#endif
