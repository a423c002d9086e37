// SPDX-License-Identifier: MIT
// Lanes, their bytes and their items. The steps of a lane are its pending work: when its reader has
// no more items, the next step is done.

#include "wallfly_host/wf_trace.h"

#include <stdlib.h>
#include <string.h>

#include "util/wfi_options.h"
#include "wfi_trace.h"

struct wf_trace *wf_trace_open(const struct wf_trace_options *options, struct wf_error *error) {
    struct wf_trace *t = calloc(1, sizeof *t);
    if (!t) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    int err = wfi_options_copy(&t->options, sizeof t->options, options);
    if (err == WF_OK) err = wfi_options_copy(&t->session, sizeof t->session, t->options.session);
    t->options.session = &t->session;
    if (err != WF_OK || !t->options.format || wfi_reader_of(t->options.format))
        wf_error_code(error, err);
    else
        err = wf_error_set(error, WF_ERR_USAGE, "format %d: there is no such format",
                           (int)t->options.format);
    if (err == WF_OK) return t;
    free(t);
    return NULL;
}

static void close_lane(struct wf_lane *l) {
    if (!l) return;
    wfi_close_readers(l);
    wf_session_close(l->session);
    free(l->describe);
    free(l);
}

void wf_trace_close(struct wf_trace *t) {
    if (!t) return;
    for (unsigned i = 0; i < t->lane_count; ++i) close_lane(t->lanes[i]);
    wfi_recorded_close(t);
    free(t->lanes);
    free(t->buffer);
    free(t);
}

// ---- lanes

bool wfi_next_nothing(struct wf_lane *l, struct wf_item *item) {
    (void)l;
    (void)item;
    return false;
}

static struct wf_lane *find_lane(const struct wf_trace *t, unsigned number) {
    for (unsigned i = 0; i < t->lane_count; ++i) {
        if (t->lanes[i]->number == number) return t->lanes[i];
    }
    return NULL;
}

static struct wf_lane *new_lane(struct wf_trace *t, unsigned number, struct wf_error *error) {
    struct wf_lane *l = calloc(1, sizeof *l);
    struct wf_lane **lanes = realloc(t->lanes, (t->lane_count + 1) * sizeof *lanes);
    wf_error_code(error, WF_ERR_NOMEM);
    if (lanes) t->lanes = lanes;
    if (l && lanes) l->session = wf_session_open(t->options.session, error);
    if (!l || !l->session) {
        free(l);
        return NULL;
    }
    l->trace = t;
    l->number = number;
    l->next = wfi_next_nothing;
    t->lanes[t->lane_count++] = l;
    return l;
}

struct wf_lane *wf_trace_lane(struct wf_trace *t, unsigned number, struct wf_error *error) {
    struct wf_lane *l = find_lane(t, number);
    if (l) return l;
    if (number < WF_TRACE_LANES) return new_lane(t, number, error);
    wf_error_set(error, WF_ERR_USAGE, "lane %u: the highest is %u", number, WF_TRACE_LANES - 1);
    return NULL;
}

unsigned wf_lane_number(const struct wf_lane *l) { return l->number; }
void wf_lane_set_user(struct wf_lane *l, void *user) { l->user = user; }
void *wf_lane_get_user(const struct wf_lane *l) { return l->user; }
struct wf_session *wf_lane_session(const struct wf_lane *l) {
    return l->session;
}

enum wf_lane_format wf_lane_get_format(const struct wf_lane *l) {
    return l->reader ? l->reader->format : WF_LANE_UNKNOWN;
}

// Slots have a ledger of their own.
uint64_t wf_lane_bytes(struct wf_lane *l) {
    const struct wf_lane_slots *slots = wf_lane_get_slots(l);
    return slots ? wf_slots_get_ledger(slots->slots)->bytes : wf_session_ledger(l->session)->bytes;
}

// ---- input

int wfi_set_reader(struct wf_lane *l, const struct wfi_reader *reader) {
    if (reader->format != WF_LANE_SLOTS) wfi_slots_end_counts(l);
    const struct wfi_reader *before = l->reader;
    l->reader = reader; // the readers of imports use it
    int err = reader->open(l);
    if (err != WF_OK) {
        l->reader = before;
        return err;
    }
    l->next = reader->next;
    return WF_OK;
}

void wfi_fail(struct wf_trace *t, int err) {
    if (t->error.code == WF_OK && err != WF_OK) wfi_input_error(&t->error, err);
}

