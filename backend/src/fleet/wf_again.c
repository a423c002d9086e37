// SPDX-License-Identifier: MIT
// A stream is loaded again from its segments: cut anew, they are the same, as the cuts follow from
// the bytes. Behind a gap, as where segments have expired, another part begins with their state.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wfb_answer.h"
#include "wfb_loader.h"
#include "wfb_options.h"
#include "wfb_rows.h"

enum { SQL_MAX = 2048 };

struct again {
    struct wf_loader *loader;
    size_t known;                             // the stream, by its index
    char device[2 * WF_FLEET_DEVICE_MAX + 3]; // its literal of SQL
    // Its segments as they were before it is loaded again.
    struct wfb_stored *stored;

    size_t count;
};

static int fail_code(struct again *a, int err, struct wf_error *error) {
    wf_error_code(error, err);
    return wfb_loader_fail(a->loader, error);
}

static struct wfb_known *stream_of(const struct again *a) { return &a->loader->known[a->known]; }

static int ask(struct again *a, const char *sql, struct wf_error *error) {
    int err = wf_engine_ask(a->loader->o.engine, sql, error);
    return err == WF_OK ? WF_OK : wfb_loader_fail(a->loader, error);
}

// ---- what it has

// Records get rows if the stream has rows of any with their numbers.
static int find_records(struct again *a, struct wf_error *error) {
    char sql[SQL_MAX];
    bool records[256] = {0};
    uint64_t id;
    snprintf(sql, sizeof sql,
             "SELECT DISTINCT id FROM %s.record WHERE device = %s AND stream = %" PRIu64,
             a->loader->project, a->device, stream_of(a)->stream);
    int err = ask(a, sql, error);
    if (err != WF_OK) return err;
    const char *at = wf_engine_answer(a->loader->o.engine, NULL);
    while (*at && wfb_take_numbers(&at, (uint64_t *const[]){&id}, 1))
        if (id < 256) records[id] = true;
    wf_fleet_set_records(a->loader->fleet, records);
    return WF_OK;
}

static int keep_stored(struct again *a, struct wf_error *error) {
    const struct wfb_known *k = stream_of(a);
    a->count = k->stored_count;
    a->stored = malloc((a->count + 1) * sizeof *a->stored);
    if (!a->stored) return fail_code(a, WF_ERR_NOMEM, error);
    if (a->count) memcpy(a->stored, k->stored, a->count * sizeof *a->stored);
    return WF_OK;
}

// A stream without a version gets that of its build, the first one that is bound.
static int find_version(struct again *a, bool *wanted, struct wf_error *error) {
    const struct wfb_program *p;
    int err = WF_OK;
    for (size_t i = 0; i < a->count && err == WF_OK && !*stream_of(a)->version; ++i) {
        err = wfb_names_find(a->loader, a->stored[i].build, "", &p, error);
        if (err != WF_OK || !p->names || !*p->of_version) continue;
        *wanted = true;
        err = wfb_known_rename(a->loader, a->known, p->of_version, error);
    }
    return err;
}

static int has_older_names(struct again *a, bool *wanted, struct wf_error *error) {
    const struct wfb_program *p;
    int err = WF_OK;
    for (size_t i = 0; i < a->count && err == WF_OK && !*wanted; ++i) {
        err = wfb_names_find(a->loader, a->stored[i].build, stream_of(a)->version, &p, error);
        if (err == WF_OK)
            *wanted = a->stored[i].names < p->names || stream_of(a)->stored[i].old_version;
    }
    return err;
}

// ---- loading

static struct wf_loading *begin_part(struct again *a, size_t first,
                                     const struct wf_segment *segment, struct wf_error *error) {
    const struct wfb_known *k = stream_of(a);
    const struct wf_loading_options o = {.size = sizeof o,
                                         .device = k->device,
                                         .session = k->session.size ? &k->session : NULL,
                                         .stream = k->stream,
                                         .state = segment->state,
                                         .state_len = segment->state_len,
                                         .offset = segment->offset,
                                         .number = a->stored[first].number};
    return wf_loading_begin(a->loader, &o, error);
}

// Loads segments that follow each other, from `first` on. The engine's answer is not valid behind
// a question of the loader, so it is copied.
static int load_some(struct again *a, struct wf_loading **s, size_t first, size_t count,
                     struct wf_error *error) {
    const struct wfb_rows_of of = {a->loader->project, a->device, stream_of(a)->stream};
    struct wfb_rows rows;
    struct wfb_row row = {.breaks = NULL};
    int err = wfb_rows_ask(a->loader->o.engine, &of, a->stored[first].offset,
                           a->stored[first + count - 1].offset, &rows, error);
    if (err != WF_OK) return wfb_loader_fail(a->loader, error);
    const size_t len = (size_t)(rows.end - rows.at);
    uint8_t *copy = malloc(len + 1);
    if (!copy) return fail_code(a, WF_ERR_NOMEM, error);
    memcpy(copy, rows.at, len);
    rows = (struct wfb_rows){copy, copy + len, false};
    while (rows.at < rows.end && err == WF_OK) {
        int taken = wfb_rows_next(&rows, &row);
        if (taken != WF_OK) err = fail_code(a, taken, error);
        if (err == WF_OK && !*s && row.segment.offset != a->stored[first].offset)
            err = wf_error_set(error, WF_ERR_READ, "its segments were dropped meanwhile");
        if (err == WF_OK && !*s) *s = begin_part(a, first, &row.segment, error);
        if (err == WF_OK)
            err = *s ? wfb_loading_feed_segment(*s, &row.segment, error) : error->code;
    }
    free(row.breaks);
    free(copy);
    return err;
}

