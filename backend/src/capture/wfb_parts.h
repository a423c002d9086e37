// SPDX-License-Identifier: MIT
// The files of a capture, one at a time: each has a name, its part of a recording (or raw bytes),
// and ends when it has its size or age. Nothing is written after the first error.
#ifndef WFB_PARTS_H
#define WFB_PARTS_H

#include "wallfly_backend/wf_capture.h"
#include "wfb_disk.h"

enum { WFB_PATH_MAX = 4096 };

struct wfb_parts {
    const struct wf_capture_options *options; // of the capture
    bool split;                               // there may be more than one file
    struct wf_capture_totals totals;
    struct wf_error error;   // the first one
    char name[WFB_PATH_MAX]; // of the current file
    uint64_t start_ns;       // UTC, of the first file
    // ---- private
    struct wfb_disk *disk;
    struct wf_recording_writer *writer; // null: raw
    struct wf_outfile *output;          // the current file
    uint64_t begin_us;                  // monotonic, when the file was created
    uint64_t before;                    // file bytes of the files before this one
    uint64_t file_bytes;                // of this file
    uint64_t head_bytes;                // of this file, before the first data
    uint64_t file_data;                 // received bytes in it
    unsigned number;                    // in the name of the current file
    unsigned removed_for;               // the number whose oldest file was removed
    bool kept;                          // after its end: the last file contains data
    char *base;                         // the name as given
};

// Begins the first file. *p is zero before; options must stay valid. Returns WF_OK, or an error of
// wf_capture_open: then nothing is left open.
int wfb_parts_open(struct wfb_parts *p, const char *name, const struct wf_capture_options *options,
                   struct wf_error *error);
// Ends the last file and waits for the disk. good: else the file is removed, unless it has replaced
// an old one already. Returns WF_OK, or the first error.
int wfb_parts_close(struct wfb_parts *p, bool good, struct wf_error *error);

// Returns whether the file has its size or age, so that the next one begins before the next data.
bool wfb_parts_is_due(struct wfb_parts *p);
int wfb_parts_next(struct wfb_parts *p); // ends the file and begins the next one

void wfb_parts_put(struct wfb_parts *p, enum wf_chunk_kind kind, unsigned lane, const void *bytes,
                   size_t len);
void wfb_parts_put_bytes(struct wfb_parts *p, unsigned lane, const uint8_t *bytes, size_t len);
// Writes a block that is old enough.
void wfb_parts_tick(struct wfb_parts *p);
// Returns how many bytes are written at a time, so that a file exceeds its size only slightly.
uint64_t wfb_parts_step(const struct wfb_parts *p);

// Notes an error, with the file's name before the text. Only the first one is kept.
void wfb_parts_fail(struct wfb_parts *p, int err, const char *text);
// Returns whether there was an error. Its text adds whether anything can be read in spite of it.
bool wfb_parts_error(struct wfb_parts *p, struct wf_error *error);

#endif
