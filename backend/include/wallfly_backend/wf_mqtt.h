// SPDX-License-Identifier: MIT
// A client of an MQTT 3.1.1 broker (libmosquitto, which is loaded when a client is opened).
//
//   m = wf_mqtt_open(&options, &error)
//   again and again: wf_mqtt_step(m, timeout_ms)    // calls options.message
//
// It connects by itself, again after a failure, too. A build without libmosquitto has these
// functions, too: wf_mqtt_open names the missing package. All functions of one client are for one
// thread.
#ifndef WF_MQTT_H
#define WF_MQTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_mqtt;

enum { WF_MQTT_FILTERS_MAX = 3 };

struct wf_mqtt_options {
    size_t size;          // sizeof(struct wf_mqtt_options)
    const char *url;      // mqtt://[USER@]HOST[:PORT], or mqtts with TLS
    const char *user;     // null: of the URL, or none
    const char *password; // null: none
    const char *id;       // of the client; null: the broker gives one
    // Of topics that are subscribed to, with QoS 1, up to the first null.
    const char *filters[WF_MQTT_FILTERS_MAX + 1];
    // Called from wf_mqtt_step with what came. Valid until it returns.
    void (*message)(void *ctx, const char *topic, const uint8_t *bytes, size_t len);
    // Called from wf_mqtt_step for each message of QoS 1 that the broker has acknowledged. May be
    // null.
    void (*acknowledged)(void *ctx);
    // Reports a failure, once until there is another one, and a connection (null). May be null.
    void (*report)(void *ctx, const char *failure);
    void *ctx;
};

// Makes no connection yet. Texts are copied.
//   returns  null with `error`: WF_ERR_USAGE (the URL is not valid), WF_ERR_NOMEM,
//            WF_ERR_LINK (built without libmosquitto, or it is not installed)
struct wf_mqtt *wf_mqtt_open(const struct wf_mqtt_options *options, struct wf_error *error);
void wf_mqtt_close(struct wf_mqtt *m);
// Waits for messages up to a time, and handles them.
void wf_mqtt_step(struct wf_mqtt *m, unsigned timeout_ms);
// Returns the socket of the connection, which can be read when there is something for a step; -1:
// none. For programs that wait for other sockets, too.
int wf_mqtt_socket(const struct wf_mqtt *m);
bool wf_mqtt_is_connected(const struct wf_mqtt *m);
// Returns whether the message that is being handled was sent before, and kept by the broker.
bool wf_mqtt_is_retained(const struct wf_mqtt *m);
// Sends a message.
//   retain   the broker keeps it, in place of an earlier one, for clients that subscribe later
//   returns  WF_OK; WF_ERR_LINK: not connected, or it is too long
int wf_mqtt_publish(struct wf_mqtt *m, const char *topic, const void *bytes, size_t len,
                    unsigned qos, bool retain);

#ifdef __cplusplus
}
#endif
#endif
