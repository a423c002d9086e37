// SPDX-License-Identifier: MIT
// The recording of a live target.

#include "serve_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "wallfly_host/wf_text_trace.h"

int recorder_open(struct recorder *r) {
    struct wf_capture_options o = r->o->capture;
    struct wf_error error;
    if (!r->o->record) return EXIT_GOOD;
    o.report = r->report;
    o.ctx = r->ctx;
    r->began_ns = uv_hrtime();
    int err = wf_capture_open(r->o->record, &o, &r->capture, &error);
    return err == WF_OK ? EXIT_GOOD : diag_error(exit_code_of(err), "%s", error.text);
}

// ---- the stream so far

void recorder_link(struct recorder *r, const char *peer) {
    r->up = peer != NULL;
    r->tail_len = 0;
    if (peer) snprintf(r->peer, sizeof r->peer, "%s", peer);
}

void recorder_bytes(struct recorder *r, const uint8_t *bytes, size_t len) {
    enum { FLAG = 0x7E };
    bool text = r->session && wf_session_takes_text(r->session);
    if (!len) return;
    const uint8_t *end = memrchr(bytes, text ? '\n' : FLAG, len);
    if (end) {
        len -= (size_t)(end + 1 - bytes);
        bytes = end + 1;
        r->tail_len = 0;
    }
    if (len > sizeof r->tail - r->tail_len) r->tail_len = 0; // longer than any record
    if (len > sizeof r->tail) return;
    memcpy(r->tail + r->tail_len, bytes, len);
    r->tail_len += len;
}

// ---- begin and end

static void report_problem(void *ctx, const char *text) {
    const struct recorder *r = ctx;
    r->report(r->ctx, text);
}

static const struct wf_session *get_session(void *ctx, unsigned lane) {
    (void)lane;
    return ((const struct recorder *)ctx)->session;
}

static void make_name(const struct recorder *r, char *name, size_t size) {
    const char *folder = r->o->front.folder;
    char stamp[32] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local)) strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
    snprintf(name, size, "%s%swallfly-%s.wfr", folder ? folder : "", folder ? "/" : "", stamp);
}

static int check_format(const struct wf_lane *lane, struct wf_error *error) {
    enum wf_lane_format format = wf_lane_get_format(lane);
    if (format == WF_LANE_UNKNOWN || format == WF_LANE_FRAMES || format == WF_LANE_TEXT)
        return WF_OK;
    return wf_error_set(error, WF_ERR_USAGE,
                        "a recording of this format needs its begin: serve --record=FILE");
}

int recorder_begin(struct recorder *r, struct wf_lane *lane, struct wf_error *error) {
    struct wf_capture_options o = {.size = sizeof o,
                                   .tool = r->o->capture.tool,
                                   .files = r->o->capture.files,
                                   .format = r->o->capture.format,
                                   .session = get_session,
                                   .whole = true,
                                   .report = report_problem,
                                   .ctx = r};
    char name[4096];
    int err = check_format(lane, error);
    if (err != WF_OK) return err;
    if (wf_session_holds_frames(r->session))
        return wf_error_set(error, WF_ERR_USAGE,
                            "records wait for the names of their objects: try again");
    make_name(r, name, sizeof name);
    err = wf_capture_open(name, &o, &r->capture, error);
    if (err != WF_OK) return err;
    r->failed = false;
    r->began_ns = uv_hrtime();
    wf_capture_join(r->capture, 0, r->up ? r->peer : NULL, r->tail, r->tail_len);
    return WF_OK;
}

void recorder_tick(struct recorder *r) {
    struct wf_error error;
    char text[512];
    if (!r->capture) return;
    wf_capture_tick(r->capture);
    if (r->failed || !wf_capture_error(r->capture, &error)) return;
    // A full disk ends the recording, not the server.
    r->failed = true;
    snprintf(text, sizeof text, "%s; nothing more is recorded, serving continues", error.text);
    r->report(r->ctx, text);
}

void recorder_show(const struct recorder *r, struct page *p) {
    struct page_recording *shown = &p->recording;
    *shown = (struct page_recording){.bytes = 0};
    if (!r->capture || r->failed) return;
    snprintf(shown->name, sizeof shown->name, "%.255s", wf_capture_name(r->capture));
    shown->bytes = wf_capture_totals(r->capture).bytes;
    shown->seconds = (double)(uv_hrtime() - r->began_ns) / 1e9;
}

bool recorder_finish(struct wf_capture *capture) {
    struct wf_capture_totals t;
    struct wf_error error;
    char name[256];
    snprintf(name, sizeof name, "%.255s", wf_capture_name(capture));
    if (wf_capture_close(capture, &t, &error) != WF_OK) {
        diag_error(EXIT_INPUT, "%s", error.text);
        return false;
    }
    diag_note("%s%s: %" PRIu64 " bytes received, %" PRIu64 " on disk in %u file%s", name,
              t.files > 1 ? " is the last file" : "", t.bytes, t.file_bytes, t.files,
              t.files == 1 ? "" : "s");
    return true;
}

bool recorder_close(struct recorder *r, bool opened) {
    struct wf_capture *capture = r->capture;
    r->capture = NULL;
    if (!capture) return true;
    if (opened) return recorder_finish(capture);
    wf_capture_discard(capture); // the source was not opened
    return true;
}
