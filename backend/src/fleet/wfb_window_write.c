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

static struct wf_session_options session_options(const struct wfb_window_stream *s, uint64_t hz) {
    struct wf_session_options o = {
        .size = sizeof o, .hz = s->rate ? s->rate : hz, .version = (uint16_t)s->qs_version};
    memcpy(o.bytes, s->sizes, sizeof o.bytes);
    return o;
}

static void set_zero(struct wfb_window_stream *s, struct wf_session *session, bool timed) {
    struct wf_scale scale = {0};
    const uint64_t hz = wf_session_target(session)->hz;
    s->zero = s->zero_ns = wf_time_zero(session, false);
    if (!hz || !timed) return;
    wf_scale_set(&scale, hz, 0);
    s->zero_ns = wf_scale_ns(&scale, s->zero);
}

// hz: of a segment that does not have it, any: times are not shown without one.
static int read_zero(struct wfb_window_stream *s, const struct wf_segment *first, uint64_t hz) {
    const struct wf_session_options o = session_options(s, hz);
    struct wf_session *session = wf_session_open(&o, NULL);
    struct wf_item item;
    int err = session ? WF_OK : WF_ERR_NOMEM;
    if (session && first->state_len)
        err = wf_session_read_state(session, first->state, first->state_len);
    for (size_t piece = 0; err == WF_OK && wf_segment_feed(first, piece, session); ++piece) {
        while (wf_session_next(session, &item)) {
        }
    }
    const bool found = session && wf_session_target(session)->hz;
    if (err == WF_OK) set_zero(s, session, !hz);
    wf_session_close(session);
    return err == WF_OK && !found ? read_zero(s, first, 1) : err;
}

static int read_zero_of_whole(struct wfb_window_stream *s, const struct wf_segment *whole) {
    const struct wf_session_options o = session_options(s, 0);
    struct wf_error error;
    struct wf_trace *t = wf_segment_open(whole, &o, &error);
    struct wf_item item;
    if (!t) return error.code == WF_ERR_NOMEM ? WF_ERR_NOMEM : WF_ERR_ENGINE;
    while (wf_trace_next(t, &item)) {
    }
    set_zero(s, wf_lane_session(wf_trace_lane(t, 0, NULL)), true);
    wf_trace_close(t);
    return WF_OK;
}

// Absurd numbers are the engine's.
static int of_engine(int err) {
    return err == WF_ERR_BAD_STATE || err == WF_ERR_USAGE ? WF_ERR_ENGINE : err;
}

static int put_place(struct wfb_window *w, const struct wfb_window_stream *s,
                     const struct wf_segment *first, uint64_t time_us) {
    uint8_t place[WF_RECORDING_PLACE_MAX];
    const struct wf_recording_place p = {
        .start_ns = s->origin_ns, .offset = first->offset, .shown = true, .zero = s->zero};
    const struct wf_chunk chunk = {.kind = WF_CHUNK_PLACE,
                                   .lane = s->lane,
                                   .time_us = time_us,
                                   .bytes = place,
                                   .len = wf_recording_put_place(&p, place)};
    return wf_recording_put(w->writer, &chunk);
}

// A whole trace is shown as the file that it was.
static int begin_lane(struct wfb_window *w, struct wfb_window_stream *s,
                      const struct wf_segment *first, uint64_t time_us) {
    const struct wf_session_options o = session_options(s, 0);
    int err = of_engine(wf_segment_put_begin(first, &o, w->writer, s->lane, time_us));
    if (err == WF_OK && !wf_segment_get_whole(first, NULL)) err = put_place(w, s, first, time_us);
    s->end = first->offset;
    s->begun = true;
    return err;
}

static int put_segment(struct wfb_window *w, struct wfb_window_stream *s,
                       const struct wf_segment *segment, uint64_t time_us) {
    int err = s->begun ? WF_OK : begin_lane(w, s, segment, time_us);
    if (err == WF_OK && segment->offset > s->end)
        err = of_engine(wf_recording_skip(w->writer, s->lane, segment->offset - s->end));
    if (err == WF_OK) err = of_engine(wf_segment_put(segment, w->writer, s->lane, time_us));
    s->end = wf_segment_end(segment);
    w->found.bytes += segment->len;
    return err;
}

static uint64_t time_us(const struct wfb_window *w, uint64_t utc_ns) {
    return utc_ns > w->start_ns ? (utc_ns - w->start_ns) / 1000 : 0;
}

static int end_lane(struct wfb_window *w, const struct wfb_window_stream *s) {
    const struct wf_chunk chunk = {.kind = WF_CHUNK_DOWN, .lane = s->lane};
    return wf_recording_put(w->writer, &chunk);
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
    if (err == WF_OK)
        err = wf_segment_get_whole(&row.segment, NULL) ? read_zero_of_whole(s, &row.segment)
                                                       : read_zero(s, &row.segment, 0);
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
        if (err == WF_OK) err = put_segment(w, s, &row->segment, time_us(w, utc_ns));
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
        if (w->streams[i].used) err = fail(w, end_lane(w, &w->streams[i]), error);
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
