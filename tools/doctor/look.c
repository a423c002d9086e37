// SPDX-License-Identifier: MIT
// See look.h. One look has a loop, a link and a trace of its own.

#include "look.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../term/signals.h"
#include "bytes.h"

enum { TICK_MS = 20, TRIAL_FRAMES = 4, TRIAL_BYTES = 512, HOPELESS_BYTES = 4096 };

static const double ask_after_s = 1; // of silence

struct watch {
    struct doctor *doctor;
    struct doctor_look *look;
    const struct look_limits *limits;
    uv_loop_t loop;
    uv_timer_t timer;
    struct signals signals;
    struct wf_link *link;
    struct wf_peer *peer; // the last one that connected; null: it is gone
    double began_s, first_s;
    unsigned sample_lane;
    bool silent_ask; // INFO was sent into the silence
    bool ended;      // the link is closed by the look
};

static double now_s(void) { return (double)uv_hrtime() / 1e9; }

double look_seconds_left(const struct doctor *d) {
    return d->seconds - (now_s() - (double)d->began_ns / 1e9);
}

// ---- items

static struct wf_dic dictionary(const struct doctor *d) {
    return (struct wf_dic){.file = d->args->value[STREAM_DIC], .files = d->args->files};
}

static struct doctor_seen *open_lane(struct doctor *d, struct wf_lane *lane) {
    const struct wf_dic dic = dictionary(d);
    struct wf_session *session = wf_lane_session(lane);
    struct doctor_seen *seen = seen_open(session);
    struct wf_error error;
    names_use(&d->names, session);
    if (wf_dic_read(&dic, session, &error) != WF_OK && d->code == EXIT_GOOD)
        d->code = diag_error(EXIT_INPUT, "%s", error.text);
    d->failed |= !seen;
    wf_lane_set_user(lane, seen);
    return seen;
}

static void take_item(struct watch *w, const struct wf_item *item) {
    if (!item->lane) {
        if (item->kind == WF_ITEM_CHUNK) {
            w->look->damaged |= item->chunk->kind == WF_CHUNK_DAMAGE;
            w->look->cut |= item->chunk->kind == WF_CHUNK_CUT;
        }
        return;
    }
    struct doctor_seen *seen = wf_lane_get_user(item->lane);
    if (!seen) seen = open_lane(w->doctor, item->lane);
    if (!seen) return;
    seen_take(seen, item, now_s());
    const struct wf_record *r = &item->record;
    if (item->kind != WF_ITEM_RECORD || !r->row || r->row->effect != WF_EFFECT_TARGET_INFO) return;
    const struct wf_dic dic = dictionary(w->doctor);
    wf_dic_read(&dic, wf_lane_session(item->lane), NULL);
}

static void drain(struct watch *w) {
    struct wf_item item;
    while (wf_trace_next(w->look->trace, &item)) take_item(w, &item);
}

// Sets the lane with the most bytes, and its format.
static void find_lane(struct doctor_look *look) {
    struct wf_error error;
    uint64_t most = 0;
    for (unsigned i = 0; i < look->lane_end; ++i) {
        struct wf_lane *lane = wf_trace_lane(look->trace, i, &error);
        if (!lane || wf_lane_bytes(lane) <= most) continue;
        most = wf_lane_bytes(lane);
        look->lane = lane;
        look->session = wf_lane_session(lane);
        look->seen = wf_lane_get_user(lane);
    }
    enum wf_lane_format format = look->lane ? wf_lane_get_format(look->lane) : WF_LANE_UNKNOWN;
    if (format) look->format = format; // a closed connection has none
}

bool look_has_trace(const struct doctor_look *look) {
    enum { FRAMES_MIN = 3 }; // a checksum of 8 bits is right by chance once in 256 frames
    if (look->lane && wf_session_holds_frames(look->session)) return true; // packed
    if (!look->lane || look->garbled || wf_lane_verdict(look->lane)->kind == WF_VERDICT_NO_TRACE)
        return false;
    const struct wf_ledger *l = wf_session_ledger(look->session);
    if (look->format != WF_LANE_FRAMES) return true;
    uint64_t damages = l->damage[WF_DAMAGE_BAD_SUM] + l->damage[WF_DAMAGE_TOO_SHORT] +
                       l->damage[WF_DAMAGE_TOO_LONG];
    return !l->bytes_bad || (l->records >= FRAMES_MIN && l->records * 4 >= damages);
}

// ---- the link

static void on_up(void *ctx, struct wf_peer *peer) {
    struct watch *w = ctx;
    struct doctor_look *look = w->look;
    w->peer = peer;
    look->connected = true;
    ++look->peers;
    snprintf(look->peer, sizeof look->peer, "%s", wf_peer_name(peer));
}

