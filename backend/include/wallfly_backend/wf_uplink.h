// SPDX-License-Identifier: MIT
// The way of a gateway's messages (wf_fleet_chunk.h) to the fleet's agent: over an MQTT broker
// (wf_mqtt.h), or as uploads over HTTP (libcurl, which is loaded when it is opened).
//
//   u = wf_uplink_open(&options, &error)
//   again and again: wf_uplink_send(u, message, len, &retry_ms, &error);
//                    wf_uplink_step(u, timeout_ms)    // both may call options.answer
//
// All functions of one uplink are for one thread.
#ifndef WF_UPLINK_H
#define WF_UPLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_uplink;

struct wf_uplink_options {
    size_t size;                  // sizeof(struct wf_uplink_options)
    const char *url;              // mqtt[s]://[USER@]HOST[:PORT], http[s]://HOST[:PORT]
    const char *project, *device; // names (wf_fleet_sql.h)
    const char *secret;           // the user's password for MQTT, the token for HTTP; null: none
    // The agent wants this byte of a stream next.
    void (*answer)(void *ctx, uint64_t stream, uint64_t wanted);
    // Messages of the device's other topics; null: it is not subscribed to. Over HTTP the profile
    // is in each answer.
    void (*profile)(void *ctx, const uint8_t *bytes, size_t len);
    // retained: the message was sent before, and kept by the broker
    void (*command)(void *ctx, const uint8_t *bytes, size_t len, bool retained);
    // Reports a failure, once until there is another one, and that it has passed (null). May be
    // null.
    void (*report)(void *ctx, const char *failure);
    bool (*stopped)(void *ctx); // asked while a message is sent: it is given up then. May be null
    void *ctx;
};

// Texts are copied.
//   returns  null with `error`: WF_ERR_USAGE (the URL or the secret), WF_ERR_NOMEM,
//            WF_ERR_LINK (built without the library, or it is not installed)
struct wf_uplink *wf_uplink_open(const struct wf_uplink_options *options, struct wf_error *error);
void wf_uplink_close(struct wf_uplink *u);
// Sends a message.
//   returns  WF_OK         it is on its way, or was answered
//            WF_ERR_LINK   not now: try again after *retry_ms
//            WF_ERR_USAGE  the agent refuses it for good, `error` has its words
int wf_uplink_send(struct wf_uplink *u, const uint8_t *message, size_t len, unsigned *retry_ms,
                   struct wf_error *error);
// Waits for answers, up to a time.
void wf_uplink_step(struct wf_uplink *u, unsigned timeout_ms);

#ifdef __cplusplus
}
#endif
#endif
