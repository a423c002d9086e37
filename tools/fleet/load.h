// SPDX-License-Identifier: MIT
// `wallfly fleet load`: load.c has the files, load_lanes.c the lanes of a file, load_look.c what a
// lane holds.
#ifndef FLEET_LOAD_H
#define FLEET_LOAD_H

#include "../input_options.h"
#include "../term/progress.h"
#include "fleet.h"
#include "wallfly_backend/wf_loader.h"
#include "wallfly_host/wf_fleet_sql.h"
#include "wallfly_host/wf_recording.h"
#include "wallfly_host/wf_session.h"

enum {
    LOAD_FIRST = 64 << 10, // bytes that show what a lane holds
    LOAD_REST = 4 << 10    // fewer bytes may have no good frame
};

// A lane of the file that is read; of a file that is no recording the only one.
struct load_lane {
    unsigned number;
    struct wf_loading *stream; // null: none yet, or left out
    bool out;                  // left out, for the rest of the file
    uint64_t from_us;          // when its first bytes came, since the start of the file
    // Its bytes until it is known what they are.
    uint8_t *first;
    size_t first_len;
    // How they are read, if they are no frames; null: by the options, or what they show.
    uint8_t *noted; // of the recording: wf_recording_get_format
    size_t noted_len;
    bool whole; // they are kept as one segment
    // Of a file of a split recording.
    struct wf_recording_place place;
    bool has_place;
    uint8_t *state;
    size_t state_len;
    uint64_t offset; // in the file, where its stream begins
    uint64_t lost;   // bytes before its first one
};

struct load {
    struct fleet *fleet;
    struct wf_loader *loader;
    const struct args *args;
    const char *device, *version;             // as given
    const struct wf_session_options *session; // null: all default
    const struct input_options *input;        // of files that are no recording
    uint64_t stream;                          // 0: by the file
    bool anew;
    uint64_t batch;    // rows; 0: the default
    const char *shown; // in place of a file's name; null: that
    bool quiet;        // the caller reports the loader's errors
    struct progress progress;
    uint64_t bytes; // of files, read
    int code;       // the worst exit code of a file

    // The file that is read.
    const char *name;
    char of_device[WF_FLEET_DEVICE_MAX + 1]; // the device, with the name of the file in it
    uint64_t start_ns;                       // UTC, when its bytes began
    bool recorded;                           // it is a recording
    struct input_options as;                 // how it is read, if it is none
    unsigned part;                           // of a split recording
    bool damaged;                            // a part of the file was skipped
    struct load_lane *lanes[WF_RECORDING_LANES];
};

// Loads a file, or standard input ("-"). Returns false if nothing more can be loaded.
bool load_file(struct load *l, const char *name);
// Loads a memory image with a black box.
bool load_image(struct load *l, const char *name);

// Reports that the engine is away. ctx: the load
void load_report_failure(void *ctx, const char *text);
// Prints what was loaded, in a line.
void load_print_totals(const struct load *l);

// (load_lanes.c) Take what a file has. Return false if nothing more can be loaded.
bool load_bytes(struct load *l, unsigned lane, const uint8_t *bytes, size_t len, uint64_t time_us);
bool load_chunk(struct load *l, const struct wf_chunk *chunk);
// Frees all lanes. good: ends their streams. Returns false as those above, and if not good.
bool load_end_lanes(struct load *l, bool good);

// The first bytes of a lane, and the state in front of them, if there is one. more: bytes of
// another connection follow, so these may be noise before a trace.
struct load_first {
    const uint8_t *bytes;
    size_t len;
    const uint8_t *state;
    size_t state_len;
    bool more;
};
// (load_look.c) Looks at the first bytes of a lane. Returns false, with the reason, if they cannot
// be loaded; true with a text if they can, but something is odd.
//   format  what they must be, UNKNOWN: what they show; set to what they are
bool load_look(const struct wf_session_options *session, const struct load_first *first,
               enum wf_lane_format *format, char text[512]);

// Handles an error of the loader, of a lane (null: of the file). Returns false if nothing more can
// be loaded.
bool load_handle(struct load *l, struct load_lane *lane, int err, const struct wf_error *error);
// Reports that the file, or a lane of it, is not loaded. Other files and lanes are.
void load_refuse(struct load *l, const struct load_lane *lane, int code, const char *text);

#endif
