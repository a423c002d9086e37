// SPDX-License-Identifier: MIT
// Recordings of other tracers on a lane: one reader for each importer (core/wfi_import.h).

#include <string.h>

#include "wfi_trace.h"

static struct wfi_import *import_of(const struct wf_lane *l) { return l->state[l->reader->format]; }

// The rate that is given: by the options, or by a state in front of the trace.
static uint64_t given_hz(const struct wf_lane *l) {
    const bool begins = wf_session_ledger(l->session)->records == 0;
    return begins ? wf_session_target(l->session)->hz : l->trace->options.session->hz;
}

static int open_import(struct wf_lane *l) {
    const struct wf_trace_options *o = &l->trace->options;
    const struct wfi_import_options options = {o->describe ? o->describe : l->describe,
                                               o->describe ? o->describe_len : l->describe_len,
                                               given_hz(l)};
    void **state = &l->state[l->reader->format];
    wfi_import_close(*state);
    *state = wfi_import_open(l->session, l->reader->import, &options);
    return *state ? WF_OK : WF_ERR_NOMEM;
}

// Bytes after the end are those of another connection.
static void feed_import(struct wf_lane *l, const uint8_t *bytes, size_t len) {
    struct wfi_import *im = import_of(l);
    if (len && wfi_import_has_ended(im)) wfi_fail(l->trace, wfi_import_restart(im));
    if (l->trace->error.code == WF_OK) wfi_import_feed(im, bytes, len);
}

static bool next_import(struct wf_lane *l, struct wf_item *item) {
    struct wfi_import *im = import_of(l);
    struct wf_trace *t = l->trace;
    if (t->error.code != WF_OK) return false;
    if (wfi_import_next(im, item)) return true;
    if (im->error.code != WF_OK) t->error = im->error;
    return false;
}

static void end_import(struct wf_lane *l) { wfi_import_end(import_of(l)); }

// A file in memory, for formats that are decoded as a whole.
static int read_import(struct wf_lane *l, const struct wf_merge_source *source,
                       struct wf_error *error) {
    struct wf_merge_span all;
    if (!l->reader->import->whole)
        return wf_error_code(error, wfi_feed_source(l->trace, l, source));
    int err = wfi_load_source(l->trace, source, &all, error);
    if (err != WF_OK) return err;
    wfi_import_feed(import_of(l), all.bytes, all.len);
    wfi_import_end(import_of(l));
    return WF_OK;
}

void wfi_import_read_memory(struct wf_lane *l, const uint8_t *bytes, size_t len, uint64_t at) {
    wfi_import_start(import_of(l), at);
    wfi_import_feed(import_of(l), bytes, len);
    wfi_import_end(import_of(l));
}

#define READER(name, lane)                                                                         \
    {.format = WF_LANE_##lane,                                                                     \
     .import = &wfi_import_##name,                                                                 \
     .open = open_import,                                                                          \
     .feed = feed_import,                                                                          \
     .next = next_import,                                                                          \
     .end = end_import,                                                                            \
     .stays = true,                                                                                \
     .read = read_import},
const struct wfi_reader wfi_import_readers[] = {WFI_IMPORTS(READER)};
const unsigned wfi_import_reader_count = sizeof wfi_import_readers / sizeof *wfi_import_readers;

void wfi_import_free(struct wf_lane *l) {
    for (unsigned i = 0; i < wfi_import_reader_count; ++i) {
        void **state = &l->state[wfi_import_readers[i].format];
        wfi_import_close(*state);
        *state = NULL;
    }
}

const char *const *wf_lane_lacks(const struct wf_lane *l) {
    static const char *const none[] = {NULL};
    bool lacks = l->reader && l->reader->import && l->reader->import->lacks;
    return lacks ? l->reader->import->lacks : none;
}
