// SPDX-License-Identifier: MIT
// Rows of the table of segments become chunks of a recording.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_time.h"
#include "wallfly_host/wf_trace.h"
#include "wfb_rows.h"
#include "wfb_window.h"

// ---- a lane

static int put(struct wfb_window *w, enum wf_chunk_kind kind, unsigned lane, uint64_t utc_ns,
               const void *bytes, size_t len) {
    const struct wf_chunk chunk = {.kind = kind,
                                   .lane = lane,
                                   .time_us =
                                       utc_ns > w->start_ns ? (utc_ns - w->start_ns) / 1000 : 0,
                                   .bytes = bytes,
                                   .len = len};
    return wf_recording_put(w->writer, &chunk);
}

static struct wf_session *open_session(const struct wfb_window_stream *s, uint64_t hz) {
    struct wf_session_options o = {
        .size = sizeof o, .hz = s->rate ? s->rate : hz, .version = (uint16_t)s->qs_version};
    memcpy(o.bytes, s->sizes, sizeof o.bytes);
    return wf_session_open(&o, NULL);
}

// hz: of a segment that does not have it, any: times are not shown without one.
static int read_zero(struct wfb_window_stream *s, const struct wf_segment *first, uint64_t hz) {
    struct wf_session *session = open_session(s, hz);
    struct wf_scale scale = {0};
    struct wf_item item;
    int err = session ? WF_OK : WF_ERR_NOMEM;
    if (session && first->state_len)
        err = wf_session_read_state(session, first->state, first->state_len);
    for (size_t piece = 0; err == WF_OK && wf_segment_feed(first, piece, session); ++piece) {
        while (wf_session_next(session, &item)) {
        }
    }
    const uint64_t found = session ? wf_session_target(session)->hz : 0;
    if (err == WF_OK) {
        s->zero = s->zero_ns = wf_time_zero(session, false);
        if (found) wf_scale_set(&scale, found, 0);
        if (found && !hz) s->zero_ns = wf_scale_ns(&scale, s->zero);
    }
    wf_session_close(session);
    return err == WF_OK && !found ? read_zero(s, first, 1) : err;
}

// The state in front of the first segment: with the sizes that the stream was loaded with, if it
// begins there.
static int put_state(struct wfb_window *w, struct wfb_window_stream *s,
                     const struct wf_segment *first, uint64_t utc_ns) {
    static const uint8_t none[WF_TYPE_END];
    size_t len = first->state_len;
    uint8_t *made = NULL;
    const bool given = s->rate || s->qs_version || memcmp(s->sizes, none, sizeof none) != 0;
    if (!len && given) {
        struct wf_session *session = open_session(s, 0);
        made = session ? wf_session_write_state(session, &len) : NULL;
        wf_session_close(session);
        if (!made) return WF_ERR_NOMEM;
    }
    const void *bytes = made ? made : first->state;
    int err = len ? put(w, WF_CHUNK_STATE, s->lane, utc_ns, bytes, len) : WF_OK;
    free(made);
    return err;
}

static int begin_lane(struct wfb_window *w, struct wfb_window_stream *s,
                      const struct wf_segment *first, uint64_t utc_ns) {
    uint8_t place[WF_RECORDING_PLACE_MAX];
    const struct wf_recording_place p = {
        .start_ns = s->origin_ns, .offset = first->offset, .shown = true, .zero = s->zero};
    const struct wf_recording_format format = {.name = wf_lane_format_name(WF_LANE_FRAMES)};
    size_t format_len;
    uint8_t *frames = wf_recording_put_format(&format, &format_len);
    int err = frames ? put(w, WF_CHUNK_UP, s->lane, utc_ns, "", 0) : WF_ERR_NOMEM;
    if (err == WF_OK) err = put(w, WF_CHUNK_FORMAT, s->lane, utc_ns, frames, format_len);
    free(frames);
    if (err == WF_OK) err = put_state(w, s, first, utc_ns);
    if (err == WF_OK)
        err = put(w, WF_CHUNK_PLACE, s->lane, utc_ns, place, wf_recording_put_place(&p, place));
    s->end = first->offset;
    s->begun = true;
    return err;
}

static int put_break(struct wfb_window *w, const struct wfb_window_stream *s, uint64_t lost,
                     uint64_t utc_ns) {
    if (lost) {
        int skipped = wf_recording_skip(w->writer, s->lane, lost);
        return skipped == WF_ERR_USAGE ? WF_ERR_ENGINE : skipped; // absurd numbers
    }
    int err = put(w, WF_CHUNK_DOWN, s->lane, utc_ns, "", 0);
    return err == WF_OK ? put(w, WF_CHUNK_UP, s->lane, utc_ns, "", 0) : err;
}

