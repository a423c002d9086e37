// SPDX-License-Identifier: MIT
// wf_window.c finds the segments of a window, wfb_window_write.c makes a recording of them.
#ifndef WFB_WINDOW_H
#define WFB_WINDOW_H

#include "wallfly_backend/wf_window.h"
#include "wallfly_host/wf_recording.h"
#include "wallfly_host/wf_segment.h"
#include "wallfly_host/wf_session.h"

enum { WFB_SQL_MAX = 1024 };

struct wfb_window_stream {
    uint64_t stream, origin_ns, rate;
    unsigned qs_version;
    uint8_t sizes[WF_TYPE_END];
    uint64_t first_at;          // offset of its oldest segment
    uint64_t least_ns, most_ns; // times of its segments, at least
    uint64_t zero, zero_ns;     // the tick that its times count from
    bool used, begun;           // begun: something of it was written
    unsigned lane;
    uint64_t end; // offset behind what was written
};

struct wfb_window_segment {
    size_t stream;                     // index
    uint64_t offset, begin_ns, end_ns; // times of the target
    uint32_t build;
    uint64_t length; // bytes
    uint64_t utc_ns; // of its begin, not before that of the one in front of it
};

struct wfb_window {
    const struct wf_window_options *o;
    char device[2 * 64 + 3]; // as a literal of SQL
    struct wfb_window_stream *streams;
    size_t stream_count;
    struct wfb_window_segment *segments; // in the order of time
    size_t segment_count, segment_cap;
    struct wf_window_found found;
    struct wf_recording_writer *writer;
    uint64_t start_ns;
};

// Finds the tick that a stream's times count from, in its oldest segment.
int wfb_window_find_zero(struct wfb_window *w, struct wfb_window_stream *s, struct wf_error *error);
// Writes the segments found.
int wfb_window_write(struct wfb_window *w, wf_write_fn write, void *ctx, struct wf_error *error);

#endif
