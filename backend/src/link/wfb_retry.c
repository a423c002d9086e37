// SPDX-License-Identifier: MIT
// See wfb_retry.h.

#include "wfb_retry.h"

enum { FIRST_MS = 100, MOST_MS = 2000 };

void wfb_retry_open(struct wfb_retry *r, struct wf_link *link, void (*again)(struct wf_link *)) {
    r->again = again;
    r->pause_ms = FIRST_MS;
    uv_timer_init(link->loop, &r->timer);
    wfb_handle_opened(link, &r->timer);
}

void wfb_retry_close(struct wfb_retry *r) { wfb_handle_close(&r->timer); }

static void on_timer(uv_timer_t *timer) { ((struct wfb_retry *)timer)->again(timer->data); }

void wfb_retry_now(struct wfb_retry *r) { uv_timer_start(&r->timer, on_timer, 0, 0); }

void wfb_retry_later(struct wfb_retry *r, const char *name, const char *why) {
    struct wf_link *link = r->timer.data;
    if (link->closing) return;
    if (why && !r->reported) {
        r->reported = true;
        wfb_report(link, "%s: %s; retrying until it works", name, why);
    }
    uv_timer_start(&r->timer, on_timer, r->pause_ms, 0);
    r->pause_ms = r->pause_ms * 2 < MOST_MS ? r->pause_ms * 2 : MOST_MS;
}

void wfb_retry_worked(struct wfb_retry *r) {
    r->pause_ms = FIRST_MS;
    r->reported = false;
}
