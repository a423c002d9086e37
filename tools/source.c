// SPDX-License-Identifier: MIT
// A link read to its end on a loop of its own. A signal ends it at once, and what was received is
// still finished and accounted for.

#include "source.h"

#include <signal.h>
#include <uv.h>

#include "cmd.h"

struct reading {
    const struct source_handlers *on;
    uv_loop_t loop;
    uv_signal_t signals[2];
    int code;
};

bool source_is_live(const char *name) { return wf_link_is_live(name); }

static void stop(struct reading *r) { uv_stop(&r->loop); }

static void on_signal(uv_signal_t *handle, int number) {
    (void)number;
    stop(handle->data);
}

static void on_up(void *ctx, struct wf_peer *peer) {
    struct reading *r = ctx;
    r->on->link(r->on->ctx, peer, true, "");
}

static void on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct reading *r = ctx;
    if (!r->on->bytes(r->on->ctx, peer, bytes, len)) stop(r);
}

static void on_known(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload,
                     size_t len) {
    struct reading *r = ctx;
    if (r->on->known) r->on->known(r->on->ctx, peer, id, payload, len);
}

static void on_down(void *ctx, struct wf_peer *peer, const char *why) {
    struct reading *r = ctx;
    r->on->link(r->on->ctx, peer, false, why);
}

static void on_say(void *ctx, const char *text) {
    (void)ctx;
    complain(EXIT_GOOD, "%s", text);
}

static void on_done(void *ctx, int err) {
    struct reading *r = ctx;
    if (err) r->code = EXIT_INPUT;
    stop(r);
}

int source_run(const char *name, const struct source_handlers *on) {
    struct reading r = {.on = on};
    struct wf_link_options options = {.once = on->once, .most = on->most};
    struct wf_link_handlers handlers = {&r, on_up, on_bytes, on_down, on_say, on_done, on_known};
    static const int numbers[] = {SIGINT, SIGTERM};
    struct wf_link *link;
    char why[256];
    uv_loop_init(&r.loop);
    for (int i = 0; i < 2; ++i) {
        uv_signal_init(&r.loop, &r.signals[i]);
        r.signals[i].data = &r;
        uv_signal_start(&r.signals[i], on_signal, numbers[i]);
    }
    int err = wf_link_open(&r.loop, name, &options, &handlers, &link, why);
    if (err == WF_OK)
        uv_run(&r.loop, UV_RUN_DEFAULT);
    else
        r.code = complain(err == WF_ERR_USAGE ? EXIT_USAGE : EXIT_INPUT, "%s", why);
    if (link) wf_link_close(link);
    for (int i = 0; i < 2; ++i) uv_close((uv_handle_t *)&r.signals[i], NULL);
    uv_run(&r.loop, UV_RUN_DEFAULT);
    uv_loop_close(&r.loop);
    return r.code;
}
