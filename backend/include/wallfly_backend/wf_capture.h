// SPDX-License-Identifier: MIT
// A capture writes the bytes received over a link to recordings on disk (wf_recording.h): one file,
// or several files of a given size or age, of which only the last ones may be kept. It can also
// write the bytes alone. Each file of several can be read alone: it begins with the known state of
// the targets, and no record is split between two files. All functions must be called from one
// thread.
#ifndef WF_CAPTURE_H
#define WF_CAPTURE_H

#include "wallfly_backend/wf_outfile.h"
#include "wallfly_host/wf_trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_capture_options {
    size_t size;      // sizeof(struct wf_capture_options)
    const char *tool; // name and version of the writing program, "wallfly 0.1.0"
    bool raw;         // write the bytes alone, no recording
    bool overwrite;   // replace existing files; the old file stays until a block of the new one is
                      // written
    uint64_t split_bytes; // start a new file at this size; 0: never
    uint64_t split_us;    // start a new file at this age; 0: never
    unsigned keep;        // files of the split to keep, the oldest is removed; 0: all
    // With a split or wf_capture_join: returns the session of a lane, fed with all bytes so far.
    // Later files begin with its state; with a split, bytes must be given in steps of at most
    // wf_capture_step(). When null, the capture decodes the bytes itself.
    const struct wf_session *(*session)(void *ctx, unsigned lane);
    // Reports problems that do not end the capture. May be null.
    void (*report)(void *ctx, const char *text);
    void *ctx;
    struct wf_files *files; // never overwritten or removed (wf_outfile.h); may be null
    bool whole;             // leave out a record that is not complete when the capture is closed
    bool complete;          // the file gets its name when it is closed; an old one stays until then
    // How the bytes of all targets are read; its name and description stay valid. Null: by their
    // first bytes.
    const struct wf_recording_format *format;
    // Returns the format that the bytes of a lane have shown, UNKNOWN: none yet. That of another
    // tracer is in later files, whose first bytes may not show it. May be null.
    enum wf_lane_format (*lane_format)(void *ctx, unsigned lane);
};

struct wf_capture_totals {
    uint64_t bytes;      // received
    uint64_t file_bytes; // written, in all files
    unsigned files;
};

struct wf_capture;

// Creates the first file. With a split its name gets a number: trace.wfr becomes trace-0001.wfr, or
// the number after the existing files, which count for `keep`.
//   error    on an error the fault and the remedy
//   returns  WF_OK, WF_ERR_USAGE (the file exists), WF_ERR_WRITE, WF_ERR_NOMEM
int wf_capture_open(const char *name, const struct wf_capture_options *options,
                    struct wf_capture **capture, struct wf_error *error);

// Returns how many bytes may be given at a time when the caller's session supplies the state.
size_t wf_capture_step(const struct wf_capture *c);
// Record connections, received bytes and sent commands; the time is taken at the call. Errors are
// kept, see wf_capture_error.
void wf_capture_up(struct wf_capture *c, unsigned lane, const char *peer);
void wf_capture_bytes(struct wf_capture *c, unsigned lane, const uint8_t *bytes, size_t len);
void wf_capture_down(struct wf_capture *c, unsigned lane, const char *why);
// Begins in the middle of a stream, before any other call for the lane: writes the connection, the
// state of options.session, and `bytes`, which are the begin of a record that is not complete.
//   peer  null: no target is connected; the state is written with the next connection
void wf_capture_join(struct wf_capture *c, unsigned lane, const char *peer, const uint8_t *bytes,
                     size_t len);
void wf_capture_sent(struct wf_capture *c, unsigned lane, uint8_t command, const void *payload,
                     size_t len);
// Copies a chunk of another recording (STATE, SENT, FORMAT).
void wf_capture_chunk(struct wf_capture *c, unsigned lane, const struct wf_chunk *chunk);

// Writes a block that is old enough. Call this a few times a second.
void wf_capture_tick(struct wf_capture *c);
// Returns true when writing failed, with the reason and whether earlier data can be read. Nothing
// more is written.
bool wf_capture_error(struct wf_capture *c, struct wf_error *error);
struct wf_capture_totals wf_capture_totals(const struct wf_capture *c);
const char *wf_capture_name(const struct wf_capture *c); // of the current file

// Writes the remaining data and the index, waits for the disk and frees the capture.
//   totals   set to the final totals; may be null
//   returns  WF_OK, or the first error
int wf_capture_close(struct wf_capture *c, struct wf_capture_totals *totals,
                     struct wf_error *error);
// Removes the file and frees the capture. For a source that could not be opened or read.
void wf_capture_discard(struct wf_capture *c);

#ifdef __cplusplus
}
#endif
#endif
