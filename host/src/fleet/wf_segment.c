// SPDX-License-Identifier: MIT
// One session reads the stream. Where it could be continued by another one, between two frames and
// outside of holes, a segment may end; the state there is that of the next segment.

#include "wallfly_host/wf_segment.h"

#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "util/wfi_options.h"

struct wf_segments {
    struct wf_session *session;
    uint64_t bytes_most, seconds_most;
    // Bytes of the stream from `offset` on. Those of a segment that was returned go with the next
    // feed, as the session may not have read the rest yet.
    uint8_t *bytes;
    size_t len, cap;
    uint64_t offset;
    struct wf_segment current;     // the one that grows; its `bytes` are not set
    struct wf_ledger at_begin;     // the ledger there
    uint64_t boundary;             // offset of the last place where it may end; its begin: none yet
    struct wf_segment at_boundary; // `current`, up to there
    uint8_t *state, *next_state;   // of `current`; of the one behind it, once it has ended
    size_t next_state_len;
    bool ended, done;
    int err;
};

struct wf_segments *wf_segments_open(const struct wf_segments_options *options,
                                     struct wf_error *error) {
    struct wf_segments_options o;
    int err = wfi_options_copy(&o, sizeof o, options);
    struct wf_segments *s = err == WF_OK ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        wf_error_code(error, err == WF_OK ? WF_ERR_NOMEM : err);
        return NULL;
    }
    s->bytes_most = o.bytes ? o.bytes : WF_SEGMENT_BYTES;
    s->seconds_most = o.seconds ? o.seconds : WF_SEGMENT_SECONDS;
    s->session = wf_session_open(o.session, error);
    if (s->session) return s;
    free(s);
    return NULL;
}

void wf_segments_close(struct wf_segments *s) {
    if (!s) return;
    wf_session_close(s->session);
    free(s->bytes);
    free(s->state);
    free(s->next_state);
    free(s);
}

int wf_segments_error(const struct wf_segments *s) { return s->err; }

// ---- what is in a segment

static void count_item(struct wf_segments *s, const struct wf_item *item) {
    struct wf_segment *current = &s->current;
    current->rows += item->kind == WF_ITEM_RECORD || item->kind == WF_ITEM_LOSS;
    if (item->kind != WF_ITEM_RECORD || !item->record.stamped) return;
    if (!current->timed) current->begin = item->record.tick;
    current->end = item->record.tick;
    current->timed = true;
}

static void count_ledger(struct wf_segments *s) {
    const struct wf_ledger *l = wf_session_ledger(s->session), *before = &s->at_begin;
    const struct wf_target *t = wf_session_target(s->session);
    struct wf_segment *current = &s->current;
    current->records = l->records - before->records;
    current->missing = (int64_t)(l->missing - before->missing);
    current->damaged = l->bytes_bad - before->bytes_bad;
    current->exact = l->exact;
    current->hz = t->hz;
    current->build_id = t->build_id;
}

static uint64_t frame_end(const struct wf_record *r) { return r->offset + r->raw_len; }

static bool is_full(const struct wf_segments *s, const struct wf_record *last) {
    const struct wf_segment *current = &s->current;
    uint64_t hz = wf_session_target(s->session)->hz;
    bool is_long = hz && current->end > current->begin &&
                   current->end - current->begin >= s->seconds_most * hz;
    return is_long || frame_end(last) - current->offset >= s->bytes_most;
}

// ---- cutting

// Returns whether the session is between two frames, and none is held back; sets where.
static bool may_end(const struct wf_segments *s, uint64_t *at) {
    size_t len;
    uint8_t *checkpoint = NULL;
    if (!wf_session_holds_frames(s->session))
        checkpoint = wf_session_save_checkpoint(s->session, &len, at);
    free(checkpoint);
    return checkpoint != NULL;
}

static void put_bytes(const struct wf_segments *s, struct wf_segment *segment, uint64_t until) {
    segment->bytes = s->len ? s->bytes + (segment->offset - s->offset) : NULL;
    segment->len = (size_t)(until - segment->offset);
    segment->state = s->state;
}