// Whether a segment and the one before it are of one reading: a later file of a split follows in
// bytes, but its rows are counted anew.
static bool follows(const struct again *a, size_t i) {
    const struct wfb_stored *before = &a->stored[i - 1];
    return i < a->count && before->end == a->stored[i].offset &&
           before->number + before->rows == a->stored[i].number;
}

// Loads a part without a gap. Returns where the next one begins by `at`.
static int load_part(struct again *a, size_t *at, struct wf_error *error) {
    struct wf_loading *s = NULL;
    int err;
    do {
        size_t n = 1;
        while (n < WFB_ROWS_AT_A_TIME && follows(a, *at + n)) ++n;
        err = load_some(a, &s, *at, n, error);
        *at += n;
    } while (err == WF_OK && follows(a, *at));
    if (err == WF_OK && s) return wf_loading_end(s, error);
    wf_loading_discard(s);
    return err;
}

static int load_stream(struct again *a, bool *changed, struct wf_error *error) {
    int err = keep_stored(a, error);
    if (err == WF_OK) err = find_version(a, changed, error);
    if (err == WF_OK) err = has_older_names(a, changed, error);
    if (err != WF_OK || !*changed) return err;
    err = find_records(a, error);

    for (size_t at = 0; at < a->count && err == WF_OK;) err = load_part(a, &at, error);
    return err;
}

// ---- all

// Returns the streams as lines of the engine, to be freed; null on an error.
static char *list_streams(struct wf_loader *l, const struct wf_again *what,
                          struct wf_error *error) {
    char sql[SQL_MAX], literal[2 * WF_LOADING_VERSION_MAX + 3];
    int len = snprintf(sql, sizeof sql, "SELECT DISTINCT stream, device FROM %s.segment WHERE 1",
                       l->project);
    if (what->build)
        len += snprintf(sql + len, sizeof sql - (size_t)len, " AND build = %" PRIu32, what->build);
    for (unsigned i = 0; i < 2; ++i) {
        const char *text = i ? what->version : what->device;
        if (!text) continue;
        wf_fleet_quote(text, literal, sizeof literal);
        len += snprintf(sql + len, sizeof sql - (size_t)len, " AND %s = %s",
                        i ? "version" : "device", literal);
    }
    snprintf(sql + len, sizeof sql - (size_t)len, " ORDER BY device, stream");
    if (wf_engine_ask(l->o.engine, sql, error) != WF_OK) return NULL;
    char *lines = strdup(wf_engine_answer(l->o.engine, NULL));
    if (!lines) wf_error_code(error, WF_ERR_NOMEM);
    return lines;
}

static int take_stream(struct wf_loader *l, const char *device, uint64_t stream,
                       struct wf_again_found *found, struct wf_error *error) {
    struct again a = {.loader = l};
    bool changed = false;
    int err = wfb_known_find(l, device, stream, &a.known, error);
    if (err != WF_OK || a.known == SIZE_MAX) return err; // a stream without its row: left
    wf_fleet_quote(device, a.device, sizeof a.device);
    err = load_stream(&a, &changed, error);
    free(a.stored);

    ++found->streams;
    found->changed += changed;
    return err;
}

static uint64_t count_lines(const char *text) {
    uint64_t count = *text != 0;
    for (; *text; ++text) count += *text == '\n';
    return count;
}

static int take_all(struct wf_loader *l, const struct wf_again *what, char *lines,
                    struct wf_again_found *found, struct wf_error *error) {
    const uint64_t all = count_lines(lines);
    int err = WF_OK;
    uint64_t stream;
    for (const char *at = lines; *at && err == WF_OK;) {
        char *end = strchr(at, '\n');
        if (end) *end = 0;
        if (what->progress) what->progress(what->ctx, found->streams, all);
        if (!wfb_take_numbers(&at, (uint64_t *const[]){&stream}, 1))
            return wf_error_set(error, WF_ERR_ENGINE, "%s.segment: a row cannot be read: %.100s",
                                l->project, at);
        err = take_stream(l, at, stream, found, error);
        if (err == WF_ERR_READ || err == WF_ERR_USAGE || err == WF_ERR_BAD_STATE ||
            err == WF_ERR_BAD_IMPORT) {
            ++found->refused; // others can be loaded
            if (what->refused) what->refused(what->ctx, at, stream, error->text);
            err = WF_OK;
        }
        at = end ? end + 1 : at + strlen(at);
    }
    return err;
}

int wf_loader_again(struct wf_loader *l, const struct wf_again *what, struct wf_again_found *found,
                    struct wf_error *error) {
    struct wf_again w;
    struct wf_again_found own, *sums = found ? found : &own;
    *sums = (struct wf_again_found){0};
    int err = wfb_loader_error(l, error);
    if (err == WF_OK) err = wfb_copy_options(&w, sizeof w, what, error);
    if (err != WF_OK) return err;
    char *lines = list_streams(l, &w, error);
    if (!lines) return wfb_loader_fail(l, error);
    err = take_all(l, &w, lines, sums, error);
    free(lines);
    return err == WF_OK ? wf_loader_flush(l, error) : err;
}