static void on_down(void *ctx, struct wf_peer *peer, const char *why) {
    struct watch *w = ctx;
    if (w->ended) return;
    if (w->peer == peer) w->peer = NULL;
    if (*why) snprintf(w->look->why, sizeof w->look->why, "%s", why);
    if (wf_peer_is_recording(peer) || wf_link_is_file(w->doctor->source)) return;
    find_lane(w->look);
    wf_trace_relink(w->look->trace, wf_peer_lane(peer));
    drain(w);
}

static void keep_sample(struct watch *w, unsigned lane, const uint8_t *bytes, size_t len) {
    struct doctor_look *look = w->look;
    if (!look->sample) {
        look->sample = malloc(DOCTOR_SAMPLE);
        w->sample_lane = lane;
    }
    w->doctor->failed |= !look->sample;
    if (!look->sample || lane != w->sample_lane) return;
    if (len > DOCTOR_SAMPLE - look->sample_len) len = DOCTOR_SAMPLE - look->sample_len;
    memcpy(look->sample + look->sample_len, bytes, len);
    look->sample_len += len;
}

static void on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct watch *w = ctx;
    struct doctor_look *look = w->look;
    unsigned lane = wf_peer_lane(peer);
    if (!look->bytes) w->first_s = now_s();
    look->bytes += len;
    if (wf_peer_is_recording(peer)) {
        wf_trace_feed_file(look->trace, bytes, len);
    } else {
        keep_sample(w, lane, bytes, len);
        if (lane >= look->lane_end) look->lane_end = lane + 1;
        wf_trace_feed(look->trace, lane, bytes, len);
    }
    drain(w);
}

static void on_report(void *ctx, const char *text) {
    struct watch *w = ctx;
    snprintf(w->look->why, sizeof w->look->why, "%s", text);
    // Where it waits, so that the user can start the target.
    if (w->doctor->live && !w->limits->trial) diag_note("%s", text);
}

static void on_done(void *ctx, int err) {
    struct watch *w = ctx;
    w->look->ended = true;
    if (err) w->look->err = err;
    uv_stop(&w->loop);
}

static void on_known(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload,
                     size_t len) {
    struct watch *w = ctx;
    struct wf_error error;
    unsigned number = wf_peer_lane(peer);
    struct wf_lane *lane = wf_trace_lane(w->look->trace, number, &error);
    if (lane && number >= w->look->lane_end) w->look->lane_end = number + 1;
    if (lane) wf_session_learn(wf_lane_session(lane), id, payload, len);
}

static void on_sent(void *ctx, struct wf_peer *peer, uint8_t command, const uint8_t *payload,
                    size_t len) {
    struct watch *w = ctx;
    (void)peer;
    (void)payload;
    (void)len;
    w->look->asked |= command == WF_COMMAND_INFO;
}

static bool is_commandable(void *ctx, struct wf_peer *peer) {
    struct watch *w = ctx;
    struct wf_error error;
    struct wf_lane *lane = wf_trace_lane(w->look->trace, wf_peer_lane(peer), &error);
    enum wf_lane_format format = lane ? wf_lane_get_format(lane) : WF_LANE_UNKNOWN;
    return format && !wf_lane_format_is_foreign(format);
}

// ---- the end of a look

// A silent target is asked only if the user has allowed it: it may be any device.
static void ask_into_silence(struct watch *w) {
    if (w->silent_ask || !w->peer || w->doctor->ask != WF_ASK_ALWAYS) return;
    w->silent_ask = true;
    if (wf_peer_send(w->peer, WF_COMMAND_INFO, NULL, 0) == WF_OK) w->look->asked = true;
}

static bool is_over(const struct watch *w, double now) {
    struct doctor_look *look = w->look;
    if (!look->bytes) return now - w->began_s >= w->limits->first_s;
    if (look_seconds_left(w->doctor) <= 0) return true;
    double since = now - w->first_s;
    find_lane(look);
    const struct wf_ledger *l = look->session ? wf_session_ledger(look->session) : NULL;
    bool trace = look_has_trace(look);
    if (trace && w->limits->trial && l && l->records >= TRIAL_FRAMES) return true;
    if (!trace && look->bytes >= (w->limits->trial ? TRIAL_BYTES : HOPELESS_BYTES)) return true;
    // A few bytes more decide what they are, if they come.
    if (!trace && !w->limits->trial && look->bytes < BYTES_MIN) since /= 2;
    // Packed frames wait for names of objects, which come at the next SYNC.
    if (look->session && wf_session_holds_frames(look->session)) return false;
    return since >= w->limits->run_s;
}

