// SPDX-License-Identifier: MIT
// Each stream is a reading (wf_loading) that goes on where the tables end. A place of the spool is
// done when the tables have all bytes before it: a stream holds it back by the entries whose bytes
// they do not have; a black box from its first entry on, until it is whole.

#include "wallfly_backend/wf_unspool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wfb_boxes.h"
#include "wfb_intake.h"
#include "wfb_options.h"

enum { GROW_S = 60, IDLE_S = 600 };
static const uint64_t usual_bytes = 64 << 20;

// An entry whose bytes are not in the tables.
struct waiting {
    uint64_t position; // in the spool
    uint64_t end;      // offset in the stream behind it
};

struct lane {
    struct wf_loading *loading; // null: refused
    uint64_t next;              // offset behind what was fed
    struct waiting *waiting;
    size_t first, count, cap; // of `waiting`
    time_t used;
};

struct wf_unspool {
    struct wf_unspool_options o;
    struct wf_spool_reader *reader;
    struct wfb_streams streams; // client: its lane
    struct wfb_boxes boxes;
    uint8_t *unpacked;
    uint64_t position, flushed; // behind what was read; when everything was added last
    time_t flushed_s, sent_s;   // sent_s: when what was ready was sent to the engine last
    atomic_uint_fast64_t done;
    struct wf_unspool_totals totals;
};

static time_t now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

uint64_t wf_unspool_done(const struct wf_unspool *u) { return atomic_load(&u->done); }
const struct wf_unspool_totals *wf_unspool_totals(const struct wf_unspool *u) { return &u->totals; }

static void refuse_box(void *ctx, const char *device, uint64_t stream, const char *text) {
    struct wf_unspool *u = ctx;
    ++u->totals.refused;
    if (u->o.report) u->o.report(u->o.ctx, device, stream, text);
}

// ---- opening

struct wf_unspool *wf_unspool_open(const struct wf_unspool_options *options,
                                   struct wf_error *error) {
    struct wf_error own;
    struct wf_unspool *u = calloc(1, sizeof *u);
    if (!error) error = &own;
    int err = u ? wfb_copy_options(&u->o, sizeof u->o, options, error)
                : wf_error_code(error, WF_ERR_NOMEM);
    if (err == WF_OK) {
        if (!u->o.grow_s) u->o.grow_s = GROW_S;
        if (!u->o.idle_s) u->o.idle_s = IDLE_S;
        if (!u->o.bytes) u->o.bytes = usual_bytes;
        u->position = u->flushed = u->o.position;
        u->flushed_s = now_s();
        u->boxes.refuse = refuse_box;
        u->boxes.ctx = u;
        atomic_store(&u->done, u->o.position);
        u->unpacked = malloc(WF_FLEET_CHUNK_MAX);
        if (!u->unpacked) err = wf_error_code(error, WF_ERR_NOMEM);
    }
    if (err == WF_OK) u->reader = wf_spool_reader_open(u->o.folder, u->o.position, error);
    if (err == WF_OK && u->reader) return u;
    wf_unspool_close(u);
    return NULL;
}

static void close_lane(struct lane *l) {
    wf_loading_discard(l->loading);
    free(l->waiting);
    free(l);
}

void wf_unspool_close(struct wf_unspool *u) {
    if (!u) return;
    for (size_t i = 0; i < u->streams.count; ++i)
        if (u->streams.list[i].client) close_lane(u->streams.list[i].client);
    wfb_streams_close(&u->streams);
    wfb_boxes_close(&u->boxes);
    wf_spool_reader_close(u->reader);
    free(u->unpacked);
    free(u);
}

// ---- lanes

static bool is_of_stream(int err) {
    return err == WF_ERR_USAGE || err == WF_ERR_BAD_STATE || err == WF_ERR_READ;
}

// A stream that cannot be loaded is left out; others are loaded.
static int refuse(struct wf_unspool *u, const struct wf_spool_entry *e, struct lane *l, int err,
                  struct wf_error *error) {
    if (!is_of_stream(err)) return err;
    if (u->o.report) u->o.report(u->o.ctx, e->device, e->chunk.stream, error->text);
    if (l) {
        wf_loading_discard(l->loading);
        l->loading = NULL;
        l->first = l->count = 0;
    }
    ++u->totals.refused;
    return WF_OK;
}

