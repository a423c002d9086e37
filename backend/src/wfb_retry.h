// SPDX-License-Identifier: MIT
// Trying again what did not work: after 100 ms, then twice as long each time up to 2 s, said once.
#ifndef WFB_RETRY_H
#define WFB_RETRY_H

#include "wfb_link.h"

struct wfb_retry {
    struct wf_link *link;
    void (*again)(struct wf_link *link);
    uv_timer_t timer;
    unsigned pause_ms; // the next one
    bool said;
};

void wfb_retry_open(struct wfb_retry *r, struct wf_link *link, void (*again)(struct wf_link *));
void wfb_retry_close(struct wfb_retry *r);
// Calls `again` as soon as the loop runs.
void wfb_retry_now(struct wfb_retry *r);
// Calls `again` after a pause. why: what did not work, for the user; null: nothing to be said.
void wfb_retry_later(struct wfb_retry *r, const char *name, const char *why);
void wfb_retry_worked(struct wfb_retry *r);

#endif
