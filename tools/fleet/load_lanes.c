// SPDX-License-Identifier: MIT
// A lane is a stream. A state of the decoder in the middle of a file begins with its own segments:
// what comes before it does not lead to it. A trace that is no frames is one segment.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "wallfly_host/wf_trace.h"

// ---- errors

void load_refuse(struct load *l, const struct load_lane *lane, int code, const char *text) {
    progress_end(&l->progress);
    if (lane && l->recorded)
        diag_error(code, "%s: lane %u: %s", l->name, lane->number, text);
    else
        diag_error(code, "%s: %s", l->name, text);
    if (l->code == EXIT_GOOD) l->code = code;
}

static void leave_out(struct load *l, struct load_lane *lane, int code, const char *text) {
    if (lane) {
        wf_loading_discard(lane->stream);
        lane->stream = NULL;
        lane->out = true;
    }
    load_refuse(l, lane, code, text);
}

static bool is_of_lane(int err) {
    return err == WF_ERR_USAGE || err == WF_ERR_BAD_STATE || err == WF_ERR_READ ||
           err == WF_ERR_BAD_IMPORT;
}

bool load_handle(struct load *l, struct load_lane *lane, int err, const struct wf_error *error) {
    char text[sizeof error->text + 32];
    if (err == WF_OK) return true;
    if (is_of_lane(err)) {
        if (error->place == WF_AT_NOWHERE)
            snprintf(text, sizeof text, "%s", error->text);
        else
            snprintf(text, sizeof text, "%s %" PRIu64 ": %s",
                     error->place == WF_AT_LINE ? "line" : "byte", error->at, error->text);
        leave_out(l, lane, exit_code_of(err), text);
        return true;
    }
    progress_end(&l->progress);
    l->code = exit_code_of(err);
    if (!l->quiet) diag_error(l->code, "%s: %s", l->fleet->url, error->text);
    return false;
}

static bool out_of_room(struct load *l) {
    l->code = out_of_memory();
    return false;
}

// ---- lanes

static struct load_lane *lane_at(struct load *l, unsigned number) {
    if (number >= WF_RECORDING_LANES) return NULL;
    if (!l->lanes[number]) l->lanes[number] = calloc(1, sizeof **l->lanes);
    if (l->lanes[number]) l->lanes[number]->number = number;
    return l->lanes[number];
}

// All files of a split recording have the same streams; one that has no place in it, as of an older
// version, has its own. So has each file with a lane that is kept whole: no reader of another
// format could go on with the bytes of the next file. A file that is no recording: its first
// segment decides.
static uint64_t stream_of(const struct load *l, const struct load_lane *lane) {
    uint8_t head[24];
    uint64_t numbers[3] = {lane->has_place ? lane->place.start_ns : l->start_ns, lane->number,
                           lane->place.offset};
    const size_t len = lane->whole && lane->has_place ? 24 : 16;
    if (l->stream || !l->recorded) return l->stream;
    for (unsigned i = 0; i < len; ++i) head[i] = (uint8_t)(numbers[i / 8] >> 8 * (i % 8));
    return wf_fleet_hash(head, len);
}

// A later file of a split says where it is in the recording, if that is not damaged.
static bool lacks_place(const struct load *l, const struct load_lane *lane) {
    return l->recorded && l->part > 1 && l->damaged && !lane->has_place;
}

static bool begin_stream(struct load *l, struct load_lane *lane) {
    char source[512];
    struct wf_error error;
    if (lacks_place(l, lane)) {
        leave_out(l, lane, EXIT_INPUT,
                  "a later file of a split whose beginning is damaged: its place in the recording "
                  "is not known");
        return true;
    }
    snprintf(source, sizeof source, l->recorded ? "%.400s: lane %u" : "%.400s", l->name,
             lane->number);
    const struct wf_loading_options o = {.size = sizeof o,
                                         .device = l->of_device,
                                         .version = l->version,
                                         .session = l->session,
                                         .stream = stream_of(l, lane),
                                         .state = lane->state,
                                         .state_len = lane->state_len,
                                         .offset =
                                             lane->whole ? 0 : lane->place.offset + lane->offset,
                                         .begun_ns = l->start_ns + lane->from_us * 1000,
                                         .source = source,
                                         .anew = l->anew};
    lane->stream = wf_loading_begin(l->loader, &o, &error);
    int err = lane->stream ? WF_OK : error.code;
    if (err == WF_OK && lane->lost) err = wf_loading_lose(lane->stream, lane->lost, &error);
    lane->lost = 0;
    return load_handle(l, lane, err, &error);
}

