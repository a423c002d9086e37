// SPDX-License-Identifier: MIT
// Checkpoints: at regular row intervals, the state of the session without its names, and the offset
// of its next byte in the source. The first one is at the beginning, a new session. When there are
// CHECKPOINTS_MAX of them, every second one is removed and the interval is doubled: memory is
// limited (to about 20 MB), and a long trace is read in longer parts.

#include "wallfly_server/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay_state.h"
#include "rows.h"
#include "wallfly_host/wf_text_trace.h"

enum { EVERY = 2048, CHECKPOINTS_MAX = 65536, PROGRESS = 4096 };

// ---- open, close

struct replay *replay_open(const struct replay_options *o, struct wf_error *error) {
    struct replay *r = calloc(1, sizeof *r);
    bool good = r && uv_mutex_init(&r->lock) == 0;
    if (r && !good) {
        free(r);
        r = NULL;
    }
    if (r) {
        r->o = *o;
        r->o.session.size = sizeof r->o.session;
        r->every = EVERY;
        r->frames = true;
        r->spool = (struct spool){.fd = -1, .failed = -1, .warn = o->warn, .ctx = o->ctx};
        r->cap = 64;
        r->count = 1;
        r->checkpoints = calloc(r->cap, sizeof *r->checkpoints);
        good = r->checkpoints != NULL;
    }
    if (!good) wf_error_code(error, WF_ERR_NOMEM);
    if (good && (!o->spool || spool_open(&r->spool, o->spool, error))) return r;
    replay_close(r);
    return NULL;
}

void replay_close(struct replay *r) {
    if (!r) return;
    spool_close(&r->spool);
    for (size_t i = 0; r->checkpoints && i < r->count; ++i) free(r->checkpoints[i].state);
    free(r->checkpoints);
    uv_mutex_destroy(&r->lock);
    free(r);
}

// ---- while the trace is read first

bool replay_take(struct replay *r, const uint8_t *bytes, size_t len) {
    return spool_put(&r->spool, &r->lock, bytes, len);
}

void replay_relink(struct replay *r) {
    uv_mutex_lock(&r->lock);
    spool_relink(&r->spool);
    uv_mutex_unlock(&r->lock);
}

static bool is_kept(const struct replay *r, const struct checkpoint *p) {
    return !r->o.spool || p->offset >= spool_gone(&r->spool);
}

// Removes checkpoints whose bytes the ring has overwritten; if too few, also every second one. The
// first checkpoint is kept: it marks the beginning.
static void thin_checkpoints(struct replay *r) {
    size_t to = 1, gone = 1;
    while (gone < r->count && !is_kept(r, &r->checkpoints[gone]))
        free(r->checkpoints[gone++].state);
    bool half = gone < CHECKPOINTS_MAX / 4;
    for (size_t i = gone; i < r->count; ++i) {
        if (half && i % 2 == 0)
            free(r->checkpoints[i].state);
        else
            r->checkpoints[to++] = r->checkpoints[i];
    }
    r->count = to;
    if (half) r->every *= 2;
}

static void add_checkpoint(struct replay *r, const struct checkpoint *p) {
    if (r->count == CHECKPOINTS_MAX) thin_checkpoints(r);
    if (r->count == r->cap) {
        struct checkpoint *more = realloc(r->checkpoints, 2 * r->cap * sizeof *more);
        if (!more) {
            free(p->state);
            return;
        }
        r->checkpoints = more;
        r->cap *= 2;
    }
    r->checkpoints[r->count++] = *p;
}

static void save_checkpoint(struct replay *r, uint64_t block_at) {
    struct checkpoint p = {.row = r->rows, .tick = r->tick, .block_at = block_at};
    if (r->frames) {
        p.state = wf_session_save_checkpoint(r->session, &p.len, &p.offset);
        if (!p.state) return; // try again at the next record
    }
    uv_mutex_lock(&r->lock);
    add_checkpoint(r, &p);
    uv_mutex_unlock(&r->lock);
}

