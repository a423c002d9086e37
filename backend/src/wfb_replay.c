// SPDX-License-Identifier: MIT
// Replays a recording: targets connect and disconnect on their lanes, with their recorded names.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfb_link.h"

struct wfb_replay {
    struct wf_link *link;
    const char *name; // name of the file
    struct wf_recording *recording;
    bool told_version;
};

struct wfb_replay *wfb_replay_open(struct wf_link *link, const char *name) {
    struct wfb_replay *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->link = link;
    r->name = name;
    r->recording = wf_recording_open();
    if (r->recording) return r;
    free(r);
    return NULL;
}

static void leave(struct wf_peer *peer, const char *why) {
    wfb_down(peer, why);
    free(peer);
}

void wfb_replay_close(struct wfb_replay *r) {
    while (r->link->peers) leave(r->link->peers, "");
    wf_recording_close(r->recording);
    free(r);
}

static struct wf_peer *find(struct wfb_replay *r, unsigned lane) {
    struct wf_peer *peer = r->link->peers;
    while (peer && peer->lane != lane) peer = peer->next;
    return peer;
}

static struct wf_peer *arrive(struct wfb_replay *r, const struct wf_chunk *c, const char *name,
                              size_t len) {
    struct wf_peer *peer = calloc(1, sizeof *peer);
    if (!peer) return NULL;
    if (len >= sizeof peer->name) len = sizeof peer->name - 1;
    memcpy(peer->name, name, len);
    peer->recording = wf_recording_get_info(r->recording);
    peer->time_us = c->time_us;
    wfb_up_at(r->link, peer, c->lane);
    return peer;
}

static void tell_file(struct wfb_replay *r, const struct wf_chunk *c) {
    uint64_t blocks = wf_recording_get_info(r->recording)->blocks;
    if (c->kind == WF_CHUNK_DAMAGE) {
        wfb_say(r->link, "%s:%" PRIu64 ": damaged; %" PRIu64 " bytes are skipped", r->name,
                c->offset, c->lost);
    } else {
        wfb_say(r->link,
                "%s: ends without its index: the recorder was stopped; %" PRIu64 " block%s read",
                r->name, blocks, blocks == 1 ? "" : "s");
    }
    if (r->link->on.chunk) r->link->on.chunk(r->link->on.ctx, NULL, c);
}

static void tell_version(struct wfb_replay *r) {
    unsigned version = wf_recording_get_info(r->recording)->version;
    if (r->told_version || version <= WF_RECORDING_VERSION) return;
    r->told_version = true;
    wfb_say(r->link, "%s: is of format %u, newer than this program; it may not know all of it",
            r->name, version);
}

static void take_down(struct wf_peer *peer, const struct wf_chunk *c) {
    char why[256];
    snprintf(why, sizeof why, "%.*s", (int)(c->len < 255 ? c->len : 255),
             c->len ? (const char *)c->bytes : "");
    leave(peer, why);
}

static void take_up(struct wfb_replay *r, const struct wf_chunk *c) {
    struct wf_peer *peer = find(r, c->lane);
    if (peer) leave(peer, ""); // a missing disconnect; a writer would have recorded it
    arrive(r, c, (const char *)c->bytes, c->len);
}

static void take(struct wfb_replay *r, const struct wf_chunk *c) {
    if (c->kind >= WF_CHUNK_DAMAGE) {
        tell_file(r, c);
        return;
    }
    if (c->kind == WF_CHUNK_UP) {
        take_up(r, c);
        return;
    }
    struct wf_peer *peer = find(r, c->lane);
    if (!peer && c->kind == WF_CHUNK_BYTES) peer = arrive(r, c, "unknown", 7);
    if (!peer) return;
    peer->time_us = c->time_us;
    if (c->kind == WF_CHUNK_BYTES)
        wfb_bytes(peer, c->bytes, c->len);
    else if (c->kind == WF_CHUNK_DOWN)
        take_down(peer, c);
    else if (r->link->on.chunk)
        r->link->on.chunk(r->link->on.ctx, peer, c);
}

static void take_all(struct wfb_replay *r) {
    struct wf_chunk c;
    while (!r->link->closing && wf_recording_next(r->recording, &c)) {
        tell_version(r);
        take(r, &c);
    }
}

bool wfb_replay_feed(struct wfb_replay *r, const uint8_t *bytes, size_t len) {
    bool good = wf_recording_feed(r->recording, bytes, len);
    take_all(r);
    return good;
}

void wfb_replay_end(struct wfb_replay *r) {
    wf_recording_end(r->recording);
    take_all(r);
    while (r->link->peers) leave(r->link->peers, "the recording ends");
}