// Ends the segment at `at`; the next one begins there with the session's present state.
static bool cut(struct wf_segments *s, uint64_t at, struct wf_segment *segment) {
    s->next_state = wf_session_write_state(s->session, &s->next_state_len);
    if (!s->next_state) {
        s->err = WF_ERR_NOMEM;
        return false;
    }
    count_ledger(s);
    *segment = s->current;
    put_bytes(s, segment, at);
    s->at_begin = *wf_session_ledger(s->session);
    s->current = (struct wf_segment){
        .offset = at, .number = segment->number + segment->rows, .state_len = s->next_state_len};
    s->boundary = at;
    return true;
}

// The segment that was returned is no longer needed.
static void take_next_state(struct wf_segments *s) {
    if (!s->next_state) return;
    free(s->state);
    s->state = s->next_state;
    s->next_state = NULL;
}

int wf_segments_feed(struct wf_segments *s, const void *bytes, size_t len) {
    take_next_state(s);
    if (s->err != WF_OK || !len) return s->err;
    size_t gone = (size_t)(s->current.offset - s->offset);
    if (gone) memmove(s->bytes, s->bytes + gone, s->len - gone);
    s->len -= gone;
    s->offset += gone;
    if (!WFI_GROW(s->bytes, &s->cap, s->len + len)) return WF_ERR_NOMEM;
    memcpy(s->bytes + s->len, bytes, len);
    wf_session_feed(s->session, s->bytes + s->len, len);
    s->len += len;
    return WF_OK;
}

void wf_segments_end(struct wf_segments *s) {
    take_next_state(s);
    if (!s->ended) wf_session_end(s->session);
    s->ended = true;
}

static bool put_last(struct wf_segments *s, struct wf_segment *segment) {
    s->done = true;
    count_ledger(s);
    *segment = s->current;
    segment->last = true;
    put_bytes(s, segment, s->offset + s->len);
    return segment->len > 0 || segment->rows > 0;
}

// Notes that the segment may end behind the last frame, if it was good and none is held back.
static void note_boundary(struct wf_segments *s, uint64_t at) {
    if (!at || wf_session_holds_frames(s->session)) return;
    count_ledger(s);
    s->boundary = at;
    s->at_boundary = s->current;
}

bool wf_segments_next(struct wf_segments *s, struct wf_segment *segment) {
    struct wf_item item;
    uint64_t at = 0; // end of the last frame, if it was good
    take_next_state(s);
    while (s->err == WF_OK && wf_session_next(s->session, &item)) {
        count_item(s, &item);
        at = item.kind == WF_ITEM_RECORD ? frame_end(&item.record) : 0;
        if (at && is_full(s, &item.record) && may_end(s, &at)) return cut(s, at, segment);
    }
    note_boundary(s, at);
    if (wf_session_error(s->session) != WF_OK) s->err = WF_ERR_NOMEM;
    if (!s->ended || s->done || s->err != WF_OK) return false;
    return put_last(s, segment);
}

bool wf_segments_growing(struct wf_segments *s, struct wf_segment *segment) {
    take_next_state(s);
    if (s->err != WF_OK || s->done || s->boundary == s->current.offset) return false;
    *segment = s->at_boundary;
    put_bytes(s, segment, s->boundary);
    return true;
}

// ---- copies

static uint8_t *copy_bytes(const uint8_t *bytes, size_t len) {
    uint8_t *to = malloc(len ? len : 1);
    if (to && len) memcpy(to, bytes, len);
    return to;
}

bool wf_segment_copy(struct wf_segment *to, const struct wf_segment *from) {
    *to = *from;
    to->bytes = copy_bytes(from->bytes, from->len);
    to->state = copy_bytes(from->state, from->state_len);
    if (to->bytes && to->state) return true;
    wf_segment_free(to);
    return false;
}

void wf_segment_free(struct wf_segment *copy) {
    free((uint8_t *)copy->bytes);
    free((uint8_t *)copy->state);
    *copy = (struct wf_segment){0};
}
