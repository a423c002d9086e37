// SPDX-License-Identifier: MIT
// See gateway.h. A link that can be held is held while its stream has no room for what it may bring
// at once. A few times a second the gateway checks for room.

#include "gateway.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fleet.h"
#include "wallfly_host/wf_fleet.h"

enum { BUFFER_KB = 4096, REST_MS = 20, LAST_MS = 5000 };

// ---- options

// Splits SCHEME://HOST/PROJECT/DEVICE.
static int parse_url(const char *url, struct place_url *to) {
    const char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
    const size_t len = path ? (size_t)(path - url) : sizeof to->url;
    if (len >= sizeof to->url || !fleet_place_parse(path + 1, &to->place) || !*to->place.project ||
        !*to->place.device)
        return diag_error(EXIT_USAGE,
                          "--to: '%.100s' is no mqtt://[USER@]HOST[:PORT]/PROJECT/DEVICE and no "
                          "http://HOST[:PORT]/PROJECT/DEVICE",
                          url);
    memcpy(to->url, url, len);
    to->url[len] = 0;
    return EXIT_GOOD;
}

// A number that no earlier gateway of the device has used.
static uint64_t new_stream(const struct place_url *to) {
    struct timespec t;
    char text[WF_FLEET_DEVICE_MAX + 64];
    clock_gettime(CLOCK_REALTIME, &t);
    const int len = snprintf(text, sizeof text, "%s %lld.%09ld", to->place.device,
                             (long long)t.tv_sec, t.tv_nsec);
    return (wf_fleet_hash(text, (size_t)len) | 1) &
           ~(UINT64_C(1) << 63); // room for all connections
}

bool gateway_allows(const struct args *args, int row) {
    for (int i = row; i < row + GATEWAY_OPTIONS; ++i) {
        if (!args->value[i] || args->value[row + GATEWAY_TO]) continue;
        diag_error(EXIT_USAGE, "--%s: only with --to", args->cmd->options[i].name);
        return false;
    }
    return true;
}

static int parse_profile(const char *text, struct gateway_options *o) {
    struct wf_error error;
    if (!text) return EXIT_GOOD;
    if (wf_fleet_profile_parse(text, strlen(text), &o->profile, &error) != WF_OK)
        return diag_error(EXIT_USAGE, "--profile: %s", error.text);
    if (wf_link_is_file(o->source))
        return diag_error(EXIT_USAGE, "--profile: not with a file, which is sent whole");
    o->has_profile = true;
    return EXIT_GOOD;
}

int gateway_parse(const struct args *args, int row, struct gateway_options *o) {
    const char *const *value = args->value + row;
    uint64_t kilobytes = BUFFER_KB;
    if ((value[GATEWAY_STREAM] && !parse_number("--stream", value[GATEWAY_STREAM], 1,
                                                UINT64_MAX - WF_RECORDING_LANES, &o->stream)) ||
        (value[GATEWAY_BUFFER] &&
         !parse_number("--buffer", value[GATEWAY_BUFFER], 1, 1000000, &kilobytes)))
        return EXIT_USAGE;
    o->buffer = (size_t)kilobytes * 1024;
    o->commands = value[GATEWAY_COMMANDS] != NULL;
    int code = parse_url(value[GATEWAY_TO], &o->to);
    if (code == EXIT_GOOD && o->commands && strncmp(o->to.url, "http", 4) == 0)
        return diag_error(EXIT_USAGE, "--commands: only with --to=mqtt:, as nothing but answers "
                                      "comes back over HTTP");
    if (code == EXIT_GOOD)
        code = fleet_read_password(value[GATEWAY_SECRET_FILE], "WALLFLY_SECRET", o->secret,
                                   sizeof o->secret);
    if (code == EXIT_GOOD) code = parse_profile(value[GATEWAY_PROFILE], o);
    o->one_stream = o->stream != 0;
    if (!o->stream) o->stream = new_stream(&o->to);
    return code;
}

// ---- the source

static void fail(struct gateway *g, int err, const char *text) {
    if (!g->failed) wf_error_set(&g->error, err, "%s", text);
    g->failed = true;
    source_stop(&g->source);
}

static uint64_t now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

// Of a link that cannot be held the buffer keeps the newest.
static bool put(struct gateway *g, struct wf_fleet_sender *s, const uint8_t *bytes, size_t len) {
    pthread_mutex_lock(&g->mutex);
    wf_fleet_sender_put(s, bytes, len, now_us());
    const bool full = wf_fleet_sender_room(s) < WF_LINK_BYTES_MAX;
    const bool given_up = wf_fleet_sender_totals(s)->given_up != 0;
    pthread_mutex_unlock(&g->mutex);
    if (given_up && !g->full)
        diag_note("%s: the buffer is full; its oldest bytes are given up, and counted",
                  g->o->source);
    g->full |= given_up;
    return full;
}