// When its bytes arrived; if that is not known, now.
static uint64_t begun_ns(const struct wf_spool_entry *e) {
    const uint64_t us = e->chunk.arrival_us;
    return us ? us * 1000 : (uint64_t)time(NULL) * 1000000000;
}

static int begin_lane(struct wf_unspool *u, const struct wf_spool_entry *e, struct lane *l,
                      struct wf_error *error) {
    const struct wf_loading_options o = {.size = sizeof o,
                                         .device = e->device,
                                         .stream = e->chunk.stream,
                                         .begun_ns = begun_ns(e),
                                         .source = "agent"};
    l->loading = wf_loading_resume(u->o.loader, &o, &l->next, error);
    return l->loading ? WF_OK : error->code;
}

// Finds the lane of an entry, or begins it.
static int find_lane(struct wf_unspool *u, const struct wf_spool_entry *e, struct lane **lane,
                     struct wf_error *error) {
    struct wfb_stream *s = wfb_streams_get(&u->streams, e->device, e->chunk.stream);
    *lane = s ? s->client : NULL;
    if (*lane) return WF_OK;
    struct lane *l = s ? calloc(1, sizeof *l) : NULL;
    if (!l) return wf_error_code(error, WF_ERR_NOMEM);
    s->client = *lane = l;
    u->totals.streams = u->streams.count;
    return refuse(u, e, l, begin_lane(u, e, l, error), error);
}

// Forgets the entries that the tables have.
static void drop_stored(struct lane *l) {
    const uint64_t stored = l->loading ? wf_loading_stored(l->loading) : UINT64_MAX;
    while (l->count && l->waiting[l->first].end <= stored) ++l->first, --l->count;
}

static int note_waiting(struct lane *l, const struct wf_spool_entry *e, struct wf_error *error) {
    drop_stored(l);
    if (l->first && l->first + l->count == l->cap) {
        memmove(l->waiting, l->waiting + l->first, l->count * sizeof *l->waiting);
        l->first = 0;
    }
    if (l->first + l->count == l->cap) {
        const size_t cap = 2 * l->cap + 8;
        struct waiting *more = realloc(l->waiting, cap * sizeof *more);
        if (!more) return wf_error_code(error, WF_ERR_NOMEM);
        l->waiting = more;
        l->cap = cap;
    }
    l->waiting[l->first + l->count++] = (struct waiting){e->position, l->next};
    return WF_OK;
}

// ---- entries

// Feeds what is new of a chunk.
static int feed(struct lane *l, const struct wf_fleet_chunk *c, struct wf_error *error) {
    int err = WF_OK;
    if (c->offset + c->len <= l->next) return WF_OK; // the tables have it
    const size_t there = c->offset < l->next ? (size_t)(l->next - c->offset) : 0;
    if (c->offset > l->next) err = wf_loading_lose(l->loading, c->offset - l->next, error);
    if (err == WF_OK) err = wf_loading_feed(l->loading, c->bytes + there, c->len - there, error);
    if (err == WF_OK) l->next = c->offset + c->len;
    return err;
}

static int take_box(struct wf_unspool *u, const struct wf_spool_entry *e, struct wf_error *error) {
    const uint8_t *image;
    size_t len;
    const struct wf_loading_options o = {.size = sizeof o,
                                         .device = e->device,
                                         .begun_ns = begun_ns(e),
                                         .source = "agent: black box"};
    if (e->chunk.offset && wfb_streams_find(&u->streams, e->device, e->chunk.stream)) {
        refuse_box(u, e->device, e->chunk.stream, "a black box must be a stream of its own");
        return WF_OK;
    }
    if (wfb_boxes_take(&u->boxes, e, now_s(), &image, &len) != WF_OK)
        return wf_error_code(error, WF_ERR_NOMEM);
    if (!image) return WF_OK;
    return refuse(u, e, NULL, wf_loader_box(u->o.loader, &o, image, len, error), error);
}

static int take_frames(struct wf_unspool *u, const struct wf_spool_entry *e,
                       struct wf_error *error) {
    struct lane *l;
    int err = find_lane(u, e, &l, error);
    if (err != WF_OK) return err;
    l->used = now_s();
    if (!l->loading) {
        ++u->totals.refused;
        return WF_OK;
    }
    const uint64_t before = l->next;
    err = refuse(u, e, l, feed(l, &e->chunk, error), error);
    return err == WF_OK && l->loading && l->next != before ? note_waiting(l, e, error) : err;
}

