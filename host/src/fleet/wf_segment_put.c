// SPDX-License-Identifier: MIT
// Segments as chunks of a recording: what is read back is the stream, with its names and breaks.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_trace.h"
#include "wfi_segment.h"

struct lane {
    struct wf_recording_writer *w;
    unsigned number;
    uint64_t time_us;
};

static int put(const struct lane *l, enum wf_chunk_kind kind, const void *bytes, size_t len) {
    const struct wf_chunk chunk = {
        .kind = kind, .lane = l->number, .time_us = l->time_us, .bytes = bytes, .len = len};
    return wf_recording_put(l->w, &chunk);
}

// ---- begin

static int put_format(const struct lane *l, const struct wf_recording_format *format) {
    size_t len;
    uint8_t *bytes = wf_recording_put_format(format, &len);
    int err = bytes ? put(l, WF_CHUNK_FORMAT, bytes, len) : WF_ERR_NOMEM;
    free(bytes);
    return err;
}

static bool are_given(const struct wf_session_options *o) {
    static const uint8_t none[WF_TYPE_END];
    return o && (o->hz || o->version || memcmp(o->bytes, none, sizeof none) != 0);
}

// Options of the session that a stream was loaded with, as a state.
static int put_given(const struct lane *l, const struct wf_session_options *o) {
    size_t len = 0;
    struct wf_session *session = wf_session_open(o, NULL);
    uint8_t *state = session ? wf_session_write_state(session, &len) : NULL;
    wf_session_close(session);
    int err = state ? put(l, WF_CHUNK_STATE, state, len) : WF_ERR_NOMEM;
    free(state);
    return err;
}

int wf_segment_put_begin(const struct wf_segment *first, const struct wf_session_options *session,
                         struct wf_recording_writer *w, unsigned lane, uint64_t time_us) {
    const struct lane l = {w, lane, time_us};
    struct wf_segment_whole as = {.format = {.name = wf_lane_format_name(WF_LANE_FRAMES)},
                                  .state = first->state,
                                  .state_len = first->state_len};
    (void)wf_segment_get_whole(first, &as);
    int err = put(&l, WF_CHUNK_UP, "", 0);
    if (err == WF_OK) err = put_format(&l, &as.format);
    if (err == WF_OK && as.state_len) return put(&l, WF_CHUNK_STATE, as.state, as.state_len);
    return err == WF_OK && are_given(session) ? put_given(&l, session) : err;
}

// ---- a segment

static int put_break(const struct lane *l, uint64_t lost) {
    if (lost) {
        int err = wf_recording_skip(l->w, l->number, lost);
        return err == WF_ERR_USAGE ? WF_ERR_BAD_STATE : err;
    }
    int err = put(l, WF_CHUNK_DOWN, "", 0);
    return err == WF_OK ? put(l, WF_CHUNK_UP, "", 0) : err;
}

int wf_segment_put(const struct wf_segment *segment, struct wf_recording_writer *w, unsigned lane,
                   uint64_t time_us) {
    const struct lane l = {w, lane, time_us};
    size_t at = 0;
    int err = WF_OK;
    for (size_t i = 0; i <= segment->break_count && err == WF_OK; ++i) {
        const struct wf_segment_break *b = i < segment->break_count ? &segment->breaks[i] : NULL;
        const size_t until = b && b->at < segment->len ? b->at : segment->len;
        if (until > at) {
            err = put(&l, WF_CHUNK_BYTES, segment->bytes + at, until - at);
            at = until;
        }
        if (b && err == WF_OK) err = put_break(&l, b->lost);
    }
    return err;
}
