// SPDX-License-Identifier: MIT
// `wallfly record`: writes the bytes of a link to a file as they arrive. Each lane also has a
// session, for the progress line, the final ledger, and the state at the start of later files of a
// split.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "ending.h"
#include "slots.h"
#include "source.h"

enum {
    RECORD_OUT,
    RECORD_CAPTURE,
    RECORD_RAW = RECORD_CAPTURE + CAPTURE_OPTIONS,
    RECORD_SECONDS,
    RECORD_ONCE,
    RECORD_ASK,
    RECORD_STRICT,
    RECORD_QUIET,
};

static const struct option_row options[] = {
    {"output", 'o', "FILE", "where to write; wallfly-DATE-TIME.wfr if not given"},
    CAPTURE_ROWS,
    {"raw", 0, NULL, "the bytes alone, as QSPY's binary output; one target at a time"},
    {"seconds", 0, "S", "end after so many seconds"},
    {"once", 0, NULL, "end when the first target has left"},
    ASK_ROW,
    {"strict", 0, NULL, "exit code 4 if anything was lost or damaged"},
    {"quiet", 'q', NULL, "no progress and no summary"},
    {NULL, 0, NULL, NULL},
};

struct lane {
    struct wf_lane *of;         // of the counting trace; null: no target yet
    struct wf_session *session; // session of that lane
    bool fed;                   // bytes were received on this connection
    bool known;                 // names were received from the other end, but not yet recorded
};

struct recorder {
    const char *source, *out;
    struct wf_capture_options options;
    struct wf_capture *capture;
    struct wf_trace *trace;
    struct lane lanes[WF_RECORDING_LANES];
    struct wf_slots_ledger slots_before; // ledgers of the connections that have ended
    uint64_t visits, start_ns, shown_ns;
    uint64_t shown_bytes, shown_records; // when the progress was last shown
    bool progress, failed, damaged;
    char why[256];
};

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// Returns null when out of memory or for an invalid lane.
static struct lane *lane_of(struct recorder *r, const struct wf_peer *peer) {
    unsigned number = wf_peer_lane(peer);
    if (number >= WF_RECORDING_LANES) return NULL;
    struct lane *l = &r->lanes[number];
    if (l->of) return l;
    l->of = wf_trace_lane(r->trace, number, NULL);
    if (!l->of) return NULL;
    l->session = wf_lane_session(l->of);
    return l;
}

// Discards the items: only the counts are needed.
static void drain(struct recorder *r) {
    struct wf_item item;
    struct wf_error error;
    while (wf_trace_next(r->trace, &item)) {
    }
    if (wf_trace_error(r->trace, &error) == WF_OK || r->failed) return;
    complain(EXIT_INPUT, "%s: %s", r->source, error.text);
    r->failed = true;
    snprintf(r->why, sizeof r->why,
             "%.180s: cannot be counted any more; what was written before can be read", r->source);
}

static void count(struct recorder *r, struct lane *l, const uint8_t *bytes, size_t len) {
    l->fed = true;
    wf_trace_feed(r->trace, wf_lane_number(l->of), bytes, len);
    drain(r);
}

static void end_visit(struct recorder *r, struct lane *l) {
    wf_trace_relink(r->trace, wf_lane_number(l->of));
    drain(r);
    const struct wf_lane_slots *slots = wf_lane_get_slots(l->of);
    if (l->fed && slots) slots_add(&r->slots_before, wf_slots_get_ledger(slots->slots));
    l->fed = false;
}

static const struct wf_session *session_at(void *ctx, unsigned lane) {
    const struct recorder *r = ctx;
    return lane < WF_RECORDING_LANES ? r->lanes[lane].session : NULL;
}

static struct wf_ledger totals(const struct recorder *r) {
    struct wf_ledger sum = {.bytes = 0};
    for (unsigned i = 0; i < WF_RECORDING_LANES; ++i) {
        if (!r->lanes[i].session) continue;
        const struct wf_ledger *l = wf_session_ledger(r->lanes[i].session);
        sum.bytes += l->bytes;
        sum.bytes_bad += l->bytes_bad + l->bytes_lost;
        sum.records += l->records;
        sum.missing += l->missing;
        sum.given_up += l->given_up;
    }
    return sum;
}

static void clear_progress(const struct recorder *r) {
    if (r->progress && r->shown_ns) fputs("\r\033[K", stderr);
}

