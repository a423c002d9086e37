// SPDX-License-Identifier: MIT
// See recorder.h. The bytes of a recording are recorded in pieces (wf_trace_options.chunk_bytes),
// as those of a link, so that the state at the start of a file is that of the bytes before it.

#include "recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd.h"
#include "slots.h"

struct lane {
    struct wf_lane *of;         // of the counting trace; null: no target yet
    struct wf_session *session; // session of that lane
    bool up;                    // a target is connected
    bool fed;                   // bytes were received on this connection
    bool noted;                 // what --split does to its format was reported
    bool known;                 // names were received from the other end, but not yet recorded
};

struct recorder {
    const struct recorder_options *o;
    struct recorder_totals *totals;
    struct wf_capture *capture;
    struct wf_trace *trace;
    struct lane lanes[WF_RECORDING_LANES];
    uint64_t start_ns, shown_ns;
    uint64_t shown_bytes, shown_records; // when the progress was last shown
    bool ended;                          // the source was read to its end
    bool failed;
    struct wf_error error;
    struct source source;
};

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// Returns null when out of memory or for an invalid lane.
static struct lane *lane_at(struct recorder *r, unsigned number) {
    if (number >= WF_RECORDING_LANES) return NULL;
    struct lane *l = &r->lanes[number];
    if (l->of) return l;
    l->of = wf_trace_lane(r->trace, number, NULL);
    if (!l->of) return NULL;
    l->session = wf_lane_session(l->of);
    return l;
}

static const struct wf_session *session_at(void *ctx, unsigned lane) {
    const struct recorder *r = ctx;
    return lane < WF_RECORDING_LANES ? r->lanes[lane].session : NULL;
}

static enum wf_lane_format format_at(void *ctx, unsigned lane) {
    const struct recorder *r = ctx;
    const bool known = lane < WF_RECORDING_LANES && r->lanes[lane].of;
    return known ? wf_lane_get_format(r->lanes[lane].of) : WF_LANE_UNKNOWN;
}

// ---- progress

static void sum_frames(struct recorder *r) {
    struct wf_ledger *sum = &r->totals->frames;
    bool counted = false;
    *sum = (struct wf_ledger){.bytes = 0};
    for (unsigned i = 0; i < WF_RECORDING_LANES; ++i) {
        if (!r->lanes[i].session) continue;
        const struct wf_ledger *l = wf_session_ledger(r->lanes[i].session);
        sum->bytes += l->bytes;
        sum->bytes_bad += l->bytes_bad + l->bytes_lost;
        sum->records += l->records;
        sum->missing += l->missing;
        sum->given_up += l->given_up;
        if (l->bytes) sum->exact = l->exact && (sum->exact || !counted);
        counted |= l->bytes != 0;
    }
}

static void clear_progress(const struct recorder *r) {
    if (r->o->progress && r->shown_ns) fputs("\r\033[K", stderr);
}

// Rewrites the progress line twice a second.
static void show_progress(struct recorder *r) {
    uint64_t now = now_ns();
    if (!r->o->progress || now - r->shown_ns < 450000000) return;
    sum_frames(r);
    const struct wf_ledger *l = &r->totals->frames;
    double seconds = (double)(now - (r->shown_ns ? r->shown_ns : r->start_ns)) / 1e9;
    fprintf(stderr,
            "\r\033[K%.0f s  %.0f records/s  %.0f kB/s  %" PRIu64 " missing  %" PRIu64
            " bytes damaged  %" PRIu64 " session%s  %.1f MB",
            (double)(now - r->start_ns) / 1e9, (double)(l->records - r->shown_records) / seconds,
            (double)(l->bytes - r->shown_bytes) / seconds / 1e3, l->missing, l->bytes_bad,
            r->totals->sessions, r->totals->sessions == 1 ? "" : "s",
            (double)wf_capture_totals(r->capture).file_bytes / 1e6);
    fflush(stderr);
    r->shown_ns = now;
    r->shown_bytes = l->bytes;
    r->shown_records = l->records;
}

