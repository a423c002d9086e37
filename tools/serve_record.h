// SPDX-License-Identifier: MIT
// The recording of a live target: from the start (`serve --record`), or begun and ended by pages.
#ifndef SERVE_RECORD_H
#define SERVE_RECORD_H

#include "serve.h"
#include "wallfly_backend/wf_capture.h"

enum { RECORDER_TAIL = 65536 }; // no record is longer

struct recorder {
    const struct serve_options *o;
    void (*report)(void *ctx, const char *text);
    void *ctx;
    const struct wf_session *session; // fed with all bytes of the link; null: no later recording
    struct wf_capture *capture;       // null: nothing is recorded
    bool failed;                      // which was reported
    uint64_t began_ns;                // uv_hrtime()
    // The stream so far, for a recording that begins later.
    bool up;
    char peer[WF_RECORDING_NAME_MAX + 1];
    uint8_t tail[RECORDER_TAIL]; // the begin of a record that is not complete
    size_t tail_len;
};

// Creates the file of --record, if it is given. Returns an exit code, after an error message.
int recorder_open(struct recorder *r);
// The target at `peer` has connected; null: disconnected.
void recorder_link(struct recorder *r, const char *peer);
void recorder_bytes(struct recorder *r, const uint8_t *bytes, size_t len);
// Creates a file in the folder of --out, named after the time, with the state of the target. Sets
// `capture`, which gets what the link of the lane receives from now on.
//   returns  WF_OK; WF_ERR_USAGE: not a trace of frames or text; or as wf_capture_open
int recorder_begin(struct recorder *r, struct wf_lane *lane, struct wf_error *error);
void recorder_tick(struct recorder *r);
void recorder_show(const struct recorder *r, struct page *p);
// Closes a capture and reports its totals. Returns false after an error, which was reported.
bool recorder_finish(struct wf_capture *capture);
// Closes the recording that is being made. opened: the source was opened. As recorder_finish.
bool recorder_close(struct recorder *r, bool opened);

#endif
