// SPDX-License-Identifier: MIT
// A stream is cut into segments. The first one decides which stream it is, and fixes its origin.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wallfly_host/wf_time.h"
#include "wfb_loader.h"
#include "wfb_options.h"

struct wf_loading {
    struct wf_loader *loader;
    struct wf_segments *cutter;
    char *device, *version, *source;   // version: null if not given
    struct wf_session_options session; // size 0: all default
    uint64_t begun_ns;
    struct wf_fleet_stream of;
    bool anew;
    size_t known;               // its index; SIZE_MAX: not identified yet
    struct wf_segment previous; // a copy; without bytes: none yet
    bool only_previous; // the next segment is in the tables, and was made with one before it
    size_t grown;       // bytes of the segment that has not ended, when it was added last
    uint64_t stored;    // offset behind what was added
};

static int fail_code(struct wf_loading *s, int err, struct wf_error *error) {
    wf_error_code(error, err);
    return wfb_loader_fail(s->loader, error);
}

// ---- which stream it is

static bool same_session(const struct wf_session_options *a, const struct wf_session_options *b) {
    return a->hz == b->hz && a->version == b->version &&
           memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

// Refuses options other than those that the stream was loaded with: its rows would be others.
static int check_options(const struct wf_loading *s, const struct wfb_known *k,
                         struct wf_error *error) {
    const struct wf_session_options *o = &k->session;
    char sizes[WF_FLEET_SIZES_MAX];
    if (s->version && strcmp(s->version, k->version) != 0)
        return wf_error_set(error, WF_ERR_USAGE, "was loaded before as version '%.100s'",
                            k->version);
    if (same_session(&s->session, o)) return WF_OK;
    wf_fleet_write_sizes(o->bytes, sizes);
    return wf_error_set(error, WF_ERR_USAGE,
                        "was loaded before with rate %" PRIu64
                        ", QS version %u.%u, sizes '%s' (0, '': not given); give the same",
                        o->hz, o->version / 100, o->version / 10 % 10, sizes);
}

static uint64_t origin(const struct wf_loading *s, const struct wf_segment *first) {
    struct wf_scale scale = {0};
    if (!first->hz || !first->timed) return s->begun_ns;
    wf_scale_set(&scale, first->hz, 0);
    const uint64_t ns = wf_scale_ns(&scale, first->begin);
    return ns < s->begun_ns ? s->begun_ns - ns : 0;
}

// A stream that no version was given for has that of its build, as soon as one is stored.
//   version  set; null: none is known
static int version_of_build(struct wf_loading *s, const struct wf_segment *first,
                            const char **version, struct wf_error *error) {
    const struct wfb_program *program;
    int err = wfb_names_find(s->loader, first->build_id, "", &program, error);
    *version = err == WF_OK ? program->of_version : NULL;
    return err;
}

static int add_stream(struct wf_loading *s, const struct wf_segment *first, size_t *known,
                      struct wf_error *error) {
    s->of.version = s->version;
    int err = s->version ? WF_OK : version_of_build(s, first, &s->of.version, error);
    if (err != WF_OK) return err;
    s->of.origin_ns = origin(s, first);
    *known = wfb_known_add(s->loader, &s->of, s->source);
    return *known == SIZE_MAX ? fail_code(s, WF_ERR_NOMEM, error) : WF_OK;
}

static int name_version(struct wf_loading *s, const struct wf_segment *first, size_t known,
                        struct wf_error *error) {
    const char *version = NULL;
    const struct wfb_known *k = &s->loader->known[known];
    if (s->version || *k->version || k->is_new) return WF_OK;
    int err = version_of_build(s, first, &version, error);
    if (err != WF_OK || !version || !*version) return err;
    return wfb_known_rename(s->loader, known, version, error);
}

static int identify(struct wf_loading *s, const struct wf_segment *first, struct wf_error *error) {
    size_t known;
    if (!s->of.stream) s->of.stream = wf_fleet_hash(first->bytes, first->len);
    int err = wfb_known_find(s->loader, s->device, s->of.stream, &known, error);
    if (err != WF_OK) return err;
    if (known != SIZE_MAX) {
        err = name_version(s, first, known, error);
        if (err == WF_OK) err = check_options(s, &s->loader->known[known], error);
        if (err == WF_OK && s->anew && !s->loader->known[known].is_new)
            err = wfb_known_delete(s->loader, known, error);
    } else {
        err = add_stream(s, first, &known, error);
    }
    if (err != WF_OK) return err;
    s->of.origin_ns = s->loader->known[known].origin_ns;
    s->known = known;
    ++s->loader->known[known].readings;
    s->loader->known[known].passed = 0;
    return WF_OK;
}

// ---- segments

static int find_names(struct wf_loading *s, const struct wf_segment *segment,
                      struct wf_error *error) {
    const struct wfb_program *program;
    s->of.version = s->loader->known[s->known].version;
    int err = wfb_names_find(s->loader, segment->build_id, s->of.version, &program, error);
    if (err != WF_OK) return err;
    s->of.program = program->program;
    s->of.names = program->names;
    return WF_OK;
}

// The tables may have more of a segment than this reading has had so far.
static void note_stored(struct wf_loading *s, const struct wf_segment *segment) {
    const uint64_t end = wf_segment_end(segment);
    if (end > s->stored) s->stored = end;
}

static int take(struct wf_loading *s, const struct wf_segment *segment, struct wf_error *error) {
    struct wf_segment copy;
    bool put;
    int err = s->known != SIZE_MAX ? WF_OK : identify(s, segment, error);
    if (err == WF_OK) err = find_names(s, segment, error);
    put = !s->only_previous;
    if (err == WF_OK && put && wf_segment_get_whole(segment, NULL))
        err = wfb_whole_compare(s->loader, s->known, segment, error);
    if (err == WF_OK && put)
        err = wfb_known_compare(s->loader, s->known, segment, s->of.names, &put, error);
    if (err != WF_OK) return err;
    if (!wf_segment_copy(&copy, segment)) return fail_code(s, WF_ERR_NOMEM, error);
    s->grown = 0;
    if (put)
        err = wfb_loader_put(s->loader, &s->of, s->previous.bytes ? &s->previous : NULL, &copy,
                             error);
    s->only_previous = false;
    note_stored(s, &copy);
    wf_segment_free(&s->previous);
    s->previous = copy;
    struct wfb_known *k = &s->loader->known[s->known];
    if (k->readings == 1) k->passed = copy.offset;
    return err;
}

static int take_all(struct wf_loading *s, int err, struct wf_error *error) {
    struct wf_segment segment;
    if (err == WF_ERR_READ)
        return wf_error_set(error, err,
                            "has more than %d MiB: a trace of another format than frames is kept "
                            "whole",
                            WF_SEGMENT_WHOLE_MAX >> 20);
    if (err != WF_OK) return fail_code(s, err, error);
    while (err == WF_OK && wf_segments_next(s->cutter, &segment)) err = take(s, &segment, error);
    if (err == WF_OK) err = wf_segments_error(s->cutter, error);
    return err == WF_ERR_NOMEM ? fail_code(s, err, error) : err;
}

int wf_loading_feed(struct wf_loading *s, const void *bytes, size_t len, struct wf_error *error) {
    int err = wfb_loader_error(s->loader, error);
    return err != WF_OK ? err : take_all(s, wf_segments_feed(s->cutter, bytes, len), error);
}

int wf_loading_relink(struct wf_loading *s, struct wf_error *error) {
    int err = wfb_loader_error(s->loader, error);
    return err != WF_OK ? err : take_all(s, wf_segments_relink(s->cutter), error);
}

int wf_loading_lose(struct wf_loading *s, uint64_t bytes, struct wf_error *error) {
    int err = wfb_loader_error(s->loader, error);
    return err != WF_OK ? err : take_all(s, wf_segments_lose(s->cutter, bytes), error);
}

int wfb_loading_feed_segment(struct wf_loading *s, const struct wf_segment *segment,
                             struct wf_error *error) {
    size_t at = 0;
    int err = WF_OK;
    for (size_t i = 0; i <= segment->break_count && err == WF_OK; ++i) {
        const struct wf_segment_break *b = i < segment->break_count ? &segment->breaks[i] : NULL;
        const size_t until = b && b->at < segment->len ? b->at : segment->len;
        if (until > at) err = wf_loading_feed(s, segment->bytes + at, until - at, error);
        if (until > at) at = until;
        if (!b || err != WF_OK) continue;
        err = b->lost ? wf_loading_lose(s, b->lost, error) : wf_loading_relink(s, error);
    }
    return err;
}

void wfb_loading_go_on(struct wf_loading *s, bool only_previous, uint64_t stored) {
    s->only_previous = only_previous;
    s->stored = stored;
}

uint64_t wf_loading_stored(const struct wf_loading *s) { return s->stored; }

int wf_loading_grow(struct wf_loading *s, struct wf_error *error) {
    struct wf_segment segment;
    bool put;
    int err = wfb_loader_error(s->loader, error);
    if (err != WF_OK || !wf_segments_growing(s->cutter, &segment) || segment.len <= s->grown)
        return err;
    if (s->known == SIZE_MAX) err = identify(s, &segment, error);
    if (err == WF_OK) err = find_names(s, &segment, error);
    if (err == WF_OK)
        err = wfb_known_compare(s->loader, s->known, &segment, s->of.names, &put, error);
    if (err != WF_OK) return err;
    s->grown = segment.len;
    note_stored(s, &segment);
    if (!put) return WF_OK;
    return wfb_loader_put(s->loader, &s->of, s->previous.bytes ? &s->previous : NULL, &segment,
                          error);
}

int wf_loading_end(struct wf_loading *s, struct wf_error *error) {
    int err = wfb_loader_error(s->loader, error);
    if (err == WF_OK) {
        wf_segments_end(s->cutter);
        err = take_all(s, WF_OK, error);
    }
    wf_loading_discard(s);
    return err;
}

// ---- begin and end

void wf_loading_discard(struct wf_loading *s) {
    if (!s) return;
    if (s->known != SIZE_MAX) --s->loader->known[s->known].readings;
    wf_segments_close(s->cutter);
    wf_segment_free(&s->previous);
    free(s->device);
    free(s->version);
    free(s->source);
    free(s);
}

static int begin(struct wf_loading *s, const struct wf_loading_options *o, struct wf_error *error) {
    if (!o->device || !wf_fleet_is_device(o->device))
        return wf_error_set(
            error, WF_ERR_USAGE,
            "'%.80s' is no name of a device: at most %d letters, digits and . _ -, not . or ..",
            o->device ? o->device : "", WF_FLEET_DEVICE_MAX);
    if (o->version && strlen(o->version) > WF_LOADING_VERSION_MAX)
        return wf_error_set(error, WF_ERR_USAGE, "a version has at most %d bytes",
                            WF_LOADING_VERSION_MAX);
    s->device = strdup(o->device);
    s->version = o->version ? strdup(o->version) : NULL;
    s->source = strdup(o->source ? o->source : "");
    if (!s->device || !s->source || !s->version != !o->version)
        return wf_error_code(error, WF_ERR_NOMEM);
    s->begun_ns = o->begun_ns;
    s->anew = o->anew;
    if (o->session) s->session = *o->session;
    s->of = (struct wf_fleet_stream){
        .device = s->device, .session = o->session ? &s->session : NULL, .stream = o->stream};
    const struct wf_segments_options cut = {.size = sizeof cut,
                                            .session = s->of.session,
                                            .state = o->state,
                                            .state_len = o->state_len,
                                            .offset = o->offset,
                                            .number = o->number ? o->number : o->offset};
    s->cutter = wf_segments_open(&cut, error);
    return s->cutter ? WF_OK : error->code;
}

struct wf_loading *wf_loading_begin(struct wf_loader *l, const struct wf_loading_options *options,
                                    struct wf_error *error) {
    struct wf_loading_options o;
    int err = wfb_loader_error(l, error);
    if (err == WF_OK) err = wfb_copy_options(&o, sizeof o, options, error);
    struct wf_loading *s = err == WF_OK ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        if (err == WF_OK) wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    s->loader = l;
    s->known = SIZE_MAX;
    if (begin(s, &o, error) == WF_OK) return s;
    wf_loading_discard(s);
    return NULL;
}
