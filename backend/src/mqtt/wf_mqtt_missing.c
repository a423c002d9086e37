// SPDX-License-Identifier: MIT
// In a build without libmosquitto.

#include <stddef.h>

#include "wallfly_backend/wf_mqtt.h"

struct wf_mqtt *wf_mqtt_open(const struct wf_mqtt_options *options, struct wf_error *error) {
    (void)options;
    wf_error_set(error, WF_ERR_LINK,
                 "built without libmosquitto; install libmosquitto-dev and build again");
    return NULL;
}

void wf_mqtt_close(struct wf_mqtt *m) { (void)m; }

void wf_mqtt_step(struct wf_mqtt *m, unsigned timeout_ms) {
    (void)m;
    (void)timeout_ms;
}

int wf_mqtt_socket(const struct wf_mqtt *m) {
    (void)m;
    return -1;
}

bool wf_mqtt_is_connected(const struct wf_mqtt *m) {
    (void)m;
    return false;
}

bool wf_mqtt_is_retained(const struct wf_mqtt *m) {
    (void)m;
    return false;
}

int wf_mqtt_publish(struct wf_mqtt *m, const char *topic, const void *bytes, size_t len,
                    unsigned qos, bool retain) {
    (void)m;
    (void)topic;
    (void)bytes;
    (void)len;
    (void)qos;
    (void)retain;
    return WF_ERR_LINK;
}