void replay_item(struct replay *r, const struct wf_session *s, const struct wf_item *item,
                 unsigned lane, uint64_t block_at) {
    if (!r->session) {
        r->session = s;
        r->lane = lane;
        r->frames = !wf_session_takes_text(s) && !wf_session_target(s)->cores && !r->o.image &&
                    !wf_session_is_imported(s);
    }
    if (item->kind == WF_ITEM_DAMAGE) return;
    uint64_t tick;
    if (row_tick(item, &tick) && tick > r->tick) r->tick = tick;
    ++r->rows;
    if (r->rows >= r->checkpoints[r->count - 1].row + r->every && item->kind != WF_ITEM_LOSS)
        save_checkpoint(r, block_at);
}

// ---- checkpoints

uint64_t replay_rows(const struct replay *r) { return r->rows; }

// Returns the first checkpoint whose bytes are still available.
static const struct checkpoint *first_kept(const struct replay *r) {
    for (size_t i = 0; i < r->count; ++i) {
        if (is_kept(r, &r->checkpoints[i])) return &r->checkpoints[i];
    }
    return NULL;
}

uint64_t replay_gone(const struct replay *r) {
    const struct checkpoint *p = first_kept(r);
    return p ? p->row : r->rows;
}

// Returns the last checkpoint before a tick or a row, or the first checkpoint.
static const struct checkpoint *search_checkpoint(const struct replay *r, uint64_t what,
                                                  bool by_tick) {
    size_t low = 0, high = r->count;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if ((by_tick ? r->checkpoints[mid].tick : r->checkpoints[mid].row) < what)
            low = mid;
        else
            high = mid;
    }
    return &r->checkpoints[low];
}

uint64_t replay_near(const struct replay *r, uint64_t tick) {
    return search_checkpoint(r, tick, true)->row + 1;
}

const struct checkpoint *replay_checkpoint(const struct replay *r, uint64_t row) {
    const struct checkpoint *p = search_checkpoint(r, row, false);
    return is_kept(r, p) ? p : NULL;
}

uint64_t replay_start(const struct replay *r, uint64_t row) {
    const struct checkpoint *p = replay_checkpoint(r, r->frames ? row : REPLAY_ALL);
    return p ? p->row + 1 : row;
}

// ---- reading

struct run {
    const struct replay *r;
    const struct replay_reading *on;
    uint64_t number, from, of, turns;
    bool begun, enough, given_up;
};

static void begin_run(struct run *run, const struct replay *r, const struct replay_reading *on,
                      uint64_t from) {
    *run = (struct run){.r = r, .on = on, .number = from, .from = from, .of = r->rows - from};
}

bool replay_report(const struct replay_progress *p, uint64_t done, uint64_t of) {
    return !p->report || p->report(p->ctx, done, of);
}

static void report_progress(struct run *run) {
    uint64_t done = run->number - run->from;
    if (!replay_report(&run->on->progress, done < run->of ? done : run->of, run->of))
        run->given_up = run->enough = true;
}

static bool take_item(struct run *run, struct wf_session *s, const struct wf_item *item) {
    run->begun = true;
    if (item->kind != WF_ITEM_DAMAGE) ++run->number;
    if (!run->on->item(run->on->ctx, s, item, run->number)) run->enough = true;
    if (++run->turns % PROGRESS == 0 && !run->enough) report_progress(run);
    return !run->enough;
}

static void take_items(struct run *run, struct wf_session *s) {
    struct wf_item item;
    while (!run->enough && wf_session_next(s, &item)) take_item(run, s, &item);
}

static int end_run(struct run *run) {
    if (run->begun && run->on->end) run->on->end(run->on->ctx);
    return run->given_up ? WF_ERR_STOPPED : WF_OK;
}

int replay_session(const struct replay *r, const struct checkpoint *p,
                   const struct wf_session *names, struct wf_session **session) {
    struct wf_error error;
    int err = WF_OK;
    struct wf_session *s = *session = wf_session_open(&r->o.session, &error);
    if (!s) return error.code;
    if (r->o.names) r->o.names(r->o.ctx, s, p->state == NULL);
    if (p->state) err = wf_session_restore_checkpoint(s, p->state, p->len, p->offset);
    if (err == WF_OK && names) err = wf_session_keep_names(s, names);
    return err;
}