// A target that sends no frames does not end the gateway of others.
static void refuse_format(struct gateway *g, struct gateway_stream *s, enum wf_lane_format format) {
    char text[sizeof g->error.text];
    snprintf(text, sizeof text, "is %s%s", wf_lane_format_title(format),
             format == WF_LANE_TEXT ? ", and no frames" : "; `wallfly fleet load` takes it");
    s->foreign = true;
    if (wf_link_is_file(g->o->source)) {
        fail(g, WF_ERR_BAD_IMPORT, text);
        return;
    }
    diag_note("%s: %s; it is not sent", wf_peer_name(s->peer), text);
    if (!g->foreign && !g->failed) wf_error_set(&g->error, WF_ERR_BAD_IMPORT, "a target %s", text);
    g->foreign = true;
}

// Returns whether the bytes of a stream are to be sent.
static bool judge_bytes(struct gateway *g, struct gateway_stream *s, const uint8_t *bytes,
                        size_t len, bool end) {
    const enum wf_lane_format format = gateway_look(g, s, bytes, len, end);
    if (format) refuse_format(g, s, format);
    return !s->foreign;
}

// For a target there is no stream left.
static void give_up(struct gateway *g, size_t len) {
    pthread_mutex_lock(&g->mutex);
    g->past.bytes += len;
    g->past.given_up += len;
    pthread_mutex_unlock(&g->mutex);
}

static void send_bytes(struct gateway *g, struct gateway_stream *s, const uint8_t *bytes,
                       size_t len) {
    s = gateway_select(g, s, &bytes, &len);
    if (!len) return;
    if (!gateway_open_sender(g, s))
        fail(g, WF_ERR_NOMEM, wf_err_text(WF_ERR_NOMEM));
    else if (put(g, s->sender, bytes, len) && !s->held)
        s->held = wf_peer_hold(s->peer, true);
}

static void on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct gateway *g = ctx;
    struct gateway_stream *s = gateway_stream_of(g, peer);
    if (wf_peer_is_recording(peer)) {
        fail(g, WF_ERR_USAGE, "is a recording; `wallfly fleet load` takes it");
    } else if (!s) {
        give_up(g, len);
    } else if (judge_bytes(g, s, bytes, len, false)) {
        send_bytes(g, s, bytes, len);
    }
}

static bool has_room(struct gateway *g, const struct gateway_stream *s) {
    pthread_mutex_lock(&g->mutex);
    const bool room = !s->sender || wf_fleet_sender_room(s->sender) >= WF_LINK_BYTES_MAX;
    pthread_mutex_unlock(&g->mutex);
    return room;
}

static void on_tick(void *ctx) {
    struct gateway *g = ctx;
    if (atomic_load(&g->refused)) source_stop(&g->source);
    gateway_pass_commands(g);
    for (unsigned i = 0; i < WF_RECORDING_LANES; ++i) {
        struct gateway_stream *s = g->by_lane[i];
        if (!s || !s->held || !has_room(g, s)) continue;
        s->held = false;
        wf_peer_hold(s->peer, false);
    }
}

static void report_link(const struct gateway *g, struct wf_peer *peer, bool up, const char *why) {
    char text[512];
    if (wf_link_is_file(g->o->source) || g->o->quiet) return;
    diag_note("%s", source_link_text(wf_peer_name(peer), up, why, text));
}

static void on_up(void *ctx, struct wf_peer *peer) {
    struct gateway *g = ctx;
    report_link(g, peer, true, "");
    if (!gateway_begin(g, peer))
        diag_note("%s: too many targets; its bytes are given up, and counted", wf_peer_name(peer));
    ++g->sessions;
}

static void on_down(void *ctx, struct wf_peer *peer, const char *why) {
    struct gateway *g = ctx;
    struct gateway_stream *s = gateway_stream_of(g, peer);
    if (s) {
        (void)judge_bytes(g, s, NULL, 0, true);
        gateway_leave(g, s);
    }
    report_link(g, peer, false, why);
}

static void on_report(void *ctx, const char *text) {
    (void)ctx;
    diag_note("%s", text);
}

static void on_done(void *ctx, int err) {
    struct gateway *g = ctx;
    source_done(&g->source, err);
}

static void on_failure(void *ctx, const char *failure) {
    const struct gateway *g = ctx;
    if (failure)
        diag_note("%s: %s; trying again", g->o->to.url, failure);
    else
        diag_note("%s: connected", g->o->to.url);
}

static bool is_stopped(void *ctx) {
    const struct gateway *g = ctx;
    return atomic_load(&g->stopping);
}

// ---- running

