// SPDX-License-Identifier: MIT
// Streams of a gateway. Each connection begins one, so that no target's bytes follow another's; one
// that a target has left goes on until its bytes are safe. Each window of the profile begins one,
// too (gateway_profile.c). With --stream there is one, with a break at each connection and window.

#include "gateway.h"

enum { LOOK_MAX = 1 << 20 };

// ---- what its bytes are

static void take_items(struct wf_trace *t) {
    struct wf_item item;
    while (wf_trace_next(t, &item)) {
    }
}

static void end_look(struct gateway_stream *s) {
    wf_trace_close(s->look);
    s->look = NULL;
}

static void feed_look(struct gateway_stream *s, bool is_file, const uint8_t *bytes, size_t len,
                      bool end) {
    if (len && is_file)
        wf_trace_feed_file(s->look, bytes, len);
    else if (len)
        wf_trace_feed(s->look, 0, bytes, len);
    take_items(s->look);
    if (end) wf_trace_end(s->look);
    take_items(s->look);
    s->looked += len;
}

// A file may be of formats that targets do not send.
enum wf_lane_format gateway_look(const struct gateway *g, struct gateway_stream *s,
                                 const uint8_t *bytes, size_t len, bool end) {
    if (!s->look) return WF_LANE_UNKNOWN;
    feed_look(s, wf_link_is_file(g->o->source), bytes, len, end);
    struct wf_lane *lane = s->looked ? wf_trace_lane(s->look, 0, NULL) : NULL;
    const enum wf_lane_format format = lane ? wf_lane_get_format(lane) : WF_LANE_UNKNOWN;
    if (format || end || s->looked > LOOK_MAX) end_look(s);
    return format > WF_LANE_FRAMES ? format : WF_LANE_UNKNOWN;
}

// ---- the table

static unsigned count_left(const struct gateway *g, struct gateway_stream **oldest) {
    unsigned count = 0;
    for (unsigned i = 0; i < g->count; ++i) {
        const struct gateway_stream *s = &g->streams[i];
        if (!s->used || !s->left || s->dropped) continue;
        if (!count++ || s->number < (*oldest)->number) *oldest = &((struct gateway *)g)->streams[i];
    }
    return count;
}

static struct gateway_stream *find_free(struct gateway *g) {
    unsigned i = 0;
    while (i < GATEWAY_STREAMS && g->streams[i].used) ++i;
    if (i == GATEWAY_STREAMS) return NULL;
    if (g->count <= i) g->count = i + 1;
    g->streams[i] = (struct gateway_stream){.used = true, .number = g->o->stream + g->begun++};
    return &g->streams[i];
}

// The only one with --stream, from its second connection on.
static struct gateway_stream *continue_stream(struct gateway *g) {
    struct gateway_stream *s = &g->streams[0];
    if (s->sender) wf_fleet_sender_break(s->sender);
    s->foreign = false;
    s->looked = 0;
    return s;
}

struct gateway_stream *gateway_begin(struct gateway *g, struct wf_peer *peer) {
    const struct wf_trace_options options = {.size = sizeof options};
    const unsigned lane = wf_peer_lane(peer);
    if (lane >= WF_RECORDING_LANES) return NULL;
    pthread_mutex_lock(&g->mutex);
    struct gateway_stream *s =
        g->o->one_stream && g->streams[0].used ? continue_stream(g) : find_free(g);
    pthread_mutex_unlock(&g->mutex);
    g->by_lane[lane] = s;
    if (!s) return NULL;
    s->peer = peer;
    s->look = wf_trace_open(&options, NULL); // null: it is not looked at
    return s;
}

struct gateway_stream *gateway_stream_of(const struct gateway *g, const struct wf_peer *peer) {
    const unsigned lane = wf_peer_lane(peer);
    return lane < WF_RECORDING_LANES ? g->by_lane[lane] : NULL;
}

// Room behind what waits, for what comes before a link is held.
bool gateway_open_sender(struct gateway *g, struct gateway_stream *s) {
    if (s->sender) return true;
    struct wf_fleet_sender *sender =
        wf_fleet_sender_open(s->number, g->o->buffer + WF_LINK_BYTES_MAX);
    pthread_mutex_lock(&g->mutex);
    s->sender = sender;
    pthread_mutex_unlock(&g->mutex);
    return sender != NULL;
}

// What it has is sent, and no more.
static void end_stream(struct gateway *g, struct gateway_stream *s) {
    struct gateway_stream *oldest = NULL;
    pthread_mutex_lock(&g->mutex);
    s->left = true;
    const bool many = count_left(g, &oldest) > GATEWAY_LEFT && oldest;
    if (many) oldest->dropped = true;
    pthread_mutex_unlock(&g->mutex);
    if (many && !g->full)
        diag_note("%s: more than %d streams that targets have left wait for the agent; the oldest "
                  "are given up, and counted",
                  g->o->source, GATEWAY_LEFT);
    g->full |= many;
}

void gateway_leave(struct gateway *g, struct gateway_stream *s) {
    g->by_lane[wf_peer_lane(s->peer)] = NULL;
    s->peer = NULL;
    s->held = false;
    end_look(s);
    if (!g->o->one_stream) end_stream(g, s);
}

struct gateway_stream *gateway_renew(struct gateway *g, struct gateway_stream *s) {
    if (!s->sender) return s; // nothing of it was sent
    pthread_mutex_lock(&g->mutex);
    struct gateway_stream *next = g->o->one_stream ? NULL : find_free(g);
    if (!next) wf_fleet_sender_break(s->sender);
    pthread_mutex_unlock(&g->mutex);
    if (!next) return s;
    next->peer = s->peer;
    next->held = s->held;
    next->look = s->look;
    next->looked = s->looked;
    g->by_lane[wf_peer_lane(s->peer)] = next;
    s->peer = NULL;
    s->look = NULL;
    end_stream(g, s);
    return next;
}

// ---- ends

static void add_totals(struct wf_fleet_sender_totals *t, const struct wf_fleet_sender *sender,
                       bool dropped) {
    const struct wf_fleet_sender_totals *l = wf_fleet_sender_totals(sender);
    t->bytes += l->bytes;
    t->safe += l->safe;
    t->given_up += dropped ? l->bytes - l->safe : l->given_up;
    t->messages += l->messages;
    t->again += l->again;
}

void gateway_close_left(struct gateway *g) {
    pthread_mutex_lock(&g->mutex);
    for (unsigned i = 0; i < g->count; ++i) {
        struct gateway_stream *s = &g->streams[i];
        if (!s->used || !s->left) continue;
        if (s->sender && !s->dropped && !wf_fleet_sender_is_done(s->sender)) continue;
        if (s->sender) add_totals(&g->past, s->sender, s->dropped);
        wf_fleet_sender_close(s->sender);
        s->sender = NULL;
        s->used = false;
    }
    pthread_mutex_unlock(&g->mutex);
}

void gateway_sum_up(const struct gateway *g, struct wf_fleet_sender_totals *totals) {
    *totals = g->past;
    for (unsigned i = 0; i < g->count; ++i)
        if (g->streams[i].sender) add_totals(totals, g->streams[i].sender, g->streams[i].dropped);
}

void gateway_close_all(struct gateway *g) {
    for (unsigned i = 0; i < g->count; ++i) {
        end_look(&g->streams[i]);
        wf_fleet_sender_close(g->streams[i].sender);
    }
}
