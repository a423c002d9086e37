// SPDX-License-Identifier: MIT
// What the device's profile lets through (wf_fleet_profile.h). A window begins behind the end of a
// frame and ends with one, so that no frame is cut; each is a stream of its own, or with --stream
// one behind a break. The fleet's profile comes with its answers over HTTP, and by itself over MQTT
// when the agent has seen the device: so the gateway asks when it begins, and now and then while it
// sends nothing.

#include <string.h>
#include <time.h>

#include "clock.h"
#include "gateway.h"
#include "wallfly_host/wf_fleet.h"

enum { ASK_HTTP_MS = 30000, ASK_MQTT_MS = 600000, FRAME_END = 0x7E };

// ---- the reader's

static bool is_open(struct gateway *g) {
    const char *device = g->o->to.place.device;
    pthread_mutex_lock(&g->mutex);
    const struct wf_fleet_profile profile = g->profile;
    pthread_mutex_unlock(&g->mutex);
    return wf_fleet_profile_is_open(&profile, (uint64_t)time(NULL),
                                    wf_fleet_hash(device, strlen(device)));
}

// Bytes up to the end of the first frame; 0: there is none.
static size_t frame_end(const uint8_t *bytes, size_t len) {
    const uint8_t *end = memchr(bytes, FRAME_END, len);
    return end ? (size_t)(end - bytes) + 1 : 0;
}

// Returns how many bytes before a window are left out; all of them if it does not yet begin.
static size_t begin_window(struct gateway *g, struct gateway_stream **s, const uint8_t *bytes,
                           size_t len) {
    const size_t rest = (*s)->in_frame ? frame_end(bytes, len) : 0;
    if (rest == len || ((*s)->in_frame && !rest)) return len;
    *s = gateway_renew(g, *s);
    (*s)->closed = false;
    return rest;
}

// Returns how many bytes are of a window that ends.
static size_t end_window(struct gateway_stream *s, const uint8_t *bytes, size_t len) {
    const size_t rest = s->in_frame ? frame_end(bytes, len) : 0;
    if (s->in_frame && !rest) return len;
    s->closed = true;
    return rest;
}

struct gateway_stream *gateway_select(struct gateway *g, struct gateway_stream *s,
                                      const uint8_t **bytes, size_t *len) {
    const size_t all = *len;
    size_t from = 0, to = all;
    if (!g->obeys || !all) return s;
    const uint8_t last = (*bytes)[all - 1];
    if (!is_open(g))
        to = s->closed ? 0 : end_window(s, *bytes, all);
    else if (s->closed)
        from = begin_window(g, &s, *bytes, all);
    s->in_frame = last != FRAME_END;
    *bytes += from;
    *len = to - from;
    g->left_out += all - *len;
    return s;
}

// ---- the thread's

static void report_bad(struct gateway *g, const uint8_t *bytes, size_t len,
                       const struct wf_error *error) {
    const uint64_t hash = wf_fleet_hash(bytes, len);
    if (hash != g->bad_profile)
        diag_note("%s: the profile %s; it is left out", g->o->to.url, error->text);
    g->bad_profile = hash;
}

void gateway_take_profile(void *ctx, const uint8_t *bytes, size_t len) {
    struct gateway *g = ctx;
    struct wf_fleet_profile profile;
    struct wf_error error;
    char text[WF_FLEET_PROFILE_MAX];
    if (!len) return; // the retained message was removed
    if (wf_fleet_profile_parse((const char *)bytes, len, &profile, &error) != WF_OK) {
        report_bad(g, bytes, len, &error);
        return;
    }
    pthread_mutex_lock(&g->mutex);
    const bool is_same = wf_fleet_profile_is(&profile, &g->profile);
    g->profile = profile;
    pthread_mutex_unlock(&g->mutex);
    wf_fleet_profile_print(&profile, text);
    if (!is_same && !g->o->quiet) diag_note("%s: the profile is %s", g->o->to.url, text);
}

// A chunk without content asks.
void gateway_ask_profile(struct gateway *g, bool sent) {
    const unsigned rest_ms = strncmp(g->o->to.url, "http", 4) == 0 ? ASK_HTTP_MS : ASK_MQTT_MS;
    uint8_t message[WF_FLEET_CHUNK_FRAME];
    const struct wf_fleet_chunk chunk = {.stream = g->o->stream, .bytes = message};
    if (!g->obeys || g->o->has_profile) return;
    if (sent && g->asked) g->ask_ms = now_ms() + rest_ms;
    if (now_ms() < g->ask_ms) return;
    g->ask_ms = now_ms() + rest_ms;
    g->asked |= gateway_send_message(g, message, wf_fleet_chunk_write(&chunk, message), &g->ask_ms);
}