static int run_bytes(struct run *run, struct bytes *b, struct wf_session *s,
                     struct wf_error *error) {
    struct wf_chunk chunk;
    int more = 1;
    while (!run->enough && (more = bytes_next(b, &chunk, error)) > 0) {
        wf_recording_apply(s, &chunk);
        take_items(run, s);
    }
    if (run->enough) return WF_OK;
    if (more < 0) return more;
    if (run->r->o.spool) return WF_OK; // the live trace continues
    if (b->recording) wf_session_relink(s);
    wf_session_end(s);
    take_items(run, s);
    return WF_OK;
}

static int run_frames(struct replay *r, const struct checkpoint *checkpoint,
                      const struct replay_reading *on, struct wf_error *error) {
    struct checkpoint p = *checkpoint; // the progress may add checkpoints
    struct wf_session *s;
    struct run run;
    begin_run(&run, r, on, p.row);
    int err = replay_session(r, &p, on->names_in_order ? NULL : r->session, &s);
    if (err != WF_OK) wf_error_code(error, err);
    struct bytes *b = err == WF_OK ? bytes_open(r->o.spool ? &r->spool : NULL, r->o.file, r->lane,
                                                p.offset, p.block_at, error)
                                   : NULL;
    if (err == WF_OK) err = b ? run_bytes(&run, b, s, error) : WF_ERR_READ;
    int ended = end_run(&run);
    bytes_close(b);
    wf_session_close(s);
    return err == WF_OK ? ended : err;
}

// ---- other input than frames: read from the beginning

static bool take_again(void *ctx, struct wf_session *s, const struct wf_item *item) {
    struct run *run = ctx;
    return !run->enough && take_item(run, s, item);
}

static void end_again(void *ctx) { end_run(ctx); }

static int run_whole(struct replay *r, const struct replay_reading *on, struct wf_error *error) {
    struct run run;
    const struct replay_taker taker = {&run, take_again, end_again};
    char kept[32];
    snprintf(kept, sizeof kept, "/dev/fd/%d", r->spool.fd);
    begin_run(&run, r, on, 0);
    int err = r->o.read(r->o.ctx, r->o.spool ? kept : NULL, on->names_in_order ? NULL : r->session,
                        &taker);
    if (err != WF_OK) return wf_error_code(error, err);
    return run.given_up ? WF_ERR_STOPPED : WF_OK;
}

const struct checkpoint *replay_readable(const struct replay *r, uint64_t row,
                                         struct wf_error *error) {
    const struct checkpoint *p = replay_checkpoint(r, r->frames ? row : REPLAY_ALL);
    if (p && (!r->o.spool || r->spool.fd >= 0)) return p;
    wf_error_set(error, WF_ERR_READ, "%s",
                 r->frames ? "these records were overwritten by newer ones; --keep keeps more"
                           : "the beginning was overwritten, and this kind of trace can only be "
                             "read from there; --keep keeps more");
    return NULL;
}

int replay_run(struct replay *r, uint64_t row, const struct replay_reading *on,
               struct wf_error *error) {
    const struct checkpoint *p = replay_readable(r, row, error);
    if (!p) return WF_ERR_READ;
    return r->frames ? run_frames(r, p, on, error) : run_whole(r, on, error);
}

// ---- raw bytes

static size_t copy_bytes(const struct wf_chunk *c, uint64_t offset, uint8_t *bytes, size_t len,
                         size_t got) {
    uint64_t next = offset + got;
    if (c->kind != WF_CHUNK_BYTES || c->offset > next || c->offset + c->len <= next) return got;
    size_t at = (size_t)(next - c->offset), n = c->len - at;
    if (n > len - got) n = len - got;
    memcpy(bytes + got, c->bytes + at, n);
    return got + n;
}

size_t replay_raw(struct replay *r, uint64_t row, uint64_t offset, uint8_t *bytes, size_t len) {
    const struct checkpoint *p = replay_checkpoint(r, r->frames ? row : REPLAY_ALL);
    struct wf_chunk chunk;
    size_t got = 0;
    if (!p || r->o.image) return 0;
    struct bytes *b =
        bytes_open(r->o.spool ? &r->spool : NULL, r->o.file, r->lane, p->offset, p->block_at, NULL);
    if (b && !b->recording) b->offset = offset; // no need to read that far
    while (b && got < len && bytes_next(b, &chunk, NULL) > 0)
        got = copy_bytes(&chunk, offset, bytes, len, got);
    bytes_close(b);
    return got;
}