enum wf_lane_format wfi_wanted_format(const struct wf_lane *l) {
    enum wf_lane_format given = l->trace->options.format;
    return given ? given : l->noted;
}

// Returns the reader for the buffered bytes; null: more are needed.
static const struct wfi_reader *find_reader(const struct wf_lane *l, bool whole) {
    enum wf_lane_format wanted = wfi_wanted_format(l);
    return wanted ? wfi_reader_for(wanted, l->first, l->first_len, whole)
                  : wfi_detect(l->first, l->first_len, whole);
}

// Buffers the first bytes until the format is known.
static int feed_first(struct wf_lane *l, const uint8_t *bytes, size_t len) {
    size_t room = sizeof l->first - l->first_len, n = len < room ? len : room;
    if (n) memcpy(l->first + l->first_len, bytes, n);
    l->first_len += n;
    const struct wfi_reader *reader = l->first_len ? find_reader(l, false) : NULL;
    if (!reader) return WF_OK;
    int err = wfi_set_reader(l, reader);
    l->steps |= WFI_FEED_FIRST | WFI_FEED_REST;
    l->rest = bytes + n;
    l->rest_len = len - n;
    return err;
}

int wfi_feed_lane(struct wf_lane *l, const uint8_t *bytes, size_t len) {
    struct wf_trace *t = l->trace;
    t->turn = l;
    if (!l->reader) return feed_first(l, bytes, len);
    if (l->steps & WFI_FEED_FIRST) { // the buffered bytes must be fed first
        l->steps |= WFI_FEED_REST;
        l->rest = bytes;
        l->rest_len = len;
        return WF_OK;
    }
    l->next = l->reader->next;
    l->reader->feed(l, bytes, len);
    return t->error.code;
}

int wf_trace_feed(struct wf_trace *t, unsigned lane, const uint8_t *bytes, size_t len) {
    struct wf_error error;
    struct wf_lane *l = wf_trace_lane(t, lane, &error);
    if (!l) {
        if (error.code == WF_ERR_NOMEM) wfi_fail(t, error.code);
        return error.code;
    }
    if (l->over) return WF_ERR_USAGE;
    wfi_fail(t, wfi_feed_lane(l, bytes, len));
    return t->error.code;
}

// Passes the buffered first bytes of a file that is no recording to lane 0.
static struct wf_lane *pass_first(struct wf_trace *t, size_t len) {
    struct wf_error error;
    struct wf_lane *l = wf_trace_lane(t, 0, &error);
    t->plain_file = true;
    if (!l) {
        wfi_fail(t, error.code);
        return NULL;
    }
    memcpy(l->first, t->file_first, len);
    l->first_len = len;
    return l;
}

int wf_trace_feed_file(struct wf_trace *t, const uint8_t *bytes, size_t len) {
    if (t->ending) return WF_ERR_USAGE;
    if (t->plain_file) return wf_trace_feed(t, 0, bytes, len);
    if (!t->recorded) {
        size_t waited = t->file_first_len, room = sizeof t->file_first - waited;
        size_t n = len < room ? len : room;
        if (n) memcpy(t->file_first + waited, bytes, n);
        t->file_first_len += n;
        if (!wf_recording_is(t->file_first, t->file_first_len))
            return pass_first(t, waited) ? wf_trace_feed(t, 0, bytes, len) : t->error.code;
        if (t->file_first_len < sizeof t->file_first) return WF_OK;
        wfi_fail(t, wfi_recorded_open(t));
        if (t->error.code == WF_OK)
            wfi_fail(t, wfi_recorded_feed(t, t->file_first, sizeof t->file_first));
        bytes += n;
        len -= n;
    }
    if (t->error.code == WF_OK) wfi_fail(t, wfi_recorded_feed(t, bytes, len));
    return t->error.code;
}

// Decides when the first bytes were too few for detection.
static void detect_at_end(struct wf_lane *l) {
    if (l->reader || !l->first_len) return;
    wfi_fail(l->trace, wfi_set_reader(l, find_reader(l, true)));
    l->steps |= WFI_FEED_FIRST;
}

void wf_trace_relink(struct wf_trace *t, unsigned lane) {
    struct wf_lane *l = find_lane(t, lane);
    if (!l || l->over) return;
    detect_at_end(l);
    l->steps |= WFI_END_READER | WFI_RELINK;
    t->turn = l;
}

