// SPDX-License-Identifier: MIT
// See wfb_retry.h.

#include "wfb_retry.h"

enum { FIRST_MS = 100, MOST_MS = 2000 };

void wfb_retry_open(struct wfb_retry *r, struct wf_link *link, void (*again)(struct wf_link *)) {
    r->link = link;
    r->again = again;
    r->pause_ms = FIRST_MS;
    r->timer.data = r;
    uv_timer_init(link->loop, &r->timer);
    wfb_handle_opened(link);
}

static void on_closed(uv_handle_t *handle) {
    struct wfb_retry *r = handle->data;
    wfb_handle_closed(r->link);
}

void wfb_retry_close(struct wfb_retry *r) {
    if (r->link && !uv_is_closing((uv_handle_t *)&r->timer))
        uv_close((uv_handle_t *)&r->timer, on_closed);
}

static void on_timer(uv_timer_t *timer) {
    struct wfb_retry *r = timer->data;
    r->again(r->link);
}

void wfb_retry_now(struct wfb_retry *r) { uv_timer_start(&r->timer, on_timer, 0, 0); }

void wfb_retry_later(struct wfb_retry *r, const char *name, const char *why) {
    if (r->link->closing) return;
    if (why && !r->said) {
        r->said = true;
        wfb_say(r->link, "%s: %s; trying again until it works", name, why);
    }
    uv_timer_start(&r->timer, on_timer, r->pause_ms, 0);
    r->pause_ms = r->pause_ms * 2 < MOST_MS ? r->pause_ms * 2 : MOST_MS;
}

void wfb_retry_worked(struct wfb_retry *r) {
    r->pause_ms = FIRST_MS;
    r->said = false;
}
