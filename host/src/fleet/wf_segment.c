// SPDX-License-Identifier: MIT
// One session reads the stream. Where it could be continued by another one, between two frames and
// outside of holes, a segment may end; the state there is that of the next segment. Of a trace that
// is one whole segment only the bytes are gathered, and read at the end.

#include "wfi_segment.h"

#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "util/wfi_options.h"

struct wf_segments {
    struct wf_session *session;
    uint64_t bytes_most, seconds_most;
    uint64_t base; // added to offsets, which count from 0 in the session
    // Bytes of the stream from `offset` on, and its breaks, whose places count from there. The next
    // input drops the bytes and breaks of a segment that was returned: until then the session may
    // still read the bytes behind it.
    uint8_t *bytes;
    size_t len, cap;
    uint64_t offset;
    struct breaks {
        struct wf_segment_break *list;
        size_t count, cap;
    } breaks, returned;            // returned: those of a segment
    size_t begin;                  // of `current` in `bytes`
    struct wf_segment current;     // the one that grows; its `bytes` are not set
    struct wf_ledger at_begin;     // the ledger there
    uint64_t boundary;             // offset of the last place where it may end; its begin: none yet
    struct wf_segment at_boundary; // `current`, up to there
    uint8_t *state, *next_state;   // of `current`; of the one behind it, once it has ended
    size_t next_state_len;
    bool whole;                        // the stream is one whole segment
    struct wf_session_options options; // ... read with these
    bool ended, done;
    struct wf_error error; // the first one
};

static void *copy_bytes(const void *bytes, size_t len) {
    void *to = malloc(len ? len : 1);
    if (to && len) memcpy(to, bytes, len);
    return to;
}

// Takes what is known of the place where the bytes begin.
static bool begin(struct wf_segments *s, const struct wf_segments_options *o,
                  struct wf_error *error) {
    s->base = o->offset;
    s->current.number = o->number;
    s->current.state_len = o->state_len;
    if (!o->state_len) return true;
    s->state = copy_bytes(o->state, o->state_len);
    s->current.state = s->state;
    s->whole = s->state && wf_segment_get_whole(&s->current, NULL);
    int err = s->state ? WF_OK : WF_ERR_NOMEM;
    if (s->state && !s->whole) err = wf_session_read_state(s->session, o->state, o->state_len);
    return wf_error_code(error, err) == WF_OK;
}

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
    s->session = wf_session_open(o.session, error); // checks the options
    (void)wfi_options_copy(&s->options, sizeof s->options, o.session);
    if (s->session && begin(s, &o, error)) return s;
    wf_segments_close(s);
    return NULL;
}

void wf_segments_close(struct wf_segments *s) {
    if (!s) return;
    wf_session_close(s->session);
    free(s->bytes);
    free(s->breaks.list);
    free(s->returned.list);
    free(s->state);
    free(s->next_state);
    free(s);
}

int wf_segments_error(const struct wf_segments *s, struct wf_error *error) {
    if (error) *error = s->error;
    return s->error.code;
}

// ---- what is in a segment

void wfi_segment_count(struct wf_segment *segment, const struct wf_item *item) {
    segment->rows += item->kind == WF_ITEM_RECORD || item->kind == WF_ITEM_LOSS;
    if (item->kind != WF_ITEM_RECORD || !item->record.stamped) return;
    const uint64_t tick = item->record.tick;
    if (!segment->timed || tick < segment->begin) segment->begin = tick;
    if (!segment->timed || tick > segment->end) segment->end = tick;
    segment->timed = true;
}

void wfi_segment_close(struct wf_segment *segment, struct wf_session *session,
                       const struct wf_ledger *before) {
    const struct wf_ledger *l = wf_session_ledger(session);
    const struct wf_target *t = wf_session_target(session);
    segment->records = l->records - before->records;
    segment->missing = (int64_t)(l->missing - before->missing);
    segment->damaged = l->bytes_bad - before->bytes_bad;
    segment->exact = l->exact;
    segment->hz = t->hz;
    segment->build_id = t->build_id;
}