static void on_tick(uv_timer_t *timer) {
    struct watch *w = timer->data;
    double now = now_s();
    double silence = w->limits->first_s / 2 < ask_after_s ? w->limits->first_s / 2 : ask_after_s;
    if (!w->look->bytes && now - w->began_s >= silence) ask_into_silence(w);
    if (is_over(w, now)) uv_stop(&w->loop);
}

static void on_signal(void *ctx) {
    struct watch *w = ctx;
    w->look->interrupted = true;
    uv_stop(&w->loop);
}

static void run_link(struct watch *w, const char *source) {
    const struct wf_link_options options = {
        .size = sizeof options, .once = false, .ask = w->doctor->ask};
    const struct wf_link_handlers on = {w,       on_up,    on_bytes, on_down,       on_report,
                                        on_done, on_known, on_sent,  is_commandable};
    struct doctor_look *look = w->look;
    struct wf_error error;
    look->err = wf_link_open(&w->loop, source, &options, &on, &w->link, &error);
    if (look->err)
        snprintf(look->why, sizeof look->why, "%s", error.text);
    else
        uv_run(&w->loop, UV_RUN_DEFAULT);
    if (look->bytes) look->seconds = now_s() - w->first_s;
}

// ---- files with random access

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    const int *fd = ctx;
    ssize_t n;
    do n = pread(*fd, buf, len, (off_t)offset);
    while (n < 0 && errno == EINTR);
    return n;
}

static void run_file(struct watch *w, const char *name) {
    struct doctor_look *look = w->look;
    struct wf_error error;
    int fd = strcmp(name, "-") == 0 ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC);
    const struct wf_merge_source source = {&fd, read_at};
    if (fd < 0) {
        look->err = WF_ERR_LINK;
        snprintf(look->why, sizeof look->why, "%s", strerror(errno));
        return;
    }
    look->connected = true;
    look->err = wf_trace_read(look->trace, 0, &source, &error);
    if (look->err) snprintf(look->why, sizeof look->why, "%s", error.text);
    look->lane_end = 1;
    drain(w);
    close(fd);
}

// Notes an error of the input or of memory.
static void check_trace(struct watch *w) {
    struct doctor_look *look = w->look;
    struct wf_error error;
    int err = wf_trace_error(look->trace, &error);
    w->doctor->failed |= err == WF_ERR_NOMEM;
    w->doctor->failed |= look->session && wf_session_error(look->session) != WF_OK;
    if (err == WF_OK || look->err != WF_OK) return;
    look->err = err;
    snprintf(look->why, sizeof look->why, "%s", error.text);
}

static void end_trace(struct watch *w) {
    struct doctor_look *look = w->look;
    if (!w->doctor->live) {
        wf_trace_end(look->trace);
        drain(w);
        look->seconds = 0;
    }
    const struct wf_recording_info *recording = wf_trace_recording(look->trace);
    if (recording && recording->lane_end > look->lane_end) look->lane_end = recording->lane_end;
    find_lane(look);
    if (look->lane && !look->seen) look->seen = open_lane(w->doctor, look->lane); // without items
    if (look->lane && !look->bytes) look->bytes = wf_lane_bytes(look->lane);
    check_trace(w);
}

void look_at(struct doctor *d, const char *source, const struct look_limits *limits,
             struct doctor_look *look) {
    struct watch w = {.doctor = d, .look = look, .limits = limits, .began_s = now_s()};
    const struct wf_trace_options options = {.size = sizeof options,
                                             .session = &d->session,
                                             .format = d->input.format,
                                             .describe = d->input.describe,
                                             .describe_len = d->input.describe_len};
    struct wf_error error;
    *look = (struct doctor_look){.trace = wf_trace_open(&options, &error)};
    if (!look->trace) {
        d->failed = true;
        return;
    }
    uv_loop_init(&w.loop);
    signals_open(&w.signals, &w.loop, on_signal, &w);
    uv_timer_init(&w.loop, &w.timer);
    w.timer.data = &w;
    if (d->live) uv_timer_start(&w.timer, on_tick, TICK_MS, TICK_MS);
    if (!d->live && slots_is_whole_file(source))
        run_file(&w, source);
    else
        run_link(&w, source);
    end_trace(&w);
    w.ended = true;
    if (w.link) wf_link_close(w.link);
    uv_close((uv_handle_t *)&w.timer, NULL);
    signals_close(&w.signals);
    uv_run(&w.loop, UV_RUN_DEFAULT);
    uv_loop_close(&w.loop);
}

void look_free(struct doctor_look *look) {
    struct wf_error error;
    for (unsigned i = 0; i < look->lane_end; ++i) {
        struct wf_lane *lane = wf_trace_lane(look->trace, i, &error);
        if (lane) seen_close(wf_lane_get_user(lane));
    }
    if (look->trace) wf_trace_close(look->trace);
    free(look->sample);
    *look = (struct doctor_look){.trace = NULL};
}
