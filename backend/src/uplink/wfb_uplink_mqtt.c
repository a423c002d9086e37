// SPDX-License-Identifier: MIT
// Messages are published with QoS 1 in wf/1/PROJECT/DEVICE/frames; answers come in .../ack,
// profiles and commands in topics of these names.

#include <stdio.h>
#include <string.h>

#include "wallfly_backend/wf_mqtt.h"
#include "wfb_uplink.h"

enum { TOPIC_MAX = 256, RETRY_MS = 100 };

struct mqtt {
    struct wf_uplink uplink;
    struct wf_mqtt *client;
    char frames[TOPIC_MAX];
};

static void take_ack(struct wf_uplink *u, const uint8_t *bytes, size_t len) {
    (void)wfb_uplink_answer(u, bytes, len); // one that is none is left out
}
static void take_profile(struct wf_uplink *u, const uint8_t *bytes, size_t len) {
    if (u->o.profile) u->o.profile(u->o.ctx, bytes, len);
}
static void take_command(struct wf_uplink *u, const uint8_t *bytes, size_t len) {
    const bool retained = wf_mqtt_is_retained(((struct mqtt *)u)->client);
    if (u->o.command) u->o.command(u->o.ctx, bytes, len, retained);
}

static const struct kind {
    const char *name; // the last part of the topic
    void (*take)(struct wf_uplink *u, const uint8_t *bytes, size_t len);
} kinds[] = {{"ack", take_ack}, {"profile", take_profile}, {"command", take_command}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void on_message(void *ctx, const char *topic, const uint8_t *bytes, size_t len) {
    const char *name = strrchr(topic, '/');
    for (unsigned i = 0; name && i < KINDS; ++i)
        if (strcmp(name + 1, kinds[i].name) == 0) kinds[i].take(ctx, bytes, len);
}

static void on_report(void *ctx, const char *failure) { wfb_uplink_report(ctx, failure); }

static int open_mqtt(struct wf_uplink *u, struct wf_error *error) {
    struct mqtt *m = (struct mqtt *)u;
    char topics[KINDS][TOPIC_MAX];
    struct wf_mqtt_options o = {.size = sizeof o,
                                .url = u->o.url,
                                .password = u->o.secret,
                                .message = on_message,
                                .report = on_report,
                                .ctx = u};
    const bool wanted[KINDS] = {true, u->o.profile != NULL, u->o.command != NULL};
    unsigned filters = 0;
    for (unsigned i = 0; i < KINDS; ++i) {
        if (!wanted[i]) continue;
        snprintf(topics[i], TOPIC_MAX, "wf/1/%s/%s/%s", u->o.project, u->o.device, kinds[i].name);
        o.filters[filters++] = topics[i];
    }
    snprintf(m->frames, sizeof m->frames, "wf/1/%s/%s/frames", u->o.project, u->o.device);
    m->client = wf_mqtt_open(&o, error);
    return m->client ? WF_OK : error->code;
}

static void close_mqtt(struct wf_uplink *u) { wf_mqtt_close(((struct mqtt *)u)->client); }

static int send_mqtt(struct wf_uplink *u, const uint8_t *message, size_t len, unsigned *retry_ms,
                     struct wf_error *error) {
    struct mqtt *m = (struct mqtt *)u;
    int err = wf_mqtt_publish(m->client, m->frames, message, len, 1, false);
    *retry_ms = RETRY_MS;
    return wf_error_code(error, err);
}

static void step_mqtt(struct wf_uplink *u, unsigned timeout_ms) {
    wf_mqtt_step(((struct mqtt *)u)->client, timeout_ms);
}

const struct wfb_uplink_kind wfb_uplink_mqtt = {
    {"mqtt://", "mqtts://"}, sizeof(struct mqtt), open_mqtt, close_mqtt, send_mqtt, step_mqtt};
