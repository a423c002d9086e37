// SPDX-License-Identifier: MIT
// Readings of parts in other threads, while the trace still grows: each has copies of a checkpoint
// and of what it needs of the spool, and a session of its own.

#include <stdlib.h>
#include <string.h>

#include "replay_state.h"
#include "wallfly_host/wf_program.h"

// ---- names

struct wf_session *replay_names(const struct replay *r) {
    struct wf_session *names = wf_session_open(&r->o.session, NULL);
    if (names && r->session && wf_session_keep_names(names, r->session) != WF_OK) {
        wf_session_close(names);
        return NULL;
    }
    return names;
}

bool replay_is_parallel(const struct replay *r) {
    return r->frames && r->session && wf_program_fit(r->session, NULL) == WF_PROGRAM_NONE;
}

bool replay_has_parts(const struct replay *r) { return r->frames && r->session; }

// ---- a reading

struct part {
    struct replay *r;
    const struct wf_session *names;
    const struct replay_part_reading *on;
    uint64_t number, last;
    uint64_t again; // the row of the checkpoint at which names are renewed; 0: none
    bool enough;
    struct checkpoint at;
    struct spool spool;
};

static int copy_start(struct part *p, uint64_t row, struct wf_error *error) {
    int err = WF_OK;
    uv_mutex_lock(&p->r->lock);
    const struct checkpoint *from = replay_checkpoint(p->r, row);
    if (!from || (p->r->o.spool && p->r->spool.fd < 0))
        err = wf_error_set(error, WF_ERR_READ, "these records were overwritten by newer ones");
    if (err == WF_OK) {
        p->at = *from;
        p->at.state = from->state ? malloc(from->len) : NULL;
        if (p->at.state) memcpy(p->at.state, from->state, from->len);
        if ((from->state && !p->at.state) || !spool_copy(&p->r->spool, &p->spool))
            err = wf_error_code(error, WF_ERR_NOMEM);
    }
    uv_mutex_unlock(&p->r->lock);
    return err;
}

static uint64_t checkpoint_behind(struct part *p, uint64_t row) {
    uint64_t behind = UINT64_MAX;
    uv_mutex_lock(&p->r->lock);
    size_t low = 0, high = p->r->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->r->checkpoints[mid].row < row)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < p->r->count) behind = p->r->checkpoints[low].row;
    uv_mutex_unlock(&p->r->lock);
    return behind;
}

static bool is_written_over(struct part *p, const struct wf_chunk *chunk) {
    if (!p->r->o.spool || chunk->kind != WF_CHUNK_BYTES) return false;
    uv_mutex_lock(&p->r->lock);
    uint64_t gone = spool_written_over(&p->r->spool);
    uv_mutex_unlock(&p->r->lock);
    return chunk->offset < gone;
}

static bool sets_name(const struct wf_item *item) {
    return item->kind == WF_ITEM_RECORD && item->record.row &&
           wf_effect_is_name(item->record.row->effect);
}

static void take_items(struct part *p, struct wf_session *s) {
    struct wf_item item;
    while (!p->enough && wf_session_next(s, &item)) {
        if (item.kind != WF_ITEM_DAMAGE && p->number == p->again && p->again) p->enough = true;
        if (p->enough) break;
        if (item.kind != WF_ITEM_DAMAGE) ++p->number;
        // A name of the trace replaces the known one for the rows up to the next checkpoint.
        if (!p->again && sets_name(&item)) p->again = checkpoint_behind(p, p->number);
        if (p->number > p->last || !p->on->item(p->on->ctx, s, &item, p->number)) {
            p->again = 0;
            p->enough = true;
        }
    }
}

static int read_bytes(struct part *p, struct bytes *b, struct wf_session *s,
                      struct wf_error *error) {
    struct wf_chunk chunk;
    int more = 1;
    while (!p->enough && (more = bytes_next(b, &chunk, error)) > 0) {
        if (is_written_over(p, &chunk))
            return wf_error_set(error, WF_ERR_READ, "these records were overwritten by newer ones");
        wf_recording_apply(s, &chunk);
        take_items(p, s);
    }
    if (more < 0) return more;
    if (p->enough) return WF_OK;
    if (!p->r->o.spool) {
        if (b->recording) wf_session_relink(s);
        wf_session_end(s);
        take_items(p, s);
    }
    if (!p->enough) p->again = 0;
    return WF_OK;
}

// Reads from the checkpoint before a row to the end of the part, or to a checkpoint behind a name.
static int read_from(struct part *p, uint64_t row, struct wf_error *error) {
    struct wf_session *s = NULL;
    struct bytes *b = NULL;
    p->again = 0;
    p->enough = false;
    int err = copy_start(p, row, error);
    if (err == WF_OK) {
        p->number = p->at.row;
        err = replay_session(p->r, &p->at, p->names, &s);
        if (err != WF_OK) wf_error_code(error, err);
    }
    if (err == WF_OK) {
        b = bytes_open(p->r->o.spool ? &p->spool : NULL, p->r->o.file, p->r->lane, p->at.offset,
                       p->at.block_at, error);
        if (!b) err = WF_ERR_READ;
    }
    if (err == WF_OK) {
        if (p->on->begin) p->on->begin(p->on->ctx, s);
        err = read_bytes(p, b, s, error);
    }
    bytes_close(b);
    wf_session_close(s);
    free(p->at.state);
    free(p->spool.links);
    p->at.state = NULL;
    p->spool.links = NULL;
    return err;
}

int replay_run_part(struct replay *r, const struct wf_session *names, uint64_t first, uint64_t last,
                    const struct replay_part_reading *on, struct wf_error *error) {
    struct part p = {.r = r, .names = names, .on = on, .last = last};
    int err = WF_OK;
    for (uint64_t row = first; row && err == WF_OK; row = p.again ? p.again + 1 : 0)
        err = read_from(&p, row, error);
    return err;
}
