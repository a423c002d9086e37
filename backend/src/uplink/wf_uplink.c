// SPDX-License-Identifier: MIT
#include "wallfly_backend/wf_uplink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_chunk.h"
#include "wfb_options.h"
#include "wfb_uplink.h"

static const struct wfb_uplink_kind *const kinds[] = {&wfb_uplink_mqtt, &wfb_uplink_http};

static const struct wfb_uplink_kind *find_kind(const char *url) {
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        for (unsigned n = 0; n < 2; ++n) {
            const char *scheme = kinds[i]->schemes[n];
            if (strncmp(url, scheme, strlen(scheme)) == 0) return kinds[i];
        }
    }
    return NULL;
}

struct wf_uplink *wf_uplink_open(const struct wf_uplink_options *options, struct wf_error *error) {
    struct wf_uplink_options o;
    struct wf_error own;
    if (!error) error = &own;
    if (wfb_copy_options(&o, sizeof o, options, error) != WF_OK) return NULL;
    const struct wfb_uplink_kind *kind = find_kind(o.url);
    if (!kind) {
        wf_error_set(error, WF_ERR_USAGE, "'%.100s' is no mqtt:// and no http://", o.url);
        return NULL;
    }
    struct wf_uplink *u = calloc(1, kind->size);
    if (!u) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    u->kind = kind;
    u->o = o;
    if (kind->open(u, error) == WF_OK) return u;
    wf_uplink_close(u);
    return NULL;
}

void wf_uplink_close(struct wf_uplink *u) {
    if (!u) return;
    u->kind->close(u);
    free(u);
}

int wf_uplink_send(struct wf_uplink *u, const uint8_t *message, size_t len, unsigned *retry_ms,
                   struct wf_error *error) {
    return u->kind->send(u, message, len, retry_ms, error);
}

void wf_uplink_step(struct wf_uplink *u, unsigned timeout_ms) { u->kind->step(u, timeout_ms); }

void wfb_uplink_report(struct wf_uplink *u, const char *failure) {
    const char *text = failure ? failure : "";
    if (!u->o.report || strcmp(u->reported, text) == 0) return;
    snprintf(u->reported, sizeof u->reported, "%s", text);
    u->o.report(u->o.ctx, failure);
}

bool wfb_uplink_answer(struct wf_uplink *u, const uint8_t *bytes, size_t len) {
    uint64_t stream, wanted;
    if (!wf_fleet_answer_read(bytes, len, &stream, &wanted)) return false;
    u->o.answer(u->o.ctx, stream, wanted);
    return true;
}
