// SPDX-License-Identifier: MIT
// Lanes of a capture. With a split or `whole`, bytes after the last 0x7E (in text: line feed) of a
// lane are held back until the record is complete, so that a new file can begin between any two
// calls.

#include "wallfly_backend/wf_capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_text_trace.h"
#include "wfb_options.h"
#include "wfb_parts.h"

enum { FLAG = 0x7E, HELD_MAX = 65536, SENT_MAX = 2048 };

struct lane {
    bool up, been;   // been: it was connected before
    bool has_state;  // this file contains the known state of its target
    uint64_t before; // its bytes in the files before this one,
    uint64_t bytes;  // and in all
    char peer[WF_RECORDING_NAME_MAX + 1];
    struct wf_session *session; // with a split, if the caller supplies none
    uint8_t *held;              // the beginning of a record; only with a split or `whole`
    size_t held_len, held_cap;
};

struct wf_capture {
    struct wf_capture_options options;
    struct wfb_parts parts;
    struct lane *lanes;
    unsigned lane_count;
    bool nameless; // the missing names were reported
};

// Reported once: it applies to this file and all later ones.
static void report_nameless(struct wf_capture *c, const struct lane *lane) {
    char text[512];
    if (c->nameless || !c->options.report) return;
    c->nameless = true;
    snprintf(text, sizeof text,
             "%.200s: the names of %.100s take more than 512 KiB and are not in this file or those "
             "after it; --dic reads them, from a file that `wallfly convert --to=dic` makes of "
             "the file before",
             c->parts.name, lane->peer);
    c->options.report(c->options.ctx, text);
}

static const struct wf_session *session_of(const struct wf_capture *c, unsigned number) {
    if (c->options.session) return c->options.session(c->options.ctx, number);
    return c->lanes[number].session;
}

// The format that is given, or that of another tracer that was found.
static struct wf_recording_format find_format(const struct wf_capture *c, unsigned number) {
    struct wf_recording_format f = {.name = ""};
    if (c->options.format) f = *c->options.format;
    if (*f.name || !c->options.lane_format) return f;
    const enum wf_lane_format found = c->options.lane_format(c->options.ctx, number);
    if (wf_lane_format_is_foreign(found)) f.name = wf_lane_format_name(found);
    return f;
}

// The format is part of each file, as each can be read alone.
static void write_format(struct wf_capture *c, unsigned number) {
    struct wf_recording_format f = find_format(c, number);
    size_t len = 0;
    if (!*f.name && !f.describe_len) return;
    if (f.describe_len > WF_RECORDING_STATE_MAX / 2) {
        f.describe_len = 0;
        if (c->options.report)
            c->options.report(c->options.ctx, "the description has more than 256 KiB and is not in "
                                              "the recording: give it again to read that");
    }
    uint8_t *bytes = wf_recording_put_format(&f, &len);
    if (bytes)
        wfb_parts_put(&c->parts, WF_CHUNK_FORMAT, number, bytes, len);
    else
        wfb_parts_fail(&c->parts, WF_ERR_NOMEM, wf_err_text(WF_ERR_NOMEM));
    free(bytes);
}

// A file that is read alone has the same place in the recording as one read after the others.
static void write_place(struct wf_capture *c, unsigned number) {
    const struct wf_recording_place place = {.start_ns = c->parts.start_ns,
                                             .offset = c->lanes[number].before};
    uint8_t bytes[WF_RECORDING_PLACE_MAX];
    size_t len = wf_recording_put_place(&place, bytes);
    if (c->parts.totals.files > 1) wfb_parts_put(&c->parts, WF_CHUNK_PLACE, number, bytes, len);
}

// Writes the connection of a target, then the state from the files before this one: a target that
// reconnects without a reset does not send its names again.
static void write_up(struct wf_capture *c, unsigned number) {
    struct lane *lane = &c->lanes[number];
    const struct wf_session *s = session_of(c, number);
    size_t len = 0;
    wfb_parts_put(&c->parts, WF_CHUNK_UP, number, lane->peer, strlen(lane->peer));
    write_format(c, number);
    if (!lane->has_state) write_place(c, number);
    uint8_t *state = s && lane->been && !lane->has_state ? wf_session_write_state(s, &len) : NULL;
    if (state) wfb_parts_put(&c->parts, WF_CHUNK_STATE, number, state, len);
    if (state && wf_session_state_nameless(state, len)) report_nameless(c, lane);
    free(state);
    lane->been = lane->has_state = true;
}

