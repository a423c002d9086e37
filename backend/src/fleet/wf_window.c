// SPDX-License-Identifier: MIT
// Which segments: for each stream of the device those that touch the window, and the one before.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wfb_options.h"
#include "wfb_window.h"

int wfb_window_ask(struct wfb_window *w, const char *sql, struct wf_error *error) {
    return wf_engine_run(w->o->engine, &(struct wf_statement){.sql = sql}, error);
}

// ---- rows of numbers

// Reads a number and the tab or line feed behind it.
static bool take_number(const char **at, uint64_t *number) {
    char *end;
    if (**at < '0' || **at > '9') return false;
    *number = strtoull(*at, &end, 10);
    *at = end + (*end == '\t' || *end == '\n');
    return true;
}

static int bad_answer(struct wfb_window *w, const char *at, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_ENGINE, "%s: an answer that is no row: %.80s", w->o->project,
                        at);
}

// ---- streams

static bool take_stream(const char **at, struct wfb_window_stream *s) {
    char letters[WF_FLEET_SIZES_MAX];
    uint64_t version;
    if (!take_number(at, &s->stream) || !take_number(at, &s->origin_ns) ||
        !take_number(at, &s->rate) || !take_number(at, &version) ||
        !take_number(at, &s->first_at) || !take_number(at, &s->least_ns) ||
        !take_number(at, &s->most_ns))
        return false;
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
    int err = wfb_window_ask(w, sql, error);
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

static bool add_segment(struct wfb_window *w, size_t stream, uint64_t offset, uint64_t begin_ns) {
    if (w->segment_count == w->segment_cap) {
        size_t cap = 2 * w->segment_cap + 64;
        struct wfb_window_segment *list = realloc(w->segments, cap * sizeof *list);
        if (!list) return false;
        w->segments = list;
        w->segment_cap = cap;
    }
    w->segments[w->segment_count++] =
        (struct wfb_window_segment){stream, offset, w->streams[stream].origin_ns + begin_ns};
    return true;
}

static int list_segments(struct wfb_window *w, size_t stream, const char *where,
                         struct wf_error *error) {
    char sql[WFB_SQL_MAX];
    uint64_t offset, begin_ns;
    snprintf(sql, sizeof sql,
             "SELECT offset, begin_ns FROM %s.segment FINAL WHERE device = %s AND stream = %" PRIu64
             " AND %s",
             w->o->project, w->device, w->streams[stream].stream, where);
    int err = wfb_window_ask(w, sql, error);
    const char *at = wf_engine_answer(w->o->engine, NULL);
    while (err == WF_OK && *at) {
        if (!take_number(&at, &offset) || !take_number(&at, &begin_ns))
            err = bad_answer(w, at, error);
        else if (!add_segment(w, stream, offset, begin_ns))
            err = wf_error_code(error, WF_ERR_NOMEM);
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
}

// Brings the segments of a stream, from `begin` on, in order: those behind `last` come first. None
// begins before the one in front of it.
static void set_order(struct wfb_window *w, size_t begin, size_t last) {
    struct wfb_window_segment *list = w->segments;
    if (w->segment_count > last) {
        const struct wfb_window_segment before = list[last];
        memmove(list + begin + 1, list + begin, (last - begin) * sizeof *list);
        list[begin] = before;
    }
    for (size_t i = begin + 1; i < w->segment_count; ++i) {
        if (list[i].utc_ns < list[i - 1].utc_ns) list[i].utc_ns = list[i - 1].utc_ns;
    }
}

// Adds the segments of a stream that touch the window, and the one before them.
static int add_touching(struct wfb_window *w, size_t stream, struct wf_error *error) {
    const struct wfb_window_stream *s = &w->streams[stream];
    const size_t before = w->segment_count;
    char where[256];
    snprintf(where, sizeof where,
             "end_ns >= %" PRIu64 " AND begin_ns <= %" PRIu64 " ORDER BY offset",
             target_ns(&w->o->from, s, 0), target_ns(&w->o->until, s, UINT64_MAX));
    int err = list_segments(w, stream, where, error);
    if (err != WF_OK || w->segment_count == before) return err;
    const size_t last = w->segment_count;
    snprintf(where, sizeof where, "offset < %" PRIu64 " ORDER BY offset DESC LIMIT 1",
             w->segments[before].offset);
    err = list_segments(w, stream, where, error);
    set_order(w, before, last);
    return err;
}

static int find_segments(struct wfb_window *w, size_t stream, struct wf_error *error) {
    struct wfb_window_stream *s = &w->streams[stream];
    const struct wf_window_bound *from = &w->o->from, *until = &w->o->until;
    const bool relative = (from->given && !from->utc) || (until->given && !until->utc);
    const size_t before = w->segment_count;
    int err = WF_OK;
    if (is_before(until, s, s->least_ns) || is_behind(from, s, s->most_ns)) return WF_OK;
    if (relative) err = wfb_window_find_zero(w, s, error);
    if (err == WF_OK) err = add_touching(w, stream, error);
    if (err != WF_OK || w->segment_count == before) return err;
    if (!relative) err = wfb_window_find_zero(w, s, error);
    s->used = true;
    if (!w->found.streams++) note_bounds(w, s);
    return err;
}

// In the order of time; those of one stream also in that of their offsets (set_order).
static int compare(const void *a, const void *b) {
    const struct wfb_window_segment *x = a, *y = b;
    if (x->utc_ns != y->utc_ns) return x->utc_ns < y->utc_ns ? -1 : 1;
    if (x->stream != y->stream) return x->stream < y->stream ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int find_all(struct wfb_window *w, struct wf_error *error) {
    int err = find_streams(w, error);
    for (size_t i = 0; i < w->stream_count && err == WF_OK; ++i) err = find_segments(w, i, error);
    if (err != WF_OK) return err;
    if (!w->segment_count)
        return wf_error_set(error, WF_ERR_READ, "%s: device %s has nothing in this time",
                            w->o->project, w->o->device);
    if (w->found.streams > WF_RECORDING_LANES)
        return wf_error_set(error, WF_ERR_READ,
                            "%s: device %s has %u streams in this time, a recording at most %d; "
                            "choose a shorter time, or one of them by stream=",
                            w->o->project, w->o->device, w->found.streams, WF_RECORDING_LANES);
    w->found.segments = w->segment_count;
    qsort(w->segments, w->segment_count, sizeof *w->segments, compare);
    return WF_OK;
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
    if (err == WF_OK) err = wfb_window_write(&w, write, ctx, error);
    if (found) *found = w.found;
    free(w.streams);
    free(w.segments);
    return err;
}