static void count_ledger(struct wf_segments *s) {
    wfi_segment_close(&s->current, s->session, &s->at_begin);
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

// Returns the place in `bytes` of the end of a frame: a break behind it comes after it.
static size_t place_of(const struct wf_segments *s, uint64_t offset) {
    uint64_t place = offset - s->offset;
    for (size_t i = 0; i < s->breaks.count && s->breaks.list[i].at < place; ++i)
        place -= s->breaks.list[i].lost;
    return (size_t)place;
}

static bool add_break(struct wf_segments *s, struct breaks *b, size_t at, uint64_t lost) {
    if (!WFI_GROW(b->list, &b->cap, b->count + 1)) wf_error_code(&s->error, WF_ERR_NOMEM);
    if (s->error.code == WF_OK) b->list[b->count++] = (struct wf_segment_break){at, lost};
    return s->error.code == WF_OK;
}

// Sets the offset in the stream, bytes, breaks and state of the current segment up to a place in
// `bytes`. A break there belongs to the next one, if there is any.
static bool put_bytes(struct wf_segments *s, struct wf_segment *segment, size_t until) {
    segment->offset += s->base;
    segment->bytes = s->len ? s->bytes + s->begin : NULL;
    segment->len = until - s->begin;
    segment->state = s->state;
    s->returned.count = 0;
    for (size_t i = 0; i < s->breaks.count; ++i) {
        const struct wf_segment_break *b = &s->breaks.list[i];
        const bool within = b->at >= s->begin && (b->at < until || s->done);
        if (within && !add_break(s, &s->returned, b->at - s->begin, b->lost)) return false;
    }
    segment->breaks = s->returned.list;
    segment->break_count = s->returned.count;
    return true;
}

// Ends the segment at `at`; the next one begins there with the session's present state.
static bool cut(struct wf_segments *s, uint64_t at, struct wf_segment *segment) {
    s->next_state = wf_session_write_state(s->session, &s->next_state_len);
    if (!s->next_state) {
        wf_error_code(&s->error, WF_ERR_NOMEM);
        return false;
    }
    const size_t place = place_of(s, at);
    count_ledger(s);
    *segment = s->current;
    if (!put_bytes(s, segment, place)) return false;
    s->begin = place;
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

static void drop_returned(struct wf_segments *s) {
    size_t kept = 0;
    take_next_state(s);
    if (!s->begin) return;
    memmove(s->bytes, s->bytes + s->begin, s->len - s->begin);
    for (size_t i = 0; i < s->breaks.count; ++i) {
        struct wf_segment_break b = s->breaks.list[i];
        if (b.at < s->begin) continue;
        b.at -= s->begin;
        s->breaks.list[kept++] = b;
    }
    s->breaks.count = kept;
    s->len -= s->begin;
    s->offset = s->current.offset;
    s->begin = 0;
}

int wf_segments_relink(struct wf_segments *s) {
    drop_returned(s);
    if (s->error.code == WF_OK && add_break(s, &s->breaks, s->len, 0) && !s->whole)
        wf_session_relink(s->session);
    return s->error.code;
}

int wf_segments_lose(struct wf_segments *s, uint64_t bytes) {
    drop_returned(s);
    if (bytes && s->error.code == WF_OK && add_break(s, &s->breaks, s->len, bytes) && !s->whole)
        wf_session_lose(s->session, bytes);
    return s->error.code;
}

int wf_segments_feed(struct wf_segments *s, const void *bytes, size_t len) {
    drop_returned(s);
    if (s->error.code != WF_OK || !len) return s->error.code;
    if (s->whole && len > WF_SEGMENT_WHOLE_MAX - s->len) return WF_ERR_READ;
    if (!WFI_GROW(s->bytes, &s->cap, s->len + len)) return WF_ERR_NOMEM;
    memcpy(s->bytes + s->len, bytes, len);
    if (!s->whole) wf_session_feed(s->session, s->bytes + s->len, len);
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
    return put_bytes(s, segment, s->len) &&
           (segment->len > 0 || segment->rows > 0 || segment->break_count > 0);
}

static bool put_whole(struct wf_segments *s, struct wf_segment *segment) {
    s->done = true;
    *segment = s->current;
    segment->last = true;
    return s->len > 0 && put_bytes(s, segment, s->len) &&
           wfi_segment_count_whole(segment, &s->options, &s->error) == WF_OK;
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
    while (!s->whole && s->error.code == WF_OK && wf_session_next(s->session, &item)) {
        wfi_segment_count(&s->current, &item);
        at = item.kind == WF_ITEM_RECORD ? frame_end(&item.record) : 0;
        if (at && is_full(s, &item.record) && may_end(s, &at)) return cut(s, at, segment);
    }
    note_boundary(s, at);
    if (wf_session_error(s->session) != WF_OK) wf_error_code(&s->error, WF_ERR_NOMEM);
    if (!s->ended || s->done || s->error.code != WF_OK) return false;
    return s->whole ? put_whole(s, segment) : put_last(s, segment);
}

bool wf_segments_growing(struct wf_segments *s, struct wf_segment *segment) {
    take_next_state(s);
    if (s->error.code != WF_OK || s->done || s->boundary == s->current.offset) return false;
    *segment = s->at_boundary;
    return put_bytes(s, segment, place_of(s, s->boundary));
}

// ---- reading

bool wf_segment_feed(const struct wf_segment *segment, size_t piece, struct wf_session *session) {
    const struct wf_segment_break *const breaks = segment->breaks;
    if (piece > segment->break_count) return false;
    size_t until = piece < segment->break_count ? breaks[piece].at : segment->len;
    size_t from = piece ? breaks[piece - 1].at : 0;
    if (until > segment->len) until = segment->len;
    if (from > until) from = until;
    if (piece && breaks[piece - 1].lost) wf_session_lose(session, breaks[piece - 1].lost);
    if (piece && !breaks[piece - 1].lost) wf_session_relink(session);
    if (until > from) wf_session_feed(session, segment->bytes + from, until - from);
    return true;
}

uint64_t wf_segment_end(const struct wf_segment *segment) {
    uint64_t end = segment->offset + segment->len;
    for (size_t i = 0; i < segment->break_count; ++i) end += segment->breaks[i].lost;
    return end;
}

// ---- copies

bool wf_segment_copy(struct wf_segment *to, const struct wf_segment *from) {
    *to = *from;
    to->bytes = copy_bytes(from->bytes, from->len);
    to->breaks = copy_bytes(from->breaks, from->break_count * sizeof *from->breaks);
    to->state = copy_bytes(from->state, from->state_len);
    if (to->bytes && to->breaks && to->state) return true;
    wf_segment_free(to);
    return false;
}

void wf_segment_free(struct wf_segment *copy) {
    free((uint8_t *)copy->bytes);
    free((struct wf_segment_break *)copy->breaks);
    free((uint8_t *)copy->state);
    *copy = (struct wf_segment){0};
}
