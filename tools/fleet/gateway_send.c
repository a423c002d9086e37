// SPDX-License-Identifier: MIT
// Sends what the streams have. The mutex is not held while a message is sent: what the reader puts
// meanwhile does not change the message.

#include "clock.h"
#include "gateway.h"

enum { STEP_MS = 20 };

bool gateway_is_done(struct gateway *g) {
    bool done = true;
    pthread_mutex_lock(&g->mutex);
    for (unsigned i = 0; i < g->count; ++i) {
        const struct gateway_stream *s = &g->streams[i];
        done = done && (!s->sender || s->dropped || wf_fleet_sender_is_done(s->sender));
    }
    pthread_mutex_unlock(&g->mutex);
    return done;
}

void gateway_take_answer(void *ctx, uint64_t stream, uint64_t wanted) {
    struct gateway *g = ctx;
    pthread_mutex_lock(&g->mutex);
    for (unsigned i = 0; i < g->count; ++i) // no one: it is one of an earlier gateway
        if (g->streams[i].sender && g->streams[i].number == stream)
            wf_fleet_sender_answer(g->streams[i].sender, wanted, now_ms());
    pthread_mutex_unlock(&g->mutex);
}

// Returns the message of a stream that is due, or null. Only this thread closes its sender.
static const uint8_t *next_message(struct gateway *g, struct gateway_stream *s, size_t *len) {
    pthread_mutex_lock(&g->mutex);
    const uint8_t *message =
        s->sender && !s->dropped ? wf_fleet_sender_next(s->sender, now_ms(), len) : NULL;
    pthread_mutex_unlock(&g->mutex);
    return message;
}

bool gateway_send_message(struct gateway *g, const uint8_t *message, size_t len,
                          uint64_t *again_ms) {
    struct wf_error error;
    unsigned retry_ms = 0;
    int err = wf_uplink_send(g->uplink, message, len, &retry_ms, &error);
    if (err == WF_OK) return true;
    *again_ms = now_ms() + retry_ms;
    if (err == WF_ERR_LINK) return false;
    g->refusal = error;
    atomic_store(&g->refused, true);
    return false;
}

// Returns whether something was sent.
static bool send_stream(struct gateway *g, struct gateway_stream *s) {
    size_t len;
    uint64_t again_ms;
    const uint8_t *message = next_message(g, s, &len);
    if (!message) return false;
    if (gateway_send_message(g, message, len, &again_ms)) return true;
    pthread_mutex_lock(&g->mutex);
    wf_fleet_sender_wait(s->sender, again_ms);
    pthread_mutex_unlock(&g->mutex);
    return false;
}

static unsigned stream_count(struct gateway *g) {
    pthread_mutex_lock(&g->mutex);
    const unsigned count = g->count;
    pthread_mutex_unlock(&g->mutex);
    return count;
}

void *gateway_send(void *ctx) {
    struct gateway *g = ctx;
    while (!atomic_load(&g->stopping) && !atomic_load(&g->refused)) {
        bool sent = false;
        const unsigned count = stream_count(g);
        for (unsigned i = 0; i < count && !atomic_load(&g->refused); ++i)
            sent |= send_stream(g, &g->streams[i]);
        gateway_close_left(g);
        gateway_ask_profile(g, sent);
        wf_uplink_step(g->uplink, sent ? 0 : STEP_MS);
    }
    return NULL;
}