static int put_segment(struct wfb_window *w, struct wfb_window_stream *s,
                       const struct wf_segment *segment, uint64_t utc_ns) {
    size_t at = 0;
    int err = WF_OK;
    if (segment->offset > s->end) err = put_break(w, s, segment->offset - s->end, utc_ns);
    for (size_t i = 0; i <= segment->break_count && err == WF_OK; ++i) {
        const struct wf_segment_break *b = i < segment->break_count ? &segment->breaks[i] : NULL;
        size_t until = b && b->at < segment->len ? b->at : segment->len;
        if (until > at)
            err = put(w, WF_CHUNK_BYTES, s->lane, utc_ns, segment->bytes + at, until - at);
        if (until > at) at = until;
        if (b && err == WF_OK) err = put_break(w, s, b->lost, utc_ns);
    }
    s->end = wf_segment_end(segment);
    w->found.bytes += segment->len;
    return err;
}

// ---- asking

static int fail(const struct wfb_window *w, int err, struct wf_error *error) {
    if (err == WF_ERR_ENGINE)
        return wf_error_set(error, err, "%s.segment: a row cannot be read", w->o->project);
    return err == WF_OK ? WF_OK : wf_error_code(error, err);
}

static int ask_rows(struct wfb_window *w, const struct wfb_window_stream *s, uint64_t from,
                    uint64_t until, struct wfb_rows *rows, struct wf_error *error) {
    const struct wfb_rows_of of = {w->o->project, w->device, s->stream};
    return wfb_rows_ask(w->o->engine, &of, from, until, rows, error);
}

int wfb_window_find_zero(struct wfb_window *w, struct wfb_window_stream *s,
                         struct wf_error *error) {
    struct wfb_rows rows;
    struct wfb_row row = {.breaks = NULL};
    int err = ask_rows(w, s, s->first_at, s->first_at, &rows, error);
    if (err != WF_OK) return err;
    err = wfb_rows_next(&rows, &row);
    if (err == WF_OK) err = read_zero(s, &row.segment, 0);
    free(row.breaks);
    return fail(w, err, error);
}

// Writes segments [from, from + count) of the list, which are of one stream.
static int write_some(struct wfb_window *w, size_t from, size_t count, struct wfb_row *row,
                      struct wf_error *error) {
    struct wfb_rows rows;
    struct wfb_window_segment *list = &w->segments[from];
    struct wfb_window_stream *s = &w->streams[list->stream];
    int err = ask_rows(w, s, list[0].offset, list[count - 1].offset, &rows, error);
    if (err != WF_OK) return err;
    size_t i = 0;
    for (; rows.at < rows.end && err == WF_OK; ++i) {
        const uint64_t utc_ns = list[i < count ? i : count - 1].utc_ns;
        err = wfb_rows_next(&rows, row);
        if (err == WF_OK && !s->begun) err = begin_lane(w, s, &row->segment, utc_ns);
        if (err == WF_OK) err = put_segment(w, s, &row->segment, utc_ns);
    }
    if (err == WF_OK && i < count) err = WF_ERR_ENGINE; // the answer was cut off
    return fail(w, err, error);
}

static int write_all(struct wfb_window *w, struct wf_error *error) {
    struct wfb_row row = {.breaks = NULL};
    int err = WF_OK;
    for (size_t at = 0, n; at < w->segment_count && err == WF_OK; at += n) {
        for (n = 1; n < WFB_ROWS_AT_A_TIME && at + n < w->segment_count &&
                    w->segments[at + n].stream == w->segments[at].stream;)
            ++n;
        err = write_some(w, at, n, &row, error);
    }
    free(row.breaks);
    for (size_t i = 0; i < w->stream_count && err == WF_OK; ++i) {
        if (w->streams[i].used)
            err = fail(w, put(w, WF_CHUNK_DOWN, w->streams[i].lane, 0, "", 0), error);
    }
    return err;
}

int wfb_window_write(struct wfb_window *w, wf_write_fn write, void *ctx, struct wf_error *error) {
    struct wf_recording_head head = {.part = 1};
    unsigned lane = 0;
    for (size_t i = 0; i < w->stream_count; ++i) {
        if (w->streams[i].used) w->streams[i].lane = lane++;
    }
    w->start_ns = head.start_ns = w->segments[0].utc_ns;
    if (w->o->tool) snprintf(head.tool, sizeof head.tool, "%s", w->o->tool);
    w->writer = wf_recording_create(&head, write, ctx, error);
    if (!w->writer) return error->code;
    int err = write_all(w, error), end = wf_recording_finish(w->writer);
    return err == WF_OK ? fail(w, end, error) : err;
}
