// SPDX-License-Identifier: MIT
// Retries an operation: after 100 ms, then with a doubled pause up to 2 s. Reports the first
// failure.
#ifndef WFB_RETRY_H
#define WFB_RETRY_H

#include "wfb_link.h"

struct wfb_retry {
    uv_timer_t timer; // first; its data is the link
    void (*again)(struct wf_link *link);
    unsigned pause_ms; // before the next try
    bool reported;
};

void wfb_retry_open(struct wfb_retry *r, struct wf_link *link, void (*again)(struct wf_link *));
void wfb_retry_close(struct wfb_retry *r);
// Calls `again` as soon as the loop runs.
void wfb_retry_now(struct wfb_retry *r);
// Calls `again` after a pause. why: the failure, for the user; null: nothing to report.
void wfb_retry_later(struct wfb_retry *r, const char *name, const char *why);
void wfb_retry_worked(struct wfb_retry *r);

#endif
