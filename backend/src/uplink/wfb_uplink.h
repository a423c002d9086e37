// SPDX-License-Identifier: MIT
// Kinds of uplinks: wf_uplink.c chooses one by the URL, wfb_uplink_mqtt.c and wfb_uplink_http.c are
// those.
#ifndef WFB_UPLINK_H
#define WFB_UPLINK_H

#include "wallfly_backend/wf_uplink.h"

struct wfb_uplink_kind {
    const char *schemes[2];
    size_t size; // of its struct, which begins with a struct wf_uplink
    int (*open)(struct wf_uplink *u, struct wf_error *error);
    void (*close)(struct wf_uplink *u); // also one that was not opened whole
    int (*send)(struct wf_uplink *u, const uint8_t *message, size_t len, unsigned *retry_ms,
                struct wf_error *error);
    void (*step)(struct wf_uplink *u, unsigned timeout_ms);
};

struct wf_uplink {
    const struct wfb_uplink_kind *kind;
    struct wf_uplink_options o; // its texts are valid in `open` alone
    char reported[240];
};

extern const struct wfb_uplink_kind wfb_uplink_mqtt, wfb_uplink_http;

// Reports a failure that is another than the last one; null: it has passed.
void wfb_uplink_report(struct wf_uplink *u, const char *failure);
// Takes the bytes of an answer. Returns false for bytes that are none.
bool wfb_uplink_answer(struct wf_uplink *u, const uint8_t *bytes, size_t len);

#endif