static void stop_if_failed(struct recorder *r) {
    if (!r->failed) r->failed = wf_capture_error(r->capture, &r->error);
    if (r->failed) source_stop(&r->source);
}

static void on_tick(void *ctx) {
    struct recorder *r = ctx;
    wf_capture_tick(r->capture);
    show_progress(r);
    stop_if_failed(r);
}

static void on_report(void *ctx, const char *text) {
    clear_progress(ctx);
    diag_note("%s", text);
}

// ---- connections

static void begin_session(struct recorder *r, unsigned lane, const char *peer) {
    struct lane *l = lane_at(r, lane);
    ++r->totals->sessions;
    if (l) l->up = true;
    wf_capture_up(r->capture, lane, peer);
}

// Adds the counts of the slots of a connection. They begin at 0 with the next one.
static void count_slots(struct recorder *r, struct lane *l) {
    const struct wf_lane_slots *slots = wf_lane_get_slots(l->of);
    if (l->fed && slots) slots_add(&r->totals->slots, wf_slots_get_ledger(slots->slots));
    l->fed = false;
}

static void put_bytes(struct recorder *r, struct lane *l, const uint8_t *bytes, size_t len) {
    l->fed = true;
    wf_capture_bytes(r->capture, wf_lane_number(l->of), bytes, len);
}

static void report_fault(struct recorder *r, const struct wf_chunk *c) {
    char text[512];
    r->totals->damaged |= c->kind != WF_CHUNK_NEWER;
    wf_chunk_text(c, wf_trace_recording(r->trace), r->o->source, text);
    clear_progress(r);
    diag_note("%s", text);
}

// A part of a recording.
static void put_chunk(struct recorder *r, const struct wf_item *item) {
    const struct wf_chunk *c = item->chunk;
    char text[WF_RECORDING_NAME_MAX + 1];
    struct lane *l = item->lane ? lane_at(r, c->lane) : NULL;
    snprintf(text, sizeof text, "%.*s", (int)c->len, c->len ? (const char *)c->bytes : "");
    if (!l) {
        report_fault(r, c);
    } else if (c->kind == WF_CHUNK_UP) {
        begin_session(r, c->lane, text);
    } else if (c->kind == WF_CHUNK_BYTES) {
        put_bytes(r, l, c->bytes, c->len);
    } else if (c->kind == WF_CHUNK_DOWN) {
        l->up = false;
        wf_capture_down(r->capture, c->lane, text);
        count_slots(r, l);
    } else {
        wf_capture_chunk(r->capture, c->lane, c);
    }
}

// Records are only counted.
static void drain(struct recorder *r) {
    struct wf_item item;
    struct wf_error error;
    while (wf_trace_next(r->trace, &item)) {
        if (item.kind == WF_ITEM_CHUNK) put_chunk(r, &item);
    }
    if (wf_trace_error(r->trace, &error) == WF_OK || r->failed) return;
    clear_progress(r);
    diag_error(EXIT_INPUT, "%s: %s", r->o->source, error.text);
    r->failed = true;
    wf_error_set(&r->error, WF_ERR_NOMEM,
                 "%.180s: cannot be counted any more; data written before can be read",
                 r->o->source);
}

static void end_session(struct recorder *r, unsigned lane, const char *why) {
    struct lane *l = &r->lanes[lane];
    if (l->up) wf_capture_down(r->capture, lane, why);
    l->up = false;
    if (!l->of) return;
    wf_trace_relink(r->trace, lane);
    drain(r);
    count_slots(r, l);
}

