// SPDX-License-Identifier: MIT
// Records a source: its bytes go to a capture, and a trace counts them, for the progress line, the
// totals, and the state of the targets at the start of later files of a split.
#ifndef RECORDER_H
#define RECORDER_H

#include "input_options.h"
#include "source.h"
#include "wallfly_backend/wf_capture.h"
#include "wallfly_host/wf_trace.h"

struct recorder_options {
    const char *source, *out;
    struct wf_capture_options capture; // session, report and ctx are set by the recorder
    bool once;                         // end when the first target has disconnected
    uint64_t seconds;                  // end after this time, 0: never
    bool only_trace; // an input that is no trace, or is not read to its end, is an error, and no
                     // file is made; with capture.complete
    enum wf_ask ask;
    struct input_options *input; // null: the format is found by the first bytes. Of a file of
                                 // another tracer the recorder sets it
    const char *start;           // text sent to each target that connects; null: none
    bool progress;               // show a progress line on standard error
};

struct recorder_totals {
    // bytes, bytes_bad (lost ones too), records, missing, given_up; exact if those of all lanes
    // with bytes are
    struct wf_ledger frames;
    struct wf_slots_ledger slots;
    uint64_t sessions; // connections of targets
    bool damaged;      // the source is a recording that is not whole
    struct wf_capture_totals files;
    char last_file[256];
};

// Records to the end of the source, or until a signal. Returns an exit code, after an error
// message; the totals are valid for EXIT_GOOD.
int recorder_run(const struct recorder_options *o, struct recorder_totals *totals);

#endif
