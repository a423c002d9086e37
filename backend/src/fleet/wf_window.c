// SPDX-License-Identifier: MIT
// Which segments: for each stream of the device those that touch the window, the one before, which
// sets what tasks do, and the one behind, which may begin with a loss.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wfb_answer.h"
#include "wfb_options.h"
#include "wfb_rows.h"
#include "wfb_window.h"

static int bad_answer(struct wfb_window *w, const char *at, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_ENGINE, "%s: an answer that is no row: %.80s", w->o->project,
                        at);
}

// ---- streams

static bool take_stream(const char **at, struct wfb_window_stream *s) {
    char letters[WF_FLEET_SIZES_MAX];
    uint64_t version;
    uint64_t *const numbers[] = {&s->stream,   &s->origin_ns, &s->rate,   &version,
                                 &s->first_at, &s->least_ns,  &s->most_ns};
    if (!wfb_take_numbers(at, numbers, 7)) return false;
    size_t len = strcspn(*at, "\n");
    if (len >= sizeof letters) return false;
    memcpy(letters, *at, len);
    letters[len] = 0;
    *at += len + ((*at)[len] == '\n');
    s->qs_version = (unsigned)version;
    return wf_fleet_read_sizes(letters, s->sizes);
}

static int find_streams(struct wfb_window *w, struct wf_error *error) {
    char sql[WFB_SQL_MAX], one[64] = "";
    const struct wf_window_options *o = w->o;
    if (o->stream) snprintf(one, sizeof one, " AND stream = %" PRIu64, o->stream);
    snprintf(sql, sizeof sql,
             "SELECT stream, origin_ns, rate, qs_version, first_at, least, most, sizes FROM ("
             "SELECT stream, origin_ns, rate, qs_version, sizes FROM %s.stream FINAL "
             "WHERE device = %s%s) AS s ALL INNER JOIN (SELECT stream, min(offset) AS first_at, "
             "min(begin_ns) AS least, max(end_ns) AS most FROM %s.segment WHERE device = %s "
             "GROUP BY stream) AS of_segments USING (stream) ORDER BY origin_ns, stream",
             o->project, w->device, one, o->project, w->device);
    int err = wf_engine_ask(w->o->engine, sql, error);
    if (err != WF_OK) return err;
    const char *at = wf_engine_answer(o->engine, NULL);
    size_t count = 0;
    for (const char *p = at; *p; p += strcspn(p, "\n") + 1) {
        ++count;
        if (!p[strcspn(p, "\n")]) break;
    }
    w->streams = calloc(count + 1, sizeof *w->streams);
    if (!w->streams) return wf_error_code(error, WF_ERR_NOMEM);
    for (; w->stream_count < count; ++w->stream_count) {
        if (!take_stream(&at, &w->streams[w->stream_count])) return bad_answer(w, at, error);
    }
    if (count) return WF_OK;
    return wf_error_set(error, WF_ERR_READ,
                        o->stream ? "%s: device %s has no such stream" : "%s: has no device %s",
                        o->project, o->device);
}

// ---- segments

static bool add_segment(struct wfb_window *w, const struct wfb_window_segment *segment) {
    if (!wfb_grow(&w->segments, &w->segment_cap, w->segment_count, sizeof *w->segments))
        return false;
    w->segments[w->segment_count++] = *segment;
    return true;
}

// Adds all segments of a stream.
static int list_segments(struct wfb_window *w, size_t stream, struct wf_error *error) {
    char sql[WFB_SQL_MAX];
    struct wfb_window_segment segment = {.stream = stream};
    uint64_t build;
    uint64_t *const numbers[] = {&segment.offset, &segment.begin_ns, &segment.end_ns, &build,
                                 &segment.length};
    snprintf(sql, sizeof sql,
             "SELECT offset, begin_ns, end_ns, build, length FROM %s.segment FINAL WHERE device = "
             "%s AND "
             "stream = "
             "%" PRIu64 " ORDER BY offset",
             w->o->project, w->device, w->streams[stream].stream);
    int err = wf_engine_ask(w->o->engine, sql, error);
    const char *at = wf_engine_answer(w->o->engine, NULL);
    while (err == WF_OK && *at) {
        if (!wfb_take_numbers(&at, numbers, 5)) return bad_answer(w, at, error);
        segment.build = (uint32_t)build;
        if (!add_segment(w, &segment)) err = wf_error_code(error, WF_ERR_NOMEM);
    }
    return err;
}

