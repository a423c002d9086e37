// SPDX-License-Identifier: MIT
// Reads a link to its end on a loop of its own. A signal ends it at once; the bytes received so far
// are still processed.

#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "cmd.h"
#include "term/signals.h"
#include "wallfly_server/memory.h"

struct reading {
    const struct source_handlers *on;
    uv_loop_t loop;
    struct signals signals;
    uv_timer_t tick, end;
    int code;
};

enum { TICK_MS = 250 };

bool source_is_live(const char *name) { return wf_link_is_live(name); }

bool source_ask(const char *text, bool commands, enum wf_ask *ask) {
    static const char *const words[] = {"auto", "always", "never", NULL};
    const enum wf_ask asks[] = {commands ? WF_ASK_ALWAYS : WF_ASK_AUTO, WF_ASK_ALWAYS,
                                WF_ASK_NEVER};
    unsigned word = 0;
    if (!parse_choice("--ask", text, words, &word)) return false;
    *ask = asks[word];
    return true;
}

static void stop(struct reading *r) { uv_stop(&r->loop); }
static void on_signal(void *ctx) {
    struct reading *r = ctx;
    if (r->on->interrupted) *r->on->interrupted = true;
    stop(r);
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

static void on_sent(void *ctx, struct wf_peer *peer, uint8_t command, const uint8_t *payload,
                    size_t len) {
    struct reading *r = ctx;
    if (r->on->sent) r->on->sent(r->on->ctx, peer, command, payload, len);
}

static void on_down(void *ctx, struct wf_peer *peer, const char *why) {
    struct reading *r = ctx;
    r->on->link(r->on->ctx, peer, false, why);
}

static void on_say(void *ctx, const char *text) {
    const struct reading *r = ctx;
    if (!r->on->quiet) diag_note("%s", text);
}

static void on_done(void *ctx, int err) {
    struct reading *r = ctx;
    if (err) r->code = EXIT_INPUT;
    if (r->on->ended) r->on->ended(r->on->ctx);
    stop(r);
}

static void on_tick(uv_timer_t *timer) {
    struct reading *r = timer->data;
    if (!r->on->tick(r->on->ctx)) stop(r);
}

static void on_end(uv_timer_t *timer) { stop(timer->data); }

static void start_timers(struct reading *r) {
    uv_timer_init(&r->loop, &r->tick);
    uv_timer_init(&r->loop, &r->end);
    r->tick.data = r->end.data = r;
    if (r->on->tick) uv_timer_start(&r->tick, on_tick, TICK_MS, TICK_MS);
    if (r->on->seconds) uv_timer_start(&r->end, on_end, r->on->seconds * 1000, 0);
}

int source_run(const char *name, const struct source_handlers *on) {
    struct reading r = {.on = on};
    struct wf_link_options options = {
        .size = sizeof options, .once = on->once, .most = on->most, .ask = on->ask};
    struct wf_link_handlers handlers = {&r,     on_up,   on_bytes, on_down,
                                        on_say, on_done, on_known, on_sent};
    struct wf_link *link;
    struct wf_error error;
    uv_loop_init(&r.loop);
    signals_open(&r.signals, &r.loop, on_signal, &r);
    start_timers(&r);
    int err = wf_link_open(&r.loop, name, &options, &handlers, &link, &error);
    if (err != WF_OK)
        r.code = diag_error(exit_code_of(err), "%s", error.text);
    else if (on->opened)
        r.code = on->opened(on->ctx);
    if (r.code == EXIT_GOOD) uv_run(&r.loop, UV_RUN_DEFAULT);
    if (link) wf_link_close(link);
    signals_close(&r.signals);
    uv_close((uv_handle_t *)&r.tick, NULL);
    uv_close((uv_handle_t *)&r.end, NULL);
    uv_run(&r.loop, UV_RUN_DEFAULT);
    uv_loop_close(&r.loop);
    return r.code;
}

// Without an index all chunks are read.
static unsigned count_lanes(FILE *f) {
    static uint8_t block[65536];
    static bool seen[WF_RECORDING_LANES];
    struct wf_recording *r = wf_recording_open();
    struct wf_chunk c;
    unsigned lanes = 0;
    memset(seen, 0, sizeof seen);
    for (size_t n = 1; r && n;) {
        n = fread(block, 1, sizeof block, f);
        if (!n || !wf_recording_feed(r, block, n)) wf_recording_end(r);
        while (wf_recording_next(r, &c)) {
            if (c.kind >= WF_CHUNK_DAMAGE || seen[c.lane]) continue;
            seen[c.lane] = true;
            ++lanes;
        }
    }
    wf_recording_close(r);
    return lanes;
}

unsigned source_lanes(const char *name) {
    uint8_t bytes[WF_TRAILER_LEN];
    struct wf_trailer trailer = {.lanes = 0};
    errno = 0;
    FILE *f = wf_link_is_file(name) && !wf_link_is_live(name) ? fopen(name, "rb") : NULL;
    if (!f && errno == ENOMEM) memory_is_out();
    if (!f) return 0;
    size_t n = fread(bytes, 1, WF_RECORDING_MAGIC_LEN, f);
    bool is = n == WF_RECORDING_MAGIC_LEN && wf_recording_is(bytes, n);
    bool whole = is && fseek(f, -WF_TRAILER_LEN, SEEK_END) == 0 &&
                 fread(bytes, 1, sizeof bytes, f) == sizeof bytes &&
                 wf_trailer_read(bytes, &trailer);
    if (is && !whole) {
        rewind(f);
        trailer.lanes = count_lanes(f);
    }
    fclose(f);
    return trailer.lanes;
}