static int take(struct wf_unspool *u, struct wf_spool_entry *e, struct wf_error *error) {
    int err = wf_fleet_chunk_unpack(&e->chunk, u->unpacked, error);
    if (err == WF_ERR_BAD_CHUNK) { // the intake has seen that it is whole
        ++u->totals.refused;
        return WF_OK;
    }
    if (err == WF_OK)
        err =
            e->chunk.flags & WF_FLEET_CHUNK_BOX ? take_box(u, e, error) : take_frames(u, e, error);
    ++u->totals.chunks;
    u->totals.bytes += e->chunk.len;
    return err;
}

// ---- what is done

static uint64_t oldest_waiting(const struct wf_unspool *u) {
    const uint64_t box = wfb_boxes_oldest(&u->boxes);
    uint64_t oldest = box < u->position ? box : u->position;
    for (size_t i = 0; i < u->streams.count; ++i) {
        struct lane *l = u->streams.list[i].client;
        if (!l) continue;
        drop_stored(l);
        if (l->count && l->waiting[l->first].position < oldest)
            oldest = l->waiting[l->first].position;
    }
    return oldest;
}

// Adds the segment that has not ended; of a stream without chunks for long, its end.
static int grow(struct wf_unspool *u, struct wfb_stream *s, struct wf_error *error) {
    struct lane *l = s->client;
    const struct wf_spool_entry e = {.chunk = {.stream = s->stream}};
    struct wf_spool_entry of = e;
    int err = WF_OK;
    memcpy(of.device, s->device, sizeof of.device);
    const bool idle = now_s() - l->used >= (time_t)u->o.idle_s;
    if (!l->loading) return WF_OK;
    if (!idle) return refuse(u, &of, l, wf_loading_grow(l->loading, error), error);
    err = wf_loading_end(l->loading, error);
    l->loading = NULL;
    return refuse(u, &of, l, err, error);
}

// Forgets streams that have ended, and boxes whose rest does not come.
static void close_idle(struct wf_unspool *u) {
    for (size_t i = 0; i < u->streams.count; ++i) {
        struct wfb_stream *s = &u->streams.list[i];
        struct lane *l = s->client;
        const bool idle = now_s() - l->used >= (time_t)u->o.idle_s;
        s->seen_s = !idle || l->loading;
        if (!s->seen_s) close_lane(l);
    }
    wfb_streams_forget(&u->streams, 1);
    wfb_boxes_forget(&u->boxes, now_s() - (time_t)u->o.idle_s);
    u->totals.streams = u->streams.count;
}

int wf_unspool_flush(struct wf_unspool *u, struct wf_error *error) {
    int err = WF_OK;
    for (size_t i = 0; i < u->streams.count && err == WF_OK; ++i)
        err = grow(u, &u->streams.list[i], error);
    if (err == WF_OK) err = wf_loader_flush(u->o.loader, error);
    if (err != WF_OK) return err;
    close_idle(u);
    wf_loader_trim(u->o.loader);
    u->flushed = u->position;
    u->flushed_s = now_s();
    atomic_store(&u->done, oldest_waiting(u));
    return WF_OK;
}

int wf_unspool_step(struct wf_unspool *u, uint64_t end, struct wf_error *error) {
    struct wf_spool_entry entry;
    int err = WF_OK;
    while (err == WF_OK && wf_spool_next(u->reader, end, &entry)) {
        u->position = entry.next;
        err = take(u, &entry, error);
        if (err == WF_OK && u->position - u->flushed >= u->o.bytes)
            err = wf_unspool_flush(u, error);
    }
    u->totals.skipped = wf_spool_skipped(u->reader);
    if (err == WF_OK && wf_spool_reader_error(u->reader) != WF_OK)
        err = wf_error_code(error, wf_spool_reader_error(u->reader));
    if (err == WF_OK && now_s() - u->flushed_s >= (time_t)u->o.grow_s)
        return wf_unspool_flush(u, error);
    if (err == WF_OK && now_s() != u->sent_s) { // whole segments, a second later at most
        err = wf_loader_flush(u->o.loader, error);
        u->sent_s = now_s();
    }
    return err;
}