// Records the target state that a server had before the connection: no received bytes contain it.
static void put_known(struct recorder *r, struct lane *l, unsigned number) {
    struct wf_chunk c = {.kind = WF_CHUNK_STATE, .lane = number};
    if (!l->known) return;
    l->known = false;
    uint8_t *state = wf_session_write_state(l->session, &c.len);
    c.bytes = state;
    if (state) wf_capture_chunk(r->capture, number, &c);
    free(state);
}

// ---- the source

// Foreign bytes have no marks at which a file could begin.
static void note_split(struct recorder *r, struct lane *l) {
    const struct wf_capture_options *o = &r->o->capture;
    enum wf_lane_format format = wf_lane_get_format(l->of);
    if (l->noted || !(o->split_bytes || o->split_us) || !wf_lane_format_is_foreign(format)) return;
    l->noted = true;
    clear_progress(r);
    diag_note("%s: --split: a file after the first may begin inside an event of %s", r->o->source,
              wf_lane_format_title(format));
}

static void take_bytes(struct recorder *r, struct lane *l, const uint8_t *bytes, size_t len) {
    unsigned number = wf_lane_number(l->of);
    put_known(r, l, number);
    for (size_t n, step = wf_capture_step(r->capture); len; bytes += n, len -= n) {
        n = step < len ? step : len;
        put_bytes(r, l, bytes, n);
        wf_trace_feed(r->trace, number, bytes, n);
        drain(r);
        note_split(r, l);
    }
}

static void on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct recorder *r = ctx;
    if (wf_peer_is_recording(peer)) {
        wf_trace_feed_file(r->trace, bytes, len);
        drain(r);
    } else {
        struct lane *l = lane_at(r, wf_peer_lane(peer));
        if (!l) {
            r->failed = true;
            wf_error_set(&r->error, WF_ERR_NOMEM, "%.180s: %s", r->o->source,
                         wf_err_text(WF_ERR_NOMEM));
        } else {
            take_bytes(r, l, bytes, len);
        }
    }
    stop_if_failed(r);
}

static void on_known(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload,
                     size_t len) {
    struct lane *l = lane_at(ctx, wf_peer_lane(peer));
    if (!l) return;
    wf_session_learn(l->session, id, payload, len);
    l->known = true;
}

static void on_sent(void *ctx, struct wf_peer *peer, uint8_t command, const uint8_t *payload,
                    size_t len) {
    const struct recorder *r = ctx;
    wf_capture_sent(r->capture, wf_peer_lane(peer), command, payload, len);
}

static bool is_commandable(void *ctx, struct wf_peer *peer) {
    const struct lane *l = lane_at(ctx, wf_peer_lane(peer));
    enum wf_lane_format format = l ? wf_lane_get_format(l->of) : WF_LANE_UNKNOWN;
    return format && !wf_lane_format_is_foreign(format);
}

// Returns false for a recording: its targets connect and disconnect.
static bool report_link(const struct recorder *r, struct wf_peer *peer, bool up, const char *why) {
    char text[512];
    if (wf_peer_is_recording(peer)) return false;
    if (wf_link_is_file(r->o->source)) return true;
    clear_progress(r);
    diag_note("%s", source_link_text(wf_peer_name(peer), up, why, text));
    return true;
}

static void on_up(void *ctx, struct wf_peer *peer) {
    if (report_link(ctx, peer, true, ""))
        begin_session(ctx, wf_peer_lane(peer), wf_peer_name(peer));
}

static void on_down(void *ctx, struct wf_peer *peer, const char *why) {
    const struct recorder *r = ctx;
    if (*why && wf_link_is_file(r->o->source)) source_note_cut();
    if (report_link(ctx, peer, false, why) && wf_peer_lane(peer) < WF_RECORDING_LANES)
        end_session(ctx, wf_peer_lane(peer), why);
}

static void on_done(void *ctx, int err) {
    struct recorder *r = ctx;
    r->ended = true;
    wf_trace_end(r->trace);
    drain(r);
    source_done(&r->source, err);
}