void wfi_end_lane(struct wf_lane *l) {
    l->trace->turn = l;
    if (l->over) return;
    l->over = true;
    detect_at_end(l);
    l->steps |= WFI_END_READER | WFI_END_SESSION;
}

void wf_trace_end_lane(struct wf_trace *t, unsigned lane) {
    struct wf_lane *l = find_lane(t, lane);
    if (!l) return;
    if (t->source_lane == l) t->reading = false;
    wfi_end_lane(l);
}

void wf_trace_end(struct wf_trace *t) {
    if (t->reading && t->recorded) t->recorded->dropped = true;
    if (t->recorded && !t->recorded->ended) wfi_recorded_end(t);
    if (!t->plain_file && !t->recorded && t->file_first_len) pass_first(t, t->file_first_len);
    t->ending = true;
    t->reading = false; // the unread data of its source is not needed
    t->turn = NULL;
}

// ---- output

// Reads the next piece of the source.
static void read_source(struct wf_trace *t) {
    struct wf_lane *l = t->source_lane; // null: a recording
    int64_t n = t->source.read_at(t->source.ctx, t->source_at, t->buffer, WFI_PIECE);
    t->turn = l;
    if (n < 0 || n > WFI_PIECE) {
        wfi_fail(t, WF_ERR_READ);
        t->error.place = WF_AT_BYTE;
        t->error.at = t->source_at;
        return;
    }
    t->source_at += (uint64_t)n;
    if (n) {
        wfi_fail(t, l ? wfi_feed_lane(l, t->buffer, (size_t)n)
                      : wfi_recorded_feed(t, t->buffer, (size_t)n));
        return;
    }
    t->reading = false;
    if (l) {
        wfi_end_lane(l);
    } else {
        wfi_recorded_end(t);
        t->ending = true;
    }
}

// Returns true if the next connection must have the same format, because the session is set up for
// that format.
static bool keeps_format(const struct wf_lane *l) {
    return l->reader->stays && !(l->reader == &wfi_reader_slots && l->trace->options.raw_slots);
}

static void take_step(struct wf_lane *l, unsigned step) {
    l->next = l->reader ? l->reader->next : wfi_next_nothing;
    switch (step) {
    case WFI_FEED_FIRST:
        l->reader->feed(l, l->first, l->first_len);
        l->first_len = 0;
        break;
    case WFI_FEED_REST:
        if (l->rest_len) l->reader->feed(l, l->rest, l->rest_len);
        l->rest_len = 0;
        break;
    case WFI_END_READER:
        if (l->reader && l->reader->end) l->reader->end(l);
        break;
    case WFI_RELINK:
        wf_session_relink(l->session);
        l->next = wfi_next_of_session;
        if (l->reader && !keeps_format(l)) l->reader = NULL;
        break;
    case WFI_END_SESSION:
        wf_session_end(l->session);
        l->next = wfi_next_of_session;
        break;
    }
}

// Performs the next pending step. Returns false if there is none.
static bool take_next_step(struct wf_trace *t) {
    if (t->error.code != WF_OK) return false;
    if (t->turn && t->turn->steps) {
        unsigned step = t->turn->steps & (0u - t->turn->steps);
        t->turn->steps &= ~step;
        take_step(t->turn, step);
        return true;
    }
    if (t->recorded && wfi_recorded_step(t)) return true;
    if (t->error.code != WF_OK) return false;
    if (t->reading) {
        read_source(t);
        return t->error.code == WF_OK;
    }
    if (!t->ending || t->ended == t->lane_count) return false;
    wfi_end_lane(t->lanes[t->ended++]);
    return true;
}

static void give_chunk(struct wf_trace *t, struct wf_item *item) {
    item->kind = WF_ITEM_CHUNK;
    item->lane = t->chunk_lane;
    item->chunk = t->chunk;
    item->changed = t->chunk_good;
    t->chunk = NULL;
}

bool wf_trace_next(struct wf_trace *t, struct wf_item *item) {
    do {
        if (t->turn && t->turn->next(t->turn, item)) {
            item->lane = t->turn;
            return true;
        }
        if (t->chunk) {
            give_chunk(t, item);
            return true;
        }
    } while (take_next_step(t));
    return false;
}

size_t wf_trace_item_size(void) { return sizeof(struct wf_item); }

int wf_trace_error(const struct wf_trace *t, struct wf_error *error) {
    if (error) *error = t->error;
    return t->error.code;
}
