// SPDX-License-Identifier: MIT
// Messages are published with QoS 1 in wf/1/PROJECT/DEVICE/frames; answers come in .../ack.

#include <stdio.h>

#include "wallfly_backend/wf_mqtt.h"
#include "wfb_uplink.h"

enum { TOPIC_MAX = 256, RETRY_MS = 100 };

struct mqtt {
    struct wf_uplink uplink;
    struct wf_mqtt *client;
    char frames[TOPIC_MAX];
};

static void on_message(void *ctx, const char *topic, const uint8_t *bytes, size_t len) {
    (void)topic;
    (void)wfb_uplink_answer(ctx, bytes, len); // one that is none is left out
}

static void on_report(void *ctx, const char *failure) { wfb_uplink_report(ctx, failure); }

static int open_mqtt(struct wf_uplink *u, struct wf_error *error) {
    struct mqtt *m = (struct mqtt *)u;
    char ack[TOPIC_MAX];
    snprintf(m->frames, sizeof m->frames, "wf/1/%s/%s/frames", u->o.project, u->o.device);
    snprintf(ack, sizeof ack, "wf/1/%s/%s/ack", u->o.project, u->o.device);
    const struct wf_mqtt_options o = {.size = sizeof o,
                                      .url = u->o.url,
                                      .password = u->o.secret,
                                      .filter = ack,
                                      .message = on_message,
                                      .report = on_report,
                                      .ctx = u};
    m->client = wf_mqtt_open(&o, error);
    return m->client ? WF_OK : error->code;
}

static void close_mqtt(struct wf_uplink *u) { wf_mqtt_close(((struct mqtt *)u)->client); }

static int send_mqtt(struct wf_uplink *u, const uint8_t *message, size_t len, unsigned *retry_ms,
                     struct wf_error *error) {
    struct mqtt *m = (struct mqtt *)u;
    int err = wf_mqtt_publish(m->client, m->frames, message, len, 1);
    *retry_ms = RETRY_MS;
    return wf_error_code(error, err);
}

static void step_mqtt(struct wf_uplink *u, unsigned timeout_ms) {
    wf_mqtt_step(((struct mqtt *)u)->client, timeout_ms);
}

const struct wfb_uplink_kind wfb_uplink_mqtt = {
    {"mqtt://", "mqtts://"}, sizeof(struct mqtt), open_mqtt, close_mqtt, send_mqtt, step_mqtt};