static bool feed(struct load *l, struct load_lane *lane, const uint8_t *bytes, size_t len) {
    struct wf_error error;
    if (!lane->stream && !begin_stream(l, lane)) return false;
    if (!lane->stream) return true;
    if (!load_handle(l, lane, wf_loading_feed(lane->stream, bytes, len, &error), &error))
        return false;
    progress_update(&l->progress, l->bytes, wf_loader_totals(l->loader)->records);
    return true;
}

// ---- what a lane holds

// How the lane is read, by the options or its recording.
static struct wf_segment_whole noted_format(const struct load *l, const struct load_lane *lane) {
    struct wf_segment_whole w = {
        .format = {.name = ""}, .state = lane->state, .state_len = lane->state_len};
    if (lane->noted) (void)wf_recording_get_format(lane->noted, lane->noted_len, &w.format);
    if (l->as.format) w.format.name = wf_lane_format_name(l->as.format);
    if (!l->as.describe) return w;
    w.format.describe = (const uint8_t *)l->as.describe;
    w.format.describe_len = l->as.describe_len;
    return w;
}

// The format takes the place of the state in front, which becomes a part of it.
static bool set_whole(struct load *l, struct load_lane *lane, const struct wf_segment_whole *w) {
    size_t len;
    uint8_t *state = wf_segment_put_whole(w, &len);
    if (!state) return out_of_room(l);
    free(lane->state);
    lane->state = state;
    lane->state_len = len;
    lane->whole = true;
    return true;
}

// Finds the format by the first bytes. Frames behind a state may begin with the rest of one.
static bool look(struct load *l, struct load_lane *lane, const uint8_t *first, size_t len,
                 bool more) {
    char text[512] = "";
    struct wf_segment_whole w = noted_format(l, lane);
    enum wf_lane_format format = WF_LANE_UNKNOWN;
    bool good = false;
    if (*w.format.name && !wf_lane_find_format(w.format.name, &format))
        snprintf(text, sizeof text, "holds a trace of the format %.40s, which is not known",
                 w.format.name);
    else if (w.format.describe_len > WF_RECORDING_STATE_MAX / 2)
        snprintf(text, sizeof text, "the description (--describe) has more than %d KiB",
                 WF_RECORDING_STATE_MAX / 2 >> 10);
    else
        good = load_look(l->session, &(struct load_first){first, len, w.state, w.state_len, more},
                         &format, text);
    if (!good && format == WF_LANE_FRAMES && lane->state_len && len < LOAD_REST) return true;
    if (!good) {
        leave_out(l, lane, EXIT_INPUT, text);
        return true;
    }
    if (*text) diag_note("%s: %s", l->name, text);
    if (format <= WF_LANE_FRAMES) return true;
    w.format.name = wf_lane_format_name(format);
    return set_whole(l, lane, &w);
}

// Begins the stream, if its first bytes can be loaded. more: the connection ends, not the file.
static bool feed_first(struct load *l, struct load_lane *lane, bool more) {
    uint8_t *first = lane->first;
    size_t len = lane->first_len;
    if (!len) return true;
    lane->first = NULL;
    lane->first_len = 0;
    const bool good = look(l, lane, first, len, more) && (lane->out || feed(l, lane, first, len));
    free(first);
    return good;
}

