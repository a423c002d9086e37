// SPDX-License-Identifier: MIT
// A chunk that is taken is wanted no more at once, so that what follows it in the same message is
// taken, too; that is only said, and kept, when it is safe.

#include "wallfly_backend/wf_intake.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wfb_intake.h"
#include "wfb_options.h"

enum { KEEP_DAYS = 30, DAY_S = 86400 };

struct wf_intake {
    struct wf_intake_options o;
    struct wf_spool *spool;
    struct wfb_streams streams;
    struct wfb_kept *kept;
    struct wfb_saved saved;
    size_t *touched; // streams of the next sync, by their places in the list
    size_t touched_count, touched_cap;
    uint8_t *unpacked;                    // a chunk
    struct wf_intake_totals totals, safe; // safe: as they were at the last sync
};

struct wf_spool *wf_intake_spool(struct wf_intake *in) {
    return in->spool;
}
uint64_t wf_intake_done(const struct wf_intake *in) { return in->saved.done; }
const struct wf_intake_totals *wf_intake_totals(const struct wf_intake *in) { return &in->totals; }

// ---- opening

// Entries that came after the table was saved have moved what is wanted.
static int replay(struct wf_intake *in, struct wf_error *error) {
    struct wf_spool_entry entry;
    struct wf_spool_reader *r = wf_spool_reader_open(in->o.spool.folder, in->saved.at, error);
    if (!r) return error->code;
    int err = WF_OK;
    while (err == WF_OK && wf_spool_next(r, wf_spool_end(in->spool), &entry)) {
        struct wfb_stream *s = wfb_streams_get(&in->streams, entry.device, entry.chunk.stream);
        if (!s) err = wf_error_code(error, WF_ERR_NOMEM);
        if (err == WF_OK) err = wf_fleet_chunk_unpack(&entry.chunk, in->unpacked, error);
        if (err != WF_OK) break;
        (void)wf_fleet_order_take(&s->order, &entry.chunk);
        s->safe = s->order;
        s->seen_s = (uint64_t)time(NULL);
        s->changed = true;
    }
    if (err == WF_OK && wf_spool_reader_error(r) != WF_OK)
        err = wf_error_code(error, wf_spool_reader_error(r));
    wf_spool_reader_close(r);
    return err;
}

static int open_intake(struct wf_intake *in, const struct wf_intake_options *options,
                       struct wf_error *error) {
    int err = wfb_copy_options(&in->o, sizeof in->o, options, error);
    if (err != WF_OK) return err;
    if (!in->o.keep_days) in->o.keep_days = KEEP_DAYS;
    in->unpacked = malloc(WF_FLEET_CHUNK_MAX);
    if (!in->unpacked) return wf_error_code(error, WF_ERR_NOMEM);
    in->spool = wf_spool_open(&in->o.spool, error);
    if (!in->spool) return error->code;
    in->kept = wfb_kept_open(in->o.spool.folder, &in->streams, &in->saved, error);
    return in->kept ? replay(in, error) : error->code;
}

struct wf_intake *wf_intake_open(const struct wf_intake_options *options, struct wf_error *error) {
    struct wf_error own;
    struct wf_intake *in = calloc(1, sizeof *in);
    if (!error) error = &own;
    if (!in) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    if (open_intake(in, options, error) == WF_OK) return in;
    wf_intake_close(in);
    return NULL;
}

void wf_intake_close(struct wf_intake *in) {
    if (!in) return;
    wfb_kept_close(in->kept);
    wf_spool_close(in->spool);
    wfb_streams_close(&in->streams);
    free(in->touched);
    free(in->unpacked);
    free(in);
}

// ---- taking

static bool touch(struct wf_intake *in, struct wfb_stream *s, void *client) {
    s->client = client;
    if (s->touched) return true;
    if (in->touched_count == in->touched_cap) {
        const size_t cap = 2 * in->touched_cap + 64;
        size_t *more = realloc(in->touched, cap * sizeof *more);
        if (!more) return false;
        in->touched = more;
        in->touched_cap = cap;
    }
    in->touched[in->touched_count++] = (size_t)(s - in->streams.list);
    s->touched = true;
    return true;
}

