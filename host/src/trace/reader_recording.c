// SPDX-License-Identifier: MIT
// Recordings: a file with the streams of several lanes. Its chunks are taken one at a time; the
// next one only when all items of the one before are out, because its bytes are valid until then.

#include <stdlib.h>
#include <string.h>

#include "wfi_trace.h"

int wfi_recorded_open(struct wf_trace *t) {
    struct wfi_recorded *r = calloc(1, sizeof *r);
    if (r) r->recording = wf_recording_open();
    t->recorded = r;
    if (r && r->recording) return WF_OK;
    wfi_recorded_close(t);
    return WF_ERR_NOMEM;
}

void wfi_recorded_close(struct wf_trace *t) {
    if (!t->recorded) return;
    wf_recording_close(t->recorded->recording);
    free(t->recorded);
    t->recorded = NULL;
}

int wfi_recorded_feed(struct wf_trace *t, const uint8_t *bytes, size_t len) {
    return wf_recording_feed(t->recorded->recording, bytes, len) ? WF_OK : WF_ERR_NOMEM;
}

void wfi_recorded_end(struct wf_trace *t) {
    t->recorded->ended = true;
    wf_recording_end(t->recorded->recording);
}

const struct wf_recording_info *wf_trace_recording(const struct wf_trace *t) {
    return t->recorded ? wf_recording_get_info(t->recorded->recording) : NULL;
}

static bool give_item(struct wf_trace *t, struct wf_lane *l, const struct wf_chunk *chunk) {
    t->chunk = chunk;
    t->chunk_lane = l;
    return true;
}

// An item of the lane that is not in the file.
static bool give_made(struct wf_lane *l, enum wf_chunk_kind kind, const char *text) {
    struct wfi_recorded *r = l->trace->recorded;
    r->made = (struct wf_chunk){.kind = kind,
                                .lane = l->number,
                                .time_us = l->time_us,
                                .bytes = (const uint8_t *)text,
                                .len = strlen(text)};
    return give_item(l->trace, l, &r->made);
}

// Ends the connection. Its remaining items are returned first, then the item of the chunk.
static bool relink_first(struct wf_lane *l) {
    struct wfi_recorded *r = l->trace->recorded;
    r->relinked = !r->relinked;
    l->up = r->relinked;
    if (r->relinked) wf_trace_relink(l->trace, l->number);
    return r->relinked;
}

// A file of a noted format was detected by more bytes than those of a stream are.
static void use_noted_format(struct wf_lane *l, const struct wf_chunk *c) {
    size_t len = c->len < WFI_PIECE ? c->len : WFI_PIECE;
    if (l->reader || l->first_len || !l->noted || wfi_wanted_format(l) != l->noted) return;
    const struct wfi_reader *r = wfi_reader_of_file(l->noted, c->bytes, len);
    if (r) wfi_fail(l->trace, wfi_set_reader(l, r));
}

static bool take_bytes(struct wf_lane *l, const struct wf_chunk *c) {
    if (!l->up) { // the chunk of its connect is lost
        l->up = true;
        l->time_us = c->time_us;
        return give_made(l, WF_CHUNK_UP, "unknown");
    }
    struct wf_trace *t = l->trace;
    struct wfi_recorded *r = t->recorded;
    size_t most = t->options.chunk_bytes, len = most && most < c->len ? most : c->len;
    l->time_us = c->time_us;
    r->shown = most && !r->shown;
    if (r->shown) {
        r->made = *c;
        r->made.len = len;
        return give_item(t, l, &r->made);
    }
    r->chunk.bytes += len;
    r->chunk.len -= len;
    r->chunk.offset += len;
    r->held = r->chunk.len > 0;
    use_noted_format(l, c);
    wfi_fail(t, wfi_feed_lane(l, r->chunk.bytes - len, len));
    return true;
}

static bool take_up(struct wf_lane *l, const struct wf_chunk *c) {
    if (l->up) // the disconnect is missing in the file
        return relink_first(l) || give_made(l, WF_CHUNK_DOWN, "");
    l->trace->recorded->held = false;
    l->up = true;
    l->time_us = c->time_us;
    return give_item(l->trace, l, c);
}

static bool take_down(struct wf_lane *l, const struct wf_chunk *c) {
    if (relink_first(l)) return true;
    l->trace->recorded->held = false;
    l->time_us = c->time_us;
    return give_item(l->trace, l, c);
}

// A format that this library does not read is found by the first bytes, as if it was not stated.
static int note_format(struct wf_lane *l, const struct wf_chunk *c) {
    struct wf_recording_format f;
    enum wf_lane_format format;
    if (!wf_recording_get_format(c->bytes, c->len, &f)) return WF_ERR_BAD_RECORDING;
    l->noted = wf_lane_find_format(f.name, &format) ? format : WF_LANE_UNKNOWN;
    free(l->describe);
    l->describe = NULL;
    l->describe_len = f.describe_len;
    if (!f.describe_len) return WF_OK;
    l->describe = malloc(f.describe_len);
    if (!l->describe) return WF_ERR_NOMEM;
    memcpy(l->describe, f.describe, f.describe_len);
    return WF_OK;
}

// A chunk of a lane. Returns true.
static bool take_chunk(struct wf_lane *l, const struct wf_chunk *c) {
    struct wf_trace *t = l->trace;
    if (c->kind == WF_CHUNK_UP) return take_up(l, c);
    if (c->kind == WF_CHUNK_BYTES) return take_bytes(l, c);
    if (c->kind == WF_CHUNK_DOWN && l->up) return take_down(l, c);
    t->recorded->held = false;
    if (c->kind == WF_CHUNK_PLACE) { // nothing to show
        wf_recording_apply(l->session, c);
        return true;
    }
    // Of a connection that began in a damaged part only the bytes are known.
    if (!l->up && c->kind != WF_CHUNK_LOST) return true;
    l->time_us = c->time_us;
    t->turn = l;
    l->next = wfi_next_of_session;
    int err = c->kind == WF_CHUNK_FORMAT ? note_format(l, c) : wf_recording_apply(l->session, c);
    t->chunk_good = err == WF_OK;
    return c->kind == WF_CHUNK_LOST || give_item(t, l, c);
}

// At the end of the file. False: no target is connected any more.
static bool end_connections(struct wf_trace *t) {
    for (unsigned i = 0; i < t->lane_count; ++i) {
        struct wf_lane *l = t->lanes[i];
        if (l->up) return relink_first(l) || give_made(l, WF_CHUNK_DOWN, "the recording ends");
    }
    return false;
}

bool wfi_recorded_step(struct wf_trace *t) {
    struct wfi_recorded *r = t->recorded;
    struct wf_error error;
    if (r->dropped) return false;
    if (!r->held && !wf_recording_next(r->recording, &r->chunk))
        return r->ended && end_connections(t);
    r->held = true;
    if (r->chunk.kind >= WF_CHUNK_DAMAGE) {
        r->held = false;
        return give_item(t, NULL, &r->chunk);
    }
    if (t->options.one_lane && r->chunk.lane != t->options.lane) {
        r->held = false;
        return true;
    }
    struct wf_lane *l = wf_trace_lane(t, r->chunk.lane, &error);
    if (l) return take_chunk(l, &r->chunk);
    wfi_fail(t, error.code);
    return false;
}