// The file is created only when the source is open: a mistyped source must not overwrite a file.
static int on_opened(void *ctx) {
    struct recorder *r = ctx;
    struct wf_capture_options options = r->o->capture;
    struct wf_trace_options counting = {
        .size = sizeof counting, .as_stored = true, .raw_slots = true};
    options.session = session_at;
    options.lane_format = format_at;
    options.report = on_report;
    options.ctx = r;
    struct input_options *input = r->o->input;
    int code = input ? input_look(input, r->o->source) : EXIT_GOOD;
    if (code != EXIT_GOOD) return code;
    if (input) {
        if (!input->format) input->format = slots_foreign_format(r->o->source);
        options.format = input_recorded(input);
        counting.format = input->format;
        counting.describe = input->describe;
        counting.describe_len = input->describe_len;
    }
    int err = wf_capture_open(r->o->out, &options, &r->capture, &r->error);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s", r->error.text);
    counting.chunk_bytes = wf_capture_step(r->capture);
    r->trace = wf_trace_open(&counting, NULL);
    return r->trace ? EXIT_GOOD : out_of_memory();
}

static int close_capture(struct recorder *r, int code) {
    struct recorder_totals *t = r->totals;
    snprintf(t->last_file, sizeof t->last_file, "%.255s", wf_capture_name(r->capture));
    wf_capture_tick(r->capture);
    struct wf_error error;
    int err = wf_capture_close(r->capture, &t->files, &error);
    if (err != WF_OK || r->failed)
        return diag_error(EXIT_INPUT, "%s", err != WF_OK ? error.text : r->error.text);
    return code;
}

// Returns an error for an input that cannot be kept as a trace.
static int judge(struct recorder *r, int code) {
    if (code != EXIT_GOOD || !r->o->only_trace || r->failed) return code;
    if (r->source.interrupted)
        return diag_error(EXIT_INPUT, "%s: interrupted; nothing is written", r->o->source);
    const struct wf_verdict *v = wf_trace_verdict(r->trace);
    if (v->kind != WF_VERDICT_NO_TRACE) return code;
    return diag_error(EXIT_INPUT, "%s: %s", r->o->source, v->text);
}

static int record(struct recorder *r) {
    const struct recorder_options *o = r->o;
    const struct source_options options = {.link = {.once = o->once,
                                                    .most = o->capture.raw ? 1 : 0,
                                                    .ask = o->ask,
                                                    .start = o->start,
                                                    .start_len = o->start ? strlen(o->start) : 0},
                                           .opened = on_opened,
                                           .tick = on_tick,
                                           .seconds = o->seconds};
    const struct wf_link_handlers on = {r,       on_up,    on_bytes, on_down,       on_report,
                                        on_done, on_known, on_sent,  is_commandable};
    r->start_ns = now_ns();
    int code = source_run(&r->source, o->source, &options, &on);
    if (!r->trace) {
        if (r->capture) wf_capture_discard(r->capture);
        return code;
    }
    clear_progress(r);
    // A recording that was not read to its end: the targets are still connected.
    for (unsigned i = 0; i < WF_RECORDING_LANES && !r->ended; ++i) end_session(r, i, "");
    for (unsigned i = 0; i < WF_RECORDING_LANES && !r->ended; ++i) wf_trace_end_lane(r->trace, i);
    drain(r);
    sum_frames(r);
    code = judge(r, code);
    if (!o->only_trace || (code == EXIT_GOOD && !r->failed)) return close_capture(r, code);
    wf_capture_discard(r->capture);
    return EXIT_INPUT;
}

int recorder_run(const struct recorder_options *o, struct recorder_totals *totals) {
    struct recorder *r = calloc(1, sizeof *r);
    *totals = (struct recorder_totals){.sessions = 0};
    if (!r) return out_of_memory();
    r->o = o;
    r->totals = totals;
    int code = record(r);
    wf_trace_close(r->trace);
    free(r);
    return code;
}