static int take_chunk(struct wf_intake *in, const char *device, struct wf_fleet_chunk *chunk,
                      void *client, struct wf_error *error) {
    int err = wf_fleet_chunk_unpack(chunk, in->unpacked, error);
    if (err != WF_OK) return err;
    struct wfb_stream *s = wfb_streams_get(&in->streams, device, chunk->stream);
    if (!s || !touch(in, s, client)) return wf_error_code(error, WF_ERR_NOMEM);
    const struct wf_fleet_order before = s->order;
    const enum wf_fleet_arrival arrival = wf_fleet_order_take(&s->order, chunk);
    s->seen_s = (uint64_t)time(NULL);
    s->changed = true;
    if (arrival != WF_FLEET_NEXT) {
        ++*(arrival == WF_FLEET_EARLY ? &in->totals.early : &in->totals.repeated);
        return WF_OK;
    }
    err = wf_spool_put(in->spool, device, chunk);
    if (err != WF_OK) {
        s->order = before;
        return wf_error_code(error, err);
    }
    ++in->totals.chunks;
    in->totals.bytes += chunk->len;
    in->totals.given_up += s->order.given_up - before.given_up;
    return WF_OK;
}

int wf_intake_take(struct wf_intake *in, const char *device, const uint8_t *message, size_t len,
                   void *client, struct wf_error *error) {
    struct wf_error own;
    struct wf_fleet_chunk chunk;
    int err = WF_OK;
    if (!error) error = &own;
    if (!wf_fleet_is_device(device))
        return wf_error_set(error, WF_ERR_USAGE, "'%.80s' is no name of a device", device);
    ++in->totals.messages;
    for (size_t at = 0; at < len && err == WF_OK;) {
        err = wf_fleet_chunk_read(message, len, &at, &chunk, error);
        if (err == WF_OK) err = take_chunk(in, device, &chunk, client, error);
    }
    if (!len) err = wf_error_set(error, WF_ERR_BAD_CHUNK, "an empty message");
    if (err == WF_ERR_BAD_CHUNK) ++in->totals.bad;
    return err == WF_OK ? wf_error_code(error, WF_OK) : err;
}

// ---- syncing

static void end_touched(struct wf_intake *in, bool safe) {
    for (size_t i = 0; i < in->touched_count; ++i) {
        struct wfb_stream *s = &in->streams.list[in->touched[i]];
        if (safe)
            s->safe = s->order;
        else
            s->order = s->safe;
        s->touched = false;
        if (!safe || !in->o.answer) continue;
        const struct wf_intake_answer answer = {s->client, s->device, s->stream, s->safe.wanted};
        in->o.answer(in->o.ctx, &answer);
    }
    in->touched_count = 0;
}

int wf_intake_sync(struct wf_intake *in, struct wf_error *error) {
    struct wf_error own;
    if (!error) error = &own;
    int err = wf_spool_sync(in->spool, error);
    if (err == WF_OK) {
        in->safe = in->totals;
    } else {
        in->totals.chunks = in->safe.chunks;
        in->totals.bytes = in->safe.bytes;
        in->totals.given_up = in->safe.given_up;
    }
    end_touched(in, err == WF_OK);
    in->totals.streams = in->streams.count;
    return err;
}

uint64_t wf_intake_wanted(const struct wf_intake *in, const char *device, uint64_t stream) {
    const struct wfb_stream *s = wfb_streams_find(&in->streams, device, stream);
    return s ? s->safe.wanted : 0;
}

int wf_intake_save(struct wf_intake *in, uint64_t done, struct wf_error *error) {
    struct wf_error own;
    if (!error) error = &own;
    const uint64_t now = (uint64_t)time(NULL), kept = (uint64_t)in->o.keep_days * DAY_S;
    const uint64_t before = now > kept ? now - kept : 0;
    const struct wfb_saved saved = {.done = done, .at = wf_spool_end(in->spool)};
    int err = wfb_kept_save(in->kept, &in->streams, &saved, before, error);
    if (err != WF_OK) return err;
    in->saved = saved;
    if (!in->touched_count) wfb_streams_forget(&in->streams, before);
    wf_spool_drop(in->spool, done < saved.at ? done : saved.at);
    return WF_OK;
}
