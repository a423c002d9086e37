// SPDX-License-Identifier: MIT
// Commands of the fleet for the targets. They come in the thread that sends, and wait in a list for
// the reader, whose links take them: it looks a few times a second. Each target gets frames with
// the numbers of its own link, so nothing but whole commands can reach it.

#include <stdlib.h>
#include <string.h>

#include "gateway.h"
#include "wallfly_host/wf_command.h"
#include "wallfly_host/wf_fleet_chunk.h"

enum { WAIT_MAX = 64 };

struct gateway_command {
    struct gateway_command *next;
    size_t len;
    uint8_t bytes[];
};

// ---- for the thread

// Returns why it is not taken; null: it is.
static const char *keep_command(struct gateway *g, const uint8_t *bytes, size_t len) {
    struct gateway_command *c = malloc(sizeof *c + len), **end = &g->commands;
    unsigned count = 0;
    if (!c) return wf_err_text(WF_ERR_NOMEM);
    *c = (struct gateway_command){.len = len};
    if (len) memcpy(c->bytes, bytes, len);
    pthread_mutex_lock(&g->mutex);
    for (; *end; end = &(*end)->next) ++count;
    if (count < WAIT_MAX) *end = c;
    pthread_mutex_unlock(&g->mutex);
    if (count < WAIT_MAX) return NULL;
    free(c);
    return "too many wait";
}

void gateway_take_command(void *ctx, const uint8_t *bytes, size_t len, bool retained) {
    const char *why = retained ? "the broker has kept it from earlier (retained)"
                      : len > WF_FLEET_COMMANDS_MAX ? "it is too long"
                                                    : keep_command(ctx, bytes, len);
    if (why) diag_note("command of %zu bytes refused: %s", len, why);
}

// ---- for the reader

static bool read_frame(const uint8_t **at, const uint8_t *end, struct wf_frame *frame) {
    return wf_frame_read(at, end, frame) && frame->record <= WF_COMMAND_EVENT;
}

static bool has_whole_frames(const struct gateway_command *c) {
    const uint8_t *at = c->bytes, *end = c->bytes + c->len;
    struct wf_frame frame;
    while (at < end)
        if (!read_frame(&at, end, &frame)) return false;
    return c->len != 0;
}

// A target counts anew after its reset.
static int send_frames(struct wf_peer *peer, const struct gateway_command *c) {
    const uint8_t *at = c->bytes, *end = c->bytes + c->len;
    struct wf_frame frame;
    int err = WF_OK;
    while (err == WF_OK && at < end && read_frame(&at, end, &frame)) {
        err = wf_peer_send(peer, frame.record, frame.payload, frame.len);
        if (frame.record == WF_COMMAND_RESET) wf_peer_restart(peer);
    }
    return err;
}

static void pass_on(const struct gateway *g, const struct gateway_command *c) {
    unsigned targets = 0;
    if (!has_whole_frames(c)) {
        diag_note("command of %zu bytes refused: it is no whole frames of commands", c->len);
        return;
    }
    for (unsigned i = 0; i < WF_RECORDING_LANES; ++i) {
        const struct gateway_stream *s = g->by_lane[i];
        if (!s || s->foreign) continue;
        const int err = send_frames(s->peer, c);
        ++targets;
        if (err == WF_OK)
            diag_note("%s: command of %zu bytes passed on", wf_peer_name(s->peer), c->len);
        else
            diag_note("%s: command of %zu bytes not passed on: %s", wf_peer_name(s->peer), c->len,
                      wf_err_text(err));
    }
    if (!targets) diag_note("command of %zu bytes left out: no target is connected", c->len);
}

static struct gateway_command *take_all(struct gateway *g) {
    pthread_mutex_lock(&g->mutex);
    struct gateway_command *list = g->commands;
    g->commands = NULL;
    pthread_mutex_unlock(&g->mutex);
    return list;
}

void gateway_pass_commands(struct gateway *g) {
    for (struct gateway_command *c = take_all(g), *next; c; c = next) {
        next = c->next;
        pass_on(g, c);
        free(c);
    }
}

void gateway_drop_commands(struct gateway *g) {
    for (struct gateway_command *c = take_all(g), *next; c; c = next) {
        next = c->next;
        diag_note("command of %zu bytes left out: the gateway ends", c->len);
        free(c);
    }
}
