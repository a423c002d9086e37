// SPDX-License-Identifier: MIT
// The last segment of a stream is read again from its begin, as more may follow in it; the one
// before it comes first, without rows, for what tasks and objects do when the last one begins.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wfb_loader.h"
#include "wfb_options.h"
#include "wfb_rows.h"

// The segments to be read, of a stream that the tables have.
struct resume {
    struct wf_loader *loader;
    const struct wfb_known *known;
    const struct wfb_stored *first; // of one or two
    size_t count;
    uint64_t end; // offset behind the last one
};

static int fail_code(struct resume *r, int err, struct wf_error *error) {
    wf_error_code(error, err);
    return wfb_loader_fail(r->loader, error);
}

static void choose(struct resume *r) {
    const struct wfb_known *k = r->known;
    const struct wfb_stored *last = &k->stored[k->stored_count - 1];
    const bool follows = k->stored_count > 1 && last[-1].end == last->offset &&
                         last[-1].number + last[-1].rows == last->number;
    r->count = follows ? 2 : 1;
    r->first = last + 1 - r->count;
}

static struct wf_loading *begin(struct resume *r, const struct wf_loading_options *options,
                                const struct wf_segment *segment, struct wf_error *error) {
    struct wf_loading_options o = *options;
    o.state = segment->state;
    o.state_len = segment->state_len;
    o.offset = segment->offset;
    o.number = r->first->number;
    struct wf_loading *s = wf_loading_begin(r->loader, &o, error);
    if (s) wfb_loading_go_on(s, r->count == 2, r->end);
    return s;
}

// rows: a copy, as the loader asks the engine in between
static struct wf_loading *feed_all(struct resume *r, const struct wf_loading_options *options,
                                   struct wfb_rows *rows, struct wf_error *error) {
    struct wfb_row row = {.breaks = NULL};
    struct wf_loading *s = NULL;
    int err = WF_OK;
    while (rows->at < rows->end && err == WF_OK) {
        int taken = wfb_rows_next(rows, &row);
        if (taken != WF_OK) err = fail_code(r, taken, error);
        if (err == WF_OK && !s) s = begin(r, options, &row.segment, error);
        if (err == WF_OK) err = s ? wfb_loading_feed_segment(s, &row.segment, error) : error->code;
    }
    free(row.breaks);
    if (err == WF_OK && s) return s;
    if (err == WF_OK) wf_error_set(error, WF_ERR_READ, "its segments were dropped meanwhile");
    wf_loading_discard(s);
    return NULL;
}

static struct wf_loading *resume(struct resume *r, const struct wf_loading_options *options,
                                 uint64_t *offset, struct wf_error *error) {
    char device[2 * WF_FLEET_DEVICE_MAX + 3];
    const struct wfb_stored last = r->known->stored[r->known->stored_count - 1];
    r->end = last.end;
    struct wfb_rows rows;
    choose(r);
    wf_fleet_quote(r->known->device, device, sizeof device);
    const struct wfb_rows_of of = {r->loader->project, device, r->known->stream};
    int err = wfb_rows_ask(r->loader->o.engine, &of, r->first->offset, last.offset, &rows, error);
    const size_t len = err == WF_OK ? (size_t)(rows.end - rows.at) : 0;
    uint8_t *copy = err == WF_OK ? malloc(len + 1) : NULL;
    if (err != WF_OK) wfb_loader_fail(r->loader, error);
    if (err == WF_OK && !copy) fail_code(r, WF_ERR_NOMEM, error);
    if (!copy) return NULL;
    memcpy(copy, rows.at, len);
    rows = (struct wfb_rows){copy, copy + len, false};
    struct wf_loading *s = feed_all(r, options, &rows, error);
    free(copy);
    *offset = last.end;
    return s;
}

struct wf_loading *wf_loading_resume(struct wf_loader *l, const struct wf_loading_options *options,
                                     uint64_t *offset, struct wf_error *error) {
    struct wf_loading_options o;
    size_t known = SIZE_MAX;
    *offset = 0;
    int err = wf_loader_flush(l, error); // rows of the stream may wait
    if (err == WF_OK) err = wfb_copy_options(&o, sizeof o, options, error);
    if (err == WF_OK && (!o.device || !wf_fleet_is_device(o.device)))
        err = wf_error_set(error, WF_ERR_USAGE, "no name of a device");
    if (err == WF_OK) err = wfb_known_find(l, o.device, o.stream, &known, error);
    if (err != WF_OK) return NULL;
    if (known == SIZE_MAX || !l->known[known].stored_count) return wf_loading_begin(l, &o, error);
    struct resume r = {.loader = l, .known = &l->known[known]};
    return resume(&r, &o, offset, error);
}