// Called at the beginning of each file except the first.
static void begin_part(struct wf_capture *c) {
    for (unsigned i = 0; i < c->lane_count; ++i) {
        c->lanes[i].has_state = false;
        c->lanes[i].before = c->lanes[i].bytes;
    }
    for (unsigned i = 0; i < c->lane_count; ++i) {
        if (c->lanes[i].up) write_up(c, i);
    }
}

// The next file's state would lack frames that wait for object numbers.
static bool holds_frames(const struct wf_capture *c) {
    for (unsigned i = 0; i < c->lane_count; ++i) {
        const struct wf_session *s = session_of(c, i);
        if (s && wf_session_holds_frames(s)) return true;
    }
    return false;
}

// Starts a new file when it is time, before the next data is written.
static void split_if_due(struct wf_capture *c) {
    static const char why[] = "goes on in the next file";
    if (!wfb_parts_is_due(&c->parts) || holds_frames(c)) return;
    for (unsigned i = 0; i < c->lane_count; ++i) {
        if (c->lanes[i].up) wfb_parts_put(&c->parts, WF_CHUNK_DOWN, i, why, sizeof why - 1);
    }
    if (wfb_parts_next(&c->parts) != WF_OK) return;
    begin_part(c);
}

static struct lane *lane_of(struct wf_capture *c, unsigned number) {
    if (number >= WF_RECORDING_LANES) return NULL;
    if (number < c->lane_count) return &c->lanes[number];
    struct lane *lanes = realloc(c->lanes, (number + 1) * sizeof *lanes);
    if (!lanes) {
        wfb_parts_fail(&c->parts, WF_ERR_NOMEM, wf_err_text(WF_ERR_NOMEM));
        return NULL;
    }
    memset(lanes + c->lane_count, 0, (number + 1 - c->lane_count) * sizeof *lanes);
    c->lanes = lanes;
    c->lane_count = number + 1;
    return &c->lanes[number];
}

static void put_bytes(struct wf_capture *c, unsigned number, const uint8_t *bytes, size_t len) {
    wfb_parts_put_bytes(&c->parts, number, bytes, len);
    c->lanes[number].bytes += len;
}

static void write_held(struct wf_capture *c, unsigned number) {
    struct lane *lane = &c->lanes[number];
    put_bytes(c, number, lane->held, lane->held_len);
    lane->held_len = 0;
}

static bool hold_bytes(struct lane *lane, const uint8_t *bytes, size_t len) {
    if (lane->held_cap - lane->held_len < len) {
        size_t cap = lane->held_len + len + 1024;
        uint8_t *held = realloc(lane->held, cap);
        if (!held) return false;
        lane->held = held;
        lane->held_cap = cap;
    }
    if (len) memcpy(lane->held + lane->held_len, bytes, len);
    lane->held_len += len;
    return true;
}