// Rewrites the progress line twice a second.
static void show_progress(struct recorder *r) {
    uint64_t now = now_ns();
    if (!r->progress || now - r->shown_ns < 450000000) return;
    struct wf_ledger l = totals(r);
    double seconds = (double)(now - (r->shown_ns ? r->shown_ns : r->start_ns)) / 1e9;
    fprintf(stderr,
            "\r\033[K%.0f s  %.0f records/s  %.0f kB/s  %" PRIu64 " missing  %" PRIu64
            " bytes damaged  %" PRIu64 " session%s  %.1f MB",
            (double)(now - r->start_ns) / 1e9, (double)(l.records - r->shown_records) / seconds,
            (double)(l.bytes - r->shown_bytes) / seconds / 1e3, l.missing, l.bytes_bad, r->visits,
            r->visits == 1 ? "" : "s", (double)wf_capture_totals(r->capture).file_bytes / 1e6);
    fflush(stderr);
    r->shown_ns = now;
    r->shown_bytes = l.bytes;
    r->shown_records = l.records;
}

static bool goes_on(struct recorder *r) {
    if (!r->failed) r->failed = wf_capture_error(r->capture, r->why);
    return !r->failed;
}

static bool on_tick(void *ctx) {
    struct recorder *r = ctx;
    wf_capture_tick(r->capture);
    show_progress(r);
    return goes_on(r);
}

static void on_say(void *ctx, const char *text) {
    clear_progress(ctx);
    complain(EXIT_GOOD, "%s", text);
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

static bool on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct recorder *r = ctx;
    struct lane *l = lane_of(r, peer);
    if (!l) return false;
    put_known(r, l, wf_peer_lane(peer));
    for (size_t n, step = wf_capture_step(r->capture); len; bytes += n, len -= n) {
        n = step < len ? step : len;
        wf_capture_bytes(r->capture, wf_peer_lane(peer), bytes, n);
        count(r, l, bytes, n);
    }
    return goes_on(r);
}

static void on_known(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload,
                     size_t len) {
    struct recorder *r = ctx;
    struct lane *l = lane_of(r, peer);
    if (!l) return;
    wf_session_learn(l->session, id, payload, len);
    l->known = true;
}

static void on_sent(void *ctx, struct wf_peer *peer, uint8_t command, const uint8_t *payload,
                    size_t len) {
    const struct recorder *r = ctx;
    wf_capture_sent(r->capture, wf_peer_lane(peer), command, payload, len);
}

static void on_link(void *ctx, struct wf_peer *peer, bool up, const char *why) {
    struct recorder *r = ctx;
    struct lane *l = lane_of(r, peer);
    r->visits += up;
    if (!wf_link_is_file(r->source)) {
        clear_progress(r);
        complain(0, "%s: target %s%s%s", wf_peer_name(peer), up ? "connected" : "disconnected",
                 *why ? ": " : "", why);
    }
    if (up) {
        wf_capture_up(r->capture, wf_peer_lane(peer), wf_peer_name(peer));
        return;
    }
    wf_capture_down(r->capture, wf_peer_lane(peer), why);
    if (!l) return;
    end_visit(r, l);
}

static void on_chunk(void *ctx, struct wf_peer *peer, const struct wf_chunk *chunk) {
    struct recorder *r = ctx;
    struct lane *l = peer ? lane_of(r, peer) : NULL;
    if (!peer) r->damaged = true;
    if (!l) return;
    wf_capture_chunk(r->capture, wf_peer_lane(peer), chunk);
    wf_recording_apply(l->session, chunk);
}

static bool parse_options(const struct args *args, struct wf_capture_options *o,
                          uint64_t *seconds) {
    const char *text = args->value[RECORD_SECONDS];
    o->tool = "wallfly " WALLFLY_VERSION;
    o->raw = args->value[RECORD_RAW] != NULL;
    return capture_parse(args, RECORD_CAPTURE, o) &&
           (!text || parse_number("--seconds", text, 1, 1000000000, seconds));
}

static const char *default_name(bool raw, char name[64]) {
    time_t now = time(NULL);
    struct tm t;
    localtime_r(&now, &t);
    size_t n = strftime(name, 64, "wallfly-%Y%m%d-%H%M%S", &t);
    snprintf(name + n, 64 - n, "%s", raw ? ".bin" : ".wfr");
    return name;
}

// Checks for loss and damage in frames, in slots and in an input recording.
static int judge(const struct recorder *r, const struct wf_ledger *l) {
    const struct wf_slots_ledger *slots = &r->slots_before;
    int code = EXIT_GOOD;
    if (l->missing || l->bytes_bad)
        code = complain(EXIT_LOSS,
                        "%s: %" PRIu64 " records missing, %" PRIu64 " bytes damaged (--strict)",
                        r->source, l->missing, l->bytes_bad);
    if (slots_lossy(slots))
        code = complain(EXIT_LOSS, "%s: events of slots: %s (--strict)", r->source,
                        slots_missing(slots).text);
    if (r->damaged)
        code = complain(EXIT_LOSS, "%s: the recording is not whole (--strict)", r->source);
    return code;
}

