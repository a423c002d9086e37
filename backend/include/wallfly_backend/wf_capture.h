// SPDX-License-Identifier: MIT
// A capture writes what comes over a link into recordings on disk (wf_recording.h): one file, or
// several of a given size or time, of which the last ones may be kept, or the bytes alone. Each
// file of several can be read alone: it begins with what is known of the targets, and a record is
// never cut between two of them. All functions are for one thread.
#ifndef WF_CAPTURE_H
#define WF_CAPTURE_H

#include "wallfly_backend/wf_outfile.h"
#include "wallfly_host/wf_recording.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_capture_options {
    const char *tool; // what writes, "wallfly 0.1.0"
    bool raw;         // the bytes alone, no recording
    bool overwrite;   // files that are there: an old one stays until a block of the new is written
    uint64_t split_bytes; // a new file when this one has so many, 0: no
    uint64_t split_us;    // ... when it is that old, 0: no
    unsigned keep;        // files of the split, the oldest goes; 0: all
    // With a split: the session of a lane, fed with all bytes given so far, which later files begin
    // with; bytes are then given in steps of wf_capture_step() at most. Null: the capture reads
    // along itself.
    const struct wf_session *(*session)(void *ctx, unsigned lane);
    // What does not end the capture, but ought to be known. May be null.
    void (*say)(void *ctx, const char *text);
    void *ctx;
    struct wf_files *files; // which are not overwritten or removed (wf_outfile.h); may be null
};

struct wf_capture_totals {
    uint64_t bytes;      // received
    uint64_t file_bytes; // written, of all files
    unsigned files;
};

struct wf_capture;

// Creates the first file. With a split its name gets a number: trace.wfr becomes trace-0001.wfr, or
// behind the files that are there the next one; these count for `keep`.
//   why      on an error what is wrong and what to do
//   returns  WF_OK, WF_ERR_USAGE (the file exists), WF_ERR_WRITE, WF_ERR_NOMEM
int wf_capture_open(const char *name, const struct wf_capture_options *options,
                    struct wf_capture **capture, char why[256]);

// How many bytes may be given at a time, if the caller's session is to be at the end of a file.
size_t wf_capture_step(const struct wf_capture *c);
// What came; time is taken here. Errors are kept, see wf_capture_error.
void wf_capture_up(struct wf_capture *c, unsigned lane, const char *peer);
void wf_capture_bytes(struct wf_capture *c, unsigned lane, const uint8_t *bytes, size_t len);
void wf_capture_down(struct wf_capture *c, unsigned lane, const char *why);
void wf_capture_sent(struct wf_capture *c, unsigned lane, uint8_t command, const void *payload,
                     size_t len);
// A chunk of another recording (STATE, SENT).
void wf_capture_chunk(struct wf_capture *c, unsigned lane, const struct wf_chunk *chunk);

// Call this a few times a second: a block that is old enough is written.
void wf_capture_tick(struct wf_capture *c);
// Whether writing failed; `why` then has the reason and what can still be read, and nothing more is
// written.
bool wf_capture_error(struct wf_capture *c, char why[256]);
struct wf_capture_totals wf_capture_totals(const struct wf_capture *c);
const char *wf_capture_name(const struct wf_capture *c); // of the present file

// Writes the rest and the index, waits for the disk, frees.
//   totals   set to what it comes to; may be null
//   returns  WF_OK, or the error that there was first (why)
int wf_capture_close(struct wf_capture *c, struct wf_capture_totals *totals, char why[256]);
// Removes the first file and frees, for a source that could not be opened: nothing has come.
void wf_capture_discard(struct wf_capture *c);

#ifdef __cplusplus
}
#endif
#endif