// A bound as the target's time.
static uint64_t target_ns(const struct wf_window_bound *b, const struct wfb_window_stream *s,
                          uint64_t otherwise) {
    if (!b->given) return otherwise;
    if (b->utc) return b->ns > s->origin_ns ? b->ns - s->origin_ns : 0;
    return b->ns < UINT64_MAX - s->zero_ns ? s->zero_ns + b->ns : UINT64_MAX;
}

// Whether a time of the day is before, or behind, a target's time.
static bool is_before(const struct wf_window_bound *b, const struct wfb_window_stream *s,
                      uint64_t ns) {
    return b->given && b->utc && b->ns < s->origin_ns + ns;
}

static bool is_behind(const struct wf_window_bound *b, const struct wfb_window_stream *s,
                      uint64_t ns) {
    return b->given && b->utc && b->ns > s->origin_ns + ns;
}

static void note_bounds(struct wfb_window *w, const struct wfb_window_stream *s) {
    const uint64_t from = target_ns(&w->o->from, s, 0),
                   until = target_ns(&w->o->until, s, UINT64_MAX);
    w->found.from_ns = from > s->zero_ns ? from - s->zero_ns : 0;
    w->found.until_ns = until > s->zero_ns ? until - s->zero_ns : 0;
    w->found.last_ns = s->most_ns > s->zero_ns ? s->most_ns - s->zero_ns : 0;
}

// Keeps those of the segments from `begin` on, which are of a stream, that the window needs.
static void choose_segments(struct wfb_window *w, const struct wfb_window_stream *s, size_t begin) {
    struct wfb_window_segment *list = w->segments + begin;
    const size_t count = w->segment_count - begin;
    const uint64_t from = target_ns(&w->o->from, s, 0),
                   until = target_ns(&w->o->until, s, UINT64_MAX);
    size_t first = count ? count - 1 : 0, last = 0, kept = 0;
    for (size_t i = count; i-- > 0;) {
        if (list[i].end_ns >= from) first = i;
    }
    for (size_t i = 0; i < count; ++i) {
        if (list[i].begin_ns <= until) last = i;
    }
    first -= first > 0;
    last += last + 1 < count;
    for (size_t i = first; i <= last && i < count; ++i) {
        struct wfb_window_segment segment = list[i];
        segment.utc_ns = s->origin_ns + segment.begin_ns;
        if (kept && segment.utc_ns < list[kept - 1].utc_ns) segment.utc_ns = list[kept - 1].utc_ns;
        list[kept++] = segment;
    }
    w->segment_count = begin + kept;
}

static int find_segments(struct wfb_window *w, size_t stream, struct wf_error *error) {
    struct wfb_window_stream *s = &w->streams[stream];
    const size_t begin = w->segment_count;
    if (is_before(&w->o->until, s, s->least_ns) || is_behind(&w->o->from, s, s->most_ns))
        return WF_OK;
    int err = wfb_window_find_zero(w, s, error);
    if (err == WF_OK) err = list_segments(w, stream, error);
    if (err != WF_OK) return err;
    if (w->segment_count == begin) return WF_OK; // they were dropped meanwhile
    choose_segments(w, s, begin);
    s->used = true;
    if (!w->found.streams++) {
        w->found.stream = s->stream;
        note_bounds(w, s);
    }
    return WF_OK;
}