bool load_bytes(struct load *l, unsigned number, const uint8_t *bytes, size_t len,
                uint64_t time_us) {
    struct load_lane *lane = lane_at(l, number);
    if (!lane) return out_of_room(l);
    if (lane->out || !len) return true;
    if (lane->stream) return feed(l, lane, bytes, len);
    if (!lane->first) {
        lane->first = malloc(LOAD_FIRST);
        if (!lane->first) return out_of_room(l);
        lane->from_us = time_us;
    }
    size_t n = LOAD_FIRST - lane->first_len < len ? LOAD_FIRST - lane->first_len : len;
    memcpy(lane->first + lane->first_len, bytes, n);
    lane->first_len += n;
    if (lane->first_len < LOAD_FIRST) return true;
    return feed_first(l, lane, false) &&
           (n == len || lane->out || feed(l, lane, bytes + n, len - n));
}

static bool end_lane(struct load *l, struct load_lane *lane) {
    struct wf_error error;
    bool good = feed_first(l, lane, false);
    if (good && lane->lost && !lane->out)
        good = begin_stream(l, lane); // nothing else is known of it
    struct wf_loading *stream = lane->stream;
    lane->stream = NULL;
    if (good && stream) return load_handle(l, lane, wf_loading_end(stream, &error), &error);
    wf_loading_discard(stream);
    return good;
}

bool load_end_lanes(struct load *l, bool good) {
    for (unsigned i = 0; i < WF_RECORDING_LANES; ++i) {
        struct load_lane *lane = l->lanes[i];
        if (!lane) continue;
        if (good)
            good = end_lane(l, lane);
        else
            wf_loading_discard(lane->stream);
        free(lane->first);
        free(lane->state);
        free(lane->noted);
        free(lane);
        l->lanes[i] = NULL;
    }
    return good;
}

// ---- chunks of a recording

static bool take_state(struct load *l, struct load_lane *lane, const struct wf_chunk *c) {
    if (!end_lane(l, lane)) return false;
    free(lane->state);
    lane->state = malloc(c->len ? c->len : 1);
    if (!lane->state) return out_of_room(l);
    memcpy(lane->state, c->bytes, c->len);
    lane->state_len = c->len;
    lane->offset = c->offset;
    return true;
}

static bool take_break(struct load *l, struct load_lane *lane, uint64_t lost) {
    struct wf_error error;
    if (!feed_first(l, lane, true)) return false;
    if (!lane->stream) {
        lane->lost += lost; // before its first byte
        return true;
    }
    int err = lost ? wf_loading_lose(lane->stream, lost, &error)
                   : wf_loading_relink(lane->stream, &error);
    return load_handle(l, lane, err, &error);
}

// The format is noted at each connection. What a stream has become does not change.
static bool take_format(struct load *l, struct load_lane *lane, const struct wf_chunk *c) {
    struct wf_recording_format format;
    if (!wf_recording_get_format(c->bytes, c->len, &format) || lane->stream || lane->out)
        return true;
    uint8_t *noted = malloc(c->len);
    if (!noted) return out_of_room(l);
    memcpy(noted, c->bytes, c->len);
    free(lane->noted);
    lane->noted = noted;
    lane->noted_len = c->len;
    return true;
}

bool load_chunk(struct load *l, const struct wf_chunk *c) {
    if (c->kind >= WF_CHUNK_DAMAGE) return true; // of the file
    struct load_lane *lane = lane_at(l, c->lane);
    if (!lane) return out_of_room(l);
    switch (c->kind) {
    case WF_CHUNK_BYTES: return load_bytes(l, c->lane, c->bytes, c->len, c->time_us);
    case WF_CHUNK_DOWN: return take_break(l, lane, 0);
    case WF_CHUNK_LOST: return take_break(l, lane, c->lost);
    case WF_CHUNK_STATE: return lane->out || take_state(l, lane, c);
    case WF_CHUNK_FORMAT: return take_format(l, lane, c);
    case WF_CHUNK_PLACE:
        lane->has_place = wf_recording_get_place(c->bytes, c->len, &lane->place);
        return true;
    default: return true;
    }
}