static int on_opened(void *ctx) {
    struct gateway *g = ctx;
    g->has_thread = pthread_create(&g->thread, NULL, gateway_send, g) == 0;
    return g->has_thread ? EXIT_GOOD
                         : diag_error(EXIT_INPUT, "no thread can be started: %s", strerror(errno));
}

static volatile sig_atomic_t signal_count;

static void on_signal(int number) {
    (void)number;
    if (signal_count < 2) ++signal_count;
}

// Waits until all is safe; after a signal not for long, and only until the next one.
static void send_rest(struct gateway *g) {
    unsigned waited_ms = 0;
    signal_count = g->source.interrupted;
    signals_catch(on_signal);
    while (!gateway_is_done(g) && !atomic_load(&g->refused) && !g->failed) {
        if (signal_count > 1 || waited_ms >= LAST_MS) break;
        nanosleep(&(struct timespec){0, REST_MS * 1000000L}, NULL);
        if (signal_count) waited_ms += REST_MS;
    }
}

static int judge(const struct gateway *g, int code) {
    struct wf_fleet_sender_totals t;
    const struct gateway_options *o = g->o;
    gateway_sum_up(g, &t);
    const uint64_t left = t.bytes - t.safe - t.given_up;
    char left_out[64] = "";
    if (g->left_out)
        snprintf(left_out, sizeof left_out, "; %" PRIu64 " left out by the profile", g->left_out);
    if (!o->quiet)
        diag_note("%s: %" PRIu64 " session%s, %" PRIu64 " bytes; %" PRIu64 " given up%s; %" PRIu64
                  " messages, %" PRIu64 " of them again; stream %" PRIu64,
                  o->source, g->sessions, g->sessions == 1 ? "" : "s", t.bytes, t.given_up,
                  left_out, t.messages, t.again, o->stream);
    if (atomic_load(&g->refused))
        return diag_error(EXIT_INPUT, "%s: the agent refuses: %s", o->to.url, g->refusal.text);
    if (g->failed)
        return diag_error(exit_code_of(g->error.code), "%s: %s", o->source, g->error.text);
    if (g->foreign) code = diag_error(EXIT_INPUT, "%s: %s", o->source, g->error.text);
    if (left)
        return diag_error(EXIT_INPUT, "%s: %" PRIu64 " bytes were not taken by the agent",
                          o->to.url, left);
    if (o->strict && t.given_up && !g->foreign)
        return diag_error(EXIT_LOSS, "%s: %" PRIu64 " bytes given up (--strict)", o->source,
                          t.given_up);
    return code;
}

// ---- the whole

static int open_uplink(struct gateway *g) {
    const struct gateway_options *o = g->o;
    struct wf_error error;
    const struct wf_uplink_options u = {
        .size = sizeof u,
        .url = o->to.url,
        .project = o->to.place.project,
        .device = o->to.place.device,
        .secret = *o->secret ? o->secret : NULL,
        .answer = gateway_take_answer,
        .profile = g->obeys && !o->has_profile ? gateway_take_profile : NULL,
        .command = o->commands ? gateway_take_command : NULL,
        .report = on_failure,
        .stopped = is_stopped,
        .ctx = g};
    g->uplink = wf_uplink_open(&u, &error);
    return g->uplink ? EXIT_GOOD : diag_error(exit_code_of(error.code), "--to: %s", error.text);
}

static int run(struct gateway *g) {
    const struct gateway_options *o = g->o;
    const struct source_options options = {.link = {.once = o->once,
                                                    .most = o->one_stream,
                                                    .ask = o->ask,
                                                    .start = o->start,
                                                    .start_len = o->start ? strlen(o->start) : 0},
                                           .opened = on_opened,
                                           .tick = on_tick,
                                           .seconds = o->seconds};
    const struct wf_link_handlers on = {.ctx = g,
                                        .up = on_up,
                                        .bytes = on_bytes,
                                        .down = on_down,
                                        .report = on_report,
                                        .done = on_done};
    int code = source_run(&g->source, o->source, &options, &on);
    if (!g->has_thread) return code;
    send_rest(g);
    atomic_store(&g->stopping, true);
    pthread_join(g->thread, NULL);
    return judge(g, code);
}

int gateway_run(const struct gateway_options *o) {
    struct gateway *g = calloc(1, sizeof *g);
    if (!g) return out_of_memory();
    g->o = o;
    g->obeys = !wf_link_is_file(o->source);
    g->profile = o->profile;
    pthread_mutex_init(&g->mutex, NULL);
    int code = open_uplink(g);
    if (code == EXIT_GOOD) code = run(g);
    wf_uplink_close(g->uplink);
    gateway_close_all(g);
    gateway_drop_commands(g);
    pthread_mutex_destroy(&g->mutex);
    free(g);
    return code;
}