// In the order of time; those of one stream also in that of their offsets.
static int compare(const void *a, const void *b) {
    const struct wfb_window_segment *x = a, *y = b;
    if (x->utc_ns != y->utc_ns) return x->utc_ns < y->utc_ns ? -1 : 1;
    if (x->stream != y->stream) return x->stream < y->stream ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int find_all(struct wfb_window *w, struct wf_error *error) {
    int err = find_streams(w, error);
    for (size_t i = 0; i < w->stream_count && err == WF_OK; ++i) {
        err = find_segments(w, i, error);
        if (err == WF_OK && w->found.streams > WF_RECORDING_LANES)
            err = wf_error_set(error, WF_ERR_READ,
                               "%s: device %s has more than %d streams in this time; choose a time "
                               "of the day, or one of them by stream=",
                               w->o->project, w->o->device, WF_RECORDING_LANES);
    }
    if (err != WF_OK) return err;
    if (!w->segment_count)
        return wf_error_set(error, WF_ERR_READ, "%s: device %s has nothing in this time",
                            w->o->project, w->o->device);
    w->found.segments = w->segment_count;
    qsort(w->segments, w->segment_count, sizeof *w->segments, compare);
    return WF_OK;
}

static void note_build(struct wfb_window *w) {
    for (size_t i = 0; i < w->segment_count; ++i) {
        const uint32_t build = w->segments[i].build;
        if (!build || build == w->found.build) continue;
        w->found.several_builds |= w->found.build != 0;
        w->found.build = build;
    }
}

static int check_size(const struct wfb_window *w, struct wf_error *error) {
    const struct wf_window_options *o = w->o;
    uint64_t bytes = 0;
    for (size_t i = 0; i < w->segment_count; ++i) bytes += w->segments[i].length;
    if (!o->most_bytes || bytes <= o->most_bytes) return WF_OK;
    return wf_error_set(error, WF_ERR_TOO_MANY,
                        "%s: device %s has %" PRIu64 " MB in this time, more than %" PRIu64
                        "; choose a shorter one%s",
                        o->project, o->device, bytes / 1000000, o->most_bytes / 1000000,
                        w->stream_count > 1 ? ", or one of its streams" : "");
}

int wf_window_read(const struct wf_window_options *options, wf_write_fn write, void *ctx,
                   struct wf_window_found *found, struct wf_error *error) {
    struct wf_window_options o;
    struct wf_error own;
    struct wfb_window w = {.o = &o};
    if (!error) error = &own;
    int err = wfb_copy_options(&o, sizeof o, options, error);
    if (err == WF_OK && (!wf_fleet_is_project(o.project) || !wf_fleet_is_device(o.device)))
        err = wf_error_set(error, WF_ERR_USAGE, "'%.64s/%.64s' is no project and device", o.project,
                           o.device);
    if (err != WF_OK) return err;
    wf_fleet_quote(o.device, w.device, sizeof w.device);
    err = find_all(&w, error);
    if (err == WF_OK) err = check_size(&w, error);
    if (err == WF_OK) note_build(&w);
    if (err == WF_OK) err = wfb_window_write(&w, write, ctx, error);
    if (found) *found = w.found;
    free(w.streams);
    free(w.segments);
    return err;
}

int wf_window_program(const struct wf_window_options *options, const struct wf_window_found *found,
                      wf_write_fn write, void *ctx, size_t *len, struct wf_error *error) {
    char sql[2 * WFB_SQL_MAX], device[2 * WF_FLEET_DEVICE_MAX + 3], of[WFB_SQL_MAX];
    struct wf_window_options o;
    struct wf_error own;
    if (!error) error = &own;
    *len = 0;
    int err = wfb_copy_options(&o, sizeof o, options, error);
    if (err != WF_OK || found->several_builds) return err;
    wf_fleet_quote(o.device, device, sizeof device);
    if (found->build)
        snprintf(of, sizeof of, "build = %" PRIu32, found->build);
    else
        snprintf(of, sizeof of,
                 "version IN (SELECT version FROM %s.stream FINAL WHERE device = %s AND stream = "
                 "%" PRIu64 " AND version IN (SELECT version FROM %s.build WHERE version != '' "
                 "GROUP BY version HAVING uniqExact(build) = 1))",
                 o.project, device, found->stream, o.project);
    snprintf(sql, sizeof sql,
             "SELECT program, toUInt8(0) FROM %s.build WHERE %s ORDER BY changed DESC, build "
             "LIMIT 1 FORMAT RowBinary",
             o.project, of);
    err = wf_engine_ask(o.engine, sql, error);
    if (err != WF_OK) return err;
    struct wfb_rows rows = wfb_rows_answer(o.engine);
    if (rows.at == rows.end) return WF_OK;
    const char *bytes = (const char *)wfb_rows_text(&rows, len);
    if (rows.bad)
        return wf_error_set(error, WF_ERR_ENGINE, "%s.build: a row cannot be read", o.project);
    return write(ctx, bytes, *len) ? WF_OK : wf_error_code(error, WF_ERR_WRITE);
}