// Prints totals, losses and the output file.
static int summary(struct recorder *r, const struct args *args, struct wf_capture_totals t,
                   const char *name) {
    struct wf_ledger l = totals(r);
    const struct wf_slots_ledger *slots = &r->slots_before;
    bool exact = false;
    for (unsigned i = 0; i < WF_RECORDING_LANES; ++i)
        exact |= r->lanes[i].session && wf_session_ledger(r->lanes[i].session)->exact;
    if (slots->bytes && !args->value[RECORD_QUIET]) {
        complain(0, "%s: %" PRIu64 " bytes of slots, %" PRIu64 " events; %s", r->source,
                 slots->bytes, slots->events, slots_missing(slots).text);
    }
    if (!args->value[RECORD_QUIET]) {
        complain(0,
                 "%s: %" PRIu64 " session%s, %" PRIu64 " records; %" PRIu64 " missing (%" PRIu64
                 " given up by the target)%s; %" PRIu64 " of %" PRIu64 " bytes damaged",
                 r->source, r->visits, r->visits == 1 ? "" : "s", l.records, l.missing, l.given_up,
                 exact       ? ", by its own count"
                 : l.missing ? " or more"
                             : "",
                 l.bytes_bad, l.bytes);
        complain(0, "%s%s: %" PRIu64 " bytes in %u file%s", name,
                 t.files > 1 ? " is the last file" : "", t.file_bytes, t.files,
                 t.files == 1 ? "" : "s");
    }
    return args->value[RECORD_STRICT] ? judge(r, &l) : EXIT_GOOD;
}

// The file is created only when the source is open: a mistyped source must not overwrite a file.
static int on_opened(void *ctx) {
    struct recorder *r = ctx;
    char why[256];
    int err = wf_capture_open(r->out, &r->options, &r->capture, why);
    if (err == WF_OK) return EXIT_GOOD;
    return complain(err == WF_ERR_USAGE ? EXIT_USAGE : EXIT_INPUT, "%s", why);
}

static int record(struct recorder *r, const struct args *args, struct source_handlers *on) {
    char name[256];
    r->start_ns = now_ns();
    int code = source_run(r->source, on);
    if (!r->capture) return code;
    clear_progress(r);
    for (unsigned i = 0; i < WF_RECORDING_LANES; ++i) {
        struct lane *l = &r->lanes[i];
        if (l->of) end_visit(r, l);
    }
    wf_trace_end(r->trace);
    drain(r);
    snprintf(name, sizeof name, "%.255s", wf_capture_name(r->capture));
    wf_capture_tick(r->capture);
    struct wf_capture_totals t;
    char why[256];
    int err = wf_capture_close(r->capture, &t, why);
    if (err != WF_OK || r->failed) return complain(EXIT_INPUT, "%s", err != WF_OK ? why : r->why);
    return code == EXIT_GOOD ? summary(r, args, t, name) : code;
}

static int run(const struct args *args) {
    char name[64];
    const struct wf_trace_options counting = {
        .size = sizeof counting, .as_stored = true, .raw_slots = true};
    struct recorder *r = calloc(1, sizeof *r);
    if (r) r->trace = wf_trace_open(&counting, NULL);
    if (!r || !r->trace) {
        free(r);
        return complain(EXIT_INPUT, "%s", wf_err_text(WF_ERR_NOMEM));
    }
    r->options = (struct wf_capture_options){
        .session = session_at, .say = on_say, .ctx = r, .files = args->files};
    struct source_handlers on = {.ctx = r,
                                 .opened = on_opened,
                                 .bytes = on_bytes,
                                 .link = on_link,
                                 .known = on_known,
                                 .sent = on_sent,
                                 .chunk = on_chunk,
                                 .tick = on_tick,
                                 .once = args->value[RECORD_ONCE] != NULL};
    int code = EXIT_USAGE;
    if (parse_options(args, &r->options, &on.seconds) &&
        source_ask(args->value[RECORD_ASK], false, &on.ask)) {
        r->out = args->value[RECORD_OUT];
        if (!r->out) r->out = default_name(r->options.raw, name);
        on.most = r->options.raw ? 1 : 0;
        r->source = args->operand[0];
        r->progress = isatty(2) && !args->value[RECORD_QUIET];
        ending_ignore_pipes();
        code = record(r, args, &on);
    }
    wf_trace_close(r->trace);
    free(r);
    return code;
}

const struct cmd cmd_record = {"record",
                               run,
                               "SOURCE",
                               1,
                               1,
                               "Records what targets send into a file, as it comes.",
                               "The file has the bytes, when they arrived, which targets came and "
                               "left; it is compressed, and\n"
                               "readable up to its last whole block if the recorder is killed "
                               "(docs/recording.md). print, info\n"
                               "and convert read it. Several targets are recorded at once, each on "
                               "a lane of its own; one that\n"
                               "comes back goes on in the same recording. Ctrl-C ends it.",
                               options};