// Decodes the bytes, for the state at the start of the next file.
static void decode_bytes(const struct wf_capture *c, struct lane *lane, const uint8_t *bytes,
                         size_t len) {
    static const struct wf_session_options options = {.size = sizeof options,
                                                      .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    if (!c->parts.split || c->options.raw || c->options.session) return;
    if (!lane->session) lane->session = wf_session_open(&options, NULL);
    if (!lane->session) return;
    wf_session_feed(lane->session, bytes, len);
    while (wf_session_next(lane->session, &item)) {
    }
}

// Returns the byte that ends a record of the lane: a line feed for transmission text.
static uint8_t end_mark(const struct wf_capture *c, unsigned number) {
    const struct wf_session *s = session_of(c, number);
    return s && wf_session_takes_text(s) ? '\n' : FLAG;
}

static void write_bytes(struct wf_capture *c, unsigned number, const uint8_t *bytes, size_t len) {
    struct lane *lane = lane_of(c, number);
    if (c->parts.error.code || !lane) return;
    c->parts.totals.bytes += len;
    split_if_due(c);
    decode_bytes(c, lane, bytes, len);
    size_t whole = len;
    if (c->parts.split || c->options.whole) {
        const uint8_t *flag = memrchr(bytes, end_mark(c, number), len);
        whole = flag ? (size_t)(flag - bytes) + 1 : 0;
        if (lane->held_len + len - whole > HELD_MAX) whole = len; // longer than any record
    }
    if (whole) {
        write_held(c, number);
        put_bytes(c, number, bytes, whole);
    }
    if (!hold_bytes(lane, bytes + whole, len - whole)) {
        write_held(c, number);
        put_bytes(c, number, bytes + whole, len - whole);
    }
}

size_t wf_capture_step(const struct wf_capture *c) {
    return c->options.split_bytes ? (size_t)wfb_parts_step(&c->parts) : SIZE_MAX;
}

void wf_capture_bytes(struct wf_capture *c, unsigned lane, const uint8_t *bytes, size_t len) {
    for (size_t n; len; bytes += n, len -= n) {
        n = wf_capture_step(c) < len ? wf_capture_step(c) : len;
        write_bytes(c, lane, bytes, n);
    }
}

void wf_capture_up(struct wf_capture *c, unsigned number, const char *peer) {
    struct lane *lane = lane_of(c, number);
    if (!lane) return;
    split_if_due(c);
    lane->up = true;
    snprintf(lane->peer, sizeof lane->peer, "%s", peer);
    write_up(c, number);
}

void wf_capture_join(struct wf_capture *c, unsigned number, const char *peer, const uint8_t *bytes,
                     size_t len) {
    struct lane *lane = lane_of(c, number);
    if (!lane) return;
    lane->been = true; // so its state is written
    if (!peer) return;
    wf_capture_up(c, number, peer);
    write_bytes(c, number, bytes, len);
}

void wf_capture_down(struct wf_capture *c, unsigned number, const char *why) {
    struct lane *lane = lane_of(c, number);
    if (!lane) return;
    write_held(c, number);
    lane->up = false;
    wfb_parts_put(&c->parts, WF_CHUNK_DOWN, number, why, strlen(why));
    if (lane->session) wf_session_relink(lane->session);
}

void wf_capture_sent(struct wf_capture *c, unsigned lane, uint8_t command, const void *payload,
                     size_t len) {
    uint8_t bytes[SENT_MAX] = {command};
    if (len >= sizeof bytes || !lane_of(c, lane)) return;
    if (len) memcpy(bytes + 1, payload, len);
    wfb_parts_put(&c->parts, WF_CHUNK_SENT, lane, bytes, len + 1);
}

void wf_capture_chunk(struct wf_capture *c, unsigned lane, const struct wf_chunk *chunk) {
    bool takes = chunk->kind == WF_CHUNK_STATE || chunk->kind == WF_CHUNK_SENT ||
                 (chunk->kind == WF_CHUNK_FORMAT && !c->options.format);
    if (!takes || !lane_of(c, lane)) return;
    wfb_parts_put(&c->parts, chunk->kind, lane, chunk->bytes, chunk->len);
    decode_bytes(c, &c->lanes[lane], NULL, 0);
    if (c->lanes[lane].session) wf_recording_apply(c->lanes[lane].session, chunk);
}

void wf_capture_tick(struct wf_capture *c) { wfb_parts_tick(&c->parts); }

bool wf_capture_error(struct wf_capture *c, struct wf_error *error) {
    return wfb_parts_error(&c->parts, error);
}

struct wf_capture_totals wf_capture_totals(const struct wf_capture *c) {
    return c->parts.totals;
}
const char *wf_capture_name(const struct wf_capture *c) { return c->parts.name; }

static void free_capture(struct wf_capture *c) {
    for (unsigned i = 0; i < c->lane_count; ++i) {
        free(c->lanes[i].held);
        wf_session_close(c->lanes[i].session);
    }
    free(c->lanes);
    free(c);
}

int wf_capture_open(const char *name, const struct wf_capture_options *options,
                    struct wf_capture **capture, struct wf_error *error) {
    struct wf_capture *c = calloc(1, sizeof *c);
    *capture = NULL;
    if (!c) return wf_error_code(error, WF_ERR_NOMEM);
    int err = wfb_copy_options(&c->options, sizeof c->options, options, error);
    if (err == WF_OK) err = wfb_parts_open(&c->parts, name, &c->options, error);
    if (err == WF_OK)
        *capture = c;
    else
        free_capture(c);
    return err;
}

int wf_capture_close(struct wf_capture *c, struct wf_capture_totals *totals,
                     struct wf_error *error) {
    for (unsigned i = 0; i < c->lane_count && !c->options.whole; ++i) write_held(c, i);
    int err = wfb_parts_close(&c->parts, true, error);
    if (totals) *totals = c->parts.totals;
    free_capture(c);
    return err;
}

void wf_capture_discard(struct wf_capture *c) {
    wfb_parts_close(&c->parts, false, NULL);
    free_capture(c);
}
